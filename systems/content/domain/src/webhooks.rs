//! Webhooks: addresses that are told of events, and their deliveries.
//!
//! An event is written in the transaction of what it tells, as one item of the outbox. At its time a worker turns it into a
//! delivery for each webhook, and sends those as it sends mails. A scheduled post is told when visitors can see it.

use hansang_core::db::{Ask, Operation};
use hansang_core::plan::{Change, Guard};
use hansang_core::write::Update;
use hansang_core::{Error, Item, Value, message, name, names};
use jiff::Timestamp;
use serde::Deserialize;

use crate::edit::{Check, all, commit_known, item, remove, replace};
use crate::inquiry::MailState;
use crate::live::time;
use crate::post::{of_id, strong};
use crate::posts::{commit, path, set};
use crate::{Content, ContentCode, messages};

/// The maximum number of webhooks, so that an event becomes deliveries in one transaction.
pub const MAX_WEBHOOKS: usize = 20;
/// The number of failed attempts in a row after which a webhook is switched off.
pub const MAX_FAILURES: i64 = 30;

names! {
    /// Something that webhooks are told.
    pub enum Event {
        /// Visitors can see a post, or a new text of it.
        PostPublished = "post.published",
        /// Visitors cannot see a post any more: it was taken back or deleted, or it has expired.
        PostUnpublished = "post.unpublished",
        /// A visitor has sent an inquiry, or a manager has released one from quarantine.
        InquiryCreated = "inquiry.created",
        /// A test of the webhook.
        Test = "test",
    }
}

/// The part of a webhook that is edited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebhookText {
    /// The address.
    pub url: String,
    /// The secret that signs deliveries. On a change, an empty one keeps the stored one.
    pub secret: String,
    /// The events.
    pub events: Vec<Event>,
    /// Whether it is switched on. Switching it on resets its failures.
    pub active: bool,
}

/// A webhook.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct Webhook {
    /// The id.
    pub id: String,
    /// The address.
    pub url: String,
    /// The secret, which is never shown after it was entered.
    pub(crate) secret: String,
    /// The events.
    #[serde(default)]
    pub events: Vec<Event>,
    /// Whether it is switched on.
    #[serde(default)]
    pub active: bool,
    /// The number of failed attempts in a row.
    #[serde(default)]
    pub failures: i64,
    /// The last error, if the last attempt failed.
    pub error: Option<String>,
    /// The number of changes.
    #[serde(default)]
    pub revision: i64,
    /// The time it was created.
    #[serde(rename = "CreatedAt")]
    pub created_at: Timestamp,
}

/// Leaves out the secret.
impl std::fmt::Debug for Webhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Webhook").field("id", &self.id).field("url", &self.url).finish_non_exhaustive()
    }
}

/// An event that a webhook is told.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDelivery {
    /// The webhook.
    pub webhook_id: String,
    /// The id, which every attempt has.
    pub id: String,
    /// The event.
    pub event: Event,
    /// The JSON that is sent.
    pub body: String,
    /// The state.
    pub state: MailState,
    /// The number of attempts.
    #[serde(default)]
    pub attempts: i64,
    /// The status of the last answer.
    pub status: Option<i64>,
    /// The last error.
    pub error: Option<String>,
    /// The time it was accepted.
    pub sent_at: Option<Timestamp>,
    /// The time of the event.
    #[serde(rename = "CreatedAt")]
    pub created_at: Timestamp,
}

/// A page of deliveries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryPage {
    /// The deliveries, newest first.
    pub deliveries: Vec<WebhookDelivery>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// All webhooks, oldest first.
///
/// # Errors
/// When the store fails.
pub async fn webhooks(content: &Content) -> Result<Vec<Webhook>, Error> {
    let records = all(content, "webhooks", Item::new()).await?;
    Ok(records.iter().filter_map(|record| record.typed().ok()).collect())
}

