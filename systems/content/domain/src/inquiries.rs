//! Verbs for inquiries: submit, reply, change the status, release from quarantine, erase.
//!
//! A mail is written in the same transaction as the change that needs it, so neither is lost without the other.

use hansang_core::db::Operation;
use hansang_core::plan::{Change, Path};
use hansang_core::validate::{Violation, violation};
use hansang_core::write::Update;
use hansang_core::{Error, Item, Value, message, name};
use jiff::Timestamp;

use crate::inquiry::{InquiryStatus, MailKind, mail_key, mails_of};
use crate::live::time;
use crate::post::{of_id, strong};
use crate::posts::{commit, path, set};
use crate::{Content, ContentCode, Inquiry, find_inquiry, messages};

/// A message of a visitor. All parts are required.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewInquiry {
    /// The name of the visitor.
    pub name: String,
    /// The address of the visitor.
    pub email: String,
    /// The company of the visitor.
    pub company: String,
    /// The position of the visitor.
    pub title: String,
    /// How the visitor found the site.
    pub referral: String,
    /// The subject.
    pub subject: String,
    /// The message.
    pub message: String,
    /// The version of the consent text that the visitor agreed to.
    pub consent_version: String,
    /// Whether it looks like spam: it is kept for a manager, without a notification.
    pub spam: bool,
    /// The end of the retention period.
    pub purge_at: Option<Timestamp>,
}

/// Stores an inquiry and its notification.
///
/// # Errors
/// Every part that is missing or wrong.
pub async fn submit(content: &Content, new: &NewInquiry) -> Result<Inquiry, Error> {
    check(new)?;
    let id = content.new_id();
    let mut fields: Item = parts(new).map(|(name, value, _)| (name.into(), Value::from(value))).into();
    fields.extend([
        (name!("id"), id.as_str().into()),
        (name!("consentVersion"), new.consent_version.as_str().into()),
    ]);
    fields.extend(new.spam.then(|| (name!("spam"), true.into())));
    fields.extend(new.purge_at.map(|at| (name!("purgeAt"), time(at).into())));
    let mut operations =
        vec![Operation::Create { entity: name!("ContactInquiry"), fields, guards: Vec::new() }];
    if !new.spam {
        operations.extend(notification(content, &id, new.subject.as_str(), &body(new)).await?);
    }
    commit(content, operations).await?;
    find_inquiry(content, &id).await
}

/// Replies to the visitor. The inquiry is done when a mail server has accepted the reply.
///
/// # Errors
/// An empty or too long reply, or an unknown inquiry.
pub async fn reply(content: &Content, by: &str, id: &str, text: &str) -> Result<Inquiry, Error> {
    let inquiry = find_inquiry(content, id).await?;
    if !(1..=MAX_MESSAGE).contains(&text.trim().chars().count()) {
        return Err(Error::fields(vec![violation("message", message!(messages::TEXT_1_TO, MAX_MESSAGE))]));
    }
    if !is_address(&inquiry.email) {
        return Err(Error::conflict(ContentCode::NoAddress, message!(messages::NO_ADDRESS)));
    }
    let subject = format!("[FM-web 답변] {}", inquiry.subject);
    let mut operations =
        mail(content, id, MailKind::Reply, &inquiry.email, &subject, text.trim(), Some(by)).to_vec();
    let begins = inquiry.status != InquiryStatus::InProgress;
    operations
        .extend(begins.then(|| update(id, vec![set(name!("status"), InquiryStatus::InProgress.name())])));
    commit(content, operations).await?;
    find_inquiry(content, id).await
}

/// Changes the status: `done` can be reopened.
///
/// # Errors
/// A move that the lifecycle does not allow.
pub async fn set_status(content: &Content, id: &str, status: InquiryStatus) -> Result<Inquiry, Error> {
    let inquiry = find_inquiry(content, id).await?;
    if inquiry.status != status {
        commit(content, vec![update(id, vec![set(name!("status"), status.name())])]).await?;
    }
    find_inquiry(content, id).await
}

/// Takes an inquiry out of quarantine and sends its notification.
///
/// # Errors
/// An inquiry that is not in quarantine.
pub async fn release(content: &Content, id: &str) -> Result<Inquiry, Error> {
    let inquiry = find_inquiry(content, id).await?;
    if !inquiry.spam {
        return Err(Error::conflict(ContentCode::NotInQuarantine, message!(messages::NOT_IN_QUARANTINE)));
    }
    let text = NewInquiry {
        name: inquiry.name,
        email: inquiry.email,
        company: inquiry.company,
        title: inquiry.title,
        referral: inquiry.referral,
        subject: inquiry.subject.clone(),
        message: inquiry.message,
        ..NewInquiry::default()
    };
    let mut operations = vec![update(id, vec![(path(name!("spam")), Change::Remove)])];
    operations.extend(notification(content, id, &inquiry.subject, &body(&text)).await?);
    commit(content, operations).await?;
    find_inquiry(content, id).await
}

