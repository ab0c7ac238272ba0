//! Rules, budgets and goals.

use axum::http::Method;
use hansang_core::{Error, message};
use hansang_http::input::Parameters;
use hansang_http::route::{Route, query_parameter};
use hansang_ledger::{Budget, Goal, Kind, Month, Rule, budgets, goals, rules};
use serde_json::{Value as Json, json};

use super::output::{Items, ShownBudget, ShownCount, ShownGoal, ShownRule};
use super::{Answer, Asked, Books, schema};
use crate::actions::{DELETE_GOAL, DELETE_RULE, SET_BUDGET, SET_GOAL, SET_RULE};
use crate::messages as api;

impl Books {
    pub(super) fn plan_routes(&self) -> Vec<Route> {
        let done = |()| ShownCount { count: 1 };
        let month = query_parameter("month", false, schema::month(), message!(api::MONTH));
        vec![
            self.read(
                "rules",
                "rule.list",
                (message!(api::LIST_RULES), message!(api::THE_RULES)),
                Vec::new(),
                async |books: Self, _, asked: Parameters| {
                    asked.finish()?;
                    Ok(Items::<ShownRule>::of(rules(&books.ledger).await?))
                },
            ),
            self.change(
                (Method::POST, "rules"),
                hansang_server::Action { name: "rule.create", summary: &api::CREATE_RULE, ..SET_RULE },
                Answer::created(),
                rule_schema(),
                |asked| rule(asked, String::new()),
                ShownRule::from,
            ),
            self.change(
                (Method::PUT, "rules/{ruleId}"),
                hansang_server::Action { name: "rule.change", summary: &api::CHANGE_RULE, ..SET_RULE },
                Answer::changed(),
                rule_schema(),
                |asked| {
                    let id = asked.key.text("ruleId");
                    rule(asked, id)
                },
                ShownRule::from,
            ),
            self.order::<_, _, ShownCount>(
                (Method::DELETE, "rules/{ruleId}"),
                DELETE_RULE,
                |key, _| Ok(key.text("ruleId")),
                None,
            ),
            self.read(
                "budgets",
                "budget.list",
                (message!(api::LIST_BUDGETS), message!(api::THE_BUDGETS)),
                Vec::new(),
                async |books: Self, _, asked: Parameters| {
                    asked.finish()?;
                    Ok(Items::<ShownBudget>::of(budgets(&books.ledger).await?))
                },
            ),
            self.change(
                (Method::PUT, "budgets"),
                SET_BUDGET,
                Answer::changed(),
                schema::closed(
                    &json!({
                        "kind": { "enum": [Kind::FixedExpense.name(), Kind::LivingExpense.name()] },
                        "category": schema::name(), "month": schema::month(),
                        "amount": schema::amount_from(0), "rollover": schema::truth(),
                    }),
                    &["kind", "category", "month", "amount"],
                ),
                budget,
                done,
            ),
            self.read(
                "goals",
                "goal.list",
                (message!(api::LIST_GOALS), message!(api::THE_GOALS)),
                vec![month],
                async |books: Self, _, mut asked: Parameters| {
                    let month = asked.take("month").map(|text| text.parse::<Month>()).transpose()?;
                    asked.finish()?;
                    let month = month.unwrap_or_else(|| Month::of(books.ledger.today()));
                    Ok(Items::<ShownGoal>::of(goals(&books.ledger, month).await?))
                },
            ),
            self.change(
                (Method::PUT, "goals/{account}"),
                SET_GOAL,
                Answer::changed(),
                schema::closed(
                    &json!({ "amount": schema::amount_from(1), "month": schema::month() }),
                    &["amount"],
                ),
                |asked| {
                    let (amount, month) = (asked.body.amount("amount"), asked.body.optional_month("month"));
                    Ok(Some(Goal { account_name: asked.key.text("account"), amount, month }))
                },
                done,
            ),
            self.order::<_, _, ShownCount>(
                (Method::DELETE, "goals/{account}"),
                DELETE_GOAL,
                |key, _| Ok(key.text("account")),
                None,
            ),
        ]
    }
}

fn rule_schema() -> Json {
    schema::with_entry(
        &json!({
            "text": schema::text(), "amount": schema::amount(),
            "day": { "type": "integer", "minimum": 1, "maximum": 31 },
            "yearly": { "type": "integer", "minimum": 1, "maximum": 12 },
            "from": schema::month(), "until": schema::month(),
        }),
        &["amount", "day", "from"],
    )
}

fn rule(asked: &mut Asked, rule_id: String) -> Result<Option<Rule>, Error> {
    let body = &mut asked.body;
    let subject = body.subject();
    let text = body.optional_text("text").unwrap_or_default();
    let (amount, day) = (body.amount("amount"), body.number("day", 1, 31));
    let yearly = if body.has("yearly") { Some(body.number("yearly", 1, 12)) } else { None };
    let (from, until) = (body.month("from"), body.optional_month("until"));
    Ok(subject.zip(from).map(|(subject, from)| Rule {
        rule_id,
        subject,
        text,
        amount,
        day,
        yearly,
        from,
        until,
        by: String::new(),
        done_through: None,
    }))
}

fn budget(asked: &mut Asked) -> Result<Option<Budget>, Error> {
    let body = &mut asked.body;
    let (kind, category, month) = (body.kind("kind"), body.text("category"), body.month("month"));
    let (amount, rollover) = (body.amount("amount"), body.truth("rollover"));
    Ok(kind.zip(month).map(|(kind, month)| Budget { kind, category, month, amount, rollover }))
}
