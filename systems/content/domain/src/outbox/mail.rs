//! Sending the mails of inquiries.

use std::time::Duration;

use hansang_core::db::Operation;
use hansang_core::plan::{Change, Path};
use hansang_core::write::Update;
use hansang_core::{Error, name};

use super::{
    Attempt, LEASE, MAX_ATTEMPTS, SEND_TIMEOUT, Waiting, after, change, done, record, retry_at, short,
};
use crate::inquiries::{failed_mails, is_address, update};
use crate::inquiry::{InquiryMail, InquiryStatus, MailKind, MailState, mail_key};
use crate::live::time;
use crate::mail::{Mail, Mailer, Sent};
use crate::post::strong;
use crate::posts::{commit, path, set};
use crate::{Content, ContentCode, Inquiry, corp_info, find_inquiry};

/// The pause before the company is asked for an address again.
const NO_ADDRESS: Duration = Duration::from_secs(300);

pub(super) async fn attempt(
    content: &Content,
    mailer: &dyn Mailer,
    taken: &Waiting,
    inquiry_id: &str,
) -> Result<Attempt, Error> {
    let key = mail_key(inquiry_id, &taken.id);
    let stored = content.db.get("InquiryMail", &key, &strong()).await?;
    let Some(mail) = stored.map(|stored| stored.typed::<InquiryMail>()).transpose()? else {
        // The inquiry was erased.
        commit(content, vec![done(taken)]).await?;
        return Ok(Attempt::Nothing);
    };
    let Some(to) = receiver(content, taken, &mail).await? else { return Ok(Attempt::Later) };
    let letter = Mail {
        id: mail.id.clone(),
        to: to.clone(),
        reply_to: visitor(content, &mail).await?,
        subject: mail.subject.replace(['\r', '\n'], " "),
        body: mail.body.clone(),
    };
    let mail = &InquiryMail { to: Some(to), attempts: mail.attempts + 1, ..mail };
    let sent = tokio::time::timeout(SEND_TIMEOUT, mailer.send(&letter)).await;
    let sent = sent.unwrap_or_else(|_| Sent::Unknown(format!("no answer in {} s", SEND_TIMEOUT.as_secs())));
    match sent {
        Sent::Accepted => {
            record(content, taken, None, || accepted(content, mailer, mail)).await?;
            Ok(Attempt::Sent)
        }
        Sent::Later(why) | Sent::Unknown(why) if mail.attempts < MAX_ATTEMPTS => {
            let due = retry_at(content, mail.attempts);
            let changes = || async {
                // The mailer may have kept a mail that it could not send.
                if kept_inquiry(content, mailer, mail).await?.is_none() {
                    return Ok(Vec::new());
                }
                Ok(vec![mail_update(mail, refused(mail, &why, MailState::Pending))])
            };
            record(content, taken, Some(due), changes).await?;
            Ok(Attempt::Later)
        }
        Sent::Refused(why) | Sent::Later(why) | Sent::Unknown(why) => {
            record(content, taken, None, || failed(content, mailer, mail, &why)).await?;
            Ok(Attempt::Failed)
        }
    }
}

/// The receiver of a mail. A notification gets the address of the company before its first attempt and keeps it; without
/// one it waits.
async fn receiver(content: &Content, taken: &Waiting, mail: &InquiryMail) -> Result<Option<String>, Error> {
    if mail.to.is_some() {
        return Ok(mail.to.clone());
    }
    let Some(email) = corp_info(content).await?.email.filter(|email| is_address(email)) else {
        let due = vec![set(name!("dueAt"), time(after(content.now(), NO_ADDRESS)))];
        let why = vec![set(name!("error"), "the company has no email address")];
        commit(content, vec![change(taken, due), mail_update(mail, why)]).await?;
        return Ok(None);
    };
    let until = vec![set(name!("dueAt"), time(after(content.now(), LEASE)))];
    let to = vec![set(name!("to"), email.as_str())];
    commit(content, vec![change(taken, until), mail_update(mail, to)]).await?;
    Ok(Some(email))
}

/// The visitor, whom the company answers when it answers its notification. A header has ASCII alone, so other addresses are
/// only in the text.
async fn visitor(content: &Content, mail: &InquiryMail) -> Result<Option<String>, Error> {
    if mail.kind != MailKind::Notification {
        return Ok(None);
    }
    match find_inquiry(content, &mail.inquiry_id).await {
        Ok(inquiry) => Ok(Some(inquiry.email).filter(|email| email.is_ascii() && is_address(email))),
        Err(error) if error.code == ContentCode::InquiryUnknown => Ok(None),
        Err(error) => Err(error),
    }
}

/// The inquiry of a mail that was handed to the mailer. If it was erased meanwhile, the mailer drops the mail: erasing
/// deletes the inquiry first, so one of both sees the other.
async fn kept_inquiry(
    content: &Content,
    mailer: &dyn Mailer,
    mail: &InquiryMail,
) -> Result<Option<Inquiry>, Error> {
    match find_inquiry(content, &mail.inquiry_id).await {
        Ok(inquiry) => Ok(Some(inquiry)),
        Err(error) if error.code == ContentCode::InquiryUnknown => {
            mailer.forget(&mail.id).await?;
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The writes after a mail server has taken a mail.
async fn accepted(
    content: &Content,
    mailer: &dyn Mailer,
    mail: &InquiryMail,
) -> Result<Vec<Operation>, Error> {
    let Some(inquiry) = kept_inquiry(content, mailer, mail).await? else { return Ok(Vec::new()) };
    let sent = vec![
        set(name!("state"), MailState::Sent.name()),
        set(name!("sentAt"), time(content.now())),
        set(name!("attempts"), mail.attempts),
        (path(name!("error")), Change::Remove),
    ];
    let mut changes = Vec::new();
    match mail.kind {
        MailKind::Notification => {
            changes.extend(mail.to.as_deref().map(|to| set(name!("notifiedEmail"), to)));
        }
        MailKind::Reply => {
            if inquiry.status != InquiryStatus::Done {
                changes.push(set(name!("status"), InquiryStatus::Done.name()));
            }
            if inquiry.first_reply_message.is_none() {
                changes.push(set(name!("firstReplyMessage"), mail.body.as_str()));
            }
        }
    }
    let mut operations = vec![mail_update(mail, sent)];
    if !changes.is_empty() {
        operations.push(update(&mail.inquiry_id, changes, Vec::new()));
    }
    Ok(operations)
}

/// The writes after a mail has failed: managers see it at its inquiry.
async fn failed(
    content: &Content,
    mailer: &dyn Mailer,
    mail: &InquiryMail,
    why: &str,
) -> Result<Vec<Operation>, Error> {
    if kept_inquiry(content, mailer, mail).await?.is_none() {
        return Ok(Vec::new());
    }
    let counted = update(&mail.inquiry_id, vec![failed_mails(1)], Vec::new());
    Ok(vec![mail_update(mail, refused(mail, why, MailState::Failed)), counted])
}

fn refused(mail: &InquiryMail, why: &str, state: MailState) -> Vec<(Path, Change)> {
    let mut changes = vec![set(name!("attempts"), mail.attempts), set(name!("error"), short(why))];
    if state != MailState::Pending {
        changes.push(set(name!("state"), state.name()));
    }
    changes
}

fn mail_update(mail: &InquiryMail, changes: Vec<(Path, Change)>) -> Operation {
    let update = Update { key: mail_key(&mail.inquiry_id, &mail.id), changes, expected_version: None };
    Operation::Update { entity: name!("InquiryMail"), update, guards: Vec::new() }
}
