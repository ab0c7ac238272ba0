//! Who else has a post open, and links to texts that are not published.

use std::time::Duration;

use askama::Template;
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_content::{find_post, seen_editing};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;
use hansang_ui::time::Moment;
use serde_json::{Value, json};

use super::{Pages, START, done, editor};
use crate::actions::{PREVIEW, REVOKE_PREVIEWS, by};

/// The lifetime of a preview link.
const LIFETIME: Duration = Duration::from_secs(7 * 24 * 3600);

#[derive(Template)]
#[template(path = "content/preview_link.html")]
struct Link {
    frame: Frame,
    id: String,
    post: String,
    /// A link that was just made, and its end.
    link: Option<(String, Moment)>,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let sees = pages.clone();
    let here = on(MethodFilter::POST, async move |caller: Caller, key: PathKey| {
        here(&sees, &caller, &key.text("id")).await.map(Json)
    });
    let (shows, makes) = (pages.clone(), pages.clone());
    let links = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&shows, view, &key.text("id"), None).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        make(&makes, &caller, view, &key.text("id"), &sent).await
    });
    let needs = || pages.needs(Role::Editor);
    vec![
        Route::page(&format!("{START}/posts/{{id}}/here"), needs(), here),
        Route::page(&format!("{START}/posts/{{id}}/share"), needs(), links),
    ]
}

/// Notes that the caller has the post open, and names the others who have.
async fn here(pages: &Pages, caller: &Caller, id: &str) -> Result<Value, Problem> {
    let by = by(caller)?;
    let seen = seen_editing(pages.content(), id, &by).boxed();
    let others = pages.read("presence", seen).await?;
    let people = pages.console.people(others.iter().map(|editor| &*editor.by)).await;
    let names: Vec<String> = others.iter().map(|editor| people.name(&editor.by)).collect();
    Ok(json!({ "others": names }))
}

async fn show(
    pages: &Pages,
    view: View,
    id: &str,
    link: Option<(String, Moment)>,
) -> Result<Response, Problem> {
    let post = pages.read("post", find_post(pages.content(), id).boxed()).await?;
    let title = view.say("Preview link", "미리 보기 링크").to_owned();
    let frame = pages.frame(view, &title);
    Ok(page(StatusCode::OK, &Link { id: id.to_owned(), post: post.text.title, link, frame }))
}

async fn make(
    pages: &Pages,
    caller: &Caller,
    view: View,
    id: &str,
    sent: &Form,
) -> Result<Response, Problem> {
    if sent.text("do") == "revoke" {
        pages.act(&REVOKE_PREVIEWS, caller, id.to_owned()).await?;
        return Ok(done(notice::DELETED, &editor::at(id)));
    }
    let made = pages.act(&PREVIEW, caller, (id.to_owned(), LIFETIME)).await?;
    let link = pages.site(&format!("/preview/{id}/{}", made.token));
    let ends = view.time(made.ends_at);
    show(pages, view, id, Some((link, ends))).await
}
