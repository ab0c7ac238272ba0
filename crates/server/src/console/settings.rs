//! Settings: the visitor's own account, and administration.

use axum::http::StatusCode;
use axum::response::Response;

use super::Console;
use hansang_access::Paging;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::Problems;
use hansang_ui::frame::{Frame, View};

mod accounts;
mod audit;
mod own;
mod roles;
mod tokens;

type Shown = Result<Response, Problem>;

/// The number of rows on a page of a list.
const ROWS: u32 = 25;

/// The pages of the settings.
pub(super) fn routes(console: &Console) -> Vec<Route> {
    let mut routes = vec![own::route(console), audit::route(console)];
    routes.extend(tokens::routes(console));
    routes.extend(accounts::routes(console));
    routes
}

/// A tab of the settings.
struct Tab {
    address: &'static str,
    label: String,
    current: bool,
}

const OWN: &str = "/console/settings";
const TOKENS: &str = "/console/settings/tokens";
const ACCOUNTS: &str = "/console/settings/accounts";
const AUDIT: &str = "/console/settings/audit";

/// The tabs that a visitor can open, with the current one.
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

/// The page of a list that the address names.
fn paging(cursor: Option<String>) -> Paging {
    Paging { limit: Some(ROWS), cursor: cursor.filter(|cursor| !cursor.is_empty()) }
}

/// The problems of a rejected form: its status, and the problem of each field.
fn refusal(view: &View, problem: &Problem, fields: &[&str]) -> (StatusCode, Problems) {
    (problem.status, Problems::of_error(problem, fields, view.language))
}
