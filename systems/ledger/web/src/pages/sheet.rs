//! The sheet of a month: every entry of a kind with its amount in a field.

use std::collections::BTreeMap;

use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::{Error, ErrorKind, Message};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{
    CodeType, Codes, Kind, LedgerCode, Month, NewEntry, PAID_IN, Subject, TAKEN_OUT, lines_of_entry, month,
};
use hansang_server::Caller;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

use super::amount::amount;
use super::words::{Money, MonthLinks, kind_name, kind_of, kind_slug, subject_key, subject_name, subject_of};
use super::{Pages, START, keep_month};
use crate::actions::{COPY_MONTH, DELETE_LINE, REPLACE_ENTRY_IF};
use crate::messages;
use crate::notices;

#[derive(Template)]
#[template(path = "ledger/sheet.html")]
struct Sheet {
    frame: Frame,
    month: MonthLinks,
    kinds: Vec<(String, &'static str, bool)>,
    here: String,
    /// The kind in forms.
    kind: &'static str,
    rows: Vec<SheetRow>,
    sum: Money,
    last_sum: Money,
    /// The message of a form that was not saved, or not all of it.
    refused: Option<String>,
}

/// A row: an entry of this month beside that of the month before.
struct SheetRow {
    /// The name of the field.
    key: String,
    name: String,
    /// The text in the field.
    value: String,
    /// The stored amount, which the form sends back.
    was: String,
    last: Option<Money>,
    problem: Option<String>,
    lines: String,
}

/// The problems of rows by their keys, with the typed texts.
type Typed = BTreeMap<String, (String, Option<String>)>;

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, saves) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View, headers: HeaderMap, key: PathKey| {
        let kind = kind(&key)?;
        // The month of a form that is shown again, otherwise the chosen one.
        let typed = view.draft.text("month").parse().ok();
        let month = typed.unwrap_or_else(|| shows.month(&view, &headers));
        show(&shows, view, kind, month, StatusCode::OK, Typed::new(), None).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        save(&saves, &caller, view, kind(&key)?, &sent).await
    });
    Route::page(&format!("{START}/sheet/{{kind}}"), pages.needs(Role::Viewer), handler)
}

/// Copies the entries of the last month that this month does not have.
pub(super) fn copy_route(pages: &Pages) -> Route {
    let copies = pages.clone();
    let handler = on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        copy(&copies, &caller, view, &sent).await
    });
    Route::page(&format!("{START}/copy"), pages.needs(Role::Editor), handler)
}

async fn copy(pages: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    let asked: Month = sent.text("month").parse()?;
    let kind = kind_of(sent.text("kind")).unwrap_or(Kind::LivingExpense);
    match pages.act(&COPY_MONTH, caller, asked).await {
        Ok(copied) if !copied.refused.is_empty() => {
            let one = |(subject, why): &(Subject, Message)| {
                let name = subject_name(&view, subject);
                view.fill("Not copied: {0}.", "복사하지 않음: {0}.").with(name).to_string()
                    + " "
                    + &view.sentence(why)
            };
            let refused = Some(copied.refused.iter().map(one).collect::<Vec<_>>().join(" "));
            show(pages, view, kind, asked, StatusCode::OK, Typed::new(), refused).await
        }
        Ok(copied) => {
            let here = at(kind, asked);
            let is_whole = copied.recurring.is_empty();
            let notice = if is_whole { notices::COPIED } else { notices::COPIED_WITHOUT_RECURRING };
            Ok(match copied.changes[..] {
                [] => Redirect::to(&notices::NOTHING_COPIED.at(&here)).into_response(),
                [seq] => notice.redirect_with_undo(&here, &format!("{START}/history/{seq}/undo")),
                _ => Redirect::to(&notice.at(&here)).into_response(),
            })
        }
        Err(error) if error.code == LedgerCode::NothingToCopy => {
            let refused = Some(view.sentence(&error.message));
            let status = Problem::from(error).status;
            show(pages, view, kind, asked, status, Typed::new(), refused).await
        }
        Err(error) => Err(error.into()),
    }
}

fn kind(key: &PathKey) -> Result<Kind, Error> {
    kind_of(&key.text("kind")).ok_or_else(|| {
        Error::not_found(LedgerCode::KindUnknown, hansang_core::message!(messages::NO_SUCH_PAGE))
    })
}

fn at(kind: Kind, month: Month) -> String {
    format!("{START}/sheet/{}?month={month}", kind_slug(kind))
}

