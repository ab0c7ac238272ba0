//! A data model for NoSQL Workbench: one facet and one sample item for each entity.

use serde_json::{Map, Value as Json, json};

use super::{key_attributes, projection, scalar_type};
use crate::kind::{Kind, Members};
use crate::model::{Entity, Index, KeySource, Model, Table};
use crate::sample;
use crate::value::Name;
use crate::value::json::item_to_typed;

/// A fixed date, which Workbench requires: the time of the export would change the file each time.
const DATE: &str = "Jan 01, 2026, 12:00 AM";

pub(super) fn export(model: &Model, env: Option<&str>) -> String {
    let metadata = json!({
        "Author": "Hansang",
        "DateCreated": DATE,
        "DateLastModified": DATE,
        "Description": model.doc,
        "AWSService": "Amazon DynamoDB",
        "Version": "3.0",
    });
    let file = json!({
        "ModelName": &*model.name,
        "ModelMetadata": metadata,
        "DataModel": [table(model, env)],
    });
    format!("{file:#}\n")
}

fn table(model: &Model, env: Option<&str>) -> Json {
    let table = &model.table;
    let items: Vec<Option<Json>> = model
        .entities
        .iter()
        .map(|entity| sample::item(model, entity).map(|item| item_to_typed(&item)))
        .collect();
    let facets: Vec<Json> =
        model.entities.iter().zip(&items).map(|(entity, item)| facet(model, entity, item.as_ref())).collect();
    let indexes: Vec<Json> = table.indexes.iter().map(|index| index_entry(table, index)).collect();
    json!({
        "TableName": table.name_in(env),
        "KeyAttributes": keys((&table.pk, false), Some((&table.sk, false))),
        "NonKeyAttributes": non_key_attributes(model),
        "TableFacets": facets,
        "GlobalSecondaryIndexes": indexes,
        "TableData": items.into_iter().flatten().collect::<Vec<_>>(),
        "DataAccess": { "MySql": {} },
        "BillingMode": "PAY_PER_REQUEST",
    })
}

fn keys(pk: (&Name, bool), sk: Option<(&Name, bool)>) -> Json {
    let key = |(name, numeric): (&Name, bool)| attribute(name, scalar_type(numeric));
    let mut keys = Map::new();
    keys.insert("PartitionKey".into(), key(pk));
    if let Some(sk) = sk {
        keys.insert("SortKey".into(), key(sk));
    }
    Json::Object(keys)
}

fn attribute(name: &str, of_type: &str) -> Json {
    json!({ "AttributeName": name, "AttributeType": of_type })
}

/// Every attribute of any item but the table's keys. Workbench knows one type for a name; where
/// two entities disagree, the first entity of the file has it.
fn non_key_attributes(model: &Model) -> Vec<Json> {
    let index_keys = key_attributes(&model.table);
    let mut types: Vec<(&Name, &'static str)> = Vec::new();
    for entity in &model.entities {
        for name in stored_names(model, entity) {
            if types.iter().all(|(known, _)| *known != name) {
                let of_index = index_keys.iter().find(|(key, _)| *key == name).map(|(_, of_type)| *of_type);
                let own = entity.attribute(name).map(|attribute| type_of(&attribute.kind));
                types.push((name, of_index.or(own).unwrap_or("S")));
            }
        }
    }
    types.into_iter().map(|(name, of_type)| attribute(name, of_type)).collect()
}

/// The attributes of an entity's stored items but the table's keys.
fn stored_names<'m>(model: &'m Model, entity: &'m Entity) -> Vec<&'m Name> {
    let mut names: Vec<&Name> = Vec::new();
    for entry in &entity.indexes {
        let index = &model.table.indexes[entry.index];
        for (name, source) in [(Some(&index.pk), Some(&entry.pk)), (index.sk.as_ref(), entry.sk.as_ref())] {
            if let (Some(name), Some(KeySource::Derived(_))) = (name, source)
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
    }
    names.extend(
        entity.attributes.iter().filter(|attribute| attribute.stored).map(|attribute| &attribute.name),
    );
    names
}

fn type_of(kind: &Kind) -> &'static str {
    match kind {
        Kind::Number | Kind::Integer => "N",
        Kind::Bool => "BOOL",
        Kind::Binary => "B",
        Kind::List(_) => "L",
        Kind::Map(_) => "M",
        Kind::Set(Members::Texts) => "SS",
        Kind::Set(Members::Numbers) => "NS",
        Kind::Set(Members::Binaries) => "BS",
        _ => "S",
    }
}

/// How one entity looks in the table: its key templates instead of the names of the keys.
fn facet(model: &Model, entity: &Entity, item: Option<&Json>) -> Json {
    json!({
        "FacetName": &*entity.name,
        "KeyAttributeAlias": {
            "PartitionKeyAlias": entity.pk.text,
            "SortKeyAlias": entity.sk.text,
        },
        "TableData": item.into_iter().collect::<Vec<_>>(),
        "NonKeyAttributes": stored_names(model, entity).iter().map(|name| &***name).collect::<Vec<_>>(),
        "DataAccess": { "MySql": {} },
    })
}

fn index_entry(table: &Table, index: &Index) -> Json {
    let (of_type, added) = projection(table, index);
    let mut carried = Map::new();
    carried.insert("ProjectionType".into(), of_type.into());
    if !added.is_empty() {
        carried.insert("NonKeyAttributes".into(), added.iter().map(|name| &***name).collect());
    }
    let sort = index.sk.as_ref().map(|sk| (sk, index.sk_numeric));
    json!({
        "IndexName": &*index.name,
        "KeyAttributes": keys((&index.pk, index.pk_numeric), sort),
        "Projection": carried,
    })
}
