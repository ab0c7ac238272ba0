//! The schema of an export, which `POST restore` takes.

use serde_json::{Value as Json, json};

use super::schema;

pub(super) fn export_schema() -> Json {
    let lists = schema::closed(
        &json!({
            "YEAR_MONTH": { "type": "array", "items": schema::month() }, "NAME": schema::names(),
            "INCOME_TYPE": schema::names(), "FIXED_EXPENSE_TYPE": schema::names(),
            "LIVING_EXPENSE_CATEGORY": schema::names(),
        }),
        &[],
    );
    let opening = schema::closed(
        &json!({
            "cashAccumulated": schema::amount(), "investmentAccumulated": schema::amount(),
            "shortSavingsBalances": schema::named(&schema::amount()),
        }),
        &["cashAccumulated", "investmentAccumulated", "shortSavingsBalances"],
    );
    let kinds = schema::map(&schema::account_kind());
    let list = |items: Json| json!({ "type": "array", "items": items });
    schema::closed(
        &json!({
            "version": { "type": "integer", "minimum": 1, "maximum": 2 }, "opening": opening, "codes": lists,
            "accounts": schema::named(&schema::names()), "accountKinds": kinds, "groupKinds": kinds, "rules": list(rule()),
            "signIns": schema::map(&schema::name()),
            "budgets": list(budget()), "goals": list(goal()), "lines": list(line()),
        }),
        &["version", "opening", "codes", "accounts", "lines"],
    )
}

/// An object with these members, and others that are not read.
fn open(properties: &Json, required: &[&str]) -> Json {
    json!({ "type": "object", "properties": properties, "required": required })
}

fn person() -> Json {
    json!({ "type": "string", "minLength": 1, "maxLength": 64 })
}

fn line() -> Json {
    open(
        &json!({
            "month": schema::month(), "kind": schema::kind(), "name": schema::name(), "detail": schema::name(),
            "lineId": schema::id(), "date": schema::date(), "text": schema::text(), "amount": schema::amount(),
            "by": person(),
            "source": { "enum": ["typed", "adjustment", "copy", "recurring", "import", "adopted", "restore"] },
            "importId": schema::id(), "row": { "type": "string", "pattern": "^[0-9a-f]{32}$" }, "seq": schema::seq(),
        }),
        &["month", "kind", "name", "detail", "lineId", "date", "amount", "by", "source"],
    )
}

fn rule() -> Json {
    open(
        &json!({
            "ruleId": schema::id(), "kind": schema::kind(), "name": schema::name(), "detail": schema::name(),
            "text": schema::text(), "amount": schema::amount(), "by": person(),
            "day": { "type": "integer", "minimum": 1, "maximum": 31 },
            "yearly": { "type": "integer", "minimum": 1, "maximum": 12 },
            "from": schema::month(), "until": schema::month(), "doneThrough": schema::month(),
        }),
        &["ruleId", "kind", "name", "detail", "amount", "day", "from", "by"],
    )
}

fn budget() -> Json {
    open(
        &json!({
            "kind": { "enum": ["FIXED_EXPENSE", "LIVING_EXPENSE"] }, "category": schema::name(),
            "month": schema::month(), "amount": schema::amount_from(0), "rollover": schema::truth(),
        }),
        &["kind", "category", "month", "amount"],
    )
}

fn goal() -> Json {
    open(
        &json!({
            "accountName": schema::name(), "amount": schema::amount_from(1), "month": schema::month(),
        }),
        &["accountName", "amount"],
    )
}
