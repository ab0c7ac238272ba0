//! Finds requests that did not reach the queue and sends them again, in the order in which they were made.
//!
//! `queuedAt` decides who gets a seat, so after an outage of the queue the first to press must be the first to be queued.
//! One process sweeps at a time, and a request is not queued while an earlier one waits.

use std::time::Duration;

use hansang_core::db::{Ask, Operation};
use hansang_core::write::Update;
use hansang_core::{Error, ErrorKind, name};

use crate::damaged::Stored;
use crate::decide::{MAX_RETRIES, backoff, is_stale, query};
use crate::fields::{add, before, between, item};
use crate::lease::{self, Tally};
use crate::moves::{Transition, is_transient};
use crate::submit::{Payload, SHARDS, unsent_key};
use crate::{Entry, EntryCode, FailureClass, Reason, Request, ResultCode, Status, event, request};

mod notes;
mod turn;

use notes::{Notes, Unsent};
use turn::Turn;

/// The number of attempts before a request has failed: an outage of minutes, with a sweep every few seconds.
const MAX_SENDS: i64 = 50;
/// The maximum number of requests per transaction: three writes for each, and the turn.
const MAX_BATCH: usize = 33;
/// The number of times that a message is sent before the queue counts as out of order.
const SENDS: u32 = 3;

/// Sends overdue `Unsent` requests again, unless another process does. Returns their number.
///
/// # Errors
/// If the store fails.
pub async fn sweep(entry: &Entry) -> Result<usize, Error> {
    let mut notes = Notes::until(before(entry.now(), entry.settings.unsent_grace));
    let mut batch = notes.next(entry, MAX_BATCH).await?;
    if batch.is_empty() {
        return Ok(0);
    }
    let Some(mut turn) = turn::acquire(entry).await? else { return Ok(0) };
    let mut found = 0;
    let mut accepts = true;
    let swept = loop {
        if batch.is_empty() {
            break Ok(());
        }
        found += batch.len();
        match resend(entry, &mut turn, &batch, accepts).await {
            Ok(accepted) => accepts &= accepted,
            Err(error) => break passed(Err(error)),
        }
        match notes.next(entry, MAX_BATCH).await {
            Ok(next) => batch = next,
            Err(error) => break Err(error),
        }
    };
    turn.release(entry).await;
    swept.map(|()| found)
}

/// Whether an event has `Unsent` requests.
pub(crate) async fn is_awaited(entry: &Entry, event_id: &str) -> Result<bool, Error> {
    for shard in 0..SHARDS {
        let mut cursor = None;
        loop {
            let ask = Ask { cursor, fields: Some(vec!["eventId".to_owned()]), ..Ask::default() };
            let page = query(entry, "unsent", &item([(name!("shard"), shard.into())]), &ask).await?;
            if page.records.iter().any(|unsent| unsent.text("eventId") == Some(event_id)) {
                return Ok(true);
            }
            match page.next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
    }
    Ok(false)
}

/// Sends the requests of these notes, in their order, as far as the queue accepts them. Returns whether it accepted all;
/// with `accepts` false none is sent, because an earlier one was not accepted.
async fn resend(entry: &Entry, turn: &mut Turn, notes: &[Unsent], accepts: bool) -> Result<bool, Error> {
    let (notes, mut requests) = waiting(entry, notes).await?;
    let accepted = if accepts { send(entry, &requests).await } else { 0 };
    let later = requests.split_off(accepted);
    queue(entry, turn, requests).await?;
    for (note, request) in notes[accepted..].iter().zip(&later) {
        if note.attempts + 1 >= MAX_SENDS {
            give_up(entry, request).await?;
        } else {
            postpone(entry, request).await?;
        }
    }
    Ok(accepts && later.is_empty())
}

/// The requests of notes that still have to be sent, with their notes. Other notes are deleted.
async fn waiting<'n>(entry: &Entry, notes: &'n [Unsent]) -> Result<(Vec<&'n Unsent>, Vec<Request>), Error> {
    let ids: Vec<String> = notes.iter().map(|note| note.request_id.clone()).collect();
    let stored = request::load_all(entry, &ids).await?;
    let (mut kept, mut requests) = (Vec::new(), Vec::new());
    for (note, stored) in notes.iter().zip(stored) {
        match stored {
            Some(Stored::Request(request)) if request.status == Status::Received => {
                kept.push(note);
                requests.push(request);
            }
            Some(Stored::Damaged(damaged)) => match damaged.set_aside(entry, &note.event_id).await {
                Ok(()) => forget(entry, note).await?,
                Err(error) => passed(Err(error))?,
            },
            _ => forget(entry, note).await?,
        }
    }
    Ok((kept, requests))
}

