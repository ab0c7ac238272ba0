//! Every change of content, through the API and on pages. The input of each comes with the person who makes it.

use std::time::Duration;

use hansang_access::Role;
use hansang_content::{
    Category, Inquiry, InquiryStatus, NewCategory, NewPost, NewPreview, Post, Publication, Save, Working,
    create_category, create_post, create_preview, delete_category, delete_post, discard_draft, erase,
    move_post, publish_post, release, reply, resend, restore_version, revoke_previews, save_post, set_status,
    unpublish_post,
};
use hansang_core::Error;
use hansang_server::{Action, Caller, Calls};
use sha2::{Digest as _, Sha256};

use crate::desk::Desk;
use crate::messages;

pub(crate) mod managed;
pub(crate) mod media;

/// The maximum number of characters of a person's id, as the model has it.
const MAX_BY: usize = 64;

/// Who erases inquiries and changes the company, authors and webhooks, through the API and on pages.
pub(crate) const MANAGER: Role = Role::Admin;

/// A change by a person.
pub(crate) type Change<I, O> = Action<Desk, (String, I), O>;

/// Makes a change for a caller, audited.
pub(crate) async fn act<I, O>(
    action: &Change<I, O>,
    calls: &Calls,
    desk: &Desk,
    caller: &Caller,
    input: I,
) -> Result<O, Error> {
    let done = action.call(calls, desk, caller, (by(caller)?, input)).await;
    // A change that failed may have taken effect in part.
    desk.fresh.forget();
    done
}

