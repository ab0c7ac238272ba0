//! The suites that every store and every queue passes.

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

/// The store of a server. A table of the suite is in no model, so the server is told of it before it is
/// made; all else goes through the port.
struct Told {
    lending: Lending,
    store: RemoteStore,
}

/// Something that has to be waited for, boxed: hundreds of tests would each compile the whole way to a
/// server otherwise.
type Soon<T> = Pin<Box<dyn Future<Output = T> + Send>>;

fn store() -> Soon<Arc<dyn Store>> {
    Box::pin(async {
        let lending = Lending::start().await;
        Arc::new(Told { store: lending.lender.store(), lending }) as _
    })
}

fn queue() -> Soon<Trial> {
    Box::pin(async {
        let lending = Lending::start().await;
        let (name, hands) = (queue_suite::name(), lending.hands());
        lending.add(&name, lending.store.queue(&name, QueueSettings { max_attempts: MAX_ATTEMPTS }));
        let pass = Box::new(move |time| {
            hands.forward(time);
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

impl fmt::Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.store.fmt(f)
    }
}

#[async_trait]
impl Store for Told {
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
