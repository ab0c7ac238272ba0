//! All events, open ones first.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_entry::{Capacity, Event, EventType, Phase};
use jiff::Timestamp;

use super::words::{Countdown, Mark, places, places_left, type_name};
use super::{Pages, START, at};
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::{Moment, Pager};

/// The page size.
const PAGE_SIZE: usize = 24;

#[derive(Template)]
#[template(path = "entry/events.html")]
struct Events {
    frame: Frame,
    system: String,
    doc: String,
    cards: Vec<Card>,
    pages: Pager,
    may_look: bool,
    may_edit: bool,
}

/// An event as a card.
struct Card {
    title: String,
    address: String,
    kind: &'static str,
    mark: Mark,
    places: String,
    opens: Moment,
    closes: Moment,
    countdown: Option<Countdown>,
    board: String,
}

pub(super) fn route(entries: &Pages) -> Route {
    let entries = entries.clone();
    let handler = on(MethodFilter::GET, async move |view: View| show(&entries, view).await);
    Route::page(START, Needs::SignedIn, handler)
}

async fn show(entries: &Pages, view: View) -> Result<Response, Problem> {
    let now = entries.entry().db.clock().moment().now;
    let list = entries.list().await?;
    let mut sorted: Vec<&Event> = list.iter().collect();
    sorted.sort_by_key(|event| rank(event.phase(now)));
    let number = view.asked().text("page").parse::<u16>().map_or(1, usize::from).max(1);
    let (skipped, frame) = ((number - 1) * PAGE_SIZE, entries.frame(view, entries.name()));
    let mut cards = Vec::new();
    for event in sorted.iter().skip(skipped).take(PAGE_SIZE) {
        let open = event.event_type == EventType::FirstCome && event.phase(now) == Phase::Open;
        let capacity = if open { entries.capacity(&event.id).await? } else { None };
        cards.push(card(&frame.view, event, capacity, now));
    }
    let to = |number: usize| format!("{START}?page={number}");
    let events = Events {
        system: entries.name().to_owned(),
        doc: entries.calls.db.model().doc.in_language(frame.view.language).to_owned(),
        cards,
        pages: Pager {
            previous: (number > 1).then(|| to(number - 1)),
            next: (sorted.len() > skipped + PAGE_SIZE).then(|| to(number + 1)),
        },
        may_look: frame.is_viewer(entries.name()),
        may_edit: frame.is_editor(entries.name()),
        frame,
    };
    Ok(page(StatusCode::OK, &events))
}

/// The sort order: open events first, then upcoming ones.
fn rank(phase: Phase) -> u8 {
    match phase {
        Phase::Open => 0,
        Phase::Before => 1,
        Phase::Paused => 2,
        Phase::Closed => 3,
        Phase::Announced => 4,
    }
}

fn card(view: &View, event: &Event, capacity: Option<Capacity>, now: Timestamp) -> Card {
    Card {
        title: event.title.clone(),
        address: at("events", &event.id),
        kind: type_name(view, event.event_type),
        mark: Mark::of_event(view, event.phase(now), capacity),
        places: capacity.map_or_else(|| places(view, event), |capacity| places_left(view, capacity)),
        opens: view.time(event.opens_at),
        closes: view.time(event.ends_at()),
        countdown: Countdown::of(view, event, now),
        board: at("board", &event.id),
    }
}
