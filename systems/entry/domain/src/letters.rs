//! Dead letters, and requests that failed: an operator looks at them and sends them again.

use hansang_core::queue::DeadLetter;
use hansang_core::{Error, Value, name};
use jiff::Timestamp;

use crate::fields::{remove, set, time};
use crate::lease::{self, Tally};
use crate::moves::Move;
use crate::submit::Note;
use crate::{Entry, Request, Status, request, tend};

/// A dead letter, and the request that it is about, if it is about one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// The message.
    pub id: String,
    /// What it says.
    pub body: String,
    /// Why it is here.
    pub reason: Option<String>,
    /// Since when.
    pub since: Option<Timestamp>,
    /// The request.
    pub request: Option<Request>,
}

/// Dead letters, at most so many.
///
/// # Errors
/// When the queue or the table cannot be read.
pub async fn letters(entry: &Entry, most: usize) -> Result<Vec<Letter>, Error> {
    let mut all = Vec::new();
    for letter in entry.queue.dead(most).await? {
        let request = match note(&letter) {
            Some(note) => request::load(entry, &note.request_id).await.ok().flatten(),
            None => None,
        };
        let DeadLetter { id, body, reason, since } = letter;
        all.push(Letter { id, body, reason, since, request });
    }
    Ok(all)
}

/// Sends dead letters again, and lets the requests that they are about be decided anew. Gives how many there were.
///
/// # Errors
/// When the queue or the table does not answer; what was sent until then stays sent.
pub async fn redrive_letters(entry: &Entry, ids: &[String]) -> Result<usize, Error> {
    for letter in letters(entry, hansang_core::queue::MAX_MESSAGES).await? {
        let failed = letter.request.filter(|request| request.status == Status::FailedFinal);
        if let Some(request) = failed.filter(|_| ids.contains(&letter.id)) {
            queue_again(entry, &request, "an operator sent it again").await?;
        }
    }
    Ok(entry.queue.revive(ids).await?)
}

/// Lets a request that failed be decided anew.
///
/// # Errors
/// That there is no such request, or that it did not fail.
pub async fn redrive(entry: &Entry, request_id: &str) -> Result<Request, Error> {
    let request = request::find(entry, request_id).await?;
    if request.status != Status::FailedFinal {
        let message = format!("this request is {}: only one that failed can be sent again", request.status);
        return Err(Error::conflict("request_not_failed", message));
    }
    send_again(entry, &request, "an operator sent it again").await?;
    request::find(entry, request_id).await
}

/// Queues a request that failed, and sends its message.
pub(crate) async fn send_again(entry: &Entry, request: &Request, reason: &str) -> Result<(), Error> {
    queue_again(entry, request, reason).await?;
    // If this is lost, whoever looks after the event finds the request.
    let _ = entry.queue.send(vec![Note::of(request).message()]).await;
    Ok(())
}

/// Takes back that a request failed. It keeps its place in the order, if it had one.
async fn queue_again(entry: &Entry, request: &Request, reason: &str) -> Result<(), Error> {
    let mut step = Move::new(entry, request, Status::Queued);
    step.reason = Some(reason.to_owned());
    let queued_at = request.queued_at.unwrap_or(step.at);
    step.changes = ["resultCode", "failureClass", "errorCode", "errorMessage", "finishedAt"]
        .map(|name| remove(name.into()))
        .to_vec();
    step.changes.push(set(name!("attempts"), Value::from(0)));
    step.changes.push(set(name!("leaseUntil"), time(step.at)));
    if request.queued_at.is_none() {
        step.changes.push(set(name!("queuedAt"), time(queued_at)));
    }
    let mut operations = step.operations(entry).to_vec();
    operations.push(lease::count(&request.event_id, Tally { failed: -1, ..Tally::default() }));
    operations.push(tend::listing(&request.event_id, true));
    Ok(entry.db.commit(operations).await?)
}

fn note(letter: &DeadLetter) -> Option<Note> {
    serde_json::from_str(&letter.body).ok()
}
