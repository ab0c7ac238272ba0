//! Why a contract is not given out. Each cause is one of its own, so that nobody mistakes one for another.

use std::fmt;

use hansang_core::{Error, ErrorKind};

use crate::ContractRef;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContractError {
    /// There is no such version.
    NotFound(ContractRef),
    /// What is stored cannot be understood.
    Corrupted {
        /// Which.
        reference: ContractRef,
        /// What is wrong with it.
        reason: String,
    },
    /// What is stored is not what was registered.
    Integrity {
        /// Which.
        reference: ContractRef,
        /// What does not fit.
        reason: String,
    },
    /// Nobody could be asked: this says nothing about whether there is such a contract.
    Unavailable(Error),
    /// The request cannot be done as it is.
    Refused(Error),
}

impl From<ContractError> for Error {
    fn from(error: ContractError) -> Self {
        match error {
            ContractError::NotFound(reference) => {
                Self::not_found("contract_not_found", format!("there is no contract {reference}"))
            }
            ContractError::Corrupted { reference, reason } => {
                let message = format!("the contract {reference} cannot be read: {reason}");
                Self::conflict("contract_corrupted", message)
            }
            ContractError::Integrity { reference, reason } => {
                let message = format!("the contract {reference} is not what was registered: {reason}");
                Self::conflict("contract_integrity", message)
            }
            ContractError::Unavailable(error) | ContractError::Refused(error) => error,
        }
    }
}

/// What a store could not do is an outage, and everything else a refusal.
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
    use super::*;

    #[test]
    fn each_cause_has_a_code_of_its_own() {
        let reference: ContractRef = "CHANGESET:a:1.0.0".parse().unwrap();
        let (one, two) = (reference.clone(), reference.clone());
        for (error, code, kind) in [
            (ContractError::NotFound(reference), "contract_not_found", ErrorKind::NotFound),
            (
                ContractError::Corrupted { reference: one, reason: "x".to_owned() },
                "contract_corrupted",
                ErrorKind::Conflict,
            ),
            (
                ContractError::Integrity { reference: two, reason: "x".to_owned() },
                "contract_integrity",
                ErrorKind::Conflict,
            ),
        ] {
            assert!(error.to_string().contains("CHANGESET:a:1.0.0"), "{error}");
            let told = Error::from(error);
            assert_eq!((told.code.as_str(), told.kind), (code, kind));
        }
    }

    #[test]
    fn an_outage_stays_one() {
        let outage = Error::unavailable("throttled", "try again later");
        assert_eq!(ContractError::from(outage.clone()), ContractError::Unavailable(outage.clone()));
        assert_eq!(Error::from(ContractError::Unavailable(outage.clone())), outage);
        let refusal = Error::conflict("x", "y");
        assert_eq!(ContractError::from(refusal.clone()), ContractError::Refused(refusal));
    }
}
