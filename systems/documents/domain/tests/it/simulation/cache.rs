//! A cache that takes its time.

use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use hansang_core::cache::{Cache, CacheError};
use tokio::time::sleep;

use crate::grounds::MemoryCache;

/// A cache that takes its time, before and after its effect, and may fail.
#[derive(Debug)]
pub(super) struct Slow {
    pub(super) inner: MemoryCache,
    pub(super) chance: Mutex<fastrand::Rng>,
}

impl Slow {
    async fn pause(&self) {
        let millis = self.chance.lock().unwrap().u64(0..30);
        sleep(Duration::from_millis(millis)).await;
    }
}

#[async_trait]
impl Cache for Slow {
    async fn get(&self, key: &str) -> Result<Option<Bytes>, CacheError> {
        self.pause().await;
        let found = self.inner.get(key).await;
        self.pause().await;
        found
    }

    async fn set(&self, key: &str, value: Bytes, ttl: Duration) -> Result<(), CacheError> {
        self.pause().await;
        let done = self.inner.set(key, value, ttl).await;
        self.pause().await;
        done
    }

    async fn delete(&self, key: &str) -> Result<(), CacheError> {
        self.pause().await;
        let done = self.inner.delete(key).await;
        self.pause().await;
        done
    }
}
