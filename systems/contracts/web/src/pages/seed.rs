//! Seeding: several contracts at once, shown before they are registered.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_contracts::messages::errors;
use hansang_contracts::{Act, Allowed, ContractFile, SeedOutcome, SeedReport, Seeded, seed};
use hansang_core::{Error, message};

use super::{Contracts, of_version, text};
use crate::api::who;
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};

#[derive(Template)]
#[template(path = "contracts/seed.html")]
struct Seed {
    frame: Frame,
    system: String,
    doc: String,
    text: String,
    /// Whether references may lead nowhere.
    allow_missing: bool,
    is_admin: bool,
    message: Option<String>,
    report: Option<Report>,
}

/// The outcome of each document, or of its dry run.
struct Report {
    heading: &'static str,
    done: bool,
    /// Whether there are no conflicts and no errors.
    good: bool,
    uploads: usize,
    sums: Vec<(&'static str, String)>,
    lines: Vec<Line>,
}

struct Line {
    number: String,
    name: String,
    address: Option<String>,
    outcome: &'static str,
    class: &'static str,
    message: String,
}

pub(super) fn route(contracts: &Contracts) -> Route {
    let (shows, takes) = (contracts.clone(), contracts.clone());
    let handler = on(MethodFilter::GET, async move |view: View| {
        let asked = (view.draft.text("text").to_owned(), view.draft.text("allowMissing") == "true");
        show(&shows, view, StatusCode::OK, asked, None, None)
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        take(&takes, &caller, view, &sent).await
    });
    Route::page("/console/contracts/seed", contracts.needs(Role::Editor), handler)
}

fn show(
    contracts: &Contracts,
    view: View,
    status: StatusCode,
    (text, allow_missing): (String, bool),
    message: Option<String>,
    report: Option<Report>,
) -> Response {
    let system = contracts.name().to_owned();
    let doc = contracts.calls.db.model().doc.in_language(view.language).to_owned();
    let title = view.say("Seed contracts", "계약 시드").to_owned();
    let frame = contracts.frame(view, &title);
    let is_admin = frame.view.role_in(&system) == Some(Role::Admin);
    page(status, &Seed { frame, system, doc, text, allow_missing, is_admin, message, report })
}

async fn take(contracts: &Contracts, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    let text = sent.text("text").replace("\r\n", "\n");
    let missing = sent.text("allowMissing") == "true";
    let allowed = Allowed { missing, incompatible: None };
    contracts.verbs.check_allowed(caller, &allowed)?;
    let act = Act { by: who(caller)?, allowed };
    let files = text::contracts(&text);
    if files.is_empty() {
        let message = view.sentence(message!(errors::NOTHING_TO_SEED));
        return Ok(show(contracts, view, StatusCode::BAD_REQUEST, (text, missing), Some(message), None));
    }
    let done = !sent.text("confirm").is_empty();
    let report = if done {
        let exception = if missing { " allowMissing" } else { "" };
        let subject = format!("{} documents{exception}", files.len());
        contracts.calls.audited(caller, "seed", &subject, run(contracts, act, &files, false)).await?
    } else {
        contracts.calls.measured("seed", run(contracts, act, &files, true)).await?
    };
    let good = report.conflicts.is_empty() && report.errors.is_empty();
    let report = told(&view, &report, done);
    // Keeps the text in the form until everything is registered.
    let text = if done && good { String::new() } else { text };
    Ok(show(contracts, view, StatusCode::OK, (text, missing), None, Some(report)))
}

async fn run(
    contracts: &Contracts,
    act: Act,
    files: &[ContractFile],
    dry_run: bool,
) -> Result<SeedReport, Error> {
    Ok(seed(&*contracts.registry, files, act, dry_run, &mut |_| ()).await)
}

fn told(view: &View, report: &SeedReport, done: bool) -> Report {
    let SeedReport { uploaded, skipped, conflicts, errors, .. } = report;
    let all = [
        (uploaded.len(), "good", view.say("registered", "등록"), view.say("to register", "등록 예정")),
        (skipped.len(), "", view.say("unchanged", "변경 없음"), view.say("unchanged", "변경 없음")),
        (conflicts.len(), "bad", view.say("conflicts", "충돌"), view.say("conflicts", "충돌")),
        (errors.len(), "bad", view.say("errors", "오류"), view.say("errors", "오류")),
    ];
    let counted = all.into_iter().filter(|(count, ..)| *count > 0);
    let sum = |(count, class, was, will)| (class, format!("{count} {}", if done { was } else { will }));
    let mut lines: Vec<(usize, Line)> = [uploaded, skipped, conflicts, errors]
        .into_iter()
        .flatten()
        .map(|one| line(view, one, done))
        .collect();
    lines.sort_by_key(|(number, _)| *number);
    Report {
        heading: if done { view.say("Done", "결과") } else { view.say("Preview", "미리보기") },
        done,
        good: conflicts.is_empty() && errors.is_empty(),
        uploads: uploaded.len(),
        sums: counted.map(sum).collect(),
        lines: lines.into_iter().map(|(_, line)| line).collect(),
    }
}

fn line(view: &View, one: &Seeded, done: bool) -> (usize, Line) {
    let number = one.path.display().to_string();
    let (outcome, class) = match one.outcome {
        SeedOutcome::Uploaded if done => (view.say("registered", "등록함"), "good"),
        SeedOutcome::Uploaded => (view.say("new", "새로 등록"), "good"),
        SeedOutcome::Skipped => (view.say("unchanged", "변경 없음"), ""),
        SeedOutcome::Conflict => (view.say("conflict", "충돌"), "bad"),
        SeedOutcome::Error => (view.say("error", "오류"), "bad"),
    };
    let is_there = one.outcome != SeedOutcome::Error && (done || one.outcome != SeedOutcome::Uploaded);
    let reference = one.reference.as_ref();
    let line = Line {
        name: reference.map(ToString::to_string).unwrap_or_default(),
        address: reference.filter(|_| is_there).map(|reference| of_version("version", reference)),
        outcome,
        class,
        message: one.message.as_ref().map(|message| view.sentence(message)).unwrap_or_default(),
        number: number.clone(),
    };
    (number.parse().unwrap_or_default(), line)
}
