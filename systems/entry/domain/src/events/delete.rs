//! Deleting an event that has no entries.

use hansang_core::db::{Ask, Operation};
use hansang_core::plan::{Comparison, Guard};
use hansang_core::{Error, Item, message, name};
use jiff::Timestamp;

use super::changed_meanwhile;
use crate::event::need;
use crate::fields::{guard, item, time};
use crate::lease::{self, Tally};
use crate::lottery::draw;
use crate::{Entry, EntryCode, Event, EventStatus, EventType, messages, sweep};

/// Deletes an event and everything that belongs to it. Only an event without entries can be deleted: before it opens, or
/// after it ended. Entries are never deleted; they expire by themselves.
///
/// # Errors
/// If the event does not exist, takes entries now, or has entries.
pub async fn delete(entry: &Entry, id: &str) -> Result<(), Error> {
    let event = need(entry, id, true).await?;
    let now = entry.now();
    if event.is_running(now) {
        return Err(Error::conflict(EntryCode::EventRunning, message!(messages::EVENT_RUNNING, id)));
    }
    if has_entries(entry, id).await? {
        return Err(Error::conflict(EntryCode::EventHasEntries, message!(messages::EVENT_HAS_ENTRIES, id)));
    }
    let drawn = draw::figures(entry, id).await?.is_some();
    Ok(entry.db.commit(deletions(entry, &event, drawn)).await?)
}

impl Event {
    /// Whether the event has opened, and an entry may still be on its way: one that was accepted just before the end is
    /// visible after the settle window.
    #[must_use]
    pub fn is_running(&self, now: Timestamp) -> bool {
        let ended = matches!(self.status, EventStatus::Closed | EventStatus::Announced);
        now >= self.opens_at && !(ended && now >= self.draws_at())
    }
}

/// Whether an event has an entry: on its way to the queue, in the index, or counted as decided.
async fn has_entries(entry: &Entry, id: &str) -> Result<bool, Error> {
    if lease::progress(entry, id).await?.tally != Tally::default() || sweep::is_awaited(entry, id).await? {
        return Ok(true);
    }
    let ask = Ask { limit: Some(1), ..Ask::default() };
    Ok(!entry.db.query("requestsOfEvent", key(id), ask).await?.records.is_empty())
}

fn deletions(entry: &Entry, event: &Event, drawn: bool) -> Vec<Operation> {
    let delete = |entity: &str, guards: Vec<Guard>| Operation::Delete {
        entity: entity.into(),
        key: key(&event.id),
        expected_version: None,
        guards,
    };
    let status = guard(name!("status"), Comparison::Equal, event.status.name(), changed_meanwhile());
    let opens = guard(name!("opensAt"), Comparison::Equal, time(event.opens_at), changed_meanwhile());
    // A process that decides the event would write its items again.
    let now = time(entry.now());
    let unheld = guard(name!("expiresAt"), Comparison::AtMost, now, changed_meanwhile());
    let companion = match event.event_type {
        EventType::FirstCome => "EventCapacity",
        EventType::Lottery => "DrawSeed",
    };
    let mut operations = vec![
        delete("Event", vec![status, opens]),
        delete("EventListing", Vec::new()),
        delete("DeciderLease", vec![unheld]),
        delete(companion, Vec::new()),
    ];
    if drawn {
        operations.push(delete("Draw", Vec::new()));
    }
    operations
}

fn key(id: &str) -> Item {
    item([(name!("eventId"), id.into())])
}
