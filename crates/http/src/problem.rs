//! The response to a rejected request: `application/problem+json` of RFC 9457, made in one place.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use hansang_core::validate::Violation;
use hansang_core::{Code, Error, ErrorKind, Message, RetryAfter, message};
use serde_json::{Value as Json, json};

use crate::trace;
use crate::{HttpCode, messages};

/// The reason of a rejection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The status of the response.
    pub status: StatusCode,
    /// The stable code for programs.
    pub code: Code,
    /// The problem and the next step, for people.
    pub message: Message,
    /// The invalid fields, if any.
    pub violations: Vec<Violation>,
    /// The time to wait before a retry; sent in whole seconds, rounded up.
    pub retry_after: Option<Duration>,
}

/// The code of a [`Problem`] in the extensions of its response, for metrics and logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub Code);

/// The default time to wait before a retry.
const SOON: Duration = Duration::from_secs(1);
/// The interval of log entries about a dependency that does not respond.
const UNAVAILABLE_LOG_INTERVAL: Duration = Duration::from_secs(5);

impl Problem {
    /// A problem without fields and without `Retry-After`.
    pub fn new(status: StatusCode, code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self { status, code: code.into(), message: message.into(), violations: Vec::new(), retry_after: None }
    }

    /// An overload: a retry may succeed.
    pub fn try_again(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self { retry_after: Some(SOON), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message) }
    }

    /// A fault of the server. Its message does not contain the cause, which is logged.
    #[must_use]
    pub fn internal(code: impl Into<Code>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, code, message!(messages::INTERNAL))
    }

    /// The value of `Retry-After`, if the caller has to wait.
    #[must_use]
    pub fn retry_header(&self) -> Option<HeaderValue> {
        self.retry_after.map(|wait| HeaderValue::from(whole_seconds(wait)))
    }

    fn json(&self) -> Json {
        let mut body = json!({
            "type": "about:blank",
            "title": self.status.canonical_reason().unwrap_or("Error"),
            "status": self.status.as_u16(),
            "code": self.code,
            "detail": self.message.to_string(),
        });
        if let Some(trace) = trace::current() {
            body["traceId"] = trace.to_string().into();
        }
        if !self.violations.is_empty() {
            let error =
                |one: &Violation| json!({ "field": one.attribute, "message": one.problem.to_string() });
            body["errors"] = self.violations.iter().map(error).collect();
        }
        body
    }
}

/// Logs the error, and keeps the part that the caller may see.
impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let status = status(error.kind);
        log(&error, status);
        if error.kind == ErrorKind::Internal {
            return Self::internal(error.code);
        }
        let wait = matches!(error.kind, ErrorKind::Unavailable | ErrorKind::Limited);
        let known = error.source.as_ref().and_then(|source| source.0.downcast_ref::<RetryAfter>());
        let known = known.map(|wait| wait.0);
        Self {
            status,
            code: error.code,
            message: error.message,
            violations: error.violations,
            // Another problem has it only where its time is known, such as the opening of an event.
            retry_after: known.or(wait.then_some(SOON)),
        }
    }
}

