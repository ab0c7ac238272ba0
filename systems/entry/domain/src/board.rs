//! What an operator wants to see of an event at a glance.

use hansang_core::db::Ask;
use hansang_core::queue::Depth;
use hansang_core::read::MAX_PAGE;
use hansang_core::{Error, name};
use jiff::Timestamp;

use crate::event::{Capacity, capacity, need};
use crate::fields::{item, time, time_of};
use crate::submit::SHARDS;
use crate::{Entry, Event, lease};

/// The most requests that are counted one by one.
const MOST: u64 = 10_000;

/// An event at a glance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The event.
    pub event: Event,
    /// Its places, if it is first-come.
    pub capacity: Option<Capacity>,
    /// Requests on their way to the queue.
    pub received: u64,
    /// Requests that are queued and not being decided.
    pub queued: u64,
    /// Requests that are being decided.
    pub processing: u64,
    /// Whether there are more of those than were counted.
    pub more: bool,
    /// Requests with a place.
    pub succeeded: u64,
    /// Requests without one.
    pub rejected: u64,
    /// Requests that failed.
    pub failed: u64,
    /// When the one was queued that waits the longest.
    pub oldest: Option<Timestamp>,
    /// The queue, which all events share.
    pub depth: Depth,
}

/// An event at a glance.
///
/// # Errors
/// That there is none; when the table or the queue does not answer.
pub async fn board(entry: &Entry, event_id: &str) -> Result<Board, Error> {
    let event = need(entry, event_id, true).await?;
    let progress = lease::progress(entry, event_id).await?;
    let waiting = waiting(entry, event_id, progress.decided_until).await?;
    let count = |number: i64| u64::try_from(number).unwrap_or_default();
    Ok(Board {
        capacity: capacity(entry, event_id).await?,
        received: received(entry, event_id).await?,
        queued: waiting.queued,
        processing: waiting.processing,
        more: waiting.more,
        succeeded: count(progress.tally.succeeded),
        rejected: count(progress.tally.rejected),
        failed: count(progress.tally.failed),
        oldest: waiting.oldest,
        depth: entry.queue.depth().await?,
        event,
    })
}

#[derive(Default)]
struct Waiting {
    queued: u64,
    processing: u64,
    more: bool,
    oldest: Option<Timestamp>,
}

/// What is undecided, behind what is known to be decided.
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
            let place = match record.text("status") {
                Some("QUEUED") => &mut waiting.queued,
                Some("PROCESSING") => &mut waiting.processing,
                _ => continue,
            };
            *place += 1;
            waiting.oldest = waiting.oldest.or_else(|| time_of(record, "queuedAt"));
        }
        waiting.more = page.next.is_some() && waiting.queued + waiting.processing >= MOST;
        match page.next.filter(|_| !waiting.more) {
            Some(next) => cursor = Some(next),
            None => return Ok(waiting),
        }
    }
}

/// What is on its way to the queue.
async fn received(entry: &Entry, event_id: &str) -> Result<u64, Error> {
    let mut count = 0;
    for shard in 0..SHARDS {
        let fields = Some(vec!["eventId".to_owned()]);
        let ask = Ask { limit: Some(MAX_PAGE), fields, ..Ask::default() };
        let page = entry.db.query("unsent", item([(name!("shard"), shard.into())]), ask).await?;
        let of_event = page.records.iter().filter(|record| record.text("eventId") == Some(event_id));
        count += of_event.count() as u64;
    }
    Ok(count)
}
