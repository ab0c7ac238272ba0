//! Content as JSON. Absent values are left out.

use hansang_content::{
    Category, Draft, Format, Inquiry, InquiryMail, Post, PostText, PostVersion, SpamSign, Standing,
    TextMerge, Working, render,
};
use hansang_core::kind::time::Precision;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::Tagged;

pub(super) mod managed;
pub(super) mod media;

/// The number of characters of an excerpt.
pub(crate) const EXCERPT: usize = 160;

/// A page.
#[derive(Serialize, JsonSchema)]
pub(super) struct PageOf<T> {
    /// What the page holds. A page may hold fewer than its limit while more follow.
    pub(super) items: Vec<T>,
    /// The cursor of the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<String>,
}

impl<T> Tagged for PageOf<T> {}

/// A published post in a list.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListedPost {
    id: String,
    category_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    slug: Option<String>,
    title: String,
    /// The first words of the contents.
    excerpt: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbnail_url: Option<String>,
    #[schemars(extend("format" = "date-time"))]
    published_at: String,
    /// The time at which this text was published.
    #[schemars(extend("format" = "date-time"))]
    updated_at: String,
}

/// A published post.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PublicPost {
    #[serde(flatten)]
    listed: ListedPost,
    author_id: String,
    /// The contents as they were written.
    contents: String,
    #[schemars(extend("enum" = Format::ALL.map(Format::name)))]
    contents_format: &'static str,
    /// The contents as HTML that is safe to show.
    html: String,
    /// The time from which it is not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    expires_at: Option<String>,
}

/// The edited part of a post.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Text {
    title: String,
    contents: String,
    #[schemars(extend("enum" = Format::ALL.map(Format::name)))]
    contents_format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbnail_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slug: Option<String>,
}

/// A post as editors see it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditedPost {
    id: String,
    category_id: String,
    author_id: String,
    #[schemars(extend("enum" = ["draft", "published"]))]
    state: &'static str,
    /// What visitors see of it now.
    #[schemars(extend("enum" = Standing::ALL.map(Standing::name)))]
    standing: &'static str,
    /// Grows with every change: the entity tag.
    revision: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    publish_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    expires_at: Option<String>,
    /// The text that is edited: of the draft, if there is one.
    text: Text,
    /// The published text, while a draft differs from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    published: Option<Text>,
    /// Who edited the draft last.
    #[serde(skip_serializing_if = "Option::is_none")]
    draft_by: Option<String>,
    #[schemars(extend("format" = "date-time"))]
    created_at: String,
    #[schemars(extend("format" = "date-time"))]
    updated_at: String,
}

/// The texts of two editors in one.
#[derive(Serialize)]
pub(super) struct Merged {
    text: Text,
    conflicts: Vec<Conflict>,
}

/// A passage that both editors changed.
#[derive(Serialize)]
struct Conflict {
    field: &'static str,
    mine: String,
    theirs: String,
}

/// A saved text.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Version {
    revision: i64,
    #[schemars(extend("enum" = ["saved", "published", "unpublished", "restored"]))]
    event: &'static str,
    by: String,
    #[schemars(extend("format" = "date-time"))]
    at: String,
    text: Text,
}

/// A category.
#[derive(Serialize, JsonSchema)]
pub(super) struct PublicCategory {
    id: String,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    desc: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slug: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<i64>,
    /// Grows with every change: the entity tag.
    revision: i64,
}

/// The receipt of an inquiry. Its visitor reads nothing else of it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Receipt {
    id: String,
    #[schemars(extend("format" = "date-time"))]
    received_at: String,
}

/// An inquiry, as managers see it. Old ones may lack any part.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShownInquiry {
    id: String,
    name: String,
    email: String,
    company: String,
    title: String,
    referral: String,
    subject: String,
    message: String,
    #[schemars(extend("enum" = ["new", "in_progress", "done"]))]
    status: &'static str,
    /// Whether it is in quarantine.
    spam: bool,
    #[schemars(extend("items" = json!({ "enum": SpamSign::ALL.map(SpamSign::name) })))]
    spam_signs: Vec<&'static str>,
    /// Grows with every change: the entity tag.
    revision: i64,
    /// The address that the notification was sent to.
    #[serde(skip_serializing_if = "Option::is_none")]
    notified_email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_reply_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    consent_version: Option<String>,
    /// The end of its retention period.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    purge_at: Option<String>,
    #[schemars(extend("format" = "date-time"))]
    received_at: String,
}

/// An inquiry with its mails, oldest first.
#[derive(Serialize, JsonSchema)]
pub(super) struct Thread {
    #[serde(flatten)]
    inquiry: ShownInquiry,
    mails: Vec<ShownMail>,
}

/// A mail of an inquiry.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShownMail {
    id: String,
    #[schemars(extend("enum" = ["notification", "reply"]))]
    kind: &'static str,
    #[schemars(extend("enum" = ["pending", "sent", "failed"]))]
    state: &'static str,
    /// A notification has none while the company has no address.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    subject: String,
    body: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    attempts: i64,
    /// The last answer of the mail server, if it was no acceptance.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    sent_at: Option<String>,
}

impl Tagged for EditedPost {
    fn revision(&self) -> Option<i64> {
        Some(self.revision)
    }
}

impl Tagged for Version {}

