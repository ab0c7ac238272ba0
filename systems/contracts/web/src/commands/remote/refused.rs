//! What a server refuses becomes the error that its registry had. An outage stays one: whatever is not
//! said about contracts says nothing about whether there are any.

use hansang_contracts::{ContractError, ContractRef};
use hansang_core::validate::violation;
use hansang_core::{Error, ErrorKind};
use reqwest::StatusCode;

use hansang_command::{Refusal, Unanswered};

/// The codes that mean something to the verbs of contracts, or to their callers.
const CODES: [&str; 13] = [
    "contract_is_draft",
    "contract_unreadable",
    "invalid_cursor",
    "invalid_fields",
    "invalid_spec",
    "no_active_version",
    "not_a_contract_name",
    "outcome_unknown",
    "reference_missing",
    "spec_too_large",
    "too_many_references",
    "version_exists",
    "wrong_state",
];

/// Nobody could be asked.
pub(super) fn lost(unanswered: Unanswered) -> ContractError {
    refused(unanswered, None)
}

/// Why there is no answer about a version, or about none in particular.
pub(super) fn refused(unanswered: Unanswered, about: Option<&ContractRef>) -> ContractError {
    let refusal = match unanswered {
        Unanswered::Lost(text) => {
            return ContractError::Unavailable(Error::unavailable("server_unreachable", text));
        }
        Unanswered::Refused(refusal) => refusal,
    };
    match (refusal.code.as_str(), about) {
        ("contract_not_found", Some(reference)) => ContractError::NotFound(reference.clone()),
        ("contract_corrupted", _) => match which(&refusal, " cannot be read: ", about) {
            Some((reference, reason)) => ContractError::Corrupted { reference, reason },
            None => error(&refusal).into(),
        },
        ("contract_integrity", _) => match which(&refusal, " is not what was registered: ", about) {
            Some((reference, reason)) => ContractError::Integrity { reference, reason },
            None => error(&refusal).into(),
        },
        ("no_such_path", _) => {
            let text = "this server serves no contracts: is --server right, and is the model `contracts` \
                        among its models?";
            ContractError::Unavailable(Error::unavailable("no_contracts", text))
        }
        _ => error(&refusal).into(),
    }
}

/// Which contract a sentence is about, and what is wrong with it: one that was asked for may name another
/// one that is broken.
fn which(refusal: &Refusal, words: &str, about: Option<&ContractRef>) -> Option<(ContractRef, String)> {
    let told = refusal.detail.strip_prefix("the contract ").and_then(|rest| rest.split_once(words));
    match told {
        Some((name, reason)) => Some((name.parse().ok()?, reason.to_owned())),
        None => Some((about?.clone(), refusal.detail.clone())),
    }
}

fn error(refusal: &Refusal) -> Error {
    let code = CODES.into_iter().find(|code| *code == refusal.code).unwrap_or("refused");
    let violations =
        refusal.fields.iter().map(|(field, problem)| violation(field, problem.clone())).collect();
    let kind = match refusal.status {
        StatusCode::BAD_REQUEST => ErrorKind::Invalid,
        StatusCode::UNAUTHORIZED => ErrorKind::Unauthenticated,
        StatusCode::FORBIDDEN => ErrorKind::Forbidden,
        StatusCode::NOT_FOUND => ErrorKind::NotFound,
        StatusCode::CONFLICT | StatusCode::PRECONDITION_FAILED | StatusCode::UNPROCESSABLE_ENTITY => {
            ErrorKind::Conflict
        }
        StatusCode::PAYLOAD_TOO_LARGE | StatusCode::UNSUPPORTED_MEDIA_TYPE => ErrorKind::Invalid,
        StatusCode::TOO_MANY_REQUESTS => ErrorKind::Limited,
        StatusCode::SERVICE_UNAVAILABLE => ErrorKind::Unavailable,
        _ => ErrorKind::Internal,
    };
    Error { kind, code: code.into(), message: refusal.text(|_| None).into(), violations, source: None }
}
