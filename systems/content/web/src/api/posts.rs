//! Published posts, for everybody.

use axum::extract::OriginalUri;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_content::{Addressed, next_change, post_by_slug, published, visible_post};
use hansang_core::db::Ask;
use hansang_core::message;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::problem::Problem;
use hansang_http::route::{
    Needs, Route, cursor_parameter, empty_answer, json_answer, query_parameter, segment,
};
use hansang_server::schema::response;
use serde_json::json;

use super::output::{ListedPost, PageOf, PublicPost, expiry};
use super::{Api, Public, Responded, as_json};
use crate::fresh::Made;
use crate::messages as api;
use crate::shown;

/// The maximum number of posts of a page.
const MAX_PAGE: u32 = 100;

impl Api {
    pub(super) fn post_routes(&self) -> Vec<Route> {
        vec![self.list_route(), self.post_route(), self.slug_route()]
    }

    fn list_route(&self) -> Route {
        let limit = json!({ "type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": 20 });
        let parameters = vec![
            query_parameter("category", false, json!({ "type": "string" }), message!(api::BY_CATEGORY)),
            query_parameter("limit", false, limit, message!(api::LIMIT)),
            cursor_parameter(),
        ];
        let texts = (message!(api::LIST_POSTS), message!(api::THE_POSTS));
        self.public("posts", "posts.list", texts, parameters, async move |desk, _, mut asked: Parameters| {
            let category = match asked.take("category") {
                Some(name) => Some(shown::category(&desk.content, &name).await?),
                None => None,
            };
            let ask = Ask {
                limit: Some(asked.number("limit")?.unwrap_or(20)),
                cursor: asked.take("cursor"),
                ..Ask::default()
            };
            asked.finish()?;
            let category = category.as_ref().map(|category| &*category.id);
            let until = next_change(&desk.content).await?;
            let page = published(&desk.content, category, ask).await?;
            let items = page.posts.iter().map(ListedPost::of).collect();
            Ok(Public { body: PageOf { items, next: page.next }, until })
        })
    }

    fn post_route(&self) -> Route {
        let texts = (message!(api::GET_POST), message!(api::THE_POST));
        self.public(
            "posts/{id}",
            "posts.get",
            texts,
            Vec::new(),
            async move |desk, key: PathKey, asked: Parameters| {
                asked.finish()?;
                let post = visible_post(&desk.content, &key.text("id")).await?;
                Ok(Public { until: expiry(&post), body: PublicPost::of(&post) })
            },
        )
    }

    /// The post of a slug. An old slug leads to the new one.
    fn slug_route(&self) -> Route {
        let operation = "posts.bySlug";
        let api = self.clone();
        let mut route = self.route(
            Method::GET,
            "posts/by-slug/{slug}",
            operation,
            message!(api::POST_BY_SLUG),
            Needs::Nothing,
        );
        route.answers = vec![
            (200, json_answer(message!(api::THE_POST), response::<PublicPost>(self.model()))),
            (304, empty_answer(message!(api::NOT_MODIFIED))),
            (308, empty_answer(message!(api::MOVED))),
        ];
        route.handler = on(
            MethodFilter::GET,
            async move |OriginalUri(uri): OriginalUri,
                        headers: HeaderMap,
                        key: PathKey,
                        asked: Parameters|
                        -> Responded {
                asked.finish()?;
                let found =
                    api.calls.measured(operation, post_by_slug(&api.desk.content, &key.text("slug"))).await?;
                match found {
                    Addressed::Moved(slug) => {
                        let to = format!("/api/{}/posts/by-slug/{}", api.model().name, segment(&slug.into()));
                        Ok((StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, to)]).into_response())
                    }
                    Addressed::Post(post) => {
                        let make = async {
                            let text = as_json(&PublicPost::of(&post))?;
                            Ok::<_, Problem>(Made { media: "application/json", text, until: expiry(&post) })
                        };
                        api.desk.fresh.respond(uri.path().to_owned(), &headers, make).await
                    }
                }
            },
        );
        route
    }
}
