//! The transactions of a month, with a search.

use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::ErrorKind;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{Kind, Line, Month, Search, Subject, TAKEN_OUT, lines_of_month, search, sign_ins};
use hansang_ui::address;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::html::Html;
use hansang_ui::page::Pager;
use hansang_ui::table::{Cell, Column, Empty, Kind as ColumnKind, Row, Sort, Table};

use super::words::{
    Money, MonthLinks, kind_name, kind_of, kind_slug, month_name, person, source_name, subject_key,
    subject_name, subject_of, won,
};
use super::{MONTH_COOKIE, Pages, START, keep};

/// The number of lines that a search finds.
const MAX_LINES: usize = 100_000;
/// The number of lines of a page.
const PAGE_SIZE: usize = 200;

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
    by: String,
    /// Those who entered lines: the id and the name.
    people: Vec<(String, String)>,
    /// The period, if lines of several months are shown: its name, the first and the last month.
    period: Option<(String, String, String)>,
    /// The address without filters, if there are any.
    unfiltered: Option<String>,
    /// Whether there are more lines than a search finds.
    is_cut: bool,
    count: usize,
    sums: Vec<(&'static str, Money)>,
    table: Html,
    pages: Pager,
    /// The entry, if the lines of one in one month are shown: it can be moved and deleted.
    one_entry: Option<OneEntry>,
    refused: Option<String>,
}

/// An entry of a month.
struct OneEntry {
    name: String,
    history: String,
    next: String,
}

/// The filters of the list.
struct Filter {
    text: String,
    kind: String,
    entry: String,
    day: String,
    by: String,
}

impl Filter {
    fn of(asked: &Form) -> Self {
        let text = |name: &str| asked.text(name).trim().to_owned();
        Self { text: text("q"), kind: text("kind"), entry: text("entry"), day: text("day"), by: text("by") }
    }

    fn is_empty(&self) -> bool {
        [&self.text, &self.kind, &self.entry, &self.day, &self.by].iter().all(|text| text.is_empty())
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
            && (self.by.is_empty() || line.by == self.by)
            && (self.text.is_empty() || found())
    }
}

