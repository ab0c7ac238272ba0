//! Short-term accounts and their goals.

use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::validate::violation;
use hansang_core::{Error, ErrorKind, message};
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{Goal, GoalView, Kind, LedgerCode, Month, goals, month};
use hansang_server::Caller;
use hansang_ui::form::{Form, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

use super::amount::amount;
use super::words::{Money, month_name, share};
use super::{Pages, START};
use crate::actions::{DELETE_GOAL, SET_GOAL};
use crate::messages;

/// The fields that can show a problem.
const FIELDS: [&str; 2] = ["amount", "month"];

#[derive(Template)]
#[template(path = "ledger/goals.html")]
struct Goals {
    frame: Frame,
    accounts: Vec<Account>,
}

/// A goal that was refused, and why.
struct Refused<'f> {
    sent: &'f Form,
    problems: Problems,
}

/// A short-term account.
struct Account {
    name: String,
    balance: Money,
    goal: String,
    month: String,
    /// The problems of the typed amount and month.
    problems: [Option<String>; 2],
    percent: Option<u16>,
    /// When the goal will be reached, in words.
    outlook: String,
}

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, saves) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View, headers: HeaderMap| {
        let month = shows.month(&view, &headers);
        show(&shows, view, month, StatusCode::OK, None).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, headers: HeaderMap, sent: Form| {
        save(&saves, &caller, view, &headers, &sent).await
    });
    Route::page(&format!("{START}/goals"), pages.needs(Role::Viewer), handler)
}

async fn show(
    pages: &Pages,
    view: View,
    asked: Month,
    status: StatusCode,
    refused: Option<Refused<'_>>,
) -> Result<Response, Problem> {
    let read = async {
        let codes = pages.ledger.codes().await?;
        Ok((codes, month(&pages.ledger, asked).await?, goals(&pages.ledger, asked).await?))
    }
    .boxed();
    let (codes, now, goals) = pages.calls.measured("goals", read).await?;
    let mut names: Vec<String> = codes.accounts_of(Kind::ShortSavings).map(str::to_owned).collect();
    for name in now.balances.short_savings_balances.keys() {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let title = view.say("Goals", "목표").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let account = |name: String| {
        let balance = now.balances.short_savings_balances.get(&name).copied().unwrap_or_default();
        let goal = goals.iter().find(|goal| goal.goal.account_name == name);
        Account {
            balance: Money::of(view, balance),
            goal: goal
                .map(|goal| hansang_ui::number::grouped(&goal.goal.amount.to_string()))
                .unwrap_or_default(),
            month: goal
                .and_then(|goal| goal.goal.month)
                .map(|month| month.to_string().replace('.', "-"))
                .unwrap_or_default(),
            percent: goal.map(|goal| share(balance, goal.goal.amount, 100)),
            outlook: goal.map(|goal| outlook(view, goal)).unwrap_or_default(),
            problems: [None, None],
            name,
        }
        // What was typed stays: after a refusal, and after signing in again.
        .typed(&view.draft)
        .refused(refused.as_ref())
    };
    let accounts = names.into_iter().map(account).collect();
    Ok(page(status, &Goals { accounts, frame }))
}

impl Account {
    /// The account with what was typed, if that was for it.
    fn typed(self, sent: &Form) -> Self {
        if sent.text("account") != self.name {
            return self;
        }
        Self { goal: sent.text("amount").to_owned(), month: sent.text("month").to_owned(), ..self }
    }

    fn refused(self, refused: Option<&Refused<'_>>) -> Self {
        let Some(refused) = refused.filter(|refused| refused.sent.text("account") == self.name) else {
            return self;
        };
        let problems = FIELDS.map(|field| refused.problems.of(field));
        // A problem of neither field belongs to the amount.
        let [amount, month] = problems;
        let problems = [amount.or_else(|| refused.problems.message.clone()), month];
        Self { problems, ..self.typed(refused.sent) }
    }
}

fn outlook(view: &View, goal: &GoalView) -> String {
    let monthly = super::words::won(view, goal.monthly);
    match goal.reached {
        Some(_) if goal.balance >= goal.goal.amount => view.say("Reached", "달성했습니다").to_owned(),
        Some(month) => {
            let expected = view.fill(
                "{0} a month on average of six months · expected in {1}",
                "최근 6개월 평균 월 {0} · {1} 달성 예상",
            );
            expected.with(monthly).with(month_name(view, month)).to_string()
        }
        None => view
            .say("Not reached at the rate of the last six months", "최근 6개월 추세로는 달성하기 어렵습니다")
            .to_owned(),
    }
}

async fn save(
    pages: &Pages,
    caller: &Caller,
    view: View,
    headers: &HeaderMap,
    sent: &Form,
) -> Result<Response, Problem> {
    pages.check_editor(&view)?;
    let here = format!("{START}/goals");
    let saved = match goal(sent) {
        Ok(Some(goal)) => pages.act(&SET_GOAL, caller, goal).await,
        Ok(None) => pages.act(&DELETE_GOAL, caller, sent.text("account").to_owned()).await,
        Err(error) => Err(error),
    };
    match saved {
        Ok(()) => Ok(Redirect::to(&notice::SAVED.at(&here)).into_response()),
        // An empty field of an account without a goal changes nothing.
        Err(error) if error.code == LedgerCode::GoalUnknown => Ok(Redirect::to(&here).into_response()),
        Err(error) if error.kind == ErrorKind::Invalid => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &FIELDS, view.language);
            let month = pages.month(&view, headers);
            show(pages, view, month, problem.status, Some(Refused { sent, problems })).await
        }
        Err(error) => Err(error.into()),
    }
}

/// The goal in a form, or all its problems; `None` if the amount is empty.
fn goal(sent: &Form) -> Result<Option<Goal>, Error> {
    let typed = sent.text("amount").trim();
    if typed.is_empty() {
        return Ok(None);
    }
    let mut wrong = Vec::new();
    let amount = amount(typed);
    if amount.is_none() {
        wrong.push(violation("amount", message!(messages::AMOUNT)));
    }
    let month = match sent.text("month").trim() {
        "" => None,
        text => {
            let read = text.replace('-', ".").parse::<Month>();
            read.map_err(|error| wrong.push(violation("month", error.message))).ok()
        }
    };
    match amount {
        Some(amount) if wrong.is_empty() => {
            Ok(Some(Goal { account_name: sent.text("account").to_owned(), amount, month }))
        }
        _ => Err(Error::fields(wrong)),
    }
}
