//! The draw of a lottery: its figures and its proof.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_core::{Error, message};
use hansang_entry::{EntryCode, EventStatus, EventType, lottery, messages};

use super::act::Act;
use super::words::{Mark, grouped};
use super::{Pages, START, at, below_board};
use hansang_access::Role;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Moment;

#[derive(Template)]
#[template(path = "entry/draw.html")]
struct Shown {
    frame: Frame,
    system: String,
    title: String,
    board: String,
    mark: Mark,
    hash: String,
    entries: Option<String>,
    seed: Option<String>,
    draws: Moment,
    figures: Option<Figures>,
    proof: String,
    /// Whether closing the event would let it be drawn earlier.
    closes_early: bool,
    /// The next action: draw or announce.
    next: Option<(&'static str, String)>,
}

/// The figures of a draw.
struct Figures {
    drawn: Moment,
    entries: String,
    winners: String,
    finished: Option<Moment>,
}

pub(super) fn route(entries: &Pages) -> Route {
    let needs = entries.needs(Role::Viewer);
    let entries = entries.clone();
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&entries, view, &key.text("id")).await
    });
    Route::page(&format!("{START}/board/{{id}}/draw"), needs, handler)
}

async fn show(entries: &Pages, view: View, id: &str) -> Result<Response, Problem> {
    let event = entries.event(id).await?;
    if event.event_type != EventType::Lottery {
        let message = message!(messages::NOT_A_LOTTERY, id);
        return Err(Error::not_found(EntryCode::NotALottery, message).into());
    }
    let figures = entries.calls.measured("event.figures", lottery::figures(entries.entry(), id)).await?;
    let now = entries.entry().db.clock().moment().now;
    let title = view.say("Draw", "추첨").to_owned();
    let frame = entries.frame(view, &title);
    let (view, drawn) = (&frame.view, figures.as_ref().is_some_and(|figures| figures.finished_at.is_some()));
    let next = match event.status {
        _ if !frame.is_editor(entries.name()) => None,
        EventStatus::Announced | EventStatus::Paused => None,
        _ if drawn => Some(Act::Announce),
        _ => (now >= event.draws_at()).then_some(Act::Draw),
    };
    let shown = Shown {
        system: entries.name().to_owned(),
        title: event.title.clone(),
        board: at("board", id),
        mark: Mark::of_phase(view, event.phase(now)),
        hash: event.seed_hash.clone().unwrap_or_default(),
        entries: event
            .entries_hash
            .clone()
            .or_else(|| figures.as_ref().map(|drawn| drawn.entries_hash.clone())),
        seed: event.seed.clone(),
        draws: view.time(event.draws_at()),
        figures: figures.map(|figures| Figures {
            drawn: view.time(figures.drawn_at),
            entries: grouped(figures.entries),
            winners: grouped(figures.winners.min(figures.entries)),
            finished: figures.finished_at.map(|at| view.time(at)),
        }),
        proof: entries.proof(id),
        closes_early: now < event.ends_at(),
        next: next.map(|act| (act.label(view), below_board(id, act.name()))),
        frame,
    };
    Ok(page(StatusCode::OK, &shown))
}