pub(super) fn route(pages: &Pages) -> Route {
    let shows = pages.clone();
    let handler = on(MethodFilter::GET, async move |view: View, headers: HeaderMap| {
        let (month, asked) = (shows.month(&view, &headers), view.asked());
        let shown = show(&shows, view, month, &asked, StatusCode::OK, None).await?;
        Ok::<_, Problem>(match asked.get("month") {
            Some(_) => keep(shown, MONTH_COOKIE, &month.to_string()),
            None => shown,
        })
    });
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

/// The period in the address, if it has one. One end alone is a period of one month.
fn period(asked: &Form) -> Option<(Month, Month)> {
    let month = |name: &str| asked.text(name).replace('-', ".").parse::<Month>().ok();
    match (month("from"), month("to")) {
        (None, None) => None,
        (from, to) => from.or(to).zip(to.or(from)),
    }
}

/// The address of the changes of an entry.
pub(super) fn history_address(month: Month, subject: &Subject) -> String {
    address::with(
        &format!("{START}/history"),
        &[("month", &month.to_string()), ("entry", &subject_key(subject))],
    )
}

/// The lines of an entry, above them why it was not moved or deleted.
pub(super) async fn entry_refused(
    pages: &Pages,
    view: View,
    month: Month,
    subject: &Subject,
    status: StatusCode,
    refused: String,
) -> Result<Response, Problem> {
    let asked =
        Form::of(vec![("month".to_owned(), month.to_string()), ("entry".to_owned(), subject_key(subject))]);
    show(pages, view, month, &asked, status, Some(refused)).await
}

async fn show(
    pages: &Pages,
    view: View,
    month: Month,
    asked: &Form,
    mut status: StatusCode,
    mut refused: Option<String>,
) -> Result<Response, Problem> {
    let filter = Filter::of(asked);
    let mut period = period(asked);
    let read = async {
        let Some((from, to)) = period else { return lines_of_month(&pages.ledger, month).await };
        let kind = subject_of(&filter.entry).map(|subject| subject.kind);
        let by = Some(filter.by.clone()).filter(|by| !by.is_empty());
        let wanted = Search { kind, by, ..Search::default() };
        let mut lines = search(&pages.ledger, from, to, &wanted, MAX_LINES + 1).await?;
        lines.reverse();
        Ok(lines)
    }
    .boxed();
    let mut lines = match pages.calls.measured("lines", read).await {
        // A period that is too long or ends before it starts: the month instead, with the reason.
        Err(error) if error.kind == ErrorKind::Invalid => {
            refused = Some(view.sentence(&error.message));
            status = Problem::from(error).status;
            period = None;
            lines_of_month(&pages.ledger, month).await?
        }
        read => read?,
    };
    let is_cut = lines.len() > MAX_LINES;
    if is_cut {
        lines.drain(..lines.len() - MAX_LINES);
    }
    let names = sign_ins(&pages.ledger).await?;
    let people = pages.console.people(lines.iter().map(|line| &*line.by)).await;
    let title = view.say("Transactions", "내역").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let named = |id: &str| names.get(id).cloned().unwrap_or_else(|| person(view, &people, id));
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
            Cell::Text(named(&line.by)),
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
    let count = found.len();
    let number = asked.text("page").parse().unwrap_or(1).clamp(1, count.div_ceil(PAGE_SIZE).max(1));
    let page_at = |number: usize| address::with(&view.here, &[("page", &number.to_string())]);
    let pager = Pager {
        previous: (number > 1).then(|| page_at(number - 1)),
        next: (count > number * PAGE_SIZE).then(|| page_at(number + 1)),
    };
    table.rows = table.rows.into_iter().skip((number - 1) * PAGE_SIZE).take(PAGE_SIZE).collect();
    let mut by: Vec<(String, String)> = lines.iter().map(|line| (line.by.clone(), named(&line.by))).collect();
    if !filter.by.is_empty() {
        by.push((filter.by.clone(), named(&filter.by)));
    }
    by.sort_by(|a, b| a.1.cmp(&b.1));
    by.dedup();
    let mut kinds =
        vec![("", view.say("All kinds", "전체")), ("spending", view.say("All spending", "지출 전체"))];
    kinds.extend(Kind::ALL.map(|kind| (kind_slug(kind), kind_name(view, kind))));
    let whole = match period {
        Some((from, to)) => vec![("from", from.to_string()), ("to", to.to_string())],
        None => vec![("month", month.to_string())],
    };
    let whole: Vec<(&str, &str)> = whole.iter().map(|(name, value)| (*name, &**value)).collect();
    let unfiltered = address::with(&format!("{START}/lines"), &whole);
    let one_entry = subject_of(&filter.entry).filter(|_| period.is_none() && !lines.is_empty());
    let shown = Lines {
        month: MonthLinks::new(view, &format!("{START}/lines"), month, Month::of(pages.ledger.today())),
        period: period.map(|(from, to)| {
            let name = format!("{} – {}", month_name(view, from), month_name(view, to));
            let value = |month: Month| month.to_string().replace('.', "-");
            (name, value(from), value(to))
        }),
        unfiltered: (!filter.is_empty()).then_some(unfiltered),
        is_cut,
        count,
        sums: sums(view, &found),
        table: table.html(&frame),
        pages: pager,
        one_entry: one_entry.map(|subject| OneEntry {
            name: subject_name(view, &subject),
            history: history_address(month, &subject),
            next: month.plus(1).to_string().replace('.', "-"),
        }),
        people: by,
        text: filter.text,
        kind: filter.kind,
        entry: filter.entry,
        day: filter.day,
        by: filter.by,
        kinds,
        refused,
        frame,
    };
    Ok(page(status, &shown))
}
