//! The form for the capacity of an event.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::Error;
use hansang_core::validate::violation;
use hansang_entry::{Board, EntryCode};

use super::fields::{Conflict, number};
use super::words::grouped;
use super::{Pages, START, at, below_board};
use crate::actions::{self, SET_CAPACITY};
use hansang_access::Role;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

#[derive(Template)]
#[template(path = "entry/places.html")]
struct Places {
    frame: Frame,
    system: String,
    title: String,
    back: String,
    here: String,
    field: Field,
    problems: Problems,
    /// The number that the form shows.
    was: String,
    /// Both numbers, after another change.
    conflict: Vec<Conflict>,
    /// The effect on entries that were rejected.
    rejected: Option<String>,
}

pub(super) fn route(entries: &Pages) -> Route {
    let (shows, takes) = (entries.clone(), entries.clone());
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let id = key.text("id");
        show(&shows, view, StatusCode::OK, &id, &Form::default(), Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        take(&takes, &caller, view, &key.text("id"), &sent).await
    });
    Route::page(&format!("{START}/board/{{id}}/places"), entries.needs(Role::Editor), handler)
}

async fn show(
    entries: &Pages,
    view: View,
    status: StatusCode,
    id: &str,
    sent: &Form,
    problems: Problems,
) -> Result<Response, Problem> {
    entries.door.known.forget_board(id).await;
    let glance = entries.glance(id).await?;
    let event = &glance.board.event;
    let title = view.say("Change places", "정원 변경").to_owned();
    let frame = entries.frame(view, &title);
    let total = event.capacity.or(event.winners).unwrap_or_default();
    let field = Field {
        value: total.to_string(),
        hint: hint(&frame.view, &glance.board),
        input: Input::Number,
        ..Field::text("places", frame.say("Places", "정원"))
    };
    let places = Places {
        system: entries.name().to_owned(),
        title: event.title.clone(),
        back: at("board", id),
        here: below_board(id, "places"),
        conflict: match status {
            StatusCode::PRECONDITION_FAILED => Conflict::of(&field, sent).into_iter().collect(),
            _ => Vec::new(),
        },
        was: match sent.text("was") {
            was if status != StatusCode::PRECONDITION_FAILED && !was.is_empty() => was.to_owned(),
            _ => field.value.clone(),
        },
        field: field.sent(sent, &problems),
        problems,
        rejected: rejected(&frame.view, &glance.board),
        frame,
    };
    Ok(page(status, &places))
}

/// The minimum of the capacity, as a hint.
fn hint(view: &View, board: &Board) -> String {
    let text = match board.capacity {
        Some(capacity) => {
            let least = view.fill(
                "At least {0}, because that many places are taken.",
                "이미 {0}자리를 배정했으므로 그보다 적게 줄일 수 없습니다.",
            );
            least.with(grouped(capacity.total - capacity.remaining))
        }
        None => view.fill(
            "The number of winners. It cannot change after the draw.",
            "당첨 인원입니다. 추첨한 뒤에는 바꿀 수 없습니다.",
        ),
    };
    text.to_string()
}

/// The effect of more places on entries that were rejected for lack of them.
fn rejected(view: &View, board: &Board) -> Option<String> {
    if board.capacity.is_none() || board.rejected == 0 {
        return None;
    }
    let text = view.plural(
        grouped(board.rejected),
        "{0} entry was not selected, and this does not change. New places go to entries that are waiting or still to come.",
        "{0} entries were not selected, and this does not change. New places go to entries that are waiting or still to come.",
        "이미 탈락한 응모 {0}건은 정원을 늘려도 그대로 탈락입니다. 늘어난 자리는 대기 중이거나 새로 접수되는 응모에 배정됩니다.",
    );
    Some(text.to_string())
}

async fn take(
    entries: &Pages,
    caller: &Caller,
    view: View,
    id: &str,
    sent: &Form,
) -> Result<Response, Problem> {
    let set = match number(sent.text("places"), "places", 1) {
        Ok(total) => {
            let was = sent.text("was").parse().ok();
            let places = actions::Places { event_id: id.to_owned(), was, total };
            entries.act(&SET_CAPACITY, caller, places).await
        }
        Err(error) => Err(error),
    };
    match set {
        Ok(_) => Ok(Redirect::to(&notice::SAVED.at(&at("board", id))).into_response()),
        Err(error) => {
            let problem = Problem::from(at_field(error));
            let problems = Problems::of_error(&problem, &["places"], view.language);
            show(entries, view, problem.status, id, sent, problems).await
        }
    }
}

/// Moves the problems of the capacity to its field; the error keeps its kind.
fn at_field(mut error: Error) -> Error {
    let fields = ["capacityTotal", "capacityRemaining", "winners"];
    for violation in &mut error.violations {
        if fields.contains(&&*violation.attribute) {
            violation.attribute = "places".into();
        }
    }
    if error.code == EntryCode::CapacityBelowGiven {
        error.violations.push(violation("places", error.message.clone()));
    }
    error
}
