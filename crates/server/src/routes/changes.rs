//! A partial update as JSON: values, `null` to remove, and changes of stored values.

use crate::messages;
use hansang_core::model::Entity;
use hansang_core::plan::{Change, Path};
use hansang_core::validate::{Violation, violation};
use hansang_core::value::json::from_plain;
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, Item, Message, Name, Value, message};
use serde_json::{Map, Value as Json};

/// The update that these members describe.
pub(super) fn update(
    entity: &Entity,
    key: Item,
    members: Map<String, Json>,
    expected_version: Option<i64>,
) -> Result<Update, Error> {
    let mut changes = Vec::with_capacity(members.len());
    let mut violations: Vec<Violation> = Vec::new();
    for (name, json) in members {
        match change(&json) {
            Ok(change) => {
                // A name of the model is not copied.
                let known = entity.attribute(&name).map(|attribute| attribute.name.clone());
                let root = known.unwrap_or_else(|| Name::from(name));
                changes.push((Path { root, inside: Vec::new() }, change));
            }
            Err(problem) => violations.push(violation(&name, problem)),
        }
    }
    if !violations.is_empty() {
        return Err(Error::fields(violations));
    }
    if changes.is_empty() {
        return Err(Error::invalid(CoreCode::NothingToChange, message!(messages::NOTHING_TO_CHANGE)));
    }
    Ok(Update { key, changes, expected_version })
}

fn change(json: &Json) -> Result<Change, Message> {
    let verb = match json {
        Json::Null => return Ok(Change::Remove),
        Json::Object(members) if members.len() == 1 => members.iter().next(),
        _ => None,
    };
    match verb.filter(|(name, _)| name.starts_with('$')) {
        None => from_plain(json).map(Change::Set),
        Some((name, json)) => in_place(name, from_plain(json)?),
    }
}

fn in_place(verb: &str, value: Value) -> Result<Change, Message> {
    match (verb, value) {
        ("$add", Value::N(number)) => Ok(Change::Add(number)),
        ("$append", Value::L(values)) => Ok(Change::Append(values)),
        ("$members", value @ Value::L(_)) => Ok(Change::AddMembers(value)),
        ("$without", value @ Value::L(_)) => Ok(Change::DeleteMembers(value)),
        ("$default", value) => Ok(Change::SetIfAbsent(value)),
        ("$add", _) => Err(message!(messages::ADD_NEEDS_NUMBER)),
        ("$append" | "$members" | "$without", _) => Err(message!(messages::NEEDS_LIST, verb)),
        _ => Err(message!(messages::UNKNOWN_CHANGE, verb)),
    }
}
