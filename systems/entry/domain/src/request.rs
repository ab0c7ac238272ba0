//! Entry requests: one user's entry in one event, and its status.

use std::str::FromStr;

use hansang_core::db::{Ask, GetOptions};
use hansang_core::read::MAX_PAGE;
use hansang_core::{CoreCode, Error, Message, Name, Record, message, name, names};
use jiff::Timestamp;
use serde::Deserialize;

use crate::damaged::{Damaged, Stored};
use crate::event::{Event, EventType, need};
use crate::fields::item;
use crate::{Entry, EntryCode, Reason, messages};

/// The maximum number of reads for a page of requests with a status.
const MAX_READS: usize = 20;

names! {
    /// The status of a request, in lifecycle order.
    pub enum Status {
        /// Stored, but not known to be in the queue.
        Received = "RECEIVED",
        /// In the queue; `queued_at` is fixed.
        Queued = "QUEUED",
        /// Claimed by a decider.
        Processing = "PROCESSING",
        /// Has a seat.
        Succeeded = "SUCCEEDED",
        /// Has no seat.
        Rejected = "REJECTED",
        /// Could not be decided; needs an operator.
        FailedFinal = "FAILED_FINAL",
    }
}

names! {
    /// The outcome of a request.
    pub enum ResultCode {
        /// Has a seat.
        Success = "SUCCESS",
        /// No capacity left.
        RejectedCapacity = "REJECTED_CAPACITY",
        /// Not drawn.
        RejectedLotteryLose = "REJECTED_LOTTERY_LOSE",
        /// Never reached the queue.
        FailedIngestEnqueue = "FAILED_INGEST_ENQUEUE",
        /// Could not be decided by a worker.
        FailedWorker = "FAILED_WORKER",
    }
}

names! {
    /// Whether a retry may help.
    pub enum FailureClass {
        /// A retry may help.
        Retryable = "RETRYABLE",
        /// A retry cannot help.
        NonRetryable = "NON_RETRYABLE",
    }
}

/// One user's entry in one event.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The id, a ULID.
    #[serde(rename = "requestId")]
    pub id: String,
    /// The event.
    pub event_id: String,
    /// The user.
    pub user_id: String,
    /// The type of the event.
    pub event_type: EventType,
    /// The status.
    pub status: Status,
    /// The time it was stored.
    pub requested_at: Timestamp,
    /// The time the queue accepted it, which determines the order.
    pub queued_at: Option<Timestamp>,
    /// The time it was last claimed.
    pub started_at: Option<Timestamp>,
    /// The time it was decided.
    pub finished_at: Option<Timestamp>,
    /// The number of claims.
    #[serde(default)]
    pub attempts: i64,
    /// The decider that claimed it, while it is being decided.
    pub lease_owner: Option<String>,
    /// The time at which another decider may take it over; while it is queued, the time it was given back.
    pub lease_until: Option<Timestamp>,
    /// The outcome.
    #[serde(rename = "resultCode")]
    pub result: Option<ResultCode>,
    /// Whether a retry may help, if it failed.
    pub failure_class: Option<FailureClass>,
    /// The error, if it failed.
    #[serde(rename = "errorMessage")]
    pub error: Option<Reason>,
}

/// A page of requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestPage {
    /// The requests.
    pub requests: Vec<Request>,
    /// The requests of the page that cannot be read.
    pub damaged: Vec<Damaged>,
    /// The cursor of the next page.
    pub next: Option<String>,
    /// The cursor of the previous page.
    pub previous: Option<String>,
}

/// A line of a request's log.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Line {
    /// The time of the change.
    #[serde(rename = "occurredAt")]
    pub at: Timestamp,
    /// The status before; `None` in the first line.
    pub from: Option<Status>,
    /// The status after.
    pub to: Status,
    /// The reason, if there is one.
    pub reason: Option<Reason>,
}

/// Reads the request of any user with a strong read.
///
/// # Errors
/// If it does not exist.
pub async fn find(entry: &Entry, id: &str) -> Result<Request, Error> {
    load(entry, id).await?.ok_or_else(unknown)
}

/// Reads a request of a user. Requests of other users are reported as unknown.
///
/// # Errors
/// If the user has no such request.
pub async fn request_of(entry: &Entry, user_id: &str, id: &str) -> Result<Request, Error> {
    let request = find(entry, id).await.map_err(|error| {
        // An invalid id is reported as unknown too.
        if error.code == CoreCode::InvalidFields { unknown() } else { error }
    })?;
    if request.user_id == user_id { Ok(request) } else { Err(unknown()) }
}

/// Reads a page of a user's queued requests, newest first.
///
/// # Errors
/// If the cursor or limit is invalid.
pub async fn requests_of_user(entry: &Entry, user_id: &str, ask: Ask) -> Result<RequestPage, Error> {
    page(entry, "requestsOfUser", (name!("userId"), user_id), ask).await
}

/// Reads a page of an event's requests in queue order.
///
/// # Errors
/// If the event does not exist, or the cursor or limit is invalid.
pub async fn requests_of_event(entry: &Entry, event_id: &str, ask: Ask) -> Result<RequestPage, Error> {
    need(entry, event_id, false).await?;
    page(entry, "requestsOfEvent", (name!("eventId"), event_id), ask).await
}

