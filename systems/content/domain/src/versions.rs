//! The history of a post: its saved texts, each of which can be restored.

use hansang_core::db::{Ask, Operation};
use hansang_core::{Error, Item, message, name, names};
use jiff::Timestamp;
use serde::Deserialize;

use crate::post::{PostText, Working, of_id, strong, working};
use crate::posts::{Plan, change, changed, put_draft, text_changes, text_fields, touch};
use crate::{Content, ContentCode, messages};

names! {
    /// The event that made a version.
    pub enum VersionEvent {
        /// The text was saved.
        Saved = "saved",
        /// The text was published.
        Published = "published",
        /// The post was taken back.
        Unpublished = "unpublished",
        /// An older text was restored.
        Restored = "restored",
    }
}

/// A saved text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PostVersion {
    /// The revision of the post.
    pub revision: i64,
    /// The event.
    pub event: VersionEvent,
    /// The text.
    #[serde(flatten)]
    pub text: PostText,
    /// Who saved it.
    pub by: String,
    /// The time.
    #[serde(rename = "CreatedAt")]
    pub at: Timestamp,
}

/// A page of versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionPage {
    /// The versions, newest first.
    pub versions: Vec<PostVersion>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// The versions of a post, newest first.
///
/// # Errors
/// An invalid cursor or limit.
pub async fn versions(content: &Content, id: &str, ask: Ask) -> Result<VersionPage, Error> {
    let page = content.db.query("postVersions", of_id(id), ask).await?;
    let versions = page.records.iter().filter_map(|record| record.typed().ok()).collect();
    Ok(VersionPage { versions, next: page.next })
}

/// A version of a post.
///
/// # Errors
/// If the post has no such version.
pub async fn version(content: &Content, id: &str, revision: i64) -> Result<PostVersion, Error> {
    let key = Item::from([(name!("id"), id.into()), (name!("revision"), revision.into())]);
    let found = content.db.get("PostVersion", &key, &strong()).await?;
    let unknown =
        || Error::not_found(ContentCode::VersionUnknown, message!(messages::VERSION_UNKNOWN, revision));
    found.ok_or_else(unknown)?.typed()
}

/// Makes the text of a version the edited text. A published post stays as it is until it is published again.
///
/// # Errors
/// `post_changed` for an older revision, or an unknown version.
pub async fn restore_version(
    content: &Content,
    by: &str,
    id: &str,
    version_revision: i64,
    revision: i64,
) -> Result<Working, Error> {
    let text = version(content, id, version_revision).await?.text;
    let kept = keep_edited(content, by, id, revision).await?;
    change(content, id, Some(revision), |now, next| {
        let mut operations = Vec::new();
        if now.post.is_published() {
            let mut fields = text_fields(&text)?;
            fields.extend([(name!("id"), id.into()), (name!("by"), by.into())]);
            operations.extend([touch(now, Vec::new()), put_draft(fields)]);
        } else {
            operations.push(touch(now, text_changes(&text)));
        }
        operations.push(write_version(id, next, VersionEvent::Restored, by, &text)?);
        operations.extend(kept.clone());
        Ok(Plan { operations, texts: Some(now.texts_after(&text)) })
    })
    .await
}

/// The write of a version with the edited text, if the history does not end with it: an editor saves texts by itself
/// without a version. For changes that replace the text of this revision.
pub(crate) async fn keep_edited(
    content: &Content,
    by: &str,
    id: &str,
    revision: i64,
) -> Result<Option<Operation>, Error> {
    let now = working(content, id).await?;
    if now.post.revision != revision {
        return Err(changed());
    }
    let ask = Ask { limit: Some(1), ..Ask::default() };
    let newest = versions(content, id, ask).await?.versions.pop();
    // The first change of a post that is older than the history writes its text.
    if revision == 0 || newest.is_some_and(|newest| newest.text == *now.text()) {
        return Ok(None);
    }
    let by = now.draft.as_ref().map_or(by, |draft| &*draft.by);
    // The number is free: a version with it would have this text.
    write_version(id, revision, VersionEvent::Saved, by, now.text()).map(Some)
}

/// The write of a version.
pub(crate) fn write_version(
    id: &str,
    revision: i64,
    event: VersionEvent,
    by: &str,
    text: &PostText,
) -> Result<Operation, Error> {
    let mut fields = text_fields(text)?;
    fields.extend([
        (name!("id"), id.into()),
        (name!("revision"), revision.into()),
        (name!("event"), event.name().into()),
        (name!("by"), by.into()),
    ]);
    Ok(Operation::Create { entity: name!("PostVersion"), fields, guards: Vec::new() })
}
