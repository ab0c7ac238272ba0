//! The schemas of a model's records, for the API's documentation.

use hansang_core::export::attribute_schema;
use hansang_core::model::{Attribute, Entity, Model, Role};
use serde_json::{Map, Value as Json, json};

use crate::input::ENTITY;
use crate::route::reference;

/// The name of an entity's record among the schemas.
pub(crate) fn record_name(model: &Model, entity: &Entity) -> String {
    format!("{}.{}", model.name, entity.name)
}

/// The name of what is sent to make a record.
pub(crate) fn input_name(model: &Model, entity: &Entity) -> String {
    format!("{}.{}.Input", model.name, entity.name)
}

/// The name of what is sent to change a record.
pub(crate) fn patch_name(model: &Model, entity: &Entity) -> String {
    format!("{}.{}.Patch", model.name, entity.name)
}

/// All schemas of a model, by name.
pub(crate) fn schemas(model: &Model) -> Vec<(String, Json)> {
    let of_entity = |entity: &Entity| {
        [
            (record_name(model, entity), record(entity)),
            (input_name(model, entity), input(entity)),
            (patch_name(model, entity), patch(entity)),
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

/// A page of records.
pub(crate) fn page(record: &Json) -> Json {
    let cursor =
        json!({ "type": ["string", "null"], "description": "Send it as `cursor`; null where nothing lies." });
    json!({
        "type": "object",
        "properties": { "items": { "type": "array", "items": record }, "next": cursor, "previous": cursor },
        "required": ["items", "next", "previous"],
        "additionalProperties": false,
    })
}

/// The attributes of an entity's key, in the order in which they stand in an address.
pub(crate) fn key_attributes(entity: &Entity) -> Vec<&Attribute> {
    let mut attributes: Vec<&Attribute> = Vec::new();
    for field in entity.pk.fields().chain(entity.sk.fields()) {
        if !attributes.iter().any(|known| known.name == field.attribute.name) {
            attributes.push(&field.attribute);
        }
    }
    attributes
}

/// Of what is read only the key is always there: a caller can ask for some fields alone.
fn record(entity: &Entity) -> Json {
    let mut properties = Map::new();
    properties.insert(ENTITY.to_owned(), json!({ "const": &*entity.name }));
    for attribute in &entity.attributes {
        let mut schema = attribute_schema(entity, attribute);
        if !matches!(attribute.role, Role::Given) {
            schema.insert("readOnly".to_owned(), true.into());
        }
        properties.insert(attribute.name.to_string(), schema.into());
    }
    let mut required = vec![ENTITY];
    required.extend(key_attributes(entity).iter().map(|attribute| &*attribute.name));
    object(&entity.doc, properties, &required)
}

fn input(entity: &Entity) -> Json {
    let given = || entity.attributes.iter().filter(|attribute| matches!(attribute.role, Role::Given));
    let mut properties: Map<String, Json> = given()
        .map(|attribute| (attribute.name.to_string(), attribute_schema(entity, attribute).into()))
        .collect();
    properties.insert(ENTITY.to_owned(), json!({ "const": &*entity.name }));
    let needed = |attribute: &&std::sync::Arc<Attribute>| {
        !attribute.optional && attribute.default.is_none() && attribute.generated.is_none()
    };
    // The key of a replaced record stands in the address, so it need not be in the body.
    let in_key = |name: &str| entity.in_key(name);
    let required: Vec<&str> =
        given().filter(needed).map(|attribute| &*attribute.name).filter(|name| !in_key(name)).collect();
    object(&entity.doc, properties, &required)
}

/// Each attribute becomes a value, goes away with `null`, or is changed in place.
fn patch(entity: &Entity) -> Json {
    let changeable = |attribute: &&std::sync::Arc<Attribute>| {
        matches!(attribute.role, Role::Given) && !attribute.immutable && !entity.in_key(&attribute.name)
    };
    let properties = entity
        .attributes
        .iter()
        .filter(changeable)
        .map(|attribute| {
            let mut choices = vec![Json::Object(attribute_schema(entity, attribute)), reference("Change")];
            if attribute.optional {
                choices.push(json!({ "type": "null" }));
            }
            (attribute.name.to_string(), json!({ "anyOf": choices }))
        })
        .collect();
    let mut schema = object("What changes; everything else stays.", properties, &[]);
    schema["minProperties"] = 1.into();
    schema
}

/// A change in place of a value.
pub(crate) fn change() -> Json {
    json!({
        "type": "object",
        "description": "A change of what is stored: `$add` a number, `$append` to a list, `$members` to a set, \
                        `$without` members of a set, `$default` where there is nothing yet.",
        "properties": {
            "$add": { "type": "number" },
            "$append": { "type": "array" },
            "$members": { "type": "array", "minItems": 1 },
            "$without": { "type": "array", "minItems": 1 },
            "$default": {},
        },
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": false,
    })
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
