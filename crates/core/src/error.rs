//! What can go wrong with a request, by what its caller can do about it.

use std::fmt;

use crate::template::KeyError;
use crate::validate::{Violation, violation};

/// An error with a stable code for programs and a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What the caller can do.
    pub kind: ErrorKind,
    /// The stable code.
    pub code: &'static str,
    /// What happened and what to do next.
    pub message: String,
    /// The fields that are to blame, where fields are.
    pub violations: Vec<Violation>,
}

/// What the caller of a failed request can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Change the request.
    Invalid,
    /// Ask for something that exists.
    NotFound,
    /// Read again and decide anew.
    Conflict,
}

impl Error {
    /// A request that must be changed.
    pub fn invalid(code: &'static str, message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Invalid, code, message: message.into(), violations: Vec::new() }
    }

    /// Something that does not exist.
    pub fn not_found(code: &'static str, message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::NotFound, code, message: message.into(), violations: Vec::new() }
    }

    /// Something that changed or exists already.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Conflict, code, message: message.into(), violations: Vec::new() }
    }

    /// Fields that break their rules.
    #[must_use]
    pub fn fields(violations: Vec<Violation>) -> Self {
        let message = violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        Self { kind: ErrorKind::Invalid, code: "invalid_fields", message, violations }
    }
}

impl From<KeyError> for Error {
    fn from(error: KeyError) -> Self {
        Self::fields(vec![violation(&error.attribute, error.problem)])
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
