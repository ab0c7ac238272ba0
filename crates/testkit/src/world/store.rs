//! The store of a process, with hazards.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use async_trait::async_trait;
use hansang_core::model::Table;
use hansang_core::plan::{BatchGet, Get, Key, Query, Scan, TableWrite, Write};
use hansang_core::store::{History, Unavailable, check};
use hansang_core::{Item, Page, Store, StoreError};

use super::Fault;
use super::caller::{Call, Caller};
use super::lag::Lagging;

/// A store with hazards.
pub(super) struct SimulatedStore {
    caller: Caller,
    lagging: Arc<Lagging>,
}

impl SimulatedStore {
    pub(super) fn new(caller: Caller, lagging: Arc<Lagging>) -> Self {
        Self { caller, lagging }
    }

    /// Returns the store for a read.
    async fn read_store(&self, index: Option<&str>) -> Result<&dyn Store, StoreError> {
        let shared = &self.caller.shared;
        match index {
            Some(_) if !shared.hazards.index_lag.is_zero() => self.lagging.view(shared.age()).await,
            _ => Ok(&*self.lagging.store),
        }
    }

    async fn read<T>(
        &self,
        method: &'static str,
        about: String,
        effect: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        self.caller.read(Call { method, about }, effect, refused_read).await
    }

    /// Makes a write call. The indexes follow when it is done.
    async fn write<T, F>(
        &self,
        method: &'static str,
        items: Vec<(Arc<Table>, Key)>,
        effect: impl FnOnce(Arc<dyn Store>) -> F,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        let effect = effect(self.lagging.store.clone());
        let call = Call { method, about: names(items.iter().map(|(_, key)| key)) };
        let (shared, lagging) = (self.caller.shared.clone(), self.lagging.clone());
        let effect = async move {
            let result = effect.await;
            if !shared.hazards.index_lag.is_zero() {
                for (table, key) in items.into_iter().filter(|(table, _)| !table.indexes.is_empty()) {
                    let lag = shared.hazards.index_lag.mul_f64(shared.state().random.fraction());
                    lagging.wrote(&table, key, shared.age() + lag).await;
                }
            }
            result
        };
        self.caller.write(call, self.caller.shared.hazards.conflict, effect, refused_write).await
    }
}

fn refused_read(method: &'static str, fault: Fault) -> StoreError {
    refused(method, fault, false)
}

fn refused_write(method: &'static str, fault: Fault) -> StoreError {
    refused(method, fault, true)
}

/// The outcome of a read is never unknown.
fn refused(method: &'static str, fault: Fault, outcome_unknown: bool) -> StoreError {
    match fault {
        Fault::Throttle => StoreError::Throttled,
        Fault::Conflict => StoreError::Conflict,
        _ => {
            let message = format!("`{method}` had no response: this is a simulation");
            StoreError::Unavailable(Unavailable { message, outcome_unknown, source: None })
        }
    }
}

fn name(key: &Key) -> String {
    format!("{} / {}", key.pk, key.sk)
}

fn names<'k>(keys: impl IntoIterator<Item = &'k Key>) -> String {
    keys.into_iter().map(name).collect::<Vec<_>>().join(", ")
}

#[async_trait]
impl Store for SimulatedStore {
    /// Without hazards: a simulation starts with a table.
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        self.lagging.store.ensure_table(table).await?;
        self.lagging.view.ensure_table(table).await
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        self.read("get", name(&get.key), self.lagging.store.get(table, get)).await
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        self.read("batch_get", names(&gets.keys), self.lagging.store.batch_get(table, gets)).await
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        let index = query.index.as_deref();
        let about = format!("{} {:?}", index.unwrap_or("the table"), query.pk.1);
        let effect = async { self.read_store(index).await?.query(table, query).await };
        self.read("query", about, effect).await
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        let index = scan.index.as_deref();
        let effect = async { self.read_store(index).await?.scan(table, scan).await };
        self.read("scan", index.unwrap_or("the table").to_owned(), effect).await
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        let table = Arc::new(table.clone());
        let items = vec![(table.clone(), write.key.clone())];
        let effect = |store: Arc<dyn Store>| async move { store.write(&table, write).await };
        self.write("write", items, effect).await
    }

    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        let items = writes.iter().map(|one| (one.table.clone(), one.write.key.clone())).collect();
        let effect = |store: Arc<dyn Store>| async move { store.transact(writes).await };
        self.write("transact", items, effect).await
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        let table = Arc::new(table.clone());
        let keys = items.iter().filter_map(|item| check::key_of(&table, item).ok());
        let keys = keys.map(|key| (table.clone(), key)).collect();
        let effect = |store: Arc<dyn Store>| async move { store.batch_put(&table, items).await };
        self.write("batch_put", keys, effect).await
    }

    async fn history(&self, table: &Table, key: &Key, limit: usize) -> Result<Option<History>, StoreError> {
        self.read("history", name(key), self.lagging.store.history(table, key, limit)).await
    }
}

impl fmt::Debug for SimulatedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Distant").field("store", &self.lagging.store).finish_non_exhaustive()
    }
}
