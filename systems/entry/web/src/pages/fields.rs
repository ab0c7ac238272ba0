//! The fields of an event in forms.

use hansang_core::validate::{Violation, violation};
use hansang_core::{Error, message};
use hansang_entry::{Event, EventType};
use jiff::Timestamp;

use super::words::type_name;
use crate::messages;
use hansang_ui::form::{Field, Form, Input};
use hansang_ui::frame::View;
use hansang_ui::time::Reader;

/// The fields of a new event, in their order.
pub(super) fn all(view: &View) -> [Field; 8] {
    let choice = |one: EventType| (one.name().to_owned(), type_name(view, one).to_owned());
    let hint = |english, korean| view.say(english, korean).to_owned();
    [
        Field::text("title", view.say("Title", "제목")),
        Field {
            hint: hint(
                "Part of the address. Generated if empty",
                "주소에 쓰입니다. 비워 두면 자동 생성됩니다",
            ),
            required: false,
            code: true,
            ..Field::text("eventId", view.say("ID", "ID"))
        },
        Field {
            value: EventType::FirstCome.name().to_owned(),
            input: Input::Choice([EventType::FirstCome, EventType::Lottery].map(choice).into()),
            ..Field::text("eventType", view.say("Type", "방식"))
        },
        Field {
            hint: hint("In a lottery, the number of winners", "추첨인 경우 당첨 인원"),
            input: Input::Number,
            ..Field::text("places", view.say("Places", "정원"))
        },
        Field { hint: zone_of(view), ..of_time("opensAt", view.say("Opens", "시작 일시")) },
        of_time("closesAt", view.say("Closes", "마감 일시")),
        Field {
            hint: hint(
                "Entries until then take part in the draw. Same as closing if empty",
                "이때까지 응모하면 추첨에 참여합니다. 비워 두면 마감 일시와 같습니다",
            ),
            required: false,
            ..of_time("lotteryCutoffAt", view.say("Cut-off", "추첨 응모 마감"))
        },
        Field {
            hint: hint(
                "How long an entry waits for earlier ones to arrive, 0 to 3600. Shown in the rule of the event",
                "먼저 접수된 응모를 기다리는 시간, 0~3600. 이벤트 규칙에 표시됩니다",
            ),
            value: "3".to_owned(),
            input: Input::Number,
            ..Field::text("settleSeconds", view.say("Fairness window (seconds)", "공정성 대기 시간(초)"))
        },
    ]
}

/// The value of a field, as an event has it, with times in the zone of the reader.
pub(super) fn value(event: &Event, field: &str, reader: &Reader) -> String {
    let local = |at: Timestamp| reader.field(at);
    match field {
        "title" => event.title.clone(),
        "eventId" => event.id.clone(),
        "eventType" => event.event_type.name().to_owned(),
        "places" => event.capacity.or(event.winners).unwrap_or_default().to_string(),
        "opensAt" => local(event.opens_at),
        "closesAt" => local(event.closes_at),
        "lotteryCutoffAt" => event.cutoff_at.map(local).unwrap_or_default(),
        "settleSeconds" => event.settle.as_secs().to_string(),
        _ => String::new(),
    }
}

/// A field whose submitted value is not the stored one.
pub(super) struct Conflict {
    pub(super) field: String,
    pub(super) yours: String,
    pub(super) stored: String,
}

impl Conflict {
    /// Both values of a field, if it was submitted and differs.
    pub(super) fn of(field: &Field, sent: &Form) -> Option<Self> {
        let yours = sent.get(&field.name)?.trim().to_owned();
        let (field, stored) = (field.label.clone(), field.value.clone());
        (yours != stored).then_some(Self { field, yours, stored })
    }
}

/// The zone of the times in a form.
fn zone_of(view: &View) -> String {
    let name = view.reader.zone.iana_name().unwrap_or("UTC");
    format!("{}: {name}", view.say("Time zone", "시간대"))
}

fn of_time(name: &str, label: &str) -> Field {
    Field { input: Input::Time, ..Field::text(name, label) }
}

/// The value; `None` after adding its problems to `wrong`.
pub(super) fn gathered<T>(value: Result<T, Error>, wrong: &mut Vec<Violation>) -> Option<T> {
    value.map_err(|error| wrong.extend(error.violations)).ok()
}

/// Parses a time, with a zone or, as browsers send it, in the zone of the reader.
pub(super) fn time(text: &str, field: &str, reader: &Reader) -> Result<Timestamp, Error> {
    let wrong = || Error::fields(vec![violation(field, message!(messages::NOT_A_TIME))]);
    reader.typed(text).ok_or_else(wrong)
}

/// Parses a whole number of at least `min`.
pub(super) fn number(text: &str, field: &str, min: i64) -> Result<i64, Error> {
    text.trim()
        .replace(',', "")
        .parse()
        .ok()
        .filter(|number| *number >= min)
        .ok_or_else(|| Error::fields(vec![violation(field, message!(messages::NOT_A_NUMBER, min))]))
}

/// The problems between times that are valid on their own.
pub(super) fn out_of_order(
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
