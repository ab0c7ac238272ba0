//! Maps SDK errors to errors of the port.

use std::error::Error as StdError;
use std::sync::Arc;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::CancellationReason;
use aws_sdk_dynamodb::types::error::{ConditionalCheckFailedException, TransactionCanceledException};
use hansang_core::message::Phrase;
use hansang_core::store::{FailedCondition, Unavailable};
use hansang_core::{CoreCode, Error, Message, StoreError, message};

use crate::messages;
use crate::value::{Attributes, item_from_sdk};

/// A failed attempt.
#[derive(Debug)]
pub(crate) struct Failure<E = StoreError> {
    /// Error to return if there is no further attempt.
    pub(crate) error: E,
    /// Effect of the attempt.
    pub(crate) effect: Effect,
}

/// Effect of a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// No effect; a retry would fail too.
    Refused,
    /// No effect; a retry may succeed.
    Nothing,
    /// Unknown: it was sent, and no response says whether it was done.
    Unknown,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self { error, effect: Effect::Refused }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        StoreError::Invalid(error).into()
    }
}

/// Maps an SDK error. `endpoint` is for the message.
pub(crate) fn failure<E>(endpoint: &str, error: SdkError<E>) -> Failure
where
    E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
{
    if let Some(failed) = find::<ConditionalCheckFailedException>(&error) {
        return match image(failed.item.clone()) {
            Ok(item) => StoreError::condition(item).into(),
            Err(error) => error.into(),
        };
    }
    if let Some(cancelled) = find::<TransactionCanceledException>(&error) {
        return cancellation(cancelled.cancellation_reasons());
    }
    if let SdkError::ServiceError(_) = &error
        && let Some(failure) = known(error.code().unwrap_or_default(), message_of(&error))
    {
        return failure;
    }
    let (message, effect) = unexplained(endpoint, &error);
    let unavailable = Unavailable { message, outcome_unknown: false, source: Some(Arc::new(error)) };
    Failure { error: StoreError::Unavailable(unavailable), effect }
}

/// Message of a service error.
pub(crate) fn message_of<E: ProvideErrorMetadata>(error: &SdkError<E>) -> &str {
    error.message().unwrap_or("no reason was given")
}

/// Returns a message for the operator and the effect, for errors without a known code.
pub(crate) fn unexplained<E>(endpoint: &str, error: &SdkError<E>) -> (String, Effect)
where
    E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
{
    let not_sent = || {
        format!(
            "{endpoint} cannot be reached: check the endpoint, the region, the credentials and the network"
        )
    };
    match error {
        SdkError::ServiceError(service) => {
            let (code, message) = (error.code().unwrap_or_default(), message_of(error));
            if service.raw().status().is_server_error() {
                let message = format!("{endpoint} failed ({code}: {message}): try again later");
                return (message, Effect::Unknown);
            }
            let message = format!(
                "{endpoint} refused the request ({code}: {message}): check the credentials, what they allow, \
                 and the region"
            );
            (message, Effect::Refused)
        }
        SdkError::ConstructionFailure(_) => (not_sent(), Effect::Refused),
        SdkError::DispatchFailure(dispatch) if never_sent(error) => {
            let again = dispatch.is_io() || dispatch.is_timeout();
            (not_sent(), if again { Effect::Nothing } else { Effect::Refused })
        }
        _ => {
            let message =
                format!("{endpoint} did not answer: check the endpoint, the region and the network");
            (message, Effect::Unknown)
        }
    }
}

/// Returns whether a request failed before it was sent: without credentials or a connection. The SDK tells
/// only by its text; unrecognised errors count as sent, which is safe.
fn never_sent(error: &(dyn StdError + 'static)) -> bool {
    chain(error).any(|one| {
        let text = one.to_string();
        text.contains("client error (Connect)")
            || text.contains("HTTP connect timeout")
            || text.contains("credential")
    })
}

fn chain<'e>(error: &'e (dyn StdError + 'static)) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&one| one.source())
}

fn find<'e, E: StdError + 'static>(error: &'e (dyn StdError + 'static)) -> Option<&'e E> {
    chain(error).find_map(|one| one.downcast_ref())
}

