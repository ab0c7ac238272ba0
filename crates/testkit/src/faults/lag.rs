//! Indexes that lag: a second store that follows the first one item by item, later.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hansang_core::model::Table;
use hansang_core::plan::{Action, Get, Guards, Key, Write};
use hansang_core::{Store, StoreError};

/// A store that follows another.
///
/// Only the keys of what was written are remembered. When the view catches up with an item it takes
/// it as it is by then, so writes that run at once can never leave it with an older one.
pub(super) struct Lag {
    inner: Arc<dyn Store>,
    view: Arc<dyn Store>,
    pending: Mutex<Vec<(Table, Key)>>,
    /// One at a time, so that what is read from the one store is written to the other in order.
    following: tokio::sync::Mutex<()>,
}

impl Lag {
    pub(super) fn new(inner: Arc<dyn Store>, view: Arc<dyn Store>) -> Self {
        Self { inner, view, pending: Mutex::default(), following: tokio::sync::Mutex::default() }
    }

    pub(super) fn view(&self) -> &dyn Store {
        &*self.view
    }

    /// Remembers that these items may have changed. One that waits already waits anew.
    pub(super) fn wrote<'k>(&self, table: &Table, keys: impl IntoIterator<Item = &'k Key>) {
        let mut pending = self.pending();
        for key in keys {
            pending.retain(|(other, waiting)| (&other.name, waiting) != (&table.name, key));
            pending.push((table.clone(), key.clone()));
        }
    }

    /// Brings all items up to date but some of the latest: none if `hold` is zero, and otherwise at
    /// least one of those that wait, chosen by `hold`. Gives how many wait still.
    pub(super) async fn follow(&self, hold: u64) -> Result<usize, StoreError> {
        let _one_at_a_time = self.following.lock().await;
        let waiting = self.pending().len();
        let behind = match waiting as u64 {
            0 => 0,
            _ if hold == 0 => 0,
            waiting => 1 + (hold % waiting) as usize,
        };
        let due: Vec<(Table, Key)> = self.pending().drain(..waiting - behind).collect();
        for (table, key) in due {
            self.copy(&table, key).await?;
        }
        Ok(behind)
    }

    fn pending(&self) -> MutexGuard<'_, Vec<(Table, Key)>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn copy(&self, table: &Table, key: Key) -> Result<(), StoreError> {
        let get = Get { key: key.clone(), consistent: true, fields: None };
        let action = match self.inner.get(table, &get).await? {
            Some(item) => Action::Put(item),
            None => Action::Delete,
        };
        self.view.write(table, Write { key, action, guards: Guards::default() }).await.map(drop)
    }
}
