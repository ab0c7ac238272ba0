//! Commands for recurring entries, budgets and goals: a change if one is asked for, then the list.

use std::io::Write;

use hansang_command::{Context, Failure};
use hansang_ledger::{
    Budget, Goal, Kind, Month, Rule, Subject, budgets_of_month, delete_goal, delete_rule,
    goals as read_goals, rules as read_rules, set_budget, set_goal, set_rule,
};
use jiff::civil::Date;
use reqwest::Method;
use serde_json::json;

use super::place::{Place, json as json_of};
use super::show::{self, all, entry, row, text, won};
use super::{Budgets, Goals, Rules, open};
use crate::api::output::{Items, MonthBudgets, ShownGoal, ShownRule};

pub(super) async fn rules(
    ask: Rules,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let new = ask.add.as_ref().map(|words| new_rule(&ask, words, today)).transpose()?;
    let place = open(&ask.place, context).await?;
    let shown = match &place {
        Place::Table(ledger, by) => {
            if let Some(rule) = new {
                set_rule(ledger, by, rule).await?;
            }
            if let Some(id) = &ask.delete {
                delete_rule(ledger, by, id).await?;
            }
            json_of(Items::<ShownRule>::of(read_rules(ledger).await?))?
        }
        Place::Server(remote) => {
            if let Some(rule) = new {
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
                remote.send(Method::POST, &["rules"], &body).await?;
            }
            if let Some(id) = &ask.delete {
                remote.delete(&["rules", id]).await?;
            }
            remote.get(&["rules"], &[]).await?
        }
    };
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

/// The rule of the arguments.
fn new_rule(ask: &Rules, words: &[String], today: Date) -> Result<Rule, Failure> {
    let [kind, name, amount] = words else { return Err(Failure::usage("--add KIND NAME AMOUNT")) };
    Ok(Rule {
        rule_id: String::new(),
        subject: Subject::new(kind.parse::<Kind>()?, name, ask.detail.as_deref())?,
        text: ask.text.clone(),
        amount: whole(amount)?,
        day: ask.day.unwrap_or_default(),
        yearly: ask.yearly,
        from: ask.from.unwrap_or_else(|| Month::of(today)),
        until: ask.until,
        by: String::new(),
        done_through: None,
    })
}

pub(super) async fn budgets(
    ask: &Budgets,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let month = ask.month.unwrap_or_else(|| Month::of(today));
    let new = match ask.set.as_deref() {
        Some([category, amount]) => {
            let (category, amount) = (category.clone(), whole(amount)?);
            Some(Budget { kind: ask.kind, category, month, amount, rollover: ask.rollover })
        }
        _ => None,
    };
    let place = open(&ask.place, context).await?;
    let shown = match &place {
        Place::Table(ledger, by) => {
            if let Some(budget) = &new {
                set_budget(ledger, by, budget).await?;
            }
            json_of(MonthBudgets { items: budgets_of_month(ledger, month).await? })?
        }
        Place::Server(remote) => {
            if let Some(Budget { kind, category, month, amount, rollover }) = &new {
                let body = json!({
                    "kind": kind, "category": category, "month": month.to_string(), "amount": amount,
                    "rollover": rollover,
                });
                remote.send(Method::PUT, &["budgets"], &body).await?;
            }
            remote.get(&["months", &month.to_string(), "budgets"], &[]).await?
        }
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    for budget in all(&shown, "items") {
        let [amount, spent] = ["amount", "spent"].map(|name| won(&budget[name]));
        let what = format!("left of {amount} for {}, {spent} spent", text(&budget["category"]));
        row(out, &budget["left"], &what)?;
    }
    Ok(())
}

pub(super) async fn goals(
    ask: &Goals,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let month = ask.month.unwrap_or_else(|| Month::of(today));
    let new = match ask.set.as_deref() {
        Some([account, amount]) => {
            Some(Goal { account_name: account.clone(), amount: whole(amount)?, month: ask.until })
        }
        _ => None,
    };
    let place = open(&ask.place, context).await?;
    let shown = match &place {
        Place::Table(ledger, by) => {
            if let Some(goal) = &new {
                set_goal(ledger, by, goal).await?;
            }
            if let Some(account) = &ask.delete {
                delete_goal(ledger, by, account).await?;
            }
            json_of(Items::<ShownGoal>::of(read_goals(ledger, month).await?))?
        }
        Place::Server(remote) => {
            if let Some(goal) = &new {
                let mut body = json!({ "amount": goal.amount });
                if let Some(month) = goal.month {
                    body["month"] = month.to_string().into();
                }
                remote.send(Method::PUT, &["goals", &goal.account_name], &body).await?;
            }
            if let Some(account) = &ask.delete {
                remote.delete(&["goals", account]).await?;
            }
            remote.get(&["goals"], &[("month", &month.to_string())]).await?
        }
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    for goal in all(&shown, "items") {
        let reached =
            goal["reached"].as_str().map_or("out of reach".to_owned(), |month| format!("by {month}"));
        let what = format!("of {} for {}, {reached}", won(&goal["amount"]), text(&goal["accountName"]));
        row(out, &goal["balance"], &what)?;
    }
    Ok(())
}

/// An amount of the arguments.
fn whole(text: &str) -> Result<i64, Failure> {
    text.parse().map_err(|_| Failure::usage(format!("`{text}` is not an amount in whole won")))
}
