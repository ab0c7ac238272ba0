//! Posts and their drafts, as they are stored.
//!
//! A post that was never published is edited in place. A published post is not: its edits are in a draft beside it, until
//! they are published. The post's `revision` grows with every change of either, so one number detects every stale edit.

use hansang_core::db::{Ask, GetOptions};
use hansang_core::{Error, Item, Record, message, name, names};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Content, ContentCode, messages};

names! {
    /// The format of contents.
    #[derive(Default)]
    pub enum Format {
        /// Markdown, with tables, task lists, footnotes and strikethrough.
        #[default]
        Markdown = "markdown",
        /// The JSON document of a ProseMirror or TipTap editor.
        Json = "json",
        /// Plain text, whose lines stay lines.
        Text = "text",
    }
}

names! {
    /// Whether a post may be shown.
    pub enum PostState {
        /// Not published.
        Draft = "draft",
        /// Published, now or at its time.
        Published = "published",
    }
}

names! {
    /// What visitors see of a post.
    pub enum Standing {
        /// Nothing: it is not published.
        Draft = "draft",
        /// Nothing yet: it is published later.
        Scheduled = "scheduled",
        /// The post.
        Visible = "visible",
        /// Nothing any more: it has expired.
        Expired = "expired",
    }
}

/// The part of a post that is edited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostText {
    /// The title.
    pub title: String,
    /// The contents.
    pub contents: String,
    /// The format of the contents.
    #[serde(rename = "contentsFormat", default)]
    pub format: Format,
    /// The address of a picture.
    pub thumbnail_url: Option<String>,
    /// The name in addresses; made of the title on publishing if it is absent.
    pub slug: Option<String>,
}

/// A post.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// The id.
    pub id: String,
    /// The category.
    pub category_id: String,
    /// The author; empty for old posts without one.
    #[serde(default)]
    pub author_id: String,
    /// The text: of a published post, as it was published.
    #[serde(flatten)]
    pub text: PostText,
    /// The state. Absent in items that are older than drafts, which are published.
    pub state: Option<PostState>,
    /// The time of publishing.
    pub publish_at: Option<Timestamp>,
    /// The second since 1970 from which it is not shown.
    pub expires_at: Option<i64>,
    /// The time at which its text was published.
    pub text_at: Option<Timestamp>,
    /// The number of changes.
    #[serde(default)]
    pub revision: i64,
    /// The time it was created.
    #[serde(rename = "CreatedAt")]
    pub created_at: Timestamp,
    /// The time it was last written.
    #[serde(rename = "UpdatedAt")]
    pub updated_at: Timestamp,
}

/// The edited text of a published post.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Draft {
    /// The text.
    #[serde(flatten)]
    pub text: PostText,
    /// Who edited it last.
    pub by: String,
}

/// A post and its draft, of one revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Working {
    /// The post.
    pub post: Post,
    /// The draft, if a published post is being edited.
    pub draft: Option<Draft>,
}

impl Post {
    /// Whether it is published, now or at its time.
    #[must_use]
    pub fn is_published(&self) -> bool {
        self.state != Some(PostState::Draft)
    }

    /// The time of publishing. Posts that are older than drafts were published when they were created.
    #[must_use]
    pub fn published_at(&self) -> Timestamp {
        self.publish_at.unwrap_or(self.created_at)
    }

    /// The time at which visitors got its text, for their readers and search engines. Drafts do not change it.
    #[must_use]
    pub fn text_at(&self) -> Timestamp {
        self.text_at.map_or(self.published_at(), |at| at.max(self.published_at()))
    }

    /// What visitors see of it at a time.
    #[must_use]
    pub fn standing(&self, now: Timestamp) -> Standing {
        match () {
            () if !self.is_published() => Standing::Draft,
            () if self.published_at() > now => Standing::Scheduled,
            () if self.is_visible(now) => Standing::Visible,
            () => Standing::Expired,
        }
    }

    /// Whether visitors see it at a time.
    #[must_use]
    pub fn is_visible(&self, now: Timestamp) -> bool {
        let expired = self.expires_at.is_some_and(|second| second <= now.as_second());
        self.is_published() && self.published_at() <= now && !expired
    }

    pub(crate) fn of(record: &Record) -> Result<Self, Error> {
        let id = record.text("id").unwrap_or_default();
        let damaged = |_| Error::corrupt(ContentCode::PostDamaged, message!(messages::POST_DAMAGED, id));
        record.typed().map_err(damaged)
    }

    pub(crate) fn key(&self) -> Item {
        key(&self.category_id, &self.id)
    }
}

impl Working {
    /// The text that an editor sees.
    #[must_use]
    pub fn text(&self) -> &PostText {
        self.draft.as_ref().map_or(&self.post.text, |draft| &draft.text)
    }

    /// The texts of the post and its draft after this one was saved.
    pub(crate) fn texts_after(&self, saved: &PostText) -> Vec<PostText> {
        let published = self.post.is_published().then(|| self.post.text.clone());
        published.into_iter().chain([saved.clone()]).collect()
    }
}

/// Finds a post by its id alone, with strong reads.
///
/// # Errors
/// If it does not exist.
pub async fn find_post(content: &Content, id: &str) -> Result<Post, Error> {
    let unknown = || Error::not_found(ContentCode::PostUnknown, message!(messages::POST_UNKNOWN, id));
    let ask = Ask { consistent: Some(true), ..Ask::default() };
    // A post that moves between the two reads of a lookup is found by the next one.
    for _ in 0..LOOKUPS {
        let found = content.db.query("postById", of_id(id), ask.clone()).await?;
        if let Some(record) = found.records.first() {
            return Post::of(record);
        }
    }
    Err(unknown())
}

/// Reads a post and its draft.
///
/// # Errors
/// If the post does not exist, or is changed all the time.
pub async fn working(content: &Content, id: &str) -> Result<Working, Error> {
    for _ in 0..ATTEMPTS {
        let post = find_post(content, id).await?;
        let draft = load_draft(content, id).await?;
        if find_post(content, id).await?.revision == post.revision {
            return Ok(Working { post, draft });
        }
    }
    Err(busy())
}

/// The number of lookups of a post that seems to be missing.
const LOOKUPS: usize = 3;
/// The number of attempts while others write.
pub(crate) const ATTEMPTS: usize = 16;

pub(crate) async fn load_draft(content: &Content, id: &str) -> Result<Option<Draft>, Error> {
    let record = content.db.get("Draft", &of_id(id), &strong()).await?;
    record.map(|record| record.typed()).transpose()
}

/// Too many others are writing.
pub(crate) fn busy() -> Error {
    Error::unavailable(ContentCode::Busy, message!(messages::BUSY))
}

/// The key fields of a post.
pub(crate) fn key(category_id: &str, id: &str) -> Item {
    Item::from([(name!("categoryId"), category_id.into()), (name!("id"), id.into())])
}

pub(crate) fn of_id(id: &str) -> Item {
    Item::from([(name!("id"), id.into())])
}

/// Options of a strong read.
pub(crate) fn strong() -> GetOptions {
    GetOptions { consistent: true, fields: None }
}
