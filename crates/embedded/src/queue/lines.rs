//! Queue requests of the writer. They share the commits of the store.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use hansang_core::StoreError;
use hansang_core::queue::{Depth, Message};
use tokio::sync::oneshot;

use super::catalog::QueueSpaces;
use super::line::{DeliveryId, Line};
use super::record::{self, Dead};
use crate::Now;
use crate::current::{Current, Opened};
use crate::engine::Batch;
use crate::seal::Kind;

/// A request to a queue. Times are in milliseconds.
pub(crate) enum Work {
    Ensure,
    Send(Vec<Message>),
    Receive { limit: usize, hidden: i64, max_attempts: u32 },
    Acknowledge(Vec<DeliveryId>),
    Hide(Vec<(DeliveryId, i64)>),
    Bury(DeliveryId, Option<String>),
    Dead(usize),
    Revive(Vec<u64>),
    Depth,
}

/// The reply to a request.
pub(crate) enum QueueReply {
    Nothing,
    /// Deliveries, or the milliseconds until there may be one.
    Delivered(Vec<DeliveryId>, Option<i64>),
    Dead(Vec<(u64, Dead)>),
    Revived(usize),
    Depth(Depth),
}

pub(crate) struct QueueRequest {
    /// Name of the queue.
    pub(crate) queue: String,
    pub(crate) work: Work,
    pub(crate) reply: QueueSender,
}

/// Sends the reply to a request.
pub(crate) type QueueSender = oneshot::Sender<Result<QueueReply, StoreError>>;

/// A reply that waits for the commit.
struct PendingReply {
    spaces: Option<Arc<QueueSpaces>>,
    reply: QueueSender,
    result: Result<QueueReply, StoreError>,
}

/// All queues that were used since the start.
pub(crate) struct Lines {
    opened: Arc<Opened>,
    now: Now,
    lines: HashMap<u32, (Arc<QueueSpaces>, Line)>,
    waiting: Vec<PendingReply>,
    /// Queues that may have something to receive after the commit.
    ready: Vec<Arc<QueueSpaces>>,
}

impl Lines {
    pub(crate) fn new(opened: Arc<Opened>, now: Now) -> Self {
        Self { opened, now, lines: HashMap::new(), waiting: Vec::new(), ready: Vec::new() }
    }

    /// Executes a request in memory.
    pub(crate) fn handle(&mut self, QueueRequest { queue, work, reply }: QueueRequest, current: &Current) {
        if matches!(work, Work::Ensure) {
            let made = self.opened.queues.ensure(&self.opened.engine, &queue);
            let result =
                made.and_then(|()| current.note_keyspaces(&self.opened)).map(|()| QueueReply::Nothing);
            self.waiting.push(PendingReply { spaces: None, reply, result });
            return;
        }
        let spaces = self.opened.queues.get(&queue);
        let result = spaces.clone().and_then(|spaces| self.execute(&spaces, work));
        self.waiting.push(PendingReply { spaces: spaces.ok(), reply, result });
    }

    /// Adds the changes of all queues to the batch.
    pub(crate) fn write(&mut self, batch: &mut Batch) {
        for (spaces, line) in self.lines.values_mut() {
            line.write(spaces, batch);
        }
    }

    /// Forgets the order of all queues, which are loaded again when next used, and returns the replies that
    /// wait for the commit.
    pub(crate) fn abandon(&mut self) -> Vec<QueueSender> {
        self.lines.clear();
        self.ready.clear();
        self.waiting.drain(..).map(|pending| pending.reply).collect()
    }

    /// Replies to all pending requests after the commit.
    pub(crate) fn reply(&mut self) {
        let now = (self.now)().as_millisecond();
        for PendingReply { spaces, reply, result } in self.waiting.drain(..) {
            // A receiver that stopped waiting cannot acknowledge: its messages become visible at once.
            if let (Err(Ok(QueueReply::Delivered(taken, _))), Some(spaces)) = (reply.send(result), spaces)
                && let Some((_, line)) = self.lines.get_mut(&spaces.number)
            {
                taken.into_iter().for_each(|delivery| line.hide(delivery, now));
                self.ready.push(spaces);
            }
        }
        self.ready.drain(..).for_each(|spaces| spaces.available.notify_waiters());
    }

    fn execute(&mut self, spaces: &Arc<QueueSpaces>, work: Work) -> Result<QueueReply, StoreError> {
        let now = (self.now)();
        let millis = now.as_millisecond();
        let line = match self.lines.entry(spaces.number) {
            Entry::Occupied(known) => &mut known.into_mut().1,
            Entry::Vacant(new) => {
                &mut new.insert((spaces.clone(), Line::load(&self.opened.engine, spaces)?)).1
            }
        };
        if matches!(work, Work::Send(_) | Work::Hide(_) | Work::Revive(_)) {
            self.ready.push(spaces.clone());
        }
        match work {
            Work::Ensure => {}
            Work::Send(messages) => {
                for Message { body, delay } in messages {
                    line.send(body, super::millis(delay), now);
                }
            }
            Work::Receive { limit, hidden, max_attempts } => {
                let taken = line.receive(limit, hidden, max_attempts, millis);
                return Ok(QueueReply::Delivered(taken, line.next_in(millis)));
            }
            Work::Acknowledge(deliveries) => {
                deliveries.into_iter().for_each(|delivery| line.acknowledge(delivery));
            }
            Work::Hide(deliveries) => {
                deliveries.into_iter().for_each(|(delivery, hidden)| line.hide(delivery, millis + hidden));
            }
            Work::Bury(delivery, reason) => line.bury(delivery, reason, millis),
            Work::Dead(limit) => return Ok(QueueReply::Dead(line.dead(limit))),
            Work::Revive(ids) => {
                let engine = &self.opened.engine;
                let snapshot = engine.snapshot();
                let mut revived = 0;
                for id in ids {
                    let bytes = snapshot.get(engine, &spaces.messages, &record::key(id))?;
                    let Some(bytes) = bytes.filter(|_| line.is_dead(id)) else { continue };
                    let content = engine.unseal(Kind::Other, &record::key(id), &bytes);
                    let body = content.and_then(record::body).map_err(|bad| engine.damaged(bad))?;
                    line.revive(id, body, now);
                    revived += 1;
                }
                return Ok(QueueReply::Revived(revived));
            }
            Work::Depth => return Ok(QueueReply::Depth(line.depth(millis))),
        }
        Ok(QueueReply::Nothing)
    }
}
