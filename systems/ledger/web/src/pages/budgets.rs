//! Budgets of a month: what was planned, spent and left.

use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::ErrorKind;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{Budget, BudgetView, Kind, Month, Subject, budgets, budgets_of_month, month};
use hansang_server::Caller;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

use super::amount::amount;
use super::sheet::subjects;
use super::words::{Money, MonthLinks, kind_name, kind_of, kind_slug, month_name, share, won};
use super::{Pages, START, keep_month};
use crate::actions::SET_BUDGET;

#[derive(Template)]
#[template(path = "ledger/budgets.html")]
struct Budgets {
    frame: Frame,
    month: MonthLinks,
    groups: Vec<(&'static str, Vec<Row>)>,
}

/// A budget that was refused, and why.
struct Refused<'f> {
    sent: &'f Form,
    problem: String,
}

/// The budget of a category.
struct Row {
    kind: &'static str,
    category: String,
    amount: String,
    rollover: bool,
    /// The problem of the typed amount.
    problem: Option<String>,
    carried: Option<Money>,
    spent: Money,
    /// The budgets that were set, the last one first, if it was changed.
    past: Vec<String>,
    /// The rest and the spent percentage, if there is a budget.
    left: Option<(Money, u16)>,
}

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, saves) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View, headers: HeaderMap| {
        let month = shows.month(&view, &headers);
        show(&shows, view, month, StatusCode::OK, None).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        save(&saves, &caller, view, &sent).await
    });
    Route::page(&format!("{START}/budgets"), pages.needs(Role::Viewer), handler)
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
        let now = month(&pages.ledger, asked).await?;
        let set = budgets_of_month(&pages.ledger, asked).await?;
        Ok((codes, now, set, budgets(&pages.ledger).await?))
    }
    .boxed();
    let (codes, now, budgets, past) = pages.calls.measured("budgets", read).await?;
    let title = view.say("Budgets", "예산").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let row = |kind: Kind, category: &str| {
        let budget = budgets.iter().find(|budget| budget.kind == kind && budget.category == category);
        let entry =
            now.entries.iter().find(|entry| entry.subject.kind == kind && entry.subject.name == category);
        let row = Row::of(view, kind, category, budget, entry.map_or(0, |entry| entry.amount));
        // What was typed stays: after a refusal, and after signing in again.
        let draft = &view.draft;
        let past = past.iter().rev().filter(|one| one.kind == kind && one.category == category);
        let row = Row { past: past.map(|one| step(view, one)).collect(), ..row };
        row.typed(draft, None).refused(refused.as_ref())
    };
    let group = |kind: Kind| {
        // A budget of a category that was removed has to be ended by someone.
        let planned = budgets.iter().filter(|budget| budget.kind == kind);
        let planned = planned.filter_map(|budget| Subject::new(kind, &budget.category, None).ok());
        let stored = now.entries.iter().map(|entry| entry.subject.clone());
        let stored: Vec<Subject> = stored.filter(|subject| subject.kind == kind).chain(planned).collect();
        let all = subjects(&codes, kind, stored.iter());
        (kind_name(view, kind), all.iter().map(|subject| row(kind, &subject.name)).collect())
    };
    let shown = Budgets {
        month: MonthLinks::new(view, &format!("{START}/budgets"), asked, Month::of(pages.ledger.today())),
        groups: vec![group(Kind::LivingExpense), group(Kind::FixedExpense)],
        frame,
    };
    Ok(keep_month(page(status, &shown), &shown.frame.view, asked))
}

/// A budget that was set, in words.
fn step(view: &View, budget: &Budget) -> String {
    let from = view.fill("From {0}: {1}", "{0}부터 {1}").with(month_name(view, budget.month));
    match budget.amount {
        0 => from.with(view.say("no budget", "예산 없음")).to_string(),
        amount => from.with(won(view, amount)).to_string(),
    }
}

impl Row {
    fn of(view: &View, kind: Kind, category: &str, budget: Option<&BudgetView>, spent: i64) -> Self {
        let set = budget.filter(|budget| budget.amount != 0 || budget.carried != 0);
        let left = set.map(|budget| {
            let available = budget.amount.saturating_add(budget.carried);
            (Money::of(view, budget.left), share(budget.spent, available, 999))
        });
        Self {
            kind: kind_slug(kind),
            category: category.to_owned(),
            amount: set
                .map(|budget| hansang_ui::number::grouped(&budget.amount.to_string()))
                .unwrap_or_default(),
            rollover: budget.is_some_and(|budget| budget.rollover),
            problem: None,
            carried: set.filter(|budget| budget.carried != 0).map(|budget| Money::of(view, budget.carried)),
            past: Vec::new(),
            spent: Money::of(view, set.map_or(spent, |budget| budget.spent)),
            left,
        }
    }

    /// The row with what was typed, if that was for its category.
    fn typed(self, sent: &Form, problem: Option<&str>) -> Self {
        if sent.text("kind") != self.kind || sent.text("category") != self.category {
            return self;
        }
        Self {
            amount: sent.text("amount").to_owned(),
            rollover: sent.text("rollover") == "true",
            problem: problem.map(str::to_owned),
            ..self
        }
    }

    fn refused(self, refused: Option<&Refused<'_>>) -> Self {
        match refused {
            Some(refused) => self.typed(refused.sent, Some(&refused.problem)),
            None => self,
        }
    }
}

async fn save(pages: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    pages.check_editor(&view)?;
    let month: Month = sent.text("month").replace('-', ".").parse()?;
    let typed = sent.text("amount").trim();
    let (Some(kind), Some(amount)) =
        (kind_of(sent.text("kind")), if typed.is_empty() { Some(0) } else { amount(typed) })
    else {
        let problem = view
            .say("Enter the budget in whole won, such as 500000.", "예산을 500000처럼 원 단위로 입력하세요.")
            .to_owned();
        let refused = Some(Refused { sent, problem });
        return show(pages, view, month, StatusCode::UNPROCESSABLE_ENTITY, refused).await;
    };
    let budget = Budget {
        kind,
        category: sent.text("category").to_owned(),
        month,
        amount,
        rollover: sent.text("rollover") == "true",
    };
    match pages.act(&SET_BUDGET, caller, budget).await {
        Ok(()) => {
            Ok(Redirect::to(&notice::SAVED.at(&format!("{START}/budgets?month={month}"))).into_response())
        }
        Err(error) if error.kind == ErrorKind::Invalid => {
            let problem = view.sentence(&error.message);
            show(pages, view, month, Problem::from(error).status, Some(Refused { sent, problem })).await
        }
        Err(error) => Err(error.into()),
    }
}
