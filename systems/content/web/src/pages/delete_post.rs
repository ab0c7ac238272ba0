//! The confirmation before a post is deleted.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_content::find_post;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Form, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

use super::{Pages, START, done};
use crate::actions::DELETE_POST;

#[derive(Template)]
#[template(path = "content/delete_post.html")]
struct Delete {
    frame: Frame,
    id: String,
    post: String,
    revision: i64,
    is_published: bool,
    problems: Problems,
}

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, takes) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&shows, view, StatusCode::OK, &key.text("id"), Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        take(&takes, &caller, view, &key.text("id"), &sent).await
    });
    Route::page(&format!("{START}/posts/{{id}}/delete"), pages.needs(Role::Editor), handler)
}

async fn show(
    pages: &Pages,
    view: View,
    status: StatusCode,
    id: &str,
    problems: Problems,
) -> Result<Response, Problem> {
    let post = pages.read("post", find_post(pages.content(), id)).await?;
    let title = view.say("Delete post", "글 삭제").to_owned();
    let shown = Delete {
        id: id.to_owned(),
        revision: post.revision,
        is_published: post.is_visible(pages.content().now()),
        post: post.text.title,
        problems,
        frame: pages.frame(view, &title),
    };
    Ok(page(status, &shown))
}

async fn take(
    pages: &Pages,
    caller: &Caller,
    view: View,
    id: &str,
    sent: &Form,
) -> Result<Response, Problem> {
    let revision = sent.text("revision").parse().unwrap_or(-1);
    match pages.act(&DELETE_POST, caller, (id.to_owned(), revision)).await {
        Ok(()) => Ok(done(notice::DELETED, &format!("{START}/posts"))),
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &[], view.language);
            show(pages, view, problem.status, id, problems).await
        }
    }
}
