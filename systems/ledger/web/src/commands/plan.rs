//! Commands for budgets and goals: a change if one is asked for, then the list.

use std::io::Write;

use hansang_command::{Context, Failure};
use hansang_ledger::{
    Budget, Goal, Month, budgets as read_budgets, budgets_of_month, delete_goal, goals as read_goals,
    set_budget, set_goal,
};
use jiff::civil::Date;
use reqwest::Method;
use serde_json::json;

use super::arguments::{Budgets, Goals};
use super::open;
use super::place::{Place, json as json_of};
use super::show::{self, all, row, text, won};
use crate::api::output::{Items, MonthBudgets, ShownBudget, ShownGoal};

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
            match ask.all {
                true => json_of(Items::<ShownBudget>::of(read_budgets(ledger).await?))?,
                false => json_of(MonthBudgets { items: budgets_of_month(ledger, month).await? })?,
            }
        }
        Place::Server(remote) => {
            if let Some(Budget { kind, category, month, amount, rollover }) = &new {
                let body = json!({
                    "kind": kind, "category": category, "month": month.to_string(), "amount": amount,
                    "rollover": rollover,
                });
                remote.send(Method::PUT, &["budgets"], &body).await?;
            }
            match ask.all {
                true => remote.get(&["budgets"], &[]).await?,
                false => remote.get(&["months", &month.to_string(), "budgets"], &[]).await?,
            }
        }
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    if ask.all {
        return all(&shown, "items").try_for_each(|budget| {
            let [kind, category, month] = ["kind", "category", "month"].map(|name| text(&budget[name]));
            let rollover = if budget["rollover"] == true { " with rollover" } else { "" };
            row(out, &budget["amount"], &format!("from {month} for {kind} {category}{rollover}"))
        });
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
pub(super) fn whole(text: &str) -> Result<i64, Failure> {
    text.parse().map_err(|_| Failure::usage(format!("`{text}` is not an amount in whole won")))
}