/// Maps errors to statuses; nothing else does.
fn status(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Invalid => StatusCode::BAD_REQUEST,
        ErrorKind::Unauthenticated => StatusCode::UNAUTHORIZED,
        ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Conflict => StatusCode::CONFLICT,
        ErrorKind::Precondition => StatusCode::PRECONDITION_FAILED,
        ErrorKind::Corrupt => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::Limited => StatusCode::TOO_MANY_REQUESTS,
        ErrorKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn log(error: &Error, status: StatusCode) {
    let causes = causes(error);
    let (code, message) = (error.code.as_str(), &error.message);
    match error.kind {
        ErrorKind::Internal => tracing::error!(code, %message, %causes, "an internal error"),
        ErrorKind::Unavailable if is_due() => {
            tracing::warn!(code, %message, %causes, "something does not answer");
        }
        _ => tracing::debug!(code, %message, %causes, status = status.as_u16(), "refused"),
    }
}

/// Returns whether to log that a dependency does not respond: rate-limited, because every request fails then.
fn is_due() -> bool {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let due = last.is_none_or(|last| last.elapsed() >= UNAVAILABLE_LOG_INTERVAL);
    if due {
        *last = Some(Instant::now());
    }
    due
}

/// The causes of an error, outermost first.
fn causes(error: &Error) -> String {
    let first = std::error::Error::source(error);
    let all = std::iter::successors(first, |cause| cause.source());
    all.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.json().to_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(wait) = self.retry_header() {
            headers.insert(RETRY_AFTER, wait);
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(Refused(self.code));
        // Pages for people are rendered from this.
        response.extensions_mut().insert(self);
        response
    }
}

/// At least one second: zero would cause a retry at once.
fn whole_seconds(wait: Duration) -> u64 {
    let up = u64::from(wait.subsec_nanos() > 0);
    wait.as_secs().saturating_add(up).max(1)
}

/// Answers unknown paths and methods with problems too.
///
/// It covers the existing routes of `router`, so call it after the last route and before the layers, which then apply
/// to these responses too.
pub fn for_unknown(router: Router) -> Router {
    router.method_not_allowed_fallback(wrong_method).fallback(async || no_such_path())
}

/// The response to an unknown path.
#[must_use]
pub fn no_such_path() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, HttpCode::NoSuchPath, message!(messages::NO_SUCH_PATH))
}

/// The response to a method that a path does not support.
pub async fn wrong_method() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, HttpCode::MethodNotAllowed, message!(messages::WRONG_METHOD))
}

#[cfg(test)]
mod tests {
    use hansang_core::messages::fields;

    use super::*;

    #[test]
    fn every_kind_has_its_status() {
        for (error, expected) in [
            (Error::invalid(HttpCode::NotReady, message!(messages::STOPPING)), 400),
            (Error::unauthenticated(HttpCode::NotReady, message!(messages::STOPPING)), 401),
            (Error::forbidden(HttpCode::NotReady, message!(messages::STOPPING)), 403),
            (Error::not_found(HttpCode::NotReady, message!(messages::STOPPING)), 404),
            (Error::conflict(HttpCode::NotReady, message!(messages::STOPPING)), 409),
            (Error::precondition(HttpCode::NotReady, message!(messages::STOPPING)), 412),
            (Error::corrupt(HttpCode::NotReady, message!(messages::STOPPING)), 422),
            (Error::limited(HttpCode::NotReady, message!(messages::STOPPING)), 429),
            (Error::unavailable(HttpCode::NotReady, message!(messages::STOPPING)), 503),
            (Error::internal(HttpCode::NotReady, message!(messages::STOPPING)), 500),
        ] {
            let kind = error.kind;
            let problem = Problem::from(error);
            assert_eq!(problem.status.as_u16(), expected, "{kind:?}");
            let waits = matches!(kind, ErrorKind::Limited | ErrorKind::Unavailable);
            assert_eq!(problem.retry_after.is_some(), waits, "{kind:?}");
        }
    }

    #[test]
    fn a_conflict_may_know_when_it_ends() {
        let wait = Duration::from_secs(90);
        let early =
            Error::conflict(HttpCode::NotReady, message!(messages::STOPPING)).caused_by(RetryAfter(wait));
        assert_eq!(Problem::from(early).retry_header(), Some(HeaderValue::from(90)));
    }

    #[test]
    fn an_internal_error_hides_its_cause() {
        let problem =
            Problem::from(Error::internal(HttpCode::Panicked, Message::raw("the password is hunter2")));
        assert!(!problem.json().to_string().contains("hunter2"));
        assert_eq!(problem.json()["code"], "panicked");
    }

    #[test]
    fn fields_are_named() {
        let violation = Violation { attribute: "slug".to_owned(), problem: message!(fields::TAKEN) };
        let json = Problem::from(Error::fields(vec![violation])).json();
        assert_eq!(json["errors"], json!([{ "field": "slug", "message": "is taken" }]));
        assert_eq!((&json["type"], &json["title"]), (&json!("about:blank"), &json!("Bad Request")));
    }

    #[test]
    fn retry_after_is_rounded_up() {
        assert_eq!(whole_seconds(Duration::ZERO), 1);
        assert_eq!(whole_seconds(Duration::from_millis(1001)), 2);
        assert_eq!(whole_seconds(Duration::from_secs(7)), 7);
    }
}
