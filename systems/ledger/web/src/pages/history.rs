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
use hansang_ledger::import::imports;
use hansang_ledger::{TrailRow, Wanted, trail};
use hansang_server::Caller;
use hansang_ui::address;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Pager;
use hansang_ui::time::Moment;

use super::past::details;
use super::words::{month_name, person, subject_name, subject_of};
use super::{Pages, START};
use crate::actions::UNDO;
use crate::notices;

/// The number of rows of a page.
const PAGE_SIZE: usize = 30;
/// The number of lines of a change that are shown.
const MAX_LINES: usize = 5;

#[derive(Template)]
#[template(path = "ledger/history.html")]
struct History {
    frame: Frame,
    changes: Vec<Change>,
    pages: Pager,
    refused: Option<String>,
    /// What the changes are of, if not all are shown.
    filter: Option<String>,
    month: String,
}

/// A change of the list, or an import.
struct Change {
    action: &'static str,
    by: String,
    at: Moment,
    details: Vec<String>,
    more: usize,
    /// Where an undo can be tried.
    undo: Option<String>,
    undone: bool,
    /// The page of the import.
    import: Option<String>,
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

/// The filters of an address, and the address with them.
fn wanted(asked: &Form) -> (Wanted, String) {
    let text = |name: &str| Some(asked.text(name).trim().to_owned()).filter(|text| !text.is_empty());
    let wanted = Wanted {
        line: text("line"),
        subject: text("entry").and_then(|key| subject_of(&key)),
        month: text("month").and_then(|month| month.replace('-', ".").parse().ok()),
        import: text("import"),
        ..Wanted::default()
    };
    let kept: Vec<(&str, &str)> =
        asked.pairs().filter(|(name, _)| ["line", "entry", "month", "import"].contains(name)).collect();
    (wanted, address::with(&format!("{START}/history"), &kept))
}

async fn show(
    pages: &Pages,
    view: View,
    status: StatusCode,
    refused: Option<String>,
) -> Result<Response, Problem> {
    let asked = view.asked();
    let (wanted, here) = wanted(&asked);
    let before = asked.text("cursor").parse().ok();
    let read = async {
        let found = trail(&pages.ledger, &wanted, before, PAGE_SIZE, true).await?;
        let has_import = found.rows.iter().any(|row| row.change.import_id.is_some());
        let imports = if has_import { imports(&pages.ledger).await? } else { Vec::new() };
        Ok((found, imports))
    }
    .boxed();
    let (found, imports) = pages.calls.measured("history", read).await?;
    let people = pages.console.people(found.rows.iter().map(|row| &*row.change.by)).await;
    let title = view.say("History", "변경 기록").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let change = |row: &TrailRow| {
        let change = &row.change;
        let mut all = details(view, change);
        let more = all.len().max(row.lines).saturating_sub(MAX_LINES);
        all.truncate(MAX_LINES);
        let import = imports.iter().find(|import| change.import_id.as_ref() == Some(&import.import_id));
        if let Some(import) = import {
            all.insert(0, import.file.clone());
        }
        // Only what changed an item has something to undo, and an import is undone as a whole.
        let is_undoable =
            change.undone_by.is_none() && !(change.lines.is_empty() && change.others.is_empty());
        let undo = match (&change.import_id, import) {
            (None, _) => is_undoable.then(|| format!("{START}/history/{}/undo", change.seq)),
            (Some(id), Some(import)) if change.action == "import" && import.status == "done" => {
                Some(format!("{START}/import/{id}/undo"))
            }
            _ => None,
        };
        Change {
            action: action_name(view, &change.action),
            by: person(view, &people, &change.by),
            at: change.at.parse().map(|at| view.time(at)).unwrap_or_default(),
            details: all,
            more,
            undo,
            undone: change.undone_by.is_some(),
            import: change.import_id.as_ref().map(|id| format!("{START}/import/{id}")),
        }
    };
    let filter = match &wanted {
        Wanted { line: Some(_), .. } => Some(view.say("One transaction", "내역 하나").to_owned()),
        Wanted { import: Some(_), .. } => Some(view.say("One import", "가져오기 하나").to_owned()),
        Wanted { subject: Some(subject), month, .. } => {
            let month = month.map(|month| month_name(view, month)).unwrap_or_default();
            Some(format!("{month} {}", subject_name(view, subject)).trim().to_owned())
        }
        Wanted { month: Some(month), .. } => Some(month_name(view, *month)),
        _ => None,
    };
    let shown = History {
        changes: found.rows.iter().map(change).collect(),
        pages: Pager::at(&here, None, found.next.map(|next| next.to_string()).as_deref()),
        month: wanted.month.map(|month| month.to_string().replace('.', "-")).unwrap_or_default(),
        filter,
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
        "entry.move" | "entry.moving" => view.say("Moved to another month", "다른 달로 이동"),
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
        "people" => view.say("Sign-in of a person", "로그인 계정 변경"),
        "opening" => view.say("Opening balances", "시작 잔액"),
        "recalculate" => view.say("Recalculated", "다시 계산"),
        "months.close" | "month.close" => view.say("Month closed", "월 마감"),
        _ => view.say("Change", "변경"),
    }
}
