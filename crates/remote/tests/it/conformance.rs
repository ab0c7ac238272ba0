//! The conformance suites of stores and queues.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use hansang_core::plan::{BatchGet, Get, Key, Query, Scan, TableWrite, Write};
use hansang_core::store::History;
use hansang_core::{Item, Page, Store, StoreError, Table};
use hansang_embedded::QueueSettings;
use hansang_remote::RemoteStore;
use hansang_testkit::queue_suite::{self, MAX_ATTEMPTS, Trial};

use crate::lending::Lending;

/// The store of a server. `ensure_table` lends the table first, because tables of the suite are in no model;
/// everything else goes through the port.
struct LendingStore {
    lending: Lending,
    store: RemoteStore,
}

/// A boxed future: otherwise hundreds of tests would each compile the whole client.
type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

fn store() -> BoxFuture<Arc<dyn Store>> {
    Box::pin(async {
        let lending = Lending::start().await;
        Arc::new(LendingStore { store: lending.lender.store(), lending }) as _
    })
}

fn queue() -> BoxFuture<Trial> {
    Box::pin(async {
        let lending = Lending::start().await;
        let (name, test_clock) = (queue_suite::name(), lending.test_clock());
        lending.add(&name, lending.store.queue(&name, QueueSettings { max_attempts: MAX_ATTEMPTS }));
        let pass = Box::new(move |time| {
            test_clock.forward(time);
            Box::pin(async {}) as _
        });
        Trial::new(Arc::new(lending.lender.queue(name)), pass, Some(Box::new(lending))).await
    })
}

mod stores {
    use super::store;

    hansang_testkit::conformance!(store().await);
}

mod queues {
    use super::queue;

    hansang_testkit::queue_conformance!(queue().await);
}

impl fmt::Debug for LendingStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.store.fmt(f)
    }
}

#[async_trait]
impl Store for LendingStore {
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        self.lending.ensure(table).await
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        self.store.get(table, get).await
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        self.store.batch_get(table, gets).await
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        self.store.query(table, query).await
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
