//! Changes of what managers keep: categories, banners, the company, users, webhooks, reply templates.

use hansang_content::{
    Banner, BannerText, Category, CorpInfo, ReplyTemplate, User, UserText, Webhook, WebhookDelivery,
    WebhookText, change_banner, change_category, change_template, change_user, change_webhook, create_banner,
    create_template, create_user, create_webhook, delete_banner, delete_template, delete_user,
    delete_webhook, erase_person, order_banners, order_categories, redeliver, save_corp_info, test_webhook,
};
use hansang_server::Action;

use super::Change;
use crate::messages;

/// Changes the title and the description of a category of this revision.
pub(crate) const CHANGE_CATEGORY: Change<(String, String, Option<String>, i64), Category> = Action {
    name: "category.change",
    summary: &messages::CHANGE_CATEGORY,
    subject: |(_, (id, ..))| id.clone(),
    run: |desk, (_, (id, title, desc, revision))| {
        Box::pin(async move { change_category(&desk.content, &id, &title, desc.as_deref(), revision).await })
    },
};

/// Puts categories in this order.
pub(crate) const ORDER_CATEGORIES: Change<Vec<String>, ()> = Action {
    name: "category.order",
    summary: &messages::ORDER_CATEGORIES,
    subject: |(_, ids)| ids.join(" "),
    run: |desk, (_, ids)| Box::pin(async move { order_categories(&desk.content, &ids).await }),
};

pub(crate) const CREATE_BANNER: Change<BannerText, Banner> = Action {
    name: "banner.create",
    summary: &messages::CREATE_BANNER,
    subject: |(_, text)| text.title.clone(),
    run: |desk, (_, text)| Box::pin(async move { create_banner(&desk.content, &text).await }),
};

pub(crate) const CHANGE_BANNER: Change<(String, BannerText, i64), Banner> = Action {
    name: "banner.change",
    summary: &messages::CHANGE_BANNER,
    subject: |(_, (id, ..))| id.clone(),
    run: |desk, (_, (id, text, revision))| {
        Box::pin(async move { change_banner(&desk.content, &id, &text, revision).await })
    },
};

pub(crate) const DELETE_BANNER: Change<(String, i64), ()> = Action {
    name: "banner.delete",
    summary: &messages::DELETE_BANNER,
    subject: |(_, (id, _))| id.clone(),
    run: |desk, (_, (id, revision))| {
        Box::pin(async move { delete_banner(&desk.content, &id, revision).await })
    },
};

/// Puts banners in this order.
pub(crate) const ORDER_BANNERS: Change<Vec<String>, ()> = Action {
    name: "banner.order",
    summary: &messages::ORDER_BANNERS,
    subject: |(_, ids)| ids.join(" "),
    run: |desk, (_, ids)| Box::pin(async move { order_banners(&desk.content, &ids).await }),
};

/// Saves the company, if it still has the revision in the input.
pub(crate) const SAVE_COMPANY: Change<CorpInfo, CorpInfo> = Action {
    name: "company.save",
    summary: &messages::SAVE_COMPANY,
    subject: |_| String::new(),
    run: |desk, (_, info)| Box::pin(async move { save_corp_info(&desk.content, &info).await }),
};

/// Creates a user with an id, or with a new one.
pub(crate) const CREATE_USER: Change<(Option<String>, UserText), User> = Action {
    name: "user.create",
    summary: &messages::CREATE_USER,
    subject: |(_, (id, text))| id.clone().unwrap_or_else(|| text.display_name.clone()),
    run: |desk, (_, (id, text))| Box::pin(async move { create_user(&desk.content, id, &text).await }),
};

pub(crate) const CHANGE_USER: Change<(String, UserText, i64), User> = Action {
    name: "user.change",
    summary: &messages::CHANGE_USER,
    subject: |(_, (id, ..))| id.clone(),
    run: |desk, (_, (id, text, revision))| {
        Box::pin(async move { change_user(&desk.content, &id, &text, revision).await })
    },
};

