//! A store that can be switched off, that counts its calls, and that can hold them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use async_trait::async_trait;
use hansang_core::plan::{BatchGet, Get, Key, Query, Scan, TableWrite, Write};
use hansang_core::store::History;
use hansang_core::{Item, Page, Store, StoreError, Table};
use tokio::sync::{Notify, Semaphore};

/// More calls than any test makes.
const MANY: usize = 1 << 40;

/// A store with a switch.
pub struct Switch {
    store: Arc<dyn Store>,
    down: AtomicBool,
    calls: AtomicU64,
    /// A permit for each call that may still begin.
    permits: Semaphore,
    /// Notified when a call is held.
    held: Notify,
}

impl Switch {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        let (down, calls) = (AtomicBool::default(), AtomicU64::default());
        Self { store, down, calls, permits: Semaphore::new(MANY), held: Notify::new() }
    }

    /// Switches the store off, or on again.
    pub fn set_down(&self, down: bool) {
        self.down.store(down, Ordering::SeqCst);
    }

    /// The number of calls so far.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::SeqCst)
    }

    /// Holds all calls after the next `count`, until [`Switch::release`].
    pub fn hold_after(&self, count: usize) {
        self.permits.forget_permits(self.permits.available_permits() - count);
    }

    /// Completes when a call is held.
    pub async fn held(&self) {
        self.held.notified().await;
    }

    pub fn release(&self) {
        self.permits.add_permits(MANY);
    }

    async fn call(&self) -> Result<(), StoreError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        if self.permits.available_permits() == 0 {
            self.held.notify_one();
        }
        self.permits.acquire().await.unwrap().forget();
        match self.down.load(Ordering::SeqCst) {
            true => Err(StoreError::unavailable("the store is switched off")),
            false => Ok(()),
        }
    }
}

impl fmt::Debug for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Switch").field("store", &self.store).finish_non_exhaustive()
    }
}

#[async_trait]
impl Store for Switch {
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        self.call().await?;
        self.store.ensure_table(table).await
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        self.call().await?;
        self.store.get(table, get).await
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        self.call().await?;
        self.store.batch_get(table, gets).await
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        self.call().await?;
        self.store.query(table, query).await
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        self.call().await?;
        self.store.scan(table, scan).await
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        self.call().await?;
        self.store.write(table, write).await
    }

    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        self.call().await?;
        self.store.transact(writes).await
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        self.call().await?;
        self.store.batch_put(table, items).await
    }

    async fn history(&self, table: &Table, key: &Key, limit: usize) -> Result<Option<History>, StoreError> {
        self.call().await?;
        self.store.history(table, key, limit).await
    }
}
