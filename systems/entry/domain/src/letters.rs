//! Dead letters and failed requests, which operators inspect and send again.

use hansang_core::queue::DeadLetter;
use hansang_core::{Error, Value, message, name};
use jiff::Timestamp;

use crate::fields::{remove, set, time};
use crate::lease::{self, Tally};
use crate::moves::Transition;
use crate::submit::Payload;
use crate::{Entry, EntryCode, Reason, Request, Status, messages, request, tend};

/// A dead letter and its request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// The id of the message.
    pub id: String,
    /// The body of the message.
    pub body: String,
    /// The reason it is a dead letter.
    pub reason: Option<Reason>,
    /// The time it became one.
    pub since: Option<Timestamp>,
    /// The request, if the body names one.
    pub request: Option<Request>,
}

/// Reads at most `max` dead letters.
///
/// # Errors
/// If the queue or the store fails.
pub async fn letters(entry: &Entry, max: usize) -> Result<Vec<Letter>, Error> {
    let mut all = Vec::new();
    for letter in entry.queue.dead(max).await? {
        let request = match payload(&letter) {
            Some(payload) => request::load(entry, &payload.request_id).await.ok().flatten(),
            None => None,
        };
        let DeadLetter { id, body, reason, since } = letter;
        let reason = reason.as_deref().map(Reason::read);
        all.push(Letter { id, body, reason, since, request });
    }
    Ok(all)
}

/// Sends dead letters and their failed requests again. Returns the number of letters sent.
///
/// # Errors
/// If the queue or the store fails; letters sent before stay sent.
pub async fn redrive_letters(entry: &Entry, ids: &[String]) -> Result<usize, Error> {
    for letter in letters(entry, hansang_core::queue::MAX_MESSAGES).await? {
        let failed = letter.request.filter(|request| request.status == Status::FailedFinal);
        if let Some(request) = failed.filter(|_| ids.contains(&letter.id)) {
            queue_again(entry, &request, Reason::Redriven).await?;
        }
    }
    Ok(entry.queue.revive(ids).await?)
}

/// Sends a failed request again.
///
/// # Errors
/// If the request does not exist or has not failed.
pub async fn redrive(entry: &Entry, request_id: &str) -> Result<Request, Error> {
    let request = request::find(entry, request_id).await?;
    if request.status != Status::FailedFinal {
        let message = message!(messages::REQUEST_NOT_FAILED, request.status.title());
        return Err(Error::conflict(EntryCode::RequestNotFailed, message));
    }
    send_again(entry, &request, Reason::Redriven).await?;
    request::find(entry, request_id).await
}

/// Requeues a failed request and sends its message.
pub(crate) async fn send_again(entry: &Entry, request: &Request, reason: Reason) -> Result<(), Error> {
    queue_again(entry, request, reason).await?;
    // If the message is lost, `tend` finds the request.
    let _ = entry.queue.send(vec![Payload::of(request).message()]).await;
    Ok(())
}

/// Moves a failed request back to `QUEUED`. It keeps its `queuedAt`, if it has one.
async fn queue_again(entry: &Entry, request: &Request, reason: Reason) -> Result<(), Error> {
    let mut transition = Transition::new(entry, request, Status::Queued);
    transition.reason = Some(reason);
    let queued_at = request.queued_at.unwrap_or(transition.at);
    transition.changes = ["resultCode", "failureClass", "errorCode", "errorMessage", "finishedAt"]
        .map(|name| remove(name.into()))
        .to_vec();
    transition.changes.push(set(name!("attempts"), Value::from(0)));
    transition.changes.push(set(name!("leaseUntil"), time(transition.at)));
    if request.queued_at.is_none() {
        transition.changes.push(set(name!("queuedAt"), time(queued_at)));
        // It was never claimed: it started when it failed, which was before `queuedAt`.
        transition.changes.push(remove(name!("startedAt")));
    }
    let mut operations = transition.operations(entry).to_vec();
    operations.push(lease::count(&request.event_id, Tally { failed: -1, ..Tally::default() }));
    operations.push(tend::listing(&request.event_id, true));
    Ok(entry.db.commit(operations).await?)
}

fn payload(letter: &DeadLetter) -> Option<Payload> {
    serde_json::from_str(&letter.body).ok()
}
