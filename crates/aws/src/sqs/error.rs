//! Maps SDK errors of SQS to errors of the port.

use std::error::Error as StdError;
use std::sync::Arc;

use aws_sdk_sqs::error::{BuildError, ProvideErrorMetadata, SdkError};
use aws_sdk_sqs::types::BatchResultErrorEntry;
use hansang_core::queue::QueueError;
use hansang_core::store::Unavailable;
use hansang_core::{CoreCode, Error, StoreError, message};

use super::Sqs;
use crate::error::{Effect, Failure, message_of, unexplained};
use crate::messages;
use crate::retry::Tried;

/// Maps an SDK error.
pub(super) fn failure<E>(sqs: &Sqs, error: SdkError<E>) -> Failure<QueueError>
where
    E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
{
    if let SdkError::ServiceError(_) = &error
        && let Some(failure) = known(sqs, error.code().unwrap_or_default(), message_of(&error))
    {
        return failure;
    }
    let (message, effect) = unexplained(&sqs.endpoint, &error);
    let unavailable = Unavailable { message, outcome_unknown: false, source: Some(Arc::new(error)) };
    Failure { error: QueueError::Unavailable(unavailable), effect }
}

/// Maps the error of one entry of a batch. Returns `None` if nothing is left to do for it.
pub(super) fn of_entry(sqs: &Sqs, entry: &BatchResultErrorEntry) -> Option<Failure<QueueError>> {
    let (code, message) = (entry.code(), entry.message().unwrap_or("no reason was given"));
    if is_gone(code, message) {
        return None;
    }
    Some(known(sqs, code, message).unwrap_or_else(|| {
        let effect = if entry.sender_fault() { Effect::Refused } else { Effect::Nothing };
        let message = format!("{} did not take a message ({code}: {message}): try again later", sqs.endpoint);
        Failure { error: QueueError::unavailable(message), effect }
    }))
}

/// Returns the result of a repeatable request. If an attempt may have taken effect, the error says so.
pub(super) fn settled<T>(tried: Tried<T, QueueError>) -> Result<T, QueueError> {
    tried.result.map_err(|error| match error {
        QueueError::Unavailable(unavailable) if tried.unsure => {
            QueueError::Unavailable(Unavailable { outcome_unknown: true, ..unavailable })
        }
        other => other,
    })
}

/// The error for a client that could not be created.
pub(super) fn of_connection(error: StoreError) -> QueueError {
    match error {
        StoreError::Unavailable(unavailable) => QueueError::Unavailable(unavailable),
        other => QueueError::unavailable(other.to_string()),
    }
}

/// The error for a request that the SDK could not build because a required field is missing.
pub(super) fn unbuilt(error: BuildError) -> QueueError {
    QueueError::unavailable(format!("a request could not be made, which is a mistake in Hansang: {error}"))
}

/// The error for a response without a required field.
pub(super) fn incomplete(sqs: &Sqs, what: &str) -> QueueError {
    QueueError::unavailable(format!("{} gave no {what}: check the endpoint", sqs.endpoint))
}

/// Returns whether the queue does not exist.
pub(super) fn is_unknown_queue(error: &QueueError) -> bool {
    matches!(error, QueueError::Invalid(error) if error.code == CoreCode::UnknownQueue)
}

/// Returns whether the queue exists with other attributes.
pub(super) fn is_there(error: &QueueError) -> bool {
    matches!(error, QueueError::Invalid(error) if error.code == CoreCode::QueueIsThere)
}

/// Maps known error codes. Returns `None` for others.
fn known(sqs: &Sqs, code: &str, message: &str) -> Option<Failure<QueueError>> {
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
            (CoreCode::UnknownQueue, message!(messages::UNKNOWN_QUEUE, name))
        }
        "QueueNameExists" | "QueueAlreadyExists" => {
            (CoreCode::QueueIsThere, message!(messages::QUEUE_IS_THERE, name))
        }
        "InvalidMessageContents" => (CoreCode::MessageInvalid, message!(messages::MESSAGE_REFUSED, message)),
        "BatchRequestTooLong"
        | "InvalidParameterValue"
        | "InvalidAttributeValue"
        | "InvalidAttributeName" => (CoreCode::InvalidRequest, message!(messages::SQS_REFUSED, message)),
        _ => return None,
    };
    let error = QueueError::Invalid(Error::invalid(code, problem));
    Some(Failure { error, effect: Effect::Refused })
}

/// Returns whether a receipt is stale: its message is gone or was delivered again. SQS has three codes for
/// this.
fn is_gone(code: &str, message: &str) -> bool {
    match word(code) {
        "ReceiptHandleIsInvalid" | "MessageNotInflight" => true,
        "InvalidParameterValue" => message.contains("ReceiptHandle"),
        _ => false,
    }
}

/// Strips the namespace of a code, which depends on the protocol.
fn word(code: &str) -> &str {
    code.rsplit(['.', '#']).next().unwrap_or(code)
}
