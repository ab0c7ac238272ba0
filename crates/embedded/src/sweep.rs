//! Removes expired items and old changes in the background.

use std::sync::Arc;
use std::sync::mpsc::{self as signals, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use hansang_core::{StoreError, expiry};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::{mpsc, oneshot};

use crate::clock::{Clock, ClockGuard};
use crate::current::Current;
use crate::writer::{Request, Work};
use crate::{Now, feed, keys};

/// Maximum number of items per request, so that other writes do not wait long.
const MAX_EXPIRED: usize = 500;
/// Retention of the change feed, as in DynamoDB.
pub(crate) const RETENTION: SignedDuration = SignedDuration::from_hours(24);

/// Sweeper thread. Stops when dropped.
pub(crate) struct Sweeper {
    stop: Option<signals::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Sweeper {
    pub(crate) fn start(
        every: Duration,
        now: Now,
        current: Arc<Current>,
        requests: mpsc::WeakSender<Request>,
    ) -> Result<Self, StoreError> {
        let (stop, stopped) = signals::channel::<()>();
        let work = move || {
            let began = Instant::now();
            let last = Timestamp::from_second(current.state().time).ok().filter(|time| time.as_second() > 0);
            let mut guard = ClockGuard::new(last);
            while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                // Errors are ignored: the next sweep retries, and writers see them too.
                match guard.check(now(), began.elapsed()) {
                    Clock::Trusted => {
                        let _ = sweep(&current, &now, &requests);
                    }
                    Clock::Jumped => tracing::warn!(
                        now = %now(),
                        "the clock is more than a day ahead: nothing expires until it has been steady for six hours"
                    ),
                    Clock::Waiting => {}
                }
                let _ = checkpoint(&requests);
            }
        };
        let spawned = thread::Builder::new().name("hansang-sweeper".to_owned()).spawn(work);
        let thread = spawned
            .map_err(|error| StoreError::unavailable(format!("no thread for the sweeper: {error}")))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Sweeper {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn sweep(current: &Current, now: &Now, requests: &mpsc::WeakSender<Request>) -> Result<(), StoreError> {
    for table in names(current)? {
        while let Some((table, work, _)) = next_work(current, &table, now())? {
            let Some(requests) = requests.upgrade() else { return Ok(()) };
            let (reply, response) = oneshot::channel();
            if requests.blocking_send(Request::Table { table, work, reply }).is_err() {
                return Ok(());
            }
            drop(requests);
            response.blocking_recv().unwrap_or(Ok(None))?;
        }
    }
    current.update(|state| state.time = now().as_second())
}

/// Makes a checkpoint: see [`Current::begin_checkpoint`].
fn checkpoint(requests: &mpsc::WeakSender<Request>) -> Result<(), StoreError> {
    let Some(requests) = requests.upgrade() else { return Ok(()) };
    let (reply, response) = oneshot::channel();
    if requests.blocking_send(Request::Checkpoint { reply }).is_ok() {
        drop(requests);
        response.blocking_recv().unwrap_or(Ok(None))?;
    }
    Ok(())
}

/// Names of all tables.
pub(crate) fn names(current: &Current) -> Result<Vec<String>, StoreError> {
    Ok(current.get()?.catalog.all().iter().map(|stored| stored.table.name.clone()).collect())
}

/// Returns the next sweep request for a table and the number of items that it removes.
pub(crate) fn next_work(
    current: &Current,
    table: &str,
    now: Timestamp,
) -> Result<Option<(String, Work, u64)>, StoreError> {
    let opened = current.get()?;
    let (engine, stored) = (&opened.engine, &opened.catalog.get(table)?);
    let name = || table.to_owned();
    let snapshot = engine.snapshot();
    if expiry::attribute(&stored.table).is_some() {
        let range = keys::expired_until(now.as_second());
        let mut expired = Vec::new();
        for entry in snapshot.range(engine, &stored.entries, range, false).take(MAX_EXPIRED) {
            let (key, _) = entry?;
            expired.push(key.to_vec());
        }
        if !expired.is_empty() {
            let count = expired.len() as u64;
            return Ok(Some((name(), Work::Expire { now, entries: expired }, count)));
        }
    }
    if stored.table.streams
        && let Some(until) = feed::last_before(engine, &snapshot, stored, now - RETENTION)?
    {
        return Ok(Some((name(), Work::Trim { until }, 0)));
    }
    Ok(None)
}
