//! Reports of a period: figures, net worth, where money went, people, and a year by category.

use std::collections::BTreeMap;

use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use futures_util::future::try_join3;
use hansang_access::Role;
use hansang_core::{Error, ErrorKind};
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{
    Day, Kind, Month, MonthView, Subject, Totals, YearRow, people_of_period, period, sum_of_totals, year,
};
use hansang_server::People;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::html::Html;
use hansang_ui::svg::{Bars, Chart, Donut, Series, bars, boxed, boxed_shares, donut, line};

use super::dashboard::label;
use super::sheet::lines_address;
use super::words::{Money, kind_name, month_name, percent, person, subject_key, subject_name};
use super::{Pages, START, keep_period};

#[derive(Template)]
#[template(path = "ledger/reports.html")]
struct Reports {
    frame: Frame,
    from: String,
    to: String,
    presets: Vec<(&'static str, String)>,
    title: String,
    refused: Option<String>,
    is_empty: bool,
    figures: Vec<(&'static str, Money)>,
    rate: Option<String>,
    flow: Html,
    worth: Html,
    rates: Html,
    spending: Html,
    people: Vec<(String, Money, Money, Money)>,
    year: u32,
    years: (String, String),
    groups: Vec<Group>,
}

/// The entries of a kind over a year.
struct Group {
    name: &'static str,
    rows: Vec<Cells>,
    sum: Cells,
}

/// A row of the year: its name, the months with the addresses of their lines, and sums.
struct Cells {
    name: String,
    months: Vec<(String, String, bool)>,
    total: Money,
    average: Money,
    last: Money,
    change: String,
}

pub(super) fn route(pages: &Pages) -> Route {
    let shows = pages.clone();
    let handler =
        on(MethodFilter::GET, async move |view: View, headers: HeaderMap| show(&shows, view, &headers).await);
    Route::page(&format!("{START}/reports"), pages.needs(Role::Viewer), handler)
}

/// The figures of a report.
type Figures = (Vec<MonthView>, BTreeMap<String, Day>, Vec<YearRow>);

async fn read(pages: &Pages, from: Month, to: Month) -> Result<Figures, Error> {
    let ledger = &pages.ledger;
    try_join3(period(ledger, from, to), people_of_period(ledger, from, to), year(ledger, to.year())).await
}

async fn show(pages: &Pages, view: View, headers: &HeaderMap) -> Result<Response, Problem> {
    let this = Month::of(pages.ledger.today());
    let (mut from, mut to) = pages.period(&view, headers);
    let (mut refused, mut status) = (None, StatusCode::OK);
    let figures = match pages.calls.measured("reports", read(pages, from, to).boxed()).await {
        // A period that is too long or ends before it starts: the last year instead, with the reason.
        Err(error) if error.kind == ErrorKind::Invalid => {
            refused = Some(view.sentence(&error.message));
            status = Problem::from(error).status;
            (from, to) = (this.plus(-11), this);
            read(pages, from, to).await?
        }
        read => read?,
    };
    let (months, people, rows) = figures;
    let accounts = pages.console.people(people.keys().map(String::as_str)).await;
    let sum = sum_of_totals(&months)?;
    let title = view.say("Reports", "보고서").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let value = |month: Month| month.to_string().replace('.', "-");
    let at = |from: Month, to: Month| format!("{START}/reports?from={}&to={}", value(from), value(to));
    let first = |year: u32| format!("{year}.01").parse::<Month>();
    let whole = |year: u32| first(year).map_or_else(|_| at(from, to), |first| at(first, first.plus(11)));
    let reports = Reports {
        from: value(from),
        to: value(to),
        presets: vec![
            (view.say("Last 12 months", "최근 12개월"), at(this.plus(-11), this)),
            (view.say("This year", "올해"), whole(this.year())),
            (view.say("Last year", "작년"), whole(this.year() - 1)),
            (view.say("5 years", "5년"), at(this.plus(-59), this)),
        ],
        title: format!("{} – {}", month_name(view, from), month_name(view, to)),
        is_empty: months.iter().all(|month| month.entries.is_empty()) && rows.is_empty(),
        figures: figures_of(view, &sum, &months),
        rate: sum.savings_rate().map(percent),
        flow: flow(view, &months),
        worth: worth(view, &months),
        rates: rates(view, &months),
        spending: spending(view, &months, (&value(from), &value(to))),
        people: people_rows(view, &people, &accounts),
        year: to.year(),
        years: (whole(to.year() - 1), whole(to.year() + 1)),
        groups: groups(view, to.plus(1 - i32::try_from(to.number()).unwrap_or(1)), &rows),
        refused,
        frame,
    };
    let response = page(status, &reports);
    Ok(if reports.frame.view.asked().get("from").is_some() && reports.refused.is_none() {
        keep_period(response, from, to)
    } else {
        response
    })
}

fn figures_of(view: &View, sum: &Totals, months: &[MonthView]) -> Vec<(&'static str, Money)> {
    let worth = months.last().map_or(0, |month| month.balances.sum());
    let figures = [
        (view.say("Income", "수입"), sum.total_income),
        (view.say("Spending", "지출"), sum.total_expense),
        (view.say("Savings", "저축"), sum.total_savings),
        (view.say("Investments", "투자"), sum.total_investment),
        (view.say("Short-term savings", "단기저축"), sum.total_short_savings),
        (view.say("Left over", "남은 돈"), sum.net_asset()),
        (view.say("Assets at the end", "기간 말 자산"), worth),
    ];
    figures.map(|(name, amount)| (name, Money::of(view, amount))).into()
}

fn chart<'c>(view: &View, summary: &'c str, months: &[MonthView], series: Vec<Series>) -> Chart<'c> {
    Chart {
        title: "",
        summary,
        labels: months.iter().map(label).collect(),
        series,
        unit: view.say("won", "원"),
        empty: view.say("No data yet", "아직 데이터가 없습니다"),
    }
}

