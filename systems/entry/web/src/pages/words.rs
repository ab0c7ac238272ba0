//! Texts about events and requests.

use hansang_entry::{Capacity, Event, EventStatus, EventType, Phase, Request, ResultCode, Status};
use jiff::Timestamp;

use hansang_ui::frame::View;
use hansang_ui::table::Cell;

/// A badge: its text and its style.
pub(super) struct Mark {
    pub(super) text: &'static str,
    pub(super) class: &'static str,
}

/// The remaining time, which a script counts down.
pub(super) struct Countdown {
    pub(super) label: &'static str,
    /// The end, and the server's time now, in milliseconds: the device's clock may be wrong.
    pub(super) until: i64,
    pub(super) now: i64,
    pub(super) text: String,
    /// The text at the end.
    pub(super) over: &'static str,
}

impl Mark {
    /// The badge in a table.
    pub(super) fn cell(&self) -> Cell {
        Cell::tag(self.text, self.class)
    }

    /// The phase of an event; an open one without free places is full.
    pub(super) fn of_event(view: &View, phase: Phase, capacity: Option<Capacity>) -> Self {
        if phase == Phase::Open && is_full(capacity) {
            return Self { text: view.say("Full", "정원 마감"), class: "warn" };
        }
        Self::of_phase(view, phase)
    }

    pub(super) fn of_phase(view: &View, phase: Phase) -> Self {
        let (text, class) = match phase {
            Phase::Before => (view.say("Upcoming", "시작 전"), "info"),
            Phase::Open => (view.say("Open", "진행 중"), "good"),
            Phase::Paused => (view.say("Paused", "일시 중지"), "warn"),
            Phase::Closed => (view.say("Closed", "마감"), ""),
            Phase::Announced => (view.say("Results announced", "결과 발표"), "info"),
        };
        Self { text, class }
    }

    pub(super) fn of_status(view: &View, status: Status) -> Self {
        let class = match status {
            Status::Received | Status::Queued => "info",
            Status::Processing => "warn",
            Status::Succeeded => "good",
            Status::Rejected => "",
            Status::FailedFinal => "bad",
        };
        Self { text: status_name(view, status), class }
    }
}

impl Countdown {
    /// The countdown of an event to its opening or closing.
    pub(super) fn of(view: &View, event: &Event, now: Timestamp) -> Option<Self> {
        let (until, label, over) = match event.phase(now) {
            Phase::Before => {
                (event.opens_at, view.say("Opens in", "시작까지"), view.say("Open now.", "시작했습니다."))
            }
            Phase::Open => {
                (event.ends_at(), view.say("Closes in", "마감까지"), view.say("Closed.", "마감되었습니다."))
            }
            Phase::Paused | Phase::Closed | Phase::Announced => return None,
        };
        let (until, now) = (until.as_millisecond(), now.as_millisecond());
        Some(Self { label, until, now, text: left(view, until - now), over })
    }
}

/// The remaining time, in the format of the script.
fn left(view: &View, milliseconds: i64) -> String {
    let seconds = milliseconds.max(0) / 1000;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    let clock = format!("{hours:02}:{minutes:02}:{:02}", seconds % 60);
    if days > 0 { format!("{days}{} {clock}", view.say("d", "일")) } else { clock }
}

/// The elapsed time in the largest unit that fits.
pub(super) fn ago(view: &View, from: Timestamp, now: Timestamp) -> String {
    let seconds = now.duration_since(from).as_secs().max(0);
    let (number, text) = match seconds {
        0..=119 => (seconds, view.fill("{0} s", "{0}초")),
        120..=7199 => (seconds / 60, view.fill("{0} min", "{0}분")),
        7200..=172_799 => (seconds / 3600, view.fill("{0} h", "{0}시간")),
        _ => (seconds / 86_400, view.fill("{0} d", "{0}일")),
    };
    text.with(number).to_string()
}

pub(super) fn type_name(view: &View, event_type: EventType) -> &'static str {
    match event_type {
        EventType::FirstCome => view.say("First come, first served", "선착순"),
        EventType::Lottery => view.say("Lottery", "추첨"),
    }
}

pub(super) fn status_name(view: &View, status: Status) -> &'static str {
    match status {
        Status::Received => view.say("Received", "접수"),
        Status::Queued => view.say("Waiting", "대기 중"),
        Status::Processing => view.say("Processing", "처리 중"),
        Status::Succeeded => view.say("Confirmed", "확정"),
        Status::Rejected => view.say("Not selected", "탈락"),
        Status::FailedFinal => view.say("Failed", "실패"),
    }
}

pub(super) fn result_name(view: &View, result: ResultCode) -> &'static str {
    match result {
        ResultCode::Success => view.say("Confirmed", "확정"),
        ResultCode::RejectedCapacity => view.say("No places left", "정원 초과"),
        ResultCode::RejectedLotteryLose => view.say("Not drawn", "미당첨"),
        ResultCode::FailedIngestEnqueue => view.say("Not queued", "접수 실패"),
        ResultCode::FailedWorker => view.say("Processing failed", "처리 실패"),
    }
}

