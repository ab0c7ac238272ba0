//! The order of a queue, in memory.
//!
//! Who is next is asked with every delivery and changes with it. On disk that would be a range of keys full
//! of what was deleted a moment ago, to be walked over each time; in memory it is two sorted sets, at
//! about a hundred bytes a message. On disk lie only the messages and what became of each, and the order is
//! made of them when a queue is first used. Only the writer has a line, so nothing here is shared.

use std::collections::{BTreeMap, BTreeSet};

use hansang_core::StoreError;
use hansang_core::queue::{Depth, MAX_MESSAGES, TOO_OFTEN};
use jiff::Timestamp;

use super::place::Place;
use super::record::{self, Dead, State, Waiting};
use crate::engine::{Batch, Engine};

/// A delivery: the message, and which delivery of it. It is what a receipt says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) id: u64,
    pub(crate) attempts: u32,
}

/// The messages of a queue, in the order in which they are delivered.
#[derive(Default)]
pub(crate) struct Line {
    waiting: BTreeMap<u64, Waiting>,
    /// When they became due, and which: those that can be received.
    visible: BTreeSet<(i64, u64)>,
    /// The same of those that cannot be received yet.
    hidden: BTreeSet<(i64, u64)>,
    dead: BTreeMap<u64, Dead>,
    /// The last message that was sent.
    last: u64,
    /// What is not on disk as it is here; with the body, if it was not sent before. In the order of keys, which
    /// is how the engine takes them quickest.
    changed: BTreeMap<u64, Option<String>>,
}

impl Line {
    /// The line of what is on disk.
    pub(crate) fn load(engine: &Engine, place: &Place) -> Result<Self, StoreError> {
        let all = || (std::ops::Bound::Unbounded, std::ops::Bound::Unbounded);
        let damaged = |bad| engine.damaged(bad);
        let snapshot = engine.snapshot();
        let mut line = Self::default();
        for entry in snapshot.range(engine, &place.messages, all(), false) {
            let (key, message) = entry?;
            let id = record::id(&key).map_err(damaged)?;
            let due = record::due(&message).map_err(damaged)?;
            line.waiting.insert(id, Waiting { attempts: 0, due });
            line.last = id;
        }
        for entry in snapshot.range(engine, &place.states, all(), false) {
            let (key, state) = entry?;
            let id = record::id(&key).map_err(damaged)?;
            match State::decode(&state).map_err(damaged)? {
                State::Waiting(waiting) => drop(line.waiting.insert(id, waiting)),
                State::Dead(dead) => {
                    line.waiting.remove(&id);
                    line.dead.insert(id, dead);
                }
            }
        }
        line.hidden = line.waiting.iter().map(|(id, waiting)| (waiting.due, *id)).collect();
        Ok(line)
    }

    /// A message more. Its number is the time in microseconds, or the next one: so numbers are not given
    /// again after a restart, and tell when a message was sent.
    pub(crate) fn send(&mut self, body: String, delay: i64, now: Timestamp) {
        let micros = u64::try_from(now.as_microsecond()).unwrap_or_default();
        self.last = micros.max(self.last + 1);
        let due = now.as_millisecond() + delay;
        self.waiting.insert(self.last, Waiting { attempts: 0, due });
        self.hidden.insert((due, self.last));
        self.changed.insert(self.last, Some(body));
    }

    /// The next messages, hidden from now on. Those that were delivered too often become dead letters
    /// instead, at most as many as can be received, so that nobody waits long for the writer.
    pub(crate) fn receive(&mut self, most: usize, hidden: i64, max_attempts: u32, now: i64) -> Vec<Taken> {
        self.settle(now);
        let mut taken = Vec::with_capacity(most.min(self.visible.len()));
        let mut buried = 0;
        while taken.len() < most && buried < MAX_MESSAGES {
            let Some((_, id)) = self.visible.pop_first() else { break };
            let Some(waiting) = self.waiting.get_mut(&id) else { continue };
            self.changed.entry(id).or_default();
            if waiting.attempts >= max_attempts {
                self.waiting.remove(&id);
                self.dead.insert(id, Dead { since: now, reason: Some(TOO_OFTEN.to_owned()) });
                buried += 1;
                continue;
            }
            waiting.attempts += 1;
            waiting.due = now + hidden;
            self.hidden.insert((waiting.due, id));
            taken.push(Taken { id, attempts: waiting.attempts });
        }
        taken
    }

