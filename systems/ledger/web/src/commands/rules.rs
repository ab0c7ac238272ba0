//! `hansang ledger rules`: the recurring entries, after adding, changing or deleting one.

use std::io::Write;

use clap::Args;
use hansang_command::{Context, Failure};
use hansang_ledger::{Kind, Month, Rule, Subject, delete_rule, rules as read_rules, set_rule};
use jiff::civil::Date;
use reqwest::Method;
use serde_json::{Value as Json, json};

use super::open;
use super::place::{Place, PlaceArguments, json as json_of};
use super::plan::whole;
use super::show::{self, all, entry, row, text};
use crate::api::output::{Items, ShownRule};

/// Arguments of `rules`.
#[derive(Args)]
pub(super) struct Rules {
    /// Add a recurring entry
    #[arg(long, group = "rule", num_args = 3, value_names = ["KIND", "NAME", "AMOUNT"], requires = "day", allow_negative_numbers = true)]
    add: Option<Vec<String>>,
    /// Change the recurring entry with this id; its lines stay
    #[arg(long, group = "rule", value_name = "ID")]
    change: Option<String>,
    /// Its new amount
    #[arg(long, requires = "change", allow_negative_numbers = true)]
    amount: Option<i64>,
    /// Its day of the month; the last one where a month is shorter
    #[arg(long, requires = "rule")]
    day: Option<i64>,
    /// Its month, if it recurs once a year
    #[arg(long, requires = "rule", value_name = "1-12")]
    yearly: Option<i64>,
    /// Let it recur every month
    #[arg(long, requires = "change", conflicts_with = "yearly")]
    monthly: bool,
    /// Its first month; the current one if it is left out
    #[arg(long, requires = "rule", value_name = "MONTH")]
    from: Option<Month>,
    /// Its last month
    #[arg(long, requires = "rule", value_name = "MONTH")]
    until: Option<Month>,
    /// Let it go on
    #[arg(long, requires = "change", conflicts_with = "until")]
    forever: bool,
    /// Its income type or transaction type
    #[arg(long, requires = "add")]
    detail: Option<String>,
    /// The text of its lines
    #[arg(long, requires = "rule")]
    text: Option<String>,
    /// Delete the recurring entry with this id; its lines stay
    #[arg(long, value_name = "ID", conflicts_with = "rule")]
    delete: Option<String>,
    #[command(flatten)]
    place: PlaceArguments,
}

pub(super) async fn rules(
    ask: Rules,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let new = ask.add.as_ref().map(|words| new_rule(&ask, words, today)).transpose()?;
    let place = open(&ask.place, context).await?;
    let new = match &ask.change {
        Some(id) => Some(changed(&ask, id, &list(&place).await?)?),
        None => new,
    };
    match (&place, new) {
        (Place::Table(ledger, by), Some(rule)) => drop(set_rule(ledger, by, rule).await?),
        (Place::Server(remote), Some(rule)) => {
            let (id, body) = (rule.rule_id.clone(), body(rule));
            drop(match &*id {
                "" => remote.send(Method::POST, &["rules"], &body).await?,
                id => remote.send(Method::PUT, &["rules", id], &body).await?,
            });
        }
        (Place::Table(ledger, by), None) => {
            if let Some(id) = &ask.delete {
                delete_rule(ledger, by, id).await?;
            }
        }
        (Place::Server(remote), None) => {
            if let Some(id) = &ask.delete {
                remote.delete(&["rules", id]).await?;
            }
        }
    }
    let shown = list(&place).await?;
    if ask.place.json {
        return show::json(out, &shown);
    }
    for rule in all(&shown, "items") {
        let next = rule["next"].as_str().map_or("ended".to_owned(), |date| format!("next on {date}"));
        let what = format!("{} {} ({next}) {}", entry(rule), text(&rule["text"]), text(&rule["ruleId"]));
        row(out, &rule["amount"], &what)?;
    }
    Ok(())
}

async fn list(place: &Place) -> Result<Json, Failure> {
    match place {
        Place::Table(ledger, _) => json_of(Items::<ShownRule>::of(read_rules(ledger).await?)),
        Place::Server(remote) => remote.get(&["rules"], &[]).await,
    }
}

/// The rule of the arguments.
fn new_rule(ask: &Rules, words: &[String], today: Date) -> Result<Rule, Failure> {
    let [kind, name, amount] = words else { return Err(Failure::usage("--add KIND NAME AMOUNT")) };
    Ok(Rule {
        rule_id: String::new(),
        subject: Subject::new(kind.parse::<Kind>()?, name, ask.detail.as_deref())?,
        text: ask.text.clone().unwrap_or_default(),
        amount: whole(amount)?,
        day: ask.day.unwrap_or_default(),
        yearly: ask.yearly,
        from: ask.from.unwrap_or_else(|| Month::of(today)),
        until: ask.until,
        by: String::new(),
        done_through: None,
    })
}

/// A rule of the list with the changes of the arguments.
fn changed(ask: &Rules, id: &str, list: &Json) -> Result<Rule, Failure> {
    let unknown = hansang_ledger::unknown_rule();
    let found = all(list, "items").find(|rule| rule["ruleId"] == id).ok_or(unknown)?;
    let mut stored = found.clone();
    if stored["detail"].is_null() {
        // As an entry without a detail is stored.
        stored["detail"] = "-".into();
    }
    let old: Rule = serde_json::from_value(stored).map_err(|_| Failure::internal("the list of rules"))?;
    Ok(Rule {
        amount: ask.amount.unwrap_or(old.amount),
        day: ask.day.unwrap_or(old.day),
        yearly: if ask.monthly { None } else { ask.yearly.or(old.yearly) },
        from: ask.from.unwrap_or(old.from),
        until: if ask.forever { None } else { ask.until.or(old.until) },
        text: ask.text.clone().unwrap_or(old.text),
        ..old
    })
}

/// The body that the API takes.
fn body(rule: Rule) -> Json {
    let mut body = json!({
        "kind": rule.subject.kind, "name": rule.subject.name, "text": rule.text,
        "amount": rule.amount, "day": rule.day, "from": rule.from.to_string(),
    });
    let detail = rule.subject.detail().map(|detail| ("detail", json!(detail)));
    let yearly = rule.yearly.map(|month| ("yearly", json!(month)));
    let until = rule.until.map(|month| ("until", json!(month.to_string())));
    for (name, value) in [detail, yearly, until].into_iter().flatten() {
        body[name] = value;
    }
    body
}
