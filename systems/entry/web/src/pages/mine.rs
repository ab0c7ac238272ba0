//! The caller's requests.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};

use super::words::{Mark, type_name};
use super::{Pages, START, asked, at};
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route};
use hansang_server::Caller;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Pager;
use hansang_ui::table::{Cell, Column, Empty, Kind, Row, Sort, Table};

const MINE: &str = "/console/entry/mine";

#[derive(Template)]
#[template(path = "entry/mine.html")]
struct Mine {
    frame: Frame,
    system: String,
    doc: String,
    table: Table,
    pages: Pager,
}

pub(super) fn route(entries: &Pages) -> Route {
    let entries = entries.clone();
    let handler =
        on(MethodFilter::GET, async move |caller: Caller, view: View| show(&entries, &caller, view).await);
    Route::page(MINE, Needs::SignedIn, handler)
}

async fn show(entries: &Pages, caller: &Caller, view: View) -> Result<Response, Problem> {
    let found = entries.own_requests(caller, asked(&view)).await?;
    let title = view.say("My entries", "내 응모").to_owned();
    let frame = entries.frame(view, &title);
    let view = &frame.view;
    let mut rows = Vec::new();
    for request in found.requests {
        // The event decides whether a result is public.
        let event = entries.event(&request.event_id).await.ok();
        let shown = match &event {
            Some(event) => request.clone().as_seen(event),
            None => request,
        };
        let title = event.as_ref().map_or_else(|| shown.event_id.clone(), |event| event.title.clone());
        rows.push(Row {
            key: shown.id.clone(),
            link: Some(at("requests", &shown.id)),
            cells: vec![
                Cell::Text(title),
                Cell::text(type_name(view, shown.event_type)),
                event.map_or(Cell::None, |_| Mark::of_status(view, shown.status).cell()),
                Cell::Time(view.time(shown.requested_at)),
                Cell::Link(view.say("Event", "이벤트").to_owned(), at("events", &shown.event_id)),
            ],
        });
    }
    let pages = Pager::at(MINE, found.previous.as_deref(), found.next.as_deref());
    let table = table(view, &title, rows, pages.any());
    let mine = Mine {
        system: entries.name().to_owned(),
        doc: entries.calls.db.model().doc.in_language(frame.view.language).to_owned(),
        table,
        pages,
        frame,
    };
    Ok(page(StatusCode::OK, &mine))
}

/// The requests as a table.
fn table(view: &View, label: &str, rows: Vec<Row>, partial: bool) -> Table {
    let columns = vec![
        Column::new("event", view.say("Event", "이벤트"), Kind::Text).sortable(),
        Column::new("type", view.say("Type", "방식"), Kind::Text).sortable(),
        Column::new("status", view.say("Status", "상태"), Kind::Tag).sortable(),
        Column::new("entered", view.say("Entered", "응모 일시"), Kind::Time).sortable(),
        Column::new("page", view.say("Event page", "이벤트 화면"), Kind::Link),
    ];
    let mut table = Table {
        name: "entry/mine".to_owned(),
        label: label.to_owned(),
        rows,
        sort: Sort::asked(view, &columns),
        columns,
        partial,
        empty: Empty {
            icon: "ticket",
            title: view.say("No entries yet", "아직 응모하지 않았습니다").to_owned(),
            text: view
                .say(
                    "Enter an event, and follow your entry here.",
                    "이벤트에 응모하면 진행 상황을 여기서 확인할 수 있습니다.",
                )
                .to_owned(),
            action: Some((view.say("View events", "이벤트 보기").to_owned(), START.to_owned())),
        },
        ..Table::default()
    };
    table.sort_rows();
    table
}
