//! The requests of an event in queue order, optionally of one state.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_entry::{RequestPage, Status, requests_of_event, requests_with_status};

use super::words::{Mark, result_name, status_name};
use super::{Pages, START, asked, at, below_board};
use hansang_access::Role;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Pager;
use hansang_ui::table::{Cell, Column, Empty, Kind, Row, Sort, Table};

pub(super) mod one;

/// The states to filter by. Requests that are not queued yet are in no list.
const STATES: [Status; 5] =
    [Status::Queued, Status::Processing, Status::Succeeded, Status::Rejected, Status::FailedFinal];

#[derive(Template)]
#[template(path = "entry/requests.html")]
struct Requests {
    frame: Frame,
    system: String,
    title: String,
    board: String,
    states: Vec<State>,
    download: String,
    table: Table,
    /// The requests that cannot be read: id and problems.
    damaged: Vec<(String, String)>,
    pages: Pager,
}

/// A link to the requests of one state, or of all.
struct State {
    name: &'static str,
    address: String,
    current: bool,
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
    let wanted = state(&view);
    let found = read(entries, id, wanted, asked(&view)).await?;
    let people = entries.console.people(found.requests.iter().map(|request| &*request.user_id)).await;
    let title = match wanted {
        Some(Status::Succeeded) => view.say("Winners", "당첨자"),
        _ => view.say("Entries", "응모 목록"),
    };
    let title = title.to_owned();
    let frame = entries.frame(view, &title);
    let view = &frame.view;
    let rows = found.requests.iter().map(|request| Row {
        key: request.id.clone(),
        link: Some(one::address(&request.id)),
        cells: vec![
            Cell::time(request.queued_at.map(|at| view.reader.exactly(at))),
            Cell::text(&people.name(&request.user_id)),
            Mark::of_status(view, request.status).cell(),
            Cell::text(request.result.map(|result| result_name(view, result)).unwrap_or_default()),
            Cell::Code(request.id.clone()),
        ],
    });
    let damaged = found.damaged.iter().map(|one| {
        let problems = one.problems.iter().map(|problem| problem.message().in_language(view.language));
        (one.id.clone(), problems.collect::<Vec<_>>().join("; "))
    });
    let here = below_board(id, "requests");
    let of_state = |status: Option<Status>| State {
        name: status.map_or(view.say("All", "전체"), |status| status_name(view, status)),
        address: filtered(&here, status),
        current: status == wanted,
    };
    let pages = Pager::at(&filtered(&here, wanted), found.previous.as_deref(), found.next.as_deref());
    let requests = Requests {
        damaged: damaged.collect(),
        system: entries.name().to_owned(),
        title: event.title.clone(),
        board: at("board", id),
        states: [None].into_iter().chain(STATES.map(Some)).map(of_state).collect(),
        download: filtered(&below_board(id, "download"), wanted),
        table: table(view, &title, rows.collect(), &pages, at("events", id)),
        pages,
        frame,
    };
    Ok(page(StatusCode::OK, &requests))
}

/// The requests as a table. Participants enter on the page of the event.
fn table(view: &View, label: &str, rows: Vec<Row>, pages: &Pager, event: String) -> Table {
    let columns = vec![
        Column::new("received", view.say("Received", "접수 일시"), Kind::Time).sortable(),
        Column::new("who", view.say("Participant", "참여자"), Kind::Text).sortable(),
        Column::new("status", view.say("Status", "상태"), Kind::Tag).sortable(),
        Column::new("result", view.say("Result", "결과"), Kind::Text).sortable(),
        Column::new("id", view.say("Entry ID", "응모 ID"), Kind::Code),
    ];
    let (title, text) = match pages.next {
        Some(_) => (
            view.say("None on this page", "이 페이지에는 없습니다"),
            view.say("Go to the next page to keep searching.", "다음 페이지에서 계속 검색하세요."),
        ),
        None => (
            view.say("No entries", "응모가 없습니다"),
            view.say("Entries appear here as they are received.", "접수된 응모가 여기에 표시됩니다."),
        ),
    };
    let view_event = || (view.say("Participant view", "참여자 화면").to_owned(), event);
    let mut table = Table {
        name: "entry/requests".to_owned(),
        label: label.to_owned(),
        rows,
        sort: Sort::asked(view, &columns),
        columns,
        partial: pages.any(),
        empty: Empty {
            icon: "ticket",
            title: title.to_owned(),
            text: text.to_owned(),
            action: pages.next.is_none().then(view_event),
        },
        ..Table::default()
    };
    table.sort_rows();
    table
}

/// The state in a query; `None` selects all.
pub(super) fn state(view: &View) -> Option<Status> {
    let asked = view.asked();
    STATES.into_iter().find(|status| status.name() == asked.text("status"))
}

/// Reads a page of the requests of an event.
pub(super) async fn read(
    entries: &Pages,
    id: &str,
    wanted: Option<Status>,
    ask: Ask,
) -> Result<RequestPage, Error> {
    let read = async {
        match wanted {
            Some(status) => requests_with_status(entries.entry(), id, &[status], ask).await,
            None => requests_of_event(entries.entry(), id, ask).await,
        }
    };
    entries.calls.measured("event.requests", read).await
}

fn filtered(address: &str, status: Option<Status>) -> String {
    status.map_or_else(|| address.to_owned(), |status| format!("{address}?status={}", status.name()))
}
