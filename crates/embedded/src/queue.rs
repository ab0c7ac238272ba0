//! Queues in the directory of a store. Messages are committed together with everything else that waits for
//! the writer, and are on disk before anybody is told that they were accepted, delivered or acknowledged.

mod line;
mod lines;
mod place;
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
use crate::engine::Snapshot;
use crate::writer::Request;
use line::Taken;
use lines::{Done, Work};
use place::Place;

pub(crate) use lines::{Asked, Lines};
pub(crate) use place::Places;

/// The longest time for which a receiver that waits does not look at the clock of the store, which may be
/// moved by whoever made it.
const GLANCE: Duration = Duration::from_millis(100);

/// How a queue treats messages.
#[derive(Clone, Copy, Debug)]
pub struct QueueSettings {
    /// How often a message is delivered before it becomes a dead letter.
    pub max_attempts: u32,
}

/// A queue in the directory of a store. The directory stays open as long as there is one.
pub struct EmbeddedQueue {
    store: Embedded,
    name: String,
    settings: QueueSettings,
}

impl Embedded {
    /// The queue of this name. It has to be [made](Queue::ensure) before anything is sent.
    #[must_use]
    pub fn queue(&self, name: &str, settings: QueueSettings) -> Arc<EmbeddedQueue> {
        Arc::new(EmbeddedQueue { store: self.clone(), name: name.to_owned(), settings })
    }
}

impl EmbeddedQueue {
    async fn ask(&self, work: Work) -> Result<Done, QueueError> {
        let (reply, answer) = oneshot::channel();
        let asked = Asked { queue: self.name.clone(), work, reply };
        self.store.request(Request::Queue(asked), answer).await.map_err(queue_error)
    }

    /// One attempt to receive: messages, or in how many milliseconds to look again.
    async fn take(
        &self,
        place: &Place,
        most: usize,
        hidden: i64,
    ) -> Result<(Vec<Delivery>, Option<i64>), QueueError> {
        let max_attempts = self.settings.max_attempts.max(1);
        let Done::Taken(taken, next) = self.ask(Work::Receive { most, hidden, max_attempts }).await? else {
            return Ok((Vec::new(), None));
        };
        let snapshot = self.store.0.engine.snapshot();
        let mut deliveries = Vec::with_capacity(taken.len());
        for Taken { id, attempts } in taken {
            // It may be gone, where it was hidden for so short a time that another was quicker.
            let Some(body) = self.body(&snapshot, place, id)? else { continue };
            let receipt = Receipt(format!("{id}.{attempts}").into());
            deliveries.push(Delivery { id: id.to_string(), receipt, body, attempts });
        }
        Ok((deliveries, next))
    }

    /// What a message says. It is read by whoever wants it, so that the writer need not.
    fn body(&self, snapshot: &Snapshot, place: &Place, id: u64) -> Result<Option<String>, QueueError> {
        let engine = &self.store.0.engine;
        let bytes = snapshot.get(engine, &place.messages, &record::key(id)).map_err(queue_error)?;
        let body = bytes.map(|bytes| record::body(&bytes)).transpose();
        body.map_err(|bad| queue_error(engine.damaged(bad)))
    }

    fn place(&self) -> Result<Arc<Place>, QueueError> {
        self.store.0.places.get(&self.name).map_err(queue_error)
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
        let mut answers: Vec<Result<(), QueueError>> = messages.iter().map(check).collect();
        let mut accepted = messages;
        let mut fits = answers.iter().map(Result::is_ok);
        accepted.retain(|_| fits.next().unwrap_or_default());
        if !accepted.is_empty()
            && let Err(error) = self.ask(Work::Send(accepted)).await
        {
            answers
                .iter_mut()
                .filter(|answer| answer.is_ok())
                .for_each(|answer| *answer = Err(error.clone()));
        }
        answers
    }

    async fn receive(
        &self,
        most: usize,
        wait: Duration,
        hidden: Duration,
    ) -> Result<Vec<Delivery>, QueueError> {
        check_count(most)?;
        check_time(wait)?;
        check_time(hidden)?;
        let place = self.place()?;
        let deadline = Instant::now() + wait;
        loop {
            // Before it is asked, so that no message comes between the answer and the waiting.
            let rung = place.bell.notified();
            tokio::pin!(rung);
            rung.as_mut().enable();
            let (deliveries, next) = self.take(&place, most, millis(hidden)).await?;
            let left = deadline.saturating_duration_since(Instant::now());
            if !deliveries.is_empty() || left.is_zero() || most == 0 {
                return Ok(deliveries);
            }
            let due = next.map(|millis| Duration::from_millis(millis.unsigned_abs()).min(GLANCE));
            tokio::select! {
                () = rung => {}
                () = sleep(due.unwrap_or(left).min(left)) => {}
            }
        }
    }

    async fn acknowledge(&self, receipts: &[Receipt]) -> Result<(), QueueError> {
        check_count(receipts.len())?;
        let deliveries: Vec<Taken> = receipts.iter().filter_map(delivery).collect();
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

    async fn dead(&self, most: usize) -> Result<Vec<DeadLetter>, QueueError> {
        check_count(most)?;
        let place = self.place()?;
        let Done::Dead(dead) = self.ask(Work::Dead(most)).await? else { return Ok(Vec::new()) };
        let snapshot = self.store.0.engine.snapshot();
        let mut letters = Vec::with_capacity(dead.len());
        for (id, dead) in dead {
            // It may have been sent again meanwhile.
            let Some(body) = self.body(&snapshot, &place, id)? else { continue };
            let since = Timestamp::from_millisecond(dead.since).ok();
            letters.push(DeadLetter { id: id.to_string(), body, reason: dead.reason, since });
        }
        Ok(letters)
    }

    async fn revive(&self, ids: &[String]) -> Result<usize, QueueError> {
        check_count(ids.len())?;
        let ids = ids.iter().filter_map(|id| id.parse().ok()).collect();
        match self.ask(Work::Revive(ids)).await? {
            Done::Revived(count) => Ok(count),
            _ => Ok(0),
        }
    }

    async fn depth(&self) -> Result<Depth, QueueError> {
        match self.ask(Work::Depth).await? {
            Done::Depth(depth) => Ok(depth),
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

/// The delivery that a receipt is of. One that is none of ours is of nothing that is there.
fn delivery(Receipt(text): &Receipt) -> Option<Taken> {
    let (id, attempts) = text.split_once('.')?;
    Some(Taken { id: id.parse().ok()?, attempts: attempts.parse().ok()? })
}

/// Every time that passed the checks fits.
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
