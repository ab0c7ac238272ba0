//! Posts as editors see and change them.

use axum::http::{Method, StatusCode};
use hansang_access::Role;
use hansang_content::{Post, Working, find_post, version, versions, working};
use hansang_core::db::Ask;
use hansang_core::{Error, Item, message};
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Route, cursor_parameter, query_parameter};
use jiff::Timestamp;
use serde_json::json;

use super::output::{EditedPost, PageOf, Version};
use super::sent::{SentMove, SentPost, SentPublication, SentText};
use super::{Api, Asked};
use crate::actions::{
    CREATE_POST, DELETE_POST, DISCARD_DRAFT, MOVE_POST, PUBLISH_POST, RESTORE_VERSION, SAVE_POST,
    UNPUBLISH_POST,
};
use crate::messages as api;

impl Api {
    pub(super) fn edit_routes(&self) -> Vec<Route> {
        let mut routes = self.reading();
        routes.extend(self.writing());
        routes
    }

    fn reading(&self) -> Vec<Route> {
        let limit = json!({ "type": "integer", "minimum": 1, "maximum": 100 });
        let page = vec![query_parameter("limit", false, limit, message!(api::LIMIT)), cursor_parameter()];
        vec![
            self.read(
                "edit/posts",
                "edit.list",
                (message!(api::LIST_ALL_POSTS), message!(api::ALL_POSTS)),
                Role::Viewer,
                page.clone(),
                async move |desk, _, asked: Parameters| {
                    let listing = desk.content.db.query("posts", Item::new(), ask(asked)?).await?;
                    let mut items = Vec::new();
                    for record in &listing.records {
                        items.push(EditedPost::with(&record.typed::<Post>()?, None, desk.content.now()));
                    }
                    Ok(PageOf { items, next: listing.next })
                },
            ),
            self.read(
                "edit/posts/{id}",
                "edit.get",
                (message!(api::GET_EDITED), message!(api::THE_EDITED)),
                Role::Viewer,
                Vec::new(),
                async move |desk, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    Ok(EditedPost::of(&working(&desk.content, &key.text("id")).await?, desk.content.now()))
                },
            ),
            self.read(
                "posts/{id}/versions",
                "versions.list",
                (message!(api::LIST_VERSIONS), message!(api::THE_VERSIONS)),
                Role::Viewer,
                page,
                async move |desk, key: PathKey, asked: Parameters| {
                    let id = key.text("id");
                    find_post(&desk.content, &id).await?;
                    let page = versions(&desk.content, &id, ask(asked)?).await?;
                    Ok(PageOf { items: page.versions.iter().map(Version::of).collect(), next: page.next })
                },
            ),
            self.read(
                "posts/{id}/versions/{version}",
                "versions.get",
                (message!(api::GET_VERSION), message!(api::THE_VERSION)),
                Role::Viewer,
                Vec::new(),
                async move |desk, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    Ok(Version::of(&version(&desk.content, &key.text("id"), number(&key)).await?))
                },
            ),
        ]
    }

    fn writing(&self) -> Vec<Route> {
        let ok = (StatusCode::OK, Role::Editor);
        vec![
            self.change::<SentPost, _, _, _>(
                (Method::POST, "posts"),
                CREATE_POST,
                (StatusCode::CREATED, Role::Editor),
                |asked| Ok(asked.body.post()),
                shown_post,
            ),
            self.change::<SentText, _, _, _>(
                (Method::PUT, "posts/{id}"),
                SAVE_POST,
                ok,
                |asked| {
                    let (id, revision) = (asked.text("id"), asked.revision()?);
                    Ok((id, asked.body.save(revision)))
                },
                shown,
            ),
            self.change::<SentPublication, _, _, _>(
                (Method::POST, "posts/{id}/publish"),
                PUBLISH_POST,
                ok,
                |asked| Ok((asked.text("id"), asked.body.publication(), asked.revision()?)),
                shown_post,
            ),
            self.order(
                (Method::POST, "posts/{id}/unpublish"),
                UNPUBLISH_POST,
                Role::Editor,
                of_revision,
                Some(shown),
            ),
            self.order(
                (Method::POST, "posts/{id}/discard"),
                DISCARD_DRAFT,
                Role::Editor,
                of_revision,
                Some(shown),
            ),
            self.order(
                (Method::POST, "posts/{id}/versions/{version}/restore"),
                RESTORE_VERSION,
                Role::Editor,
                |asked| Ok((asked.text("id"), number(&asked.key), asked.revision()?)),
                Some(shown),
            ),
            self.change::<SentMove, _, _, _>(
                (Method::POST, "posts/{id}/move"),
                MOVE_POST,
                ok,
                |asked| Ok((asked.text("id"), asked.body.category_id)),
                shown_post,
            ),
            self.order::<_, _, EditedPost>(
                (Method::DELETE, "posts/{id}"),
                DELETE_POST,
                Role::Editor,
                of_revision,
                None,
            ),
        ]
    }
}

/// The post of a path and the revision that was edited.
fn of_revision(asked: Asked<()>) -> Result<(String, i64), hansang_http::problem::Problem> {
    Ok((asked.text("id"), asked.revision()?))
}

/// The version in a path; 0 has none.
fn number(key: &PathKey) -> i64 {
    key.text("version").parse().unwrap_or_default()
}

fn ask(mut asked: Parameters) -> Result<Ask, Error> {
    let ask = Ask { limit: asked.number("limit")?, cursor: asked.take("cursor"), ..Ask::default() };
    asked.finish()?;
    Ok(ask)
}

fn shown(edited: Working, now: Timestamp) -> EditedPost {
    EditedPost::of(&edited, now)
}

fn shown_post(post: Post, now: Timestamp) -> EditedPost {
    EditedPost::with(&post, None, now)
}
