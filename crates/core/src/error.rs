//! What can go wrong with a request, by what its caller can do about it.

use std::fmt;
use std::sync::Arc;

use crate::code::{Code, CoreCode};
use crate::message::{Join, Message};
use crate::template::KeyError;
use crate::validate::{Violation, violation};

/// An error with a stable code for programs and a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What the caller can do.
    pub kind: ErrorKind,
    /// The stable code.
    pub code: Code,
    /// What happened and what to do next.
    pub message: Message,
    /// The fields that are to blame, where fields are.
    pub violations: Vec<Violation>,
    /// What lies beneath: for the log, never for the caller.
    pub source: Option<Source>,
}

/// The cause of an [`Error`]. Two are equal if they are the same one.
#[derive(Clone, Debug)]
pub struct Source(pub Arc<dyn std::error::Error + Send + Sync>);

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Source {}

/// What the caller of a failed request can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Change the request.
    Invalid,
    /// Say who you are.
    Unauthenticated,
    /// Ask somebody who may.
    Forbidden,
    /// Ask for something that exists.
    NotFound,
    /// Read again and decide anew.
    Conflict,
    /// Ask less often.
    Limited,
    /// Try again later.
    Unavailable,
    /// Tell whoever runs this: it is not the caller's fault.
    Internal,
}

impl Error {
    /// A request that must be changed.
    pub fn invalid(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Invalid, code, message)
    }

    /// A request of nobody, or of somebody who is not who they say.
    pub fn unauthenticated(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Unauthenticated, code, message)
    }

    /// A request of somebody who may not.
    pub fn forbidden(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Forbidden, code, message)
    }

    /// One request too many.
    pub fn limited(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Limited, code, message)
    }

    /// Something that does not exist.
    pub fn not_found(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::NotFound, code, message)
    }

    /// Something that changed or exists already.
    pub fn conflict(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Conflict, code, message)
    }

    /// Something that does not work at the moment.
    pub fn unavailable(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Unavailable, code, message)
    }

    /// Something that should never happen.
    pub fn internal(code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Internal, code, message)
    }

    fn new(kind: ErrorKind, code: impl Into<Code>, message: impl Into<Message>) -> Self {
        Self { kind, code: code.into(), message: message.into(), violations: Vec::new(), source: None }
    }

    /// The same error with what lies beneath it.
    #[must_use]
    pub fn caused_by(self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self { source: Some(Source(Arc::new(source))), ..self }
    }

    /// Fields that break their rules.
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
