//! The audit log: operations, callers and origins.

use askama::Template;
use axum::http::StatusCode;
use axum::routing::{MethodFilter, on};
use hansang_core::db::TypedListing;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use jiff::civil::Date;
use jiff::tz::TimeZone;

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
use hansang_ui::page::{Moment, Pager};

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
    rows: Vec<Row>,
    pages: Pager,
    problems: Problems,
}

/// An entry as the list shows it.
struct Row {
    at: Moment,
    who: String,
    /// The address of all entries of the caller.
    of_actor: String,
    via: &'static str,
    what: String,
    subject: String,
    outcome: &'static str,
    class: &'static str,
    code: String,
    address: String,
    trace: String,
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
        let by = by(console, &wanted).await?;
        let entries = entries(console, &by, cursor).await?;
        Ok::<_, Error>((by, entries))
    };
    let title = view.say("Audit log", "감사 로그").to_owned();
    let frame = console.frame(view, &title, Section::Settings);
    let view = &frame.view;
    let (status, template) = match read.await {
        Ok((by, entries)) => {
            let template = Audit {
                tabs: tabs(&frame, AUDIT),
                filters: filters(console, view, &by.wanted(), &Problems::default()),
                heading: by.heading(view),
                days: by.days(),
                rows: entries.items.iter().map(|entry| row(view, entry)).collect(),
                pages: Pager::of(&entries, &by.address()),
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
                rows: Vec::new(),
                pages: Pager::none(),
                problems,
                frame,
            };
            (status, template)
        }
    };
    Ok(page(status, &template))
}

/// The filter from the form. A caller is named by login or by id; the default is today.
async fn by(console: &Console, [day, actor, system]: &[String; 3]) -> Result<By, Error> {
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
        return Ok(By::Day(today(console)));
    }
    day.parse().map(By::Day).map_err(|_| {
        let message = message!(messages::NOT_A_DAY);
        let violations = vec![violation("day", message.clone())];
        Error { violations, ..Error::invalid(HttpCode::InvalidParameter, message) }
    })
}

fn today(console: &Console) -> Date {
    console.app.access().now().to_zoned(TimeZone::UTC).date()
}

async fn entries(
    console: &Console,
    by: &By,
    cursor: Option<String>,
) -> Result<TypedListing<AuditEntry>, Error> {
    let access = console.app.access();
    match by {
        By::Day(day) => access.audit_of_day(*day, paging(cursor)).await,
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
        match (self, view.is_korean()) {
            (Self::Day(day), _) => format!("{day} (UTC)"),
            (Self::Actor(_, login), true) => format!("{login} 계정의 활동"),
            (Self::Actor(_, login), false) => format!("Activity of {login}"),
            (Self::System(system), true) => format!("{system} 시스템의 활동"),
            (Self::System(system), false) => format!("Activity in {system}"),
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
        Field {
            value: day.clone(),
            input: Input::Date,
            ..Field::text("day", view.say("Day, in UTC", "날짜(UTC)"))
        },
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
    let anonymous = || view.say("Not signed in", "로그인 안 함").to_owned();
    Row {
        at: view.time(entry.at),
        who: if is_known { entry.actor_name.clone() } else { anonymous() },
        of_actor: of_actor(&entry.actor),
        via,
        what: format!("{}.{}", entry.system, entry.operation),
        subject: entry.subject.clone().unwrap_or_default(),
        outcome,
        class,
        code: entry.code.clone().unwrap_or_default(),
        address: entry.address.clone(),
        trace: entry.trace.clone(),
    }
}
