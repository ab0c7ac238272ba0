//! Categories: read by everybody, kept by editors.

use axum::http::{Method, StatusCode};
use hansang_access::Role;
use hansang_core::message;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::Route;

use super::output::{PageOf, PublicCategory};
use super::sent::SentCategory;
use super::{Api, Public};
use crate::actions::{CREATE_CATEGORY, DELETE_CATEGORY};
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
                    let found = shown::categories(&desk.content).await?;
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
