//! The outbox: sends the mails that wait, in any number of processes.
//!
//! A worker takes a mail by moving its time ahead under a number that grows with every attempt. After a crash the mail is due
//! again. A mail whose answer was clear is sent once; one whose answer was lost is sent again with the same id.

use std::time::Duration;

use hansang_core::db::{Ask, Operation};
use hansang_core::plan::{Change, Condition, Guard, Reason};
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, Item, message, name};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::inquiries::update;
use crate::inquiry::{InquiryMail, InquiryStatus, MailKind, MailState, mail_key};
use crate::live::time;
use crate::mail::{Mail, Mailer, Sent};
use crate::post::{of_id, strong};
use crate::posts::{commit, path, set};
use crate::{Content, ContentCode, find_inquiry, messages};

/// The time that one attempt may take; then another worker tries.
const LEASE: Duration = Duration::from_secs(120);
/// The pause after the first failed attempt, which doubles with each one.
const FIRST_PAUSE: Duration = Duration::from_secs(30);
/// The maximum pause.
const MAX_PAUSE: Duration = Duration::from_secs(6 * 3600);
/// The number of attempts: several days.
const MAX_ATTEMPTS: i64 = 24;

/// A mail that waits.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Waiting {
    id: String,
    inquiry_id: String,
    due_at: Timestamp,
    #[serde(default)]
    lease: i64,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivered {
    /// The mails that were accepted.
    pub sent: usize,
    /// The mails that are tried again later.
    pub later: usize,
    /// The mails that failed.
    pub failed: usize,
}

/// Sends every mail that is due.
///
/// # Errors
/// When the store fails. The next run does the rest.
pub async fn deliver(content: &Content, mailer: &dyn Mailer) -> Result<Delivered, Error> {
    let mut delivered = Delivered::default();
    let mut cursor = None;
    loop {
        let page = content.db.query("outbox", Item::new(), Ask { cursor, ..Ask::default() }).await?;
        for waiting in page.records.iter().filter_map(|record| record.typed::<Waiting>().ok()) {
            if waiting.due_at <= content.now() {
                match attempt(content, mailer, &waiting, &mut delivered).await {
                    // Another worker took the mail over while this one was slow.
                    Err(error)
                        if error.code == ContentCode::MailTaken || error.code == CoreCode::NotFound => {}
                    other => other?,
                }
            }
        }
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(delivered),
        }
    }
}

/// Puts a failed mail back into the outbox.
///
/// # Errors
/// A mail that has not failed.
pub async fn resend(content: &Content, inquiry_id: &str, id: &str) -> Result<(), Error> {
    let again = Operation::Update {
        entity: name!("InquiryMail"),
        update: Update {
            key: mail_key(inquiry_id, id),
            changes: vec![
                set(name!("state"), MailState::Pending.name()),
                set(name!("attempts"), 0),
                (path(name!("error")), Change::Remove),
            ],
            expected_version: None,
        },
        guards: Vec::new(),
    };
    let mut fields = mail_key(inquiry_id, id);
    fields.insert(name!("dueAt"), time(content.now()).into());
    let waits = Operation::Create { entity: name!("Outbox"), fields, guards: Vec::new() };
    commit(content, vec![again, waits]).await
}

async fn attempt(
    content: &Content,
    mailer: &dyn Mailer,
    waiting: &Waiting,
    delivered: &mut Delivered,
) -> Result<(), Error> {
    let Some(mail) = take(content, waiting).await? else { return Ok(()) };
    let letter = Mail {
        id: mail.id.clone(),
        to: mail.to.clone(),
        subject: mail.subject.replace(['\r', '\n'], " "),
        body: mail.body.clone(),
    };
    let lease = waiting.lease + 1;
    let attempts = mail.attempts + 1;
    match mailer.send(&letter).await {
        Sent::Accepted => {
            accepted(content, &mail, lease, attempts).await?;
            delivered.sent += 1;
        }
        Sent::Refused(why) => {
            failed(content, &mail, lease, attempts, &why).await?;
            delivered.failed += 1;
        }
        Sent::Later(why) | Sent::Unknown(why) if attempts >= MAX_ATTEMPTS => {
            failed(content, &mail, lease, attempts, &why).await?;
            delivered.failed += 1;
        }
        Sent::Later(why) | Sent::Unknown(why) => {
            later(content, &mail, lease, attempts, &why).await?;
            delivered.later += 1;
        }
    }
    Ok(())
}