fn flow(view: &View, months: &[MonthView]) -> Html {
    let series = |name, value: fn(&Totals) -> i64| {
        Series::new(name, months.iter().map(|month| value(&month.totals) as f64))
    };
    let all = vec![
        series(view.say("Income", "수입"), |totals| totals.total_income),
        series(view.say("Spending", "지출"), |totals| totals.total_expense),
    ];
    let chart = chart(view, view.say("Income and spending by month", "월별 수입과 지출"), months, all);
    boxed(&bars(&chart, Bars::Grouped), &chart, view.language)
}

fn worth(view: &View, months: &[MonthView]) -> Html {
    let assets = months.iter().map(|month| month.balances.sum() as f64);
    let series = vec![Series::new(view.say("Assets", "자산"), assets)];
    let chart = chart(view, view.say("Assets at the end of each month", "월말 자산"), months, series);
    boxed(&line(&chart), &chart, view.language)
}

fn rates(view: &View, months: &[MonthView]) -> Html {
    let rate = |month: &MonthView| month.totals.savings_rate().map(|rate| rate as f64 / 10.0);
    let series = vec![Series::new(view.say("Savings rate", "저축률"), months.iter().map(rate))];
    let summary = view.say("Savings rate by month", "월별 저축률");
    let chart = Chart { unit: "%", ..chart(view, summary, months, series) };
    boxed(&line(&chart), &chart, view.language)
}

/// The spending of each category, each with a link to its lines.
fn spending(view: &View, months: &[MonthView], (from, to): (&str, &str)) -> Html {
    let mut sums: BTreeMap<&Subject, i64> = BTreeMap::new();
    for entry in months.iter().flat_map(|month| &month.entries) {
        if matches!(entry.subject.kind, Kind::FixedExpense | Kind::LivingExpense) {
            let sum = sums.entry(&entry.subject).or_default();
            *sum = sum.saturating_add(entry.amount);
        }
    }
    let mut sums: Vec<(&Subject, i64)> = sums.into_iter().filter(|(_, sum)| *sum > 0).collect();
    sums.sort_by_key(|(_, sum)| std::cmp::Reverse(*sum));
    let shares: Vec<(String, f64)> =
        sums.iter().map(|(subject, sum)| (subject_name(view, subject), *sum as f64)).collect();
    let links: Vec<String> =
        sums.iter().map(|(subject, _)| lines_of_period(from, to, &subject_key(subject))).collect();
    let data = Donut {
        title: "",
        summary: view.say("Spending by category", "항목별 지출"),
        shares: &shares,
        unit: view.say("won", "원"),
        other: view.say("Other", "그 외"),
        empty: view.say("No spending yet", "아직 지출이 없습니다"),
        links: &links,
    };
    boxed_shares(&donut(&data), &data, view.language)
}

