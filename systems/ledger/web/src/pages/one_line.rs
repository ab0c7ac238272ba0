//! One transaction: change or delete it.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{Kind, Line, LineChange, Month, NewLine, date, find_line};
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

use super::amount::amount;
use super::past::line_text;
use super::sheet::subjects;
use super::words::{kind_name, person, source_name, subject_key, subject_name, subject_of};
use super::{Pages, START};
use crate::actions::{CHANGE_LINE, DELETE_LINE};
use crate::messages;

/// The fields that can show a problem.
pub(super) const FIELDS: [&str; 4] = ["date", "entry", "text", "amount"];

#[derive(Template)]
#[template(path = "ledger/one_line.html")]
struct OneLine {
    frame: Frame,
    here: String,
    back: String,
    /// The changes of this line.
    history: String,
    by: String,
    source: &'static str,
    fields: Vec<Field>,
    problems: Problems,
    /// The last change of the line that the visitor has seen.
    seq: i64,
    /// The line as another person left it, beside what the visitor typed.
    now: Option<String>,
}

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, takes) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let line = load(&shows, &key).await?;
        show(&shows, view, &line, StatusCode::OK, &Form::default(), Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        take(&takes, &caller, view, &key, &sent).await
    });
    Route::page(&format!("{START}/lines/{{month}}/{{id}}"), pages.needs(Role::Viewer), handler)
}

async fn load(pages: &Pages, key: &PathKey) -> Result<Line, Error> {
    find_line(&pages.ledger, key.text("month").parse()?, &key.text("id")).await
}

async fn show(
    pages: &Pages,
    view: View,
    line: &Line,
    status: StatusCode,
    sent: &Form,
    problems: Problems,
) -> Result<Response, Problem> {
    let people = pages.console.people(std::iter::once(&*line.by)).await;
    let fields = fields(pages, &view, line).await?;
    let title = view.say("Transaction", "내역").to_owned();
    let frame = pages.frame(view, &title);
    let is_stale = status == StatusCode::PRECONDITION_FAILED;
    let shown = OneLine {
        seq: line.seq,
        now: is_stale.then(|| line_text(&frame.view, line)),
        here: format!("{START}/lines/{}/{}", line.month, line.line_id),
        back: format!("{START}/lines?month={}", line.month),
        history: format!("{START}/history?line={}", line.line_id),
        by: person(&frame.view, &people, &line.by),
        source: source_name(&frame.view, line.source),
        fields: fields.into_iter().map(|field| field.sent(sent, &problems)).collect(),
        problems,
        frame,
    };
    Ok(page(status, &shown))
}

async fn fields(pages: &Pages, view: &View, line: &Line) -> Result<Vec<Field>, Error> {
    let mut choices = choices(pages, view).await?;
    let own = subject_key(&line.subject);
    if !choices.iter().any(|(key, _)| *key == own) {
        choices.push((own.clone(), subject_name(view, &line.subject)));
    }
    Ok(vec![
        Field {
            value: line.date.clone(),
            input: Input::Date,
            ..Field::text("date", view.say("Date", "날짜"))
        },
        Field {
            value: own,
            input: Input::Choice(choices),
            ..Field::text("entry", view.say("Category", "항목"))
        },
        Field {
            value: line.text.clone(), required: false, ..Field::text("text", view.say("Note", "내용"))
        },
        Field {
            value: hansang_ui::number::grouped(&line.amount.to_string()),
            hint: view.say("Negative for a refund", "환불은 음수로 입력하세요").to_owned(),
            ..Field::text("amount", view.say("Amount", "금액"))
        },
    ])
}

/// Every entry that can be chosen, with its kind.
pub(super) async fn choices(pages: &Pages, view: &View) -> Result<Vec<(String, String)>, Error> {
    let codes = pages.ledger.codes().await?;
    let all = Kind::ALL.into_iter().flat_map(|kind| subjects(&codes, kind, std::iter::empty()));
    let choice = |subject: hansang_ledger::Subject| {
        let name = format!("{} · {}", kind_name(view, subject.kind), subject_name(view, &subject));
        (subject_key(&subject), name)
    };
    Ok(all.map(choice).collect())
}

async fn take(
    pages: &Pages,
    caller: &Caller,
    view: View,
    key: &PathKey,
    sent: &Form,
) -> Result<Response, Problem> {
    pages.check_editor(&view)?;
    let (month, id): (Month, String) = (key.text("month").parse()?, key.text("id"));
    let back = format!("{START}/lines?month={month}");
    let done = if sent.text("do") == "delete" {
        let seq = sent.text("seq").parse().ok();
        pages
            .act(&DELETE_LINE, caller, (month, id, seq))
            .await
            .map(|seq| notice::DELETED.redirect_with_undo(&back, &format!("{START}/history/{seq}/undo")))
    } else {
        let changed = match change(sent) {
            Ok(change) => pages.act(&CHANGE_LINE, caller, (month, id, change)).await,
            Err(error) => Err(error),
        };
        changed.map(|line| {
            Redirect::to(&notice::SAVED.at(&format!("{START}/lines?month={}", line.month))).into_response()
        })
    };
    match done {
        Ok(response) => Ok(response),
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &FIELDS, view.language);
            let line = load(pages, key).await?;
            show(pages, view, &line, problem.status, sent, problems).await
        }
    }
}

/// The change in a form, or all its problems.
fn change(sent: &Form) -> Result<LineChange, Error> {
    let line = typed_line(sent)?;
    Ok(LineChange {
        subject: Some(line.subject),
        date: Some(line.date),
        text: Some(line.text),
        amount: Some(line.amount),
        // Without it the change would overwrite what another person saved in the meantime.
        seq: sent.text("seq").parse().ok(),
    })
}

/// The line in a form, or all its problems.
pub(super) fn typed_line(sent: &Form) -> Result<NewLine, Error> {
    let mut wrong = Vec::new();
    let date = date(sent.text("date")).map_err(|error| wrong.push(violation("date", error.message))).ok();
    let subject = subject_of(sent.text("entry"));
    if subject.is_none() {
        wrong.push(violation("entry", message!(messages::CHOOSE_ENTRY)));
    }
    let amount = amount(sent.text("amount"));
    if amount.is_none() {
        wrong.push(violation("amount", message!(messages::AMOUNT)));
    }
    match (date, subject, amount) {
        (Some(date), Some(subject), Some(amount)) => {
            let id = sent.get("id").filter(|id| !id.is_empty()).map(str::to_owned);
            Ok(NewLine { id, subject, date, text: sent.text("text").trim().to_owned(), amount })
        }
        _ => Err(Error::fields(wrong)),
    }
}
