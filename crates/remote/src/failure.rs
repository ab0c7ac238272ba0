//! Failed calls and their effect.

use std::error::Error as StdError;
use std::sync::Arc;

use hansang_core::store::Unavailable;
use hansang_core::{CoreCode, Error, Message, QueueError, StoreError};
use reqwest::{StatusCode, Url};
use serde_json::Value as Json;

/// A call without a response of the port.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    pub(crate) effect: Effect,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// Effect of a failed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// No effect; a retry would fail too.
    Refused,
    /// No effect: larger than the server accepts.
    TooLarge,
    /// No effect: the server is overloaded.
    Overloaded,
    /// No effect: no connection.
    NotSent,
    /// Unknown.
    Unknown,
}

impl Failure {
    fn new(message: String, effect: Effect) -> Self {
        Self { message, effect, source: None }
    }

    /// The server was not reached, or its response was lost.
    pub(crate) fn lost(url: &Url, error: reqwest::Error) -> Self {
        let (message, effect) = if error.is_connect() {
            (format!("{url} cannot be reached: is `hansang serve` running there?"), Effect::NotSent)
        } else {
            (format!("the connection to {url} broke before its answer: check the network"), Effect::Unknown)
        };
        Self { message, effect, source: Some(Arc::new(error)) }
    }

    /// A response that is not of a Hansang server of this version, but perhaps of a proxy.
    pub(crate) fn unexpected(url: &Url) -> Self {
        let message = format!("{url} does not answer as `hansang serve` of this version does: is it one?");
        Self::new(message, Effect::Unknown)
    }

    /// The server or a proxy did not pass the call on to the port.
    pub(crate) fn refused(url: &Url, status: StatusCode, problem: &Json) -> Self {
        let code = problem["code"].as_str();
        let detail = problem["detail"].as_str().unwrap_or_default();
        let effect = match (status, code) {
            (StatusCode::PAYLOAD_TOO_LARGE, _) => Effect::TooLarge,
            (StatusCode::TOO_MANY_REQUESTS, _) => Effect::Overloaded,
            // With a code, the server rejected the call before it executed it.
            (StatusCode::SERVICE_UNAVAILABLE, Some(_)) => Effect::Overloaded,
            (status, _) if status.is_server_error() => Effect::Unknown,
            _ => Effect::Refused,
        };
        let message = match (status, code) {
            (StatusCode::NOT_FOUND, _) => {
                format!("{url} lends no ports: start `hansang serve` there with --lend-ports")
            }
            (status, _) if status.is_redirection() => {
                format!("{url} redirects to another address: use that one")
            }
            (status, None) => format!("{url} does not answer as `hansang serve` does, but with {status}"),
            (_, Some(_)) => format!("{url} refuses: {detail}"),
        };
        Self::new(message, effect)
    }

    fn unavailable(self, is_read: bool) -> Unavailable {
        let outcome_unknown = !is_read && self.effect == Effect::Unknown;
        let mut message = self.message;
        if outcome_unknown {
            message += "; the write may have taken effect all the same: read before you try again";
        }
        Unavailable { message, outcome_unknown, source: self.source }
    }

    fn too_large(&self) -> Error {
        Error::invalid(CoreCode::InvalidRequest, Message::raw(self.message.clone()))
    }

    pub(crate) fn of_store(self, is_read: bool) -> StoreError {
        match self.effect {
            Effect::TooLarge => StoreError::Invalid(self.too_large()),
            Effect::Overloaded => StoreError::Throttled,
            _ => StoreError::Unavailable(self.unavailable(is_read)),
        }
    }

    pub(crate) fn of_queue(self, is_read: bool) -> QueueError {
        match self.effect {
            Effect::TooLarge => QueueError::Invalid(self.too_large()),
            Effect::Overloaded => QueueError::Throttled,
            _ => QueueError::Unavailable(self.unavailable(is_read)),
        }
    }
}
