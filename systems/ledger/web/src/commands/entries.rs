//! Commands for whole entries: look, create, delete, move, copy a month.

use std::io::Write;

use clap::Args;
use hansang_command::{Context, Failure};
use hansang_ledger::{
    EntryAmount, Kind, Month, NewEntry, Subject, copy_month, create as create_entry, delete as delete_entry,
    lines_of_entry, relocate as relocate_entry,
};
use jiff::civil::Date;
use reqwest::Method;
use serde_json::{Value as Json, json};

use super::arguments::{self, OfMonth, Set};
use super::change::{name_entry, subject};
use super::open;
use super::place::{Place, PlaceArguments, json as json_of};
use super::show::{self, all, won};
use crate::api::output::{EntryWithLines, ShownAmount, ShownCopy, ShownCount, ShownLine};

/// The entry of a command.
#[derive(Args)]
pub(super) struct Entry {
    /// INCOME, FIXED_EXPENSE, LIVING_EXPENSE, SAVINGS, INVESTMENT or SHORT_SAVINGS
    kind: Kind,
    /// The person, expense type, category or account
    name: String,
    /// The income type, or 적립 or 지출 of a short-term account
    #[arg(long)]
    detail: Option<String>,
    /// The month; the current one if it is left out
    #[arg(long)]
    month: Option<Month>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `move`.
#[derive(Args)]
pub(super) struct Move {
    #[command(flatten)]
    entry: Entry,
    /// The month that it moves to
    #[arg(long, value_name = "MONTH")]
    to: Month,
}

impl Entry {
    fn subject(&self) -> Result<Subject, Failure> {
        Ok(Subject::new(self.kind, &self.name, self.detail.as_deref())?)
    }

    fn month(&self, today: Date) -> Month {
        self.month.unwrap_or_else(|| Month::of(today))
    }
}

/// The path of an entry below `/api/ledger`.
fn path<'p>(month: &'p str, subject: &'p Subject) -> [&'p str; 6] {
    ["months", month, "entries", subject.kind.name(), &subject.name, subject.detail().unwrap_or("-")]
}

pub(super) async fn entry(
    ask: &Entry,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (subject, month) = (ask.subject()?, ask.month(today));
    let name = month.to_string();
    let shown = match open(&ask.place, context).await? {
        Place::Table(ledger, _) => {
            let (amount, lines) = lines_of_entry(&ledger, month, &subject).await?;
            let lines = lines.into_iter().map(ShownLine::from).collect();
            let entry = EntryAmount { subject: subject.clone(), amount }.into();
            json_of(EntryWithLines { month: name, entry, lines, next: None })?
        }
        Place::Server(remote) => {
            let (mut entry, lines) = remote.pages(&path(&name, &subject), "lines").await?;
            entry["lines"] = lines.into();
            entry["next"] = Json::Null;
            entry
        }
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    show_amount(out, &shown, month, &subject)?;
    all(&shown, "lines").try_for_each(|line| show::line(out, line))
}

fn show_amount(out: &mut dyn Write, shown: &Json, month: Month, subject: &Subject) -> Result<(), Failure> {
    Ok(writeln!(out, "{:>17}  {month} {subject}", won(&shown["amount"]))?)
}

pub(super) async fn create(
    ask: Set,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let subject = subject(&ask.entry)?;
    let month = ask.month.unwrap_or_else(|| Month::of(today));
    let arguments::EntryAmount { amount, text, .. } = ask.entry;
    let shown = match open(&ask.place, context).await? {
        Place::Table(ledger, by) => {
            let new = NewEntry { month, subject: subject.clone(), amount, text };
            json_of(ShownAmount { amount: create_entry(&ledger, &by, &new).await? })?
        }
        Place::Server(remote) => {
            let mut body = json!({ "amount": amount, "text": text });
            name_entry(&mut body, &subject);
            remote.send(Method::POST, &["months", &month.to_string(), "entries"], &body).await?
        }
    };
    if ask.place.json { show::json(out, &shown) } else { show_amount(out, &shown, month, &subject) }
}

pub(super) async fn delete(
    ask: &Entry,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (subject, month) = (ask.subject()?, ask.month(today));
    match open(&ask.place, context).await? {
        Place::Table(ledger, by) => drop(delete_entry(&ledger, &by, month, &subject).await?),
        Place::Server(remote) => remote.delete(&path(&month.to_string(), &subject)).await?,
    }
    answer(ask, out, format!("{month} {subject} is deleted"))
}

pub(super) async fn relocate(
    ask: &Move,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (subject, month, to) = (ask.entry.subject()?, ask.entry.month(today), ask.to);
    match open(&ask.entry.place, context).await? {
        Place::Table(ledger, by) => relocate_entry(&ledger, &by, month, &subject, to).await?,
        Place::Server(remote) => {
            let name = month.to_string();
            let names = [&path(&name, &subject)[..], &["move"]].concat();
            remote.send(Method::POST, &names, &json!({ "to": to.to_string() })).await?;
        }
    }
    answer(&ask.entry, out, format!("{month} {subject} is in {to} now"))
}

fn answer(ask: &Entry, out: &mut dyn Write, told: String) -> Result<(), Failure> {
    if ask.place.json {
        return show::json(out, &json_of(ShownCount { count: 1 })?);
    }
    Ok(writeln!(out, "{told}")?)
}

pub(super) async fn copy(
    ask: &OfMonth,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let month = ask.month.unwrap_or_else(|| Month::of(today));
    let shown = match open(&ask.place, context).await? {
        Place::Table(ledger, by) => json_of(ShownCopy::from(copy_month(&ledger, &by, month).await?))?,
        Place::Server(remote) => {
            remote.send(Method::POST, &["months", &month.to_string(), "copy"], &Json::Null).await?
        }
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    writeln!(out, "{} entries are copied to {month}", shown["count"])?;
    for one in show::all(&shown, "recurring") {
        writeln!(out, "{} is left to its recurring entry", show::entry(one))?;
    }
    for one in show::all(&shown, "refused") {
        writeln!(out, "{} is not copied: {}", show::entry(one), show::text(&one["reason"]))?;
    }
    Ok(())
}
