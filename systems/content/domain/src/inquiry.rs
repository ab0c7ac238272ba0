//! Inquiries and their mails, as they are stored.

use hansang_core::db::Ask;
use hansang_core::{Error, Item, message, name, names};
use jiff::Timestamp;
use serde::Deserialize;

use crate::edit::all;
use crate::post::{of_id, strong};
use crate::{Content, ContentCode, SpamSign, messages};

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
    /// What made it look like spam.
    #[serde(default)]
    pub spam_signs: Vec<SpamSign>,
    /// The version of the consent text.
    pub consent_version: Option<String>,
    /// The end of the retention period.
    pub purge_at: Option<Timestamp>,
    /// The number of its mails that could not be sent.
    #[serde(default)]
    pub failed_mails: i64,
    /// The number of changes.
    #[serde(default)]
    pub revision: i64,
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
    /// The receiver. A notification has none while the company has no address.
    pub to: Option<String>,
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

/// A choice of inquiries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InquiryFilter {
    /// Only those with this status.
    pub status: Option<InquiryStatus>,
    /// Only those that are in quarantine, or only those that are not.
    pub spam: Option<bool>,
}

/// A page of inquiries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InquiryPage {
    /// The inquiries, newest first. A page may hold fewer than its limit while more follow.
    pub inquiries: Vec<Inquiry>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// The inquiries of a choice, newest first.
///
/// # Errors
/// An invalid cursor or limit.
pub async fn inquiries(content: &Content, filter: InquiryFilter, ask: Ask) -> Result<InquiryPage, Error> {
    let page = content.db.query("contactInquiries", Item::new(), ask).await?;
    let inquiries = page.records.iter().filter_map(|record| record.typed::<Inquiry>().ok());
    let chosen = inquiries.filter(|inquiry| {
        filter.status.is_none_or(|status| status == inquiry.status)
            && filter.spam.is_none_or(|spam| spam == inquiry.spam)
    });
    Ok(InquiryPage { inquiries: chosen.collect(), next: page.next })
}

/// The mails of an inquiry, oldest first.
///
/// # Errors
/// When the store fails.
pub async fn mails_of(content: &Content, inquiry_id: &str) -> Result<Vec<InquiryMail>, Error> {
    let arguments = Item::from([(name!("inquiryId"), inquiry_id.into())]);
    let records = all(content, "mailsOfInquiry", arguments).await?;
    Ok(records.iter().filter_map(|record| record.typed().ok()).collect())
}

/// The key fields of a mail.
pub(crate) fn mail_key(inquiry_id: &str, id: &str) -> Item {
    Item::from([(name!("inquiryId"), inquiry_id.into()), (name!("id"), id.into())])
}
