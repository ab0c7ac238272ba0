//! The overview of a month: totals, balances, goals, budgets, and the months before it.

use std::collections::BTreeMap;

use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::Error;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{
    BudgetView, EntryAmount, GoalView, Kind, Month, MonthView, TrailRow, budgets_of_month, goals, news,
    period,
};
use hansang_server::Caller;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::svg::{Bars, Chart, Donut, Series, bars, donut, line};
use hansang_ui::time::Moment;

use super::history::action_name;
use super::past::details;
use super::sheet::lines_address;
use super::words::{
    Money, MonthLinks, kind_name, kind_slug, month_name, percent, person, share, subject_key, subject_name,
    won,
};
use super::{Pages, START, by, keep_month};

/// The number of months in the charts.
const MONTHS: i32 = 12;
/// The number of changes by others that are shown.
const MAX_NEWS: usize = 6;
/// The number of budgets that are shown.
const MAX_BUDGETS: usize = 6;

#[derive(Template)]
#[template(path = "ledger/dashboard.html")]
struct Dashboard {
    frame: Frame,
    month: MonthLinks,
    is_empty: bool,
    totals: Vec<Figure>,
    net: Money,
    rate: Option<String>,
    assets: Money,
    balances: Vec<Figure>,
    short: Vec<Short>,
    budgets: Vec<Budget>,
    flow: String,
    worth: String,
    spending: String,
    /// Changes by others since the last visit: what was done, by whom, when, and a line.
    news: Vec<News>,
    /// The entries of the month by kind, for print.
    printed: Vec<(&'static str, Vec<(String, Money)>)>,
}

/// A change by another person.
struct News {
    action: &'static str,
    by: String,
    at: Moment,
    detail: String,
    more: usize,
}

/// A total, the change since the month before, and its page.
struct Figure {
    name: &'static str,
    amount: Money,
    change: Option<String>,
    address: String,
}

/// A short-term account.
struct Short {
    name: String,
    balance: Money,
    goal: Option<(String, u16, String)>,
}

/// A budget.
struct Budget {
    name: String,
    spent: Money,
    amount: Money,
    left: Money,
    carried: Option<Money>,
    percent: u16,
}

pub(super) fn route(pages: &Pages) -> Route {
    let shows = pages.clone();
    let handler = on(MethodFilter::GET, async move |caller: Caller, view: View, headers: HeaderMap| {
        show(&shows, &caller, view, &headers).await
    });
    Route::page(START, pages.needs(Role::Viewer), handler)
}

async fn show(pages: &Pages, caller: &Caller, view: View, headers: &HeaderMap) -> Result<Response, Problem> {
    let asked = pages.month(&view, headers);
    let account = by(caller)?;
    let read = async {
        let months = period(&pages.ledger, asked.plus(-MONTHS), asked).await?;
        let goals = goals(&pages.ledger, asked).await?;
        let budgets = budgets_of_month(&pages.ledger, asked).await?;
        let news = news(&pages.ledger, &account, MAX_NEWS).await?;
        Ok::<_, Error>((months, goals, budgets, news))
    }
    .boxed();
    let (months, goals, budgets, changes) = pages.calls.measured("dashboard", read).await?;
    let [.., before, now] = &months[..] else {
        return Err(Problem::internal(hansang_ui::UiCode::PageUnwritable));
    };
    let people = pages.console.people(changes.iter().map(|row| &*row.change.by)).await;
    let title = view.say("Overview", "한눈에").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let dashboard = Dashboard {
        month: MonthLinks::new(view, START, asked, Month::of(pages.ledger.today())),
        is_empty: months.iter().all(|month| month.entries.is_empty()),
        totals: totals(view, now, before),
        net: Money::of(view, now.totals.net_asset()),
        rate: now.totals.savings_rate().map(percent),
        assets: Money::of(view, now.balances.sum()),
        balances: vec![
            Figure::balance(
                view,
                view.say("Savings in total", "저축 누적"),
                now.balances.cash_accumulated,
                Kind::Savings,
            ),
            Figure::balance(
                view,
                view.say("Investments in total", "투자 누적"),
                now.balances.investment_accumulated,
                Kind::Investment,
            ),
        ],
        short: short(view, now, &goals),
        budgets: tightest(view, &budgets),
        flow: flow(view, &months[1..]),
        worth: worth(view, &months[1..]),
        spending: spending(view, now),
        news: changes.iter().map(|row| News::of(view, row, person(view, &people, &row.change.by))).collect(),
        printed: printed(view, &now.entries),
        frame,
    };
    Ok(keep_month(page(StatusCode::OK, &dashboard), &dashboard.frame.view, asked))
}

impl Figure {
    fn balance(view: &View, name: &'static str, amount: i64, kind: Kind) -> Self {
        let address = format!("{START}/sheet/{}", kind_slug(kind));
        Self { name, amount: Money::of(view, amount), change: None, address }
    }
}

fn totals(view: &View, now: &MonthView, before: &MonthView) -> Vec<Figure> {
    let figure = |name, kind: Kind, amount: i64, last: i64| {
        let difference = amount - last;
        let sign = if difference > 0 { "+" } else { "" };
        Figure {
            name,
            amount: Money::of(view, amount),
            change: (difference != 0).then(|| format!("{sign}{}", won(view, difference))),
            address: format!("{START}/sheet/{}", kind_slug(kind)),
        }
    };
    let (now, before) = (&now.totals, &before.totals);
    vec![
        figure(view.say("Income", "수입"), Kind::Income, now.total_income, before.total_income),
        figure(view.say("Spending", "지출"), Kind::LivingExpense, now.total_expense, before.total_expense),
        figure(view.say("Savings", "저축"), Kind::Savings, now.total_savings, before.total_savings),
        figure(
            view.say("Investments", "투자"),
            Kind::Investment,
            now.total_investment,
            before.total_investment,
        ),
        figure(
            view.say("Short-term savings", "단기저축"),
            Kind::ShortSavings,
            now.total_short_savings,
            before.total_short_savings,
        ),
    ]
}

impl News {
    fn of(view: &View, row: &TrailRow, by: String) -> Self {
        let change = &row.change;
        let all = details(view, change);
        Self {
            action: action_name(view, &change.action),
            by,
            at: change.at.parse().map(|at| view.time(at)).unwrap_or_default(),
            more: all.len().max(row.lines).saturating_sub(1),
            detail: all.into_iter().next().unwrap_or_default(),
        }
    }
}

/// The entries of a month by kind.
fn printed(view: &View, entries: &[EntryAmount]) -> Vec<(&'static str, Vec<(String, Money)>)> {
    let group = |kind: Kind| {
        let own = entries.iter().filter(|entry| entry.subject.kind == kind);
        let rows = own.map(|entry| (subject_name(view, &entry.subject), Money::of(view, entry.amount)));
        (kind_name(view, kind), rows.collect::<Vec<_>>())
    };
    Kind::ALL.into_iter().map(group).filter(|(_, rows)| !rows.is_empty()).collect()
}

fn short(view: &View, month: &MonthView, goals: &[GoalView]) -> Vec<Short> {
    let goal = |name: &str| {
        let goal = goals.iter().find(|goal| goal.goal.account_name == name)?;
        let percent = share(goal.balance, goal.goal.amount, 100);
        let reached = match goal.reached {
            Some(_) if percent == 100 => view.say("Reached", "달성").to_owned(),
            Some(month) => format!("{} {}", month_name(view, month), view.say("expected", "달성 예상")),
            None => view.say("No progress yet", "진행 없음").to_owned(),
        };
        Some((won(view, goal.goal.amount), percent, reached))
    };
    // An account with a goal has a card before it has money.
    let mut accounts: BTreeMap<&str, i64> = goals.iter().map(|goal| (&*goal.goal.account_name, 0)).collect();
    accounts.extend(month.balances.short_savings_balances.iter().map(|(name, balance)| (&**name, *balance)));
    let short = |(name, balance): (&str, i64)| Short {
        name: name.to_owned(),
        balance: Money::of(view, balance),
        goal: goal(name),
    };
    accounts.into_iter().map(short).collect()
}

/// The budgets of which least is left.
fn tightest(view: &View, budgets: &[BudgetView]) -> Vec<Budget> {
    let mut all: Vec<Budget> = budgets.iter().map(|budget| Budget::of(view, budget)).collect();
    all.sort_by_key(|budget| std::cmp::Reverse(budget.percent));
    all.truncate(MAX_BUDGETS);
    all
}

impl Budget {
    fn of(view: &View, budget: &BudgetView) -> Self {
        let available = budget.amount.saturating_add(budget.carried);
        Self {
            name: budget.category.clone(),
            spent: Money::of(view, budget.spent),
            amount: Money::of(view, budget.amount),
            left: Money::of(view, budget.left),
            carried: (budget.carried != 0).then(|| Money::of(view, budget.carried)),
            percent: share(budget.spent, available, 999),
        }
    }
}

pub(super) fn label(month: &MonthView) -> String {
    format!("{:02}.{:02}", month.month.year() % 100, month.month.number())
}

fn flow(view: &View, months: &[MonthView]) -> String {
    let series = |name, value: fn(&MonthView) -> i64| {
        Series::new(name, months.iter().map(|month| value(month) as f64))
    };
    let chart = Chart {
        title: "",
        summary: view.say("Income and spending of the last 12 months", "최근 12개월 수입과 지출"),
        labels: months.iter().map(label).collect(),
        series: vec![
            series(view.say("Income", "수입"), |month| month.totals.total_income),
            series(view.say("Spending", "지출"), |month| month.totals.total_expense),
        ],
        unit: view.say("won", "원"),
        empty: view.say("No data yet", "아직 데이터가 없습니다"),
    };
    bars(&chart, Bars::Grouped)
}

fn worth(view: &View, months: &[MonthView]) -> String {
    let chart = Chart {
        title: "",
        summary: view.say("Assets of the last 12 months", "최근 12개월 자산"),
        labels: months.iter().map(label).collect(),
        series: vec![Series::new(
            view.say("Assets", "자산"),
            months.iter().map(|month| month.balances.sum() as f64),
        )],
        unit: view.say("won", "원"),
        empty: view.say("No data yet", "아직 데이터가 없습니다"),
    };
    line(&chart)
}

fn spending(view: &View, month: &MonthView) -> String {
    let spent = |kind: Kind| matches!(kind, Kind::FixedExpense | Kind::LivingExpense);
    let entries = month.entries.iter().filter(|entry| spent(entry.subject.kind) && entry.amount > 0);
    let mut entries: Vec<&EntryAmount> = entries.collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.amount));
    let share = |entry: &&EntryAmount| (subject_name(view, &entry.subject), entry.amount as f64);
    let shares: Vec<(String, f64)> = entries.iter().map(share).collect();
    let links: Vec<String> =
        entries.iter().map(|entry| lines_address(month.month, &subject_key(&entry.subject))).collect();
    donut(&Donut {
        title: "",
        summary: view.say("Spending by category", "항목별 지출"),
        shares: &shares,
        unit: view.say("won", "원"),
        other: view.say("Other", "그 외"),
        empty: view.say("No spending yet", "아직 지출이 없습니다"),
        links: &links,
    })
}
