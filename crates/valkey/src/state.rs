//! The connection in use, and its repair in the background.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use hansang_core::cache::CacheError;
use redis::{Cmd, FromRedisValue, Value};
use tokio::time::{sleep, timeout};

use crate::link::{Client, Link};

/// The failures in a row after which calls fail at once.
const MAX_FAILURES: u32 = 3;

/// The successes in a row after which a connection counts as sound.
const SOUND: u32 = 100;

/// The first pause before a repair, which doubles with each until the connection is sound.
const MIN_PAUSE: Duration = Duration::from_millis(100);

/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(2);

pub(crate) struct State {
    client: Client,
    /// The time in which a command must be answered.
    limit: Duration,
    now: Mutex<Now>,
}

struct Now {
    /// The connection, unless it is known to be down.
    link: Option<Link>,
    failures: u32,
    successes: u32,
    pause: Duration,
    /// Whether a task repairs the connection.
    repairing: bool,
}

impl State {
    pub(crate) fn new(client: Client, limit: Duration) -> Arc<Self> {
        let now = Now { link: None, failures: 0, successes: 0, pause: MIN_PAUSE, repairing: false };
        Arc::new(Self { client, limit, now: Mutex::new(now) })
    }

    /// Connects for the first time. If that fails, it is tried again in the background.
    pub(crate) async fn start(self: &Arc<Self>) {
        match self.client.open().await {
            Ok(link) => self.lock().link = Some(link),
            Err(error) => {
                tracing::warn!(nodes = self.client.nodes, %error, cause = cause(&error), "the cache cannot be reached");
                let mut now = self.lock();
                self.repair(&mut now);
            }
        }
    }

    /// Sends a command, and waits for the answer no longer than the limit.
    pub(crate) async fn ask<T: FromRedisValue>(self: &Arc<Self>, command: &Cmd) -> Result<T, CacheError> {
        let Some(mut link) = self.lock().link.clone() else { return Err(CacheError::Down) };
        let error = match timeout(self.limit, link.send(command)).await {
            Ok(Ok(value)) => {
                self.succeeded();
                return self.read(value);
            }
            Ok(Err(error)) if error.is_timeout() => CacheError::Slow,
            Ok(Err(error)) => self.client.failed(error),
            Err(_) => CacheError::Slow,
        };
        self.failed();
        Err(error)
    }

    fn read<T: FromRedisValue>(&self, value: Value) -> Result<T, CacheError> {
        T::from_redis_value(value).map_err(|error| self.client.failed(error.into()))
    }

    fn succeeded(&self) {
        let mut now = self.lock();
        now.failures = 0;
        now.successes = now.successes.saturating_add(1);
        if now.successes >= SOUND {
            now.pause = MIN_PAUSE;
        }
    }

    /// Notes a failure. A new connection is made after the first one already: a broken connection stays broken, and
    /// one to a cluster may not know that another node took over. Others may go on with the old one until then, but
    /// not while nothing succeeds.
    fn failed(self: &Arc<Self>) {
        let mut now = self.lock();
        now.successes = 0;
        now.failures += 1;
        if now.failures >= MAX_FAILURES {
            now.link = None;
        }
        self.repair(&mut now);
    }

    fn repair(self: &Arc<Self>, now: &mut Now) {
        if !now.repairing {
            now.repairing = true;
            tokio::spawn(repair(Arc::downgrade(self)));
        }
    }

    /// The pause before the next attempt.
    fn next_pause(&self) -> Duration {
        let mut now = self.lock();
        let pause = now.pause;
        now.pause = (pause * 2).min(MAX_PAUSE);
        pause
    }

    fn repaired(&self, link: Link) {
        let mut now = self.lock();
        let was_down = now.link.is_none();
        (now.link, now.failures, now.repairing) = (Some(link), 0, false);
        if was_down {
            tracing::info!(nodes = self.client.nodes, "the cache is used again");
        }
    }

    /// No lock is held while foreign code runs, so its content is whole even after a panic.
    fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Connects until it works, or until nobody uses the cache any more.
async fn repair(state: Weak<State>) {
    loop {
        let Some(pause) = state.upgrade().map(|state| state.next_pause()) else { return };
        sleep(pause).await;
        let Some(state) = state.upgrade() else { return };
        if let Ok(link) = state.client.open().await {
            return state.repaired(link);
        }
    }
}

fn cause(error: &CacheError) -> Option<String> {
    std::error::Error::source(error).map(ToString::to_string)
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_up = self.lock().link.is_some();
        f.debug_struct("State")
            .field("nodes", &self.client.nodes)
            .field("is_up", &is_up)
            .finish_non_exhaustive()
    }
}
