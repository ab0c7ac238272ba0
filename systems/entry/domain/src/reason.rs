//! Reasons in logs, failed requests and dead letters.
//!
//! A reason is stored as a code, with an argument after a space: `worker_stopped w1/0`. Other texts are kept as they are.

use hansang_core::message;
use hansang_core::message::Message;
use hansang_core::queue::TOO_OFTEN;
use serde::Deserialize;

use crate::messages;

/// The reason of a transition, of a failure or of a dead letter.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum Reason {
    /// An operator sent the request again.
    Redriven,
    /// The user entered again after the request failed.
    EnteredAgain,
    /// The queue did not accept the request.
    NotQueued,
    /// The request was queued after the draw.
    AfterDraw,
    /// The request could not be decided.
    Undecided,
    /// The item of the request cannot be read.
    Damaged,
    /// This number of workers stopped while they decided the request.
    WorkersStopped(i64),
    /// This worker stopped before it decided the request.
    WorkerStopped(String),
    /// The message names no request.
    NotAMessage,
    /// The event has no such request.
    NoSuchRequest,
    /// The message was delivered too often.
    DeliveredTooOften,
    /// The text of an error, or of another program.
    Text(String),
}

impl Reason {
    /// The reasons without an argument, with their codes.
    const CODES: [(Self, &str); 9] = [
        (Self::Redriven, "redriven"),
        (Self::EnteredAgain, "entered_again"),
        (Self::NotQueued, "not_queued"),
        (Self::AfterDraw, "after_draw"),
        (Self::Undecided, "undecided"),
        (Self::Damaged, "damaged"),
        (Self::NotAMessage, "not_a_message"),
        (Self::NoSuchRequest, "no_such_request"),
        (Self::DeliveredTooOften, TOO_OFTEN),
    ];

    /// The stored text.
    pub(crate) fn stored(&self) -> String {
        match self {
            Self::WorkersStopped(count) => format!("{WORKERS_STOPPED} {count}"),
            Self::WorkerStopped(worker) => format!("{WORKER_STOPPED} {worker}"),
            Self::Text(text) => text.clone(),
            _ => {
                let code = Self::CODES.iter().find(|(reason, _)| reason == self);
                code.map_or_else(String::new, |(_, code)| (*code).to_owned())
            }
        }
    }

    /// Reads a stored text.
    #[must_use]
    pub fn read(text: &str) -> Self {
        if let Some((reason, _)) = Self::CODES.into_iter().find(|(_, code)| *code == text) {
            return reason;
        }
        match text.split_once(' ') {
            Some((WORKERS_STOPPED, count)) => {
                count.parse().map_or_else(|_| Self::Text(text.to_owned()), Self::WorkersStopped)
            }
            Some((WORKER_STOPPED, worker)) => Self::WorkerStopped(worker.to_owned()),
            _ => Self::Text(text.to_owned()),
        }
    }

    /// The reason as a message.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Redriven => message!(messages::REDRIVEN),
            Self::EnteredAgain => message!(messages::ENTERED_AGAIN),
            Self::NotQueued => message!(messages::NOT_QUEUED),
            Self::AfterDraw => message!(messages::AFTER_DRAW),
            Self::Undecided => message!(messages::UNDECIDED),
            Self::Damaged => message!(messages::DAMAGED),
            Self::WorkersStopped(count) => message!(messages::WORKERS_STOPPED, *count),
            Self::WorkerStopped(worker) => message!(messages::WORKER_STOPPED, worker),
            Self::NotAMessage => message!(messages::NOT_A_MESSAGE),
            Self::NoSuchRequest => message!(messages::NO_SUCH_REQUEST),
            Self::DeliveredTooOften => message!(messages::DELIVERED_TOO_OFTEN),
            Self::Text(text) => Message::raw(text.clone()),
        }
    }
}

impl From<String> for Reason {
    fn from(text: String) -> Self {
        Self::read(&text)
    }
}

const WORKERS_STOPPED: &str = "workers_stopped";
const WORKER_STOPPED: &str = "worker_stopped";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_reason_reads_back() {
        let others = [
            Reason::WorkersStopped(8),
            Reason::WorkerStopped("w 1/0".to_owned()),
            Reason::Text("시간 초과".to_owned()),
            Reason::Text("worker_stopped".to_owned()),
            Reason::Text("workers_stopped some".to_owned()),
        ];
        for reason in Reason::CODES.into_iter().map(|(reason, _)| reason).chain(others) {
            assert_eq!(Reason::read(&reason.stored()), reason);
        }
    }
}
