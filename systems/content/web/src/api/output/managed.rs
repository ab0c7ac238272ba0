//! What managers keep, as JSON: banners, the company, users, webhooks, reply templates.

use hansang_content::{
    Banner, CorpInfo, Editor, Event, NewPreview, ReplyTemplate, User, UserRole, Webhook, WebhookDelivery,
};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::time;
use crate::api::Tagged;

/// A banner that visitors see.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::api) struct PublicBanner {
    id: String,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    desc: Option<String>,
    img_uri: String,
    #[serde(rename = "btn1Text", skip_serializing_if = "Option::is_none")]
    btn1_text: Option<String>,
    #[serde(rename = "btn1Url", skip_serializing_if = "Option::is_none")]
    btn1_url: Option<String>,
    #[serde(rename = "btn2Text", skip_serializing_if = "Option::is_none")]
    btn2_text: Option<String>,
    #[serde(rename = "btn2Url", skip_serializing_if = "Option::is_none")]
    btn2_url: Option<String>,
}

/// A banner as editors see it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::api) struct EditedBanner {
    #[serde(flatten)]
    banner: PublicBanner,
    /// Whether visitors see it now.
    visible: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    publish_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    expires_at: Option<String>,
    /// Grows with every change: the entity tag.
    revision: i64,
}

/// The company.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::api) struct Company {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fax: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    corp_num: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ceo: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hp: Option<String>,
    /// Grows with every change: the entity tag.
    revision: i64,
}

/// An author of posts.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::api) struct ShownUser {
    id: String,
    display_name: String,
    #[schemars(extend("enum" = UserRole::ALL.map(UserRole::name)))]
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    desc: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    img_uri: Option<String>,
    /// Grows with every change: the entity tag.
    revision: i64,
}

/// A webhook. Its secret is never shown.
#[derive(Serialize, JsonSchema)]
pub(in crate::api) struct ShownWebhook {
    id: String,
    url: String,
    #[schemars(extend("items" = json!({ "enum": Event::ALL.map(Event::name) })))]
    events: Vec<&'static str>,
    active: bool,
    /// The number of failed attempts in a row.
    failures: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Grows with every change: the entity tag.
    revision: i64,
}

/// An event that a webhook is told.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::api) struct ShownDelivery {
    id: String,
    #[schemars(extend("enum" = Event::ALL.map(Event::name)))]
    event: &'static str,
    #[schemars(extend("enum" = ["pending", "sent", "failed"]))]
    state: &'static str,
    attempts: i64,
    /// The status of the last answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    sent_at: Option<String>,
    #[schemars(extend("format" = "date-time"))]
    created_at: String,
    /// The JSON that is sent.
    body: String,
}

/// A text that replies start with.
#[derive(Serialize, JsonSchema)]
pub(in crate::api) struct ShownTemplate {
    id: String,
    title: String,
    body: String,
    /// Grows with every change: the entity tag.
    revision: i64,
}

/// A link that shows a text that is not published.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::api) struct Preview {
    /// The path of the link.
    path: String,
    #[schemars(extend("format" = "date-time"))]
    ends_at: String,
}

/// Someone who has a post open in an editor.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::api) struct Present {
    by: String,
    #[schemars(extend("format" = "date-time"))]
    seen_at: String,
}

/// A number of things.
#[derive(Serialize, JsonSchema)]
pub(in crate::api) struct Count {
    pub(in crate::api) count: usize,
}

impl Tagged for Count {}
impl Tagged for ShownDelivery {}
impl Tagged for Preview {}

impl Tagged for EditedBanner {
    fn revision(&self) -> Option<i64> {
        Some(self.revision)
    }
}

impl Tagged for Company {
    fn revision(&self) -> Option<i64> {
        Some(self.revision)
    }
}

impl Tagged for ShownUser {
    fn revision(&self) -> Option<i64> {
        Some(self.revision)
    }
}

impl Tagged for ShownWebhook {
    fn revision(&self) -> Option<i64> {
        Some(self.revision)
    }
}

impl Tagged for ShownTemplate {
    fn revision(&self) -> Option<i64> {
        Some(self.revision)
    }
}

impl PublicBanner {
    pub(in crate::api) fn of(banner: Banner) -> Self {
        let text = banner.text;
        Self {
            id: banner.id,
            title: text.title,
            desc: text.desc,
            img_uri: text.img_uri,
            btn1_text: text.btn1_text,
            btn1_url: text.btn1_url,
            btn2_text: text.btn2_text,
            btn2_url: text.btn2_url,
        }
    }
}

impl EditedBanner {
    pub(in crate::api) fn of(banner: Banner, now: Timestamp) -> Self {
        let end = banner.text.expires_at.and_then(|second| Timestamp::from_second(second).ok());
        Self {
            visible: banner.is_visible(now),
            publish_at: banner.text.publish_at.map(time),
            expires_at: end.map(time),
            revision: banner.revision,
            banner: PublicBanner::of(banner),
        }
    }
}

impl Company {
    pub(in crate::api) fn of(info: CorpInfo) -> Self {
        let CorpInfo { name, address, email, fax, corp_num, ceo, hp, revision, .. } = info;
        Self { name, address, email, fax, corp_num, ceo, hp, revision }
    }
}

impl ShownUser {
    pub(in crate::api) fn of(user: User) -> Self {
        Self {
            id: user.id,
            display_name: user.text.display_name,
            role: user.text.role.name(),
            desc: user.text.desc,
            img_uri: user.text.img_uri,
            revision: user.revision,
        }
    }
}

impl ShownWebhook {
    pub(in crate::api) fn of(webhook: Webhook) -> Self {
        Self {
            events: webhook.events.iter().map(|event| event.name()).collect(),
            id: webhook.id,
            url: webhook.url,
            active: webhook.active,
            failures: webhook.failures,
            error: webhook.error,
            revision: webhook.revision,
        }
    }
}

impl ShownDelivery {
    pub(in crate::api) fn of(delivery: WebhookDelivery) -> Self {
        Self {
            id: delivery.id,
            event: delivery.event.name(),
            state: delivery.state.name(),
            attempts: delivery.attempts,
            status: delivery.status,
            error: delivery.error,
            sent_at: delivery.sent_at.map(time),
            created_at: time(delivery.created_at),
            body: delivery.body,
        }
    }
}

impl ShownTemplate {
    pub(in crate::api) fn of(template: ReplyTemplate) -> Self {
        let ReplyTemplate { id, title, body, revision, .. } = template;
        Self { id, title, body, revision }
    }
}

impl Preview {
    pub(in crate::api) fn of(path: String, preview: &NewPreview) -> Self {
        Self { path, ends_at: time(preview.ends_at) }
    }
}

impl Present {
    pub(in crate::api) fn of(editor: Editor) -> Self {
        Self { by: editor.by, seen_at: time(editor.seen_at) }
    }
}
