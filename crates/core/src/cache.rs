//! The port to caches, and functions with a cache before them.
//!
//! A cached value counts only under the stamp of its reader: a number that the caller reads from the store first, and
//! that every write of the cached data raises in its transaction. So nothing that happens to a cache can show a value
//! that is older than an acknowledged write: a lost or late invalidation, a fill that took long, a replica that takes
//! over with old content. Invalidations only free the memory early.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Error;

mod counts;
mod decoded;
mod flights;
mod frame;

#[cfg(test)]
mod check;

pub use counts::Statistics;

use counts::{Count, Counts};
use decoded::Decoded;
use flights::{Flights, Leader, Outcome, Role};

/// A cache of small values by key. It may lose any of them at any time.
#[async_trait]
pub trait Cache: fmt::Debug + Send + Sync {
    /// The value of a key. Answers within the adapter's time limit, or fails.
    async fn get(&self, key: &str) -> Result<Option<Bytes>, CacheError>;

    /// Stores a value until it expires, in one command. Answers within the adapter's time limit, or fails: then the
    /// value may be stored or not.
    async fn set(&self, key: &str, value: Bytes, ttl: Duration) -> Result<(), CacheError>;

    /// Removes a value. One that is gone is no error.
    async fn delete(&self, key: &str) -> Result<(), CacheError>;
}

/// A cache that did not do what it was asked.
#[derive(Clone, Debug)]
pub enum CacheError {
    /// No answer came within the time limit.
    Slow,
    /// It failed a moment ago and was not asked.
    Down,
    /// It cannot be reached, or refused the command.
    Failed {
        /// The problem and the next step, for the operator.
        message: String,
        /// The cause.
        source: Option<Arc<dyn std::error::Error + Send + Sync>>,
    },
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slow => f.write_str("the cache did not answer in time"),
            Self::Down => f.write_str("the cache failed a moment ago and is left alone for now"),
            Self::Failed { message, .. } => f.write_str(message),
        }
    }
}

impl std::error::Error for CacheError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Failed { source, .. } => {
                source.as_ref().map(|source| &**source as &(dyn std::error::Error + 'static))
            }
            Self::Slow | Self::Down => None,
        }
    }
}

/// The version of the data that a cached value is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// The number that every write of the data raises, from a strong read.
    pub number: u64,
    /// Whether the value may be kept. Data that changed a moment ago may still be missing in an index.
    pub keep: bool,
}

/// Functions with a cache before them, or none. Cheap to clone; clones share their statistics and their flights.
#[derive(Clone, Debug, Default)]
pub struct Cached {
    active: Option<Arc<Active>>,
}

#[derive(Debug)]
struct Active {
    cache: Arc<dyn Cache>,
    flights: Flights,
    decoded: Decoded,
    counts: Counts,
}

impl Cached {
    /// No cache: functions are called directly.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// A cache before functions.
    #[must_use]
    pub fn new(cache: Arc<dyn Cache>) -> Self {
        let (flights, decoded, counts) = (Flights::default(), Decoded::default(), Counts::default());
        let active = Active { cache, flights, decoded, counts };
        Self { active: Some(Arc::new(active)) }
    }

    /// Whether there is a cache.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.active.is_some()
    }

    /// The value of `load`, or the value that was kept under the same stamp.
    ///
    /// Concurrent callers with the same key and stamp share one load. If it fails or its caller goes away, the others
    /// load themselves. A cache that fails is a miss and a warning. With [`Stamp::keep`] off, the cache is not used.
    ///
    /// # Errors
    /// Those of `load`.
    pub async fn cached<T>(
        &self,
        key: &str,
        stamp: Stamp,
        ttl: Duration,
        load: impl Future<Output = Result<T, Error>> + Send,
    ) -> Result<T, Error>
    where
        T: Serialize + DeserializeOwned + Clone + Send + Sync + 'static,
    {
        let Some(active) = &self.active else { return load.await };
        loop {
            match active.flights.join(key, stamp) {
                Role::Leader(leader) => return active.lead(leader, key, stamp, ttl, load).await,
                Role::Follower(follower) => match follower.outcome().await {
                    Outcome::Value(value) => {
                        // Two types under one key are a mistake of the caller that must not mix them up.
                        let Some(value) = value.downcast_ref::<T>() else { return load.await };
                        active.counts.add(Count::Shared);
                        return Ok(value.clone());
                    }
                    Outcome::Failed => return load.await,
                    Outcome::Dropped => {}
                },
            }
        }
    }

    /// Drops the value of a key, after the write that changed it. A cache that fails is a warning: the stamp of the
    /// value is old already.
    pub async fn invalidate(&self, key: &str) {
        let Some(active) = &self.active else { return };
        active.counts.add(Count::Invalidation);
        active.decoded.forget(key);
        active.answered(key, active.cache.delete(key).await);
    }

    /// What happened since the start.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.active.as_ref().map(|active| active.counts.statistics()).unwrap_or_default()
    }
}