/// Finds a webhook.
///
/// # Errors
/// `webhook_unknown`.
pub async fn find_webhook(content: &Content, id: &str) -> Result<Webhook, Error> {
    let found = content.db.get("Webhook", &of_id(id), &strong()).await?;
    found.ok_or_else(|| unknown(id))?.typed()
}

/// The deliveries of a webhook, newest first.
///
/// # Errors
/// An invalid cursor or limit.
pub async fn webhook_deliveries(content: &Content, id: &str, ask: Ask) -> Result<DeliveryPage, Error> {
    let arguments = Item::from([(name!("webhookId"), id.into())]);
    let page = content.db.query("webhookDeliveries", arguments, ask).await?;
    let deliveries = page.records.iter().filter_map(|record| record.typed().ok()).collect();
    Ok(DeliveryPage { deliveries, next: page.next })
}

/// Creates a webhook. Its address is checked again whenever it is called.
///
/// # Errors
/// Every field that is wrong, or too many webhooks.
pub async fn create_webhook(content: &Content, text: &WebhookText) -> Result<Webhook, Error> {
    check(text, true)?;
    if webhooks(content).await?.len() >= MAX_WEBHOOKS {
        return Err(Error::conflict(
            ContentCode::TooManyWebhooks,
            message!(messages::TOO_MANY_WEBHOOKS, MAX_WEBHOOKS),
        ));
    }
    let mut created = item(vec![
        (name!("url"), Some(text.url.trim().into())),
        (name!("secret"), Some(text.secret.as_str().into())),
        (name!("events"), Some(events(text))),
        (name!("active"), Some(text.active.into())),
    ]);
    let id = content.new_id();
    created.extend([(name!("id"), id.as_str().into()), (name!("revision"), 1.into())]);
    content.db.create("Webhook", created).await?.typed()
}

/// Changes a webhook.
///
/// # Errors
/// Every field that is wrong, `webhook_unknown`, or `changed` for an older revision.
pub async fn change_webhook(
    content: &Content,
    id: &str,
    text: &WebhookText,
    revision: i64,
) -> Result<Webhook, Error> {
    check(text, !text.secret.is_empty())?;
    let mut fields = vec![
        (name!("url"), Some(text.url.trim().into())),
        (name!("events"), Some(events(text))),
        (name!("active"), Some(text.active.into())),
    ];
    if !text.secret.is_empty() {
        fields.push((name!("secret"), Some(text.secret.as_str().into())));
    }
    if text.active {
        fields.extend([(name!("failures"), None), (name!("error"), None)]);
    }
    commit_known(content, vec![replace("Webhook", id, fields, revision)], || unknown(id)).await?;
    find_webhook(content, id).await
}

/// Deletes a webhook. Deliveries that wait are dropped; those of the past stay until they are purged.
///
/// # Errors
/// `webhook_unknown`, or `changed` for an older revision.
pub async fn delete_webhook(content: &Content, id: &str, revision: i64) -> Result<(), Error> {
    commit_known(content, vec![remove("Webhook", id, revision)], || unknown(id)).await
}

/// Sends a test event to a webhook, also one that is switched off. The delivery tells the result.
///
/// # Errors
/// `webhook_unknown`.
pub async fn test_webhook(content: &Content, id: &str) -> Result<WebhookDelivery, Error> {
    find_webhook(content, id).await?;
    let delivery_id = content.new_id();
    let body = envelope(&delivery_id, Event::Test, content.now(), serde_json::json!({}));
    commit(content, delivery(content, id, &delivery_id, Event::Test, &body).into()).await?;
    content.staged.notify_one();
    let found = content.db.get("WebhookDelivery", &delivery_key(id, &delivery_id), &strong()).await?;
    found.ok_or_else(|| unknown(id))?.typed()
}

