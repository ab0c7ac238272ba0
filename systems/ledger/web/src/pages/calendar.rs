//! The calendar of a month with the sums of each day.

use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{Month, calendar};
use hansang_ui::frame::{Frame, View, page};

use super::words::{Money, MonthLinks, short};
use super::{Pages, START, keep_month};

#[derive(Template)]
#[template(path = "ledger/calendar.html")]
struct Calendar {
    frame: Frame,
    month: MonthLinks,
    weekdays: [&'static str; 7],
    weeks: Vec<Vec<Option<Day>>>,
}

/// A day of the month.
struct Day {
    number: i8,
    is_today: bool,
    address: String,
    /// The income of the day, in full and for a phone.
    income: Option<(Money, String)>,
    /// The spending of the day, in full and for a phone.
    spent: Option<(Money, String)>,
}

pub(super) fn route(pages: &Pages) -> Route {
    let shows = pages.clone();
    let handler =
        on(MethodFilter::GET, async move |view: View, headers: HeaderMap| show(&shows, view, &headers).await);
    Route::page(&format!("{START}/calendar"), pages.needs(Role::Viewer), handler)
}

async fn show(pages: &Pages, view: View, headers: &HeaderMap) -> Result<Response, Problem> {
    let asked = pages.month(&view, headers);
    let sums = pages.calls.measured("calendar", calendar(&pages.ledger, asked)).await?;
    let title = view.say("Calendar", "달력").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let today = pages.ledger.today();
    let first = asked.day(1);
    let day = |number: i8| {
        let date = asked.day(i64::from(number));
        let sums = sums.get(&date.to_string()).copied().unwrap_or_default();
        let money = |amount: i64| (amount != 0).then(|| (Money::of(view, amount), short(view, amount)));
        Day {
            number,
            is_today: date == today,
            address: format!("{START}/lines?month={asked}&day={date}"),
            income: money(sums.earned),
            spent: money(sums.spent),
        }
    };
    let before = usize::try_from(first.weekday().to_sunday_zero_offset()).unwrap_or_default();
    let mut days: Vec<Option<Day>> = (0..before).map(|_| None).collect();
    days.extend((1..=first.days_in_month()).map(|number| Some(day(number))));
    days.resize_with(days.len().next_multiple_of(7), || None);
    let mut weeks = Vec::new();
    while !days.is_empty() {
        weeks.push(days.drain(..7).collect());
    }
    let weekdays = [
        view.say("Sun", "일"),
        view.say("Mon", "월"),
        view.say("Tue", "화"),
        view.say("Wed", "수"),
        view.say("Thu", "목"),
        view.say("Fri", "금"),
        view.say("Sat", "토"),
    ];
    let month = MonthLinks::new(view, &format!("{START}/calendar"), asked, Month::of(today));
    let calendar = Calendar { month, weekdays, weeks, frame };
    Ok(keep_month(page(StatusCode::OK, &calendar), &calendar.frame.view, asked))
}
