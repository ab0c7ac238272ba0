//! The transactions of a month, with a search.

use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{Kind, Line, Month, Search, TAKEN_OUT, lines_of_month, search};
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::html::Html;
use hansang_ui::table::{Cell, Column, Empty, Kind as ColumnKind, Row, Sort, Table};

use super::words::{
    Money, MonthLinks, kind_name, kind_of, kind_slug, month_name, person, source_name, subject_key,
    subject_name, subject_of, won,
};
use super::{Pages, START, keep_month};

/// The number of lines of a period that are searched.
const MAX_LINES: usize = 20_000;

#[derive(Template)]
#[template(path = "ledger/lines.html")]
struct Lines {
    frame: Frame,
    month: MonthLinks,
    /// The values of the filters.
    text: String,
    kind: String,
    kinds: Vec<(&'static str, &'static str)>,
    entry: String,
    day: String,
    /// The period, if lines of several months are shown: its name, the first and the last month.
    period: Option<(String, String, String)>,
    is_filtered: bool,
    count: usize,
    sums: Vec<(&'static str, Money)>,
    table: Html,
}

/// The filters of the list.
struct Filter {
    text: String,
    kind: String,
    entry: String,
    day: String,
}

impl Filter {
    fn of(asked: &Form) -> Self {
        let text = |name: &str| asked.text(name).trim().to_owned();
        Self { text: text("q"), kind: text("kind"), entry: text("entry"), day: text("day") }
    }

    fn is_empty(&self) -> bool {
        [&self.text, &self.kind, &self.entry, &self.day].iter().all(|text| text.is_empty())
    }