/// The id of the caller, by which posts and versions name a person. A long one, which only another provider has, is
/// replaced by its hash.
pub(crate) fn by(caller: &Caller) -> Result<String, Error> {
    let id = &caller.signed_in()?.id;
    if id.chars().count() <= MAX_BY {
        return Ok(id.clone());
    }
    Ok(Sha256::digest(id.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Creates a post; without an author it is that of the person who creates it.
pub(crate) const CREATE_POST: Change<NewPost, Post> = Action {
    name: "post.create",
    summary: &messages::CREATE_POST,
    subject: |(_, new)| new.id.clone().unwrap_or_else(|| new.text.title.clone()),
    run: |desk, (by, mut new)| {
        if new.author_id.is_empty() {
            new.author_id.clone_from(&by);
        }
        Box::pin(async move { create_post(&desk.content, &by, new).await })
    },
};

pub(crate) const SAVE_POST: Change<(String, Save), Working> = Action {
    name: "post.save",
    summary: &messages::SAVE_POST,
    subject: |(_, (id, _))| id.clone(),
    run: |desk, (by, (id, save))| Box::pin(async move { save_post(&desk.content, &by, &id, &save).await }),
};

/// Publishes the edited text, of this revision.
pub(crate) const PUBLISH_POST: Change<(String, Publication, i64), Post> = Action {
    name: "post.publish",
    summary: &messages::PUBLISH_POST,
    subject: |(_, (id, ..))| id.clone(),
    run: |desk, (by, (id, publication, revision))| {
        Box::pin(async move { publish_post(&desk.content, &by, &id, publication, revision).await })
    },
};

/// Takes a post of this revision back.
pub(crate) const UNPUBLISH_POST: Change<(String, i64), Working> = Action {
    name: "post.unpublish",
    summary: &messages::UNPUBLISH_POST,
    subject: |(_, (id, _))| id.clone(),
    run: |desk, (by, (id, revision))| {
        Box::pin(async move { unpublish_post(&desk.content, &by, &id, revision).await })
    },
};

/// Discards the draft of a post of this revision.
pub(crate) const DISCARD_DRAFT: Change<(String, i64), Working> = Action {
    name: "post.discard",
    summary: &messages::DISCARD_DRAFT,
    subject: |(_, (id, _))| id.clone(),
    run: |desk, (by, (id, revision))| {
        Box::pin(async move { discard_draft(&desk.content, &by, &id, revision).await })
    },
};

/// Restores a version of a post: its id, the version, its revision.
pub(crate) const RESTORE_VERSION: Change<(String, i64, i64), Working> = Action {
    name: "post.restore",
    summary: &messages::RESTORE_VERSION,
    subject: |(_, (id, version, _))| format!("{id} {version}"),
    run: |desk, (by, (id, version, revision))| {
        Box::pin(async move { restore_version(&desk.content, &by, &id, version, revision).await })
    },
};

/// Moves a post to another category.
pub(crate) const MOVE_POST: Change<(String, String), Post> = Action {
    name: "post.move",
    summary: &messages::MOVE_POST,
    subject: |(_, (id, to))| format!("{id} → {to}"),
    run: |desk, (_, (id, to))| Box::pin(async move { move_post(&desk.content, &id, &to).await }),
};

/// Deletes a post of this revision.
pub(crate) const DELETE_POST: Change<(String, i64), ()> = Action {
    name: "post.delete",
    summary: &messages::DELETE_POST,
    subject: |(_, (id, _))| id.clone(),
    run: |desk, (_, (id, revision))| Box::pin(async move { delete_post(&desk.content, &id, revision).await }),
};

pub(crate) const CREATE_CATEGORY: Change<NewCategory, Category> = Action {
    name: "category.create",
    summary: &messages::CREATE_CATEGORY,
    subject: |(_, new)| new.title.clone(),
    run: |desk, (_, new)| Box::pin(async move { create_category(&desk.content, new).await }),
};

pub(crate) const DELETE_CATEGORY: Change<String, ()> = Action {
    name: "category.delete",
    summary: &messages::DELETE_CATEGORY,
    subject: |(_, id)| id.clone(),
    run: |desk, (_, id)| Box::pin(async move { delete_category(&desk.content, &id).await }),
};

/// Replies to an inquiry.
pub(crate) const REPLY: Change<(String, String), Inquiry> = Action {
    name: "inquiry.reply",
    summary: &messages::REPLY,
    subject: |(_, (id, _))| id.clone(),
    run: |desk, (by, (id, text))| Box::pin(async move { reply(&desk.content, &by, &id, &text).await }),
};

/// Changes the status of an inquiry, if it has the revision.
pub(crate) const SET_STATUS: Change<(String, InquiryStatus, Option<i64>), Inquiry> = Action {
    name: "inquiry.status",
    summary: &messages::SET_STATUS,
    subject: |(_, (id, status, _))| format!("{id} {status}"),
    run: |desk, (_, (id, status, revision))| {
        Box::pin(async move { set_status(&desk.content, &id, status, revision).await })
    },
};

/// Takes an inquiry out of quarantine.
pub(crate) const RELEASE: Change<String, Inquiry> = Action {
    name: "inquiry.release",
    summary: &messages::RELEASE,
    subject: |(_, id)| id.clone(),
    run: |desk, (_, id)| Box::pin(async move { release(&desk.content, &id).await }),
};

/// Sends a failed mail of an inquiry again.
pub(crate) const RESEND: Change<(String, String), ()> = Action {
    name: "mail.resend",
    summary: &messages::RESEND,
    subject: |(_, (id, mail))| format!("{id} {mail}"),
    run: |desk, (_, (id, mail))| Box::pin(async move { resend(&desk.content, &id, &mail).await }),
};

/// Erases an inquiry with its mails.
pub(crate) const ERASE: Change<String, ()> = Action {
    name: "inquiry.erase",
    summary: &messages::ERASE,
    subject: |(_, id)| id.clone(),
    run: |desk, (_, id)| {
        Box::pin(async move { erase(&desk.content, desk.outside.ports().mailer, &id).await })
    },
};

/// Makes a preview link of a post that works for some time. It is shown once.
pub(crate) const PREVIEW: Change<(String, Duration), NewPreview> = Action {
    name: "post.preview",
    summary: &messages::PREVIEW,
    subject: |(_, (id, _))| id.clone(),
    run: |desk, (by, (id, lifetime))| {
        Box::pin(async move { create_preview(&desk.content, &by, &id, lifetime).await })
    },
};

/// Makes every preview link of a post stop working.
pub(crate) const REVOKE_PREVIEWS: Change<String, usize> = Action {
    name: "post.revoke_previews",
    summary: &messages::REVOKE_PREVIEWS,
    subject: |(_, id)| id.clone(),
    run: |desk, (_, id)| Box::pin(async move { revoke_previews(&desk.content, &id).await }),
};
