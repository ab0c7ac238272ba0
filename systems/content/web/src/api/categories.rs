//! Categories: read by everybody, kept by editors.

use axum::http::{Method, StatusCode};
use hansang_access::Role;
use hansang_content::categories;
use hansang_core::message;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::Route;

use super::output::managed::Count;
use super::output::{PageOf, PublicCategory};
use super::sent::SentCategory;
use super::sent::managed::{SentOrder, SentTitle};
use super::{Api, Public};
use crate::actions::{CREATE_CATEGORY, DELETE_CATEGORY, managed};
use crate::messages as api;
use crate::shown;

impl Api {
    pub(super) fn category_routes(&self) -> Vec<Route> {
        let list = (message!(api::LIST_CATEGORIES), message!(api::THE_CATEGORIES));
        let get = (message!(api::GET_CATEGORY), message!(api::THE_CATEGORY));
        vec![
            self.public(
                "categories",
                "categories.list",
                list,
                Vec::new(),
                async move |desk, _, asked: Parameters| {
                    asked.finish()?;
                    let found = categories(&desk.content).await?;
                    let items = found.into_iter().map(PublicCategory::of).collect();
                    Ok(Public { body: PageOf { items, next: None }, until: None })
                },
            ),
            self.public(
                "categories/{id}",
                "categories.get",
                get,
                Vec::new(),
                async move |desk, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    let found = shown::category(&desk.content, &key.text("id")).await?;
                    Ok(Public { body: PublicCategory::of(found), until: None })
                },
            ),
            self.change::<SentCategory, _, _, _>(
                (Method::POST, "categories"),
                CREATE_CATEGORY,
                (StatusCode::CREATED, Role::Editor),
                |asked| Ok(asked.body.category()),
                |category, _| PublicCategory::of(category),
            ),
            self.change::<SentTitle, _, _, _>(
                (Method::PUT, "categories/{id}"),
                managed::CHANGE_CATEGORY,
                (StatusCode::OK, Role::Editor),
                |asked| {
                    let (id, revision) = (asked.text("id"), asked.revision()?);
                    Ok((id, asked.body.title, asked.body.desc, revision))
                },
                |category, _| PublicCategory::of(category),
            ),
            self.change::<SentOrder, _, _, _>(
                (Method::POST, "edit/categories/order"),
                managed::ORDER_CATEGORIES,
                (StatusCode::OK, Role::Editor),
                |asked| Ok(asked.body.ids),
                |(), _| Count { count: 0 },
            ),
            self.order::<_, _, PublicCategory>(
                (Method::DELETE, "categories/{id}"),
                DELETE_CATEGORY,
                Role::Editor,
                |asked| Ok(asked.text("id")),
                None,
            ),
        ]
    }
}
