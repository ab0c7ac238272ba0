//! The live board of an event, for operators.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_entry::{EventStatus, EventType, Phase, Status};

use super::act::Act;
use super::pace::Glance;
use super::words::{Mark, ago, grouped, places, status_name, type_name};
use super::{Pages, START, at, below_board};
use hansang_access::Role;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::html::Html;
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
    /// The reason that the results cannot be announced yet.
    pending: Option<String>,
    shares: Html,
    pace: Html,
    since: Moment,
    stream: String,
    event: String,
    requests: String,
    winners: String,
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
        mark: Mark::of_event(view, event.phase(glance.at), glance.board.capacity),
        places: places(view, event),
        opens: view.time(event.opens_at),
        closes: view.time(event.ends_at()),
        figures: figures(view, &glance),
        queue: queue(view, &glance),
        pending: pending(view, &glance),
        shares: shares(view, &glance),
        pace: pace(view, &glance),
        since: view.time(glance.since),
        stream: entries.board_stream(id),
        event: at("events", id),
        requests: below_board(id, "requests"),
        winners: format!("{}?status={}", below_board(id, "requests"), Status::Succeeded.name()),
        draw: lottery.then(|| below_board(id, "draw")),
        actions: match frame.is_editor(entries.name()) {
            true => actions(view, &glance),
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
    let oldest = glance.board.oldest().map_or_else(|| "–".to_owned(), |at| ago(view, at, glance.at));
    vec![
        (view.say("Longest wait", "최장 대기"), oldest),
        (view.say("Messages waiting", "대기 메시지"), grouped(depth.visible)),
        (view.say("Messages in progress", "처리 중 메시지"), grouped(depth.hidden)),
        (view.say("Dead letters", "처리 실패 메시지"), grouped(depth.dead)),
    ]
}

/// The chart of taken and free seats; for a lottery, of entries by result.
fn shares(view: &View, glance: &Glance) -> Html {
    let board = &glance.board;
    let share = |english: &'static str, korean: &'static str, count: f64| {
        (view.say(english, korean).to_owned(), count)
    };
    let shares = match board.capacity {
        Some(capacity) => vec![
            share("Taken", "배정된 자리", (capacity.total - capacity.remaining) as f64),
            share("Left", "남은 자리", capacity.remaining as f64),
        ],
        None => vec![
            share("Confirmed", "확정", board.succeeded as f64),
            share("Not selected", "탈락", board.rejected as f64),
            share("Waiting", "대기 중", (board.received + board.queued + board.processing) as f64),
        ],
    };
    let donut = Donut {
        title: "",
        summary: match board.capacity {
            Some(_) => view.say("Places taken and left", "배정된 자리와 남은 자리"),
            None => view.say("Entries by result", "결과별 응모"),
        },
        shares: &shares,
        unit: "",
        other: view.say("Other", "기타"),
        empty: view.say("No data yet", "아직 데이터가 없습니다"),
        links: &[],
    };
    svg::boxed_shares(&svg::donut(&donut), &donut, view.language)
}

fn pace(view: &View, glance: &Glance) -> Html {
    let pace = glance.pace();
    let decided = view.say("Decisions per second", "초당 처리 수");
    let chart = Chart {
        title: "",
        summary: view.say("Decisions per second in the last five minutes", "최근 5분간 초당 처리 수"),
        labels: pace.iter().map(|(at, _)| view.reader.clock(*at)).collect(),
        series: vec![Series::new(decided, pace.iter().map(|(_, pace)| *pace))],
        unit: "",
        empty: view.say("No data yet", "아직 데이터가 없습니다"),
    };
    svg::boxed(&svg::line(&chart), &chart, view.language)
}

/// The actions that the state of the event allows.
fn actions(view: &View, glance: &Glance) -> Vec<Action> {
    let (board, now) = (&glance.board, glance.at);
    let event = &board.event;
    let mut actions = Vec::new();
    let mut act = |one: Act, class: &'static str| {
        actions.push(Action { label: one.label(view), address: below_board(&event.id, one.name()), class });
    };
    if board.announceable {
        act(Act::Announce, "primary");
    }
    match event.status {
        EventStatus::Open if now < event.ends_at() => act(Act::Pause, ""),
        EventStatus::Paused => act(Act::Resume, "primary"),
        _ => {}
    }
    if matches!(event.status, EventStatus::Open | EventStatus::Paused) {
        act(Act::Close, "danger-quiet");
    }
    if !board.has_entries() && (now < event.opens_at || now >= event.draws_at()) {
        act(Act::Delete, "danger-quiet");
    }
    let mut link = |label: &'static str, address: String| {
        actions.push(Action { label, address, class: "" });
    };
    if event.status != EventStatus::Announced {
        link(view.say("Change places", "정원 변경"), below_board(&event.id, "places"));
        link(view.say("Edit", "수정"), below_board(&event.id, "edit"));
    }
    let mut copy = form_urlencoded::Serializer::new(String::new());
    copy.append_pair("from", &event.id);
    link(view.say("Duplicate", "복제"), format!("{START}/new?{}", copy.finish()));
    actions
}

/// The reason that the results of a closed event cannot be announced yet.
fn pending(view: &View, glance: &Glance) -> Option<String> {
    let board = &glance.board;
    if board.event.phase(glance.at) != Phase::Closed || board.announceable {
        return None;
    }
    let waiting = board.received + board.queued + board.processing;
    let reason = match board.event.event_type {
        EventType::Lottery => {
            let waits = view.say(
                "Results can be announced once the draw is complete.",
                "추첨이 끝나면 결과를 발표할 수 있습니다.",
            );
            return Some(waits.to_owned());
        }
        EventType::FirstCome => view.plural(
            grouped(waiting),
            "Results can be announced once {0} waiting entry is processed.",
            "Results can be announced once {0} waiting entries are processed.",
            "대기 중인 응모 {0}건을 처리하면 결과를 발표할 수 있습니다.",
        ),
    };
    Some(reason.to_string())
}
