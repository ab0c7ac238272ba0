//! Downloads of the whole ledger, and restoring one.

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::{Error, ErrorKind, message};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_http::upload::Upload;
use hansang_ledger::{Export, LedgerCode, export};
use hansang_server::Caller;
use hansang_ui::form::{Field, Input};
use hansang_ui::frame::{Frame, View, page};

use super::{Pages, START};
use crate::actions::RESTORE;
use crate::api::files::MAX_EXPORT;
use crate::{messages, notices};

#[derive(Template)]
#[template(path = "ledger/export.html")]
struct Exports {
    frame: Frame,
    formats: Vec<(&'static str, &'static str, &'static str)>,
    fields: Vec<Field>,
    refused: Option<String>,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, gives, takes) = (pages.clone(), pages.clone(), pages.clone());
    let list = on(MethodFilter::GET, async move |view: View| show(&shows, view, StatusCode::OK, None));
    let download = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        give(&gives, &view, &key.text("format")).await
    });
    let upload = on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Upload| {
        take(&takes, &caller, view, sent).await
    });
    let viewer = || pages.needs(Role::Viewer);
    let max_body = u64::try_from(MAX_EXPORT).ok();
    vec![
        Route::page(&format!("{START}/export"), viewer(), list),
        Route::page(&format!("{START}/export/{{format}}"), viewer(), download),
        Route { max_body, ..Route::page(&format!("{START}/restore"), pages.needs(Role::Editor), upload) },
    ]
}

fn show(pages: &Pages, view: View, status: StatusCode, refused: Option<String>) -> Response {
    let title = view.say("Export", "내보내기").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let exports = Exports {
        formats: vec![
            (
                "xlsx",
                "Excel",
                view.say("Transactions, entries and months as sheets", "내역, 월별 항목, 월별 합계 시트"),
            ),
            ("csv", "CSV", view.say("All transactions", "모든 내역")),
            (
                "json",
                "JSON",
                view.say("Everything, to restore it later", "전체 데이터. 나중에 복원할 수 있습니다"),
            ),
            ("journal", "hledger", view.say("A journal for hledger", "hledger용 장부")),
        ],
        fields: vec![
            Field {
                input: Input::File { accept: ".json,application/json" },
                ..Field::text("file", view.say("JSON file", "JSON 파일"))
            },
            Field {
                required: true,
                input: Input::Check,
                ..Field::text(
                    "confirm",
                    view.say(
                        "Replace the categories and opening balances, and add all transactions of the file",
                        "항목과 시작 잔액을 바꾸고 파일의 모든 내역을 추가합니다",
                    ),
                )
            },
        ],
        refused,
        frame,
    };
    page(status, &exports)
}

async fn give(pages: &Pages, view: &View, format: &str) -> Result<Response, Problem> {
    let (media, ending) = match format {
        "xlsx" => ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
        "csv" => ("text/csv; charset=utf-8", "csv"),
        "json" => ("application/json", "json"),
        "journal" => ("text/plain; charset=utf-8", "journal"),
        _ => return Err(Error::not_found(LedgerCode::KindUnknown, message!(messages::NO_SUCH_PAGE)).into()),
    };
    let whole = pages.calls.measured("export", export(&pages.ledger).boxed()).await?;
    let body = match format {
        "xlsx" => whole.xlsx(view.language)?,
        "csv" => whole.csv()?.into_bytes(),
        "journal" => whole.journal().into_bytes(),
        _ => serde_json::to_vec(&whole)
            .map_err(|_| Error::internal(LedgerCode::FileInvalid, message!(messages::RESTORE_INVALID)))?,
    };
    let name = format!("attachment; filename=\"ledger-{}.{ending}\"", pages.ledger.today());
    Ok(([(header::CONTENT_TYPE, media.to_owned()), (header::CONTENT_DISPOSITION, name)], body)
        .into_response())
}

async fn take(pages: &Pages, caller: &Caller, view: View, sent: Upload) -> Result<Response, Problem> {
    let restored = match read(&sent) {
        Ok(read) => pages.act(&RESTORE, caller, read).await,
        Err(error) => Err(error),
    };
    match restored {
        Ok(_) => Ok(Redirect::to(&notices::RESTORED.at(START)).into_response()),
        Err(error) if matches!(error.kind, ErrorKind::Invalid | ErrorKind::Conflict) => {
            let refused = Some(view.sentence(&error.message));
            Ok(show(pages, view, Problem::from(error).status, refused))
        }
        Err(error) => Err(error.into()),
    }
}

fn read(sent: &Upload) -> Result<Export, Error> {
    let invalid = |phrase| Error::invalid(LedgerCode::FileInvalid, phrase);
    if sent.bytes.is_empty() {
        return Err(invalid(message!(messages::CHOOSE_FILE)));
    }
    if sent.form.text("confirm") != "true" {
        return Err(invalid(message!(messages::CONFIRM_RESTORE)));
    }
    serde_json::from_slice(&sent.bytes).map_err(|_| invalid(message!(messages::RESTORE_INVALID)))
}
