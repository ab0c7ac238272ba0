//! Scheduled work: closing and drawing events, and deciding requests whose messages were lost.

use std::time::Duration;

use hansang_core::db::{Ask, Operation};
use hansang_core::write::Update;
use hansang_core::{Error, ErrorKind, name};

use crate::decide::{Decided, decide_recording};
use crate::event::load;
use crate::fields::{after, item, set, time};
use crate::lottery::draw;
use crate::worker::Process;
use crate::{Entry, Event, EventStatus, EventType, events, lease};

/// The time after its end during which an event without backlog is still checked.
const LINGER: Duration = Duration::from_secs(3600);

/// Closes and draws events when they are due, and decides their backlog.
///
/// # Errors
/// If the store fails.
pub async fn tend(entry: &Entry, owner: &str) -> Result<(), Error> {
    tend_in_turn(entry, owner, &Process::default()).await
}

/// Like [`tend`], taking turns with the other tasks of the process.
pub(crate) async fn tend_in_turn(entry: &Entry, owner: &str, process: &Process) -> Result<(), Error> {
    for (id, live) in events::listed(entry).await? {
        if live {
            let tended = match load(entry, &id, true).await {
                Ok(Some(event)) => tend_one(entry, owner, process, &event).await,
                Ok(None) => Ok(()),
                Err(error) => Err(error),
            };
            match tended {
                // Another process was faster, or the next round tries again.
                Err(error)
                    if [ErrorKind::Conflict, ErrorKind::Precondition, ErrorKind::Unavailable]
                        .contains(&error.kind) =>
                {
                    tracing::debug!(%error, event = id, "event skipped until the next round");
                }
                Err(error) => tracing::error!(%error, event = id, "scheduled work of an event failed"),
                Ok(()) => {}
            }
        }
    }
    Ok(())
}

async fn tend_one(entry: &Entry, owner: &str, process: &Process, event: &Event) -> Result<(), Error> {
    let now = entry.now();
    if event.status == EventStatus::Open && now >= event.ends_at() {
        events::set_status(entry, &event.id, &[EventStatus::Open], EventStatus::Closed).await?;
    }
    let has_work = match event.event_type {
        EventType::FirstCome => has_backlog(entry, event).await?,
        EventType::Lottery => now >= event.draws_at() && !draw::is_finished(entry, event).await?,
    };
    if has_work && event.status != EventStatus::Paused {
        loop {
            let _turn = process.turns.wait(&event.id).await;
            if decide_recording(entry, &event.id, owner, &[], &process.recent).await? != Decided::More {
                break;
            }
        }
    } else if !has_work && now >= after(event.ends_at(), LINGER) && event.status != EventStatus::Paused {
        retire(entry, &event.id).await?;
    }
    Ok(())
}

/// Whether the index shows an undecided request of the event.
pub(crate) async fn has_backlog(entry: &Entry, event: &Event) -> Result<bool, Error> {
    let progress = lease::progress(entry, &event.id).await?;
    let mut arguments = item([(name!("eventId"), event.id.as_str().into())]);
    if let Some(from) = progress.decided_until {
        arguments.insert(name!("from"), time(from).into());
    }
    let mut cursor = None;
    loop {
        let ask = Ask { cursor, ..Ask::default() };
        let page = entry.db.query("requestsOfEvent", arguments.clone(), ask).await?;
        // Damaged requests too: deciding sets them aside.
        if page.records.iter().any(|record| matches!(record.text("status"), Some("QUEUED" | "PROCESSING"))) {
            return Ok(true);
        }
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(false),
        }
    }
}

/// Takes the event off the list of live events.
async fn retire(entry: &Entry, id: &str) -> Result<(), Error> {
    Ok(entry.db.commit(vec![listing(id, false)]).await?)
}

/// Updates whether entries of an event may still have to be decided.
pub(crate) fn listing(id: &str, live: bool) -> Operation {
    let key = item([(name!("eventId"), id.into())]);
    let update = Update { key, changes: vec![set(name!("live"), live)], expected_version: None };
    Operation::Update { entity: name!("EventListing"), update, guards: Vec::new() }
}