    fn matches(&self, view: &View, line: &Line) -> bool {
        let spending = matches!(line.subject.kind, Kind::FixedExpense | Kind::LivingExpense);
        let of_kind = match &*self.kind {
            "" => true,
            "spending" => spending,
            slug => kind_of(slug) == Some(line.subject.kind),
        };
        let found = || {
            let wanted = self.text.to_lowercase();
            let name = subject_name(view, &line.subject).to_lowercase();
            line.text.to_lowercase().contains(&wanted)
                || name.contains(&wanted)
                || line.amount.to_string() == wanted.replace(',', "")
        };
        of_kind
            && (self.entry.is_empty() || subject_key(&line.subject) == self.entry)
            && (self.day.is_empty() || line.date == self.day)
            && (self.text.is_empty() || found())
    }
}

pub(super) fn route(pages: &Pages) -> Route {
    let shows = pages.clone();
    let handler =
        on(MethodFilter::GET, async move |view: View, headers: HeaderMap| show(&shows, view, &headers).await);
    Route::page(&format!("{START}/lines"), pages.needs(Role::Viewer), handler)
}

/// The sums of income, spending and savings, as far as there are lines of them.
fn sums(view: &View, lines: &[&Line]) -> Vec<(&'static str, Money)> {
    let group = |name, wanted: fn(Kind) -> bool| {
        let own = lines.iter().filter(|line| wanted(line.subject.kind));
        let amounts: Vec<i64> = own
            .map(|line| if line.subject.detail() == Some(TAKEN_OUT) { -line.amount } else { line.amount })
            .collect();
        (!amounts.is_empty())
            .then(|| (name, Money::of(view, amounts.into_iter().fold(0, i64::saturating_add))))
    };
    let all = [
        group(view.say("Income", "수입"), |kind| kind == Kind::Income),
        group(view.say("Spending", "지출"), |kind| {
            matches!(kind, Kind::FixedExpense | Kind::LivingExpense)
        }),
        group(view.say("Savings and investments", "저축·투자"), |kind| {
            matches!(kind, Kind::Savings | Kind::Investment | Kind::ShortSavings)
        }),
    ];
    all.into_iter().flatten().collect()
}

/// The period in the address, if it has one.
fn period(view: &View) -> Option<(Month, Month)> {
    let month = |name: &str| view.asked().text(name).replace('-', ".").parse::<Month>().ok();
    month("from").zip(month("to"))
}

async fn show(pages: &Pages, view: View, headers: &HeaderMap) -> Result<Response, Problem> {
    let asked = pages.month(&view, headers);
    let filter = Filter::of(&view.asked());
    let period = period(&view);
    let read = async {
        match period {
            Some((from, to)) => {
                let kind = subject_of(&filter.entry).map(|subject| subject.kind);
                let wanted = Search { kind, ..Search::default() };
                let mut lines = search(&pages.ledger, from, to, &wanted, MAX_LINES).await?;
                lines.reverse();
                Ok(lines)
            }
            None => lines_of_month(&pages.ledger, asked).await,
        }
    }
    .boxed();
    let lines = pages.calls.measured("lines", read).await?;
    let people = pages.console.people(lines.iter().map(|line| &*line.by)).await;
    let title = view.say("Transactions", "내역").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let found: Vec<&Line> = lines.iter().rev().filter(|line| filter.matches(view, line)).collect();
    let row = |line: &&Line| Row {
        key: line.line_id.clone(),
        link: Some(format!("{START}/lines/{}/{}", line.month, line.line_id)),
        cells: vec![
            Cell::Text(line.date.clone()),
            Cell::Text(kind_name(view, line.subject.kind).to_owned()),
            Cell::Text(subject_name(view, &line.subject)),
            Cell::text(&line.text),
            Cell::Money(won(view, line.amount), line.amount),
            Cell::Text(person(view, &people, &line.by)),
            match source_name(view, line.source) {
                "" => Cell::None,
                name => Cell::tag(name, ""),
            },
        ],
    };
    let column = |key, label, kind| Column::new(key, label, kind).sortable();
    let mut table = Table {
        name: "ledger/lines".to_owned(),
        label: title,
        columns: vec![
            column("date", view.say("Date", "날짜"), ColumnKind::Text),
            column("kind", view.say("Kind", "구분"), ColumnKind::Text),
            column("entry", view.say("Category", "항목"), ColumnKind::Text),
            column("text", view.say("Note", "내용"), ColumnKind::Text),
            column("amount", view.say("Amount", "금액"), ColumnKind::Money),
            column("by", view.say("Entered by", "입력한 사람"), ColumnKind::Text),
            column("source", view.say("Origin", "출처"), ColumnKind::Tag).hidden(),
        ],
        rows: found.iter().map(row).collect(),
        empty: Empty {
            icon: "list",
            title: view.say("No transactions", "내역이 없습니다").to_owned(),
            text: view
                .say("Add one, or choose another month.", "내역을 추가하거나 다른 달을 선택하세요.")
                .to_owned(),
            action: frame
                .is_editor("ledger")
                .then(|| (view.say("Quick add", "빠른 입력").to_owned(), format!("{START}/add"))),
        },
        ..Table::default()
    };
    table.sort = Sort::asked(view, &table.columns);
    table.sort_rows();
    let mut kinds =
        vec![("", view.say("All kinds", "전체")), ("spending", view.say("All spending", "지출 전체"))];
    kinds.extend(Kind::ALL.map(|kind| (kind_slug(kind), kind_name(view, kind))));
    let lines = Lines {
        month: MonthLinks::new(view, &format!("{START}/lines"), asked, Month::of(pages.ledger.today())),
        period: period.map(|(from, to)| {
            let name = format!("{} – {}", month_name(view, from), month_name(view, to));
            (name, from.to_string(), to.to_string())
        }),
        is_filtered: !filter.is_empty(),
        count: found.len(),
        sums: sums(view, &found),
        table: table.html(&frame),
        text: filter.text,
        kind: filter.kind,
        entry: filter.entry,
        day: filter.day,
        kinds,
        frame,
    };
    Ok(keep_month(page(StatusCode::OK, &lines), &lines.frame.view, asked))
}
