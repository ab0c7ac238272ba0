//! The form for a new event, empty or with the values of another one.

use std::time::Duration;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_entry::events::{Allocation, NewEvent};
use hansang_entry::{EntryCode, Event, EventType};

use super::fields::{self, Conflict, gathered, number, out_of_order, time};
use super::{Pages, START, at};
use crate::actions::CREATE;
use crate::messages;
use hansang_access::Role;
use hansang_core::messages::fields as problems;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;
use hansang_ui::time::Reader;

/// The fields that can show a problem.
const FIELDS: [&str; 8] =
    ["title", "eventId", "eventType", "places", "opensAt", "closesAt", "lotteryCutoffAt", "settleSeconds"];

#[derive(Template)]
#[template(path = "entry/form.html")]
pub(super) struct Filled {
    pub(super) frame: Frame,
    pub(super) system: String,
    /// The title and the board of the event; empty for a new one.
    pub(super) event: String,
    pub(super) board: String,
    pub(super) about: &'static str,
    pub(super) here: String,
    pub(super) back: String,
    pub(super) button: &'static str,
    pub(super) fields: Vec<Field>,
    pub(super) problems: Problems,
    /// The state of the event that the form shows; empty for a new one.
    pub(super) was: String,
    /// The fields that differ from the stored ones, after another change.
    pub(super) conflict: Vec<Conflict>,
}

pub(super) fn route(entries: &Pages) -> Route {
    let (shows, takes) = (entries.clone(), entries.clone());
    let handler = on(MethodFilter::GET, async move |view: View| {
        let from = view.asked().text("from").to_owned();
        let from = if from.is_empty() { None } else { Some(shows.event(&from).await?) };
        Ok::<_, Problem>(show(
            &shows,
            view,
            StatusCode::OK,
            from.as_deref(),
            &Form::default(),
            Problems::default(),
        ))
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        take(&takes, &caller, view, &sent).await
    });
    // Not below `events`, where an event may be called `new`.
    Route::page("/console/entry/new", entries.needs(Role::Editor), handler)
}

fn show(
    entries: &Pages,
    view: View,
    status: StatusCode,
    from: Option<&Event>,
    sent: &Form,
    problems: Problems,
) -> Response {
    let title = match from {
        None => view.say("New event", "새 이벤트").to_owned(),
        Some(event) => view.fill("Copy of {0}", "복제: {0}").with(&event.title).to_string(),
    };
    let frame = entries.frame(view, &title);
    let view = &frame.view;
    let copied = |field: Field| match from {
        // A copy gets an id of its own.
        Some(event) if field.name != "eventId" => {
            Field { value: fields::value(event, &field.name, &view.reader), ..field }
        }
        _ => field,
    };
    let filled = Filled {
        system: entries.name().to_owned(),
        event: String::new(),
        board: String::new(),
        about: view.say(
            "The hash of a lottery's secret seed is public as soon as the event is created.",
            "추첨 이벤트는 만드는 즉시 비밀 시드의 해시가 공개됩니다.",
        ),
        here: "/console/entry/new".to_owned(),
        back: from.map_or_else(|| START.to_owned(), |event| at("board", &event.id)),
        button: view.say("Create", "만들기"),
        fields: fields::all(view).into_iter().map(|field| copied(field).sent(sent, &problems)).collect(),
        problems,
        was: String::new(),
        conflict: Vec::new(),
        frame,
    };
    page(status, &filled)
}

async fn take(entries: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    let made = match new(sent, &view.reader) {
        Ok(new) => entries.act(&CREATE, caller, new).await,
        Err(error) => Err(error),
    };
    match made {
        Ok(event) => Ok(Redirect::to(&notice::CREATED.at(&at("board", &event.id))).into_response()),
        Err(error) => {
            let problem = Problem::from(at_fields(error));
            let problems = Problems::of_error(&problem, &FIELDS, view.language);
            Ok(show(entries, view, problem.status, None, sent, problems))
        }
    }
}

/// The event in a form, or all its problems.
fn new(sent: &Form, reader: &Reader) -> Result<NewEvent, Error> {
    let mut wrong = Vec::new();
    let title = sent.text("title").trim().to_owned();
    if title.is_empty() {
        wrong.push(violation("title", message!(problems::REQUIRED)));
    }
    let [opens_at, closes_at] =
        ["opensAt", "closesAt"].map(|name| gathered(time(sent.text(name), name, reader), &mut wrong));
    let lottery = sent.text("eventType") == EventType::Lottery.name();
    let cutoff_at = match sent.text("lotteryCutoffAt").trim() {
        "" => closes_at,
        text if lottery => gathered(time(text, "lotteryCutoffAt", reader), &mut wrong),
        _ => {
            wrong.push(violation("lotteryCutoffAt", message!(messages::ONLY_LOTTERIES)));
            None
        }
    };
    let [places, settle] = [("places", 1), ("settleSeconds", 0)]
        .map(|(name, min)| gathered(number(sent.text(name), name, min), &mut wrong));
    if wrong.is_empty() {
        wrong.extend(out_of_order(opens_at, closes_at, cutoff_at.filter(|_| lottery)));
    }
    match (opens_at, closes_at, cutoff_at, places, settle) {
        (Some(opens_at), Some(closes_at), Some(cutoff_at), Some(places), Some(settle))
            if wrong.is_empty() =>
        {
            Ok(NewEvent {
                id: Some(sent.text("eventId").trim().to_owned()).filter(|id| !id.is_empty()),
                title,
                opens_at,
                closes_at,
                allocation: match lottery {
                    true => Allocation::Lottery { winners: places, cutoff_at },
                    false => Allocation::FirstCome(places),
                },
                settle: Some(Duration::from_secs(u64::try_from(settle).unwrap_or_default())),
            })
        }
        _ => Err(Error::fields(wrong)),
    }
}

/// Moves the problems of an event to the fields of the form.
fn at_fields(mut error: Error) -> Error {
    for violation in &mut error.violations {
        if ["capacityTotal", "capacityRemaining", "winners"].contains(&&*violation.attribute) {
            violation.attribute = "places".into();
        }
    }
    if error.code == EntryCode::EventExists {
        error.violations.push(violation("eventId", error.message.clone()));
    }
    error
}