/// Reads the requests of an event with one of these statuses, in queue order. A page may hold fewer than its limit, or
/// none, while more follow: it ends after a number of reads.
///
/// # Errors
/// If the event does not exist, or the cursor or limit is invalid.
pub async fn requests_with_status(
    entry: &Entry,
    event_id: &str,
    statuses: &[Status],
    ask: Ask,
) -> Result<RequestPage, Error> {
    let limit = usize::try_from(ask.limit.unwrap_or(MAX_PAGE)).unwrap_or(usize::MAX);
    let mut all = requests_of_event(entry, event_id, ask.clone()).await?;
    all.requests.retain(|request| statuses.contains(&request.status));
    for _ in 1..MAX_READS {
        let Some(cursor) = all.next.take_if(|_| all.requests.len() < limit) else { break };
        let ask = Ask { cursor: Some(cursor), ..ask.clone() };
        let page = page(entry, "requestsOfEvent", (name!("eventId"), event_id), ask).await?;
        let found = page.requests.into_iter().filter(|request| statuses.contains(&request.status));
        all.requests.extend(found);
        all.damaged.extend(page.damaged);
        all.next = page.next;
    }
    Ok(RequestPage { previous: None, ..all })
}

/// Reads the log of a request, oldest line first.
///
/// # Errors
/// If the store fails.
pub async fn log(entry: &Entry, id: &str) -> Result<Vec<Line>, Error> {
    let mut lines = Vec::new();
    let mut cursor = None;
    loop {
        let ask = Ask { cursor, consistent: Some(true), ..Ask::default() };
        let page = entry.db.query("requestLog", item([(name!("requestId"), id.into())]), ask).await?;
        lines.extend(page.records.iter().filter_map(|record| record.typed::<Line>().ok()));
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(lines),
        }
    }
}

pub(crate) async fn load(entry: &Entry, id: &str) -> Result<Option<Request>, Error> {
    let options = GetOptions { consistent: true, fields: None };
    let record = entry.db.get("Request", &item([(name!("requestId"), id.into())]), &options).await?;
    record.as_ref().map(Request::of).transpose()
}

/// Reads many requests, in the order of their ids; `None` for missing ones.
pub(crate) async fn load_all(entry: &Entry, ids: &[String]) -> Result<Vec<Option<Stored>>, Error> {
    let keys: Vec<_> = ids.iter().map(|id| item([(name!("requestId"), id.as_str().into())])).collect();
    let options = GetOptions { consistent: true, fields: None };
    let records = entry.db.batch_get("Request", &keys, &options).await?;
    Ok(records.iter().map(|record| record.as_ref().map(Stored::of)).collect())
}

async fn page(
    entry: &Entry,
    pattern: &str,
    (name, value): (Name, &str),
    ask: Ask,
) -> Result<RequestPage, Error> {
    let listing = entry.db.query(pattern, item([(name, value.into())]), ask).await?;
    let (mut requests, mut damaged) = (Vec::with_capacity(listing.records.len()), Vec::new());
    for record in &listing.records {
        match Stored::of(record) {
            Stored::Request(request) => requests.push(request),
            Stored::Damaged(one) => damaged.push(one),
        }
    }
    Ok(RequestPage { requests, damaged, next: listing.next, previous: listing.previous })
}

pub(crate) fn unknown() -> Error {
    Error::not_found(EntryCode::RequestUnknown, message!(messages::REQUEST_UNKNOWN))
}

impl Request {
    pub(crate) fn of(record: &Record) -> Result<Self, Error> {
        let damaged = |_| Error::internal(EntryCode::RequestDamaged, message!(messages::REQUEST_DAMAGED));
        record.typed().map_err(damaged)
    }

    /// Hides the result of a lottery from its user until it is announced.
    #[must_use]
    pub fn as_seen(self, event: &Event) -> Self {
        let drawn = matches!(self.status, Status::Succeeded | Status::Rejected);
        if event.event_type == EventType::Lottery && event.announced_at.is_none() && drawn {
            return Self { status: Status::Processing, result: None, finished_at: None, ..self };
        }
        self
    }

    /// The latest time in the request; the next step is not earlier.
    pub(crate) fn latest(&self) -> Timestamp {
        // In `QUEUED` this is when it was given back; in `PROCESSING` it lies in the future.
        let given_back = self.lease_until.filter(|_| self.status == Status::Queued);
        let times = [self.queued_at, self.started_at, self.finished_at, given_back];
        times.into_iter().flatten().fold(self.requested_at, Timestamp::max)
    }
}

impl Status {
    /// The name for people.
    #[must_use]
    pub fn title(self) -> Message {
        match self {
            Self::Received => message!(messages::STATUS_RECEIVED),
            Self::Queued => message!(messages::STATUS_QUEUED),
            Self::Processing => message!(messages::STATUS_PROCESSING),
            Self::Succeeded => message!(messages::STATUS_SUCCEEDED),
            Self::Rejected => message!(messages::STATUS_REJECTED),
            Self::FailedFinal => message!(messages::STATUS_FAILED),
        }
    }

    /// Whether the status changes only by an operator.
    #[must_use]
    pub fn is_final(self) -> bool {
        matches!(self, Self::Succeeded | Self::Rejected | Self::FailedFinal)
    }
}

impl ResultCode {
    /// The status of a request with this outcome.
    pub(crate) fn status(self) -> Status {
        match self {
            Self::Success => Status::Succeeded,
            Self::RejectedCapacity | Self::RejectedLotteryLose => Status::Rejected,
            Self::FailedIngestEnqueue | Self::FailedWorker => Status::FailedFinal,
        }
    }
}

impl FromStr for Status {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::named(text)
            .ok_or_else(|| Error::invalid(EntryCode::StatusUnknown, message!(messages::STATUS_UNKNOWN, text)))
    }
}
