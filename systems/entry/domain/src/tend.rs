//! What happens to events by their times, and to requests that no message brings back.

use std::time::Duration;

use hansang_core::db::{Ask, Operation};
use hansang_core::write::Update;
use hansang_core::{Error, ErrorKind, name};

use crate::decide::{Decided, decide_noting, is_undecided};
use crate::event::load;
use crate::fields::{after, item, set, time};
use crate::lottery::draw;
use crate::worker::Process;
use crate::{Entry, Event, EventStatus, EventType, Request, events, lease};

/// How long an event is looked after when it has ended and nothing is left to decide.
const LINGER: Duration = Duration::from_secs(3600);

/// Looks after every event that is not over: closes it at its time, draws it when that is due, and decides what waits.
///
/// # Errors
/// When the table cannot be read.
pub async fn tend(entry: &Entry, owner: &str) -> Result<(), Error> {
    tend_beside(entry, owner, &Process::default()).await
}

/// As [`tend`], beside others of the same process who decide.
pub(crate) async fn tend_beside(entry: &Entry, owner: &str, process: &Process) -> Result<(), Error> {
    for (id, live) in events::listed(entry).await? {
        if live && let Some(event) = load(entry, &id, true).await? {
            match tend_one(entry, owner, process, &event).await {
                // Another process did the same, or the next round does it.
                Err(error) if [ErrorKind::Conflict, ErrorKind::Unavailable].contains(&error.kind) => {
                    tracing::debug!(%error, event = id, "an event is looked after again later");
                }
                Err(error) => tracing::error!(%error, event = id, "an event cannot be looked after"),
                Ok(()) => {}
            }
        }
    }
    Ok(())
}

async fn tend_one(entry: &Entry, owner: &str, process: &Process, event: &Event) -> Result<(), Error> {
    let now = entry.now();
    if event.status == EventStatus::Open && now >= event.ends_at() {
        events::turn(entry, &event.id, &[EventStatus::Open], EventStatus::Closed).await?;
    }
    let waits = match event.event_type {
        EventType::FirstCome => has_backlog(entry, event).await?,
        EventType::Lottery => now >= event.draws_at() && !draw::is_finished(entry, event).await?,
    };
    if waits && event.status != EventStatus::Paused {
        loop {
            let _turn = process.turns.wait(&event.id).await;
            if decide_noting(entry, &event.id, owner, &[], &process.ended).await? != Decided::More {
                break;
            }
        }
    } else if !waits && now >= after(event.ends_at(), LINGER) && event.status != EventStatus::Paused {
        retire(entry, &event.id).await?;
    }
    Ok(())
}

/// Whether a request of the event waits for its result, as far as the index shows.
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
        for record in &page.records {
            if is_undecided(&Request::of(record)?) {
                return Ok(true);
            }
        }
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(false),
        }
    }
}

/// The event needs nobody any more.
async fn retire(entry: &Entry, id: &str) -> Result<(), Error> {
    Ok(entry.db.commit(vec![listing(id, false)]).await?)
}

/// Says whether anything of an event may still have to be decided.
pub(crate) fn listing(id: &str, live: bool) -> Operation {
    let key = item([(name!("eventId"), id.into())]);
    let update = Update { key, changes: vec![set(name!("live"), live)], expected_version: None };
    Operation::Update { entity: name!("EventListing"), update, guards: Vec::new() }
}
