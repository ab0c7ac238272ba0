//! Short-term accounts and their goals.

use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::ErrorKind;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{Goal, GoalView, Kind, Month, goals, month};
use hansang_server::Caller;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

use super::amount::amount;
use super::words::{Money, month_name};
use super::{Pages, START};
use crate::actions::{DELETE_GOAL, SET_GOAL};

#[derive(Template)]
#[template(path = "ledger/goals.html")]
struct Goals {
    frame: Frame,
    accounts: Vec<Account>,
    refused: Option<String>,
}

/// A short-term account.
struct Account {
    name: String,
    balance: Money,
    goal: String,
    month: String,
    percent: Option<i64>,
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
    refused: Option<String>,
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
            percent: goal.map(|goal| (balance.max(0) * 100 / goal.goal.amount.max(1)).min(100)),
            outlook: goal.map(|goal| outlook(view, goal)).unwrap_or_default(),
            name,
        }
    };
    let accounts = names.into_iter().map(account).collect();
    Ok(page(status, &Goals { accounts, refused, frame }))
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
    let account = sent.text("account").to_owned();
    let here = format!("{START}/goals");
    let typed = sent.text("amount").trim();
    let saved = if typed.is_empty() {
        pages.act(&DELETE_GOAL, caller, account).await
    } else {
        let Some(amount) = amount(typed) else {
            let refused = view
                .say(
                    "Enter the goal in whole won, such as 3000000.",
                    "목표를 3000000처럼 원 단위로 입력하세요.",
                )
                .to_owned();
            let month = pages.month(&view, headers);
            return show(pages, view, month, StatusCode::UNPROCESSABLE_ENTITY, Some(refused)).await;
        };
        let month = Some(sent.text("month").replace('-', ".")).filter(|text| !text.is_empty());
        let goal = Goal { account_name: account, amount, month: month.map(|text| text.parse()).transpose()? };
        pages.act(&SET_GOAL, caller, goal).await
    };
    match saved {
        Ok(()) => Ok(Redirect::to(&notice::SAVED.at(&here)).into_response()),
        Err(error) if matches!(error.kind, ErrorKind::Invalid | ErrorKind::NotFound) => {
            let refused = view.sentence(&error.message);
            let month = pages.month(&view, headers);
            show(pages, view, month, Problem::from(error).status, Some(refused)).await
        }
        Err(error) => Err(error.into()),
    }
}
