//! Turns of the tasks of one process: one task decides an event at a time.
//!
//! Between processes the lease ensures that. Within a process, a task that found the lease taken would have its messages
//! redelivered later; waiting for its turn is cheaper, because most of them are decided by then.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OwnedMutexGuard;

type Turn = tokio::sync::Mutex<()>;

/// A lock per event that a task of this process decides or waits for.
#[derive(Default)]
pub(crate) struct Turns(Mutex<HashMap<String, Arc<Turn>>>);

impl Turns {
    /// Waits until no other task of this process decides the event. Dropping the guard ends the turn.
    pub(crate) async fn wait(&self, event_id: &str) -> OwnedMutexGuard<()> {
        let turn = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            known.retain(|_, turn| Arc::strong_count(turn) > 1);
            known.entry(event_id.to_owned()).or_default().clone()
        };
        turn.lock_owned().await
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn an_event_has_one_turn_at_a_time_and_others_have_theirs() {
        let turns = Turns::default();
        let first = turns.wait("a").await;
        assert!(turns.wait("a").now_or_never().is_none());
        assert!(turns.wait("b").now_or_never().is_some());
        drop(first);
        assert!(turns.wait("a").now_or_never().is_some());
        turns.wait("c").await;
        assert_eq!(turns.0.lock().unwrap().len(), 1);
    }
}
