//! The port to whatever keeps messages until they are dealt with.
//!
//! A queue promises little, so that every queue can keep it: a message that was accepted is delivered
//! at least once, perhaps twice, in no particular order, until somebody acknowledges it. Who receives
//! one has it alone for a while; after that it is delivered again. What is delivered too often without
//! being acknowledged ends among the dead letters, where it waits for a person.

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

/// The most messages that are sent, received, acknowledged or hidden at once.
pub const MAX_MESSAGES: usize = 1000;
/// The most bytes of a message.
pub const MAX_MESSAGE_BYTES: usize = 256 * 1024;
/// The longest delay of a message that is sent.
pub const MAX_DELAY: Duration = Duration::from_secs(15 * 60);
/// The longest time for which a message is hidden or waited for.
pub const MAX_HIDDEN: Duration = Duration::from_secs(12 * 60 * 60);
/// The most characters of a queue's name: with what adapters add to it, it fits every queue.
pub const MAX_NAME: usize = 70;
/// The most characters that are kept of the reason of a dead letter.
pub const MAX_REASON: usize = 500;
/// The reason of a dead letter that nobody put there.
pub const TOO_OFTEN: &str = "it was delivered too often without being acknowledged";

/// Keeps messages.
#[async_trait]
pub trait Queue: fmt::Debug + Send + Sync {
    /// Makes the queue if there is none.
    async fn ensure(&self) -> Result<(), QueueError>;

    /// Accepts messages, each by itself: one answer for each, in their order. A message whose outcome is
    /// unknown may have been accepted; sending it again is safe, because deliveries may repeat anyway.
    async fn send(&self, messages: Vec<Message>) -> Vec<Result<(), QueueError>>;

    /// Up to `most` messages that are visible, hidden from others for as long as `hidden` says. Waits up to
    /// `wait` for the first one; gives fewer, or none, rather than wait longer.
    async fn receive(
        &self,
        most: usize,
        wait: Duration,
        hidden: Duration,
    ) -> Result<Vec<Delivery>, QueueError>;

    /// Forgets messages that were dealt with. One that was delivered again since, or is gone, is left
    /// alone, and that is no error.
    async fn acknowledge(&self, receipts: &[Receipt]) -> Result<(), QueueError>;

    /// Says anew for how long each message stays hidden, from now on: longer for who needs more time, not
    /// at all to have it delivered again at once. One that is gone is no error.
    async fn hide(&self, receipts: &[(Receipt, Duration)]) -> Result<(), QueueError>;

    /// Puts a message among the dead letters, with the reason in a sentence.
    async fn bury(&self, delivery: &Delivery, reason: &str) -> Result<(), QueueError>;

    /// Up to `most` dead letters, in no particular order. Looking changes nothing.
    async fn dead(&self, most: usize) -> Result<Vec<DeadLetter>, QueueError>;

    /// Sends dead letters again, as if they were new, and gives how many of these there were.
    async fn revive(&self, ids: &[String]) -> Result<usize, QueueError>;

    /// How much is in the queue, about.
    async fn depth(&self) -> Result<Depth, QueueError>;
}

/// A message to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What it says.
    pub body: String,
    /// For how long it stays hidden first: at most [`MAX_DELAY`].
    pub delay: Duration,
}

impl Message {
    /// A message that is visible at once.
    pub fn new(body: impl Into<String>) -> Self {
        Self { body: body.into(), delay: Duration::ZERO }
    }
}

/// What proves that a message was received by whoever acknowledges it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Receipt(pub Name);

/// A message that was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The message, the same in each delivery.
    pub id: String,
    /// This delivery.
    pub receipt: Receipt,
    /// What it says.
    pub body: String,
    /// How often it was delivered, with this time.
    pub attempts: u32,
}

/// A message that nobody could deal with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetter {
    /// The message.
    pub id: String,
    /// What it says.
    pub body: String,
    /// Why it is here, if somebody said.
    pub reason: Option<String>,
    /// Since when, if that is known.
    pub since: Option<Timestamp>,
}

/// How much is in a queue, about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// Messages that can be received.
    pub visible: u64,
    /// Messages that somebody has received, or that are not due yet.
    pub hidden: u64,
    /// Dead letters.
    pub dead: u64,
    /// When the oldest message was sent, where the queue can tell.
    pub oldest: Option<Timestamp>,
}

/// Why a queue did not do what it was told, by what the caller can do.
#[derive(Clone, Debug)]
pub enum QueueError {
    /// Too much at once, and nothing was done: try again later.
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

/// Whether a message can be sent. What the wire of one queue cannot carry is refused by all of them.
///
/// # Errors
/// When it is empty, too long or delayed for too long, or has a character that no queue takes.
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

/// Whether so many messages, receipts or identifiers can be given at once.
///
/// # Errors
/// When there are more than [`MAX_MESSAGES`].
pub fn check_count(count: usize) -> Result<(), QueueError> {
    if count <= MAX_MESSAGES {
        return Ok(());
    }
    Err(invalid(CoreCode::TooManyMessages, message!(queues::TOO_MANY, MAX_MESSAGES, count)))
}

/// Whether a message can be hidden, or waited for, so long.
///
/// # Errors
/// When it is longer than [`MAX_HIDDEN`].
pub fn check_time(time: Duration) -> Result<(), QueueError> {
    if time <= MAX_HIDDEN {
        return Ok(());
    }
    Err(invalid(CoreCode::TimeTooLong, message!(queues::TIME_TOO_LONG, MAX_HIDDEN.as_secs())))
}

/// Whether a queue can have this name.
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

/// The reason of a dead letter as every queue can keep it: cut, and without characters that a message
/// cannot have either. Nothing, if nothing was said.
#[must_use]
pub fn reason(text: &str) -> Option<String> {
    let kept = |one: char| if is_carried(one) { one } else { char::REPLACEMENT_CHARACTER };
    let text: String = text.trim().chars().take(MAX_REASON).map(kept).collect();
    if text.is_empty() { None } else { Some(text) }
}

/// SQS takes the characters of XML 1.0, also where it speaks JSON.
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
