//! The board: the state of an event for operators.

use hansang_core::db::Ask;
use hansang_core::queue::Depth;
use hansang_core::read::MAX_PAGE;
use hansang_core::{Error, name};
use jiff::Timestamp;
use serde::Deserialize;

use crate::event::{Capacity, capacity, need};
use crate::fields::{item, time};
use crate::submit::SHARDS;
use crate::{Entry, Event, Phase, Status, events, lease};

/// The maximum number of requests that are counted one by one.
const MAX_COUNTED: u64 = 10_000;

/// The state of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The event.
    pub event: Event,
    /// The capacity of a first-come event.
    pub capacity: Option<Capacity>,
    /// The number of requests that are not queued yet.
    pub received: u64,
    /// The number of queued requests.
    pub queued: u64,
    /// The number of requests that are being decided.
    pub processing: u64,
    /// Whether `queued` and `processing` stopped counting at a limit.
    pub more: bool,
    /// The number of winners.
    pub succeeded: u64,
    /// The number of rejected requests.
    pub rejected: u64,
    /// The number of failed requests.
    pub failed: u64,
    /// The `queuedAt` of the undecided requests that were counted, in queue order.
    pub line: Vec<Timestamp>,
    /// Whether the results can be announced.
    pub announceable: bool,
    /// The depth of the queue, which all events share.
    pub depth: Depth,
}

/// Reads the state of an event.
///
/// # Errors
/// If the event does not exist, or the store or the queue fails.
pub async fn board(entry: &Entry, event_id: &str) -> Result<Board, Error> {
    let event = need(entry, event_id, true).await?;
    let progress = lease::progress(entry, event_id).await?;
    let waiting = waiting(entry, event_id, progress.decided_until).await?;
    let count = |number: i64| u64::try_from(number).unwrap_or_default();
    let closed = event.phase(entry.now()) == Phase::Closed;
    Ok(Board {
        announceable: closed && events::is_decided(entry, &event).await?,
        capacity: capacity(entry, event_id).await?,
        received: received(entry, event_id).await?,
        queued: waiting.queued,
        processing: waiting.processing,
        more: waiting.more,
        succeeded: count(progress.tally.succeeded),
        rejected: count(progress.tally.rejected),
        failed: count(progress.tally.failed),
        line: waiting.line,
        depth: entry.queue.depth().await?,
        event,
    })
}

#[derive(Default)]
struct Waiting {
    queued: u64,
    processing: u64,
    more: bool,
    line: Vec<Timestamp>,
}

impl Board {
    /// The `queuedAt` of the oldest undecided request.
    #[must_use]
    pub fn oldest(&self) -> Option<Timestamp> {
        self.line.first().copied()
    }

    /// Whether anyone entered the event.
    #[must_use]
    pub fn has_entries(&self) -> bool {
        let undecided = self.received + self.queued + self.processing;
        undecided + self.succeeded + self.rejected + self.failed > 0
    }

    /// The number of undecided requests that were queued before a time.
    #[must_use]
    pub fn ahead_of(&self, queued_at: Timestamp) -> usize {
        self.line.partition_point(|at| *at < queued_at)
    }
}

/// The part of a request that is counted.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Undecided {
    status: Status,
    queued_at: Option<Timestamp>,
}

/// Counts undecided requests, from `decidedUntil` on.
async fn waiting(entry: &Entry, event_id: &str, from: Option<Timestamp>) -> Result<Waiting, Error> {
    let mut arguments = item([(name!("eventId"), event_id.into())]);
    if let Some(from) = from {
        arguments.insert(name!("from"), time(from).into());
    }
    let mut waiting = Waiting::default();
    let mut cursor = None;
    loop {
        let fields = Some(["status", "queuedAt"].map(str::to_owned).to_vec());
        let ask = Ask { limit: Some(MAX_PAGE), fields, cursor, ..Ask::default() };
        let page = entry.db.query("requestsOfEvent", arguments.clone(), ask).await?;
        for record in &page.records {
            let Ok(undecided) = record.typed::<Undecided>() else { continue };
            let counter = match undecided.status {
                Status::Queued => &mut waiting.queued,
                Status::Processing => &mut waiting.processing,
                _ => continue,
            };
            *counter += 1;
            waiting.line.extend(undecided.queued_at);
        }
        waiting.more = page.next.is_some() && waiting.queued + waiting.processing >= MAX_COUNTED;
        match page.next.filter(|_| !waiting.more) {
            Some(next) => cursor = Some(next),
            None => return Ok(waiting),
        }
    }
}

/// Counts requests that are not queued yet.
async fn received(entry: &Entry, event_id: &str) -> Result<u64, Error> {
    let mut count = 0;
    for shard in 0..SHARDS {
        let mut cursor = None;
        loop {
            let fields = Some(vec!["eventId".to_owned()]);
            let ask = Ask { limit: Some(MAX_PAGE), fields, cursor, ..Ask::default() };
            let page = entry.db.query("unsent", item([(name!("shard"), shard.into())]), ask).await?;
            let of_event = page.records.iter().filter(|record| record.text("eventId") == Some(event_id));
            count += of_event.count() as u64;
            match page.next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
    }
    Ok(count)
}
