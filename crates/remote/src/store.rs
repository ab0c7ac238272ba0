//! The store of a server.

use std::time::Duration;

use async_trait::async_trait;
use hansang_core::plan::{BatchGet, Get, Key, Query, Scan, TableWrite, Write};
use hansang_core::store::{History, check};
use hansang_core::value::item_size;
use hansang_core::wire::{StoreCall, StoreResponse};
use hansang_core::{Item, Page, Store, StoreError, Table};

use crate::Lender;
use crate::failure::Failure;
use crate::lender::Call;

/// Size of a batch of items in bytes, far below the limit of a server.
const BATCH_BYTES: usize = 1024 * 1024;

/// The store of a server that lends its ports.
///
/// Rules that need no stored item are checked before anything is sent.
#[derive(Clone, Debug)]
pub struct RemoteStore {
    pub(crate) lender: Lender,
}

impl RemoteStore {
    async fn call(&self, table: &Table, call: StoreCall) -> Result<StoreResponse, StoreError> {
        let is_read = call.is_read();
        let call = Call { port: "store", on: &table.name, call: &call, is_read, waits: Duration::ZERO };
        match self.lender.call::<_, Result<StoreResponse, StoreError>>(call).await {
            Ok(response) => response,
            Err(failure) => Err(failure.of_store(is_read)),
        }
    }

    /// The error for a response of the wrong kind.
    fn unexpected<T>(&self, is_read: bool) -> Result<T, StoreError> {
        Err(Failure::unexpected(self.lender.url()).of_store(is_read))
    }

    async fn do_all(&self, table: &Table, call: StoreCall) -> Result<(), StoreError> {
        match self.call(table, call).await? {
            StoreResponse::Done => Ok(()),
            _ => self.unexpected(false),
        }
    }

    async fn page(&self, table: &Table, call: StoreCall) -> Result<Page, StoreError> {
        match self.call(table, call).await? {
            StoreResponse::Page(page) => Ok(page),
            _ => self.unexpected(true),
        }
    }
}

#[async_trait]
impl Store for RemoteStore {
    /// Creates the table as in the models of the server. Refuses tables that are not in them.
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        self.do_all(table, StoreCall::EnsureTable).await
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        match self.call(table, StoreCall::Get(get.clone())).await? {
            StoreResponse::Item(item) => Ok(item),
            _ => self.unexpected(true),
        }
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        match self.call(table, StoreCall::BatchGet(gets.clone())).await? {
            StoreResponse::Items(items) if items.len() == gets.keys.len() => Ok(items),
            _ => self.unexpected(true),
        }
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        self.page(table, StoreCall::Query(query.clone())).await
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        self.page(table, StoreCall::Scan(scan.clone())).await
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        check::write(table, &write)?;
        match self.call(table, StoreCall::Write(write)).await? {
            StoreResponse::Item(item) => Ok(item),
            _ => self.unexpected(false),
        }
    }

    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        check::transaction(writes.iter().map(|one| (&*one.table, &one.write)))?;
        let Some(first) = writes.first().map(|one| one.table.clone()) else { return Ok(()) };
        let named = |one: TableWrite| (one.table.name.clone(), one.write);
        self.do_all(&first, StoreCall::Transact(writes.into_iter().map(named).collect())).await
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        for item in &items {
            check::item(table, item)?;
        }
        let (mut batch, mut size) = (Vec::new(), 0);
        for item in items {
            size += item_size(&item);
            batch.push(item);
            if size >= BATCH_BYTES {
                self.do_all(table, StoreCall::BatchPut(std::mem::take(&mut batch))).await?;
                size = 0;
            }
        }
        if batch.is_empty() { Ok(()) } else { self.do_all(table, StoreCall::BatchPut(batch)).await }
    }

    async fn history(&self, table: &Table, key: &Key, limit: usize) -> Result<Option<History>, StoreError> {
        match self.call(table, StoreCall::History(key.clone(), limit)).await? {
            StoreResponse::History(history) => Ok(history),
            _ => self.unexpected(true),
        }
    }
}
