//! Dead letters: their reasons, and sending them again.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_entry::Letter;

use super::words::Mark;
use super::{Pages, requests::one};
use crate::actions::REDRIVE_LETTERS;
use crate::code::EntryWebCode;
use crate::messages;
use hansang_access::Role;
use hansang_core::message;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::table::{Bulk, Cell, Column, Empty, Kind, Row, Sort, Table};

const LETTERS: &str = "/console/entry/dead-letters";
const REDRIVE: &str = "/console/entry/dead-letters/redrive";
/// The maximum number of letters shown.
const MAX_SHOWN: usize = 100;

#[derive(Template)]
#[template(path = "entry/letters.html")]
struct Letters {
    frame: Frame,
    system: String,
    doc: String,
    table: Table,
    /// The ids of the letters that are shown.
    shown: Vec<String>,
    /// Whether there may be more.
    full: bool,
    /// The number of letters just sent again.
    sent: Option<String>,
    refused: Option<String>,
    may_edit: bool,
}

pub(super) fn routes(entries: &Pages) -> [Route; 2] {
    let (shows, sends) = (entries.clone(), entries.clone());
    let handler = on(MethodFilter::GET, async move |view: View| show(&shows, view, None).await);
    let redrive = on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        send_again(&sends, &caller, view, &sent).await
    });
    [
        Route::page(LETTERS, entries.needs(Role::Viewer), handler),
        Route::page(REDRIVE, entries.needs(Role::Editor), redrive),
    ]
}

async fn send_again(entries: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    let named = |wanted: &str| {
        let pairs = sent.pairs().filter(|(name, _)| *name == wanted);
        pairs.map(|(_, value)| value.to_owned()).collect::<Vec<_>>()
    };
    let ids = if sent.text("do") == "all" { named("shown") } else { named("row") };
    if ids.is_empty() {
        let none = message!(messages::NONE_CHOSEN);
        let problem = Problem::new(StatusCode::BAD_REQUEST, EntryWebCode::NoneChosen, none);
        return show(entries, at_list(view), Some(problem)).await;
    }
    match entries.act(&REDRIVE_LETTERS, caller, ids).await {
        Ok(count) => Ok(Redirect::to(&format!("{LETTERS}?sent={count}")).into_response()),
        Err(error) => show(entries, at_list(view), Some(error.into())).await,
    }
}

/// Replaces the form's address, which has no page for GET, by the list's.
fn at_list(mut view: View) -> View {
    LETTERS.clone_into(&mut view.here);
    view
}

async fn show(entries: &Pages, view: View, refused: Option<Problem>) -> Result<Response, Problem> {
    let mut letters =
        entries.calls.measured("letters.list", hansang_entry::letters(entries.entry(), MAX_SHOWN)).await?;
    letters.sort_by(|one, other| (one.since, &one.id).cmp(&(other.since, &other.id)));
    let sent: Option<u64> = view.asked().text("sent").parse().ok();
    let title = view.say("Dead letters", "처리 실패 메시지").to_owned();
    let frame = entries.frame(view, &title);
    let may_edit = frame.is_editor(entries.name());
    let shown = letters.iter().map(|letter| letter.id.clone()).collect();
    let full = letters.len() >= MAX_SHOWN;
    let rows = letters.into_iter().map(|letter| row(&frame.view, letter)).collect();
    let page_of = Letters {
        system: entries.name().to_owned(),
        doc: entries.calls.db.model().doc.in_language(frame.view.language).to_owned(),
        table: table(&frame.view, rows, may_edit),
        shown,
        full,
        sent: sent.map(|count| count.to_string()),
        refused: refused.as_ref().map(|problem| frame.view.sentence(&problem.message)),
        may_edit,
        frame,
    };
    Ok(page(refused.map_or(StatusCode::OK, |problem| problem.status), &page_of))
}

/// The letters as a table; editors send selected ones again.
fn table(view: &View, rows: Vec<Row>, may_edit: bool) -> Table {
    let columns = vec![
        Column::new("reason", view.say("Reason", "사유"), Kind::Text).sortable(),
        Column::new("since", view.say("Since", "발생 일시"), Kind::Time).sortable(),
        Column::new("message", view.say("Message", "메시지"), Kind::Code),
        Column::new("entry", view.say("Entry", "응모"), Kind::Link).sortable(),
        Column::new("status", view.say("Status", "상태"), Kind::Tag).sortable(),
    ];
    let again = || ("chosen", view.say("Send again", "다시 보내기").to_owned(), "refresh", false);
    let mut table = Table {
        name: "entry/letters".to_owned(),
        label: view.say("Dead letters", "처리 실패 메시지").to_owned(),
        rows,
        sort: Sort::asked(view, &columns),
        columns,
        bulk: may_edit.then(|| Bulk { address: REDRIVE.to_owned(), actions: vec![again()], choice: None }),
        empty: Empty {
            icon: "check",
            title: view.say("No dead letters", "처리 실패 메시지가 없습니다").to_owned(),
            text: view.say("All messages were processed.", "모든 메시지를 처리했습니다.").to_owned(),
            action: None,
        },
        ..Table::default()
    };
    table.sort_rows();
    table
}

fn row(view: &View, letter: Letter) -> Row {
    let reason = letter.reason.map(|reason| view.sentence(reason.message()));
    let (entry, status) = match &letter.request {
        Some(request) => (
            Cell::Link(request.event_id.clone(), one::address(&request.id)),
            Mark::of_status(view, request.status).cell(),
        ),
        None => (Cell::None, Cell::None),
    };
    Row {
        link: None,
        cells: vec![
            reason.map_or(Cell::None, Cell::Prose),
            Cell::time(letter.since.map(|at| view.time(at))),
            Cell::Code(letter.body),
            entry,
            status,
        ],
        key: letter.id,
    }
}
