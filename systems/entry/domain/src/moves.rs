//! Transitions of a request, each written together with its log line.

use hansang_core::db::Operation;
use hansang_core::plan::{self, Change, Comparison, Condition, Guard, Path};
use hansang_core::write::Update;
use hansang_core::{Error, Item, Value, message, name};
use jiff::Timestamp;

use crate::fields::{guard, item, remove, set, time, ttl};
use crate::{Entry, EntryCode, FailureClass, Reason, Request, ResultCode, Status, messages};

/// The maximum number of characters of an error message.
const MAX_MESSAGE: usize = 256;

/// A transition of a request to another status.
pub(crate) struct Transition<'r> {
    pub(crate) request: &'r Request,
    pub(crate) to: Status,
    pub(crate) at: Timestamp,
    pub(crate) changes: Vec<(Path, Change)>,
    pub(crate) reason: Option<Reason>,
}

impl<'r> Transition<'r> {
    /// A transition at the current time, or at the latest time of the request if its clock was ahead.
    pub(crate) fn new(entry: &Entry, request: &'r Request, to: Status) -> Self {
        let at = entry.now().max(request.latest());
        Self { request, to, at, changes: Vec::new(), reason: None }
    }

    /// The transition to a result.
    pub(crate) fn end(entry: &Entry, request: &'r Request, result: ResultCode) -> Self {
        let mut transition = Self::new(entry, request, result.status());
        transition.changes = vec![
            set(name!("resultCode"), result.name()),
            set(name!("finishedAt"), time(transition.at)),
            remove(name!("leaseOwner")),
            remove(name!("leaseUntil")),
        ];
        transition
    }

    /// The transition to `FAILED_FINAL`.
    pub(crate) fn fail(
        entry: &Entry,
        request: &'r Request,
        result: ResultCode,
        class: FailureClass,
        reason: &Reason,
    ) -> Self {
        let mut transition = Self::end(entry, request, result);
        let message: String = reason.stored().chars().take(MAX_MESSAGE).collect();
        transition.changes.extend([
            set(name!("failureClass"), class.name()),
            set(name!("errorCode"), result.name()),
            set(name!("errorMessage"), message.as_str()),
        ]);
        // A request that no worker ever claimed starts and ends at once.
        if request.started_at.is_none() {
            transition.changes.push(set(name!("startedAt"), time(transition.at)));
        }
        transition.reason = Some(reason.clone());
        transition
    }

    /// The writes of a rejection of a queued request, without a claim before it. Its log has both steps.
    pub(crate) fn reject_queued(entry: &Entry, request: &'r Request) -> [Operation; 3] {
        let mut transition = Self::end(entry, request, ResultCode::RejectedCapacity);
        let (at, to) = (transition.at, transition.to);
        transition.changes.push(set(name!("startedAt"), time(at)));
        let [update, _] = transition.operations(entry);
        let step = |from, to| line(entry, &request.id, (Some(from), to), at, None);
        [update, step(Status::Queued, Status::Processing), step(Status::Processing, to)]
    }

    /// The writes of the transition.
    pub(crate) fn operations(self, entry: &Entry) -> [Operation; 2] {
        let log = line(
            entry,
            &self.request.id,
            (Some(self.request.status), self.to),
            self.at,
            self.reason.as_ref(),
        );
        let mut guards = vec![guard(name!("status"), Comparison::Equal, self.request.status.name(), moved())];
        // The status alone is not enough: the request may have been claimed again by another owner, which a late write
        // must not undo, or given back since a lagging index was read.
        let as_read = match self.request.status {
            Status::Processing => {
                Some((name!("leaseOwner"), self.request.lease_owner.as_deref().map(Value::from)))
            }
            Status::Queued => Some((name!("leaseUntil"), self.request.lease_until.map(|at| time(at).into()))),
            _ => None,
        };
        guards.extend(as_read.map(|(name, value)| {
            let condition = Condition::unchanged(&name, value.as_ref());
            Guard { condition, otherwise: plan::Reason::Other(moved()) }
        }));
        let mut changes = self.changes;
        changes.push(set(name!("status"), self.to.name()));
        let mut key = item([(name!("requestId"), self.request.id.as_str().into())]);
        if self.to == Status::Queued {
            // The index keys are built from these.
            key.insert(name!("eventId"), self.request.event_id.as_str().into());
            key.insert(name!("userId"), self.request.user_id.as_str().into());
        }
        let update = Update { key, changes, expected_version: None };
        [Operation::Update { entity: name!("Request"), update, guards }, log]
    }
}

/// A log line of a request.
pub(crate) fn line(
    entry: &Entry,
    request_id: &str,
    (from, to): (Option<Status>, Status),
    at: Timestamp,
    reason: Option<&Reason>,
) -> Operation {
    let mut fields: Item = item([
        (name!("requestId"), request_id.into()),
        (name!("occurredAt"), time(at).into()),
        (name!("seq"), Value::from(sequence(entry, to))),
        (name!("to"), to.name().into()),
        (name!("ttl"), ttl(at, entry.settings.log_days)),
    ]);
    if let Some(from) = from {
        fields.insert(name!("from"), from.name().into());
    }
    let reason = reason.map(|reason| reason.stored().chars().take(MAX_MESSAGE).collect::<String>());
    if let Some(reason) = reason.filter(|reason| !reason.is_empty()) {
        fields.insert(name!("reason"), reason.into());
    }
    Operation::Create { entity: name!("RequestStatusLog"), fields, guards: Vec::new() }
}

/// Separates log lines of the same millisecond and keeps them in lifecycle order. A random collision fails the write,
/// which is retried.
fn sequence(entry: &Entry, to: Status) -> i64 {
    let rank = match to {
        Status::Received => 0,
        Status::Queued => 1,
        Status::Processing => 2,
        Status::Succeeded | Status::Rejected | Status::FailedFinal => 3,
    };
    let chance = i64::try_from(entry.db.clock().moment().random % 2000).unwrap_or_default();
    rank * 2000 + chance
}

/// Another process changed the status of the request.
pub(crate) fn moved() -> Error {
    Error::conflict(EntryCode::MovedMeanwhile, message!(messages::REQUEST_CHANGED))
}

/// Whether a retry may succeed.
pub(crate) fn is_transient(error: &Error) -> bool {
    error.kind == hansang_core::ErrorKind::Unavailable
}