impl Active {
    async fn lead<T>(
        &self,
        leader: Leader<'_>,
        key: &str,
        stamp: Stamp,
        ttl: Duration,
        load: impl Future<Output = Result<T, Error>> + Send,
    ) -> Result<T, Error>
    where
        T: Serialize + DeserializeOwned + Clone + Send + Sync + 'static,
    {
        let kept = if stamp.keep { self.find(key, stamp).await } else { None };
        let (value, fills) = match kept {
            Some(value) => (value, false),
            None => match load.await {
                Ok(value) => (Arc::new(value), stamp.keep),
                Err(error) => {
                    leader.fail();
                    return Err(error);
                }
            },
        };
        // Others get the value before it is stored, which may take as long as the cache may take to answer. Those
        // who come meanwhile get it too.
        leader.publish(Arc::<T>::clone(&value));
        if fills {
            self.fill(key, stamp, ttl, &value).await;
        }
        drop(leader);
        Ok(Arc::unwrap_or_clone(value))
    }

    /// The value that was kept under this stamp.
    async fn find<T>(&self, key: &str, stamp: Stamp) -> Option<Arc<T>>
    where
        T: DeserializeOwned + Send + Sync + 'static,
    {
        let framed = self.answered(key, self.cache.get(key).await).flatten();
        let Some(framed) = framed else {
            self.counts.add(Count::Miss);
            return None;
        };
        match frame::decode(&framed) {
            Some((number, _)) if number != stamp.number => {
                self.counts.add(Count::Stale);
                None
            }
            decoded => {
                let value = self.decoded.find(key, &framed).or_else(|| {
                    let value = Arc::new(serde_json::from_slice(decoded?.1).ok()?);
                    self.decoded.keep(key, framed.clone(), Arc::<T>::clone(&value));
                    Some(value)
                });
                self.counts.add(if value.is_some() { Count::Hit } else { Count::Miss });
                value
            }
        }
    }

    async fn fill<T>(&self, key: &str, stamp: Stamp, ttl: Duration, value: &Arc<T>)
    where
        T: Serialize + Send + Sync + 'static,
    {
        // A value that cannot be written as JSON, such as a map with keys that are no texts, is not kept.
        let Some(framed) = frame::encode(stamp.number, &**value) else { return };
        self.decoded.keep(key, framed.clone(), Arc::<T>::clone(value));
        let stored = self.cache.set(key, framed, frame::spread(ttl, key, stamp.number)).await;
        if self.answered(key, stored).is_some() {
            self.counts.add(Count::Fill);
        }
    }

    /// The answer of the cache. Counts errors, and warns of the first and then ever fewer of those that follow.
    fn answered<T>(&self, key: &str, answer: Result<T, CacheError>) -> Option<T> {
        match answer {
            Ok(answer) => {
                self.counts.succeeded();
                Some(answer)
            }
            Err(error) => {
                if let Some(errors) = self.counts.failed() {
                    tracing::warn!(key, errors, %error, cause = cause(&error), "a cache failed and was not used");
                }
                None
            }
        }
    }
}

fn cause(error: &CacheError) -> Option<String> {
    std::error::Error::source(error).map(ToString::to_string)
}