/// The write of an event that is told now, or at a time that the post must still have then, with the change that it tells. The
/// same event at the same time is one item, so a post that is scheduled twice is told once.
pub(crate) fn event(content: &Content, event: Event, subject_id: &str, at: Option<Timestamp>) -> Operation {
    let now = content.now();
    let due_at = at.map_or(now, |at| at.max(now));
    // A worker that took the item which this one replaces must not record its result: its number is another one.
    let lease = u32::try_from(content.db.clock().moment().random & 0xffff_ffff).unwrap_or_default();
    let mut fields = Item::from([
        (name!("id"), format!("{}:{subject_id}:{}", event.name(), due_at.as_second()).into()),
        (name!("event"), event.name().into()),
        (name!("subjectId"), subject_id.into()),
        (name!("dueAt"), time(due_at).into()),
        (name!("lease"), i64::from(lease).into()),
    ]);
    fields.extend(at.map(|at| (name!("at"), time(at).into())));
    Operation::Put { entity: name!("Outbox"), fields, expected_version: None, guards: Vec::new() }
}

/// The writes of a delivery that waits.
pub(crate) fn delivery(
    content: &Content,
    webhook_id: &str,
    id: &str,
    event: Event,
    body: &str,
) -> [Operation; 2] {
    let mut fields = delivery_key(webhook_id, id);
    fields.extend([(name!("event"), event.name().into()), (name!("body"), body.into())]);
    let mut waits = delivery_key(webhook_id, id);
    waits.insert(name!("dueAt"), time(content.now()).into());
    [("WebhookDelivery", fields), ("Outbox", waits)].map(|(entity, fields)| Operation::Create {
        entity: entity.into(),
        fields,
        guards: Vec::new(),
    })
}

/// The JSON of a delivery.
pub(crate) fn envelope(id: &str, event: Event, at: Timestamp, data: serde_json::Value) -> String {
    serde_json::json!({ "id": id, "event": event.name(), "at": time(at), "data": data }).to_string()
}

pub(crate) fn delivery_key(webhook_id: &str, id: &str) -> Item {
    Item::from([(name!("webhookId"), webhook_id.into()), (name!("id"), id.into())])
}

/// Counts a failed attempt of a webhook, and switches it off after too many.
pub(crate) fn count_failure(webhook: &Webhook, error: &str) -> Operation {
    let mut changes = vec![(path(name!("failures")), Change::Add(1.into())), set(name!("error"), error)];
    if webhook.failures + 1 >= MAX_FAILURES {
        changes.push(set(name!("active"), false));
    }
    update(&webhook.id, changes, Vec::new())
}

/// Resets the failures of a webhook.
pub(crate) fn forget_failures(webhook: &Webhook) -> Operation {
    let changes = vec![(path(name!("failures")), Change::Remove), (path(name!("error")), Change::Remove)];
    update(&webhook.id, changes, Vec::new())
}

fn update(id: &str, changes: Vec<(hansang_core::plan::Path, Change)>, guards: Vec<Guard>) -> Operation {
    let update = Update { key: of_id(id), changes, expected_version: None };
    Operation::Update { entity: name!("Webhook"), update, guards }
}

fn events(text: &WebhookText) -> Value {
    let mut events = text.events.clone();
    events.sort_unstable();
    events.dedup();
    Value::L(events.into_iter().map(|event| event.name().into()).collect())
}

fn check(text: &WebhookText, with_secret: bool) -> Result<(), Error> {
    let mut check = Check::default();
    let url = text.url.trim();
    let web = url.starts_with("https://") || url.starts_with("http://");
    if !web || !hansang_core::kind::text::is_url(url) || url.chars().count() > 2000 {
        check.problem("url", message!(messages::NOT_A_WEBHOOK));
    }
    if with_secret && !(16..=200).contains(&text.secret.chars().count()) {
        check.problem("secret", message!(messages::SECRET));
    }
    if text.events.is_empty() || text.events.contains(&Event::Test) {
        check.problem("events", message!(messages::CHOOSE_EVENTS));
    }
    check.done()
}

fn unknown(id: &str) -> Error {
    Error::not_found(ContentCode::WebhookUnknown, message!(messages::WEBHOOK_UNKNOWN, id))
}
