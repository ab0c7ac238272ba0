//! Delivery order of a queue, in memory.
//!
//! The order changes with every delivery. On disk it would be a key range full of tombstones; in memory it is
//! two sorted sets, about a hundred bytes per message. The disk has only messages and their states, from
//! which the order is built when a queue is first used. Only the writer uses it.

use std::collections::{BTreeMap, BTreeSet};

use hansang_core::StoreError;
use hansang_core::queue::{Depth, MAX_MESSAGES, TOO_OFTEN};
use jiff::Timestamp;

use super::catalog::QueueSpaces;
use super::record::{self, Dead, State, Waiting};
use crate::engine::{Batch, Engine};
use crate::seal::{self, Kind};

/// A delivery: a message and the number of the attempt. The content of a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeliveryId {
    pub(crate) id: u64,
    pub(crate) attempts: u32,
}

/// Messages of a queue in delivery order.
#[derive(Default)]
pub(crate) struct Line {
    waiting: BTreeMap<u64, Waiting>,
    /// Messages that can be received, by due time.
    visible: BTreeSet<(i64, u64)>,
    /// Messages that cannot be received yet, by due time.
    hidden: BTreeSet<(i64, u64)>,
    dead: BTreeMap<u64, Dead>,
    /// ID of the last message that was sent.
    last: u64,
    /// Messages that differ from the disk, with the body of new ones. In key order, which the engine inserts
    /// fastest.
    changed: BTreeMap<u64, Option<String>>,
}

