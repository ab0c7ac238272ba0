//! The pages of the ledger, for a household.
//!
//! The chosen month sticks: `?month=` is remembered in a cookie, so that every page shows the same one.

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use futures_util::future::BoxFuture;
use hansang_access::Role;
use hansang_core::Error;
use hansang_http::guard::cookie;
use hansang_http::route::{Needs, Route};
use hansang_ledger::{Ledger, Month};
use hansang_server::{Caller, Calls, Console};
use hansang_ui::frame::{Frame, Section, Tab, View};

mod amount;
mod budgets;
mod calendar;
mod codes;
mod dashboard;
mod goals;
mod history;
mod lines;
mod one_line;
mod quick;
mod rules;
mod sheet;
mod words;

/// The path of the pages.
const START: &str = "/console/ledger";
/// The cookie with the chosen month.
const MONTH_COOKIE: &str = "hansang_month";

/// The state of the pages.
#[derive(Clone)]
struct Pages {
    console: Console,
    calls: Calls,
    ledger: Ledger,
}

/// All pages of the ledger.
pub(crate) fn routes(console: &Console, ledger: &Ledger, calls: Calls) -> Vec<Route> {
    let pages = Pages { console: console.clone(), calls, ledger: ledger.clone() };
    let mut routes = vec![
        dashboard::route(&pages),
        sheet::route(&pages),
        sheet::copy_route(&pages),
        lines::route(&pages),
        one_line::route(&pages),
        calendar::route(&pages),
        budgets::route(&pages),
        goals::route(&pages),
        rules::route(&pages),
        codes::route(&pages),
        history::route(&pages),
        history::undo_route(&pages),
    ];
    routes.extend(quick::routes(&pages));
    routes
}

/// The tabs above the pages.
pub(crate) fn tabs(view: &View) -> Vec<Tab> {
    vec![
        (START, view.say("Overview", "한눈에"), "dashboard"),
        ("/console/ledger/sheet/living", view.say("Month sheet", "월별 입력"), "sheet"),
        ("/console/ledger/lines", view.say("Transactions", "내역"), "lines"),
        ("/console/ledger/calendar", view.say("Calendar", "달력"), "calendar"),
        ("/console/ledger/budgets", view.say("Budgets", "예산"), "budgets"),
        ("/console/ledger/goals", view.say("Goals", "목표"), "goals"),
        ("/console/ledger/recurring", view.say("Recurring", "반복"), "recurring"),
        ("/console/ledger/codes", view.say("Categories", "항목 관리"), "codes"),
        ("/console/ledger/history", view.say("History", "변경 기록"), "history"),
    ]
}

impl Pages {
    fn name(&self) -> &str {
        &self.calls.db.model().name
    }

    fn frame(&self, view: View, title: &str) -> Frame {
        self.console.frame(view, title, Section::System(self.name().to_owned()))
    }

    fn needs(&self, role: Role) -> Needs {
        Needs::Role(self.name().to_owned(), role)
    }

    /// The month of a page: in the address, otherwise the remembered one, otherwise the current one.
    fn month(&self, view: &View, headers: &HeaderMap) -> Month {
        let asked = view.asked().text("month").replace('-', ".");
        let kept = || cookie(headers, MONTH_COOKIE).and_then(|text| text.parse().ok());
        asked.parse().ok().or_else(kept).unwrap_or_else(|| Month::of(self.ledger.today()))
    }

    /// Makes a change, audited.
    async fn change<T>(
        &self,
        caller: &Caller,
        action: &str,
        subject: &str,
        change: BoxFuture<'_, Result<T, Error>>,
    ) -> Result<T, Error> {
        self.calls.audited(caller, action, subject, change).await
    }
}

/// The id of the caller, by which lines and changes name a person.
fn by(caller: &Caller) -> Result<String, Error> {
    Ok(caller.signed_in()?.id.clone())
}

/// Remembers the month of a page.
fn keep_month(mut response: Response, month: Month) -> Response {
    let kept = format!("{MONTH_COOKIE}={month}; Path={START}; Max-Age=31536000; HttpOnly; SameSite=Lax");
    if let Ok(value) = HeaderValue::from_str(&kept) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
    response
}
