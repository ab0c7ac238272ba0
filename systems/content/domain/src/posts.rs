//! Verbs of editors: create, save, discard.

use std::collections::BTreeSet;

use hansang_core::db::Operation;
use hansang_core::plan::{Change, Condition, Guard, Path, Reason};
use hansang_core::validate::{Violation, violation};
use hansang_core::value::to_item;
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, Item, Name, Value, message, name};

use crate::categories::{count_post, known};
use crate::post::{ATTEMPTS, Format, Post, PostState, PostText, Working, busy, of_id, working};
use crate::render::is_document;
use crate::uses::{Owner, media_of_text, relink};
use crate::versions::{VersionEvent, keep_edited, write_version};
use crate::{Content, ContentCode, find_post, is_picture, is_slug, messages};

/// The maximum number of characters of a title.
const MAX_TITLE: usize = 200;
/// The maximum bytes of contents, so that a post fits into an item with everything else.
pub const MAX_CONTENTS: usize = 300_000;

/// A post to be created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewPost {
    /// The id, if the caller chose one.
    pub id: Option<String>,
    /// The category.
    pub category_id: String,
    /// The author.
    pub author_id: String,
    /// The text.
    pub text: PostText,
}

/// A text to be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Save {
    /// The text.
    pub text: PostText,
    /// The revision that was edited.
    pub revision: i64,
    /// Whether the text becomes a version of the history. Texts that an editor saves by itself do not.
    pub keep: bool,
}

/// Creates a post that is not published.
///
/// # Errors
/// Invalid input, an unknown category, or an id that exists.
pub async fn create_post(content: &Content, by: &str, new: NewPost) -> Result<Post, Error> {
    check(&new.text)?;
    let id = new.id.unwrap_or_else(|| content.new_id());
    let mut fields = text_fields(&new.text)?;
    fields.extend([
        (name!("id"), id.as_str().into()),
        (name!("categoryId"), new.category_id.as_str().into()),
        (name!("authorId"), new.author_id.as_str().into()),
        (name!("state"), PostState::Draft.name().into()),
        (name!("revision"), 1.into()),
    ]);
    let mut operations = vec![
        Operation::Create { entity: name!("Post"), fields, guards: Vec::new() },
        count_post(&new.category_id, 1),
        write_version(&id, 1, VersionEvent::Saved, by, &new.text)?,
    ];
    let media: Vec<String> = media_of_text(&new.text).into_iter().collect();
    operations.extend(relink(content, &Owner::Post(&id), &[], &media).await?);
    let unknown = |error| known(error, &new.category_id);
    commit(content, operations).await.map_err(unknown)?;
    find_post(content, &id).await
}

/// Saves the text of a post: in the post itself if it is not published, otherwise as its draft.
///
/// # Errors
/// `post_changed` if the text was edited in an older revision; invalid input.
pub async fn save_post(content: &Content, by: &str, id: &str, save: &Save) -> Result<Working, Error> {
    check(&save.text)?;
    change(content, id, Some(save.revision), |now, next| {
        let mut operations = Vec::new();
        if now.post.is_published() {
            operations.push(touch(now, Vec::new()));
            let mut fields = text_fields(&save.text)?;
            fields.extend([(name!("id"), id.into()), (name!("by"), by.into())]);
            operations.push(put_draft(fields));
        } else {
            operations.push(touch(now, text_changes(&save.text)));
        }
        if save.keep {
            operations.push(write_version(id, next, VersionEvent::Saved, by, &save.text)?);
        }
        Ok(Plan { operations, texts: Some(now.texts_after(&save.text)) })
    })
    .await
}

/// Discards the draft of a published post. Its text stays in the history.
///
/// # Errors
/// `post_changed` for an older revision, `no_draft` without a draft.
pub async fn discard_draft(content: &Content, by: &str, id: &str, revision: i64) -> Result<Working, Error> {
    let kept = keep_edited(content, by, id, revision).await?;
    change(content, id, Some(revision), |now, _| {
        if now.draft.is_none() {
            return Err(Error::conflict(ContentCode::NoDraft, message!(messages::NO_DRAFT)));
        }
        let mut operations = vec![touch(now, Vec::new()), delete_draft(id)];
        operations.extend(kept.clone());
        Ok(Plan { operations, texts: Some(vec![now.post.text.clone()]) })
    })
    .await
}

/// A change of a post.
#[derive(Default)]
pub(crate) struct Plan {
    /// The writes, that of the post first. None: nothing changes.
    pub(crate) operations: Vec<Operation>,
    /// The texts of the post and its draft afterwards, if they change.
    pub(crate) texts: Option<Vec<PostText>>,
}

/// The writes after which the media of a post are those of its new texts.
pub(crate) async fn relink_post(
    content: &Content,
    now: &Working,
    texts: &[&PostText],
) -> Result<Vec<Operation>, Error> {
    let mut before = media_of_text(&now.post.text);
    before.extend(now.draft.iter().flat_map(|draft| media_of_text(&draft.text)));
    let before: Vec<String> = before.into_iter().collect();
    let after: BTreeSet<String> = texts.iter().flat_map(|text| media_of_text(text)).collect();
    let after: Vec<String> = after.into_iter().collect();
    relink(content, &Owner::Post(&now.post.id), &before, &after).await
}

