//! A mail as the bytes that mail servers exchange.

use hansang_content::Mail;
use lettre::Message;
use lettre::address::Envelope;
use lettre::message::{Mailbox, SinglePart};

/// A mail that is ready to be sent.
pub(crate) struct Letter {
    pub(crate) envelope: Envelope,
    pub(crate) bytes: Vec<u8>,
}

/// Writes a mail. Every attempt has the same `Message-ID`, so that a server or a reader can drop a second copy.
pub(crate) fn write(from: &Mailbox, mail: &Mail) -> Result<Letter, String> {
    let to: Mailbox = mail.to.parse().map_err(|_| format!("`{}` is not an email address", mail.to))?;
    let id = format!("<{}@{}>", mail.id, from.email.domain());
    let mut message = Message::builder().from(from.clone()).to(to);
    // The text names the visitor too: an address that this library refuses does not stop the mail.
    if let Some(reply_to) = mail.reply_to.as_ref().and_then(|address| address.parse().ok()) {
        message = message.reply_to(reply_to);
    }
    let message = message
        .subject(mail.subject.clone())
        .message_id(Some(id))
        .singlepart(SinglePart::plain(mail.body.clone()))
        .map_err(|error| format!("the mail cannot be written: {error}"))?;
    Ok(Letter { envelope: message.envelope().clone(), bytes: message.formatted() })
}
