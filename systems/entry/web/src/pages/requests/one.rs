//! One request with its log, for operators.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_entry::{Line, Request, Status};

use crate::actions::REDRIVE;
use crate::notices;
use crate::pages::words::{Mark, result_name, status_name};
use crate::pages::{Pages, START, at, below_board};
use hansang_access::Role;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Moment;

#[derive(Template)]
#[template(path = "entry/one.html")]
struct One {
    frame: Frame,
    system: String,
    title: String,
    board: String,
    requests: String,
    mark: Mark,
    facts: Vec<(&'static str, String)>,
    lines: Vec<Shown>,
    failed: bool,
    /// The address of the redrive form, if the caller may use it.
    redrive: Option<String>,
    refused: Option<String>,
}

/// A line of the log.
struct Shown {
    at: Moment,
    text: String,
    reason: String,
}

/// The page of a request.
pub(in crate::pages) fn address(id: &str) -> String {
    at("operator/requests", id)
}

pub(in crate::pages) fn routes(entries: &Pages) -> [Route; 2] {
    let (shows, sends) = (entries.clone(), entries.clone());
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&shows, view, &key.text("id"), None).await
    });
    let redrive = on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey| {
        send_again(&sends, &caller, view, &key.text("id")).await
    });
    [
        Route::page(&format!("{START}/operator/requests/{{id}}"), entries.needs(Role::Viewer), handler),
        Route::page(
            &format!("{START}/operator/requests/{{id}}/redrive"),
            entries.needs(Role::Editor),
            redrive,
        ),
    ]
}

async fn send_again(entries: &Pages, caller: &Caller, view: View, id: &str) -> Result<Response, Problem> {
    match entries.act(&REDRIVE, caller, id.to_owned()).await {
        Ok(request) => {
            entries.door.known.forget(&request.event_id).await;
            Ok(Redirect::to(&notices::SENT_AGAIN.at(&address(id))).into_response())
        }
        Err(error) => {
            // The form's address has no page for GET.
            let mut view = view;
            view.here = address(id);
            show(entries, view, id, Some(error.into())).await
        }
    }
}

async fn show(entries: &Pages, view: View, id: &str, refused: Option<Problem>) -> Result<Response, Problem> {
    let request = entries.calls.measured("request.watch", hansang_entry::find(entries.entry(), id)).await?;
    let lines = entries.calls.measured("request.watch", hansang_entry::log(entries.entry(), id)).await?;
    let people = entries.console.people([&*request.user_id].into_iter()).await;
    let title = view.say("Entry", "응모").to_owned();
    let frame = entries.frame(view, &title);
    let view = &frame.view;
    let event = entries.event(&request.event_id).await.ok();
    let failed = request.status == Status::FailedFinal;
    let one = One {
        system: entries.name().to_owned(),
        title: event.map_or_else(|| request.event_id.clone(), |event| event.title.clone()),
        board: at("board", &request.event_id),
        requests: below_board(&request.event_id, "requests"),
        mark: Mark::of_status(view, request.status),
        facts: facts(view, &request, &people.name(&request.user_id)),
        lines: lines.iter().map(|line| shown(view, line)).collect(),
        failed,
        redrive: (failed && frame.is_editor(entries.name())).then(|| format!("{}/redrive", address(id))),
        refused: refused.as_ref().map(|problem| view.sentence(&problem.message)),
        frame,
    };
    Ok(page(refused.map_or(StatusCode::OK, |problem| problem.status), &one))
}

fn facts(view: &View, request: &Request, who: &str) -> Vec<(&'static str, String)> {
    let at = |time: Option<_>| time.map(|time| view.reader.exactly(time).text);
    let class = request.failure_class.map(|class| class.name().to_owned());
    let error = request.error.as_ref().map(|reason| view.sentence(reason.message()));
    let mut facts = vec![
        (view.say("Entry ID", "응모 ID"), Some(request.id.clone())),
        (view.say("Participant", "참여자"), Some(who.to_owned())),
        (view.say("User ID", "사용자 ID"), Some(request.user_id.clone()).filter(|id| id != who)),
        (view.say("Result", "결과"), request.result.map(|result| result_name(view, result).to_owned())),
        (view.say("Failure class", "실패 유형"), class),
        (view.say("Failure", "실패 사유"), error),
        (view.say("Received", "접수 일시"), at(Some(request.requested_at))),
        (view.say("Queued", "대기열 등록 일시"), at(request.queued_at)),
        (view.say("Started", "처리 시작 일시"), at(request.started_at)),
        (view.say("Finished", "처리 완료 일시"), at(request.finished_at)),
        (view.say("Attempts", "시도 횟수"), Some(request.attempts.to_string())),
        (view.say("Worker", "처리 워커"), request.lease_owner.clone()),
    ];
    facts.retain(|(_, value)| value.is_some());
    facts.into_iter().map(|(name, value)| (name, value.unwrap_or_default())).collect()
}

fn shown(view: &View, line: &Line) -> Shown {
    let text = match line.from {
        Some(from) => format!("{} → {}", status_name(view, from), status_name(view, line.to)),
        None => status_name(view, line.to).to_owned(),
    };
    let reason = line.reason.as_ref().map(|reason| view.sentence(reason.message())).unwrap_or_default();
    Shown { at: view.reader.exactly(line.at), text, reason }
}
