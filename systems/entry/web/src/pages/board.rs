//! The live board of an event, for operators.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_entry::{Event, EventStatus, EventType, Phase, Status};
use jiff::Timestamp;

use super::act::Act;
use super::pace::Glance;
use super::words::{Mark, ago, grouped, places, status_name, type_name};
use super::{Pages, START, at, below_board};
use hansang_access::Role;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Moment;
use hansang_ui::svg::{self, Chart, Donut, Series};

#[derive(Template)]
#[template(path = "entry/board.html")]
struct Board {
    frame: Frame,
    system: String,
    id: String,
    title: String,
    kind: &'static str,
    mark: Mark,
    places: String,
    opens: Moment,
    closes: Moment,
    figures: Vec<(&'static str, String)>,
    queue: Vec<(&'static str, String)>,
    shares: String,
    pace: String,
    since: Moment,
    stream: String,
    event: String,
    requests: String,
    draw: Option<String>,
    actions: Vec<Action>,
}

/// An action on the event.
struct Action {
    label: &'static str,
    address: String,
    class: &'static str,
}

pub(super) fn route(entries: &Pages) -> Route {
    let needs = entries.needs(Role::Viewer);
    let entries = entries.clone();
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&entries, view, &key.text("id")).await
    });
    Route::page(&format!("{START}/board/{{id}}"), needs, handler)
}

async fn show(entries: &Pages, view: View, id: &str) -> Result<Response, Problem> {
    let glance = entries.glance(id).await?;
    let event = &glance.board.event;
    let frame = entries.frame(view, &event.title);
    let view = &frame.view;
    let lottery = event.event_type == EventType::Lottery;
    let board = Board {
        system: entries.name().to_owned(),
        id: id.to_owned(),
        title: event.title.clone(),
        kind: type_name(view, event.event_type),
        mark: Mark::of_phase(view, event.phase(glance.at)),
        places: places(view, event),
        opens: Moment::of(event.opens_at),
        closes: Moment::of(event.ends_at()),
        figures: figures(view, &glance),
        queue: queue(view, &glance),
        shares: shares(view, &glance),
        pace: pace(view, &glance),
        since: Moment::of(glance.since),
        stream: entries.board_stream(id),
        event: at("events", id),
        requests: below_board(id, "requests"),
        draw: lottery.then(|| below_board(id, "draw")),
        actions: match frame.is_editor(entries.name()) {
            true => actions(view, event, glance.at),
            false => Vec::new(),
        },
        frame,
    };
    Ok(page(StatusCode::OK, &board))
}

/// The number of requests by status.
fn figures(view: &View, glance: &Glance) -> Vec<(&'static str, String)> {
    let board = &glance.board;
    let more = if board.more { "+" } else { "" };
    let counts = [
        (Status::Received, board.received, ""),
        (Status::Queued, board.queued, more),
        (Status::Processing, board.processing, more),
        (Status::Succeeded, board.succeeded, ""),
        (Status::Rejected, board.rejected, ""),
        (Status::FailedFinal, board.failed, ""),
    ];
    let told = |(status, count, more): (Status, u64, &str)| {
        (status_name(view, status), format!("{}{more}", grouped(count)))
    };
    counts.map(told).into()
}

/// The length of the queue and the waiting time.
fn queue(view: &View, glance: &Glance) -> Vec<(&'static str, String)> {
    let depth = &glance.board.depth;
    let oldest = glance.board.oldest.map_or_else(|| "–".to_owned(), |at| ago(view, at, glance.at));
    vec![
        (view.say("Longest waiting entry", "가장 오래 기다린 응모"), oldest),
        (view.say("Messages to be received", "받을 메시지"), grouped(depth.visible)),
        (view.say("Messages being dealt with", "처리 중인 메시지"), grouped(depth.hidden)),
        (view.say("Dead letters", "처리 못 한 메시지"), grouped(depth.dead)),
    ]
}

/// The chart of taken and free seats; for a lottery, of entries by result.
fn shares(view: &View, glance: &Glance) -> String {
    let board = &glance.board;
    let share = |english: &'static str, korean: &'static str, count: f64| {
        (view.say(english, korean).to_owned(), count)
    };
    let shares = match board.capacity {
        Some(capacity) => vec![
            share("Given", "준 자리", (capacity.total - capacity.remaining) as f64),
            share("Left", "남은 자리", capacity.remaining as f64),
        ],
        None => vec![
            share("Drawn", "당첨", board.succeeded as f64),
            share("Not drawn", "미당첨", board.rejected as f64),
            share("Waiting", "대기", (board.received + board.queued + board.processing) as f64),
        ],
    };
    svg::donut(&Donut {
        title: "",
        summary: match board.capacity {
            Some(_) => view.say("Places that are given and left", "준 자리와 남은 자리"),
            None => view.say("Pages by their result", "결과별 응모"),
        },
        shares: &shares,
        unit: "",
        other: view.say("Other", "기타"),
        empty: view.say("None yet", "아직 없음"),
    })
}

fn pace(view: &View, glance: &Glance) -> String {
    let pace = glance.pace();
    let decided = view.say("Decided a second", "초당 처리");
    svg::line(&Chart {
        title: "",
        summary: view.say(
            "How many entries were decided in a second, in the last five minutes",
            "최근 5분 동안 초마다 처리한 응모 수",
        ),
        labels: pace.iter().map(|(at, _)| at.strftime("%H:%M:%S").to_string()).collect(),
        series: vec![Series::new(decided, pace.iter().map(|(_, pace)| *pace))],
        unit: "",
        empty: view.say("Nothing to see yet", "아직 볼 것이 없습니다"),
    })
}

/// The actions that the state of the event allows.
fn actions(view: &View, event: &Event, now: Timestamp) -> Vec<Action> {
    let mut actions = Vec::new();
    let mut act = |one: Act, class: &'static str| {
        actions.push(Action { label: one.label(view), address: below_board(&event.id, one.name()), class });
    };
    match event.status {
        EventStatus::Open => act(Act::Pause, ""),
        EventStatus::Paused => act(Act::Resume, "primary"),
        EventStatus::Closed | EventStatus::Announced => {}
    }
    if event.phase(now) == Phase::Closed {
        act(Act::Announce, "primary");
    }
    if matches!(event.status, EventStatus::Open | EventStatus::Paused) {
        act(Act::Close, "danger-quiet");
    }
    if event.status != EventStatus::Announced {
        let label = view.say("Change places", "자리 수 변경");
        actions.push(Action { label, address: below_board(&event.id, "places"), class: "" });
    }
    actions
}
