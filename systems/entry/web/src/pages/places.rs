//! The form for the capacity of an event.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_entry::{Board, EntryCode};

use super::words::grouped;
use super::{Pages, START, at, below_board};
use crate::actions::SET_CAPACITY;
use crate::messages;
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
    let glance = entries.glance(id).await?;
    let event = &glance.board.event;
    let title = view.say("Change places", "자리 수 변경").to_owned();
    let frame = entries.frame(view, &title);
    let total = event.capacity.or(event.winners).unwrap_or_default();
    let field = Field {
        value: total.to_string(),
        hint: hint(&frame.view, &glance.board),
        input: Input::Number,
        ..Field::text("places", frame.say("Places", "자리"))
    };
    let places = Places {
        system: entries.name().to_owned(),
        title: event.title.clone(),
        back: at("board", id),
        here: below_board(id, "places"),
        field: field.sent(sent, &problems),
        problems,
        frame,
    };
    Ok(page(status, &places))
}

/// The minimum of the capacity, as a hint.
fn hint(view: &View, board: &Board) -> String {
    match (board.capacity, view.is_korean()) {
        (Some(capacity), true) => {
            format!(
                "{}자리를 이미 주었습니다. 그보다 적을 수 없습니다.",
                grouped(capacity.total - capacity.remaining)
            )
        }
        (Some(capacity), false) => {
            format!(
                "{} are given already: there cannot be fewer.",
                grouped(capacity.total - capacity.remaining)
            )
        }
        (None, true) => "추첨으로 뽑을 사람 수입니다. 추첨한 뒤에는 바꿀 수 없습니다.".to_owned(),
        (None, false) => "How many are drawn. That is fixed once they are.".to_owned(),
    }
}

async fn take(
    entries: &Pages,
    caller: &Caller,
    view: View,
    id: &str,
    sent: &Form,
) -> Result<Response, Problem> {
    let set = match number(sent.text("places"), "places") {
        Ok(total) => entries.act(&SET_CAPACITY, caller, (id.to_owned(), total)).await,
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

/// Parses an integer of at least 0.
pub(super) fn number(text: &str, field: &str) -> Result<i64, Error> {
    text.trim()
        .replace(',', "")
        .parse()
        .ok()
        .filter(|number| *number >= 0)
        .ok_or_else(|| Error::fields(vec![violation(field, message!(messages::NOT_A_NUMBER))]))
}
