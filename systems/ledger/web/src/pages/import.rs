//! Imports: upload a file, review every row, apply it, undo it.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::{ErrorKind, message};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_http::upload::Upload as SentFile;
use hansang_ledger::import::{ImportView, MAX_BYTES, imports, keep_upload};
use hansang_server::Caller;
use hansang_ui::form::{Field, Input};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::time::Moment;

use super::words::person;
use super::{Pages, START, by};
use crate::actions::UNDO_IMPORT;
use crate::{messages, notices};

mod columns;
mod kept;
mod learned;
mod result;
mod review;

pub(super) use kept::Reviewed;

/// The bytes of a form besides its file.
const FORM: usize = 64 * 1024;

#[derive(Template)]
#[template(path = "ledger/import.html")]
struct Imports {
    frame: Frame,
    steps: [&'static str; 3],
    file: Field,
    refused: Option<String>,
    past: Vec<Past>,
}

/// An import of the list.
struct Past {
    id: String,
    file: String,
    by: String,
    at: Moment,
    status: (&'static str, &'static str),
    added: i64,
    undoable: bool,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, takes, undoes) = (pages.clone(), pages.clone(), pages.clone());
    let list = on(MethodFilter::GET, async move |view: View| show(&shows, view, StatusCode::OK, None).await)
        .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: SentFile| {
            take(&takes, &caller, view, sent).await
        });
    let undo = on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey| {
        undo(&undoes, &caller, view, &key.text("id")).await
    });
    let needs = || pages.needs(Role::Editor);
    let max_body = u64::try_from(MAX_BYTES + FORM).ok();
    let mut routes = vec![
        Route { max_body, ..Route::page(&format!("{START}/import"), needs(), list) },
        Route::page(&format!("{START}/import/{{id}}/undo"), needs(), undo),
    ];
    routes.push(review::route(pages));
    routes.push(columns::route(pages));
    routes.push(learned::route(pages));
    routes
}

/// The address of an uploaded file or an import.
fn at(id: &str) -> String {
    format!("{START}/import/{id}")
}

/// The steps of an import.
fn steps(view: &View) -> [&'static str; 3] {
    [view.say("Choose a file", "파일 선택"), view.say("Review", "내용 확인"), view.say("Done", "완료")]
}

async fn show(
    pages: &Pages,
    view: View,
    status: StatusCode,
    refused: Option<String>,
) -> Result<Response, Problem> {
    let found = pages.calls.measured("imports", imports(&pages.ledger)).await?;
    let people = pages.console.people(found.iter().map(|import| &*import.by)).await;
    let title = view.say("Import", "가져오기").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let past = |import: &ImportView| Past {
        id: import.import_id.clone(),
        file: import.file.clone(),
        by: person(view, &people, &import.by),
        at: import.created_at.parse().map(|at| view.time(at)).unwrap_or_default(),
        status: status_name(view, &import.status),
        added: import.added,
        undoable: import.status == "done" && import.added > 0,
    };
    let file = Field {
        input: Input::File { accept: ".csv,.tsv,.txt,.xls,.xlsx,.html,.htm" },
        hint: view
            .say(
                "CSV, xls or xlsx of a bank, a card or Banksalad, up to 50 MB. Nothing is saved before you review it.",
                "은행·카드사·뱅크샐러드의 CSV, xls, xlsx 파일(50MB 이하). 내용을 확인하기 전에는 저장하지 않습니다.",
            )
            .to_owned(),
        ..Field::text("file", view.say("File", "파일"))
    };
    let shown = Imports { steps: steps(view), file, refused, past: found.iter().map(past).collect(), frame };
    Ok(page(status, &shown))
}

/// The name of a status and the class of its tag.
fn status_name(view: &View, status: &str) -> (&'static str, &'static str) {
    match status {
        "done" => (view.say("Done", "완료"), "good"),
        "undoing" => (view.say("Undoing", "되돌리는 중"), "warn"),
        "undone" => (view.say("Undone", "되돌림"), ""),
        _ => (view.say("Importing", "가져오는 중"), "info"),
    }
}

async fn take(pages: &Pages, caller: &Caller, view: View, sent: SentFile) -> Result<Response, Problem> {
    if sent.bytes.is_empty() {
        let refused = view.sentence(message!(messages::CHOOSE_FILE));
        return show(pages, view, StatusCode::BAD_REQUEST, Some(refused)).await;
    }
    let by = by(caller)?;
    let _turn = pages.reading().await;
    let keep = keep_upload(&pages.ledger, &by, sent.file_name.trim(), sent.bytes.to_vec());
    drop(sent.bytes);
    match pages.change(caller, "import.upload", &sent.file_name, keep.boxed()).await {
        Ok(upload) if upload.mapping.is_none() => {
            Ok(Redirect::to(&format!("{}/columns", at(&upload.upload_id))).into_response())
        }
        Ok(upload) => Ok(Redirect::to(&at(&upload.upload_id)).into_response()),
        Err(error) if error.kind == ErrorKind::Invalid => {
            let refused = view.sentence(&error.message);
            show(pages, view, Problem::from(error).status, Some(refused)).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn undo(pages: &Pages, caller: &Caller, view: View, id: &str) -> Result<Response, Problem> {
    match pages.act(&UNDO_IMPORT, caller, id.to_owned()).await {
        Ok(_) => Ok(Redirect::to(&notices::IMPORT_UNDONE.at(&format!("{START}/import"))).into_response()),
        Err(error) if error.kind == ErrorKind::Conflict => {
            let refused = view.sentence(&error.message);
            show(pages, view, Problem::from(error).status, Some(refused)).await
        }
        Err(error) => Err(error.into()),
    }
}
