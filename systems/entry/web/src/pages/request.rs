//! One of the caller's requests: its progress and its result.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_entry::{Event, EventType, Request, ResultCode, Status};
use jiff::Timestamp;

use super::pace::Glance;
use super::words::{Mark, ending, position, status_name, waiting};
use super::{Pages, START, at};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route};
use hansang_server::Caller;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Moment;

#[derive(Template)]
#[template(path = "entry/request.html")]
struct Shown {
    frame: Frame,
    system: String,
    id: String,
    title: String,
    event: String,
    here: String,
    mark: Mark,
    steps: Vec<Step>,
    /// The status as a sentence, and its style.
    verdict: String,
    class: &'static str,
    /// The position in line, and the estimated time.
    position: Option<String>,
    /// The address of the stream; `None` once the request is final.
    stream: Option<String>,
    /// Whether entering again helps.
    again: bool,
}

/// A step of the progress.
pub(super) struct Step {
    name: &'static str,
    class: &'static str,
    at: Option<Moment>,
}

pub(super) fn route(entries: &Pages) -> Route {
    let entries = entries.clone();
    let handler = on(MethodFilter::GET, async move |caller: Caller, view: View, key: PathKey| {
        show(&entries, &caller, view, &key.text("id")).await
    });
    Route::page(&format!("{START}/requests/{{id}}"), Needs::SignedIn, handler)
}

async fn show(entries: &Pages, caller: &Caller, view: View, id: &str) -> Result<Response, Problem> {
    let (request, event) = entries.own_request(caller, id).await?;
    let now = entries.entry().db.clock().moment().now;
    let position = match line(&request, &event) {
        Some(queued_at) => {
            let glance = entries.glance(&event.id).await?;
            let ahead = glance.board.ahead_of(queued_at);
            Some(position(&view, ahead, estimate(&glance, &event, queued_at, ahead, now)))
        }
        None => None,
    };
    let title = view.say("Your entry", "내 응모").to_owned();
    let frame = entries.frame(view, &title);
    let view = &frame.view;
    let (verdict, class) = match request.result {
        Some(result) => (ending(view, result).to_owned(), of_ending(result)),
        None => (waiting(view, &request, &event, now), ""),
    };
    let shown = Shown {
        system: entries.name().to_owned(),
        id: request.id.clone(),
        title: event.title.clone(),
        event: at("events", &event.id),
        here: at("requests", id),
        mark: Mark::of_status(view, request.status),
        steps: steps(view, &request),
        verdict,
        class,
        position,
        stream: (!request.status.is_final()).then(|| entries.request_stream(&request.id)),
        again: request.result == Some(ResultCode::FailedIngestEnqueue),
        frame,
    };
    Ok(page(StatusCode::OK, &shown))
}

/// The time that determines the position of a request that waits for a place.
fn line(request: &Request, event: &Event) -> Option<Timestamp> {
    let waits = request.status == Status::Queued && event.event_type == EventType::FirstCome;
    request.queued_at.filter(|_| waits)
}

/// The estimated seconds to a result: the rest of the fairness window, and the entries ahead at the current rate.
fn estimate(
    glance: &Glance,
    event: &Event,
    queued_at: Timestamp,
    ahead: usize,
    now: Timestamp,
) -> Option<u64> {
    let due = queued_at.checked_add(event.settle).unwrap_or(now);
    let window = u64::try_from(due.duration_since(now).as_secs()).unwrap_or_default();
    match glance.rate() {
        Some(rate) => Some(window + (ahead as f64 / rate).ceil() as u64),
        // Without decisions so far, only the next in line can be told.
        None if ahead == 0 => Some(window),
        None => None,
    }
}

fn of_ending(result: ResultCode) -> &'static str {
    match result {
        ResultCode::Success => "good",
        ResultCode::RejectedCapacity | ResultCode::RejectedLotteryLose => "warn",
        ResultCode::FailedIngestEnqueue | ResultCode::FailedWorker => "bad",
    }
}

/// The progress: done, current and future steps.
fn steps(view: &View, request: &Request) -> Vec<Step> {
    let times = [Some(request.requested_at), request.queued_at, request.started_at, request.finished_at];
    let last = match request.status {
        status if status.is_final() => status_name(view, status),
        _ => view.say("Result", "결과"),
    };
    let name = |status: Status| status_name(view, status);
    let names = [name(Status::Received), name(Status::Queued), name(Status::Processing), last];
    let stands = match request.status {
        Status::Received => 0,
        Status::Queued => 1,
        Status::Processing => 2,
        Status::Succeeded | Status::Rejected | Status::FailedFinal => 3,
    };
    let class = |place: usize, known: bool| match (place, request.status) {
        (3, Status::FailedFinal) => "failed",
        (3, status) if status.is_final() => "done",
        (place, _) if place == stands => "now",
        (place, _) if place < stands && known => "done",
        _ => "next",
    };
    let step = |(place, (name, at)): (usize, (&'static str, Option<_>))| Step {
        name,
        class: class(place, at.is_some()),
        at: at.filter(|_| place <= stands).map(|at| view.reader.exactly(at)),
    };
    names.into_iter().zip(times).enumerate().map(step).collect()
}

impl Step {
    /// Whether this is the current step.
    fn is_now(&self) -> bool {
        self.class == "now"
    }
}
