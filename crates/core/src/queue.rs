//! The port to message queues.
//!
//! The guarantees are few, so that every queue can give them: an accepted message is delivered at least
//! once, in no particular order, until it is acknowledged. A received message is hidden from other
//! receivers for a while; after that it is delivered again. A message that was delivered too often without
//! being acknowledged becomes a dead letter.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::code::CoreCode;
use crate::error::Error;
use crate::message;
use crate::messages::queues;
use crate::store::Unavailable;
use crate::value::Name;

/// The maximum number of messages that are sent, received, acknowledged or hidden at once.
pub const MAX_MESSAGES: usize = 1000;
/// The maximum bytes of a message.
pub const MAX_MESSAGE_BYTES: usize = 256 * 1024;
/// The maximum delay of a message.
pub const MAX_DELAY: Duration = Duration::from_secs(15 * 60);
/// The maximum time to hide a message or to wait for one.
pub const MAX_HIDDEN: Duration = Duration::from_secs(12 * 60 * 60);
/// The maximum length of a queue's name, which leaves room for the suffixes of adapters.
pub const MAX_NAME: usize = 70;
/// The maximum number of characters of the reason of a dead letter.
pub const MAX_REASON: usize = 500;
/// The reason of a dead letter that was delivered too often.
pub const TOO_OFTEN: &str = "it was delivered too often without being acknowledged";

/// A message queue.
#[async_trait]
pub trait Queue: fmt::Debug + Send + Sync {
    /// Creates the queue if it does not exist.
    async fn ensure(&self) -> Result<(), QueueError>;

    /// Sends messages, each with its own result, in their order. A message whose outcome is unknown may have
    /// been accepted; sending it again is safe, because deliveries may repeat anyway.
    async fn send(&self, messages: Vec<Message>) -> Vec<Result<(), QueueError>>;

    /// Receives up to `most` visible messages, and hides them from other receivers for `hidden`. Waits up to
    /// `wait` for the first one, and returns fewer messages rather than wait longer.
    async fn receive(
        &self,
        most: usize,
        wait: Duration,
        hidden: Duration,
    ) -> Result<Vec<Delivery>, QueueError>;

    /// Removes processed messages. One that was delivered again or is gone is skipped without an error.
    async fn acknowledge(&self, receipts: &[Receipt]) -> Result<(), QueueError>;

    /// Sets the time for which each message stays hidden from now on: longer to get more time, zero to have it
    /// delivered again at once. One that is gone is skipped without an error.
    async fn hide(&self, receipts: &[(Receipt, Duration)]) -> Result<(), QueueError>;

    /// Moves a message to the dead letters, with a reason.
    async fn bury(&self, delivery: &Delivery, reason: &str) -> Result<(), QueueError>;

    /// Up to `most` dead letters, in no particular order, unchanged.
    async fn dead(&self, most: usize) -> Result<Vec<DeadLetter>, QueueError>;

    /// Sends dead letters again as new messages, and returns how many there were.
    async fn revive(&self, ids: &[String]) -> Result<usize, QueueError>;

    /// The approximate number of messages.
    async fn depth(&self) -> Result<Depth, QueueError>;
}

/// A message to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The content.
    pub body: String,
    /// The time before it becomes visible: at most [`MAX_DELAY`].
    pub delay: Duration,
}

impl Message {
    /// A message that is visible at once.
    pub fn new(body: impl Into<String>) -> Self {
        Self { body: body.into(), delay: Duration::ZERO }
    }
}

/// The handle of one delivery, needed to acknowledge it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Receipt(pub Name);

/// A message that was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The id of the message, the same in each delivery.
    pub id: String,
    /// The handle of this delivery.
    pub receipt: Receipt,
    /// The content.
    pub body: String,
    /// The number of deliveries, this one included.
    pub attempts: u32,
}

/// A message that could not be processed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetter {
    /// The message.
    pub id: String,
    /// The content.
    pub body: String,
    /// The reason, if there is one.
    pub reason: Option<String>,
    /// The time when it became a dead letter, if known.
    pub since: Option<Timestamp>,
}

/// The approximate number of messages in a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// Messages that can be received.
    pub visible: u64,
    /// Messages that were received or are delayed.
    pub hidden: u64,
    /// Dead letters.
    pub dead: u64,
    /// The time when the oldest message was sent, if the queue knows it.
    pub oldest: Option<Timestamp>,
}

/// An error of a queue, by the action that the caller can take.
#[derive(Clone, Debug)]
pub enum QueueError {
    /// Too many requests, and nothing was done: try again later.
    Throttled,
    /// The request breaks a rule: change it. Nothing was done.
    Invalid(Error),
    /// The queue cannot be reached or cannot write.
    Unavailable(Unavailable),
}

impl QueueError {
    /// The queue cannot be reached or cannot write, and nothing was done.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::Unavailable(Unavailable { message: message.into(), outcome_unknown: false, source: None })
    }
}

/// Checks that a message can be sent. The limits of every queue are checked for all of them.
///
/// # Errors
/// When it is empty, too large or delayed for too long, or has a character that some queue rejects.
pub fn check(message: &Message) -> Result<(), QueueError> {
    let problem = if message.body.is_empty() {
        message!(queues::EMPTY)
    } else if message.body.len() > MAX_MESSAGE_BYTES {
        message!(queues::TOO_LARGE, MAX_MESSAGE_BYTES, message.body.len())
    } else if message.delay > MAX_DELAY {
        message!(queues::TOO_LATE, MAX_DELAY.as_secs())
    } else if let Some(strange) = message.body.chars().find(|one| !is_carried(*one)) {
        message!(queues::CHARACTER, format!("{:04X}", u32::from(strange)))
    } else {
        return Ok(());
    };
    Err(invalid(CoreCode::MessageInvalid, problem))
}

