//! The notes of requests that may not have reached the queue, read from all partitions in one order.

use std::collections::VecDeque;

use hansang_core::db::Ask;
use hansang_core::{Error, name};
use jiff::Timestamp;
use serde::Deserialize;

use crate::Entry;
use crate::fields::{item, time};
use crate::submit::SHARDS;

/// The number of notes that are read of one partition at a time.
const PAGE: u32 = 100;

/// The note of a request that may not have reached the queue.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Unsent {
    pub(super) request_id: String,
    #[serde(default)]
    pub(super) event_id: String,
    pub(super) requested_at: Timestamp,
    #[serde(default)]
    pub(super) attempts: i64,
}

/// The notes until a time by `requestedAt`, then by request id.
pub(super) struct Notes {
    until: Timestamp,
    shards: Vec<Shard>,
}

/// The unread notes of a partition.
struct Shard {
    number: i64,
    notes: VecDeque<Unsent>,
    cursor: Option<String>,
    has_ended: bool,
}

impl Notes {
    pub(super) fn until(until: Timestamp) -> Self {
        let shard = |number| Shard { number, notes: VecDeque::new(), cursor: None, has_ended: false };
        Self { until, shards: (0..SHARDS).map(shard).collect() }
    }

    /// The next notes, at most `max`; none at the end.
    pub(super) async fn next(&mut self, entry: &Entry, max: usize) -> Result<Vec<Unsent>, Error> {
        let mut notes = Vec::with_capacity(max);
        while notes.len() < max {
            for shard in &mut self.shards {
                shard.fill(entry, self.until).await?;
            }
            let waiting = self.shards.iter_mut().filter(|shard| !shard.notes.is_empty());
            let Some(first) = waiting.min_by(|one, other| one.head().cmp(&other.head())) else { break };
            notes.extend(first.notes.pop_front());
        }
        Ok(notes)
    }
}

impl Shard {
    /// Reads the next page, if all notes of the last one are taken.
    async fn fill(&mut self, entry: &Entry, until: Timestamp) -> Result<(), Error> {
        while self.notes.is_empty() && !self.has_ended {
            let arguments = item([(name!("shard"), self.number.into()), (name!("to"), time(until).into())]);
            let ask = Ask { limit: Some(PAGE), cursor: self.cursor.take(), ..Ask::default() };
            let page = entry.db.query("unsent", arguments, ask).await?;
            for record in &page.records {
                match record.typed() {
                    Ok(unsent) => self.notes.push_back(unsent),
                    Err(error) => tracing::error!(%error, "damaged note of an unsent request skipped"),
                }
            }
            self.has_ended = page.next.is_none();
            self.cursor = page.next;
        }
        Ok(())
    }

    /// The position of its first note.
    fn head(&self) -> Option<(Timestamp, &str)> {
        self.notes.front().map(|note| (note.requested_at, &*note.request_id))
    }
}
