//! Posts as editors see and change them.

use std::time::Duration;

use axum::Json;
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_content::{
    Post, PostFilter, Standing, Working, editors_of, find_post, posts, version, versions, working,
};
use hansang_core::message;
use hansang_http::input::{Members, Parameters, PathKey};
use hansang_http::route::{Route, cursor_parameter, json_answer, json_body, query_parameter, segment};
use hansang_server::{Caller, schema};
use jiff::Timestamp;
use serde_json::json;

use super::output::managed::{Count, Present, Preview};
use super::output::{EditedPost, PageOf, Version};
use super::sent::managed::SentPreview;
use super::sent::{SentMove, SentPost, SentPublication, SentText};
use super::{Api, Asked, Responded, ask, body_schema};
use crate::actions::{
    CREATE_POST, DELETE_POST, DISCARD_DRAFT, MOVE_POST, PREVIEW, PUBLISH_POST, RESTORE_VERSION,
    REVOKE_PREVIEWS, SAVE_POST, UNPUBLISH_POST, act,
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
        let standings = json!({ "enum": Standing::ALL.map(Standing::name) });
        let mut list = vec![
            query_parameter("category", false, json!({ "type": "string" }), message!(api::BY_CATEGORY)),
            query_parameter("standing", false, standings, message!(api::BY_STANDING)),
        ];
        list.extend(page.clone());
        vec![
            self.read(
                "edit/posts",
                "edit.list",
                (message!(api::LIST_ALL_POSTS), message!(api::ALL_POSTS)),
                Role::Viewer,
                list,
                async move |desk, _, mut asked: Parameters| {
                    let standing = asked.take("standing").and_then(|name| Standing::named(&name));
                    let filter = PostFilter { category_id: asked.take("category"), standing };
                    let page = posts(&desk.content, &filter, ask(asked)?).await?;
                    let now = desk.content.now();
                    let items = page.posts.iter().map(|one| EditedPost::with(&one.post, None, now));
                    Ok(PageOf { items: items.collect(), next: page.next })
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
                "edit/posts/{id}/editors",
                "edit.editors",
                (message!(api::LIST_EDITORS), message!(api::THE_EDITORS)),
                Role::Viewer,
                Vec::new(),
                async move |desk, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    let editors = editors_of(&desk.content, &key.text("id")).await?;
                    Ok(PageOf { items: editors.into_iter().map(Present::of).collect(), next: None })
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
            self.preview_route(),
            self.order(
                (Method::POST, "posts/{id}/preview/revoke"),
                REVOKE_PREVIEWS,
                Role::Editor,
                |asked| Ok(asked.text("id")),
                Some(|count, _| Count { count }),
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

impl Api {
    /// A preview link. Its address depends on where the site is.
    fn preview_route(&self) -> Route {
        let api = self.clone();
        let handler = async move |caller: Caller,
                                  key: PathKey,
                                  asked: Parameters,
                                  Members(members): Members|
                    -> Responded {
            asked.finish()?;
            let SentPreview { hours } = hansang_http::json::parse(members)?;
            let id = key.text("id");
            let lifetime = Duration::from_secs(3600 * u64::from(hours));
            let made = act(&PREVIEW, &api.calls, &api.desk, &caller, (id.clone(), lifetime)).await?;
            let path = format!("{}/preview/{}/{}", api.desk.settings.site, segment(&id.into()), made.token);
            Ok((StatusCode::CREATED, Json(Preview::of(path, &made))).into_response())
        };
        Route {
            body: Some(json_body(body_schema::<SentPreview>())),
            answers: vec![(
                201,
                json_answer(message!(api::THE_PREVIEW), schema::response::<Preview>(self.model())),
            )],
            refusals: &[409, 413, 415],
            handler: on(MethodFilter::POST, handler),
            ..self.route(
                Method::POST,
                "posts/{id}/preview",
                PREVIEW.name,
                PREVIEW.summary(),
                self.needs(Role::Editor),
            )
        }
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

fn shown(edited: Working, now: Timestamp) -> EditedPost {
    EditedPost::of(&edited, now)
}

fn shown_post(post: Post, now: Timestamp) -> EditedPost {
    EditedPost::with(&post, None, now)
}
