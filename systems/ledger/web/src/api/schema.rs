//! The schemas of parameters and request bodies; those of responses come from their structs.

use hansang_ledger::{CodeType, Kind, MAX_AMOUNT, PAID_IN, TAKEN_OUT};
use serde_json::{Value as Json, json};

/// A text that can be part of a key: without `#`, control characters and spaces at its ends.
const NAME: &str = r"^[^#\s\x00-\x1F\x7F-\x9F]([^#\x00-\x1F\x7F-\x9F]*[^#\s\x00-\x1F\x7F-\x9F])?$";

/// An object with these members and no others.
pub(super) fn closed(properties: &Json, required: &[&str]) -> Json {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

pub(super) fn month() -> Json {
    json!({ "type": "string", "pattern": r"^(19|2[0-9])[0-9]{2}\.(0[1-9]|1[0-2])$" })
}

pub(super) fn date() -> Json {
    json!({ "type": "string", "format": "date" })
}

pub(super) fn kind() -> Json {
    json!({ "enum": Kind::ALL.map(Kind::name) })
}

/// A kind that accounts hold.
pub(super) fn account_kind() -> Json {
    json!({ "enum": Kind::OF_ACCOUNTS.map(Kind::name) })
}

pub(super) fn name() -> Json {
    json!({ "type": "string", "minLength": 1, "maxLength": 40, "pattern": NAME })
}

pub(super) fn id() -> Json {
    json!({ "type": "string", "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$" })
}

pub(super) fn list() -> Json {
    json!({ "enum": CodeType::ALL.map(CodeType::name) })
}

pub(super) fn seq() -> Json {
    json!({ "type": "integer", "minimum": 0, "maximum": 999_999_999_999_i64 })
}

pub(super) fn year() -> Json {
    json!({ "type": "integer", "minimum": 1901, "maximum": 2999 })
}

pub(super) fn amount() -> Json {
    json!({ "type": "integer", "minimum": -MAX_AMOUNT, "maximum": MAX_AMOUNT })
}

/// An amount from a smallest one on.
pub(super) fn amount_from(least: i64) -> Json {
    json!({ "type": "integer", "minimum": least, "maximum": MAX_AMOUNT })
}

pub(super) fn text() -> Json {
    json!({ "type": "string", "maxLength": 200 })
}

pub(super) fn truth() -> Json {
    json!({ "type": "boolean" })
}

/// A list of names.
pub(super) fn names() -> Json {
    json!({ "type": "array", "items": name(), "uniqueItems": true })
}

/// An object whose members are of one kind.
pub(super) fn map(of: &Json) -> Json {
    json!({ "type": "object", "additionalProperties": of })
}

/// An object whose members have names of keys.
pub(super) fn named(of: &Json) -> Json {
    json!({ "type": "object", "additionalProperties": of, "propertyNames": name() })
}

/// A body that names an entry, with more members. Income and short-term accounts have a detail.
pub(super) fn with_entry(more: &Json, required: &[&str]) -> Json {
    json!({ "oneOf": entries(more, required) })
}

/// A body that may name an entry, with more members.
pub(super) fn with_optional_entry(more: &Json) -> Json {
    let mut variants = entries(more, &[]);
    variants.push(closed(more, &[]));
    json!({ "oneOf": variants })
}

/// The bodies with an entry, by the details of its kind.
fn entries(more: &Json, required: &[&str]) -> Vec<Json> {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for kind in Kind::ALL.into_iter().filter(|kind| !matches!(kind, Kind::Income | Kind::ShortSavings)) {
        without.push(kind.name());
    }
    let variant = |kinds: &Json, detail: &Json, needs: &[&str]| {
        let mut properties = json!({ "kind": kinds, "name": name(), "detail": detail });
        for (name, schema) in more.as_object().into_iter().flatten() {
            properties[name] = schema.clone();
        }
        closed(&properties, &[&["kind", "name"], needs, required].concat())
    };
    with.push(variant(&json!({ "const": Kind::Income.name() }), &name(), &["detail"]));
    let transactions = json!({ "enum": [PAID_IN, TAKEN_OUT] });
    with.push(variant(&json!({ "const": Kind::ShortSavings.name() }), &transactions, &["detail"]));
    with.push(variant(&json!({ "enum": without }), &json!({ "const": "-" }), &[]));
    with
}
