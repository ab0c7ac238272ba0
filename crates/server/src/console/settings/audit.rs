//! The audit log: operations, callers and origins.

use askama::Template;
use axum::http::StatusCode;
use axum::routing::{MethodFilter, on};
use hansang_core::db::TypedListing;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};

use super::{AUDIT, Shown, Tab, paging, refusal, tabs};
use crate::console::Console;
use crate::messages;
use crate::routes::access::administrators;
use hansang_access::{AuditEntry, AuditOutcome, AuditVia};
use hansang_http::HttpCode;
use hansang_http::input::Parameters;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, Section, View, page};
use hansang_ui::page::Pager;
use hansang_ui::table::{Cell, Column, Empty, Kind, Row, Sort, Table};

/// The system of accounts, tokens and sessions, which has entries like all others.
const ACCESS: &str = "access";

#[derive(Template)]
#[template(path = "console/settings/audit.html")]
struct Audit {
    frame: Frame,
    tabs: Vec<Tab>,
    /// The three filters of the log, each a form of its own.
    filters: [Field; 3],
    heading: String,
    /// The previous and the next day, when the log is filtered by day.
    days: Vec<(String, String)>,
    table: Table,
    problems: Problems,
}

/// The filter of the log.
enum By {
    Day(Date),
    /// The id in the entries, and the login or id that is shown.
    Actor(String, String),
    System(String),
}

pub(super) fn route(console: &Console) -> Route {
    let console = console.clone();
    let handler =
        on(MethodFilter::GET, async move |view: View, asked: Parameters| show(&console, view, asked).await);
    Route::page(AUDIT, administrators(), handler)
}

async fn show(console: &Console, view: View, mut asked: Parameters) -> Shown {
    let cursor = asked.take("cursor");
    let mut given = |name: &str| {
        let text = asked.take(name).unwrap_or_default();
        text.trim().to_owned()
    };
    let wanted = ["day", "actor", "system"].map(&mut given);
    let read = async {
        let by = by(console, &view, &wanted).await?;
        let entries = entries(console, &view, &by, cursor).await?;
        Ok::<_, Error>((by, entries))
    };
    let read = read.await;
    let title = view.say("Audit log", "감사 로그").to_owned();
    let frame = console.frame(view, &title, Section::Settings);
    let view = &frame.view;
    let (status, template) = match read {
        Ok((by, entries)) => {
            let template = Audit {
                tabs: tabs(&frame, AUDIT),
                filters: filters(console, view, &by.wanted(), &Problems::default()),
                heading: by.heading(view),
                days: by.days(),
                table: table(view, &by.heading(view), &entries, Pager::of(&entries, &by.address())),
                problems: Problems::default(),
                frame,
            };
            (StatusCode::OK, template)
        }
        Err(error) => {
            let (status, problems) = refusal(view, &Problem::from(error), &["day", "actor", "system"]);
            let template = Audit {
                tabs: tabs(&frame, AUDIT),
                filters: filters(console, view, &wanted, &problems),
                heading: title,
                days: Vec::new(),
                table: Table { empty: nothing(view), ..Table::default() },
                problems,
                frame,
            };
            (status, template)
        }
    };
    Ok(page(status, &template))
}

/// The filter from the form. A caller is named by login or by id; the default is today.
async fn by(console: &Console, view: &View, [day, actor, system]: &[String; 3]) -> Result<By, Error> {
    let access = console.app.access();
    if !actor.is_empty() {
        let known = match access.account_by_login(actor).await? {
            None => access.account(actor).await.ok(),
            account => account,
        };
        let (id, login) = known.map_or((actor.clone(), actor.clone()), |one| (one.id, one.login));
        return Ok(By::Actor(id, login));
    }
    if !system.is_empty() {
        return Ok(By::System(system.clone()));
    }
    if day.is_empty() {
        return Ok(By::Day(today(console, view)));
    }
    day.parse().map(By::Day).map_err(|_| {
        let message = message!(messages::NOT_A_DAY);
        let violations = vec![violation("day", message.clone())];
        Error { violations, ..Error::invalid(HttpCode::InvalidParameter, message) }
    })
}

fn today(console: &Console, view: &View) -> Date {
    console.app.access().now().to_zoned(view.reader.zone.clone()).date()
}

