//! The lists that entries choose from: people, types and categories.

use std::collections::BTreeSet;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{CodeType, ListName, history, sign_ins};
use hansang_server::Caller;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

use super::lists::{List, Refused, change};
use super::{Pages, START, by};
use crate::actions::NAME_SIGN_IN;

#[derive(Template)]
#[template(path = "ledger/codes.html")]
struct CodesPage {
    frame: Frame,
    lists: Vec<List>,
    sign_ins: Vec<SignIn>,
    /// The people that a sign-in can be.
    people: Vec<String>,
}

/// A sign-in that entered something, and the person it is.
struct SignIn {
    id: String,
    title: String,
    /// Empty if it is not known.
    person: String,
}

/// What makes changes without being a person.
const JOBS: [&str; 2] = ["month-end", "-"];
/// The number of past changes among which sign-ins are looked for.
const MAX_CHANGES: u32 = 200;

/// The lists of this page, those that are changed most first.
const LISTS: [CodeType; 5] = [
    CodeType::LivingExpenseCategory,
    CodeType::FixedExpenseType,
    CodeType::IncomeType,
    CodeType::Name,
    CodeType::YearMonth,
];

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, saves) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |caller: Caller, view: View| {
        show(&shows, &caller, view, None).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        save(&saves, &caller, view, &sent).await
    });
    Route::page(&format!("{START}/codes"), pages.needs(Role::Viewer), handler)
}

async fn show(
    pages: &Pages,
    caller: &Caller,
    view: View,
    refused: Option<Refused<'_>>,
) -> Result<Response, Problem> {
    let codes = pages.ledger.codes().await?;
    let mut sign_ins = sign_ins_of(pages, caller).await?;
    // The person that was chosen in a form that is shown again.
    let draft = &view.draft;
    for one in sign_ins.iter_mut().filter(|one| draft.get("sign-in") == Some(&one.id)) {
        one.person = draft.text("person").to_owned();
    }
    let title = view.say("Categories", "항목 관리").to_owned();
    let frame = pages.frame(view, &title);
    let list = |list: CodeType| {
        let title = list_title(&frame.view, list).to_owned();
        List::new(list.name().to_owned(), title, codes.list(list), refused.as_ref(), &frame.view.draft)
    };
    let lists = LISTS.into_iter().map(list).collect();
    let status = if refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let people = codes.list(CodeType::Name).to_vec();
    Ok(page(status, &CodesPage { lists, sign_ins, people, frame }))
}

/// The own sign-in, those that have a name, and those that changed something lately.
async fn sign_ins_of(pages: &Pages, caller: &Caller) -> Result<Vec<SignIn>, Problem> {
    let named = sign_ins(&pages.ledger).await?;
    let past = history(&pages.ledger, None, Some(MAX_CHANGES)).await?;
    let mut ids: BTreeSet<String> = past.changes.into_iter().map(|change| change.by).collect();
    ids.extend(named.keys().cloned());
    ids.insert(by(caller)?);
    ids.retain(|id| !JOBS.contains(&&**id));
    let people = pages.console.people(ids.iter().map(String::as_str)).await;
    let one = |id: String| SignIn {
        title: people.name(&id),
        person: named.get(&id).cloned().unwrap_or_default(),
        id,
    };
    Ok(ids.into_iter().map(one).collect())
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
    if sent.text("do") == "person" {
        let person = Some(sent.text("person").to_owned()).filter(|person| !person.is_empty());
        pages.act(&NAME_SIGN_IN, caller, (sent.text("sign-in").to_owned(), person)).await?;
        return Ok(Redirect::to(&notice::SAVED.at(&format!("{START}/codes"))).into_response());
    }
    let list: CodeType = sent.text("list").parse()?;
    match change(pages, caller, &view, ListName::Codes(list), sent).await? {
        None => Ok(Redirect::to(&format!("{START}/codes#{}", list.name())).into_response()),
        Some(problem) => show(pages, caller, view, Some(Refused { sent, problem })).await,
    }
}