/// Erases an inquiry with its mails, at the end of its retention period or on request. Can be repeated.
///
/// # Errors
/// When the store fails; what is left is erased by the next call.
pub async fn erase(content: &Content, id: &str) -> Result<(), Error> {
    // The mails go first: without the inquiry, no call would look for them.
    for mail in mails_of(content, id).await? {
        for (entity, key) in [("Outbox", of_id(&mail.id)), ("InquiryMail", mail_key(id, &mail.id))] {
            delete(content, entity, key).await?;
        }
    }
    delete(content, "ContactInquiry", of_id(id)).await
}

async fn delete(content: &Content, entity: &str, key: Item) -> Result<(), Error> {
    match content.db.delete(entity, key, None).await {
        Err(error) if error.code == hansang_core::CoreCode::NotFound => Ok(()),
        other => other,
    }
}

/// The notification of the company, if the company has an address.
async fn notification(
    content: &Content,
    id: &str,
    subject: &str,
    body: &str,
) -> Result<Vec<Operation>, Error> {
    let company = content.db.get("CorpInfo", &Item::new(), &strong()).await?;
    let to = company.as_ref().and_then(|record| record.text("email")).filter(|email| is_address(email));
    let Some(to) = to else { return Ok(Vec::new()) };
    let subject = format!("[FM-web 문의] {subject}");
    Ok(mail(content, id, MailKind::Notification, to, &subject, body, None).to_vec())
}

/// The writes of a mail that waits.
fn mail(
    content: &Content,
    inquiry_id: &str,
    kind: MailKind,
    to: &str,
    subject: &str,
    body: &str,
    by: Option<&str>,
) -> [Operation; 2] {
    let id = content.new_id();
    let mut fields = mail_key(inquiry_id, &id);
    fields.extend([
        (name!("kind"), kind.name().into()),
        (name!("to"), to.into()),
        (name!("subject"), subject.chars().take(300).collect::<String>().into()),
        (name!("body"), body.into()),
    ]);
    fields.extend(by.map(|by| (name!("by"), by.into())));
    let mut waits = mail_key(inquiry_id, &id);
    waits.insert(name!("dueAt"), time(content.now()).into());
    [("InquiryMail", fields), ("Outbox", waits)].map(|(entity, fields)| Operation::Create {
        entity: entity.into(),
        fields,
        guards: Vec::new(),
    })
}

pub(crate) fn update(id: &str, changes: Vec<(Path, Change)>) -> Operation {
    let update = Update { key: of_id(id), changes, expected_version: None };
    Operation::Update { entity: name!("ContactInquiry"), update, guards: Vec::new() }
}

fn body(new: &NewInquiry) -> String {
    let NewInquiry { name, email, company, title, referral, message, .. } = new;
    format!("{name} <{email}>\n{company} · {title}\n{referral}\n\n{message}\n")
}

/// The maximum number of characters of a message.
const MAX_MESSAGE: usize = 5000;

/// The parts of an inquiry, with their maximum numbers of characters.
fn parts(new: &NewInquiry) -> [(&'static str, &str, usize); 7] {
    [
        ("name", &new.name, 80),
        ("email", &new.email, 254),
        ("company", &new.company, 120),
        ("title", &new.title, 80),
        ("referral", &new.referral, 120),
        ("subject", &new.subject, 200),
        ("message", &new.message, MAX_MESSAGE),
    ]
}

fn check(new: &NewInquiry) -> Result<(), Error> {
    let mut problems: Vec<Violation> = Vec::new();
    for (field, value, most) in parts(new) {
        let one_line = field == "message" || !value.contains(['\r', '\n']);
        if !(1..=most).contains(&value.trim().chars().count()) {
            problems.push(violation(field, message!(messages::TEXT_1_TO, most)));
        } else if !one_line || value.contains('\0') {
            problems.push(violation(field, message!(messages::ONE_LINE)));
        } else if field == "email" && !is_address(value) {
            problems.push(violation(field, message!(messages::NOT_AN_ADDRESS)));
        }
    }
    if new.consent_version.is_empty() {
        problems.push(violation("consent", message!(messages::CONSENT)));
    }
    if problems.is_empty() { Ok(()) } else { Err(Error::fields(problems)) }
}

/// Whether a text can be the address of a mail.
fn is_address(text: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || c.is_control() || "<>()[],;:\\\"".contains(c);
    text.rsplit_once('@').is_some_and(|(name, host)| {
        !name.is_empty()
            && name.len() <= 64
            && text.len() <= 254
            && !text.contains(odd)
            && !name.contains('@')
            && host.contains('.')
            && host
                .split('.')
                .all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'))
    })
}
