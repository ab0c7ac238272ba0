//! One event for participants: its times, its rule, and the button to enter.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_entry::{EntryCode, Event, EventType, Phase};
use jiff::Timestamp;

use super::rule::rule;
use super::words::{Countdown, Mark, is_full, places, places_left, type_name};
use super::{Pages, START, at};
use crate::notices;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route};
use hansang_server::Caller;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Moment;

#[derive(Template)]
#[template(path = "entry/event.html")]
struct Shown {
    frame: Frame,
    system: String,
    title: String,
    here: String,
    kind: &'static str,
    mark: Mark,
    places: String,
    opens: Moment,
    closes: Moment,
    countdown: Option<Countdown>,
    rule: Vec<String>,
    draw: Option<Draw>,
    /// The address of the caller's request, if there is one.
    entry: Option<String>,
    /// Whether the caller can enter, now or when it opens.
    enters: bool,
    open: bool,
    /// The reason that the caller cannot enter now.
    closed: Option<&'static str>,
    /// The message of a rejected attempt.
    refused: Option<String>,
    board: Option<String>,
}

/// The public figures of a draw.
struct Draw {
    hash: String,
    entries: Option<String>,
    seed: Option<String>,
    proof: String,
}

pub(super) fn route(entries: &Pages) -> Route {
    let (shows, enters) = (entries.clone(), entries.clone());
    let handler = on(MethodFilter::GET, async move |caller: Caller, view: View, key: PathKey| {
        show(&shows, &caller, view, &key.text("id"), None).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey| {
        enter(&enters, &caller, view, &key.text("id")).await
    });
    Route::page(&format!("{START}/events/{{id}}"), Needs::SignedIn, handler)
}

/// Enters. A second attempt redirects to the first request.
async fn enter(entries: &Pages, caller: &Caller, view: View, id: &str) -> Result<Response, Problem> {
    match entries.submit(caller, id).await {
        Ok(submitted) => {
            let page = at("requests", &submitted.request_id);
            let page = if submitted.duplicate { notices::ENTERED_BEFORE.at(&page) } else { page };
            Ok(Redirect::to(&page).into_response())
        }
        Err(problem) if problem.status == StatusCode::CONFLICT => {
            show(entries, caller, view, id, Some(problem)).await
        }
        Err(problem) => Err(problem),
    }
}

async fn show(
    entries: &Pages,
    caller: &Caller,
    view: View,
    id: &str,
    refused: Option<Problem>,
) -> Result<Response, Problem> {
    let event = entries.event(id).await?;
    let entered = entries.entered(caller, id).await?;
    let now = entries.entry().db.clock().moment().now;
    let phase = event.phase(now);
    let capacity = entries.capacity(id).await?;
    let full = phase == Phase::Open && is_full(capacity);
    let frame = entries.frame(view, &event.title);
    let view = &frame.view;
    let shown = Shown {
        system: entries.name().to_owned(),
        title: event.title.clone(),
        here: at("events", id),
        kind: type_name(view, event.event_type),
        mark: Mark::of_event(view, phase, capacity),
        places: capacity.map_or_else(|| places(view, &event), |capacity| places_left(view, capacity)),
        opens: view.time(event.opens_at),
        closes: view.time(event.ends_at()),
        countdown: Countdown::of(view, &event, now),
        rule: rule(view, &event),
        draw: draw(entries, &event),
        enters: entered.is_none() && matches!(phase, Phase::Before | Phase::Open) && !full,
        entry: entered.map(|request| at("requests", &request)),
        open: phase == Phase::Open,
        closed: match full {
            true => Some(view.say("All places are taken.", "자리가 모두 찼습니다.")),
            false => closed(view, &event, now),
        },
        refused: refused.as_ref().map(|problem| refusal(view, &event, problem)),
        board: frame.is_viewer(entries.name()).then(|| at("board", id)),
        frame,
    };
    Ok(page(refused.map_or(StatusCode::OK, |problem| problem.status), &shown))
}

/// Why entering was refused, in the words of participants.
fn refusal(view: &View, event: &Event, problem: &Problem) -> String {
    let is = |code: EntryCode| problem.code == code;
    if is(EntryCode::EventNotOpen) {
        let opens = view.time(event.opens_at).text;
        view.fill("Entries open at {0}.", "{0}부터 응모할 수 있습니다.").with(opens).to_string()
    } else if is(EntryCode::EventPaused) || is(EntryCode::EventClosed) {
        view.say("Your entry was not accepted.", "응모를 접수하지 못했습니다.").to_owned()
    } else {
        view.sentence(&problem.message)
    }
}

fn draw(entries: &Pages, event: &Event) -> Option<Draw> {
    Some(Draw {
        hash: event.seed_hash.clone()?,
        entries: event.entries_hash.clone(),
        seed: event.seed.clone(),
        proof: entries.proof(&event.id),
    })
}

/// The reason that the event takes no entries now.
fn closed(view: &View, event: &Event, now: Timestamp) -> Option<&'static str> {
    match event.phase(now) {
        Phase::Open | Phase::Before => None,
        Phase::Paused => Some(view.say(
            "The event is paused. Please come back later. Everyone who entered keeps their place in line.",
            "이벤트가 일시 중지되었습니다. 나중에 다시 방문해 주세요. 이미 응모한 순서는 유지됩니다.",
        )),
        Phase::Closed if event.event_type == EventType::Lottery => Some(view.say(
            "Entries are closed. Results will be announced.",
            "응모가 마감되었습니다. 결과는 발표 시 공개됩니다.",
        )),
        Phase::Closed => Some(view.say("Entries are closed.", "응모가 마감되었습니다.")),
        Phase::Announced => Some(view.say(
            "The event is over, and its results are announced.",
            "이벤트가 종료되고 결과가 발표되었습니다.",
        )),
    }
}