/// The parts of a reader's day: each is within a day in UTC, by which entries are stored. The newest comes first.
fn parts_of(day: Date, zone: &TimeZone) -> Vec<(Date, (Timestamp, Timestamp))> {
    let start = |day: Date| day.to_zoned(zone.clone()).map(|start| start.timestamp());
    let tomorrow = day.tomorrow().and_then(start);
    let (Ok(from), Ok(next)) = (start(day), tomorrow) else { return Vec::new() };
    let last = next - SignedDuration::from_millis(1);
    let utc = |time: Timestamp| time.to_zoned(TimeZone::UTC).date();
    let days = utc(from).series(1.day()).take_while(|one| *one <= utc(last));
    let mut parts: Vec<_> = days.map(|one| (one, (from, last))).collect();
    parts.reverse();
    parts
}

/// A page of a reader's day. Its cursor names the part of the day and the position in it: `1.…`.
async fn of_day(
    console: &Console,
    parts: &[(Date, (Timestamp, Timestamp))],
    cursor: Option<String>,
) -> Result<TypedListing<AuditEntry>, Error> {
    let cursor = cursor.unwrap_or_default();
    let (number, mut rest) = cursor.split_once('.').unwrap_or(("0", &cursor));
    let mut number = number.parse().unwrap_or(0);
    loop {
        let Some((day, between)) = parts.get(number) else {
            return Ok(TypedListing { items: Vec::new(), unreadable: 0, next: None, previous: None });
        };
        let paging = paging(Some(rest.to_owned()));
        let mut page = console.app.access().audit_within_day(*day, *between, paging).await?;
        let within = |cursor: String| format!("{number}.{cursor}");
        page.next = page.next.map(within);
        page.previous = page.previous.map(within);
        if page.next.is_none() && number + 1 < parts.len() {
            page.next = Some(format!("{}.", number + 1));
        }
        if page.previous.is_none() && number > 0 {
            page.previous = Some(format!("{}.", number - 1));
        }
        if !page.items.is_empty() || number + 1 >= parts.len() {
            return Ok(page);
        }
        // Nothing in this part: the next one follows at once.
        (number, rest) = (number + 1, "");
    }
}

async fn entries(
    console: &Console,
    view: &View,
    by: &By,
    cursor: Option<String>,
) -> Result<TypedListing<AuditEntry>, Error> {
    let access = console.app.access();
    match by {
        By::Day(day) => of_day(console, &parts_of(*day, &view.reader.zone), cursor).await,
        By::Actor(id, _) => access.audit_of_actor(id, paging(cursor)).await,
        By::System(system) => access.audit_of_system(system, paging(cursor)).await,
    }
}

impl By {
    /// Day, caller and system, as the forms show them.
    fn wanted(&self) -> [String; 3] {
        let none = String::new;
        match self {
            Self::Day(day) => [day.to_string(), none(), none()],
            Self::Actor(_, login) => [none(), login.clone(), none()],
            Self::System(system) => [none(), none(), system.clone()],
        }
    }

    fn address(&self) -> String {
        match self {
            Self::Day(day) => format!("{AUDIT}?day={day}"),
            Self::Actor(id, _) => of_actor(id),
            Self::System(system) => {
                format!("{AUDIT}?system={}", encoded(system))
            }
        }
    }

    fn heading(&self, view: &View) -> String {
        match self {
            Self::Day(day) => {
                let zone = view.reader.zone.iana_name().unwrap_or("UTC");
                format!("{day} · {}: {zone}", view.say("Time zone", "시간대"))
            }
            Self::Actor(_, login) => view.fill("Activity of {0}", "{0} 계정의 활동").with(login).to_string(),
            Self::System(system) => {
                view.fill("Activity in {0}", "{0} 시스템의 활동").with(system).to_string()
            }
        }
    }

    /// The days around the one that is shown, with their addresses.
    fn days(&self) -> Vec<(String, String)> {
        let Self::Day(day) = self else { return Vec::new() };
        let around = [day.yesterday(), day.tomorrow()].into_iter().flatten();
        around.map(|day| (day.to_string(), format!("{AUDIT}?day={day}"))).collect()
    }
}

