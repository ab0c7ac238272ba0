//! The keys of the items that a piece of work writes, for its audit entry.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use hansang_core::plan::Key;

/// The maximum number of keys that are kept.
pub const MAX_KEYS: usize = 100;

tokio::task_local! {
    static WRITTEN: Arc<Mutex<Vec<Key>>>;
}

/// Runs work, and returns the keys that it wrote through a [`crate::metrics::Metered`] store: the first 100 of them.
/// Those of spawned tasks are not included.
pub async fn written<T>(work: impl Future<Output = T>) -> (T, Vec<Key>) {
    let keys = Arc::<Mutex<Vec<Key>>>::default();
    let result = WRITTEN.scope(keys.clone(), work).await;
    let keys = std::mem::take(&mut *keys.lock().unwrap_or_else(PoisonError::into_inner));
    (result, keys)
}

/// Whether the keys that this task writes are wanted.
pub(crate) fn is_wanted() -> bool {
    WRITTEN.try_with(|_| ()).is_ok()
}

/// Notes keys that were written, each once.
pub(crate) fn note(keys: impl IntoIterator<Item = Key>) {
    let _ = WRITTEN.try_with(|written| {
        let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
        for key in keys {
            if written.len() < MAX_KEYS && !written.contains(&key) {
                written.push(key);
            }
        }
    });
}