impl Line {
    /// Builds the order from disk.
    pub(crate) fn load(engine: &Engine, spaces: &QueueSpaces) -> Result<Self, StoreError> {
        let all = || (std::ops::Bound::Unbounded, std::ops::Bound::Unbounded);
        let damaged = |bad| engine.damaged(bad);
        let snapshot = engine.snapshot();
        let mut line = Self::default();
        for entry in snapshot.range(engine, &spaces.messages, all(), false) {
            let (key, message) = entry?;
            let id = record::id(&key).map_err(damaged)?;
            let message = engine.unseal(Kind::Other, &key, &message).map_err(damaged)?;
            let due = record::due(message).map_err(damaged)?;
            line.waiting.insert(id, Waiting { attempts: 0, due });
            line.last = id;
        }
        for entry in snapshot.range(engine, &spaces.states, all(), false) {
            let (key, state) = entry?;
            let id = record::id(&key).map_err(damaged)?;
            match engine.unseal(Kind::Other, &key, &state).and_then(State::decode).map_err(damaged)? {
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

    /// Adds a message. Its ID is the time in microseconds or the last ID plus one, so IDs are not reused
    /// after a restart and tell when a message was sent.
    pub(crate) fn send(&mut self, body: String, delay: i64, now: Timestamp) {
        let micros = u64::try_from(now.as_microsecond()).unwrap_or_default();
        self.last = micros.max(self.last + 1);
        let due = now.as_millisecond() + delay;
        self.waiting.insert(self.last, Waiting { attempts: 0, due });
        self.hidden.insert((due, self.last));
        self.changed.insert(self.last, Some(body));
    }

    /// Takes the next messages and hides them. Messages with too many attempts become dead letters, at most
    /// [`MAX_MESSAGES`] per call, so that the writer is not blocked for long.
    pub(crate) fn receive(
        &mut self,
        limit: usize,
        hidden: i64,
        max_attempts: u32,
        now: i64,
    ) -> Vec<DeliveryId> {
        self.show_due(now);
        let mut taken = Vec::with_capacity(limit.min(self.visible.len()));
        let mut buried = 0;
        while taken.len() < limit && buried < MAX_MESSAGES {
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
            taken.push(DeliveryId { id, attempts: waiting.attempts });
        }
        taken
    }

    /// Milliseconds until a message can be received, if any is known.
    pub(crate) fn next_in(&self, now: i64) -> Option<i64> {
        let first = self.visible.first().or(self.hidden.first());
        first.map(|(due, _)| (due - now).max(0))
    }

    /// Removes a message, unless it was delivered again since.
    pub(crate) fn acknowledge(&mut self, delivery: DeliveryId) {
        self.remove(delivery);
    }

    /// Hides a message until `until`, unless it was delivered again since.
    pub(crate) fn hide(&mut self, delivery: DeliveryId, until: i64) {
        if let Some(waiting) = self.remove(delivery) {
            self.waiting.insert(delivery.id, Waiting { due: until, ..waiting });
            self.hidden.insert((until, delivery.id));
        }
    }

    /// Moves a message to the dead letters, unless it was delivered again since.
    pub(crate) fn bury(&mut self, delivery: DeliveryId, reason: Option<String>, now: i64) {
        if self.remove(delivery).is_some() {
            self.dead.insert(delivery.id, Dead { since: now, reason });
        }
    }

    /// Returns the oldest dead letters.
    pub(crate) fn dead(&self, limit: usize) -> Vec<(u64, Dead)> {
        self.dead.iter().take(limit).map(|(id, dead)| (*id, dead.clone())).collect()
    }

    pub(crate) fn is_dead(&self, id: u64) -> bool {
        self.dead.contains_key(&id)
    }

    /// Sends a dead letter again, as a new message: old receipts do not apply to it.
    pub(crate) fn revive(&mut self, id: u64, body: String, now: Timestamp) {
        self.dead.remove(&id);
        self.changed.entry(id).or_default();
        self.send(body, 0, now);
    }

    pub(crate) fn depth(&mut self, now: i64) -> Depth {
        self.show_due(now);
        let sent = |id: &u64| i64::try_from(*id).ok().and_then(|id| Timestamp::from_microsecond(id).ok());
        Depth {
            visible: self.visible.len() as u64,
            hidden: self.hidden.len() as u64,
            dead: self.dead.len() as u64,
            oldest: self.waiting.first_key_value().and_then(|(id, _)| sent(id)),
        }
    }

    /// Adds the final state of each changed message to the batch: changes of one batch have no order.
    pub(crate) fn write(&mut self, spaces: &QueueSpaces, batch: &mut Batch) {
        for (id, body) in std::mem::take(&mut self.changed) {
            let (key, fresh) = (record::key(id), body.is_some());
            let waiting = self.waiting.get(&id);
            let state = match (waiting, self.dead.get(&id)) {
                (Some(waiting), _) => State::Waiting(*waiting),
                (None, Some(dead)) => State::Dead(dead.clone()),
                (None, None) => {
                    batch.remove(&spaces.messages, key.clone());
                    batch.remove(&spaces.states, key);
                    continue;
                }
            };
            if let Some(body) = body {
                let due = waiting.map_or(0, |waiting| waiting.due);
                let message = seal::other(&key, &record::message(due, &body));
                batch.put(&spaces.messages, key.clone(), message);
            }
            // A message that was only sent needs no state.
            if !fresh || waiting.is_none_or(|waiting| waiting.attempts > 0) {
                let state = seal::other(&key, &state.encode());
                batch.put(&spaces.states, key, state);
            }
        }
    }

    /// Removes a message if `attempts` is its last delivery.
    fn remove(&mut self, DeliveryId { id, attempts }: DeliveryId) -> Option<Waiting> {
        let waiting = *self.waiting.get(&id).filter(|waiting| waiting.attempts == attempts)?;
        self.waiting.remove(&id);
        let entry = (waiting.due, id);
        let _ = self.hidden.remove(&entry) || self.visible.remove(&entry);
        self.changed.entry(id).or_default();
        Some(waiting)
    }

    /// Moves due messages from hidden to visible.
    fn show_due(&mut self, now: i64) {
        while let Some(first) = self.hidden.first().copied().filter(|(due, _)| *due <= now) {
            self.hidden.remove(&first);
            self.visible.insert(first);
        }
    }
}
