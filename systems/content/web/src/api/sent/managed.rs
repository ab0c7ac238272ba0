//! Request bodies of what managers keep.

use hansang_content::{BannerText, CorpInfo, Event, UserRole, UserText, WebhookText};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// The part of a banner that is edited.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::api) struct SentBanner {
    title: String,
    desc: Option<String>,
    img_uri: String,
    #[serde(rename = "btn1Text")]
    btn1_text: Option<String>,
    #[serde(rename = "btn1Url")]
    btn1_url: Option<String>,
    #[serde(rename = "btn2Text")]
    btn2_text: Option<String>,
    #[serde(rename = "btn2Url")]
    btn2_url: Option<String>,
    /// The time from which it is shown; at once if it is absent.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    publish_at: Option<Timestamp>,
    /// The time from which it is not shown.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    expires_at: Option<Timestamp>,
}

/// The company. An absent part is removed.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::api) struct SentCompany {
    name: Option<String>,
    address: Option<String>,
    /// The address that inquiries are sent to.
    email: String,
    fax: Option<String>,
    corp_num: Option<String>,
    ceo: Option<String>,
    hp: Option<String>,
}

/// The part of a user that is edited.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::api) struct SentUser {
    /// The id of a new user, such as that of an account; it never changes.
    pub(in crate::api) id: Option<String>,
    display_name: String,
    #[schemars(with = "String", extend("enum" = UserRole::ALL.map(UserRole::name)))]
    role: UserRole,
    desc: Option<String>,
    img_uri: Option<String>,
}

/// The part of a webhook that is edited.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct SentWebhook {
    url: String,
    /// Signs every delivery. On a change, an absent one keeps the stored one.
    #[serde(default)]
    secret: String,
    #[schemars(with = "Vec<String>", extend("items" = json!({ "enum": Event::ALL.map(Event::name) })))]
    events: Vec<Event>,
    active: bool,
}

/// A text that replies start with.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct SentTemplate {
    pub(in crate::api) title: String,
    /// `{name}`, `{company}` and `{subject}` are filled in.
    pub(in crate::api) body: String,
}

/// The title and the description of a category.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct SentTitle {
    pub(in crate::api) title: String,
    pub(in crate::api) desc: Option<String>,
}

/// Ids in their new order.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct SentOrder {
    pub(in crate::api) ids: Vec<String>,
}

/// How long a preview link works.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct SentPreview {
    /// The number of hours, at most 720.
    pub(in crate::api) hours: u16,
}

/// The person whose data is erased.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct SentPerson {
    pub(in crate::api) email: String,
}

impl SentBanner {
    pub(in crate::api) fn text(self) -> BannerText {
        BannerText {
            title: self.title,
            desc: self.desc,
            img_uri: self.img_uri,
            btn1_text: self.btn1_text,
            btn1_url: self.btn1_url,
            btn2_text: self.btn2_text,
            btn2_url: self.btn2_url,
            publish_at: self.publish_at,
            expires_at: self.expires_at.map(Timestamp::as_second),
        }
    }
}

impl SentCompany {
    pub(in crate::api) fn info(self, revision: i64) -> CorpInfo {
        let Self { name, address, email, fax, corp_num, ceo, hp } = self;
        CorpInfo { name, address, email: Some(email), fax, corp_num, ceo, hp, revision, updated_at: None }
    }
}

impl SentUser {
    pub(in crate::api) fn text(self) -> UserText {
        UserText { display_name: self.display_name, role: self.role, desc: self.desc, img_uri: self.img_uri }
    }
}

impl SentWebhook {
    pub(in crate::api) fn text(self) -> WebhookText {
        WebhookText { url: self.url, secret: self.secret, events: self.events, active: self.active }
    }
}
