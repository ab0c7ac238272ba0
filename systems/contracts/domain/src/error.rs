//! Errors of registries, one variant per cause.

use std::fmt;

use hansang_core::{Error, ErrorKind, Message, message};

use crate::messages::errors;
use crate::{ContractCode, ContractRef};

/// An error of a registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContractError {
    /// The version does not exist.
    NotFound(ContractRef),
    /// The stored version cannot be decoded.
    Corrupted {
        /// The version.
        reference: ContractRef,
        /// The problem.
        reason: Message,
    },
    /// The stored spec is not the registered one.
    Integrity {
        /// The version.
        reference: ContractRef,
        /// The mismatch.
        reason: Message,
    },
    /// The registry is unavailable; the version may or may not exist.
    Unavailable(Error),
    /// The request is invalid or conflicts with the stored state.
    Refused(Error),
}

impl From<ContractError> for Error {
    fn from(error: ContractError) -> Self {
        match error {
            ContractError::NotFound(reference) => {
                let message = message!(errors::NOT_FOUND, reference.to_string());
                Self::not_found(ContractCode::ContractNotFound, message)
            }
            ContractError::Corrupted { reference, reason } => {
                let message = message!(errors::CORRUPTED, reference.to_string(), reason);
                Self::corrupt(ContractCode::ContractCorrupted, message)
            }
            ContractError::Integrity { reference, reason } => {
                let message = message!(errors::INTEGRITY, reference.to_string(), reason);
                Self::conflict(ContractCode::ContractIntegrity, message)
            }
            ContractError::Unavailable(error) | ContractError::Refused(error) => error,
        }
    }
}

/// Errors of the store are outages, all others rejections.
impl From<Error> for ContractError {
    fn from(error: Error) -> Self {
        match error.kind {
            ErrorKind::Unavailable | ErrorKind::Limited | ErrorKind::Internal => Self::Unavailable(error),
            _ => Self::Refused(error),
        }
    }
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Error::from(self.clone()).message.fmt(f)
    }
}

impl std::error::Error for ContractError {}

#[cfg(test)]
mod tests {
    use hansang_core::CoreCode;

    use super::*;

    #[test]
    fn each_cause_has_its_own_code() {
        let reference: ContractRef = "CHANGESET:a:1.0.0".parse().unwrap();
        let (one, two) = (reference.clone(), reference.clone());
        for (error, code, kind) in [
            (ContractError::NotFound(reference), ContractCode::ContractNotFound, ErrorKind::NotFound),
            (
                ContractError::Corrupted { reference: one, reason: Message::raw("x") },
                ContractCode::ContractCorrupted,
                ErrorKind::Corrupt,
            ),
            (
                ContractError::Integrity { reference: two, reason: Message::raw("x") },
                ContractCode::ContractIntegrity,
                ErrorKind::Conflict,
            ),
        ] {
            assert!(error.to_string().contains("CHANGESET:a:1.0.0"), "{error}");
            let error = Error::from(error);
            assert!(error.code == code && error.kind == kind);
        }
    }

    #[test]
    fn an_outage_stays_an_outage() {
        let outage = Error::unavailable(CoreCode::Throttled, Message::raw("try again later"));
        assert_eq!(ContractError::from(outage.clone()), ContractError::Unavailable(outage.clone()));
        assert_eq!(Error::from(ContractError::Unavailable(outage.clone())), outage);
        let refusal = Error::conflict(CoreCode::WrongState, Message::raw("y"));
        assert_eq!(ContractError::from(refusal.clone()), ContractError::Refused(refusal));
    }
}
