//! Recurring entries.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::future::try_join_all;
use hansang_access::Role;
use hansang_core::validate::violation;
use hansang_core::{Error, Message, message};
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{Month, Rule, held, rules};
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

use super::amount::amount;
use super::one_line::choices;
use super::words::{Money, kind_name, subject_key, subject_name, subject_of};
use super::{Pages, START, by};
use crate::actions::{DELETE_RULE, SET_RULE};
use crate::messages;

/// The fields that can show a problem.
const FIELDS: [&str; 7] = ["entry", "text", "amount", "day", "yearly", "from", "until"];

#[derive(Template)]
#[template(path = "ledger/rules.html")]
struct Rules {
    frame: Frame,
    rules: Vec<Shown>,
    fields: Vec<Field>,
    /// The id of the rule that is being changed; empty for a new one.
    changed: String,
    problems: Problems,
}

/// A rule of the list.
struct Shown {
    id: String,
    name: String,
    text: String,
    amount: Money,
    when: String,
    next: String,
    /// Why nothing is entered any more, if there is a reason.
    held: Option<String>,
}

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, takes) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View| {
        show(&shows, view, StatusCode::OK, &Form::default(), Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        take(&takes, &caller, view, &sent).await
    });
    Route::page(&format!("{START}/recurring"), pages.needs(Role::Viewer), handler)
}

async fn show(
    pages: &Pages,
    view: View,
    status: StatusCode,
    sent: &Form,
    problems: Problems,
) -> Result<Response, Problem> {
    let found = pages.calls.measured("rules", rules(&pages.ledger)).await?;
    let reasons = try_join_all(found.iter().map(|rule| held(&pages.ledger, rule))).await?;
    // `?rule=` names the rule to change; a refused form says it again.
    let asked = view.asked().text("rule").to_owned();
    let changed = if sent.text("rule").is_empty() { asked } else { sent.text("rule").to_owned() };
    let old = found.iter().find(|rule| rule.rule_id == changed);
    let fields = fields(pages, &view, old).await?;
    let title = view.say("Recurring", "반복").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let shown = |(rule, held): (&Rule, &Option<Message>)| Shown {
        held: held.as_ref().map(|why| view.sentence(why)),
        id: rule.rule_id.clone(),
        name: format!("{} · {}", kind_name(view, rule.subject.kind), subject_name(view, &rule.subject)),
        text: rule.text.clone(),
        amount: Money::of(view, rule.amount),
        when: when(view, rule),
        next: rule.next().map(|(_, date)| date.to_string()).unwrap_or_default(),
    };
    let page_of = Rules {
        rules: found.iter().zip(&reasons).map(shown).collect(),
        fields: fields.into_iter().map(|field| field.sent(sent, &problems)).collect(),
        changed: old.map(|rule| rule.rule_id.clone()).unwrap_or_default(),
        problems,
        frame,
    };
    Ok(page(status, &page_of))
}

fn when(view: &View, rule: &Rule) -> String {
    let day = match rule.day {
        31 => view.fill("on the last day", "말일"),
        day => view.fill("on day {0}", "{0}일").with(day),
    };
    let text = match rule.yearly {
        Some(month) => view.fill("Every year in month {0}, {1}", "매년 {0}월 {1}").with(month),
        None => view.fill("Every month {0}", "매월 {0}"),
    };
    text.with(day).to_string()
}

