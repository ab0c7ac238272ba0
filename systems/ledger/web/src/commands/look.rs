//! Commands that print months, days, people and imports.

use std::io::Write;

use clap::Args;
use hansang_command::{Context, Failure};
use hansang_ledger::import::{import_of, imports as read_imports};
use hansang_ledger::{Month, calendar as read_calendar, name_sign_in, people_of_period, stored_months};
use jiff::civil::Date;
use reqwest::Method;
use serde_json::{Value as Json, json};

use super::arguments::OfMonth;
use super::open;
use super::place::{Place, PlaceArguments, json as json_of};
use super::show::{self, all, text, won};
use crate::api::output::{Items, ShownCalendar, ShownDay, ShownImport, ShownPeople};

/// Arguments of `months`.
#[derive(Args)]
pub(super) struct Months {
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `imports`.
#[derive(Args)]
pub(super) struct Imports {
    /// The id of one import
    import: Option<String>,
    #[command(flatten)]
    place: PlaceArguments,
}

pub(super) async fn months(ask: &Months, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let shown = match open(&ask.place, context).await? {
        Place::Table(ledger, _) => {
            json_of(Items::<String>::of(stored_months(&ledger).await?.iter().map(Month::to_string)))?
        }
        Place::Server(remote) => remote.get(&["months"], &[]).await?,
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    Ok(all(&shown, "items").try_for_each(|month| writeln!(out, "{}", text(month)))?)
}

pub(super) async fn calendar(
    ask: &OfMonth,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let month = ask.month.unwrap_or_else(|| Month::of(today));
    let shown = match open(&ask.place, context).await? {
        Place::Table(ledger, _) => {
            let days = read_calendar(&ledger, month).await?;
            let days = days.into_iter().map(|(date, day)| (date, ShownDay::from(day))).collect();
            json_of(ShownCalendar { days })?
        }
        Place::Server(remote) => remote.get(&["months", &month.to_string(), "calendar"], &[]).await?,
    };
    if ask.place.json { show::json(out, &shown) } else { sums(out, &shown["days"]) }
}

/// Arguments of `people`.
#[derive(Args)]
pub(super) struct People {
    /// The month, such as 2025.01; the current one if it is left out
    month: Option<Month>,
    /// The last month of a period
    #[arg(long, value_name = "MONTH")]
    to: Option<Month>,
    /// Say which person a sign-in is, so that what it enters counts for this person
    #[arg(long, value_name = "SIGN_IN=NAME", value_parser = named)]
    name: Vec<(String, String)>,
    /// Forget which person a sign-in is
    #[arg(long, value_name = "SIGN_IN")]
    forget: Vec<String>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// A sign-in and its person, written `01J…=배우자1`.
fn named(text: &str) -> Result<(String, String), String> {
    let (id, name) = text.rsplit_once('=').ok_or_else(|| format!("`{text}` is not SIGN_IN=NAME"))?;
    Ok((id.to_owned(), name.to_owned()))
}

pub(super) async fn people(
    ask: &People,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let from = ask.month.unwrap_or_else(|| Month::of(today));
    let to = ask.to.unwrap_or(from);
    let place = open(&ask.place, context).await?;
    let forgotten = ask.forget.iter().map(|id| (id, None));
    for (id, person) in ask.name.iter().map(|(id, name)| (id, Some(&**name))).chain(forgotten) {
        match (&place, person) {
            (Place::Table(ledger, by), person) => name_sign_in(ledger, by, id, person).await?,
            (Place::Server(remote), Some(person)) => {
                let body = json!({ "name": person });
                drop(remote.send(Method::PUT, &["sign-ins", id], &body).await?);
            }
            (Place::Server(remote), None) => remote.delete(&["sign-ins", id]).await?,
        }
    }
    let shown = match &place {
        Place::Table(ledger, _) => json_of(ShownPeople::of(people_of_period(ledger, from, to).await?))?,
        Place::Server(remote) => {
            remote.get(&["people"], &[("from", &from.to_string()), ("to", &to.to_string())]).await?
        }
    };
    if ask.place.json { show::json(out, &shown) } else { sums(out, &shown["people"]) }
}

/// What was earned, spent and saved, by day or person.
fn sums(out: &mut dyn Write, shown: &Json) -> Result<(), Failure> {
    writeln!(out, "{:>17} {:>17} {:>17}", "earned", "spent", "saved")?;
    for (name, sums) in shown.as_object().into_iter().flatten() {
        let [earned, spent, saved] = ["earned", "spent", "saved"].map(|sum| won(&sums[sum]));
        writeln!(out, "{earned:>17} {spent:>17} {saved:>17}  {name}")?;
    }
    Ok(())
}

pub(super) async fn imports(ask: &Imports, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let shown = match (open(&ask.place, context).await?, &ask.import) {
        (Place::Table(ledger, _), None) => json_of(Items::<ShownImport>::of(read_imports(&ledger).await?))?,
        (Place::Table(ledger, _), Some(id)) => json_of(ShownImport::from(import_of(&ledger, id).await?))?,
        (Place::Server(remote), None) => remote.get(&["imports"], &[]).await?,
        (Place::Server(remote), Some(id)) => remote.get(&["imports", id], &[]).await?,
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    let shown = if ask.import.is_some() { json!({ "items": [shown] }) } else { shown };
    for import in all(&shown, "items") {
        let [id, status, file] = ["importId", "status", "file"].map(|name| text(&import[name]));
        writeln!(out, "{id} {status} {} of {} rows {file}", import["added"], import["rows"])?;
    }
    Ok(())
}
