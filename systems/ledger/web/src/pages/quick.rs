//! Quick add: one light page for the phone, with its own small style sheet and script.
//!
//! The script sends an entry in the background and keeps it in the browser until the server has it. The id of the line
//! is chosen by the browser, so that sending it twice adds it once.

use std::sync::LazyLock;

use askama::Template;
use axum::Json as Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::message::Language;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route};
use hansang_ledger::{Kind, Line, Month, NewLine, Source, lines_of_month};
use hansang_server::Caller;
use hansang_ui::assets::Asset;
use hansang_ui::form::{Form, Problems};
use hansang_ui::frame::{View, page};
use serde_json::json;

use super::one_line::{FIELDS, typed_line};
use super::sheet::subjects;
use super::words::{kind_name, subject_key, subject_name, won};
use super::{Pages, START, by};
use crate::actions::ADD_LINE;
use crate::messages;

static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("ledger-add.css", "text/css; charset=utf-8", include_str!("quick.css").into())
});
static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("ledger-add.js", "text/javascript; charset=utf-8", include_str!("quick.js").into())
});

/// Serves the page without a connection.
const WORKER: &str = include_str!("quick_worker.js");
/// The number of entries that are offered first.
const MAX_RECENT: usize = 6;
/// The number of lines that are shown below the form.
const MAX_LATEST: usize = 5;

#[derive(Template)]
#[template(path = "ledger/quick.html")]
struct Quick {
    view: View,
    /// Whose lines and draft the device keeps.
    person: String,
    style: &'static str,
    script: &'static str,
    date: String,
    text: String,
    amount: String,
    entry: String,
    recent: Vec<(String, String)>,
    groups: Vec<Group>,
    latest: Vec<(String, String, String)>,
    done: bool,
    problem: Option<String>,
    /// The languages that a visitor without scripts can switch to.
    languages: Vec<Language>,
}

/// Entries of one kind: its name, and the key and name of each.
type Group = (&'static str, Vec<(String, String)>);

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, takes) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |caller: Caller, view: View| {
        let draft = view.draft.clone();
        show(&shows, &caller, view, StatusCode::OK, &draft, Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, headers: HeaderMap, sent: Form| {
        take(&takes, &caller, view, &headers, &sent).await
    });
    let style = on(MethodFilter::GET, async |headers: HeaderMap| STYLE.response(&headers));
    let script = on(MethodFilter::GET, async |headers: HeaderMap| SCRIPT.response(&headers));
    let worker = on(MethodFilter::GET, async || {
        let kind = (header::CONTENT_TYPE, "text/javascript; charset=utf-8");
        ([kind, (header::CACHE_CONTROL, "no-cache")], WORKER).into_response()
    });
    vec![
        Route::page(&format!("{START}/add"), pages.needs(Role::Editor), handler),
        // A worker serves only what is below its own path.
        Route::page(&format!("{START}/add-worker.js"), Needs::Nothing, worker),
        Route::page("/assets/ledger-add.css", Needs::Nothing, style),
        Route::page("/assets/ledger-add.js", Needs::Nothing, script),
    ]
}

async fn show(
    pages: &Pages,
    caller: &Caller,
    view: View,
    status: StatusCode,
    sent: &Form,
    problems: Problems,
) -> Result<Response, Problem> {
    let today = pages.ledger.today();
    let month = Month::of(today);
    let read = async {
        let codes = pages.ledger.codes().await?;
        let mut lines = lines_of_month(&pages.ledger, month.plus(-1)).await?;
        lines.extend(lines_of_month(&pages.ledger, month).await?);
        Ok((codes, lines))
    }
    .boxed();
    let (codes, lines) = pages.calls.measured("add", read).await?;
    let typed: Vec<&Line> = lines.iter().filter(|line| line.source == Source::Typed).collect();
    let mut recent = recent(&view, &typed);
    // A removed name cannot be chosen any more.
    let offered = |key: &str| {
        let all = Kind::ALL.into_iter().flat_map(|kind| subjects(&codes, kind, std::iter::empty()));
        all.into_iter().any(|subject| subject_key(&subject) == key)
    };
    recent.retain(|(key, _)| offered(key));
    recent.truncate(MAX_RECENT);
    let first = recent.first().map(|(key, _)| key.clone()).unwrap_or_default();
    let group = |kind: Kind| {
        let all = subjects(&codes, kind, std::iter::empty());
        let choices =
            all.iter().map(|subject| (subject_key(subject), subject_name(&view, subject))).collect();
        (kind_name(&view, kind), choices)
    };
    let mut kinds = Kind::ALL;
    // Spending is entered most often.
    kinds.sort_by_key(|kind| !matches!(kind, Kind::LivingExpense));
    let latest = typed.iter().rev().take(MAX_LATEST);
    let value = |name: &str, otherwise: String| sent.get(name).map_or(otherwise, str::to_owned);
    let quick = Quick {
        person: by(caller)?,
        style: STYLE.address(),
        script: SCRIPT.address(),
        date: value("date", today.to_string()),
        text: value("text", String::new()),
        amount: value("amount", String::new()),
        entry: value("entry", first),
        groups: kinds.map(group).into(),
        latest: latest
            .map(|line| (line.date.clone(), subject_name(&view, &line.subject), won(&view, line.amount)))
            .collect(),
        recent,
        done: view.asked().text("done") == "added",
        problem: FIELDS.iter().find_map(|field| problems.of(field)).or_else(|| problems.message.clone()),
        languages: Language::all().filter(|language| *language != view.language).collect(),
        view,
    };
    Ok(page(status, &quick))
}

/// The entries of these lines, the last used one first.
fn recent(view: &View, lines: &[&Line]) -> Vec<(String, String)> {
    let mut lines = lines.to_vec();
    // Ids are in the order in which lines were entered, whatever their dates.
    lines.sort_by(|a, b| b.line_id.cmp(&a.line_id));
    let mut recent: Vec<(String, String)> = Vec::new();
    for line in lines {
        let key = subject_key(&line.subject);
        if recent.iter().all(|(known, _)| *known != key) {
            recent.push((key, subject_name(view, &line.subject)));
        }
    }
    recent
}

async fn take(
    pages: &Pages,
    caller: &Caller,
    view: View,
    headers: &HeaderMap,
    sent: &Form,
) -> Result<Response, Problem> {
    let added = match new(sent) {
        Ok(new) => pages.act(&ADD_LINE, caller, new).await,
        Err(error) => Err(error),
    };
    let accepted = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    match added {
        Ok(line) if accepted == "application/json" => {
            Ok(Body(json!({ "lineId": line.line_id, "month": line.month.to_string() })).into_response())
        }
        Ok(_) => Ok(Redirect::to(&format!("{START}/add?done=added")).into_response()),
        Err(error) if accepted == "application/json" => Err(error.into()),
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &FIELDS, view.language);
            show(pages, caller, view, problem.status, sent, problems).await
        }
    }
}

/// The line in a form, or all its problems. A line of nothing is a slip of the thumb.
fn new(sent: &Form) -> Result<NewLine, Error> {
    let line = typed_line(sent)?;
    if line.amount == 0 {
        return Err(Error::fields(vec![violation("amount", message!(messages::AMOUNT))]));
    }
    Ok(line)
}
