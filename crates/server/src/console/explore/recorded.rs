//! A store that records reads, so that a page can show them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use hansang_core::cost::half_units_read;
use hansang_core::plan::{BatchGet, Get, Key, Query, Scan, Step, TableWrite, Write};
use hansang_core::request::{self, Request};
use hansang_core::store::History;
use hansang_core::value::item_size;
use hansang_core::{Item, Page, Store, StoreError, Table};

/// A recorded read.
#[derive(Clone, Debug)]
pub(super) struct Read {
    /// The request to DynamoDB.
    pub(super) request: Request,
    /// The items of the response, as they are stored.
    pub(super) items: Vec<Item>,
    /// The cost on DynamoDB, in half read units.
    pub(super) half_units: u64,
}

/// Forwards all calls, and records the reads.
#[derive(Debug)]
pub(super) struct Recorded {
    store: Arc<dyn Store>,
    reads: Mutex<Vec<Read>>,
}

impl Recorded {
    pub(super) fn new(store: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self { store, reads: Mutex::default() })
    }

    /// The reads so far, in order.
    pub(super) fn reads(&self) -> Vec<Read> {
        self.all().clone()
    }

    fn all(&self) -> MutexGuard<'_, Vec<Read>> {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, request: Request, items: Vec<Item>, half_units: u64) {
        self.all().push(Read { request, items, half_units });
    }
}

fn half_units(items: &[Item], consistent: bool) -> u64 {
    half_units_read(items.iter().map(item_size).sum(), consistent)
}

#[async_trait]
impl Store for Recorded {
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        self.store.ensure_table(table).await
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        let item = self.store.get(table, get).await?;
        let items: Vec<Item> = item.iter().cloned().collect();
        let request = request::of_step(table, &table.name, &Step::Get(get.clone()));
        let cost = half_units(&items, get.consistent);
        self.remember(request, items, cost);
        Ok(item)
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        let found = self.store.batch_get(table, gets).await?;
        // Each item is rounded by itself.
        let cost = found
            .iter()
            .map(|item| half_units_read(item.as_ref().map_or(0, item_size), gets.consistent))
            .sum();
        let items = found.iter().flatten().cloned().collect();
        self.remember(request::of_batch_get(table, &table.name, gets), items, cost);
        Ok(found)
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        let page = self.store.query(table, query).await?;
        let request = request::of_step(table, &table.name, &Step::Query(query.clone()));
        let cost = half_units(&page.items, query.consistent);
        self.remember(request, page.items.clone(), cost);
        Ok(page)
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        self.store.scan(table, scan).await
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        self.store.write(table, write).await
    }

    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        self.store.transact(writes).await
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        self.store.batch_put(table, items).await
    }

    async fn history(&self, table: &Table, key: &Key, limit: usize) -> Result<Option<History>, StoreError> {
        self.store.history(table, key, limit).await
    }
}
