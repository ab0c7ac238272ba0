//! The schemas of a model's records, for the API's documentation.

use std::collections::BTreeSet;
use std::sync::Arc;

use hansang_core::Name;
use hansang_core::export::{attribute_schema_in, key_schema};
use hansang_core::kind::Kind;
use hansang_core::message::Language;
use hansang_core::model::{Attribute, Entity, Model, Role};
use serde_json::{Map, Value as Json, json};

use hansang_http::input::{ENTITY, ITEM, PROBLEMS};
use hansang_http::route::reference;

mod change;
mod response;
mod together;

pub use response::response;
pub(crate) use together::{batch_get, transaction};

/// The name of an entity's record among the schemas.
pub(crate) fn record_name(model: &Model, entity: &Entity) -> String {
    format!("{}.{}", model.name, entity.name)
}

/// The part of a record that a request sends.
#[derive(Clone, Copy)]
pub(crate) enum Sent {
    /// A new record.
    Input,
    /// A whole record whose key is in the path.
    Put,
    /// A whole record with its key.
    Whole,
    /// The changes.
    Patch,
    /// The changes of a record that moves to another key.
    Move,
    /// The key.
    Key,
}

/// The schema of a record in a request.
pub(crate) fn sent(model: &Model, entity: &Entity, what: Sent) -> Json {
    reference(&sent_name(model, entity, what))
}

fn sent_name(model: &Model, entity: &Entity, what: Sent) -> String {
    let part = match what {
        Sent::Input => "Input",
        Sent::Put => "Put",
        Sent::Whole => "Whole",
        Sent::Patch => "Patch",
        Sent::Move => "Move",
        Sent::Key => "Key",
    };
    format!("{}.{}.{part}", model.name, entity.name)
}

/// All schemas of a model, by name.
pub(crate) fn schemas(model: &Model, language: Language) -> Vec<(String, Json)> {
    let of_entity = |entity: &Entity| {
        let name = |what| sent_name(model, entity, what);
        [
            (record_name(model, entity), record(entity, language)),
            (name(Sent::Input), input(entity, Sent::Input, language)),
            (name(Sent::Put), input(entity, Sent::Put, language)),
            (name(Sent::Whole), input(entity, Sent::Whole, language)),
            (name(Sent::Patch), change::patch(model, entity, language)),
            (name(Sent::Move), input(entity, Sent::Move, language)),
            (name(Sent::Key), key(entity)),
        ]
    };
    model.entities.iter().flat_map(|entity| of_entity(entity)).collect()
}

/// A record of one of these entities.
pub(crate) fn any_record<'e>(model: &Model, entities: impl IntoIterator<Item = &'e Entity>) -> Json {
    let mut names: Vec<Json> =
        entities.into_iter().map(|entity| reference(&record_name(model, entity))).collect();
    if names.len() == 1 { names.remove(0) } else { json!({ "anyOf": names }) }
}

/// A record of one of these entities, or a stored item that fits no entity.
pub(crate) fn any_item<'e>(model: &Model, entities: impl IntoIterator<Item = &'e Entity>) -> Json {
    let mut choices: Vec<Json> =
        entities.into_iter().map(|entity| reference(&record_name(model, entity))).collect();
    let item = json!({ "type": "object", "description": "The item in DynamoDB's JSON." });
    let properties = Map::from_iter([(ITEM.to_owned(), item), (PROBLEMS.to_owned(), problems())]);
    choices.push(object("A stored item that no entity can have.", properties, &[ITEM, PROBLEMS]));
    json!({ "anyOf": choices })
}

/// The mismatches of a stored item with the model.
fn problems() -> Json {
    let text = || json!({ "type": "string" });
    let properties = Map::from_iter([("field".to_owned(), text()), ("message".to_owned(), text())]);
    let problem = object("", properties, &["field", "message"]);
    json!({ "type": "array", "items": problem, "minItems": 1, "readOnly": true })
}

/// A page of records.
pub fn page(record: &Json) -> Json {
    let cursor =
        json!({ "type": ["string", "null"], "description": "Send it as `cursor`; null where nothing lies." });
    json!({
        "type": "object",
        "properties": { "items": { "type": "array", "items": record }, "next": cursor, "previous": cursor },
        "required": ["items", "next", "previous"],
        "additionalProperties": false,
    })
}

/// The attributes of an entity's key, in the order of the path.
pub(crate) fn key_attributes(entity: &Entity) -> Vec<&Attribute> {
    let mut attributes: Vec<&Attribute> = Vec::new();
    for field in entity.pk.fields().chain(entity.sk.fields()) {
        if !attributes.iter().any(|known| known.name == field.attribute.name) {
            attributes.push(&field.attribute);
        }
    }
    attributes
}

