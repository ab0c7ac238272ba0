//! Converts refusals of a server to errors of a registry. An outage is never "not found".

use hansang_contracts::messages::errors;
use hansang_contracts::{ContractCode, ContractError, ContractRef};
use hansang_core::code::Code;
use hansang_core::validate::violation;
use hansang_core::{CoreCode, Error, ErrorKind, Message, message};
use reqwest::StatusCode;

use hansang_command::{Refusal, Unanswered};

/// The error of a server that could not be reached.
pub(super) fn lost(unanswered: Unanswered) -> ContractError {
    refused(unanswered, None)
}

/// The error of a failed request, about a version if there is one.
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
        _ if refusal.code == CoreCode::NoSuchPath.as_str() => {
            let message = message!(errors::NO_CONTRACTS);
            ContractError::Unavailable(Error::unavailable(ContractCode::NoContracts, message))
        }
        _ => error(&refusal).into(),
    }
}

/// The error with the code, kind, detail and fields of the server.
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
