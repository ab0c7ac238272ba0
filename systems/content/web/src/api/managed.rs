//! What managers keep: banners, the company, users, webhooks, reply templates. Visitors read the first two.

use axum::http::{Method, StatusCode};
use hansang_access::Role;
use hansang_content::{
    banners, corp_info, find_webhook, next_change, reply_templates, users, visible_banners,
    webhook_deliveries, webhooks,
};
use hansang_core::message;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::problem::Problem;
use hansang_http::route::{Route, cursor_parameter, query_parameter};
use serde_json::json;

use super::output::PageOf;
use super::output::managed::{
    Company, Count, EditedBanner, PublicBanner, ShownDelivery, ShownTemplate, ShownUser, ShownWebhook,
};
use super::sent::managed::{
    SentBanner, SentCompany, SentOrder, SentPerson, SentTemplate, SentUser, SentWebhook,
};
use super::{Api, Asked, Public, ask};
use crate::actions::{MANAGER, managed as actions};
use crate::messages as api;

impl Api {
    pub(super) fn managed_routes(&self) -> Vec<Route> {
        let mut routes = self.banner_routes();
        routes.extend(self.company_routes());
        routes.extend(self.user_routes());
        routes.extend(self.webhook_routes());
        routes.extend(self.template_routes());
        routes
    }

    fn banner_routes(&self) -> Vec<Route> {
        let ok = (StatusCode::OK, Role::Editor);
        vec![
            self.public(
                "banners",
                "banners.list",
                (message!(api::LIST_BANNERS), message!(api::THE_BANNERS)),
                Vec::new(),
                async move |desk, _, asked: Parameters| {
                    asked.finish()?;
                    let until = next_change(&desk.content).await?;
                    let items = visible_banners(&desk.content).await?.into_iter().map(PublicBanner::of);
                    Ok(Public { body: PageOf { items: items.collect(), next: None }, until })
                },
            ),
            self.read(
                "edit/banners",
                "edit.banners",
                (message!(api::LIST_ALL_BANNERS), message!(api::THE_BANNERS)),
                Role::Viewer,
                Vec::new(),
                async move |desk, _, asked: Parameters| {
                    asked.finish()?;
                    let now = desk.content.now();
                    let all = banners(&desk.content).await?;
                    let items = all.into_iter().map(|banner| EditedBanner::of(banner, now));
                    Ok(PageOf { items: items.collect(), next: None })
                },
            ),
            self.change::<SentBanner, _, _, _>(
                (Method::POST, "banners"),
                actions::CREATE_BANNER,
                (StatusCode::CREATED, Role::Editor),
                |asked| Ok(asked.body.text()),
                EditedBanner::of,
            ),
            self.change::<SentBanner, _, _, _>(
                (Method::PUT, "banners/{id}"),
                actions::CHANGE_BANNER,
                ok,
                |asked| {
                    let (id, revision) = (asked.text("id"), asked.revision()?);
                    Ok((id, asked.body.text(), revision))
                },
                EditedBanner::of,
            ),
            self.order::<_, _, EditedBanner>(
                (Method::DELETE, "banners/{id}"),
                actions::DELETE_BANNER,
                Role::Editor,
                of_revision,
                None,
            ),
            self.change::<SentOrder, _, _, _>(
                (Method::POST, "edit/banners/order"),
                actions::ORDER_BANNERS,
                ok,
                |asked| Ok(asked.body.ids),
                |(), _| Count { count: 0 },
            ),
        ]
    }

    fn company_routes(&self) -> Vec<Route> {
        vec![
            self.public(
                "company",
                "company.get",
                (message!(api::GET_COMPANY), message!(api::THE_COMPANY)),
                Vec::new(),
                async move |desk, _, asked: Parameters| {
                    asked.finish()?;
                    Ok(Public { body: Company::of(corp_info(&desk.content).await?), until: None })
                },
            ),
            self.change::<SentCompany, _, _, _>(
                (Method::PUT, "company"),
                actions::SAVE_COMPANY,
                (StatusCode::OK, MANAGER),
                |asked| {
                    let revision = asked.revision()?;
                    Ok(asked.body.info(revision))
                },
                |info, _| Company::of(info),
            ),
        ]
    }

    fn user_routes(&self) -> Vec<Route> {
        vec![
            self.read(
                "users",
                "users.list",
                (message!(api::LIST_USERS), message!(api::THE_USERS)),
                Role::Viewer,
                Vec::new(),
                async move |desk, _, asked: Parameters| {
                    asked.finish()?;
                    let items = users(&desk.content).await?.into_iter().map(ShownUser::of).collect();
                    Ok(PageOf { items, next: None })
                },
            ),
            self.change::<SentUser, _, _, _>(
                (Method::POST, "users"),
                actions::CREATE_USER,
                (StatusCode::CREATED, MANAGER),
                |mut asked| Ok((asked.body.id.take(), asked.body.text())),
                |user, _| ShownUser::of(user),
            ),
            self.change::<SentUser, _, _, _>(
                (Method::PUT, "users/{id}"),
                actions::CHANGE_USER,
                (StatusCode::OK, MANAGER),
                |asked| {
                    let (id, revision) = (asked.text("id"), asked.revision()?);
                    Ok((id, asked.body.text(), revision))
                },
                |user, _| ShownUser::of(user),
            ),
            self.order::<_, _, ShownUser>(
                (Method::DELETE, "users/{id}"),
                actions::DELETE_USER,
                MANAGER,
                of_revision,
                None,
            ),
            self.change::<SentPerson, _, _, _>(
                (Method::POST, "people/erase"),
                actions::ERASE_PERSON,
                (StatusCode::OK, MANAGER),
                |asked| Ok(asked.body.email),
                |count, _| Count { count },
            ),
        ]
    }