/// Only the key is required: a caller can request some fields only.
fn record(entity: &Entity, language: Language) -> Json {
    let mut properties = Map::new();
    properties.insert(ENTITY.to_owned(), json!({ "const": &*entity.name }));
    for attribute in &entity.attributes {
        let mut schema = attribute_schema_in(entity, attribute, language);
        if !matches!(attribute.role, Role::Given) {
            schema.insert("readOnly".to_owned(), true.into());
        }
        properties.insert(attribute.name.to_string(), schema.into());
    }
    let mut required = vec![ENTITY];
    required.extend(key_attributes(entity).iter().map(|attribute| &*attribute.name));
    let sound = object(entity.doc.in_language(language), properties, &required);
    json!({ "anyOf": [sound, marked(entity)] })
}

/// A record whose stored item does not match the model: it has all stored attributes as they are.
fn marked(entity: &Entity) -> Json {
    let properties = json!({ ENTITY: { "const": &*entity.name }, PROBLEMS: problems() });
    json!({
        "type": "object",
        "description": "A record whose stored item does not match the model, as it is stored.",
        "properties": properties,
        "required": [ENTITY, PROBLEMS],
    })
}

fn input(entity: &Entity, what: Sent, language: Language) -> Json {
    let given = || entity.attributes.iter().filter(|attribute| matches!(attribute.role, Role::Given));
    let schema_of = |attribute: &Attribute| match (what, &attribute.kind) {
        (Sent::Input, Kind::Lifecycle(life)) => json!({ "enum": names(&life.initial) }),
        _ if keeps(what, attribute) => changed(entity, attribute, language),
        _ => accepted(entity, attribute, language),
    };
    let mut properties: Map<String, Json> =
        given().map(|attribute| (attribute.name.to_string(), schema_of(attribute))).collect();
    let needed = |attribute: &&Arc<Attribute>| {
        let known = attribute.optional || attribute.default.is_some() || attribute.generated.is_some();
        match what {
            Sent::Move => false,
            // Only new records get a generated identifier; stored ones are found by theirs.
            Sent::Whole if entity.in_key(&attribute.name) => true,
            Sent::Put if entity.in_key(&attribute.name) => false,
            _ => !known,
        }
    };
    let required: Vec<&str> = given().filter(needed).map(|attribute| &*attribute.name).collect();
    if matches!(what, Sent::Put | Sent::Whole) {
        // A record may be sent back as it was read: generated fields are ignored.
        let own = entity.attributes.iter().filter(|attribute| !matches!(attribute.role, Role::Given));
        properties.extend(own.map(|attribute| (attribute.name.to_string(), json!({ "readOnly": true }))));
    }
    if !matches!(what, Sent::Move) {
        properties.insert(ENTITY.to_owned(), json!({ "const": &*entity.name }));
    }
    object(entity.doc.in_language(language), properties, &required)
}

fn key(entity: &Entity) -> Json {
    let attributes = key_attributes(entity);
    let properties =
        attributes.iter().map(|attribute| (attribute.name.to_string(), key_schema(entity, attribute).into()));
    let required: Vec<&str> = attributes.iter().map(|attribute| &*attribute.name).collect();
    object("", properties.collect(), &required)
}

/// The accepted values of an attribute. JSON has no sets: duplicates in a list are merged, so that a list may be longer
/// than the set.
fn accepted(entity: &Entity, attribute: &Attribute, language: Language) -> Json {
    let mut schema = attribute_schema_in(entity, attribute, language);
    if matches!(attribute.kind, Kind::Set(_)) {
        schema.remove("uniqueItems");
        schema.remove("maxItems");
    }
    schema.into()
}

/// Whether an attribute that is left out keeps its stored value, instead of getting its default.
fn keeps(what: Sent, attribute: &Attribute) -> bool {
    let kept = attribute.immutable || attribute.generated.is_some();
    match what {
        Sent::Patch | Sent::Move => true,
        Sent::Put | Sent::Whole => kept || matches!(attribute.kind, Kind::Lifecycle(_)),
        Sent::Input | Sent::Key => false,
    }
}

/// The accepted values of an attribute where absence means unchanged. It has no default: generated clients send
/// defaults, which would overwrite stored values.
fn changed(entity: &Entity, attribute: &Attribute, language: Language) -> Json {
    let mut schema = accepted(entity, attribute, language);
    if let Some(members) = schema.as_object_mut() {
        members.remove("default");
    }
    schema
}

fn names(all: &[Name]) -> Vec<&str> {
    all.iter().map(|name| &**name).collect()
}

/// The names of the attributes that a read can return.
pub(crate) fn fields<'e>(entities: impl IntoIterator<Item = &'e Entity>) -> Json {
    let of_entity = |entity: &'e Entity| entity.attributes.iter().map(|attribute| &*attribute.name);
    let all: BTreeSet<&str> = entities.into_iter().flat_map(of_entity).collect();
    json!({ "type": "array", "items": { "enum": all } })
}

fn object(doc: &str, properties: Map<String, Json>, required: &[&str]) -> Json {
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !doc.is_empty() {
        schema["description"] = doc.into();
    }
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}
