//! Requests that cannot be read, because another program changed their items. They are set aside for an operator, and
//! the other requests of their event are decided without them.

use hansang_core::validate::Violation;
use hansang_core::{Error, Record};
use jiff::Timestamp;

use crate::decide::fail;
use crate::event::EventType;
use crate::fields::{number_of, time_of};
use crate::lease::{self, Tally};
use crate::moves::{Transition, is_transient};
use crate::{Entry, EntryCode, FailureClass, Reason, Request, ResultCode, Status, request};

/// A request that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// The id, which is part of its key.
    pub id: String,
    /// The status, if it can be read.
    pub status: Option<Status>,
    /// The mismatches of its item with the model.
    pub problems: Vec<Violation>,
    /// As much of the request as a transition to `FAILED_FINAL` needs.
    partial: Option<Box<Request>>,
}

/// A stored request, readable or not.
pub(crate) enum Stored {
    /// A request.
    Request(Request),
    /// A damaged one.
    Damaged(Damaged),
}

impl Stored {
    pub(crate) fn of(record: &Record) -> Self {
        match Request::of(record) {
            Ok(request) => Self::Request(request),
            Err(_) => Self::Damaged(Damaged::of(record)),
        }
    }
}

impl Damaged {
    fn of(record: &Record) -> Self {
        let id = record.text("requestId").unwrap_or_default().to_owned();
        let status: Option<Status> = record.text("status").and_then(|text| text.parse().ok());
        let partial = status.map(|status| {
            Box::new(Request {
                id: id.clone(),
                event_id: String::new(),
                user_id: String::new(),
                event_type: EventType::FirstCome,
                status,
                requested_at: time_of(record, "requestedAt").unwrap_or(Timestamp::UNIX_EPOCH),
                queued_at: time_of(record, "queuedAt"),
                started_at: time_of(record, "startedAt"),
                finished_at: None,
                attempts: number_of(record, "attempts").unwrap_or_default(),
                lease_owner: record.text("leaseOwner").map(str::to_owned),
                lease_until: time_of(record, "leaseUntil"),
                result: None,
                failure_class: None,
                error: None,
            })
        });
        Self { id, status, problems: record.problems.clone(), partial }
    }

    /// Fails the request with [`Reason::Damaged`], unless it has a result. An operator can send it again once its item
    /// is repaired.
    ///
    /// # Errors
    /// If a retry may succeed.
    pub(crate) async fn set_aside(&self, entry: &Entry, event_id: &str) -> Result<(), Error> {
        let open = self.partial.as_deref().filter(|request| !request.status.is_final());
        let Some(request) = open else {
            if self.status.is_none() {
                tracing::error!(
                    request = self.id,
                    event = event_id,
                    "damaged request without a status skipped"
                );
            }
            return Ok(());
        };
        let request = Request { event_id: event_id.to_owned(), ..request.clone() };
        let written = match request.status {
            Status::Received => fail_received(entry, &request).await,
            _ => fail(entry, &request, FailureClass::NonRetryable, &Reason::Damaged).await,
        };
        match written {
            Ok(()) => {
                tracing::error!(request = self.id, event = event_id, problems = ?self.fields(), "damaged request set aside");
                Ok(())
            }
            Err(error) if is_transient(&error) => Err(error),
            Err(error) => {
                tracing::error!(%error, request = self.id, event = event_id, "damaged request skipped");
                Ok(())
            }
        }
    }

    /// The names of the damaged attributes.
    fn fields(&self) -> Vec<&str> {
        self.problems.iter().map(|problem| &*problem.attribute).collect()
    }
}

/// Fails a request that was never queued.
async fn fail_received(entry: &Entry, request: &Request) -> Result<(), Error> {
    let (result, class) = (ResultCode::FailedWorker, FailureClass::NonRetryable);
    let transition = Transition::fail(entry, request, result, class, &Reason::Damaged);
    let mut operations = transition.operations(entry).to_vec();
    operations.push(lease::count(&request.event_id, Tally { failed: 1, ..Tally::default() }));
    Ok(entry.db.commit(operations).await?)
}

/// The readable requests among these of one event. The damaged ones are set aside.
///
/// # Errors
/// If the store fails.
pub(crate) async fn readable(
    entry: &Entry,
    event_id: &str,
    stored: impl IntoIterator<Item = Stored>,
) -> Result<Vec<Request>, Error> {
    let mut requests = Vec::new();
    for one in stored {
        match one {
            Stored::Request(request) => requests.push(request),
            Stored::Damaged(damaged) => {
                // An index may be older than a repair of the item.
                match request::load(entry, &damaged.id).await {
                    Ok(repaired) => requests.extend(repaired),
                    Err(error) if error.code == EntryCode::RequestDamaged => {
                        damaged.set_aside(entry, event_id).await?;
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }
    Ok(requests)
}