/// Maps known error codes. Returns `None` for others.
fn known(code: &str, message: &str) -> Option<Failure> {
    let transient = |error| Some(Failure { error, effect: Effect::Nothing });
    match code {
        "ProvisionedThroughputExceededException"
        | "ProvisionedThroughputExceeded"
        | "ThrottlingException"
        | "ThrottlingError"
        | "Throttling"
        | "RequestLimitExceeded"
        | "LimitExceededException" => transient(StoreError::Throttled),
        "TransactionConflictException"
        | "TransactionConflict"
        | "TransactionInProgressException"
        | "ReplicatedWriteConflictException" => transient(StoreError::Conflict),
        // A table that is being created or changed, or exists already: the caller looks again.
        "ResourceInUseException" | "TableInUseException" => Some(StoreError::Conflict.into()),
        "ResourceNotFoundException" | "TableNotFoundException" => Some(unknown_table(message).into()),
        "ValidationException"
        | "ValidationError"
        | "SerializationException"
        | "ItemCollectionSizeLimitExceededException"
        | "ItemCollectionSizeLimitExceeded" => Some(invalid(message).into()),
        _ => None,
    }
}

fn unknown_table(message: &str) -> Error {
    Error::invalid(CoreCode::UnknownTable, message!(messages::UNKNOWN_TABLE, message))
}

/// Part of a DynamoDB message, the code of [`hansang_core::apply()`] or [`hansang_core::store::check`] with
/// the same meaning, and the message to return. Only rules that depend on the stored item are checked by
/// DynamoDB.
const REFUSALS: &[(&str, CoreCode, &Phrase)] = &[
    (
        "document path provided in the update expression is invalid",
        CoreCode::NoSuchPath,
        &messages::NO_SUCH_PATH,
    ),
    (
        "operand in the update expression has an incorrect data type",
        CoreCode::WrongType,
        &messages::WRONG_TYPE,
    ),
    ("Type mismatch for attribute to update", CoreCode::WrongType, &messages::WRONG_TYPE),
    ("Item size", CoreCode::ItemTooLarge, &messages::ITEM_TOO_LARGE),
    ("Number overflow", CoreCode::NumberOutOfRange, &messages::NUMBER_OUT_OF_RANGE),
    ("Number underflow", CoreCode::NumberOutOfRange, &messages::NUMBER_OUT_OF_RANGE),
    ("38 significant digits", CoreCode::NumberOutOfRange, &messages::NUMBER_TOO_PRECISE),
    ("precision up to 38 digits", CoreCode::NumberOutOfRange, &messages::NUMBER_TOO_PRECISE),
    ("Type mismatch for Index Key", CoreCode::WrongKeyType, &messages::WRONG_KEY_TYPE),
    ("update the secondary index key to unsupported type", CoreCode::WrongKeyType, &messages::WRONG_KEY_TYPE),
    ("empty string value", CoreCode::EmptyKey, &messages::EMPTY_KEY),
    ("maximum size limit of", CoreCode::KeyTooLong, &messages::KEY_TOO_LONG),
    ("the size limit of", CoreCode::KeyTooLong, &messages::KEY_TOO_LONG),
    ("Nesting Levels have exceeded", CoreCode::TooDeep, &messages::TOO_DEEP),
    ("does not have the specified index", CoreCode::UnknownIndex, &messages::UNKNOWN_INDEX),
];

fn invalid(message: &str) -> Error {
    match REFUSALS.iter().find(|(part, _, _)| message.contains(part)) {
        Some((_, code, phrase)) => Error::invalid(*code, Message::new(phrase, Vec::new())),
        None => Error::invalid(CoreCode::InvalidRequest, message!(messages::REFUSED, message)),
    }
}

/// Maps the cancellation reasons of a transaction, which are in the order of its writes.
fn cancellation(reasons: &[CancellationReason]) -> Failure {
    let mut failed = Vec::new();
    for (index, reason) in reasons.iter().enumerate() {
        if reason.code() == Some("ConditionalCheckFailed") {
            match image(reason.item.clone()) {
                Ok(item) => failed.push(FailedCondition { index, item }),
                Err(error) => return error.into(),
            }
        }
    }
    if !failed.is_empty() {
        return StoreError::Condition(failed).into();
    }
    let others: Vec<Failure> = reasons
        .iter()
        .filter(|reason| !matches!(reason.code(), None | Some("None")))
        .map(|reason| {
            let message = reason.message().unwrap_or("no reason was given");
            known(reason.code().unwrap_or_default(), message).unwrap_or_else(|| invalid(message).into())
        })
        .collect();
    // Permanent errors take precedence over transient ones.
    let (refused, transient): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|failure| failure.effect == Effect::Refused);
    refused
        .into_iter()
        .chain(transient)
        .next()
        .unwrap_or(Failure { error: StoreError::Conflict, effect: Effect::Nothing })
}

/// Converts the item of a failed condition.
fn image(item: Option<Attributes>) -> Result<Option<hansang_core::Item>, StoreError> {
    item.filter(|item| !item.is_empty()).map(item_from_sdk).transpose()
}
