//! Inquiries and their mails, as they are stored.

use hansang_core::db::Ask;
use hansang_core::{Error, Item, message, name, names};
use jiff::Timestamp;
use serde::Deserialize;

use crate::post::{of_id, strong};
use crate::{Content, ContentCode, messages};

names! {
    /// The status of an inquiry.
    pub enum InquiryStatus {
        /// Not looked at.
        New = "new",
        /// Being answered.
        InProgress = "in_progress",
        /// Answered.
        Done = "done",
    }
}

names! {
    /// The purpose of a mail.
    pub enum MailKind {
        /// Tells the company of an inquiry.
        Notification = "notification",
        /// Answers the visitor.
        Reply = "reply",
    }
}

names! {
    /// The state of a mail.
    pub enum MailState {
        /// Waits to be sent.
        Pending = "pending",
        /// A mail server accepted it.
        Sent = "sent",
        /// It cannot be sent: a manager has to look at it.
        Failed = "failed",
    }
}

/// A message of a visitor. Old inquiries may lack any part.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Inquiry {
    /// The id.
    pub id: String,
    /// The name of the visitor.
    #[serde(default)]
    pub name: String,
    /// The address of the visitor.
    #[serde(default)]
    pub email: String,
    /// The company of the visitor.
    #[serde(default)]
    pub company: String,
    /// The position of the visitor.
    #[serde(default)]
    pub title: String,
    /// How the visitor found the site.
    #[serde(default)]
    pub referral: String,
    /// The subject.
    #[serde(default)]
    pub subject: String,
    /// The message.
    #[serde(default)]
    pub message: String,
    /// The status.
    pub status: InquiryStatus,
    /// The address that the notification was sent to.
    pub notified_email: Option<String>,
    /// The first reply that was sent.
    pub first_reply_message: Option<String>,
    /// Whether it looks like spam.
    #[serde(default)]
    pub spam: bool,
    /// The version of the consent text.
    pub consent_version: Option<String>,
    /// The end of the retention period.
    pub purge_at: Option<Timestamp>,
    /// The time it came in.
    #[serde(rename = "CreatedAt")]
    pub created_at: Timestamp,
}

/// A mail of an inquiry.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InquiryMail {
    /// The inquiry.
    pub inquiry_id: String,
    /// The id.
    pub id: String,
    /// The purpose.
    pub kind: MailKind,
    /// The state.
    pub state: MailState,
    /// The receiver.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// The text.
    pub body: String,
    /// Who wrote a reply.
    pub by: Option<String>,
    /// The number of attempts.
    #[serde(default)]
    pub attempts: i64,
    /// The last answer of a mail server, if it was no acceptance.
    pub error: Option<String>,
    /// The time a mail server accepted it.
    pub sent_at: Option<Timestamp>,
}

/// Finds an inquiry.
///
/// # Errors
/// If it does not exist.
pub async fn find_inquiry(content: &Content, id: &str) -> Result<Inquiry, Error> {
    let found = content.db.get("ContactInquiry", &of_id(id), &strong()).await?;
    let unknown = || Error::not_found(ContentCode::InquiryUnknown, message!(messages::INQUIRY_UNKNOWN, id));
    found.ok_or_else(unknown)?.typed()
}

/// The mails of an inquiry, oldest first.
///
/// # Errors
/// When the store fails.
pub async fn mails_of(content: &Content, inquiry_id: &str) -> Result<Vec<InquiryMail>, Error> {
    let arguments = Item::from([(name!("inquiryId"), inquiry_id.into())]);
    let (mut mails, mut cursor) = (Vec::new(), None);
    loop {
        let ask = Ask { cursor, ..Ask::default() };
        let page = content.db.query("mailsOfInquiry", arguments.clone(), ask).await?;
        mails.extend(page.records.iter().filter_map(|record| record.typed::<InquiryMail>().ok()));
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(mails),
        }
    }
}

/// The key fields of a mail.
pub(crate) fn mail_key(inquiry_id: &str, id: &str) -> Item {
    Item::from([(name!("inquiryId"), inquiry_id.into()), (name!("id"), id.into())])
}