/// Whether a first-come event has no free place.
pub(super) fn is_full(capacity: Option<Capacity>) -> bool {
    capacity.is_some_and(|capacity| capacity.remaining == 0)
}

/// The free places of a first-come event.
pub(super) fn places_left(view: &View, capacity: Capacity) -> String {
    let (left, total) = (grouped(capacity.remaining), grouped(capacity.total));
    view.fill("{0} of {1} places left", "{1}자리 중 {0}자리 남음").with(left).with(total).to_string()
}

/// The capacity of an event.
pub(super) fn places(view: &View, event: &Event) -> String {
    let text = match event.event_type {
        EventType::FirstCome => {
            let number = grouped(event.capacity.unwrap_or_default());
            view.plural(number, "{0} place", "{0} places", "{0}자리")
        }
        EventType::Lottery => {
            let number = grouped(event.winners.unwrap_or_default());
            view.plural(number, "{0} winner", "{0} winners", "{0}명 추첨")
        }
    };
    text.to_string()
}

/// A number with thousands separators.
pub(super) fn grouped(number: impl ToString) -> String {
    let text = number.to_string();
    let digits = text.trim_start_matches('-').len();
    let mut shown = text[..text.len() - digits].to_owned();
    for (place, digit) in text[text.len() - digits..].chars().enumerate() {
        if place > 0 && (digits - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// The result of a request, as its user sees it.
pub(super) fn ending(view: &View, result: ResultCode) -> &'static str {
    match result {
        ResultCode::Success => view.say("Your place is confirmed.", "자리가 확정되었습니다."),
        ResultCode::RejectedCapacity => {
            view.say("All places were taken by earlier entries.", "먼저 접수된 응모로 자리가 모두 찼습니다.")
        }
        ResultCode::RejectedLotteryLose => view.say("You were not selected.", "당첨되지 않았습니다."),
        ResultCode::FailedIngestEnqueue => view.say(
            "We could not process your entry. Please enter again.",
            "시스템 문제로 응모를 처리하지 못했습니다. 다시 응모해 주세요.",
        ),
        ResultCode::FailedWorker => view.say(
            "We could not process your entry. It is kept, and our staff will process it again.",
            "응모를 처리하지 못했습니다. 응모는 보관되어 있으며 운영자가 다시 처리합니다.",
        ),
    }
}

/// The state of an undecided request.
pub(super) fn waiting(view: &View, request: &Request, event: &Event, now: Timestamp) -> String {
    let lottery = event.event_type == EventType::Lottery;
    let sentence = match request.status {
        Status::Received => view.say("Your entry was received.", "응모를 접수했습니다."),
        Status::Queued if event.status == EventStatus::Paused => view.say(
            "The event is paused. You keep your place in line.",
            "이벤트가 일시 중지되었습니다. 순서는 그대로 유지됩니다.",
        ),
        _ if lottery && event.ends_at() > now => view.say(
            "You are in the draw. Winners are drawn after the event closes.",
            "추첨 대상입니다. 마감 후 추첨합니다.",
        ),
        _ if lottery => view.say(
            "You are in the draw. Your result appears here when it is announced.",
            "추첨 대상입니다. 결과가 발표되면 여기에 표시됩니다.",
        ),
        Status::Queued => view.say("You'll have a result shortly.", "곧 결과가 나옵니다."),
        _ => view.say("Your entry is being processed.", "응모를 처리하고 있습니다."),
    };
    sentence.to_owned()
}

/// The position of a request in line, and the estimated time to its result.
pub(super) fn position(view: &View, ahead: usize, seconds: Option<u64>) -> String {
    let number = grouped(ahead + 1);
    let place = view.fill("You are number {0} in line", "대기 순번 {0}번").with(number).to_string();
    match seconds {
        None => place,
        Some(0..60) => format!("{place} · {}", view.say("less than a minute", "예상 대기 1분 미만")),
        Some(seconds) => {
            let minutes = view.fill("about {0} min", "예상 대기 약 {0}분").with(seconds.div_ceil(60));
            format!("{place} · {minutes}")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::http::{HeaderMap, Uri};
    use hansang_ui::frame::Shell;

    use super::*;

    #[test]
    fn numbers_and_times_are_written_for_people() {
        let shown = [0, 999, 1000, 1_234_567, -1000, -100].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567", "-1,000", "-100"]);
        let view =
            View::of(Arc::new(Shell::new([], [])), &Uri::from_static("/console/entry"), &HeaderMap::new());
        assert_eq!(left(&view, 86_400_000 + 3_723_999), "1d 01:02:03");
        assert_eq!((left(&view, 59_999), left(&view, -5)), ("00:00:59".to_owned(), "00:00:00".to_owned()));
        let now = Timestamp::from_second(1_000_000).unwrap();
        let since = |seconds: i64| ago(&view, Timestamp::from_second(1_000_000 - seconds).unwrap(), now);
        assert_eq!(
            [0, 119, 120, 7199, 7200, 172_800].map(since),
            ["0 s", "119 s", "2 min", "119 min", "2 h", "2 d"]
        );
        assert_eq!(since(-5), "0 s");
    }
}
