//! The pages of the ledger, for a household.
//!
//! The chosen month sticks: `?month=` is remembered in a cookie, so that every page shows the same one.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use futures_util::future::BoxFuture;
use hansang_access::Role;
use hansang_core::Error;
use hansang_http::guard::{cookie, role_missing};
use hansang_http::route::{Needs, Route};
use hansang_ledger::{Ledger, Line, Month};
use hansang_server::{Caller, Calls, Console, Hit};
use hansang_ui::frame::{Frame, Section, Tab, View};
use tokio::sync::{Mutex, MutexGuard};

use crate::actions::{Change, act};

mod accounts;
mod amount;
mod budgets;
mod calendar;
mod codes;
mod dashboard;
mod export;
mod goals;
mod history;
mod import;
mod lines;
mod lists;
mod one_entry;
mod one_line;
mod past;
mod quick;
mod reports;
mod rules;
mod sheet;
mod words;

/// The path of the pages.
const START: &str = "/console/ledger";
/// The cookie with the chosen month.
const MONTH_COOKIE: &str = "hansang_month";
/// The cookie with the chosen period: `2026.01-2026.12`.
const PERIOD_COOKIE: &str = "hansang_period";

/// The state of the pages.
#[derive(Clone)]
struct Pages {
    console: Console,
    calls: Calls,
    ledger: Ledger,
    /// One uploaded file is read at a time: a million rows take a gigabyte.
    reading: Arc<Mutex<()>>,
    /// The file that was reviewed last.
    reviewed: import::Reviewed,
}

/// All pages of the ledger.
pub(crate) fn routes(console: &Console, ledger: &Ledger, calls: Calls) -> Vec<Route> {
    let pages = Pages {
        console: console.clone(),
        calls,
        ledger: ledger.clone(),
        reading: Arc::default(),
        reviewed: import::Reviewed::default(),
    };
    let mut routes = vec![
        dashboard::route(&pages),
        sheet::route(&pages),
        sheet::copy_route(&pages),
        lines::route(&pages),
        one_line::route(&pages),
        one_entry::route(&pages),
        calendar::route(&pages),
        budgets::route(&pages),
        goals::route(&pages),
        rules::route(&pages),
        codes::route(&pages),
        accounts::route(&pages),
        reports::route(&pages),
        history::route(&pages),
        history::undo_route(&pages),
    ];
    routes.extend(quick::routes(&pages));
    routes.extend(import::routes(&pages));
    routes.extend(export::routes(&pages));
    routes
}

/// The tabs above the pages.
pub(crate) fn tabs(view: &View) -> Vec<Tab> {
    vec![
        (START, view.say("Overview", "한눈에"), "dashboard"),
        ("/console/ledger/lines", view.say("Transactions", "내역"), "lines"),
        ("/console/ledger/sheet/living", view.say("Month sheet", "월별 입력"), "sheet"),
        ("/console/ledger/calendar", view.say("Calendar", "달력"), "calendar"),
        ("/console/ledger/reports", view.say("Reports", "보고서"), "reports"),
        ("/console/ledger/budgets", view.say("Budgets", "예산"), "budgets"),
        ("/console/ledger/goals", view.say("Goals", "목표"), "goals"),
        ("/console/ledger/recurring", view.say("Recurring", "반복"), "recurring"),
        ("/console/ledger/import", view.say("Import", "가져오기"), "import"),
        ("/console/ledger/export", view.say("Export", "내보내기"), "export"),
        ("/console/ledger/codes", view.say("Categories", "항목 관리"), "codes"),
        ("/console/ledger/accounts", view.say("Accounts", "계좌"), "accounts"),
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

    /// Waits for the turn to read an uploaded file.
    async fn reading(&self) -> MutexGuard<'_, ()> {
        self.reading.lock().await
    }

    /// Checks that a visitor of a page that viewers see may change something.
    fn check_editor(&self, view: &View) -> Result<(), Error> {
        if view.role_in(self.name()) < Some(Role::Editor) {
            return Err(role_missing(self.name(), Role::Editor));
        }
        Ok(())
    }

    /// The month of a page: in the address, otherwise the remembered one, otherwise the current one.
    fn month(&self, view: &View, headers: &HeaderMap) -> Month {
        let asked = view.asked().text("month").replace('-', ".");
        let kept = || cookie(headers, MONTH_COOKIE).and_then(|text| text.parse().ok());
        asked.parse().ok().or_else(kept).unwrap_or_else(|| Month::of(self.ledger.today()))
    }

    /// The period of a page: in the address, otherwise the remembered one, otherwise the last twelve months.
    fn period(&self, view: &View, headers: &HeaderMap) -> (Month, Month) {
        let month = |name: &str| view.asked().text(name).replace('-', ".").parse::<Month>().ok();
        let kept = || {
            let (from, to) = cookie(headers, PERIOD_COOKIE)?.split_once('-')?;
            from.parse().ok().zip(to.parse().ok())
        };
        let this = Month::of(self.ledger.today());
        month("from").zip(month("to")).or_else(kept).unwrap_or_else(|| (this.plus(-11), this))
    }

    /// Makes a change, as the API does.
    async fn act<I, O>(&self, action: &Change<I, O>, caller: &Caller, input: I) -> Result<O, Error> {
        act(action, &self.calls, &self.ledger, caller, input).await
    }

    /// Makes a change that is no action, audited.
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
    crate::actions::by(caller)
}

/// Remembers the month of a page, if a person chose it.
fn keep_month(response: Response, view: &View, month: Month) -> Response {
    match view.asked().get("month") {
        Some(_) => keep(response, MONTH_COOKIE, &month.to_string()),
        None => response,
    }
}

/// Remembers the period of a page.
fn keep_period(response: Response, from: Month, to: Month) -> Response {
    keep(response, PERIOD_COOKIE, &format!("{from}-{to}"))
}

fn keep(mut response: Response, name: &str, value: &str) -> Response {
    let kept = format!("{name}={value}; Path={START}; Max-Age=31536000; HttpOnly; SameSite=Lax");
    if let Ok(value) = HeaderValue::from_str(&kept) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
    response
}

/// A transaction as a result of a search.
pub(crate) fn hit(view: &View, line: Line) -> Hit {
    let subject = words::subject_name(view, &line.subject);
    let amount = words::won(view, line.amount);
    let address = format!("{START}/lines/{}/{}", line.month, line.line_id);
    let title = if line.text.is_empty() { subject.clone() } else { line.text };
    Hit::new(view.say("Transaction", "내역"), title, format!("{} · {subject} · {amount}", line.date), address)
}