/// Takes a mail for one attempt; `None` if another worker has it, or it is gone.
async fn take(content: &Content, waiting: &Waiting) -> Result<Option<InquiryMail>, Error> {
    let until = after(content.now(), LEASE);
    let changes = vec![set(name!("dueAt"), time(until)), set(name!("lease"), waiting.lease + 1)];
    match commit(content, vec![outbox(&waiting.id, waiting.lease, changes)]).await {
        Ok(()) => {}
        Err(error)
            if error.code == ContentCode::MailTaken
                || error.code == CoreCode::NotFound
                || error.code == CoreCode::Contended =>
        {
            return Ok(None);
        }
        Err(error) => return Err(error),
    }
    let key = mail_key(&waiting.inquiry_id, &waiting.id);
    let record = content.db.get("InquiryMail", &key, &strong()).await?;
    match record.map(|record| record.typed()).transpose()? {
        Some(mail) => Ok(Some(mail)),
        // The inquiry was erased.
        None => {
            commit(content, vec![done(&waiting.id, waiting.lease + 1)]).await?;
            Ok(None)
        }
    }
}

/// Records that a mail server has the mail.
async fn accepted(content: &Content, mail: &InquiryMail, lease: i64, attempts: i64) -> Result<(), Error> {
    let sent = vec![
        set(name!("state"), MailState::Sent.name()),
        set(name!("sentAt"), time(content.now())),
        set(name!("attempts"), attempts),
        (path(name!("error")), Change::Remove),
    ];
    let mut operations = vec![done(&mail.id, lease), mail_update(mail, sent)];
    match mail.kind {
        MailKind::Notification => {
            operations.push(update(&mail.inquiry_id, vec![set(name!("notifiedEmail"), mail.to.as_str())]));
        }
        MailKind::Reply => {
            let inquiry = find_inquiry(content, &mail.inquiry_id).await?;
            let mut changes = Vec::new();
            if inquiry.status != InquiryStatus::Done {
                changes.push(set(name!("status"), InquiryStatus::Done.name()));
            }
            if inquiry.first_reply_message.is_none() {
                changes.push(set(name!("firstReplyMessage"), mail.body.as_str()));
            }
            if !changes.is_empty() {
                operations.push(update(&mail.inquiry_id, changes));
            }
        }
    }
    commit(content, operations).await
}

async fn failed(
    content: &Content,
    mail: &InquiryMail,
    lease: i64,
    attempts: i64,
    why: &str,
) -> Result<(), Error> {
    let changes = vec![
        set(name!("state"), MailState::Failed.name()),
        set(name!("attempts"), attempts),
        set(name!("error"), short(why)),
    ];
    commit(content, vec![done(&mail.id, lease), mail_update(mail, changes)]).await
}

async fn later(
    content: &Content,
    mail: &InquiryMail,
    lease: i64,
    attempts: i64,
    why: &str,
) -> Result<(), Error> {
    let doubled = u32::try_from(attempts - 1).unwrap_or_default().min(20);
    let pause = FIRST_PAUSE.saturating_mul(1 << doubled).min(MAX_PAUSE);
    let due = vec![set(name!("dueAt"), time(after(content.now(), pause)))];
    let changes = vec![set(name!("attempts"), attempts), set(name!("error"), short(why))];
    commit(content, vec![outbox(&mail.id, lease, due), mail_update(mail, changes)]).await
}

/// A change of a waiting mail, if no other worker has taken it.
fn outbox(id: &str, lease: i64, changes: Vec<(hansang_core::plan::Path, Change)>) -> Operation {
    let update = Update { key: of_id(id), changes, expected_version: None };
    Operation::Update { entity: name!("Outbox"), update, guards: vec![held(lease)] }
}

/// Takes a mail out of the outbox, if no other worker has taken it.
fn done(id: &str, lease: i64) -> Operation {
    Operation::Delete {
        entity: name!("Outbox"),
        key: of_id(id),
        expected_version: None,
        guards: vec![held(lease)],
    }
}

fn held(lease: i64) -> Guard {
    let taken = Error::conflict(ContentCode::MailTaken, message!(messages::MAIL_TAKEN));
    let condition = Condition::unchanged(&name!("lease"), Some(&lease.into()));
    Guard { condition, otherwise: Reason::Other(taken) }
}

fn mail_update(mail: &InquiryMail, changes: Vec<(hansang_core::plan::Path, Change)>) -> Operation {
    let update = Update { key: mail_key(&mail.inquiry_id, &mail.id), changes, expected_version: None };
    Operation::Update { entity: name!("InquiryMail"), update, guards: Vec::new() }
}

fn short(why: &str) -> String {
    let text: String = why.chars().take(500).collect();
    if text.is_empty() { "-".to_owned() } else { text }
}

fn after(at: Timestamp, pause: Duration) -> Timestamp {
    SignedDuration::try_from(pause)
        .ok()
        .and_then(|pause| at.checked_add(pause).ok())
        .unwrap_or(Timestamp::MAX)
}
