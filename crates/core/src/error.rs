//! Errors by the action that the caller can take.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::code::{Code, CoreCode};
use crate::message::{Join, Message};
use crate::template::KeyError;
use crate::validate::{Violation, violation};

/// An error with a stable code for programs and a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The action that the caller can take.
    pub kind: ErrorKind,
    /// The stable code.
    pub code: Code,
    /// The problem and the next step.
    pub message: Message,
    /// The fields that caused it, if fields did.
    pub violations: Vec<Violation>,
    /// The cause: for the log, never for the caller.
    pub source: Option<Source>,
}

/// The cause of an [`Error`]. Two are equal if they are the same object.
#[derive(Clone, Debug)]
pub struct Source(pub Arc<dyn std::error::Error + Send + Sync>);

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Source {}

/// The kind of an error, by the action that the caller can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Change the request.
    Invalid,
    /// Send valid credentials.
    Unauthenticated,
    /// Get the permission.
    Forbidden,
    /// Ask for something that exists.
    NotFound,
    /// Read again, then decide again.
    Conflict,
    /// Read again: the expected version is no longer the stored one.
    Precondition,
    /// Repair the stored data, which cannot be read.
    Corrupt,
    /// Ask less often.
    Limited,
    /// Try again later.
    Unavailable,
    /// Report it to the operator.
    Internal,
}

/// The source of an error that ends by itself: the time to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryAfter(pub Duration);

impl fmt::Display for RetryAfter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wait {} seconds", self.0.as_secs())
    }
}

impl std::error::Error for RetryAfter {}

impl Error {
    /// An invalid request.
    pub fn invalid(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Invalid, code, message)
    }

    /// Missing or invalid credentials.
    pub fn unauthenticated(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Unauthenticated, code, message)
    }

    /// Missing permission.
    pub fn forbidden(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Forbidden, code, message)
    }

    /// Too many requests.
    pub fn limited(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Limited, code, message)
    }

    /// A missing item or resource.
    pub fn not_found(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::NotFound, code, message)
    }

    /// A conflict with the stored state.
    pub fn conflict(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Conflict, code, message)
    }

    /// A version that is no longer the stored one.
    pub fn precondition(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Precondition, code, message)
    }

    /// Stored data that cannot be read.
    pub fn corrupt(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Corrupt, code, message)
    }

    /// A temporary failure.
    pub fn unavailable(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Unavailable, code, message)
    }

    /// An internal error.
    pub fn internal(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Internal, code, message)
    }

    fn new(kind: ErrorKind, code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self { kind, code: code.into(), message: message.into(), violations: Vec::new(), source: None }
    }

    /// The same error with its cause.
    #[must_use]
    pub fn caused_by(self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self { source: Some(Source(Arc::new(source))), ..self }
    }

    /// Invalid fields.
    #[must_use]
    pub fn fields(violations: Vec<Violation>) -> Self {
        let message = Message::join(Join::Semicolon, violations.iter().map(Violation::message));
        Self { violations, ..Self::invalid(CoreCode::InvalidFields, message) }
    }
}

impl From<KeyError> for Error {
    fn from(error: KeyError) -> Self {
        Self::fields(vec![violation(&error.attribute, error.problem)])
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| &*source.0 as &(dyn std::error::Error + 'static))
    }
}
