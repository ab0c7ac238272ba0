//! The end of personal data: retention periods, and erasure on request. The end of positions in lists, notes and deliveries.
//!
//! An inquiry goes first, in one transaction with a note that its mails are still to be deleted. So no mail can be added to
//! it, and a run that stops in the middle is finished by the next one.

use hansang_core::db::{Ask, Operation};
use hansang_core::plan::{Action, Guards, Write};
use hansang_core::{CoreCode, Error, Item, Record, name, write};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::edit::all;
use crate::inquiry::{Inquiry, mail_key};
use crate::live::{Live, relist, time};
use crate::mail::Mailer;
use crate::post::{of_id, strong};
use crate::posts::{commit, unchanged};
use crate::webhooks::{WebhookDelivery, delivery_key};
use crate::{Content, ContentCode, MailState, find_post};

/// The time for which changes of posts are kept.
pub(crate) const CHANGES_KEPT: SignedDuration = SignedDuration::from_hours(24);
/// The time for which deliveries of webhooks are kept.
const DELIVERIES_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The result of a purge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Purged {
    /// The inquiries whose retention period has ended.
    pub inquiries: usize,
    /// The old changes of posts.
    pub changes: usize,
    /// The old deliveries of webhooks.
    pub deliveries: usize,
    /// The posts that have ended and are no longer listed.
    pub posts: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Planned {
    purge_at: Timestamp,
    inquiry_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Ended {
    ends_at: Timestamp,
    id: String,
}

#[derive(Deserialize)]
struct Changed {
    at: Timestamp,
    id: String,
}

/// Deletes what is older than its retention period. Any number of processes may do it.
///
/// # Errors
/// When the store or the mailer fails. The next run does the rest.
pub async fn purge(content: &Content, mailer: &dyn Mailer) -> Result<Purged, Error> {
    let now = content.now();
    let mut purged = Purged::default();
    let due = Item::from([(name!("to"), time(now).into())]);
    for record in all(content, "inquiryPurges", due).await? {
        let Ok(planned) = record.typed::<Planned>() else { continue };
        if planned.purge_at <= now {
            erase_at(content, mailer, &planned.inquiry_id, planned.purge_at).await?;
            purged.inquiries += 1;
        }
    }
    let old = Item::from([(name!("to"), time(now - CHANGES_KEPT).into())]);
    for record in all(content, "postChanges", old).await? {
        let Ok(changed) = record.typed::<Changed>() else { continue };
        let key =
            Item::from([(name!("at"), time(changed.at).into()), (name!("id"), changed.id.as_str().into())]);
        delete(content, "PostChange", key).await?;
        purged.changes += 1;
    }
    let old = Item::from([(name!("to"), time(now - DELIVERIES_KEPT).into())]);
    for record in all(content, "oldDeliveries", old).await? {
        let Ok(delivery) = record.typed::<WebhookDelivery>() else { continue };
        if delivery.state != MailState::Pending {
            delete(content, "WebhookDelivery", delivery_key(&delivery.webhook_id, &delivery.id)).await?;
            purged.deliveries += 1;
        }
    }
    for record in all(content, "postEnds", Item::from([(name!("to"), time(now).into())])).await? {
        let Ok(ended) = record.typed::<Ended>() else { continue };
        purged.posts += usize::from(unlist(content, &ended).await?);
    }
    Ok(purged)
}

/// Takes a post that has ended out of the lists, so that readers do not have to pass over it. Whether it did: not if the post
/// was changed meanwhile.
async fn unlist(content: &Content, ended: &Ended) -> Result<bool, Error> {
    let post = match find_post(content, &ended.id).await {
        Err(error) if error.code == ContentCode::PostUnknown => None,
        other => Some(other?),
    };
    let live = post.as_ref().and_then(|post| Some((post, Live::of(post)?)));
    let Some((post, live)) = live.filter(|(_, live)| live.ends_at == Some(ended.ends_at)) else {
        // A note that no post has any more.
        let key = Item::from([
            (name!("endsAt"), time(ended.ends_at).into()),
            (name!("id"), ended.id.as_str().into()),
        ]);
        delete(content, "PostEnd", key).await?;
        return Ok(false);
    };
    let mut operations =
        vec![Operation::Check { entity: name!("Post"), key: post.key(), guards: vec![unchanged(post)] }];
    operations.extend(relist(content, Some(&live), None)?);
    match commit(content, operations).await {
        Ok(()) => Ok(true),
        Err(error)
            if error.code == ContentCode::PostChanged
                || error.code == CoreCode::NotFound
                || error.code == CoreCode::Contended =>
        {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// Erases an inquiry with its mails, on request. Can be repeated.
///
/// # Errors
/// When the store or the mailer fails; what is left is erased by the worker or the next call.
pub async fn erase(content: &Content, mailer: &dyn Mailer, id: &str) -> Result<(), Error> {
    erase_at(content, mailer, id, content.now()).await
}

/// Erases every inquiry from an e-mail address, with its mails. Returns their number.
///
/// # Errors
/// When the store or the mailer fails; the next call does the rest.
pub async fn erase_person(content: &Content, mailer: &dyn Mailer, email: &str) -> Result<usize, Error> {
    let mut erased = 0;
    // Also inquiries that cannot be decoded.
    for record in records_of(content, email).await? {
        if let Some(id) = record.text("id") {
            erase(content, mailer, id).await?;
            erased += 1;
        }
    }
    Ok(erased)
}

/// The inquiries from an e-mail address, newest first.
///
/// # Errors
/// When the store fails.
pub async fn inquiries_of(content: &Content, email: &str) -> Result<Vec<Inquiry>, Error> {
    let records = records_of(content, email).await?;
    Ok(records.iter().filter_map(|record| record.typed().ok()).collect())
}

async fn records_of(content: &Content, email: &str) -> Result<Vec<Record>, Error> {
    let wanted = email.trim().to_lowercase();
    let (mut found, mut cursor) = (Vec::new(), None);
    loop {
        let ask = Ask { cursor, ..Ask::default() };
        let page = content.db.query("contactInquiries", Item::new(), ask).await?;
        let same =
            |record: &Record| record.text("email").is_some_and(|email| email.trim().to_lowercase() == wanted);
        found.extend(page.records.into_iter().filter(same));
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(found),
        }
    }
}

/// The write of a planned deletion.
pub(crate) fn plan_purge(id: &str, at: Timestamp) -> Operation {
    let fields = purge_key(id, at);
    Operation::Put { entity: name!("InquiryPurge"), fields, expected_version: None, guards: Vec::new() }
}

/// The write that drops a planned deletion.
pub(crate) fn drop_purge(content: &Content, id: &str, at: Timestamp) -> Result<Operation, Error> {
    let key = write::key(content.db.entity("InquiryPurge")?, &purge_key(id, at))?;
    Ok(Operation::Write(Write { key, action: Action::Delete, guards: Guards::default() }))
}

async fn erase_at(content: &Content, mailer: &dyn Mailer, id: &str, at: Timestamp) -> Result<(), Error> {
    let stored = content.db.get("ContactInquiry", &of_id(id), &strong()).await?;
    let planned = stored.as_ref().and_then(|record| record.typed::<Inquiry>().ok()?.purge_at);
    if stored.is_some() {
        let entity = name!("ContactInquiry");
        let guards = Vec::new();
        let gone = Operation::Delete { entity, key: of_id(id), expected_version: None, guards };
        match commit(content, vec![gone, plan_purge(id, at)]).await {
            Err(error) if error.code == CoreCode::NotFound => {}
            other => other?,
        }
    }
    // Also mails that cannot be decoded.
    for mail in all(content, "mailsOfInquiry", Item::from([(name!("inquiryId"), id.into())])).await? {
        let mail_id = mail.text("id").unwrap_or_default();
        // A worker that is sending it now finds the inquiry gone, and lets the mailer forget it too.
        mailer.forget(mail_id).await?;
        for (entity, key) in [("Outbox", of_id(mail_id)), ("InquiryMail", mail_key(id, mail_id))] {
            delete(content, entity, key).await?;
        }
    }
    for at in planned.into_iter().chain([at]) {
        delete(content, "InquiryPurge", purge_key(id, at)).await?;
    }
    Ok(())
}

fn purge_key(id: &str, at: Timestamp) -> Item {
    Item::from([(name!("purgeAt"), time(at).into()), (name!("inquiryId"), id.into())])
}

async fn delete(content: &Content, entity: &str, key: Item) -> Result<(), Error> {
    match content.db.delete(entity, key, None).await {
        Err(error) if error.code == CoreCode::NotFound => Ok(()),
        other => other,
    }
}
