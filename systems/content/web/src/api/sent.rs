//! Request bodies.

use hansang_content::{Format, NewCategory, NewPost, PostText, Publication, Save};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) mod managed;
pub(super) mod media;

/// The edited part of a post.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SentText {
    title: String,
    contents: String,
    /// `markdown`, the JSON document of a ProseMirror or TipTap editor, or `text`, whose lines stay lines.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("enum" = ["markdown", "json", "text", null]))]
    contents_format: Option<Format>,
    thumbnail_url: Option<String>,
    /// The name in addresses; made of the title on publishing if it is absent.
    slug: Option<String>,
    /// Whether the text becomes a version of the history; true if it is absent.
    keep: Option<bool>,
}

/// A post to be created.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SentPost {
    id: Option<String>,
    category_id: String,
    /// The author, if it is not the caller.
    author_id: Option<String>,
    title: String,
    contents: String,
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("enum" = ["markdown", "json", "text", null]))]
    contents_format: Option<Format>,
    thumbnail_url: Option<String>,
    slug: Option<String>,
}

/// The period in which a post is shown.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SentPublication {
    /// The time of publishing; now if it is absent.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    publish_at: Option<Timestamp>,
    /// The time from which it is not shown.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    expires_at: Option<Timestamp>,
}

/// The category that a post moves to.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SentMove {
    pub(super) category_id: String,
}

/// A category to be created.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentCategory {
    id: Option<String>,
    title: String,
    desc: Option<String>,
    /// The name in addresses, which never changes; made of the title if it is absent.
    slug: Option<String>,
    order: Option<i64>,
}

/// A message of a visitor. All parts but the trap are required.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SentInquiry {
    #[serde(default)]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) email: String,
    #[serde(default)]
    pub(crate) company: String,
    /// The position of the visitor.
    #[serde(default)]
    pub(crate) title: String,
    /// How the visitor found the site.
    #[serde(default)]
    pub(crate) referral: String,
    #[serde(default)]
    pub(crate) subject: String,
    #[serde(default)]
    pub(crate) message: String,
    /// The version of the consent text that the visitor agreed to: see `consent`.
    #[serde(default)]
    pub(crate) consent_version: String,
    /// Leave it empty: people do not see this field of a form, programs fill it in.
    #[serde(default)]
    pub(crate) website: String,
    /// A ULID that the form got when it was shown. Sending a form twice, as after a double click or a lost answer, stores one
    /// inquiry.
    #[schemars(extend("pattern" = "^[0-9A-Z]{26}$"))]
    pub(crate) form_id: Option<String>,
    /// The seconds that a person took to fill the form in, if they are known.
    pub(crate) seconds: Option<u32>,
}

/// A reply.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentReply {
    pub(super) message: String,
}

/// A new status.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SentStatus {
    #[schemars(with = "String", extend("enum" = ["new", "in_progress", "done"]))]
    pub(super) status: hansang_content::InquiryStatus,
}

impl SentText {
    pub(super) fn save(self, revision: i64) -> Save {
        let keep = self.keep.unwrap_or(true);
        let text = PostText {
            title: self.title,
            contents: self.contents,
            format: self.contents_format.unwrap_or_default(),
            thumbnail_url: self.thumbnail_url,
            slug: self.slug,
        };
        Save { text, revision, keep }
    }
}

impl SentPost {
    /// The post; without an author it is that of the caller.
    pub(super) fn post(self) -> NewPost {
        NewPost {
            id: self.id,
            category_id: self.category_id,
            author_id: self.author_id.unwrap_or_default(),
            text: PostText {
                title: self.title,
                contents: self.contents,
                format: self.contents_format.unwrap_or_default(),
                thumbnail_url: self.thumbnail_url,
                slug: self.slug,
            },
        }
    }
}

impl SentPublication {
    pub(super) fn publication(&self) -> Publication {
        Publication { publish_at: self.publish_at, expires_at: self.expires_at }
    }
}

impl SentCategory {
    pub(super) fn category(self) -> NewCategory {
        let Self { id, title, desc, slug, order } = self;
        NewCategory { id, title, desc, slug, order }
    }
}
