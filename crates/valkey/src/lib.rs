#![doc = include_str!("../README.md")]

mod link;
mod settings;
mod state;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use hansang_core::cache::{Cache, CacheError};
use redis::{Cmd, FromRedisValue};

use link::Client;
use state::State;

pub use settings::{Login, Settings};

/// The longest lifetime: servers refuse times beyond their calendar.
const MAX_TTL: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

/// A cache in Valkey or Redis. Clones share the connection, which ends with the last one.
#[derive(Clone)]
pub struct Valkey(Arc<State>);

impl Valkey {
    /// Connects. A server that cannot be reached is no error: it is tried again in the background.
    ///
    /// # Errors
    /// When the settings are invalid.
    pub async fn connect(settings: Settings) -> Result<Self, CacheError> {
        let state = State::new(Client::new(&settings)?, settings.answer_limit);
        state.start().await;
        Ok(Self(state))
    }

    async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, CacheError> {
        self.0.ask(command).await
    }
}

#[async_trait]
impl Cache for Valkey {
    async fn get(&self, key: &str) -> Result<Option<Bytes>, CacheError> {
        self.ask(redis::cmd("GET").arg(key)).await
    }

    async fn set(&self, key: &str, value: Bytes, ttl: Duration) -> Result<(), CacheError> {
        let milliseconds = u64::try_from(ttl.min(MAX_TTL).as_millis()).unwrap_or(u64::MAX);
        if milliseconds == 0 {
            return self.delete(key).await;
        }
        self.ask(redis::cmd("SET").arg(key).arg(&value[..]).arg("PX").arg(milliseconds)).await
    }

    async fn delete(&self, key: &str) -> Result<(), CacheError> {
        self.ask(redis::cmd("DEL").arg(key)).await
    }
}

impl fmt::Debug for Valkey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Valkey").field(&self.0).finish()
    }
}
