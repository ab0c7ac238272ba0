//! Verbs for inquiries: submit, reply, change the status, release from quarantine.
//!
//! A mail is written in the same transaction as the change that needs it, so neither is lost without the other.

use hansang_core::db::Operation;
use hansang_core::plan::{Change, Condition, Guard, Path, Reason};
use hansang_core::validate::{Violation, violation};
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, Item, Value, message, name};
use jiff::Timestamp;

use crate::edit::same_revision;
use crate::inquiry::{InquiryStatus, MailKind, mail_key};
use crate::live::time;
use crate::post::of_id;
use crate::posts::{commit, path, set};
use crate::purge::plan_purge;
use crate::webhooks::{Event, event};
use crate::{Content, ContentCode, Inquiry, SpamSign, find_inquiry, messages};

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
    /// What makes it look like spam, from [`spam_signs`](crate::spam_signs). With any sign it is kept for a manager, without a
    /// notification.
    pub spam: Vec<SpamSign>,
    /// The end of the retention period.
    pub purge_at: Option<Timestamp>,
    /// The id that its form got from [`Content::form_id`]. The same form sent twice is one inquiry.
    pub form: Option<String>,
}

/// Stores an inquiry and its notification. While the company has no address, the notification waits for one.
///
/// # Errors
/// Every part that is missing or wrong.
pub async fn submit(content: &Content, new: &NewInquiry) -> Result<Inquiry, Error> {
    check(new)?;
    let id = new.form.clone().unwrap_or_else(|| content.new_id());
    let mut fields: Item = parts(new).map(|(name, value, _)| (name.into(), Value::from(value))).into();
    fields.extend([
        (name!("id"), id.as_str().into()),
        (name!("consentVersion"), new.consent_version.as_str().into()),
        (name!("revision"), 1.into()),
    ]);
    if !new.spam.is_empty() {
        let signs = new.spam.iter().map(|sign| sign.name().into()).collect();
        fields.extend([(name!("spam"), true.into()), (name!("spamSigns"), Value::L(signs))]);
    }
    fields.extend(new.purge_at.map(|at| (name!("purgeAt"), time(at).into())));
    let mut operations =
        vec![Operation::Create { entity: name!("ContactInquiry"), fields, guards: Vec::new() }];
    operations.extend(new.purge_at.map(|at| plan_purge(&id, at)));
    if new.spam.is_empty() {
        operations.extend(notification(content, &id, new.subject.as_str(), &body(new)));
    }
    match commit(content, operations).await {
        Err(error) if new.form.is_some() && error.code == CoreCode::AlreadyExists => {
            let stored = find_inquiry(content, &id).await;
            if let Some(stored) = stored.ok().filter(|stored| is_same(stored, new)) {
                return Ok(stored);
            }
            // Another message from the same form, or an id that somebody guessed.
            let other = NewInquiry { form: None, ..new.clone() };
            return Box::pin(submit(content, &other)).await;
        }
        other => other?,
    }
    content.staged.notify_one();
    find_inquiry(content, &id).await
}

/// Whether an inquiry has every part of a new one.
fn is_same(stored: &Inquiry, new: &NewInquiry) -> bool {
    let Inquiry { name, email, company, title, referral, subject, message, .. } = stored;
    parts(new).map(|(_, part, _)| part)
        == [name, email, company, title, referral, subject, message].map(|part| &**part)
}

