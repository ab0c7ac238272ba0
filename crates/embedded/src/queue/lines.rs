//! What the writer does for queues: it takes their requests into its group, and its one commit is theirs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use hansang_core::StoreError;
use hansang_core::queue::{Depth, Message};
use tokio::sync::oneshot;

use super::line::{Line, Taken};
use super::place::{Place, Places};
use super::record::{self, Dead};
use crate::Now;
use crate::engine::{Batch, Engine};

/// What is asked of a queue. Times are in milliseconds.
pub(crate) enum Work {
    Ensure,
    Send(Vec<Message>),
    Receive { most: usize, hidden: i64, max_attempts: u32 },
    Acknowledge(Vec<Taken>),
    Hide(Vec<(Taken, i64)>),
    Bury(Taken, Option<String>),
    Dead(usize),
    Revive(Vec<u64>),
    Depth,
}

/// What a queue answers.
pub(crate) enum Done {
    Nothing,
    /// What was received, or in how many milliseconds there may be something.
    Taken(Vec<Taken>, Option<i64>),
    Dead(Vec<(u64, Dead)>),
    Revived(usize),
    Depth(Depth),
}

pub(crate) struct Asked {
    /// The name of the queue.
    pub(crate) queue: String,
    pub(crate) work: Work,
    pub(crate) reply: oneshot::Sender<Result<Done, StoreError>>,
}

/// An answer that waits for the commit.
struct Waiting {
    place: Option<Arc<Place>>,
    reply: oneshot::Sender<Result<Done, StoreError>>,
    answer: Result<Done, StoreError>,
}

/// The queues of the writer.
pub(crate) struct Lines {
    pub(crate) engine: Arc<Engine>,
    pub(crate) places: Arc<Places>,
    pub(crate) now: Now,
    lines: HashMap<u32, (Arc<Place>, Line)>,
    waiting: Vec<Waiting>,
    /// Queues in which there may be something to receive after the commit.
    rung: Vec<Arc<Place>>,
}

impl Lines {
    pub(crate) fn new(engine: Arc<Engine>, places: Arc<Places>, now: Now) -> Self {
        Self { engine, places, now, lines: HashMap::new(), waiting: Vec::new(), rung: Vec::new() }
    }

    /// Does what is asked, in memory.
    pub(crate) fn take(&mut self, Asked { queue, work, reply }: Asked) {
        if matches!(work, Work::Ensure) {
            let made = self.places.ensure(&self.engine, &queue);
            let _ = reply.send(made.map(|()| Done::Nothing));
            return;
        }
        let place = self.places.get(&queue);
        let answer = place.clone().and_then(|place| self.execute(&place, work));
        self.waiting.push(Waiting { place: place.ok(), reply, answer });
    }

    /// Adds what has changed to the batch of the group.
    pub(crate) fn write(&mut self, batch: &mut Batch) {
        for (place, line) in self.lines.values_mut() {
            line.write(place, batch);
        }
    }

    /// Tells everybody who waits what came of the commit.
    pub(crate) fn answer(&mut self, written: Result<(), StoreError>) {
        if written.is_err() {
            // What reached the disk is not known any more: it is read again by whoever comes next.
            self.lines.clear();
        }
        let now = (self.now)().as_millisecond();
        for Waiting { place, reply, answer } in self.waiting.drain(..) {
            let answer = written.clone().and(answer);
            // Whoever gave up waiting for messages cannot acknowledge them: others get them at once.
            if let (Err(Ok(Done::Taken(taken, _))), Some(place)) = (reply.send(answer), place)
                && let Some((_, line)) = self.lines.get_mut(&place.number)
            {
                taken.into_iter().for_each(|delivery| line.hide(delivery, now));
                self.rung.push(place);
            }
        }
        self.rung.drain(..).for_each(|place| place.bell.notify_waiters());
    }

    fn execute(&mut self, place: &Arc<Place>, work: Work) -> Result<Done, StoreError> {
        let now = (self.now)();
        let millis = now.as_millisecond();
        let line = match self.lines.entry(place.number) {
            Entry::Occupied(known) => &mut known.into_mut().1,
            Entry::Vacant(new) => &mut new.insert((place.clone(), Line::load(&self.engine, place)?)).1,
        };
        if matches!(work, Work::Send(_) | Work::Hide(_) | Work::Revive(_)) {
            self.rung.push(place.clone());
        }
        match work {
            Work::Ensure => {}
            Work::Send(messages) => {
                for Message { body, delay } in messages {
                    line.send(body, super::millis(delay), now);
                }
            }
            Work::Receive { most, hidden, max_attempts } => {
                let taken = line.receive(most, hidden, max_attempts, millis);
                return Ok(Done::Taken(taken, line.next_in(millis)));
            }
            Work::Acknowledge(deliveries) => {
                deliveries.into_iter().for_each(|delivery| line.acknowledge(delivery));
            }
            Work::Hide(deliveries) => {
                deliveries.into_iter().for_each(|(delivery, hidden)| line.hide(delivery, millis + hidden));
            }
            Work::Bury(delivery, reason) => line.bury(delivery, reason, millis),
            Work::Dead(most) => return Ok(Done::Dead(line.dead(most))),
            Work::Revive(ids) => {
                let snapshot = self.engine.snapshot();
                let mut revived = 0;
                for id in ids {
                    let bytes = snapshot.get(&self.engine, &place.messages, &record::key(id))?;
                    let Some(bytes) = bytes.filter(|_| line.is_dead(id)) else { continue };
                    let body = record::body(&bytes).map_err(|bad| self.engine.damaged(bad))?;
                    line.revive(id, body, now);
                    revived += 1;
                }
                return Ok(Done::Revived(revived));
            }
            Work::Depth => return Ok(Done::Depth(line.depth(millis))),
        }
        Ok(Done::Nothing)
    }
}