/// Changes a post in one transaction that adds one to its revision. `plan` gets the post and its next revision. Without a
/// revision it is made again when another change was faster.
pub(crate) async fn change(
    content: &Content,
    id: &str,
    revision: Option<i64>,
    plan: impl Fn(&Working, i64) -> Result<Plan, Error>,
) -> Result<Working, Error> {
    for _ in 0..ATTEMPTS {
        let now = working(content, id).await?;
        if revision.is_some_and(|revision| revision != now.post.revision) {
            return Err(changed());
        }
        let Plan { mut operations, texts } = plan(&now, now.post.revision + 1)?;
        if operations.is_empty() {
            return Ok(now);
        }
        if let Some(texts) = texts {
            let texts: Vec<&PostText> = texts.iter().collect();
            operations.extend(relink_post(content, &now, &texts).await?);
        }
        operations.extend(first_version(&now.post)?);
        match commit_post(content, operations).await {
            Ok(()) => {
                content.staged.notify_one();
                return working(content, id).await;
            }
            Err(error) if error.code == ContentCode::PostChanged && revision.is_none() => {}
            Err(error) if error.code == CoreCode::Contended => {}
            Err(error) => return Err(error),
        }
    }
    Err(busy())
}

/// The version of a post that has none yet, because it is older than the history: its text as it was before the first
/// change.
pub(crate) fn first_version(post: &Post) -> Result<Option<Operation>, Error> {
    if post.revision > 0 {
        return Ok(None);
    }
    let by = if post.author_id.is_empty() { "unknown" } else { &*post.author_id };
    write_version(&post.id, 0, VersionEvent::Published, by, &post.text).map(Some)
}

pub(crate) async fn commit(content: &Content, operations: Vec<Operation>) -> Result<(), Error> {
    content.db.commit(operations).await.map_err(Error::from)
}

/// Commits a change whose first write is that of the post. A post that has left its key meanwhile has changed.
pub(crate) async fn commit_post(content: &Content, operations: Vec<Operation>) -> Result<(), Error> {
    content.db.commit(operations).await.map_err(|refusal| {
        let moved = refusal.operation == Some(0) && refusal.error.code == CoreCode::NotFound;
        if moved { changed() } else { refusal.error }
    })
}

/// The change of a post, if its revision is as it was read.
pub(crate) fn touch(now: &Working, mut changes: Vec<(Path, Change)>) -> Operation {
    changes.push(set(name!("revision"), now.post.revision + 1));
    let update = Update { key: now.post.key(), changes, expected_version: None };
    Operation::Update { entity: name!("Post"), update, guards: vec![unchanged(&now.post)] }
}

/// The guard that a post has the revision that was read.
pub(crate) fn unchanged(post: &Post) -> Guard {
    let stored = (post.revision > 0).then(|| Value::from(post.revision));
    Guard {
        condition: Condition::unchanged(&name!("revision"), stored.as_ref()),
        otherwise: Reason::Other(changed()),
    }
}

pub(crate) fn put_draft(fields: Item) -> Operation {
    Operation::Put { entity: name!("Draft"), fields, expected_version: None, guards: Vec::new() }
}

pub(crate) fn delete_draft(id: &str) -> Operation {
    Operation::Delete { entity: name!("Draft"), key: of_id(id), expected_version: None, guards: Vec::new() }
}

/// The fields of a text.
pub(crate) fn text_fields(text: &PostText) -> Result<Item, Error> {
    to_item(text).map_err(|problem| Error::invalid(CoreCode::InvalidFields, problem))
}

/// The changes that give a post a text.
pub(crate) fn text_changes(text: &PostText) -> Vec<(Path, Change)> {
    let optional = |name: Name, value: &Option<String>| match value {
        Some(value) => set(name, value.as_str()),
        None => (path(name), Change::Remove),
    };
    vec![
        set(name!("title"), text.title.as_str()),
        set(name!("contents"), text.contents.as_str()),
        set(name!("contentsFormat"), text.format.name()),
        optional(name!("thumbnailUrl"), &text.thumbnail_url),
        optional(name!("slug"), &text.slug),
    ]
}

pub(crate) fn set(name: Name, value: impl Into<Value>) -> (Path, Change) {
    (path(name), Change::Set(value.into()))
}

pub(crate) fn path(root: Name) -> Path {
    Path { root, inside: Vec::new() }
}

pub(crate) fn changed() -> Error {
    Error::precondition(ContentCode::PostChanged, message!(messages::POST_CHANGED))
}

/// Checks a new text; every problem at once. Stored texts may be older than these rules.
fn check(text: &PostText) -> Result<(), Error> {
    let mut problems: Vec<Violation> = Vec::new();
    if text.title.trim().is_empty() {
        problems.push(violation("title", message!(messages::EMPTY)));
    } else if text.title.chars().count() > MAX_TITLE {
        problems.push(violation("title", message!(messages::TEXT_TOO_LONG, MAX_TITLE)));
    }
    if text.contents.len() > MAX_CONTENTS {
        problems.push(violation("contents", message!(messages::CONTENTS_TOO_LARGE, MAX_CONTENTS / 1000)));
    } else if text.format == Format::Json && !is_document(&text.contents) {
        problems.push(violation("contents", message!(messages::NOT_A_DOCUMENT)));
    }
    if text.slug.as_ref().is_some_and(|slug| !is_slug(slug)) {
        problems.push(violation("slug", message!(messages::NOT_A_SLUG)));
    }
    let thumbnail = text.thumbnail_url.as_deref().map(str::trim).filter(|url| !url.is_empty());
    if thumbnail.is_some_and(|url| !is_picture(url)) {
        problems.push(violation("thumbnailUrl", message!(messages::NOT_A_PICTURE)));
    }
    if problems.is_empty() { Ok(()) } else { Err(Error::fields(problems)) }
}
