//! The lists that entries choose from: people, types and categories.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{CodeType, ListName};
use hansang_server::Caller;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};

use super::lists::{List, Refused, change};
use super::{Pages, START};

#[derive(Template)]
#[template(path = "ledger/codes.html")]
struct CodesPage {
    frame: Frame,
    lists: Vec<List>,
}

/// The lists of this page; the months follow from the entries.
const LISTS: [CodeType; 4] =
    [CodeType::LivingExpenseCategory, CodeType::FixedExpenseType, CodeType::IncomeType, CodeType::Name];

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, saves) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View| show(&shows, view, None).await)
        .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
            save(&saves, &caller, view, &sent).await
        });
    Route::page(&format!("{START}/codes"), pages.needs(Role::Viewer), handler)
}

async fn show(pages: &Pages, view: View, refused: Option<Refused<'_>>) -> Result<Response, Problem> {
    let codes = pages.ledger.codes().await?;
    let title = view.say("Categories", "항목 관리").to_owned();
    let frame = pages.frame(view, &title);
    let list = |list: CodeType| {
        let title = list_title(&frame.view, list).to_owned();
        List::new(list.name().to_owned(), title, codes.list(list), refused.as_ref())
    };
    let lists = LISTS.into_iter().map(list).collect();
    let status = if refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(page(status, &CodesPage { lists, frame }))
}

fn list_title(view: &View, list: CodeType) -> &'static str {
    match list {
        CodeType::YearMonth => view.say("Months", "연월"),
        CodeType::Name => view.say("People", "이름"),
        CodeType::IncomeType => view.say("Income types", "수입 유형"),
        CodeType::FixedExpenseType => view.say("Fixed expense types", "고정지출 유형"),
        CodeType::LivingExpenseCategory => view.say("Living expense categories", "생활비 카테고리"),
    }
}

async fn save(pages: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    pages.check_editor(&view)?;
    let list: CodeType = sent.text("list").parse()?;
    match change(pages, caller, &view, ListName::Codes(list), sent).await? {
        None => Ok(Redirect::to(&format!("{START}/codes#{}", list.name())).into_response()),
        Some(problem) => show(pages, view, Some(Refused { sent, problem })).await,
    }
}
