//! What happens at the moment: how much in each of the last minutes, and news of every change.
//!
//! Both are about this server since it started. What must be kept is in the audit log.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// How many minutes are remembered.
pub(crate) const MINUTES: usize = 60;
/// How many changes somebody may be behind before they miss some.
const BEHIND: usize = 256;

/// A change that was made.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) system: String,
    pub(crate) operation: String,
    pub(crate) at: Timestamp,
}

/// What happens at the moment.
#[derive(Debug)]
pub(crate) struct Live {
    minutes: Mutex<BTreeMap<String, Minutes>>,
    /// Nothing once the server is about to stop.
    changes: Mutex<Option<broadcast::Sender<Change>>>,
}

/// What was done in each of the last minutes.
#[derive(Clone, Debug)]
pub(crate) struct Minutes {
    /// The minute of the last count, since the epoch.
    last: i64,
    /// Counts by the minute modulo their number.
    counts: [u64; MINUTES],
    /// Everything since the start.
    pub(crate) total: u64,
}

impl Default for Live {
    fn default() -> Self {
        Self { minutes: Mutex::default(), changes: Mutex::new(Some(broadcast::channel(BEHIND).0)) }
    }
}

impl Live {
    /// Counts something that was done in a system.
    pub(crate) fn count(&self, system: &str, now: Timestamp) {
        let mut minutes = self.minutes();
        if let Some(known) = minutes.get_mut(system) {
            known.count(now);
        } else {
            minutes.entry(system.to_owned()).or_default().count(now);
        }
    }

    /// Tells everybody who listens about a change.
    pub(crate) fn tell(&self, change: Change) {
        if let Some(changes) = &*self.changes() {
            // Nobody may be listening.
            let _ = changes.send(change);
        }
    }

    /// The changes from now on, as long as the server runs.
    pub(crate) fn listen(&self) -> Option<broadcast::Receiver<Change>> {
        self.changes().as_ref().map(broadcast::Sender::subscribe)
    }

    /// Done when there is no more news.
    pub(crate) async fn ended(&self) {
        let Some(mut listener) = self.listen() else { return };
        while !matches!(listener.recv().await, Err(RecvError::Closed)) {}
    }

    /// There is no more news: whoever listens would keep the server from stopping.
    pub(crate) fn end(&self) {
        *self.changes() = None;
    }

    /// What was done in a system.
    pub(crate) fn of(&self, system: &str) -> Minutes {
        self.minutes().get(system).cloned().unwrap_or_default()
    }

    fn changes(&self) -> MutexGuard<'_, Option<broadcast::Sender<Change>>> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn minutes(&self) -> MutexGuard<'_, BTreeMap<String, Minutes>> {
        // Counts are whole whatever happened to whoever held them.
        self.minutes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Minutes {
    fn default() -> Self {
        Self { last: 0, counts: [0; MINUTES], total: 0 }
    }
}

impl Minutes {
    fn count(&mut self, now: Timestamp) {
        self.forget_until(minute(now));
        self.counts[place(self.last)] += 1;
        self.total += 1;
    }

    /// The counts up to this minute, the oldest first.
    pub(crate) fn until(mut self, now: Timestamp) -> Vec<u64> {
        self.forget_until(minute(now));
        let first = self.last + 1;
        (0..MINUTES as i64).map(|after| self.counts[place(first + after)]).collect()
    }

    /// Time goes on: what is older than is remembered makes room.
    fn forget_until(&mut self, minute: i64) {
        let gone = (minute - self.last).clamp(0, MINUTES as i64);
        for passed in 0..gone {
            self.counts[place(minute - passed)] = 0;
        }
        self.last = self.last.max(minute);
    }
}

fn minute(time: Timestamp) -> i64 {
    time.as_second().div_euclid(60)
}

fn place(minute: i64) -> usize {
    usize::try_from(minute.rem_euclid(MINUTES as i64)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    #[test]
    fn minutes_pass_and_are_forgotten() {
        let live = Live::default();
        for second in [0, 1, 59, 60, 600] {
            live.count("a", at(second));
        }
        let counts = live.of("a").until(at(600));
        assert_eq!((counts.len(), counts[59], counts[50], counts[49]), (MINUTES, 1, 1, 3));
        let later = live.of("a").until(at(600 + 59 * 60));
        assert_eq!((later[0], later.iter().sum::<u64>()), (1, 1));
        assert_eq!(live.of("a").until(at(600 + 60 * 60)).iter().sum::<u64>(), 0);
        assert_eq!((live.of("a").total, live.of("b").total), (5, 0));
    }

    #[test]
    fn a_clock_that_is_set_back_loses_nothing() {
        let live = Live::default();
        live.count("a", at(120));
        live.count("a", at(0));
        assert_eq!(live.of("a").until(at(120)).iter().sum::<u64>(), 2);
    }

    #[tokio::test]
    async fn whoever_listens_is_told_until_the_end() {
        let live = Live::default();
        let change = Change { system: "a".into(), operation: "create".into(), at: at(0) };
        live.tell(change.clone());
        let mut listener = live.listen().unwrap();
        live.tell(change.clone());
        assert_eq!(listener.recv().await.unwrap().system, "a");
        live.end();
        live.tell(change);
        assert!(listener.recv().await.is_err() && live.listen().is_none());
    }
}
