//! What a server refuses becomes the error that its registry had. An outage stays one: whatever is not
//! said about contracts says nothing about whether there are any.

use hansang_contracts::messages::errors;
use hansang_contracts::{ContractCode, ContractError, ContractRef};
use hansang_core::code::Code;
use hansang_core::validate::violation;
use hansang_core::{CoreCode, Error, ErrorKind, Message, message};
use reqwest::StatusCode;

use hansang_command::{Refusal, Unanswered};

/// Nobody could be asked.
pub(super) fn lost(unanswered: Unanswered) -> ContractError {
    refused(unanswered, None)
}

/// Why there is no answer about a version, or about none in particular.
pub(super) fn refused(unanswered: Unanswered, about: Option<&ContractRef>) -> ContractError {
    let refusal = match unanswered {
        Unanswered::Lost(text) => {
            let text = Message::raw(text);
            return ContractError::Unavailable(Error::unavailable(ContractCode::ServerUnreachable, text));
        }
        Unanswered::Refused(refusal) => refusal,
    };
    match (ContractCode::from_text(&refusal.code), about) {
        (Some(ContractCode::ContractNotFound), Some(reference)) => ContractError::NotFound(reference.clone()),
        (Some(ContractCode::ContractCorrupted), _) => match which(&refusal, " cannot be read: ", about) {
            Some((reference, reason)) => ContractError::Corrupted { reference, reason },
            None => error(&refusal).into(),
        },
        (Some(ContractCode::ContractIntegrity), _) => {
            match which(&refusal, " is not what was registered: ", about) {
                Some((reference, reason)) => ContractError::Integrity { reference, reason },
                None => error(&refusal).into(),
            }
        }
        _ if refusal.code == CoreCode::NoSuchPath.as_str() => {
            let message = message!(errors::NO_CONTRACTS);
            ContractError::Unavailable(Error::unavailable(ContractCode::NoContracts, message))
        }
        _ => error(&refusal).into(),
    }
}

/// Which contract a sentence is about, and what is wrong with it: one that was asked for may name another
/// one that is broken.
fn which(refusal: &Refusal, words: &str, about: Option<&ContractRef>) -> Option<(ContractRef, Message)> {
    let told = refusal.detail.strip_prefix("the contract ").and_then(|rest| rest.split_once(words));
    match told {
        Some((name, reason)) => Some((name.parse().ok()?, Message::raw(reason.to_owned()))),
        None => Some((about?.clone(), Message::raw(refusal.detail.clone()))),
    }
}

fn error(refusal: &Refusal) -> Error {
    let ours = ContractCode::from_text(&refusal.code).map(Code::from);
    let code = ours.or_else(|| CoreCode::from_text(&refusal.code).map(Code::from));
    let fields = refusal.fields.iter();
    let violations = fields.map(|(field, problem)| violation(field, Message::raw(problem.clone()))).collect();
    let kind = match refusal.status {
        StatusCode::BAD_REQUEST => ErrorKind::Invalid,
        StatusCode::UNAUTHORIZED => ErrorKind::Unauthenticated,
        StatusCode::FORBIDDEN => ErrorKind::Forbidden,
        StatusCode::NOT_FOUND => ErrorKind::NotFound,
        StatusCode::CONFLICT => ErrorKind::Conflict,
        StatusCode::PRECONDITION_FAILED => ErrorKind::Precondition,
        StatusCode::UNPROCESSABLE_ENTITY => ErrorKind::Corrupt,
        StatusCode::PAYLOAD_TOO_LARGE | StatusCode::UNSUPPORTED_MEDIA_TYPE => ErrorKind::Invalid,
        StatusCode::TOO_MANY_REQUESTS => ErrorKind::Limited,
        StatusCode::SERVICE_UNAVAILABLE => ErrorKind::Unavailable,
        _ => ErrorKind::Internal,
    };
    let code = code.unwrap_or_else(|| CoreCode::Refused.into());
    Error { kind, code, message: Message::raw(refusal.text(|_| None)), violations, source: None }
}
