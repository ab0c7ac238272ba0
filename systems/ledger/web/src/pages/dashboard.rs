//! The overview of a month: totals, balances, goals, budgets, and the months before it.

use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use futures_util::future::try_join_all;
use hansang_access::Role;
use hansang_core::Error;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{BudgetView, GoalView, Kind, Month, MonthView, budgets_of_month, goals, month};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::svg::{Bars, Chart, Donut, Series, bars, donut, line};

use super::words::{Money, MonthLinks, kind_slug, month_name, subject_name, won};
use super::{Pages, START, keep_month};

/// The number of months in the charts.
const MONTHS: i32 = 12;
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
    goal: Option<(String, u8, String)>,
}

/// A budget.
struct Budget {
    name: String,
    spent: Money,
    amount: Money,
    left: Money,
    percent: i64,
}

pub(super) fn route(pages: &Pages) -> Route {
    let shows = pages.clone();
    let handler =
        on(MethodFilter::GET, async move |view: View, headers: HeaderMap| show(&shows, view, &headers).await);
    Route::page(START, pages.needs(Role::Viewer), handler)
}

async fn show(pages: &Pages, view: View, headers: &HeaderMap) -> Result<Response, Problem> {
    let asked = pages.month(&view, headers);
    let read = async {
        let months =
            try_join_all((0..=MONTHS).rev().map(|back| month(&pages.ledger, asked.plus(-back)))).await?;
        let goals = goals(&pages.ledger, asked).await?;
        let budgets = budgets_of_month(&pages.ledger, asked).await?;
        Ok::<_, Error>((months, goals, budgets))
    }
    .boxed();
    let (months, goals, budgets) = pages.calls.measured("dashboard", read).await?;
    let [.., before, now] = &months[..] else {
        return Err(Problem::internal(hansang_ui::UiCode::PageUnwritable));
    };
    let title = view.say("Overview", "한눈에").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let dashboard = Dashboard {
        month: MonthLinks::new(view, START, asked, Month::of(pages.ledger.today())),
        is_empty: months.iter().all(|month| month.entries.is_empty()),
        totals: totals(view, now, before),
        net: Money::of(view, now.totals.net_asset()),
        rate: savings_rate(now),
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
        budgets: budgets.iter().take(MAX_BUDGETS).map(|budget| Budget::of(view, budget)).collect(),
        flow: flow(view, &months[1..]),
        worth: worth(view, &months[1..]),
        spending: spending(view, now),
        frame,
    };
    let response = page(StatusCode::OK, &dashboard);
    Ok(if dashboard.frame.view.asked().get("month").is_some() {
        keep_month(response, asked)
    } else {
        response
    })
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

/// The part of the income that was not spent, in percent.
fn savings_rate(month: &MonthView) -> Option<String> {
    let (income, expense) = (month.totals.total_income, month.totals.total_expense);
    (income > 0)
        .then(|| format!("{}%", (i128::from(income) - i128::from(expense)) * 100 / i128::from(income)))
}

fn short(view: &View, month: &MonthView, goals: &[GoalView]) -> Vec<Short> {
    let goal = |name: &str| {
        let goal = goals.iter().find(|goal| goal.goal.account_name == name)?;
        let percent =
            u8::try_from((goal.balance.max(0) * 100 / goal.goal.amount.max(1)).min(100)).unwrap_or(100);
        let reached = match goal.reached {
            Some(_) if percent == 100 => view.say("Reached", "달성").to_owned(),
            Some(month) => format!("{} {}", month_name(view, month), view.say("expected", "달성 예상")),
            None => view.say("No progress yet", "진행 없음").to_owned(),
        };
        Some((won(view, goal.goal.amount), percent, reached))
    };
    let accounts = month.balances.short_savings_balances.iter();
    accounts
        .map(|(name, balance)| Short {
            name: name.clone(),
            balance: Money::of(view, *balance),
            goal: goal(name),
        })
        .collect()
}

impl Budget {
    fn of(view: &View, budget: &BudgetView) -> Self {
        let available = budget.amount.saturating_add(budget.carried);
        Self {
            name: budget.category.clone(),
            spent: Money::of(view, budget.spent),
            amount: Money::of(view, available),
            left: Money::of(view, budget.left),
            percent: (budget.spent.max(0) * 100 / available.max(1)).clamp(0, 999),
        }
    }
}

fn label(month: &MonthView) -> String {
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
    let mut shares: Vec<(String, f64)> =
        entries.map(|entry| (subject_name(view, &entry.subject), entry.amount as f64)).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    donut(&Donut {
        title: "",
        summary: view.say("Spending by category", "항목별 지출"),
        shares: &shares,
        unit: view.say("won", "원"),
        other: view.say("Other", "그 외"),
        empty: view.say("No spending yet", "아직 지출이 없습니다"),
    })
}
