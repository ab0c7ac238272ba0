//! What a refused request is told: `application/problem+json` of RFC 9457, made in one place.

use std::time::Duration;

use axum::Router;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use hansang_core::validate::Violation;
use hansang_core::{Code, Error, ErrorKind, Message};
use serde_json::{Value as Json, json};

use crate::trace;

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The status of the response.
    pub status: StatusCode,
    /// The stable code for programs.
    pub code: Code,
    /// What happened and what to do next, for people.
    pub message: Message,
    /// The fields that are to blame, where fields are.
    pub violations: Vec<Violation>,
    /// When it makes sense to try again; whole seconds are sent, rounded up.
    pub retry_after: Option<Duration>,
}

/// The code of a [`Problem`], left in the extensions of its response for whoever counts or logs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub &'static str);

/// Shown instead of whatever an internal error says, which may be about anything.
const INTERNAL: &str = "something went wrong inside the server: give the trace id to whoever runs it";

/// What a request can wait for before it is made again, when nothing better is known.
const SOON: Duration = Duration::from_secs(1);

/// The codes of a write whose expected version is no longer the stored one.
const PRECONDITIONS: &[&str] = &["changed_meanwhile"];

/// The codes of what is stored and cannot be understood: another request would not help.
const UNREADABLE: &[&str] = &["contract_corrupted"];

impl Problem {
    /// A problem without fields that makes no promise about a second try.
    pub fn new(status: StatusCode, code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self { status, code: code.into(), message: message.into(), violations: Vec::new(), retry_after: None }
    }

    /// Too much is going on: the same request may succeed in a moment.
    pub fn try_again(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self { retry_after: Some(SOON), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message) }
    }

    /// A fault of ours. What happened belongs into the log, not here.
    #[must_use]
    pub fn internal(code: impl Into<Code>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, code, INTERNAL)
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

/// Logs what the caller must not see, and keeps the rest.
impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let status = status(&error);
        log(&error, status);
        if error.kind == ErrorKind::Internal {
            return Self::internal(error.code);
        }
        let wait = matches!(error.kind, ErrorKind::Unavailable | ErrorKind::Limited);
        Self {
            status,
            code: error.code,
            message: error.message,
            violations: error.violations,
            retry_after: wait.then_some(SOON),
        }
    }
}

/// The only place where an error becomes a status.
fn status(error: &Error) -> StatusCode {
    match error.kind {
        ErrorKind::Invalid => StatusCode::BAD_REQUEST,
        ErrorKind::Unauthenticated => StatusCode::UNAUTHORIZED,
        ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Conflict if PRECONDITIONS.contains(&error.code.as_str()) => {
            StatusCode::PRECONDITION_FAILED
        }
        ErrorKind::Conflict if UNREADABLE.contains(&error.code.as_str()) => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::Conflict => StatusCode::CONFLICT,
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
        ErrorKind::Unavailable => tracing::warn!(code, %message, %causes, "something does not answer"),
        _ => tracing::debug!(code, %message, %causes, status = status.as_u16(), "refused"),
    }
}

/// What lies beneath an error, from the nearest to the deepest.
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
        if let Some(wait) = self.retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(whole_seconds(wait)));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(Refused(self.code.as_str()));
        // A page for people is made of this, where one asked.
        response.extensions_mut().insert(self);
        response
    }
}

/// At least one: zero would ask for the same again at once.
fn whole_seconds(wait: Duration) -> u64 {
    let up = u64::from(wait.subsec_nanos() > 0);
    wait.as_secs().saturating_add(up).max(1)
}

/// Answers paths and methods that do not exist with problems too.
///
/// It covers the routes that `router` has already, so it comes behind the last route and before the
/// layers, which then see these answers like all others.
pub fn for_unknown(router: Router) -> Router {
    router.method_not_allowed_fallback(wrong_method).fallback(async || {
        let message = "there is nothing at this path: check it against the API's description";
        Problem::new(StatusCode::NOT_FOUND, "no_such_path", message)
    })
}

/// The response to a method that a path does not take.
pub async fn wrong_method() -> Problem {
    let message = "this path does not take this method: see the Allow header for those it takes";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_status() {
        for (error, expected) in [
            (Error::invalid("x", "m"), 400),
            (Error::unauthenticated("x", "m"), 401),
            (Error::forbidden("x", "m"), 403),
            (Error::not_found("x", "m"), 404),
            (Error::conflict("already_exists", "m"), 409),
            (Error::conflict("changed_meanwhile", "m"), 412),
            (Error::conflict("contract_integrity", "m"), 409),
            (Error::conflict("contract_corrupted", "m"), 422),
            (Error::limited("x", "m"), 429),
            (Error::unavailable("x", "m"), 503),
            (Error::internal("x", "m"), 500),
        ] {
            let kind = error.kind;
            let problem = Problem::from(error);
            assert_eq!(problem.status.as_u16(), expected, "{kind:?}");
            let waits = matches!(kind, ErrorKind::Limited | ErrorKind::Unavailable);
            assert_eq!(problem.retry_after.is_some(), waits, "{kind:?}");
        }
    }

    #[test]
    fn an_internal_error_says_nothing_of_itself() {
        let problem = Problem::from(Error::internal("unexplained", "the password is hunter2"));
        assert!(!problem.json().to_string().contains("hunter2"));
        assert_eq!(problem.json()["code"], "unexplained");
    }

    #[test]
    fn fields_are_named() {
        let violation = Violation { attribute: "slug".to_owned(), problem: "is taken".into() };
        let json = Problem::from(Error::fields(vec![violation])).json();
        assert_eq!(json["errors"], json!([{ "field": "slug", "message": "is taken" }]));
        assert_eq!((&json["type"], &json["title"]), (&json!("about:blank"), &json!("Bad Request")));
    }

    #[test]
    fn waiting_is_rounded_up() {
        assert_eq!(whole_seconds(Duration::ZERO), 1);
        assert_eq!(whole_seconds(Duration::from_millis(1001)), 2);
        assert_eq!(whole_seconds(Duration::from_secs(7)), 7);
    }
}
