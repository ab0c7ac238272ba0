//! The requests of an event in queue order.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};

use super::words::Mark;
use super::{Pages, START, asked, at, below_board};
use hansang_access::Role;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::{Moment, Pager};

pub(super) mod one;

#[derive(Template)]
#[template(path = "entry/requests.html")]
struct Requests {
    frame: Frame,
    system: String,
    title: String,
    board: String,
    rows: Vec<Row>,
    /// The requests that cannot be read: id and problems.
    damaged: Vec<(String, String)>,
    pages: Pager,
}

/// A request as a row.
struct Row {
    queued: Option<Moment>,
    who: String,
    mark: Mark,
    result: String,
    id: String,
    address: String,
}

pub(super) fn route(entries: &Pages) -> Route {
    let needs = entries.needs(Role::Viewer);
    let entries = entries.clone();
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&entries, view, &key.text("id")).await
    });
    Route::page(&format!("{START}/board/{{id}}/requests"), needs, handler)
}

async fn show(entries: &Pages, view: View, id: &str) -> Result<Response, Problem> {
    let event = entries.event(id).await?;
    let found = hansang_entry::requests_of_event(entries.entry(), id, asked(&view));
    let found = entries.calls.measured("event.requests", found).await?;
    let people = entries.console.people(found.requests.iter().map(|request| &*request.user_id)).await;
    let title = view.say("Requests in the order of the queue", "대기열 순서의 응모").to_owned();
    let frame = entries.frame(view, &title);
    let rows = found.requests.iter().map(|request| Row {
        queued: request.queued_at.map(Moment::exactly),
        who: people.name(&request.user_id),
        mark: Mark::of_status(&frame.view, request.status),
        result: request.result.map(|result| result.name().to_owned()).unwrap_or_default(),
        id: request.id.clone(),
        address: one::address(&request.id),
    });
    let damaged = found.damaged.iter().map(|one| {
        let problems = one.problems.iter().map(|problem| problem.message().in_language(frame.view.language));
        (one.id.clone(), problems.collect::<Vec<_>>().join("; "))
    });
    let requests = Requests {
        damaged: damaged.collect(),
        system: entries.name().to_owned(),
        title: event.title.clone(),
        board: at("board", id),
        rows: rows.collect(),
        pages: Pager::at(&below_board(id, "requests"), found.previous.as_deref(), found.next.as_deref()),
        frame,
    };
    Ok(page(StatusCode::OK, &requests))
}