impl Tagged for PublicCategory {
    fn revision(&self) -> Option<i64> {
        Some(self.revision)
    }
}

impl Tagged for ShownInquiry {
    fn revision(&self) -> Option<i64> {
        Some(self.revision)
    }
}

impl Tagged for Thread {
    fn revision(&self) -> Option<i64> {
        Some(self.inquiry.revision)
    }
}

impl ListedPost {
    pub(super) fn of(post: &Post) -> Self {
        let text = render::text(&post.text.contents, post.text.format);
        Self {
            id: post.id.clone(),
            category_id: post.category_id.clone(),
            slug: post.text.slug.clone(),
            title: post.text.title.clone(),
            excerpt: render::excerpt(&text, EXCERPT),
            thumbnail_url: post.text.thumbnail_url.clone(),
            published_at: time(post.published_at()),
            updated_at: time(post.text_at()),
        }
    }
}

impl PublicPost {
    pub(super) fn of(post: &Post) -> Self {
        Self {
            listed: ListedPost::of(post),
            author_id: post.author_id.clone(),
            html: render::html(&post.text.contents, post.text.format),
            contents: post.text.contents.clone(),
            contents_format: post.text.format.name(),
            expires_at: expiry(post).map(time),
        }
    }
}

impl Text {
    fn of(text: &PostText) -> Self {
        Self {
            title: text.title.clone(),
            contents: text.contents.clone(),
            contents_format: Format::name(text.format),
            thumbnail_url: text.thumbnail_url.clone(),
            slug: text.slug.clone(),
        }
    }
}

impl EditedPost {
    pub(super) fn of(now: &Working, at: Timestamp) -> Self {
        Self::with(&now.post, now.draft.as_ref(), at)
    }

    /// A post after a change that leaves no draft.
    pub(super) fn with(post: &Post, draft: Option<&Draft>, at: Timestamp) -> Self {
        Self {
            id: post.id.clone(),
            category_id: post.category_id.clone(),
            author_id: post.author_id.clone(),
            state: if post.is_published() { "published" } else { "draft" },
            standing: post.standing(at).name(),
            revision: post.revision,
            publish_at: post.is_published().then(|| time(post.published_at())),
            expires_at: expiry(post).map(time),
            text: Text::of(draft.map_or(&post.text, |draft| &draft.text)),
            published: draft.map(|_| Text::of(&post.text)),
            draft_by: draft.map(|draft| draft.by.clone()),
            created_at: time(post.created_at),
            updated_at: time(post.updated_at),
        }
    }
}

impl Merged {
    pub(super) fn of(merge: TextMerge) -> Self {
        let conflicts = merge.conflicts.into_iter();
        let conflicts =
            conflicts.map(|one| Conflict { field: one.field, mine: one.mine, theirs: one.theirs });
        Self { text: Text::of(&merge.text), conflicts: conflicts.collect() }
    }
}

impl Version {
    pub(super) fn of(version: &PostVersion) -> Self {
        Self {
            revision: version.revision,
            event: version.event.name(),
            by: version.by.clone(),
            at: time(version.at),
            text: Text::of(&version.text),
        }
    }
}

impl PublicCategory {
    pub(super) fn of(category: Category) -> Self {
        let Category { id, title, desc, slug, order, revision, .. } = category;
        Self { id, title, desc, slug, order, revision }
    }
}

impl Receipt {
    pub(super) fn of(inquiry: &Inquiry) -> Self {
        Self { id: inquiry.id.clone(), received_at: time(inquiry.created_at) }
    }
}

impl ShownInquiry {
    pub(super) fn of(inquiry: Inquiry) -> Self {
        Self {
            id: inquiry.id,
            name: inquiry.name,
            email: inquiry.email,
            company: inquiry.company,
            title: inquiry.title,
            referral: inquiry.referral,
            subject: inquiry.subject,
            message: inquiry.message,
            status: inquiry.status.name(),
            spam: inquiry.spam,
            spam_signs: inquiry.spam_signs.iter().map(|sign| sign.name()).collect(),
            revision: inquiry.revision,
            notified_email: inquiry.notified_email,
            first_reply_message: inquiry.first_reply_message,
            consent_version: inquiry.consent_version,
            purge_at: inquiry.purge_at.map(time),
            received_at: time(inquiry.created_at),
        }
    }
}

impl Thread {
    pub(super) fn of(inquiry: Inquiry, mails: Vec<InquiryMail>) -> Self {
        Self { inquiry: ShownInquiry::of(inquiry), mails: mails.into_iter().map(ShownMail::of).collect() }
    }
}

impl ShownMail {
    fn of(mail: InquiryMail) -> Self {
        Self {
            id: mail.id,
            kind: mail.kind.name(),
            state: mail.state.name(),
            to: mail.to,
            subject: mail.subject,
            body: mail.body,
            by: mail.by,
            attempts: mail.attempts,
            error: mail.error,
            sent_at: mail.sent_at.map(time),
        }
    }
}

/// The time from which a post is not shown.
pub(crate) fn expiry(post: &Post) -> Option<Timestamp> {
    post.expires_at.and_then(|second| Timestamp::from_second(second).ok())
}

/// A time as it is stored.
fn time(at: Timestamp) -> String {
    Precision::Seconds.format(at).to_string()
}
