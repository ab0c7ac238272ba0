//! Commands that change the ledger.

use std::io::Write;
use std::process::ExitCode;

use hansang_command::{Context, Failure};
use hansang_ledger::import::undo_import;
use hansang_ledger::{Month, NewEntry, NewLine, Subject, add_line, replace, undo as undo_change};
use jiff::civil::Date;
use reqwest::Method;
use serde_json::{Value as Json, json};

use super::arguments::{Add, EntryAmount, Recalculate, Set, Undo};
use super::open;
use super::place::{Place, json as json_of};
use super::show::{self, all, text, won};
use crate::api::output::{ShownAmount, ShownCheck, ShownImport, ShownLine, ShownSeq};

pub(super) async fn add(
    ask: Add,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let subject = subject(&ask.entry)?;
    let (date, EntryAmount { amount, text, .. }) = (ask.date.unwrap_or(today), ask.entry);
    let shown = match open(&ask.place, context).await? {
        Place::Table(ledger, by) => {
            let new = NewLine { id: None, subject, date, text, amount };
            json_of(ShownLine::from(add_line(&ledger, &by, new).await?))?
        }
        Place::Server(remote) => {
            let mut body = json!({ "date": date.to_string(), "text": text, "amount": amount });
            name_entry(&mut body, &subject);
            remote.send(Method::POST, &["lines"], &body).await?
        }
    };
    if ask.place.json { show::json(out, &shown) } else { show::line(out, &shown) }
}

pub(super) async fn set(
    ask: Set,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let subject = subject(&ask.entry)?;
    let month = ask.month.unwrap_or_else(|| Month::of(today));
    let EntryAmount { amount, text, .. } = ask.entry;
    let shown = match open(&ask.place, context).await? {
        Place::Table(ledger, by) => {
            let new = NewEntry { month, subject: subject.clone(), amount, text };
            json_of(ShownAmount { amount: replace(&ledger, &by, &new).await? })?
        }
        Place::Server(remote) => {
            let detail = subject.detail().unwrap_or("-");
            let month = month.to_string();
            let names = ["months", &month, "entries", subject.kind.name(), &subject.name, detail];
            remote.send(Method::PUT, &names, &json!({ "amount": amount, "text": text })).await?
        }
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    Ok(writeln!(out, "{:>17}  {month} {subject}", won(&shown["amount"]))?)
}

pub(super) async fn undo(ask: &Undo, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let place = open(&ask.place, context).await?;
    let seq = i64::from(ask.change.unwrap_or_default());
    let shown = match (place, &ask.import) {
        (Place::Table(ledger, by), None) => json_of(ShownSeq { seq: undo_change(&ledger, &by, seq).await? })?,
        (Place::Table(ledger, by), Some(id)) => {
            json_of(ShownImport::from(undo_import(&ledger, &by, id).await?))?
        }
        (Place::Server(remote), None) => {
            remote.send(Method::POST, &["history", &seq.to_string(), "undo"], &Json::Null).await?
        }
        (Place::Server(remote), Some(id)) => {
            remote.send(Method::POST, &["imports", id, "undo"], &Json::Null).await?
        }
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    match &ask.import {
        Some(id) => writeln!(out, "import {id} is undone")?,
        None => writeln!(out, "change {seq} is undone by change {}", shown["seq"])?,
    }
    Ok(())
}

pub(super) async fn recalculate(
    ask: &Recalculate,
    context: &Context,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let shown = match open(&ask.place, context).await? {
        Place::Table(ledger, by) => {
            let done = hansang_ledger::recalculate(&ledger, &by, ask.from, ask.check).await?;
            json_of(ShownCheck::from(done))?
        }
        Place::Server(remote) => {
            let mut body = json!({ "check": ask.check });
            if let Some(from) = ask.from {
                body["from"] = from.to_string().into();
            }
            remote.send(Method::POST, &["recalculate"], &body).await?
        }
    };
    let count = all(&shown, "problems").count();
    if ask.place.json {
        show::json(out, &shown)?;
    } else {
        for problem in all(&shown, "problems") {
            writeln!(out, "{}", text(problem))?;
        }
        let months = &shown["months"];
        match (count, ask.check) {
            (0, _) => writeln!(out, "{months} months add up")?,
            (_, true) => writeln!(out, "{months} months, {count} differences")?,
            (_, false) => writeln!(out, "{months} months, {count} differences corrected")?,
        }
    }
    Ok(if ask.check && count > 0 { ExitCode::from(4) } else { ExitCode::SUCCESS })
}

pub(super) fn subject(entry: &EntryAmount) -> Result<Subject, Failure> {
    Ok(Subject::new(entry.kind, &entry.name, entry.detail.as_deref())?)
}

/// Names an entry in a body.
pub(super) fn name_entry(body: &mut Json, subject: &Subject) {
    body["kind"] = subject.kind.name().into();
    body["name"] = subject.name.as_str().into();
    if let Some(detail) = subject.detail() {
        body["detail"] = detail.into();
    }
}