/// Whether a text can be the id of a form: a ULID.
#[must_use]
pub fn is_form_id(text: &str) -> bool {
    text.len() == 26 && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// Replies to the visitor. The inquiry is done when a mail server has accepted the reply.
///
/// # Errors
/// An empty or too long reply, an inquiry without an address or in quarantine, or an unknown one.
pub async fn reply(content: &Content, by: &str, id: &str, text: &str) -> Result<Inquiry, Error> {
    let inquiry = find_inquiry(content, id).await?;
    if !(1..=MAX_MESSAGE).contains(&text.trim().chars().count()) {
        return Err(Error::fields(vec![violation("message", message!(messages::TEXT_1_TO, MAX_MESSAGE))]));
    }
    if inquiry.spam {
        return Err(Error::conflict(ContentCode::InQuarantine, message!(messages::IN_QUARANTINE)));
    }
    if !is_address(&inquiry.email) {
        return Err(Error::conflict(ContentCode::NoAddress, message!(messages::NO_ADDRESS)));
    }
    let subject = format!("[FM-web 답변] {}", inquiry.subject);
    let mut operations =
        mail(content, id, MailKind::Reply, Some(&inquiry.email), &subject, text.trim(), Some(by)).to_vec();
    let begins = inquiry.status != InquiryStatus::InProgress;
    let status = begins.then(|| set(name!("status"), InquiryStatus::InProgress.name()));
    // Always a write, so that an inquiry that is erased meanwhile gets no mail.
    operations.push(update(id, status.into_iter().collect(), Vec::new()));
    commit(content, operations).await?;
    content.staged.notify_one();
    find_inquiry(content, id).await
}

/// Changes the status: `done` can be reopened. With a revision, only if the inquiry has not changed since.
///
/// # Errors
/// A move that the lifecycle does not allow, or `changed` for an older revision.
pub async fn set_status(
    content: &Content,
    id: &str,
    status: InquiryStatus,
    revision: Option<i64>,
) -> Result<Inquiry, Error> {
    let inquiry = find_inquiry(content, id).await?;
    if inquiry.status != status {
        let guards = revision.map(same_revision).into_iter().collect();
        commit(content, vec![update(id, vec![set(name!("status"), status.name())], guards)]).await?;
    }
    find_inquiry(content, id).await
}

/// Takes an inquiry out of quarantine and sends its notification.
///
/// # Errors
/// An inquiry that is not in quarantine.
pub async fn release(content: &Content, id: &str) -> Result<Inquiry, Error> {
    let inquiry = find_inquiry(content, id).await?;
    let refused = || Error::conflict(ContentCode::NotInQuarantine, message!(messages::NOT_IN_QUARANTINE));
    if !inquiry.spam {
        return Err(refused());
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
    // Two managers at once send one notification.
    let condition = Condition::unchanged(&name!("spam"), Some(&true.into()));
    let guard = Guard { condition, otherwise: Reason::Other(refused()) };
    let mut operations = vec![update(id, vec![(path(name!("spam")), Change::Remove)], vec![guard])];
    operations.extend(notification(content, id, &inquiry.subject, &body(&text)));
    commit(content, operations).await?;
    content.staged.notify_one();
    find_inquiry(content, id).await
}

/// The notification of the company, and the event. The receiver is looked up when it is sent.
fn notification(content: &Content, id: &str, subject: &str, body: &str) -> Vec<Operation> {
    let subject = format!("[FM-web 문의] {subject}");
    let mut operations = mail(content, id, MailKind::Notification, None, &subject, body, None).to_vec();
    operations.push(event(content, Event::InquiryCreated, id, None));
    operations
}

/// The writes of a mail that waits.
fn mail(
    content: &Content,
    inquiry_id: &str,
    kind: MailKind,
    to: Option<&str>,
    subject: &str,
    body: &str,
    by: Option<&str>,
) -> [Operation; 2] {
    let id = content.new_id();
    let mut fields = mail_key(inquiry_id, &id);
    fields.extend([
        (name!("kind"), kind.name().into()),
        (name!("subject"), one_line(subject).into()),
        (name!("body"), body.into()),
    ]);
    fields.extend(to.map(|to| (name!("to"), to.into())));
    fields.extend(by.map(|by| (name!("by"), by.into())));
    let mut waits = mail_key(inquiry_id, &id);
    waits.insert(name!("dueAt"), time(content.now()).into());
    [("InquiryMail", fields), ("Outbox", waits)].map(|(entity, fields)| Operation::Create {
        entity: entity.into(),
        fields,
        guards: Vec::new(),
    })
}

/// A subject without line breaks, which old items may have.
fn one_line(subject: &str) -> String {
    let words: Vec<&str> = subject.split(|c: char| c.is_control()).filter(|part| !part.is_empty()).collect();
    words.join(" ").chars().take(300).collect()
}

/// A change of an inquiry, which adds one to its revision.
pub(crate) fn update(id: &str, mut changes: Vec<(Path, Change)>, guards: Vec<Guard>) -> Operation {
    changes.push((path(name!("revision")), Change::Add(1.into())));
    let update = Update { key: of_id(id), changes, expected_version: None };
    Operation::Update { entity: name!("ContactInquiry"), update, guards }
}

/// The change of the number of mails of an inquiry that could not be sent.
pub(crate) fn failed_mails(by: i64) -> (Path, Change) {
    (path(name!("failedMails")), Change::Add(by.into()))
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
    if new.form.as_ref().is_some_and(|form| !is_form_id(form)) {
        problems.push(violation("formId", message!(messages::FORM_ID)));
    }
    if new.consent_version.is_empty() {
        problems.push(violation("consent", message!(messages::CONSENT)));
    }
    if problems.is_empty() { Ok(()) } else { Err(Error::fields(problems)) }
}

/// Whether a text can be the address of a mail.
pub(crate) fn is_address(text: &str) -> bool {
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