fn of_actor(id: &str) -> String {
    format!("{AUDIT}?actor={}", encoded(id))
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

fn filters(
    console: &Console,
    view: &View,
    [day, actor, system]: &[String; 3],
    problems: &Problems,
) -> [Field; 3] {
    let mut systems: Vec<String> = console.models().map(|model| model.name.to_string()).collect();
    systems.push(ACCESS.to_owned());
    // A system that is no longer served can still have entries.
    if !system.is_empty() && !systems.contains(system) {
        systems.push(system.clone());
    }
    let none = (String::new(), view.say("Choose…", "선택…").to_owned());
    let choices = std::iter::once(none).chain(systems.into_iter().map(|name| (name.clone(), name)));
    let filters = [
        Field { value: day.clone(), input: Input::Date, ..Field::text("day", view.say("Day", "날짜")) },
        Field {
            value: actor.clone(),
            ..Field::text("actor", view.say("Account (login or id)", "계정(아이디 또는 ID)"))
        },
        Field {
            value: system.clone(),
            input: Input::Choice(choices.collect()),
            ..Field::text("system", view.say("System", "시스템"))
        },
    ];
    filters.map(|field| Field { required: false, ..field }.sent(&Form::default(), problems))
}

/// The entries as a table.
fn table(view: &View, label: &str, entries: &TypedListing<AuditEntry>, pages: Pager) -> Table {
    let columns = vec![
        Column::new("at", view.say("Time", "일시"), Kind::Time),
        Column::new("account", view.say("Account", "계정"), Kind::Link),
        Column::new("via", view.say("Signed in by", "인증 방법"), Kind::Text).hidden(),
        Column::new("action", view.say("Action", "작업"), Kind::Code),
        Column::new("subject", view.say("Subject", "대상"), Kind::Text),
        Column::new("detail", view.say("Detail", "세부 내용"), Kind::Text).hidden(),
        Column::new("keys", view.say("Keys", "키"), Kind::Text).hidden(),
        Column::new("outcome", view.say("Outcome", "결과"), Kind::Tag),
        Column::new("code", view.say("Error code", "오류 코드"), Kind::Code),
        Column::new("address", view.say("Address", "접속 주소"), Kind::Text),
        Column::new("trace", view.say("Trace ID", "추적 ID"), Kind::Code).hidden(),
    ];
    let columns: Vec<Column> = columns.into_iter().map(Column::sortable).collect();
    let mut table = Table {
        name: "settings/audit".to_owned(),
        label: label.to_owned(),
        rows: entries.items.iter().map(|entry| row(view, entry)).collect(),
        sort: Sort::asked(view, &columns),
        columns,
        partial: pages.any(),
        empty: nothing(view),
        pages: Some(pages),
        ..Table::default()
    };
    table.sort_rows();
    table
}

fn nothing(view: &View) -> Empty {
    Empty {
        icon: "history",
        title: view.say("No activity", "기록이 없습니다").to_owned(),
        text: view
            .say("Choose another day, account or system.", "다른 날짜나 계정, 시스템을 선택해 보세요.")
            .to_owned(),
        action: None,
    }
}

fn row(view: &View, entry: &AuditEntry) -> Row {
    let (outcome, class) = match entry.outcome {
        AuditOutcome::Done => (view.say("Done", "완료"), "good"),
        AuditOutcome::Refused => (view.say("Refused", "거부됨"), "warn"),
        AuditOutcome::Failed => (view.say("Failed", "실패"), "bad"),
        AuditOutcome::Started => (view.say("In progress", "진행 중"), "info"),
    };
    let (via, is_known) = match entry.via {
        AuditVia::Session => (view.say("session", "세션"), true),
        AuditVia::Token => (view.say("token", "토큰"), true),
        AuditVia::Oidc => (view.say("identity provider", "외부 인증"), true),
        AuditVia::Nothing => ("", false),
    };
    let who = if is_known { &entry.actor_name } else { view.say("Not signed in", "로그인 안 함") };
    let code = |text: Option<&str>| text.map_or(Cell::None, |text| Cell::Code(text.to_owned()));
    Row {
        key: entry.id.clone(),
        link: None,
        cells: vec![
            Cell::Time(view.time(entry.at)),
            Cell::Link(who.to_owned(), of_actor(&entry.actor)),
            Cell::text(via),
            Cell::Code(format!("{}.{}", entry.system, entry.operation)),
            Cell::text(entry.subject.as_deref().unwrap_or_default()),
            Cell::text(entry.detail.as_deref().unwrap_or_default()),
            Cell::text(&entry.keys.join(", ")),
            Cell::tag(outcome, class),
            code(entry.code.as_deref()),
            Cell::text(&entry.address),
            code(Some(&entry.trace)),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_of_a_reader_has_parts_of_days_in_utc() {
        let day: Date = "2026-11-18".parse().unwrap();
        let parts = |zone: &str| {
            let parts = parts_of(day, &hansang_ui::time::zone(zone).unwrap());
            parts.iter().map(|(day, (from, to))| format!("{day} {from} {to}")).collect::<Vec<_>>()
        };
        let utc = "2026-11-18T00:00:00Z 2026-11-18T23:59:59.999Z";
        assert_eq!(parts("UTC"), [format!("2026-11-18 {utc}")]);
        let seoul = "2026-11-17T15:00:00Z 2026-11-18T14:59:59.999Z";
        assert_eq!(parts("Asia/Seoul"), [format!("2026-11-18 {seoul}"), format!("2026-11-17 {seoul}")]);
    }
}
