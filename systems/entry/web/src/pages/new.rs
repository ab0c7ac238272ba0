//! The form for a new event.

use std::time::Duration;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::validate::{Violation, violation};
use hansang_core::{Error, message};
use hansang_entry::events::{Allocation, NewEvent};
use hansang_entry::{EntryCode, EventType};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::places::number;
use super::words::type_name;
use super::{Pages, at};
use crate::actions::CREATE;
use crate::messages;
use hansang_access::Role;
use hansang_core::messages::fields;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

/// The fields that can show a problem.
const FIELDS: [&str; 8] =
    ["title", "eventId", "eventType", "places", "opensAt", "closesAt", "lotteryCutoffAt", "settleSeconds"];

#[derive(Template)]
#[template(path = "entry/new.html")]
struct New {
    frame: Frame,
    system: String,
    fields: Vec<Field>,
    problems: Problems,
}

pub(super) fn route(entries: &Pages) -> Route {
    let (shows, takes) = (entries.clone(), entries.clone());
    let handler = on(MethodFilter::GET, async move |view: View| {
        show(&shows, view, StatusCode::OK, &Form::default(), Problems::default())
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        take(&takes, &caller, view, &sent).await
    });
    // Not below `events`, where an event may be called `new`.
    Route::page("/console/entry/new", entries.needs(Role::Editor), handler)
}

fn show(entries: &Pages, view: View, status: StatusCode, sent: &Form, problems: Problems) -> Response {
    let title = view.say("New event", "새 이벤트").to_owned();
    let frame = entries.frame(view, &title);
    let fields = fields(&frame.view).into_iter().map(|field| field.sent(sent, &problems)).collect();
    page(status, &New { system: entries.name().to_owned(), fields, problems, frame })
}

fn fields(view: &View) -> [Field; 8] {
    let choice = |one: EventType| (one.name().to_owned(), type_name(view, one).to_owned());
    let time = |name: &str, label: &str| Field { input: Input::Time, ..Field::text(name, label) };
    let hint = |english, korean| view.say(english, korean).to_owned();
    [
        Field::text("title", view.say("Title", "제목")),
        Field {
            hint: hint(
                "Stands in addresses. Made up if left empty",
                "주소에 쓰입니다. 비우면 자동으로 만듭니다",
            ),
            required: false,
            code: true,
            ..Field::text("eventId", view.say("Id", "ID"))
        },
        Field {
            value: EventType::FirstCome.name().to_owned(),
            input: Input::Choice([EventType::FirstCome, EventType::Lottery].map(choice).into()),
            ..Field::text("eventType", view.say("How places are given", "자리를 주는 방법"))
        },
        Field {
            hint: hint("Of a lottery, how many are drawn", "추첨이라면 뽑을 사람 수"),
            input: Input::Number,
            ..Field::text("places", view.say("Places", "자리"))
        },
        time("opensAt", view.say("Opens (UTC)", "시작(UTC)")),
        time("closesAt", view.say("Closes (UTC)", "마감(UTC)")),
        Field {
            hint: hint(
                "For lotteries: until when entries take part. When it closes, if left empty",
                "추첨만: 이때까지 응모하면 참여합니다. 비우면 마감 시각입니다",
            ),
            required: false,
            ..time("lotteryCutoffAt", view.say("Cut-off (UTC)", "추첨 마감(UTC)"))
        },
        Field {
            hint: hint(
                "How long an entry waits for others that were queued before it, at most 3600. The rule on the page of the event says it",
                "먼저 대기열에 들어온 응모를 기다리는 시간, 최대 3600. 이벤트 화면의 규칙에 나옵니다",
            ),
            value: "3".to_owned(),
            input: Input::Number,
            ..Field::text("settleSeconds", view.say("Settle seconds", "순서 확정 시간(초)"))
        },
    ]
}

async fn take(entries: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    let made = match new(sent) {
        Ok(new) => entries.act(&CREATE, caller, new).await,
        Err(error) => Err(error),
    };
    match made {
        Ok(event) => Ok(Redirect::to(&notice::CREATED.at(&at("board", &event.id))).into_response()),
        Err(error) => {
            let problem = Problem::from(at_fields(error));
            let problems = Problems::of_error(&problem, &FIELDS, view.language);
            Ok(show(entries, view, problem.status, sent, problems))
        }
    }
}

/// The event in a form, or all its problems.
fn new(sent: &Form) -> Result<NewEvent, Error> {
    let mut wrong = Vec::new();
    let title = sent.text("title").trim().to_owned();
    if title.is_empty() {
        wrong.push(violation("title", message!(fields::REQUIRED)));
    }
    let [opens_at, closes_at] =
        ["opensAt", "closesAt"].map(|name| gathered(time(sent.text(name), name), &mut wrong));
    let lottery = sent.text("eventType") == EventType::Lottery.name();
    let cutoff_at = match sent.text("lotteryCutoffAt").trim() {
        "" => closes_at,
        text if lottery => gathered(time(text, "lotteryCutoffAt"), &mut wrong),
        // Only a lottery has a cut-off.
        _ => closes_at,
    };
    let [places, settle] =
        ["places", "settleSeconds"].map(|name| gathered(number(sent.text(name), name), &mut wrong));
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

/// The value; `None` after adding its problems to `wrong`.
fn gathered<T>(value: Result<T, Error>, wrong: &mut Vec<Violation>) -> Option<T> {
    value.map_err(|error| wrong.extend(error.violations)).ok()
}

/// Parses a time, with a zone or, as browsers send it, without one.
fn time(text: &str, field: &str) -> Result<Timestamp, Error> {
    let utc = |time: DateTime| time.to_zoned(TimeZone::UTC).map(|zoned| zoned.timestamp());
    let text = text.trim();
    text.parse()
        .or_else(|_| text.parse::<DateTime>().and_then(utc))
        .map_err(|_| Error::fields(vec![violation(field, message!(messages::NOT_A_TIME))]))
}

/// The problems between times that are valid on their own.
fn out_of_order(
    opens_at: Option<Timestamp>,
    closes_at: Option<Timestamp>,
    cutoff_at: Option<Timestamp>,
) -> Option<Violation> {
    if closes_at <= opens_at {
        return Some(violation("closesAt", message!(messages::CLOSES_TOO_EARLY)));
    }
    cutoff_at
        .is_some_and(|cutoff| Some(cutoff) <= opens_at || Some(cutoff) > closes_at)
        .then(|| violation("lotteryCutoffAt", message!(messages::CUTOFF_OUTSIDE)))
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
