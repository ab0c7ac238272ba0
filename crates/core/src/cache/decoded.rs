//! Values that were decoded a moment ago, so that a cache in this process costs no decoding with each hit.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use bytes::Bytes;
#[cfg(test)]
use shuttle::sync::Mutex;
#[cfg(not(test))]
use std::sync::Mutex;

use crate::cache::flights::Shared;

/// The number of keys whose values are remembered.
const MAX_KEYS: usize = 64;

/// The last value of each key, with the bytes that it was made of. The cache is asked all the same: what counts is still
/// what it has.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    values: Mutex<HashMap<String, (Bytes, Shared)>>,
}

impl Decoded {
    /// The value that was made of these bytes.
    pub(super) fn find<T: Send + Sync + 'static>(&self, key: &str, bytes: &Bytes) -> Option<Arc<T>> {
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, value) = values.get(key)?;
        // A cache in this process gives the same buffer, whose bytes need not be compared.
        let is_same = (known.as_ptr() == bytes.as_ptr() && known.len() == bytes.len()) || known == bytes;
        let value = Arc::clone(value).downcast().ok();
        value.filter(|_| is_same)
    }

    /// Remembers the value of a key, with its bytes.
    pub(super) fn keep(&self, key: &str, bytes: Bytes, value: Shared) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        if values.len() >= MAX_KEYS && !values.contains_key(key) {
            values.clear();
        }
        values.insert(key.to_owned(), (bytes, value));
    }

    /// Forgets the value of a key.
    pub(super) fn forget(&self, key: &str) {
        self.values.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }
}