    /// In how many milliseconds there is something to receive, as far as is known.
    pub(crate) fn next_in(&self, now: i64) -> Option<i64> {
        let first = self.visible.first().or(self.hidden.first());
        first.map(|(due, _)| (due - now).max(0))
    }

    /// Forgets a message, unless it was delivered again since.
    pub(crate) fn acknowledge(&mut self, delivery: Taken) {
        self.remove(delivery);
    }

    /// Hides a message until then, unless it was delivered again since.
    pub(crate) fn hide(&mut self, delivery: Taken, until: i64) {
        if let Some(waiting) = self.remove(delivery) {
            self.waiting.insert(delivery.id, Waiting { due: until, ..waiting });
            self.hidden.insert((until, delivery.id));
        }
    }

    /// Makes a message a dead letter, unless it was delivered again since.
    pub(crate) fn bury(&mut self, delivery: Taken, reason: Option<String>, now: i64) {
        if self.remove(delivery).is_some() {
            self.dead.insert(delivery.id, Dead { since: now, reason });
        }
    }

    /// The first dead letters.
    pub(crate) fn dead(&self, most: usize) -> Vec<(u64, Dead)> {
        self.dead.iter().take(most).map(|(id, dead)| (*id, dead.clone())).collect()
    }

    pub(crate) fn is_dead(&self, id: u64) -> bool {
        self.dead.contains_key(&id)
    }

    /// Sends a dead letter again. It is a new message: receipts of the old one mean nothing to it.
    pub(crate) fn revive(&mut self, id: u64, body: String, now: Timestamp) {
        self.dead.remove(&id);
        self.changed.entry(id).or_default();
        self.send(body, 0, now);
    }

    pub(crate) fn depth(&mut self, now: i64) -> Depth {
        self.settle(now);
        let sent = |id: &u64| i64::try_from(*id).ok().and_then(|id| Timestamp::from_microsecond(id).ok());
        Depth {
            visible: self.visible.len() as u64,
            hidden: self.hidden.len() as u64,
            dead: self.dead.len() as u64,
            oldest: self.waiting.first_key_value().and_then(|(id, _)| sent(id)),
        }
    }

    /// What has to be written: of every message only what became of it in the end, because the changes of
    /// one batch have no order.
    pub(crate) fn write(&mut self, place: &Place, batch: &mut Batch) {
        for (id, body) in std::mem::take(&mut self.changed) {
            let (key, fresh) = (record::key(id), body.is_some());
            let waiting = self.waiting.get(&id);
            let state = match (waiting, self.dead.get(&id)) {
                (Some(waiting), _) => State::Waiting(*waiting),
                (None, Some(dead)) => State::Dead(dead.clone()),
                (None, None) => {
                    batch.remove(&place.messages, key.clone());
                    batch.remove(&place.states, key);
                    continue;
                }
            };
            if let Some(body) = body {
                let due = waiting.map_or(0, |waiting| waiting.due);
                batch.put(&place.messages, key.clone(), record::message(due, &body));
            }
            // A message that was only sent is all that there is to know.
            if !fresh || waiting.is_none_or(|waiting| waiting.attempts > 0) {
                batch.put(&place.states, key, state.encode());
            }
        }
    }

    /// Takes a message out of the order, if this is its last delivery.
    fn remove(&mut self, Taken { id, attempts }: Taken) -> Option<Waiting> {
        let waiting = *self.waiting.get(&id).filter(|waiting| waiting.attempts == attempts)?;
        self.waiting.remove(&id);
        let place = (waiting.due, id);
        let _ = self.hidden.remove(&place) || self.visible.remove(&place);
        self.changed.entry(id).or_default();
        Some(waiting)
    }

    /// Makes visible what is due.
    fn settle(&mut self, now: i64) {
        while let Some(first) = self.hidden.first().copied().filter(|(due, _)| *due <= now) {
            self.hidden.remove(&first);
            self.visible.insert(first);
        }
    }
}