async fn show(
    pages: &Pages,
    view: View,
    kind: Kind,
    asked: Month,
    status: StatusCode,
    typed: Typed,
    refused: Option<String>,
) -> Result<Response, Problem> {
    let read = async {
        let codes = pages.ledger.codes().await?;
        Ok((codes, month(&pages.ledger, asked).await?, month(&pages.ledger, asked.plus(-1)).await?))
    }
    .boxed();
    let (codes, now, before) = pages.calls.measured("sheet", read).await?;
    let amounts = |view: &hansang_ledger::MonthView| -> BTreeMap<Subject, i64> {
        let own = view.entries.iter().filter(|entry| entry.subject.kind == kind);
        own.map(|entry| (entry.subject.clone(), entry.amount)).collect()
    };
    let (now, before) = (amounts(&now), amounts(&before));
    let title = kind_name(&view, kind);
    let frame = pages.frame(view, title);
    let view = &frame.view;
    let row = |subject: Subject| {
        let key = subject_key(&subject);
        let stored = now.get(&subject).map(ToString::to_string).unwrap_or_default();
        // A form that is shown again keeps what was typed, and the amount that it was typed over.
        let draft = |name: &str| view.draft.get(name).map(str::to_owned);
        let typed = typed.get(&key).cloned().or_else(|| Some((draft(&key)?, None)));
        let (value, problem) = typed.unwrap_or_else(|| (grouped(&stored), None));
        SheetRow {
            name: subject_name(view, &subject),
            value,
            was: draft(&format!("was:{key}")).unwrap_or(stored),
            last: before.get(&subject).map(|amount| Money::of(view, *amount)),
            problem,
            lines: lines_address(asked, &key),
            key,
        }
    };
    let sheet = Sheet {
        month: MonthLinks::new(
            view,
            &format!("{START}/sheet/{}", kind_slug(kind)),
            asked,
            Month::of(pages.ledger.today()),
        ),
        kinds: Kind::ALL
            .map(|one| (format!("{START}/sheet/{}", kind_slug(one)), kind_name(view, one), one == kind))
            .into(),
        here: format!("{START}/sheet/{}", kind_slug(kind)),
        kind: kind_slug(kind),
        rows: subjects(&codes, kind, now.keys().chain(before.keys())).into_iter().map(row).collect(),
        sum: Money::of(view, now.values().sum()),
        last_sum: Money::of(view, before.values().sum()),
        refused,
        frame,
    };
    Ok(keep_month(page(status, &sheet), &sheet.frame.view, asked))
}

fn grouped(number: &str) -> String {
    hansang_ui::number::grouped(number)
}

/// The address of the lines of an entry.
pub(super) fn lines_address(month: Month, key: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("month", &month.to_string())
        .append_pair("entry", key)
        .finish();
    format!("{START}/lines?{query}")
}

/// The entries that a sheet offers: all codes in their order, then stored entries whose code was removed.
pub(super) fn subjects<'s>(
    codes: &Codes,
    kind: Kind,
    stored: impl Iterator<Item = &'s Subject>,
) -> Vec<Subject> {
    let pairs = |names: Vec<&str>, details: Vec<&str>| -> Vec<Subject> {
        let all = names.iter().flat_map(|name| details.iter().map(move |detail| (*name, *detail)));
        all.filter_map(|(name, detail)| Subject::new(kind, name, Some(detail)).ok()).collect()
    };
    let list = |list: CodeType| codes.list(list).iter().map(String::as_str).collect::<Vec<_>>();
    let single =
        |names: Vec<&str>| names.iter().filter_map(|name| Subject::new(kind, name, None).ok()).collect();
    let mut all: Vec<Subject> = match kind {
        Kind::Income => pairs(list(CodeType::Name), list(CodeType::IncomeType)),
        Kind::FixedExpense => single(list(CodeType::FixedExpenseType)),
        Kind::LivingExpense => single(list(CodeType::LivingExpenseCategory)),
        Kind::Savings | Kind::Investment => single(codes.accounts_of(kind).collect()),
        Kind::ShortSavings => pairs(codes.accounts_of(kind).collect(), vec![PAID_IN, TAKEN_OUT]),
    };
    for subject in stored {
        if !all.contains(subject) {
            all.push(subject.clone());
        }
    }
    all
}