/// The fields of a rule, or of a new one.
async fn fields(pages: &Pages, view: &View, old: Option<&Rule>) -> Result<Vec<Field>, Error> {
    let typed = |month: Month| month.to_string().replace('.', "-");
    let from = old.map_or_else(|| Month::of(pages.ledger.today()), |rule| rule.from);
    let mut entries = choices(pages, view).await?;
    if let Some(rule) = old.filter(|rule| !entries.iter().any(|(key, _)| *key == subject_key(&rule.subject)))
    {
        entries.push((subject_key(&rule.subject), subject_name(view, &rule.subject)));
    }
    let mut months = vec![(String::new(), view.say("Every month", "매월").to_owned())];
    months.extend((1..=12).map(|month| {
        (month.to_string(), view.fill("Every year in month {0}", "매년 {0}월").with(month).to_string())
    }));
    let day = |day: i64| {
        let name =
            if day == 31 { view.fill("Last day", "말일") } else { view.fill("{0}", "{0}일").with(day) };
        (day.to_string(), name.to_string())
    };
    let text = |of: fn(&Rule) -> String| old.map(of).unwrap_or_default();
    Ok(vec![
        Field {
            value: text(|rule| subject_key(&rule.subject)),
            input: Input::Choice(entries),
            ..Field::text("entry", view.say("Category", "항목"))
        },
        Field {
            value: text(|rule| hansang_ui::number::grouped(&rule.amount.to_string())),
            ..Field::text("amount", view.say("Amount", "금액"))
        },
        Field {
            value: text(|rule| rule.text.clone()),
            required: false,
            ..Field::text("text", view.say("Note", "내용"))
        },
        Field {
            value: text(|rule| rule.yearly.map(|month| month.to_string()).unwrap_or_default()),
            input: Input::Choice(months),
            required: false,
            ..Field::text("yearly", view.say("Repeats", "주기"))
        },
        Field {
            value: text(|rule| rule.day.to_string()),
            input: Input::Choice((1..=31).map(day).collect()),
            ..Field::text("day", view.say("Day", "날짜"))
        },
        Field {
            value: typed(from), input: Input::Month, ..Field::text("from", view.say("From", "시작 월"))
        },
        Field {
            value: old.and_then(|rule| rule.until).map(typed).unwrap_or_default(),
            input: Input::Month,
            required: false,
            hint: view.say("Goes on if empty", "비우면 계속됩니다").to_owned(),
            ..Field::text("until", view.say("Until", "종료 월"))
        },
    ])
}

async fn take(pages: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    pages.check_editor(&view)?;
    let (by, here) = (by(caller)?, format!("{START}/recurring"));
    if sent.text("do") == "delete" {
        let id = sent.text("rule").to_owned();
        pages.act(&DELETE_RULE, caller, id).await?;
        return Ok(Redirect::to(&notice::DELETED.at(&here)).into_response());
    }
    let saved = match rule(sent, &by) {
        Ok(rule) => pages.act(&SET_RULE, caller, rule).await,
        Err(error) => Err(error),
    };
    match saved {
        Ok(_) => Ok(Redirect::to(&notice::SAVED.at(&here)).into_response()),
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &FIELDS, view.language);
            show(pages, view, problem.status, sent, problems).await
        }
    }
}

/// The rule in a form, or all its problems.
fn rule(sent: &Form, by: &str) -> Result<Rule, Error> {
    let mut wrong = Vec::new();
    let month = |name: &str| sent.text(name).replace('-', ".").parse::<Month>();
    let subject = subject_of(sent.text("entry"));
    if subject.is_none() {
        wrong.push(violation("entry", message!(messages::CHOOSE_ENTRY)));
    }
    let amount = amount(sent.text("amount"));
    if amount.is_none() {
        wrong.push(violation("amount", message!(messages::AMOUNT)));
    }
    let from = month("from").map_err(|error| wrong.push(violation("from", error.message))).ok();
    let until = match sent.text("until") {
        "" => None,
        _ => month("until").map_err(|error| wrong.push(violation("until", error.message))).ok(),
    };
    match (subject, amount, from) {
        (Some(subject), Some(amount), Some(from)) if wrong.is_empty() => Ok(Rule {
            rule_id: sent.text("rule").to_owned(),
            subject,
            text: sent.text("text").trim().to_owned(),
            amount,
            day: sent.text("day").parse().unwrap_or_default(),
            yearly: sent.text("yearly").parse().ok(),
            from,
            until,
            by: by.to_owned(),
            done_through: None,
        }),
        _ => Err(Error::fields(wrong)),
    }
}
