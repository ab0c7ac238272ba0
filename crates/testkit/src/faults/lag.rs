//! Lagging indexes: a second store that follows the first one item by item.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hansang_core::model::Table;
use hansang_core::plan::{Action, Get, Guards, Key, Write};
use hansang_core::{Store, StoreError};

/// A store and its lagging copy.
///
/// Remembers only keys. The copy takes the current item when it catches up, so concurrent writes never leave
/// it with an older one.
pub(super) struct Lag {
    inner: Arc<dyn Store>,
    view: Arc<dyn Store>,
    pending: Mutex<Vec<(Table, Key)>>,
    /// Serialises copies, so that they are written in the order in which they were read.
    following: tokio::sync::Mutex<()>,
}

impl Lag {
    pub(super) fn new(inner: Arc<dyn Store>, view: Arc<dyn Store>) -> Self {
        Self { inner, view, pending: Mutex::default(), following: tokio::sync::Mutex::default() }
    }

    pub(super) fn view(&self) -> &dyn Store {
        &*self.view
    }

    /// Marks items as changed. An item that was marked before moves to the end.
    pub(super) fn wrote<'k>(&self, table: &Table, keys: impl IntoIterator<Item = &'k Key>) {
        let mut pending = self.pending();
        for key in keys {
            pending.retain(|(other, waiting)| (&other.name, waiting) != (&table.name, key));
            pending.push((table.clone(), key.clone()));
        }
    }

    /// Copies all marked items except some of the latest: none if `hold` is zero, otherwise at least one,
    /// chosen by `hold`. Returns how many are left.
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
