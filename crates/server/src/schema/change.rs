//! The schemas of partial updates: the changes of each attribute.

use hansang_core::export::kind_schema;
use hansang_core::kind::Kind;
use hansang_core::message::Language;
use hansang_core::model::{Attribute, Entity, Model, Role};
use hansang_core::write::feeds_key;
use serde_json::{Map, Value as Json, json};

use super::{changed, names, object};

/// Each attribute is set to a value, removed with `null`, or changed in place.
pub(super) fn patch(model: &Model, entity: &Entity, language: Language) -> Json {
    // An immutable attribute can be set where it is missing.
    let changeable =
        |attribute: &Attribute| matches!(attribute.role, Role::Given) && !entity.in_key(&attribute.name);
    let attributes = entity.attributes.iter().filter(|attribute| changeable(attribute));
    let properties: Map<String, Json> = attributes
        .map(|attribute| {
            (attribute.name.to_string(), json!({ "anyOf": choices(model, entity, attribute, language) }))
        })
        .collect();
    let mut schema = object("The changes; all other attributes stay.", properties, &[]);
    schema["minProperties"] = 1.into();
    schema
}

fn choices(model: &Model, entity: &Entity, attribute: &Attribute, language: Language) -> Vec<Json> {
    let value = changed(entity, attribute, language);
    let lifecycle = matches!(attribute.kind, Kind::Lifecycle(_));
    let mut choices = vec![match &attribute.kind {
        Kind::Lifecycle(life) => {
            let mut reached = life.states.clone();
            reached.retain(|state| life.before(state).next().is_some());
            json!({ "enum": names(&reached) })
        }
        _ => value.clone(),
    }];
    if attribute.immutable {
        return choices;
    }
    if attribute.optional {
        choices.push(json!({ "type": "null" }));
    }
    if !feeds_key(model, entity, &attribute.name) {
        choices.extend(in_place(attribute, &value));
        choices.extend((!lifecycle).then(|| verb("$default", value)));
    }
    choices
}

/// The in-place changes that the type allows.
fn in_place(attribute: &Attribute, value: &Json) -> Vec<Json> {
    let list = |least: usize| {
        let mut list = json!({ "type": "array", "items": value["items"] });
        if least > 0 {
            list["minItems"] = least.into();
        }
        list
    };
    let max = attribute.rules.max_length;
    match &attribute.kind {
        // The rules apply to the result, not to the operand.
        Kind::Number | Kind::Integer => vec![verb("$add", kind_schema(&attribute.kind).into())],
        Kind::List(_) => {
            let mut appended = list(0);
            if let Some(max) = max {
                appended["maxItems"] = max.into();
            }
            vec![verb("$append", appended)]
        }
        // The size of the set is not known when members are added to it.
        Kind::Set(_) if max.is_some() => vec![verb("$without", list(1))],
        Kind::Set(_) => vec![verb("$members", list(1)), verb("$without", list(1))],
        _ => Vec::new(),
    }
}

fn verb(name: &str, schema: Json) -> Json {
    let properties = Map::from_iter([(name.to_owned(), schema)]);
    object("", properties, &[name])
}