pub(crate) const DELETE_USER: Change<(String, i64), ()> = Action {
    name: "user.delete",
    summary: &messages::DELETE_USER,
    subject: |(_, (id, _))| id.clone(),
    run: |desk, (_, (id, revision))| Box::pin(async move { delete_user(&desk.content, &id, revision).await }),
};

pub(crate) const CREATE_WEBHOOK: Change<WebhookText, Webhook> = Action {
    name: "webhook.create",
    summary: &messages::CREATE_WEBHOOK,
    subject: |(_, text)| text.url.clone(),
    run: |desk, (_, text)| Box::pin(async move { create_webhook(&desk.content, &text).await }),
};

pub(crate) const CHANGE_WEBHOOK: Change<(String, WebhookText, i64), Webhook> = Action {
    name: "webhook.change",
    summary: &messages::CHANGE_WEBHOOK,
    subject: |(_, (id, ..))| id.clone(),
    run: |desk, (_, (id, text, revision))| {
        Box::pin(async move { change_webhook(&desk.content, &id, &text, revision).await })
    },
};

pub(crate) const DELETE_WEBHOOK: Change<(String, i64), ()> = Action {
    name: "webhook.delete",
    summary: &messages::DELETE_WEBHOOK,
    subject: |(_, (id, _))| id.clone(),
    run: |desk, (_, (id, revision))| {
        Box::pin(async move { delete_webhook(&desk.content, &id, revision).await })
    },
};

/// Sends a test event to a webhook.
pub(crate) const TEST_WEBHOOK: Change<String, WebhookDelivery> = Action {
    name: "webhook.test",
    summary: &messages::TEST_WEBHOOK,
    subject: |(_, id)| id.clone(),
    run: |desk, (_, id)| Box::pin(async move { test_webhook(&desk.content, &id).await }),
};

/// Sends a failed delivery of a webhook again.
pub(crate) const REDELIVER: Change<(String, String), ()> = Action {
    name: "webhook.redeliver",
    summary: &messages::REDELIVER,
    subject: |(_, (id, delivery))| format!("{id} {delivery}"),
    run: |desk, (_, (id, delivery))| Box::pin(async move { redeliver(&desk.content, &id, &delivery).await }),
};

/// Creates a reply template of a title and a text.
pub(crate) const CREATE_TEMPLATE: Change<(String, String), ReplyTemplate> = Action {
    name: "template.create",
    summary: &messages::CREATE_TEMPLATE,
    subject: |(_, (title, _))| title.clone(),
    run: |desk, (_, (title, body))| {
        Box::pin(async move { create_template(&desk.content, &title, &body).await })
    },
};

pub(crate) const CHANGE_TEMPLATE: Change<(String, String, String, i64), ReplyTemplate> = Action {
    name: "template.change",
    summary: &messages::CHANGE_TEMPLATE,
    subject: |(_, (id, ..))| id.clone(),
    run: |desk, (_, (id, title, body, revision))| {
        Box::pin(async move { change_template(&desk.content, &id, &title, &body, revision).await })
    },
};

pub(crate) const DELETE_TEMPLATE: Change<(String, i64), ()> = Action {
    name: "template.delete",
    summary: &messages::DELETE_TEMPLATE,
    subject: |(_, (id, _))| id.clone(),
    run: |desk, (_, (id, revision))| {
        Box::pin(async move { delete_template(&desk.content, &id, revision).await })
    },
};

/// Erases every inquiry from an address. The audit log does not name it.
pub(crate) const ERASE_PERSON: Change<String, usize> = Action {
    name: "inquiry.erase_person",
    summary: &messages::ERASE_PERSON,
    subject: |_| String::new(),
    run: |desk, (_, email)| {
        Box::pin(async move { erase_person(&desk.content, desk.outside.ports().mailer, &email).await })
    },
};
