//! The history of changes, each with undo.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::ErrorKind;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{PastChange, history};
use hansang_server::Caller;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Pager;
use hansang_ui::time::Moment;

use super::past::details;
use super::words::person;
use super::{Pages, START};
use crate::actions::UNDO;
use crate::notices;

/// The number of changes of a page.
const PAGE_SIZE: u32 = 30;
/// The number of lines of a change that are shown.
const MAX_LINES: usize = 5;

#[derive(Template)]
#[template(path = "ledger/history.html")]
struct History {
    frame: Frame,
    changes: Vec<Change>,
    pages: Pager,
    refused: Option<String>,
}

/// A change of the list.
struct Change {
    seq: i64,
    action: &'static str,
    by: String,
    at: Moment,
    details: Vec<String>,
    more: usize,
    /// Whether an undo can be tried.
    undoable: bool,
    undone: bool,
}

pub(super) fn route(pages: &Pages) -> Route {
    let shows = pages.clone();
    let handler =
        on(MethodFilter::GET, async move |view: View| show(&shows, view, StatusCode::OK, None).await);
    Route::page(&format!("{START}/history"), pages.needs(Role::Viewer), handler)
}

/// Undoes one change. A refusal is shown above the history.
pub(super) fn undo_route(pages: &Pages) -> Route {
    let undoes = pages.clone();
    let handler = on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey| {
        let seq: i64 = key.text("seq").parse().unwrap_or_default();
        match undoes.act(&UNDO, &caller, seq).await {
            Ok(_) => Ok(Redirect::to(&notices::UNDONE.at(&format!("{START}/history"))).into_response()),
            Err(error) if matches!(error.kind, ErrorKind::Conflict | ErrorKind::NotFound) => {
                let refused = view.sentence(&error.message);
                show(&undoes, view, Problem::from(error).status, Some(refused)).await
            }
            Err(error) => Err(error.into()),
        }
    });
    Route::page(&format!("{START}/history/{{seq}}/undo"), pages.needs(Role::Editor), handler)
}

async fn show(
    pages: &Pages,
    view: View,
    status: StatusCode,
    refused: Option<String>,
) -> Result<Response, Problem> {
    let cursor = Some(view.asked().text("cursor").to_owned()).filter(|cursor| !cursor.is_empty());
    let read = history(&pages.ledger, cursor, Some(PAGE_SIZE)).boxed();
    let found = pages.calls.measured("history", read).await?;
    let people = pages.console.people(found.changes.iter().map(|change| &*change.by)).await;
    let title = view.say("History", "변경 기록").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let change = |change: &PastChange| {
        let mut all = details(view, change);
        let more = all.len().saturating_sub(MAX_LINES);
        all.truncate(MAX_LINES);
        Change {
            seq: change.seq,
            action: action_name(view, &change.action),
            by: person(view, &people, &change.by),
            at: change.at.parse().map(|at| view.time(at)).unwrap_or_default(),
            details: all,
            more,
            // Only what changed an item has something to undo.
            undoable: change.undone_by.is_none()
                && change.import_id.is_none()
                && !(change.lines.is_empty() && change.others.is_empty()),
            undone: change.undone_by.is_some(),
        }
    };
    let shown = History {
        changes: found.changes.iter().map(change).collect(),
        pages: Pager::at(&format!("{START}/history"), None, found.next.as_deref()),
        refused,
        frame,
    };
    Ok(page(status, &shown))
}

pub(super) fn action_name(view: &View, action: &str) -> &'static str {
    match action {
        "line.add" | "entry.create" | "entry.add" => view.say("Added", "추가"),
        "line.change" => view.say("Changed", "수정"),
        "line.delete" | "entry.delete" => view.say("Deleted", "삭제"),
        "entry.replace" => view.say("Total set", "합계 입력"),
        "entry.move" => view.say("Moved to another month", "다른 달로 이동"),
        "entry.adopt" => view.say("Taken over", "기존 금액 반영"),
        "month.copy" => view.say("Copied from last month", "지난달에서 복사"),
        "import" => view.say("Imported", "가져오기"),
        "import.undo" => view.say("Import undone", "가져오기 되돌리기"),
        "restore" => view.say("Restored", "복원"),
        "undo" => view.say("Undone", "되돌리기"),
        "rule" | "rule.set" | "rule.delete" => view.say("Recurring entry changed", "반복 항목 변경"),
        "rule.run" | "recurring" => view.say("Recurring entry", "반복 입력"),
        "budget" => view.say("Budget changed", "예산 변경"),
        "goal" | "goal.delete" => view.say("Goal changed", "목표 변경"),
        "codes" => view.say("Categories changed", "항목 변경"),
        "accounts" | "assignments" => view.say("Accounts changed", "계좌 변경"),
        "opening" => view.say("Opening balances", "시작 잔액"),
        "recalculate" => view.say("Recalculated", "다시 계산"),
        "months.close" | "month.close" => view.say("Month closed", "월 마감"),
        _ => view.say("Change", "변경"),
    }
}
