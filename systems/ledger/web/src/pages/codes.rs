//! The lists that entries choose from: people, types, categories and accounts.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_core::ErrorKind;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{Accounts, CodeType, Codes, Kind};
use hansang_server::Caller;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

use super::words::kind_name;
use super::{Pages, START};
use crate::actions::{REPLACE_ACCOUNTS, REPLACE_CODES};

#[derive(Template)]
#[template(path = "ledger/codes.html")]
struct CodesPage {
    frame: Frame,
    lists: Vec<List>,
    groups: Vec<Group>,
    refused: Option<String>,
}

/// A list of codes.
struct List {
    name: &'static str,
    title: &'static str,
    codes: String,
    rows: usize,
}

/// A group of accounts.
struct Group {
    name: String,
    kind: &'static str,
    accounts: String,
    rows: usize,
}

/// The lists of this page; the months follow from the entries.
const LISTS: [CodeType; 4] =
    [CodeType::Name, CodeType::IncomeType, CodeType::FixedExpenseType, CodeType::LivingExpenseCategory];

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, saves) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View| {
        let codes = shows.ledger.codes().await?;
        Ok::<_, Problem>(show(&shows, view, &codes, StatusCode::OK, None, None))
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        save(&saves, &caller, view, &sent).await
    });
    Route::page(&format!("{START}/codes"), pages.needs(Role::Viewer), handler)
}

/// The page. `typed` replaces the stored text of a list that was not saved.
fn show(
    pages: &Pages,
    view: View,
    codes: &Codes,
    status: StatusCode,
    typed: Option<&Form>,
    refused: Option<String>,
) -> Response {
    let title = view.say("Categories", "항목 관리").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let sent =
        |name: &str| typed.filter(|form| form.text("list") == name).map(|form| form.text("codes").to_owned());
    let list = |list: CodeType| {
        let codes = sent(list.name()).unwrap_or_else(|| codes.list(list).join("\n"));
        List { name: list.name(), title: list_title(view, list), rows: codes.lines().count() + 2, codes }
    };
    let group = |(name, accounts): (&String, &Vec<String>)| {
        let accounts = sent(&format!("group:{name}")).unwrap_or_else(|| accounts.join("\n"));
        let kind = codes.accounts.get(name).and_then(|all| codes.kind_of(all.first()?));
        Group {
            name: name.clone(),
            kind: kind.map(|kind: Kind| kind_name(view, kind)).unwrap_or_default(),
            rows: accounts.lines().count() + 2,
            accounts,
        }
    };
    let shown = CodesPage {
        lists: LISTS.into_iter().map(list).collect(),
        groups: codes.accounts.iter().map(group).collect(),
        refused,
        frame,
    };
    page(status, &shown)
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
    let codes: Vec<String> = sent
        .text("codes")
        .lines()
        .map(str::trim)
        .filter(|code| !code.is_empty())
        .map(str::to_owned)
        .collect();
    let list = sent.text("list");
    let saved = match list.strip_prefix("group:") {
        Some(group) => {
            let mut accounts: Accounts = pages.ledger.codes().await?.accounts.clone();
            accounts.insert(group.to_owned(), codes);
            pages.act(&REPLACE_ACCOUNTS, caller, accounts).await.map(drop)
        }
        None => {
            let list: CodeType = list.parse()?;
            pages.act(&REPLACE_CODES, caller, (list, codes)).await.map(drop)
        }
    };
    match saved {
        Ok(()) => Ok(Redirect::to(&notice::SAVED.at(&format!("{START}/codes"))).into_response()),
        Err(error) if error.kind == ErrorKind::Invalid => {
            let refused = view.sentence(&error.message);
            let codes = pages.ledger.codes().await?;
            let status = Problem::from(error).status;
            Ok(show(pages, view, &codes, status, Some(sent), Some(refused)))
        }
        Err(error) => Err(error.into()),
    }
}
