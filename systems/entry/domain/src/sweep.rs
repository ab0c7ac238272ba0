//! Finds requests that did not reach the queue and sends them again.

use hansang_core::db::{Ask, Operation};
use hansang_core::write::Update;
use hansang_core::{Error, ErrorKind, name};
use jiff::Timestamp;
use serde::Deserialize;

use crate::damaged::Stored;
use crate::fields::{add, before, item, time};
use crate::lease::{self, Tally};
use crate::moves::Transition;
use crate::submit::{SHARDS, enqueue, unsent_key};
use crate::{Entry, FailureClass, Reason, Request, ResultCode, Status, event, request};

/// The number of attempts before a request has failed: an outage of minutes, with a sweep every few seconds.
const MAX_SENDS: i64 = 50;

/// The note of a request that may not have reached the queue.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Unsent {
    request_id: String,
    #[serde(default)]
    event_id: String,
    requested_at: Timestamp,
    #[serde(default)]
    attempts: i64,
}

/// Sends overdue `Unsent` requests again. Returns their number.
///
/// # Errors
/// If the store fails.
pub async fn sweep(entry: &Entry) -> Result<usize, Error> {
    let due = before(entry.now(), entry.settings.unsent_grace);
    let mut found = 0;
    for shard in 0..SHARDS {
        let mut cursor = None;
        loop {
            let arguments = item([(name!("shard"), shard.into()), (name!("to"), time(due).into())]);
            let page = entry.db.query("unsent", arguments, Ask { cursor, ..Ask::default() }).await?;
            for record in &page.records {
                found += 1;
                match record.typed() {
                    Ok(unsent) => resend(entry, &unsent).await?,
                    Err(error) => tracing::error!(%error, "damaged note of an unsent request skipped"),
                }
            }
            match page.next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
    }
    Ok(found)
}

/// Whether an event has `Unsent` requests.
pub(crate) async fn is_awaited(entry: &Entry, event_id: &str) -> Result<bool, Error> {
    for shard in 0..SHARDS {
        let mut cursor = None;
        loop {
            let ask = Ask { cursor, fields: Some(vec!["eventId".to_owned()]), ..Ask::default() };
            let page = entry.db.query("unsent", item([(name!("shard"), shard.into())]), ask).await?;
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

async fn resend(entry: &Entry, unsent: &Unsent) -> Result<(), Error> {
    let id = &unsent.request_id;
    let stored = request::load_all(entry, std::slice::from_ref(id)).await?.pop().flatten();
    let request = match stored {
        Some(Stored::Request(request)) if request.status == Status::Received => request,
        Some(Stored::Damaged(damaged)) => {
            return match damaged.set_aside(entry, &unsent.event_id).await {
                Ok(()) => forget(entry, unsent).await,
                Err(error) => passed(Err(error)),
            };
        }
        _ => return forget(entry, unsent).await,
    };
    let event = event::load(entry, &request.event_id, true).await?;
    let settle = event.map(|event| event.settle).unwrap_or_default();
    match enqueue(entry, &request, settle).await {
        Ok(true) => Ok(()),
        Ok(false) if unsent.attempts + 1 >= MAX_SENDS => give_up(entry, &request).await,
        Ok(false) => {
            let update = Update {
                key: unsent_key(id, request.requested_at),
                changes: vec![add(name!("attempts"), 1)],
                expected_version: None,
            };
            passed(
                entry
                    .db
                    .commit(vec![Operation::Update { entity: name!("Unsent"), update, guards: Vec::new() }])
                    .await
                    .map_err(Error::from),
            )
        }
        // Another process was faster, or the next sweep tries again.
        Err(error) => passed(Err(error)),
    }
}

/// Fails a request that the queue did not accept. Its user may enter again.
async fn give_up(entry: &Entry, request: &Request) -> Result<(), Error> {
    let (result, class) = (ResultCode::FailedIngestEnqueue, FailureClass::Retryable);
    let transition = Transition::fail(entry, request, result, class, &Reason::NotQueued);
    let mut operations = transition.operations(entry).to_vec();
    let key = unsent_key(&request.id, request.requested_at);
    operations.push(Operation::Delete {
        entity: name!("Unsent"),
        key,
        expected_version: None,
        guards: Vec::new(),
    });
    operations.push(lease::count(&request.event_id, Tally { failed: 1, ..Tally::default() }));
    passed(entry.db.commit(operations).await.map_err(Error::from))
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
            tracing::debug!(%error, "request skipped until the next sweep");
            Ok(())
        }
        other => other,
    }
}
