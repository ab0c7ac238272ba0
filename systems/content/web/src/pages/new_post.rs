//! A new post: its title and category. The editor opens with its text.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_content::{Category, ContentCode, NewPost, PostText, UserText, categories, find_user};
use hansang_core::{CoreCode, Error};
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

use super::editor::at;
use super::{Pages, START, done};
use crate::actions::managed::CREATE_USER;
use crate::actions::{CREATE_POST, by};

const FIELDS: [&str; 2] = ["title", "categoryId"];

#[derive(Template)]
#[template(path = "content/new_post.html")]
struct New {
    frame: Frame,
    fields: Vec<Field>,
    has_categories: bool,
    problems: Problems,
}

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, takes) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View| {
        let sent = view.asked();
        show(&shows, view, StatusCode::OK, &sent, Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        take(&takes, &caller, view, &sent).await
    });
    Route::page(&format!("{START}/posts/new"), pages.needs(Role::Editor), handler)
}

async fn show(
    pages: &Pages,
    view: View,
    status: StatusCode,
    sent: &Form,
    problems: Problems,
) -> Result<Response, Problem> {
    let categories = pages.read("categories", categories(pages.content())).await?;
    let title = view.say("New post", "새 글").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let choice = |category: &Category| (category.id.clone(), category.title.clone());
    let fields = [
        Field::text("title", view.say("Title", "제목")),
        Field {
            input: Input::Choice(categories.iter().map(choice).collect()),
            ..Field::text("categoryId", view.say("Category", "카테고리"))
        },
    ];
    let fields = fields.map(|field| field.sent(sent, &problems)).into();
    Ok(page(status, &New { fields, has_categories: !categories.is_empty(), problems, frame }))
}

/// Makes the caller an author with the name of the account, unless there is one already.
async fn ensure_author(pages: &Pages, caller: &Caller) -> Result<String, Error> {
    let id = by(caller)?;
    match find_user(pages.content(), &id).await {
        Err(error) if error.code == ContentCode::UserUnknown => {
            let text = UserText { display_name: caller.signed_in()?.name.clone(), ..UserText::default() };
            match pages.act(&CREATE_USER, caller, (Some(id.clone()), text)).await {
                // A second request was faster.
                Err(error) if error.code == CoreCode::AlreadyExists => {}
                other => drop(other?),
            }
        }
        other => drop(other?),
    }
    Ok(id)
}

async fn take(pages: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    let new = NewPost {
        id: None,
        category_id: sent.text("categoryId").to_owned(),
        author_id: ensure_author(pages, caller).await?,
        text: PostText { title: sent.text("title").trim().to_owned(), ..PostText::default() },
    };
    match pages.act(&CREATE_POST, caller, new).await {
        Ok(post) => Ok(done(notice::CREATED, &at(&post.id))),
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &FIELDS, view.language);
            show(pages, view, problem.status, sent, problems).await
        }
    }
}
