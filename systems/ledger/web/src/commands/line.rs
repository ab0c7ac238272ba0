//! `hansang ledger line`: one line, after changing or deleting it.

use std::io::Write;

use clap::Args;
use hansang_command::{Context, Failure};
use hansang_ledger::{Kind, LineChange, Month, Subject, change_line, delete_line, find_line};
use jiff::civil::Date;
use reqwest::Method;
use serde_json::{Value as Json, json};

use super::change::name_entry;
use super::open;
use super::place::{Place, PlaceArguments, json as json_of};
use super::show;
use crate::api::output::{ShownCount, ShownLine};

/// Arguments of `line`.
#[derive(Args)]
pub(super) struct One {
    /// The month of the line
    month: Month,
    /// The id of the line, as `lines --ids` prints it
    id: String,
    /// Move it to an entry of this kind
    #[arg(long, requires = "name")]
    kind: Option<Kind>,
    /// The person, expense type, category or account of the entry it moves to
    #[arg(long, requires = "kind")]
    name: Option<String>,
    /// The income type or transaction type of the entry it moves to
    #[arg(long, requires = "kind")]
    detail: Option<String>,
    /// Set its date, which may be in another month
    #[arg(long, value_parser = hansang_ledger::date)]
    date: Option<Date>,
    /// Set its purpose
    #[arg(long)]
    text: Option<String>,
    /// Set its amount
    #[arg(long, allow_negative_numbers = true)]
    amount: Option<i64>,
    /// Delete it
    #[arg(long, conflicts_with_all = ["kind", "name", "detail", "date", "text", "amount"])]
    delete: bool,
    #[command(flatten)]
    place: PlaceArguments,
}

impl One {
    fn change(&self) -> Result<LineChange, Failure> {
        let both = self.kind.zip(self.name.as_deref());
        let subject =
            both.map(|(kind, name)| Subject::new(kind, name, self.detail.as_deref())).transpose()?;
        let (text, amount) = (self.text.clone(), self.amount);
        Ok(LineChange { subject, date: self.date, text, amount, seq: None })
    }
}

pub(super) async fn line(ask: One, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let (change, month) = (ask.change()?, ask.month.to_string());
    let (path, is_change) = (["lines", &month, &ask.id], change != LineChange::default());
    let place = open(&ask.place, context).await?;
    if ask.delete {
        match place {
            Place::Table(ledger, by) => delete_line(&ledger, &by, ask.month, &ask.id).await?,
            Place::Server(remote) => remote.delete(&path).await?,
        }
        if ask.place.json {
            return show::json(out, &json_of(ShownCount { count: 1 })?);
        }
        return Ok(writeln!(out, "line {} is deleted", ask.id)?);
    }
    let shown = match place {
        Place::Table(ledger, by) if is_change => {
            json_of(ShownLine::from(change_line(&ledger, &by, ask.month, &ask.id, change).await?))?
        }
        Place::Table(ledger, _) => json_of(ShownLine::from(find_line(&ledger, ask.month, &ask.id).await?))?,
        Place::Server(remote) if is_change => remote.send(Method::PATCH, &path, &body(&change)).await?,
        Place::Server(remote) => remote.get(&path, &[]).await?,
    };
    if ask.place.json { show::json(out, &shown) } else { show::line(out, &shown) }
}

/// The body of a change.
fn body(change: &LineChange) -> Json {
    let mut body = json!({});
    if let Some(subject) = &change.subject {
        name_entry(&mut body, subject);
    }
    let date = change.date.map(|date| ("date", json!(date.to_string())));
    let text = change.text.as_ref().map(|text| ("text", json!(text)));
    let amount = change.amount.map(|amount| ("amount", json!(amount)));
    for (name, value) in [date, text, amount].into_iter().flatten() {
        body[name] = value;
    }
    body
}
