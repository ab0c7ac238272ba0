//! Current activity: operations in each of the last minutes, and notifications of changes.
//!
//! Both are about this server since it started; the audit log is permanent.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// The number of minutes that are kept.
pub(crate) const MINUTES: usize = 60;
/// The capacity of the channel of changes; slower receivers miss some.
const CHANNEL_CAPACITY: usize = 256;

/// A change of the data of a system.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) system: String,
    /// The entities whose records it wrote; `None` if that is not known, such as after a large import.
    pub(crate) entities: Option<Vec<String>>,
    pub(crate) at: Timestamp,
}

/// The current activity.
#[derive(Debug)]
pub(crate) struct Live {
    minutes: Mutex<BTreeMap<String, Minutes>>,
    /// `None` once the server is about to stop.
    changes: Mutex<Option<broadcast::Sender<Change>>>,
}

/// The operations in each of the last minutes.
#[derive(Clone, Debug)]
pub(crate) struct Minutes {
    /// The minute of the last count, since the epoch.
    last: i64,
    /// Counts, indexed by minute modulo their number.
    counts: [u64; MINUTES],
    /// The total since the start.
    pub(crate) total: u64,
}

impl Default for Live {
    fn default() -> Self {
        Self { minutes: Mutex::default(), changes: Mutex::new(Some(broadcast::channel(CHANNEL_CAPACITY).0)) }
    }
}

impl Live {
    /// Counts an operation of a system.
    pub(crate) fn count(&self, system: &str, now: Timestamp) {
        let mut minutes = self.minutes();
        if let Some(known) = minutes.get_mut(system) {
            known.count(now);
        } else {
            minutes.entry(system.to_owned()).or_default().count(now);
        }
    }

    /// Notifies all receivers of a change.
    pub(crate) fn tell(&self, change: Change) {
        if let Some(changes) = &*self.changes() {
            // There may be no receiver.
            let _ = changes.send(change);
        }
    }

    /// The changes from now on, until the server stops.
    pub(crate) fn listen(&self) -> Option<broadcast::Receiver<Change>> {
        self.changes().as_ref().map(broadcast::Sender::subscribe)
    }

    /// Completes when the channel is closed.
    pub(crate) async fn ended(&self) {
        let Some(mut listener) = self.listen() else { return };
        while !matches!(listener.recv().await, Err(RecvError::Closed)) {}
    }

    /// Closes the channel: open streams would keep the server from stopping.
    pub(crate) fn end(&self) {
        *self.changes() = None;
    }

    /// The activity of a system.
    pub(crate) fn of(&self, system: &str) -> Minutes {
        self.minutes().get(system).cloned().unwrap_or_default()
    }

    fn changes(&self) -> MutexGuard<'_, Option<broadcast::Sender<Change>>> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn minutes(&self) -> MutexGuard<'_, BTreeMap<String, Minutes>> {
        // Counts are consistent even after a panic of a lock holder.
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

    /// The counts up to this minute, oldest first.
    pub(crate) fn until(mut self, now: Timestamp) -> Vec<u64> {
        self.forget_until(minute(now));
        let first = self.last + 1;
        (0..MINUTES as i64).map(|after| self.counts[place(first + after)]).collect()
    }

    /// Advances to a minute and clears expired counts.
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
    fn old_minutes_are_dropped() {
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
    fn a_clock_that_is_set_back_keeps_counts() {
        let live = Live::default();
        live.count("a", at(120));
        live.count("a", at(0));
        assert_eq!(live.of("a").until(at(120)).iter().sum::<u64>(), 2);
    }

    #[tokio::test]
    async fn receivers_are_notified_until_the_end() {
        let live = Live::default();
        let change = Change { system: "a".into(), entities: None, at: at(0) };
        live.tell(change.clone());
        let mut listener = live.listen().unwrap();
        live.tell(change.clone());
        assert_eq!(listener.recv().await.unwrap().system, "a");
        live.end();
        live.tell(change);
        assert!(listener.recv().await.is_err() && live.listen().is_none());
    }
}