/// Saves the fields that were changed. A field whose entry was changed elsewhere is shown again with both amounts.
async fn save(
    pages: &Pages,
    caller: &Caller,
    view: View,
    kind: Kind,
    sent: &Form,
) -> Result<Response, Problem> {
    pages.check_editor(&view)?;
    let asked: Month = sent.text("month").parse()?;
    let now = month(&pages.ledger, asked).await?;
    let stored =
        |subject: &Subject| now.entries.iter().find(|entry| entry.subject == *subject).map(|one| one.amount);
    let (mut typed, mut failed, mut deleted) = (Typed::new(), false, Vec::new());
    for (key, text) in sent.pairs() {
        let Some(subject) = subject_of(key).filter(|subject| subject.kind == kind) else { continue };
        let was = sent.text(&format!("was:{key}")).parse::<i64>().ok();
        let result = match amount(text) {
            None if text.trim().is_empty() && was.is_none() => continue,
            None if text.trim().is_empty() => {
                match emptied(pages, caller, &view, asked, &subject, was).await? {
                    Ok(seq) => {
                        deleted.push(seq);
                        Ok(())
                    }
                    Err(problem) => Err(problem),
                }
            }
            None => Err(view
                .say(
                    "Enter whole won, such as 12000 or 12000+3500",
                    "12000 또는 12000+3500처럼 원 단위로 입력하세요",
                )
                .to_owned()),
            Some(amount) if Some(amount) == was => continue,
            Some(amount) if stored(&subject) == Some(amount) => continue,
            Some(amount) => {
                let new = NewEntry { month: asked, subject, amount, text: String::new() };
                put(pages, caller, &view, new, was).await?
            }
        };
        failed |= result.is_err();
        if let Err(problem) = result {
            typed.insert(key.to_owned(), (text.to_owned(), Some(problem)));
        }
    }
    if let ([seq], false) = (&deleted[..], failed) {
        return Ok(notice::SAVED.redirect_with_undo(&at(kind, asked), &format!("{START}/history/{seq}/undo")));
    }
    if !failed {
        return Ok(Redirect::to(&notice::SAVED.at(&at(kind, asked))).into_response());
    }
    let refused = view.say(
        "Some fields were not saved: look at what is marked below.",
        "저장하지 못한 항목이 있습니다. 아래 표시를 확인하세요.",
    );
    let refused = Some(refused.to_owned());
    show(pages, view, kind, asked, StatusCode::UNPROCESSABLE_ENTITY, typed, refused).await
}

/// Deletes an entry whose field was emptied, if it has one transaction. Several are not deleted by one key: they are on a
/// page of their own.
async fn emptied(
    pages: &Pages,
    caller: &Caller,
    view: &View,
    at: Month,
    subject: &Subject,
    was: Option<i64>,
) -> Result<Result<i64, String>, Problem> {
    let (amount, lines) = match lines_of_entry(&pages.ledger, at, subject).await {
        Ok((amount, lines)) => (Some(amount), lines),
        Err(error) if error.kind == ErrorKind::NotFound => (None, Vec::new()),
        Err(error) => return Err(error.into()),
    };
    if amount != was {
        return Ok(Err(changed(view, amount)));
    }
    let [line] = &lines[..] else {
        let text = view.fill(
            "This entry has {0} transactions. Open them on the right to delete it, or enter 0",
            "내역이 {0}건 있는 항목입니다. 오른쪽 내역 화면에서 지우거나 0을 입력하세요",
        );
        return Ok(Err(text.with(lines.len()).to_string()));
    };
    let seq = pages.act(&DELETE_LINE, caller, (at, line.line_id.clone(), Some(line.seq))).await;
    match seq {
        Ok(seq) => Ok(Ok(seq)),
        Err(error) if error.code == LedgerCode::LineChanged => Ok(Err(changed(view, amount))),
        Err(error) => Err(error.into()),
    }
}

/// Saves an entry that has the amount that the person saw. A refusal becomes the problem of its field.
async fn put(
    pages: &Pages,
    caller: &Caller,
    view: &View,
    new: NewEntry,
    was: Option<i64>,
) -> Result<Result<(), String>, Problem> {
    let (at, subject) = (new.month, new.subject.clone());
    match pages.act(&REPLACE_ENTRY_IF, caller, (new, was)).await {
        Ok(_) => Ok(Ok(())),
        Err(error) if error.code == LedgerCode::EntryChanged => {
            let now = month(&pages.ledger, at).await?;
            let now = now.entries.iter().find(|entry| entry.subject == subject).map(|entry| entry.amount);
            Ok(Err(changed(view, now)))
        }
        Err(error) if error.kind == ErrorKind::Invalid => Ok(Err(view.sentence(&error.message))),
        Err(error) => Err(error.into()),
    }
}

fn changed(view: &View, now: Option<i64>) -> String {
    let now =
        now.map_or_else(|| view.say("empty", "비어 있음").to_owned(), |now| super::words::won(view, now));
    let text = view.fill(
        "This was changed elsewhere (now {0}). Review, then save again",
        "그사이 다른 곳에서 바뀌었습니다(현재 {0}). 확인하고 다시 저장하세요",
    );
    text.with(now).to_string()
}
