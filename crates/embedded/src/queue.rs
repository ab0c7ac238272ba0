//! Queues in the directory of a store. Messages are part of the writer's commits: a reply that they were
//! accepted, delivered or acknowledged follows the commit.

mod catalog;
mod line;
mod lines;
mod record;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use hansang_core::queue::{
    DeadLetter, Delivery, Depth, Message, QueueError, Receipt, check, check_count, check_name, check_time,
    reason,
};
use hansang_core::{Queue, StoreError};
use jiff::Timestamp;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};

use crate::Embedded;
use crate::current::Opened;
use crate::engine::{Bytes, Snapshot};
use crate::seal::Kind;
use crate::writer::Request;
use catalog::QueueSpaces;
use line::DeliveryId;
use lines::{QueueReply, Work};

pub(crate) use catalog::{QueueCatalog, Signals};
pub(crate) use lines::{Lines, QueueRequest};

/// Polling interval of a waiting receiver while messages are hidden, because tests move the clock of the
/// store.
const CLOCK_POLL: Duration = Duration::from_millis(100);

/// Settings of a queue.
#[derive(Clone, Copy, Debug)]
pub struct QueueSettings {
    /// Deliveries before a message becomes a dead letter.
    pub max_attempts: u32,
}

/// A queue in the directory of a store. Keeps the directory open.
pub struct EmbeddedQueue {
    store: Embedded,
    name: String,
    settings: QueueSettings,
}

impl Embedded {
    /// Returns the queue of this name. [`Queue::ensure`] must create it before messages are sent.
    #[must_use]
    pub fn queue(&self, name: &str, settings: QueueSettings) -> Arc<EmbeddedQueue> {
        Arc::new(EmbeddedQueue { store: self.clone(), name: name.to_owned(), settings })
    }
}

impl EmbeddedQueue {
    async fn ask(&self, work: Work) -> Result<QueueReply, QueueError> {
        let (reply, response) = oneshot::channel();
        let request = QueueRequest { queue: self.name.clone(), work, reply };
        self.store.request(Request::Queue(request), response).await.map_err(queue_error)
    }

    /// Tries to receive once. Returns messages, or the milliseconds after which to try again.
    async fn take(&self, limit: usize, hidden: i64) -> Result<(Vec<Delivery>, Option<i64>), QueueError> {
        let max_attempts = self.settings.max_attempts.max(1);
        let QueueReply::Delivered(taken, next) =
            self.ask(Work::Receive { limit, hidden, max_attempts }).await?
        else {
            return Ok((Vec::new(), None));
        };
        let reading = self.reading()?;
        let mut deliveries = Vec::with_capacity(taken.len());
        for DeliveryId { id, attempts } in taken {
            // Another receiver may have acknowledged it, if it was hidden for a very short time.
            let Some(body) = reading.body(id)? else { continue };
            let receipt = Receipt(format!("{id}.{attempts}").into());
            deliveries.push(Delivery { id: id.to_string(), receipt, body, attempts });
        }
        Ok((deliveries, next))
    }

    /// Takes a snapshot of the queue.
    fn reading(&self) -> Result<Reading, QueueError> {
        let opened = self.store.0.current.get().map_err(queue_error)?;
        let spaces = opened.queues.get(&self.name).map_err(queue_error)?;
        Ok(Reading { snapshot: opened.engine.snapshot(), spaces, opened })
    }
}

/// A snapshot of a queue, read on the thread of the receiver.
struct Reading {
    snapshot: Snapshot,
    spaces: Arc<QueueSpaces>,
    opened: Arc<Opened>,
}

impl Reading {
    /// Reads the body of a message.
    fn body(&self, id: u64) -> Result<Option<String>, QueueError> {
        let engine = &self.opened.engine;
        let key = record::key(id);
        let bytes = self.snapshot.get(engine, &self.spaces.messages, &key).map_err(queue_error)?;
        let open = |bytes: Bytes| record::body(engine.unseal(Kind::Other, &key, &bytes)?);
        let body = bytes.map(open).transpose();
        body.map_err(|bad| queue_error(engine.damaged(bad)))
    }
}

#[async_trait]
impl Queue for EmbeddedQueue {
    async fn ensure(&self) -> Result<(), QueueError> {
        check_name(&self.name)?;
        self.ask(Work::Ensure).await.map(drop)
    }

