//! Batches entries that arrive at the same time.
//!
//! A burst is many entries of one event within milliseconds. A batch reads the event once and sends all messages in one
//! call, which is a tenth of the calls on SQS. A single entry does not wait for batch.

use std::collections::BTreeMap;
use std::fmt;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hansang_core::{CoreCode, Error, message};
use tokio::sync::oneshot;

use crate::{Entrant, Entry, Submitted, messages, submit_each};

/// The number of concurrent drainers: while one waits for the store, another plans.
const MAX_DRAINERS: usize = 8;
/// The maximum number of entries in a batch.
const MAX_BATCH: usize = 64;

/// Accepts the entries of a process in batches. Cheap to clone.
#[derive(Clone)]
pub struct Gate(Arc<Shared>);

struct Shared {
    entry: Entry,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    pending: Vec<Pending>,
    /// The number of running drainers.
    drainers: usize,
}

/// An entry that waits for its batch.
struct Pending {
    event_id: String,
    entrant: Entrant,
    reply: oneshot::Sender<Result<Submitted, Error>>,
}

impl Gate {
    /// Creates a gate.
    #[must_use]
    pub fn new(entry: Entry) -> Self {
        Self(Arc::new(Shared { entry, waiting: Mutex::default() }))
    }

    /// Like [`crate::submit`], batched with entries that arrive at the same time. An entry is completed even if the caller
    /// stops waiting.
    ///
    /// # Errors
    /// Like [`crate::submit`].
    pub async fn submit(&self, event_id: &str, user_id: &str) -> Result<Submitted, Error> {
        let entrant = Entrant { user_id: user_id.to_owned(), db: self.0.entry.db.clone() };
        self.submit_entrant(event_id, entrant).await
    }

    /// Like [`Gate::submit`], with further writes for a new entry.
    ///
    /// # Errors
    /// Like [`crate::submit`].
    pub async fn submit_entrant(&self, event_id: &str, entrant: Entrant) -> Result<Submitted, Error> {
        let (reply, replied) = oneshot::channel();
        let event_id = event_id.to_owned();
        if let Some(drainer) = Drainer::of(&self.0, Pending { event_id, entrant, reply }) {
            tokio::spawn(drainer.drain());
        }
        replied.await.unwrap_or_else(|_| {
            Err(Error::unavailable(CoreCode::OutcomeUnknown, message!(messages::ENTRY_UNKNOWN)))
        })
    }
}

/// A task that submits batches until no entry waits.
struct Drainer {
    shared: Arc<Shared>,
    has_ended: bool,
}

impl Drainer {
    /// Adds an entry to those that wait. Returns a new drainer unless enough are running.
    fn of(shared: &Arc<Shared>, one: Pending) -> Option<Self> {
        let mut waiting = shared.waiting();
        waiting.pending.push(one);
        if waiting.drainers == MAX_DRAINERS {
            return None;
        }
        waiting.drainers += 1;
        Some(Self { shared: shared.clone(), has_ended: false })
    }

    async fn drain(mut self) {
        while let Some(pending) = self.next() {
            let mut by_event: BTreeMap<String, Vec<Pending>> = BTreeMap::new();
            for one in pending {
                by_event.entry(one.event_id.clone()).or_default().push(one);
            }
            for (event_id, pending) in by_event {
                let (entrants, replies): (Vec<_>, Vec<_>) =
                    pending.into_iter().map(|one| (one.entrant, one.reply)).unzip();
                let results = submit_each(&self.shared.entry, &event_id, &entrants).await;
                for (reply, result) in replies.into_iter().zip(results) {
                    // The caller may have stopped waiting.
                    let _ = reply.send(result);
                }
            }
        }
    }

    /// Takes the next batch. If none waits, the drainer ends under the same lock, so that no entry is left waiting.
    fn next(&mut self) -> Option<Vec<Pending>> {
        let mut waiting = self.shared.waiting();
        if waiting.pending.is_empty() {
            waiting.drainers -= 1;
            self.has_ended = true;
            return None;
        }
        let batch = waiting.pending.len().min(MAX_BATCH);
        let rest = waiting.pending.split_off(batch);
        Some(mem::replace(&mut waiting.pending, rest))
    }
}

impl Drop for Drainer {
    /// Releases the slot of a drainer that panicked.
    fn drop(&mut self) {
        if !self.has_ended {
            self.shared.waiting().drainers -= 1;
        }
    }
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate").field("entry", &self.0.entry).finish_non_exhaustive()
    }
}