/// Sends the messages of these requests. Returns the number of those before the first one that was not accepted.
async fn send(entry: &Entry, requests: &[Request]) -> usize {
    let mut accepted = vec![false; requests.len()];
    for sends in 0..SENDS {
        let missing: Vec<usize> = (0..requests.len()).filter(|position| !accepted[*position]).collect();
        if missing.is_empty() {
            break;
        }
        if sends > 0 {
            backoff(sends).await;
        }
        let messages = missing.iter().map(|position| Payload::of(&requests[*position]).message()).collect();
        for (position, sent) in missing.into_iter().zip(entry.queue.send(messages).await) {
            match sent {
                Ok(()) => accepted[position] = true,
                Err(error) => tracing::debug!(%error, request = requests[position].id, "request not queued"),
            }
        }
    }
    accepted.iter().take_while(|accepted| **accepted).count()
}

/// Records that the queue has these requests, in one transaction.
async fn queue(entry: &Entry, turn: &mut Turn, mut requests: Vec<Request>) -> Result<(), Error> {
    let window = window(entry, &requests).await?;
    let mut retries = 0;
    while !requests.is_empty() {
        let error = match turn.queue(entry, &requests, window).await {
            Ok(()) => break,
            Err(error) => error,
        };
        if error.code == EntryCode::LeaseLost || retries == MAX_RETRIES {
            return Err(error);
        }
        if !(is_transient(&error) || is_stale(&error)) {
            if let [request] = &*requests {
                tracing::error!(%error, request = request.id, "request cannot be queued");
                return postpone(entry, request).await;
            }
            for request in requests {
                Box::pin(queue(entry, turn, vec![request])).await?;
            }
            return Ok(());
        }
        retries += 1;
        backoff(retries).await;
        // The server that accepted an entry may have queued it at last.
        let ids: Vec<String> = requests.iter().map(|request| request.id.clone()).collect();
        let stored = request::load_all(entry, &ids).await?.into_iter().flatten();
        let readable = stored.filter_map(|one| match one {
            Stored::Request(request) => Some(request),
            Stored::Damaged(_) => None,
        });
        requests = readable.filter(|one| one.status == Status::Received).collect();
    }
    // `queuedAt` grows by a millisecond at least, and must not run ahead of the clock for long.
    let ahead = turn.last().map(|last| between(entry.now(), last)).unwrap_or_default();
    tokio::time::sleep(ahead.min(Duration::from_millis(MAX_BATCH as u64))).await;
    Ok(())
}

/// The time for recording `queuedAt`: that of the event with the shortest settle window.
async fn window(entry: &Entry, requests: &[Request]) -> Result<Duration, Error> {
    let mut ids: Vec<&str> = requests.iter().map(|request| &*request.event_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut shortest = Duration::MAX;
    for id in ids {
        let settle = event::load(entry, id, true).await?.map(|event| event.settle).unwrap_or_default();
        shortest = shortest.min(crate::submit::window(settle));
    }
    Ok(shortest)
}

/// Counts an attempt without success.
async fn postpone(entry: &Entry, request: &Request) -> Result<(), Error> {
    let key = unsent_key(&request.id, request.requested_at);
    let update = Update { key, changes: vec![add(name!("attempts"), 1)], expected_version: None };
    let update = Operation::Update { entity: name!("Unsent"), update, guards: Vec::new() };
    passed(entry.db.commit(vec![update]).await.map_err(Error::from))
}

/// Fails a request that the queue did not accept. Its user may enter again.
async fn give_up(entry: &Entry, request: &Request) -> Result<(), Error> {
    let (result, class) = (ResultCode::FailedIngestEnqueue, FailureClass::Retryable);
    let transition = Transition::fail(entry, request, result, class, &Reason::NotQueued);
    let mut operations = transition.operations(entry).to_vec();
    operations.push(forgotten(request));
    operations.push(lease::count(&request.event_id, Tally { failed: 1, ..Tally::default() }));
    passed(entry.db.commit(operations).await.map_err(Error::from))
}

/// Deletes the note of a request.
pub(crate) fn forgotten(request: &Request) -> Operation {
    let key = unsent_key(&request.id, request.requested_at);
    Operation::Delete { entity: name!("Unsent"), key, expected_version: None, guards: Vec::new() }
}

/// Deletes the note of a request that is queued or expired.
async fn forget(entry: &Entry, unsent: &Unsent) -> Result<(), Error> {
    let key = unsent_key(&unsent.request_id, unsent.requested_at);
    passed(entry.db.delete("Unsent", key, None).await)
}

/// Ignores conflicts with other processes and transient errors.
fn passed(result: Result<(), Error>) -> Result<(), Error> {
    match result {
        Err(error)
            if [
                ErrorKind::Conflict,
                ErrorKind::Precondition,
                ErrorKind::NotFound,
                ErrorKind::Unavailable,
            ]
            .contains(&error.kind) =>
        {
            tracing::debug!(%error, "requests skipped until the next sweep");
            Ok(())
        }
        other => other,
    }
}
