//! The caller's requests.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};

use super::words::{Mark, type_name};
use super::{Pages, asked, at};
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route};
use hansang_server::Caller;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::{Moment, Pager};

const MINE: &str = "/console/entry/mine";

#[derive(Template)]
#[template(path = "entry/mine.html")]
struct Mine {
    frame: Frame,
    system: String,
    doc: String,
    rows: Vec<Row>,
    pages: Pager,
}

/// A request as a row.
struct Row {
    title: String,
    event: String,
    kind: &'static str,
    request: String,
    mark: Option<Mark>,
    entered: Moment,
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
        rows.push(Row {
            title: event.as_ref().map_or_else(|| shown.event_id.clone(), |event| event.title.clone()),
            kind: type_name(view, shown.event_type),
            event: at("events", &shown.event_id),
            request: at("requests", &shown.id),
            mark: event.map(|_| Mark::of_status(view, shown.status)),
            entered: view.time(shown.requested_at),
        });
    }
    let mine = Mine {
        system: entries.name().to_owned(),
        doc: entries.calls.db.model().doc.in_language(frame.view.language).to_owned(),
        rows,
        pages: Pager::at(MINE, found.previous.as_deref(), found.next.as_deref()),
        frame,
    };
    Ok(page(StatusCode::OK, &mine))
}