    fn webhook_routes(&self) -> Vec<Route> {
        let limit = json!({ "type": "integer", "minimum": 1, "maximum": 100 });
        let page = vec![query_parameter("limit", false, limit, message!(api::LIMIT)), cursor_parameter()];
        vec![
            self.read(
                "webhooks",
                "webhooks.list",
                (message!(api::LIST_WEBHOOKS), message!(api::THE_WEBHOOKS)),
                MANAGER,
                Vec::new(),
                async move |desk, _, asked: Parameters| {
                    asked.finish()?;
                    let items = webhooks(&desk.content).await?.into_iter().map(ShownWebhook::of).collect();
                    Ok(PageOf { items, next: None })
                },
            ),
            self.change::<SentWebhook, _, _, _>(
                (Method::POST, "webhooks"),
                actions::CREATE_WEBHOOK,
                (StatusCode::CREATED, MANAGER),
                |asked| Ok(asked.body.text()),
                |webhook, _| ShownWebhook::of(webhook),
            ),
            self.change::<SentWebhook, _, _, _>(
                (Method::PUT, "webhooks/{id}"),
                actions::CHANGE_WEBHOOK,
                (StatusCode::OK, MANAGER),
                |asked| {
                    let (id, revision) = (asked.text("id"), asked.revision()?);
                    Ok((id, asked.body.text(), revision))
                },
                |webhook, _| ShownWebhook::of(webhook),
            ),
            self.order::<_, _, ShownWebhook>(
                (Method::DELETE, "webhooks/{id}"),
                actions::DELETE_WEBHOOK,
                MANAGER,
                of_revision,
                None,
            ),
            self.order(
                (Method::POST, "webhooks/{id}/test"),
                actions::TEST_WEBHOOK,
                MANAGER,
                |asked| Ok(asked.text("id")),
                Some(|delivery, _| ShownDelivery::of(delivery)),
            ),
            self.read(
                "webhooks/{id}/deliveries",
                "webhooks.deliveries",
                (message!(api::LIST_DELIVERIES), message!(api::THE_DELIVERIES)),
                MANAGER,
                page,
                async move |desk, key: PathKey, asked: Parameters| {
                    let id = key.text("id");
                    find_webhook(&desk.content, &id).await?;
                    let page = webhook_deliveries(&desk.content, &id, ask(asked)?).await?;
                    let items = page.deliveries.into_iter().map(ShownDelivery::of).collect();
                    Ok(PageOf { items, next: page.next })
                },
            ),
            self.order::<_, _, ShownDelivery>(
                (Method::POST, "webhooks/{id}/deliveries/{deliveryId}/resend"),
                actions::REDELIVER,
                MANAGER,
                |asked| Ok((asked.text("id"), asked.text("deliveryId"))),
                None,
            ),
        ]
    }

    fn template_routes(&self) -> Vec<Route> {
        vec![
            self.read(
                "reply-templates",
                "templates.list",
                (message!(api::LIST_TEMPLATES), message!(api::THE_TEMPLATES)),
                Role::Editor,
                Vec::new(),
                async move |desk, _, asked: Parameters| {
                    asked.finish()?;
                    let all = reply_templates(&desk.content).await?;
                    Ok(PageOf { items: all.into_iter().map(ShownTemplate::of).collect(), next: None })
                },
            ),
            self.change::<SentTemplate, _, _, _>(
                (Method::POST, "reply-templates"),
                actions::CREATE_TEMPLATE,
                (StatusCode::CREATED, Role::Editor),
                |asked| Ok((asked.body.title, asked.body.body)),
                |template, _| ShownTemplate::of(template),
            ),
            self.change::<SentTemplate, _, _, _>(
                (Method::PUT, "reply-templates/{id}"),
                actions::CHANGE_TEMPLATE,
                (StatusCode::OK, Role::Editor),
                |asked| {
                    let (id, revision) = (asked.text("id"), asked.revision()?);
                    Ok((id, asked.body.title, asked.body.body, revision))
                },
                |template, _| ShownTemplate::of(template),
            ),
            self.order::<_, _, ShownTemplate>(
                (Method::DELETE, "reply-templates/{id}"),
                actions::DELETE_TEMPLATE,
                Role::Editor,
                of_revision,
                None,
            ),
        ]
    }
}

/// The id of a path and the revision that was edited.
fn of_revision(asked: Asked<()>) -> Result<(String, i64), Problem> {
    Ok((asked.text("id"), asked.revision()?))
}