/// The address of the lines of an entry in a period.
pub(super) fn lines_of_period(from: &str, to: &str, entry: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("from", from), ("to", to), ("entry", entry)])
        .finish();
    format!("{START}/lines?{query}")
}

fn people_rows(
    view: &View,
    people: &BTreeMap<String, Day>,
    accounts: &People,
) -> Vec<(String, Money, Money, Money)> {
    let used = people.iter().filter(|(_, day)| **day != Day::default());
    used.map(|(name, day)| {
        let money = |amount| Money::of(view, amount);
        (person(view, accounts, name), money(day.earned), money(day.spent), money(day.saved))
    })
    .collect()
}

fn groups(view: &View, first: Month, rows: &[YearRow]) -> Vec<Group> {
    let group = |kind: Kind| {
        let own: Vec<&YearRow> = rows.iter().filter(|row| row.subject.kind == kind).collect();
        let mut sum = YearSum::default();
        for row in &own {
            sum.add(row);
        }
        let cells = |row: &&YearRow| {
            let key = subject_key(&row.subject);
            let months = (0..).zip(row.months).map(|(index, amount): (i32, i64)| {
                (amount_text(amount), lines_address(first.plus(index), &key), amount < 0)
            });
            Cells::of(
                view,
                subject_name(view, &row.subject),
                months.collect(),
                (row.total, row.average, row.last_total),
            )
        };
        let months =
            sum.months.iter().map(|amount| (amount_text(*amount), String::new(), *amount < 0)).collect();
        Group {
            name: kind_name(view, kind),
            rows: own.iter().map(cells).collect(),
            sum: Cells::of(
                view,
                view.say("Total", "합계").to_owned(),
                months,
                (sum.total, sum.average, sum.last_total),
            ),
        }
    };
    Kind::ALL.into_iter().map(group).filter(|group| !group.rows.is_empty()).collect()
}

/// The sum of the rows of a kind.
#[derive(Default)]
struct YearSum {
    months: [i64; 12],
    total: i64,
    average: i64,
    last_total: i64,
}

impl YearSum {
    /// Adds a row. What is taken out of a short-term account counts against what was paid in.
    fn add(&mut self, row: &YearRow) {
        let is_out = row.subject.detail() == Some(hansang_ledger::TAKEN_OUT);
        let sign = if is_out { -1 } else { 1 };
        for (sum, amount) in self.months.iter_mut().zip(row.months) {
            *sum = sum.saturating_add(sign * amount);
        }
        self.total = self.total.saturating_add(sign * row.total);
        self.average = self.average.saturating_add(sign * row.average);
        self.last_total = self.last_total.saturating_add(sign * row.last_total);
    }
}

/// An amount of the year without the sign of won, so that twelve of them fit; empty for nothing.
fn amount_text(amount: i64) -> String {
    if amount == 0 { String::new() } else { hansang_ui::number::grouped(&amount.to_string()) }
}

impl Cells {
    fn of(
        view: &View,
        name: String,
        months: Vec<(String, String, bool)>,
        (total, average, last): (i64, i64, i64),
    ) -> Self {
        let change = (last > 0).then(|| {
            let change = i128::from(total - last) * 100 / i128::from(last);
            format!("{}{}%", if change > 0 { "+" } else { "" }, change.to_string().replace('-', "−"))
        });
        let money = |amount| Money::of(view, amount);
        Self {
            name,
            months,
            total: money(total),
            average: money(average),
            last: money(last),
            change: change.unwrap_or_default(),
        }
    }
}
