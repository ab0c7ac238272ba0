//! What the SDK reports of SQS, as the errors of the port.

use std::error::Error as StdError;
use std::sync::Arc;

use aws_sdk_sqs::error::{BuildError, ProvideErrorMetadata, SdkError};
use aws_sdk_sqs::types::BatchResultErrorEntry;
use hansang_core::queue::QueueError;
use hansang_core::store::Unavailable;
use hansang_core::{Error, StoreError};

use super::Sqs;
use crate::error::{Effect, Failure, said, unexplained};
use crate::retry::Tried;

/// What an error of the SDK means.
pub(super) fn failure<E>(sqs: &Sqs, error: SdkError<E>) -> Failure<QueueError>
where
    E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
{
    if let SdkError::ServiceError(_) = &error
        && let Some(known) = answer(sqs, error.code().unwrap_or_default(), said(&error))
    {
        return known;
    }
    let (message, effect) = unexplained(&sqs.place, &error);
    let unavailable = Unavailable { message, outcome_unknown: false, source: Some(Arc::new(error)) };
    Failure { error: QueueError::Unavailable(unavailable), effect }
}

/// What it means that one message of a batch was not dealt with; nothing, if there is nothing left to do
/// for it.
pub(super) fn of_entry(sqs: &Sqs, entry: &BatchResultErrorEntry) -> Option<Failure<QueueError>> {
    let (code, message) = (entry.code(), entry.message().unwrap_or("no reason was given"));
    if is_gone(code, message) {
        return None;
    }
    Some(answer(sqs, code, message).unwrap_or_else(|| {
        let effect = if entry.sender_fault() { Effect::Refused } else { Effect::Nothing };
        let message = format!("{} did not take a message ({code}: {message}): try again later", sqs.place);
        Failure { error: QueueError::unavailable(message), effect }
    }))
}

/// The result of what may be done twice. Where an attempt may have taken effect, the error says so.
pub(super) fn settled<T>(tried: Tried<T, QueueError>) -> Result<T, QueueError> {
    tried.result.map_err(|error| match error {
        QueueError::Unavailable(unavailable) if tried.unsure => {
            QueueError::Unavailable(Unavailable { outcome_unknown: true, ..unavailable })
        }
        other => other,
    })
}

/// No client could be made.
pub(super) fn of_connection(error: StoreError) -> QueueError {
    match error {
        StoreError::Unavailable(unavailable) => QueueError::Unavailable(unavailable),
        other => QueueError::unavailable(other.to_string()),
    }
}

/// The SDK could not build a request, which means that something required was left out of it.
pub(super) fn unbuilt(error: BuildError) -> QueueError {
    QueueError::unavailable(format!("a request could not be made, which is a mistake in Hansang: {error}"))
}

/// What was left out of an answer.
pub(super) fn incomplete(sqs: &Sqs, what: &str) -> QueueError {
    QueueError::unavailable(format!("{} gave no {what}: check the endpoint", sqs.place))
}

/// Whether there is no such queue.
pub(super) fn is_unknown_queue(error: &QueueError) -> bool {
    matches!(error, QueueError::Invalid(error) if error.code == UNKNOWN)
}

/// Whether there is such a queue already, with other attributes.
pub(super) fn is_there(error: &QueueError) -> bool {
    matches!(error, QueueError::Invalid(error) if error.code == THERE)
}

const UNKNOWN: &str = "unknown_queue";
const THERE: &str = "queue_is_there";

/// What SQS said in words that are known. The rest is between it and whoever runs it.
fn answer(sqs: &Sqs, code: &str, message: &str) -> Option<Failure<QueueError>> {
    let name = &sqs.name;
    let (code, problem) = match word(code) {
        "ThrottlingException"
        | "Throttling"
        | "ThrottledException"
        | "RequestThrottled"
        | "RequestLimitExceeded"
        | "KmsThrottled"
        | "OverLimit" => {
            return Some(Failure { error: QueueError::Throttled, effect: Effect::Nothing });
        }
        "QueueDoesNotExist" | "NonExistentQueue" => {
            (UNKNOWN, format!("there is no queue `{name}` here: make it first"))
        }
        "QueueNameExists" | "QueueAlreadyExists" => {
            (THERE, format!("there is a queue `{name}` with other attributes: try again"))
        }
        "InvalidMessageContents" => ("message_invalid", format!("SQS refuses a message: {message}")),
        "BatchRequestTooLong"
        | "InvalidParameterValue"
        | "InvalidAttributeValue"
        | "InvalidAttributeName" => ("invalid_request", format!("SQS refuses the request: {message}")),
        _ => return None,
    };
    let error = QueueError::Invalid(Error::invalid(code, problem));
    Some(Failure { error, effect: Effect::Refused })
}

/// Whether a receipt is of a message that is gone, or that was delivered again. SQS has three ways to
/// say so.
fn is_gone(code: &str, message: &str) -> bool {
    match word(code) {
        "ReceiptHandleIsInvalid" | "MessageNotInflight" => true,
        "InvalidParameterValue" => message.contains("ReceiptHandle"),
        _ => false,
    }
}

/// A code without the names in front of it, which depend on the protocol.
fn word(code: &str) -> &str {
    code.rsplit(['.', '#']).next().unwrap_or(code)
}