/// Checks the number of messages, receipts or ids of one call.
///
/// # Errors
/// When there are more than [`MAX_MESSAGES`].
pub fn check_count(count: usize) -> Result<(), QueueError> {
    if count <= MAX_MESSAGES {
        return Ok(());
    }
    Err(invalid(CoreCode::TooManyMessages, message!(queues::TOO_MANY, MAX_MESSAGES, count)))
}

/// Checks the time to hide a message or to wait for one.
///
/// # Errors
/// When it is longer than [`MAX_HIDDEN`].
pub fn check_time(time: Duration) -> Result<(), QueueError> {
    if time <= MAX_HIDDEN {
        return Ok(());
    }
    Err(invalid(CoreCode::TimeTooLong, message!(queues::TIME_TOO_LONG, MAX_HIDDEN.as_secs())))
}

/// Checks the name of a queue.
///
/// # Errors
/// When it is empty, longer than [`MAX_NAME`], or has other characters than letters, digits, `-` and `_`.
pub fn check_name(name: &str) -> Result<(), QueueError> {
    let fits = |one: char| one.is_ascii_alphanumeric() || one == '-' || one == '_';
    if (1..=MAX_NAME).contains(&name.len()) && name.chars().all(fits) {
        return Ok(());
    }
    Err(invalid(CoreCode::QueueNameInvalid, message!(queues::NAME, MAX_NAME, name)))
}

/// The reason of a dead letter as every queue can store it: truncated, and without invalid characters.
/// `None` if it is empty.
#[must_use]
pub fn reason(text: &str) -> Option<String> {
    let kept = |one: char| if is_carried(one) { one } else { char::REPLACEMENT_CHARACTER };
    let text: String = text.trim().chars().take(MAX_REASON).map(kept).collect();
    if text.is_empty() { None } else { Some(text) }
}

/// SQS accepts the characters of XML 1.0, in its JSON protocol too.
fn is_carried(one: char) -> bool {
    matches!(one, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

fn invalid(code: CoreCode, problem: message::Message) -> QueueError {
    QueueError::Invalid(Error::invalid(code, problem))
}

impl fmt::Display for QueueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Throttled => message!(queues::THROTTLED).fmt(f),
            Self::Invalid(error) => error.fmt(f),
            Self::Unavailable(unavailable) => f.write_str(&unavailable.message),
        }
    }
}

impl std::error::Error for QueueError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unavailable(unavailable) => {
                unavailable.source.as_ref().map(|source| &**source as &(dyn std::error::Error + 'static))
            }
            _ => None,
        }
    }
}

impl From<QueueError> for Error {
    fn from(error: QueueError) -> Self {
        match error {
            QueueError::Invalid(error) => error,
            QueueError::Throttled => Self::unavailable(CoreCode::QueueThrottled, message!(queues::THROTTLED)),
            QueueError::Unavailable(_) => {
                Self::unavailable(CoreCode::QueueUnavailable, message!(queues::UNAVAILABLE)).caused_by(error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(body: &str) -> Result<(), String> {
        check(&Message::new(body)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_message_is_any_text_that_every_queue_carries() {
        for fine in ["x", "\t\r\n \u{7f}\u{85}", "한상 \u{FFFD}", "\u{10000}\u{10FFFF}😀"] {
            assert_eq!(says(fine), Ok(()), "{fine:?}");
        }
        for (strange, code) in
            [("a\0", "U+0000"), ("\u{1b}", "U+001B"), ("x\u{FFFE}", "U+FFFE"), ("\u{FFFF}", "U+FFFF")]
        {
            assert_eq!(
                says(strange),
                Err(format!("a message must not contain the character {code}: encode it"))
            );
        }
    }

    #[test]
    fn bounds_belong_to_what_is_allowed() {
        assert_eq!(says(&"x".repeat(MAX_MESSAGE_BYTES)), Ok(()));
        assert!(says(&"x".repeat(MAX_MESSAGE_BYTES + 1)).is_err());
        assert!(check(&Message { body: "x".to_owned(), delay: MAX_DELAY }).is_ok());
        assert!(
            check(&Message { body: "x".to_owned(), delay: MAX_DELAY + Duration::from_nanos(1) }).is_err()
        );
        assert!(check_time(MAX_HIDDEN).is_ok() && check_time(MAX_HIDDEN + Duration::from_nanos(1)).is_err());
        assert!(check_count(MAX_MESSAGES).is_ok() && check_count(MAX_MESSAGES + 1).is_err());
    }

    #[test]
    fn names_fit_every_queue() {
        assert!(check_name(&"a".repeat(MAX_NAME)).is_ok() && check_name("Entry-1_x").is_ok());
        for bad in ["", "a b", "a.b", "ä", &"a".repeat(MAX_NAME + 1)] {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_reason_is_cut_and_cleaned() {
        assert_eq!(reason("  \n"), None);
        assert_eq!(reason("not\0 JSON "), Some("not\u{FFFD} JSON".to_owned()));
        assert_eq!(reason(&"한".repeat(MAX_REASON + 1)), Some("한".repeat(MAX_REASON)));
    }
}
