//! The port to a mail server.

use async_trait::async_trait;
use hansang_core::Error;

/// A mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The id, which every attempt has in its `Message-ID`, so that a mail server or reader can drop a second copy.
    pub id: String,
    /// The receiver.
    pub to: String,
    /// The address that an answer goes to, if it is not that of the sender.
    pub reply_to: Option<String>,
    /// The subject, in one line.
    pub subject: String,
    /// The text.
    pub body: String,
}

/// The answer of a mail server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The server has the mail.
    Accepted,
    /// The server does not have it: try again later.
    Later(String),
    /// The server will never take it.
    Refused(String),
    /// The connection ended before the answer: the server may have it.
    Unknown(String),
}

/// Sends mail.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Sends one mail once.
    async fn send(&self, mail: &Mail) -> Sent;

    /// Deletes what this mailer keeps of a mail, because a person's data is erased. Can be repeated.
    async fn forget(&self, id: &str) -> Result<(), Error>;
}
