//! The schemas of requests about many records: one alternative for each entity.

use hansang_core::Db;
use hansang_core::model::{Entity, Model};
use serde_json::{Map, Value as Json, json};

use super::{Sent, fields, object, sent};

/// The keys of records of one entity.
pub(crate) fn batch_get(model: &Model, max: usize) -> Json {
    let of_entity = |entity: &Entity| {
        let keys = json!({ "type": "array", "items": sent(model, entity, Sent::Key), "maxItems": max });
        let properties = json!({
            "entity": { "const": &*entity.name },
            "keys": keys,
            "consistent": { "type": "boolean", "default": false },
            "fields": fields([entity]),
        });
        members(properties, &["entity", "keys"])
    };
    choice(model.entities.iter().map(|entity| of_entity(entity)).collect())
}

/// The operations of a transaction.
pub(crate) fn transaction(db: &Db, max: usize) -> Json {
    let steps: Vec<Json> = db.model().entities.iter().flat_map(|entity| steps(db, entity)).collect();
    let operations = json!({ "type": "array", "items": choice(steps), "minItems": 1, "maxItems": max });
    members(json!({ "operations": operations }), &["operations"])
}

fn steps(db: &Db, entity: &Entity) -> Vec<Json> {
    let of = |what| sent(db.model(), entity, what);
    let step = |verb: &str, parts: &[(&str, Json)], counts: bool| {
        let mut required = vec!["entity"];
        required.extend(parts.iter().map(|(name, _)| *name));
        let parts = parts.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone()));
        let mut properties = Map::from_iter(parts);
        properties.insert("entity".to_owned(), json!({ "const": &*entity.name }));
        if counts && entity.version().is_some() {
            properties.insert("version".to_owned(), json!({ "type": "integer", "format": "int64" }));
        }
        let body = object("", properties, &required);
        object("", Map::from_iter([(verb.to_owned(), body)]), &[verb])
    };
    let key = ("key", of(Sent::Key));
    let check = step("check", std::slice::from_ref(&key), false);
    if db.is_closed(&entity.name) {
        return vec![check];
    }
    let mut steps = vec![
        step("create", &[("fields", of(Sent::Input))], false),
        step("put", &[("fields", of(Sent::Whole))], true),
        step("update", &[key.clone(), ("changes", of(Sent::Patch))], true),
        step("delete", std::slice::from_ref(&key), true),
        check,
    ];
    // A singleton has no other key to move to.
    if !entity.is_singleton() {
        steps.push(step("relocate", &[key, ("changes", of(Sent::Move))], true));
    }
    steps
}

fn choice(mut schemas: Vec<Json>) -> Json {
    if schemas.len() == 1 { schemas.remove(0) } else { json!({ "anyOf": schemas }) }
}

fn members(properties: Json, required: &[&str]) -> Json {
    let Json::Object(properties) = properties else { return properties };
    object("", properties, required)
}
