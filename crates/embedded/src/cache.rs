//! A cache in the memory of this process.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use hansang_core::cache::{Cache, CacheError};
use jiff::Timestamp;
use moka::policy::EvictionPolicy;
use moka::sync;

use crate::Now;

/// The bytes that an entry needs beside its key and value.
const OVERHEAD: usize = 128;

/// A cache of this process, with a size bound. The least recently used values leave first.
///
/// Each process has its own, so only readers that check a stamp may use it: see [`hansang_core::cache`].
#[derive(Clone)]
pub struct MemoryCache {
    entries: sync::Cache<Box<str>, Entry>,
    now: Now,
}

#[derive(Clone)]
struct Entry {
    value: Bytes,
    /// Kept here instead of in moka, which has a clock of its own that a test cannot move. An expired entry that is
    /// never read again is evicted as the least recently used one.
    expires: Timestamp,
}

/// The bytes of an entry. Moka passes the key as it is stored.
#[allow(clippy::borrowed_box, reason = "the type of moka's weigher")]
fn weight(key: &Box<str>, entry: &Entry) -> u32 {
    u32::try_from(key.len() + entry.value.len() + OVERHEAD).unwrap_or(u32::MAX)
}

impl MemoryCache {
    /// An empty cache of at most about this many bytes.
    #[must_use]
    pub fn new(max_bytes: u64, now: Now) -> Self {
        let entries = sync::Cache::builder()
            .max_capacity(max_bytes)
            .weigher(weight)
            .eviction_policy(EvictionPolicy::lru())
            .build();
        Self { entries, now }
    }

    /// The bytes in use, after the evictions that are due.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.entries.run_pending_tasks();
        self.entries.weighted_size()
    }
}

#[async_trait]
impl Cache for MemoryCache {
    async fn get(&self, key: &str) -> Result<Option<Bytes>, CacheError> {
        let entry = self.entries.get(key);
        Ok(entry.filter(|entry| entry.expires > (self.now)()).map(|entry| entry.value))
    }

    async fn set(&self, key: &str, value: Bytes, ttl: Duration) -> Result<(), CacheError> {
        let expires = (self.now)().saturating_add(ttl).unwrap_or(Timestamp::MAX);
        self.entries.insert(key.into(), Entry { value, expires });
        Ok(())
    }

    async fn delete(&self, key: &str) -> Result<(), CacheError> {
        self.entries.invalidate(key);
        Ok(())
    }
}

impl fmt::Debug for MemoryCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryCache").field("entries", &self.entries.entry_count()).finish_non_exhaustive()
    }
}