    async fn send(&self, messages: Vec<Message>) -> Vec<Result<(), QueueError>> {
        if let Err(error) = check_count(messages.len()) {
            return vec![Err(error); messages.len()];
        }
        let mut results: Vec<Result<(), QueueError>> = messages.iter().map(check).collect();
        let mut accepted = messages;
        let mut fits = results.iter().map(Result::is_ok);
        accepted.retain(|_| fits.next().unwrap_or_default());
        if !accepted.is_empty()
            && let Err(error) = self.ask(Work::Send(accepted)).await
        {
            results
                .iter_mut()
                .filter(|response| response.is_ok())
                .for_each(|response| *response = Err(error.clone()));
        }
        results
    }

    async fn receive(
        &self,
        limit: usize,
        wait: Duration,
        hidden: Duration,
    ) -> Result<Vec<Delivery>, QueueError> {
        check_count(limit)?;
        check_time(wait)?;
        check_time(hidden)?;
        drop(self.reading()?);
        let available = self.store.0.current.signals.get(&self.name);
        let deadline = Instant::now() + wait;
        loop {
            // Registered before the request, so that no message arrives unnoticed between reply and wait.
            let notified = available.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            let (deliveries, next) = self.take(limit, millis(hidden)).await?;
            let left = deadline.saturating_duration_since(Instant::now());
            if !deliveries.is_empty() || left.is_zero() || limit == 0 {
                return Ok(deliveries);
            }
            let due = next.map(|millis| Duration::from_millis(millis.unsigned_abs()).min(CLOCK_POLL));
            tokio::select! {
                () = notified => {}
                () = sleep(due.unwrap_or(left).min(left)) => {}
            }
        }
    }

    async fn acknowledge(&self, receipts: &[Receipt]) -> Result<(), QueueError> {
        check_count(receipts.len())?;
        let deliveries: Vec<DeliveryId> = receipts.iter().filter_map(delivery).collect();
        if deliveries.is_empty() { Ok(()) } else { self.ask(Work::Acknowledge(deliveries)).await.map(drop) }
    }

    async fn hide(&self, receipts: &[(Receipt, Duration)]) -> Result<(), QueueError> {
        check_count(receipts.len())?;
        receipts.iter().try_for_each(|(_, hidden)| check_time(*hidden))?;
        let hidden = receipts.iter().filter_map(|(receipt, time)| Some((delivery(receipt)?, millis(*time))));
        self.ask(Work::Hide(hidden.collect())).await.map(drop)
    }

    async fn bury(&self, buried: &Delivery, why: &str) -> Result<(), QueueError> {
        match delivery(&buried.receipt) {
            Some(delivery) => self.ask(Work::Bury(delivery, reason(why))).await.map(drop),
            None => Ok(()),
        }
    }

    async fn dead(&self, limit: usize) -> Result<Vec<DeadLetter>, QueueError> {
        check_count(limit)?;
        let QueueReply::Dead(dead) = self.ask(Work::Dead(limit)).await? else { return Ok(Vec::new()) };
        let reading = self.reading()?;
        let mut letters = Vec::with_capacity(dead.len());
        for (id, dead) in dead {
            // It may have been revived since.
            let Some(body) = reading.body(id)? else { continue };
            let since = Timestamp::from_millisecond(dead.since).ok();
            letters.push(DeadLetter { id: id.to_string(), body, reason: dead.reason, since });
        }
        Ok(letters)
    }

    async fn revive(&self, ids: &[String]) -> Result<usize, QueueError> {
        check_count(ids.len())?;
        let ids = ids.iter().filter_map(|id| id.parse().ok()).collect();
        match self.ask(Work::Revive(ids)).await? {
            QueueReply::Revived(count) => Ok(count),
            _ => Ok(0),
        }
    }

    async fn depth(&self) -> Result<Depth, QueueError> {
        match self.ask(Work::Depth).await? {
            QueueReply::Depth(depth) => Ok(depth),
            _ => Ok(Depth::default()),
        }
    }
}

impl fmt::Debug for EmbeddedQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { store, name, settings } = self;
        let mut shown = f.debug_struct("EmbeddedQueue");
        shown.field("store", store).field("name", name).field("settings", settings).finish()
    }
}

/// Parses a receipt. Receipts of other queues identify nothing.
fn delivery(Receipt(text): &Receipt) -> Option<DeliveryId> {
    let (id, attempts) = text.split_once('.')?;
    Some(DeliveryId { id: id.parse().ok()?, attempts: attempts.parse().ok()? })
}

/// Converts a duration that passed the checks.
fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 4)
}

fn queue_error(error: StoreError) -> QueueError {
    match error {
        StoreError::Unavailable(unavailable) => QueueError::Unavailable(unavailable),
        StoreError::Invalid(error) => QueueError::Invalid(error),
        StoreError::Throttled => QueueError::Throttled,
        other => QueueError::unavailable(other.to_string()),
    }
}
