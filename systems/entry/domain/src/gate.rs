//! Entries that come at the same time are taken together.
//!
//! A stampede is many entries of one event within milliseconds. Taken together, their event is read once for all of them,
//! and their messages go to the queue in one call: on SQS that is a tenth of the calls. Whoever comes alone waits for
//! nobody.

use std::collections::BTreeMap;
use std::fmt;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hansang_core::Error;
use tokio::sync::oneshot;

use crate::{Entry, Submitted, submit_all};

/// How many groups are on their way at once: while one waits for the store, another is planned.
const GROUPS: usize = 8;
/// The most entries of a group.
const MOST: usize = 64;

/// The door through which the entries of a process go. Cheap to clone.
#[derive(Clone)]
pub struct Gate(Arc<Shared>);

struct Shared {
    entry: Entry,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    knocks: Vec<Knock>,
    /// How many groups are on their way. Each takes others along when it is through.
    groups: usize,
}

/// Somebody who waits to be taken.
struct Knock {
    event_id: String,
    user_id: String,
    answer: oneshot::Sender<Result<Submitted, Error>>,
}

impl Gate {
    /// The door to these events.
    #[must_use]
    pub fn new(entry: Entry) -> Self {
        Self(Arc::new(Shared { entry, waiting: Mutex::default() }))
    }

    /// As [`crate::submit`], together with whoever comes at the same time. What was begun is ended even if nobody waits
    /// for the answer any more.
    ///
    /// # Errors
    /// As [`crate::submit`].
    pub async fn submit(&self, event_id: &str, user_id: &str) -> Result<Submitted, Error> {
        let (answer, answered) = oneshot::channel();
        let (event_id, user_id) = (event_id.to_owned(), user_id.to_owned());
        if let Some(group) = Group::of(&self.0, Knock { event_id, user_id, answer }) {
            tokio::spawn(group.take_in());
        }
        answered.await.unwrap_or_else(|_| {
            Err(Error::unavailable(
                "outcome_unknown",
                "it is not known whether the entry was taken: enter again",
            ))
        })
    }
}

/// Whoever takes entries in, as long as any wait.
struct Group {
    shared: Arc<Shared>,
    is_over: bool,
}

impl Group {
    /// Waits with the others; a group of its own, if there may be one more.
    fn of(shared: &Arc<Shared>, knock: Knock) -> Option<Self> {
        let mut waiting = shared.waiting();
        waiting.knocks.push(knock);
        if waiting.groups == GROUPS {
            return None;
        }
        waiting.groups += 1;
        Some(Self { shared: shared.clone(), is_over: false })
    }

    async fn take_in(mut self) {
        while let Some(knocks) = self.next() {
            let mut by_event: BTreeMap<String, Vec<Knock>> = BTreeMap::new();
            for knock in knocks {
                by_event.entry(knock.event_id.clone()).or_default().push(knock);
            }
            for (event_id, mut knocks) in by_event {
                let users: Vec<String> =
                    knocks.iter_mut().map(|knock| mem::take(&mut knock.user_id)).collect();
                let answers = submit_all(&self.shared.entry, &event_id, &users).await;
                for (knock, answer) in knocks.into_iter().zip(answers) {
                    // Whoever went away is not told.
                    let _ = knock.answer.send(answer);
                }
            }
        }
    }

    /// The next who wait. Without any, the group is over before somebody else can wait for it.
    fn next(&mut self) -> Option<Vec<Knock>> {
        let mut waiting = self.shared.waiting();
        if waiting.knocks.is_empty() {
            waiting.groups -= 1;
            self.is_over = true;
            return None;
        }
        let others = waiting.knocks.len().min(MOST);
        let rest = waiting.knocks.split_off(others);
        Some(mem::replace(&mut waiting.knocks, rest))
    }
}

impl Drop for Group {
    /// A group that panicked leaves its place to another.
    fn drop(&mut self) {
        if !self.is_over {
            self.shared.waiting().groups -= 1;
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
