//! Settings: everybody's own things, and what administrators of every system see to.

use axum::http::StatusCode;
use axum::response::Response;
use hansang_core::db::TypedListing;
use jiff::Timestamp;

use super::Console;
use super::form::Problems;
use super::frame::{Frame, View};
use crate::access::Paging;
use crate::problem::Problem;
use crate::route::Route;

mod accounts;
mod audit;
mod own;
mod roles;
mod tokens;

type Shown = Result<Response, Problem>;

/// How many rows a list shows at once.
const ROWS: u32 = 25;

/// The pages of the settings.
pub(super) fn routes(console: &Console) -> Vec<Route> {
    let mut routes = vec![own::route(console), audit::route(console)];
    routes.extend(tokens::routes(console));
    routes.extend(accounts::routes(console));
    routes
}

/// A part of the settings, as the line below the title leads to it.
struct Tab {
    address: &'static str,
    label: String,
    current: bool,
}

const OWN: &str = "/console/settings";
const TOKENS: &str = "/console/settings/tokens";
const ACCOUNTS: &str = "/console/settings/accounts";
const AUDIT: &str = "/console/settings/audit";

/// The parts that somebody can open, of which one is.
fn tabs(frame: &Frame, open: &str) -> Vec<Tab> {
    let all = [
        (OWN, frame.say("Your account", "내 계정")),
        (TOKENS, frame.say("Tokens", "토큰")),
        (ACCOUNTS, frame.say("Accounts", "계정")),
        (AUDIT, frame.say("Audit log", "감사 로그")),
    ];
    let most = if frame.is_administrator() { all.len() } else { 2 };
    let tab = |(address, label): (&'static str, &str)| Tab {
        address,
        label: label.to_owned(),
        current: address == open,
    };
    all.into_iter().take(most).map(tab).collect()
}

/// Where the pages before and behind this one are.
pub(super) struct Pages {
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
}

impl Pages {
    fn of<T>(listing: &TypedListing<T>, address: &str) -> Self {
        Self::at(address, listing.previous.as_deref(), listing.next.as_deref())
    }

    /// The pages of the list at this address that these cursors lead to.
    pub(super) fn at(address: &str, previous: Option<&str>, next: Option<&str>) -> Self {
        let sign = if address.contains('?') { '&' } else { '?' };
        let at = |cursor: &str| format!("{address}{sign}cursor={cursor}");
        Self { previous: previous.map(at), next: next.map(at) }
    }

    fn none() -> Self {
        Self { previous: None, next: None }
    }

    pub(super) fn any(&self) -> bool {
        self.previous.is_some() || self.next.is_some()
    }
}

/// A page of a list, as the address says.
fn paging(cursor: Option<String>) -> Paging {
    Paging { limit: Some(ROWS), cursor: cursor.filter(|cursor| !cursor.is_empty()) }
}

/// A moment, for people and for programs.
pub(super) struct Moment {
    pub(super) text: String,
    pub(super) exact: String,
}

impl Moment {
    pub(super) fn of(time: Timestamp) -> Self {
        Self { text: time.strftime("%Y-%m-%d %H:%M:%S").to_string(), exact: time.to_string() }
    }

    /// With its milliseconds, where the order within a second counts.
    pub(super) fn exactly(time: Timestamp) -> Self {
        Self { text: time.strftime("%Y-%m-%d %H:%M:%S%.3f").to_string(), exact: time.to_string() }
    }

    fn day_of(time: Timestamp) -> Self {
        Self { text: time.strftime("%Y-%m-%d").to_string(), exact: time.to_string() }
    }
}

/// What a form that could not be done says: its status, and what is wrong at these fields.
fn refusal(view: &View, problem: &Problem, fields: &[&str]) -> (StatusCode, Problems) {
    (problem.status, Problems::of_error(problem, fields, view.language))
}
