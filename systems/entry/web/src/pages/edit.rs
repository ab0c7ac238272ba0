//! The form that changes an event. Fields that participants rely on are locked.

use std::time::Duration;

use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::Error;
use hansang_entry::events::{self, EventChanges, EventField};
use hansang_entry::{Event, EventType};
use jiff::Timestamp;

use super::fields::{self, Conflict, gathered, number, time};
use super::new::Filled;
use super::{Pages, START, at, below_board};
use crate::actions::EDIT;
use hansang_access::Role;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Problems};
use hansang_ui::frame::{View, page};
use hansang_ui::notice;
use hansang_ui::time::Reader;

pub(super) fn route(entries: &Pages) -> Route {
    let (shows, takes) = (entries.clone(), entries.clone());
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let id = key.text("id");
        show(&shows, view, StatusCode::OK, &id, &Form::default(), Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        take(&takes, &caller, view, &key.text("id"), &sent).await
    });
    Route::page(&format!("{START}/board/{{id}}/edit"), entries.needs(Role::Editor), handler)
}

async fn show(
    entries: &Pages,
    view: View,
    status: StatusCode,
    id: &str,
    sent: &Form,
    problems: Problems,
) -> Result<Response, Problem> {
    let event = stored(entries, id).await?;
    let now = entries.entry().db.clock().moment().now;
    let title = view.say("Edit event", "이벤트 수정").to_owned();
    let frame = entries.frame(view, &title);
    let view = &frame.view;
    let locked = shown(&event).any(|field| !event.may_change(field, now));
    let filled = Filled {
        system: entries.name().to_owned(),
        event: event.title.clone(),
        board: at("board", id),
        about: match locked {
            true => view.say(
                "Participants rely on the locked fields, so they cannot change any more.",
                "참여자에게 이미 공개한 항목은 잠겨 있어 바꿀 수 없습니다.",
            ),
            false => view.say(
                "Everything but the ID and the type can change until the event opens.",
                "시작하기 전에는 ID와 방식을 제외한 모든 항목을 바꿀 수 있습니다.",
            ),
        },
        here: below_board(id, "edit"),
        back: at("board", id),
        button: view.say("Save", "저장"),
        conflict: match status {
            StatusCode::PRECONDITION_FAILED => {
                of_event(view, &event, now).filter_map(|field| Conflict::of(&field, sent)).collect()
            }
            _ => Vec::new(),
        },
        // After a problem the form still starts from what it started from; after a conflict it shows both.
        was: match sent.text("was") {
            was if status != StatusCode::PRECONDITION_FAILED && !was.is_empty() => was.to_owned(),
            _ => event.fingerprint(),
        },
        fields: of_event(view, &event, now).map(|field| field.sent(sent, &problems)).collect(),
        problems,
        frame,
    };
    Ok(page(status, &filled))
}

/// The event as it is stored now: its changes must not start from a cached one.
async fn stored(entries: &Pages, id: &str) -> Result<Event, Error> {
    entries.calls.measured("event.get", events::get(entries.entry(), id)).await
}

/// The fields that an event of its type has.
fn shown(event: &Event) -> impl Iterator<Item = EventField> + use<> {
    let lottery = event.event_type == EventType::Lottery;
    EventField::ALL.into_iter().filter(move |field| lottery || *field != EventField::CutoffAt)
}

fn of_event(view: &View, event: &Event, now: Timestamp) -> impl Iterator<Item = Field> {
    let mut all: Vec<Field> = fields::all(view).into();
    shown(event).filter_map(move |field| {
        let place = all.iter().position(|one| one.name == field.name())?;
        let one = all.swap_remove(place);
        let value = fields::value(event, field.name(), &view.reader);
        Some(Field { value, locked: !event.may_change(field, now), ..one })
    })
}

async fn take(
    entries: &Pages,
    caller: &Caller,
    view: View,
    id: &str,
    sent: &Form,
) -> Result<Response, Problem> {
    let event = stored(entries, id).await?;
    let edited = match changes(&event, sent, &view.reader) {
        Ok(changes) => entries.act(&EDIT, caller, (id.to_owned(), changes)).await,
        Err(error) => Err(error),
    };
    match edited {
        Ok(_) => Ok(Redirect::to(&notice::SAVED.at(&at("board", id))).into_response()),
        Err(error) => {
            let problem = Problem::from(error);
            let names = EventField::ALL.map(EventField::name);
            let problems = Problems::of_error(&problem, &names, view.language);
            show(entries, view, problem.status, id, sent, problems).await
        }
    }
}

/// The fields that were changed in the form, or all their problems.
fn changes(event: &Event, sent: &Form, reader: &Reader) -> Result<EventChanges, Error> {
    // The form shows whole seconds, so its unchanged text is not another time.
    let typed = |field: EventField| {
        let text = sent.get(field.name())?.trim();
        (text != fields::value(event, field.name(), reader)).then(|| text.to_owned())
    };
    let mut wrong = Vec::new();
    let [opens_at, closes_at, cutoff_at] = [EventField::OpensAt, EventField::ClosesAt, EventField::CutoffAt]
        .map(|field| typed(field).and_then(|text| gathered(time(&text, field.name(), reader), &mut wrong)));
    let settle = typed(EventField::Settle)
        .and_then(|text| gathered(number(&text, EventField::Settle.name(), 0), &mut wrong))
        .and_then(|seconds| u64::try_from(seconds).ok())
        .map(Duration::from_secs);
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    let was = Some(sent.text("was").to_owned()).filter(|was| !was.is_empty());
    Ok(EventChanges { title: typed(EventField::Title), opens_at, closes_at, cutoff_at, settle, was })
}
