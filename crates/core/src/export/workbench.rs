//! A data model for NoSQL Workbench: one facet and one sample item for each entity, and one facet for each access
//! pattern with the sample items that it returns.

use serde_json::{Map, Value as Json, json};

use super::{key_attributes, projection, scalar_type};
use crate::kind::{Kind, Members};
use crate::model::{Entity, Index, KeySource, Model, Pattern, Table};
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
        "Description": model.doc.english(),
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
    let samples: Vec<(&Entity, Option<&Json>)> =
        model.entities.iter().map(AsRef::as_ref).zip(items.iter().map(Option::as_ref)).collect();
    let entities = samples.iter().map(|(entity, item)| facet(model, &entity.name, &[entity], *item));
    let patterns = model.patterns.iter().map(|pattern| pattern_facet(model, pattern, &samples));
    let facets: Vec<Json> = entities.chain(patterns).collect();
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

/// An access pattern: the entities it returns, and the index it reads behind its name.
fn pattern_facet(model: &Model, pattern: &Pattern, samples: &[(&Entity, Option<&Json>)]) -> Json {
    let name = match pattern.index {
        Some(index) => format!("{} ({})", pattern.name, model.table.indexes[index].name),
        None => pattern.name.to_string(),
    };
    let returned = |entity: &Entity| pattern.entities.iter().any(|one| one.name == entity.name);
    let items = samples.iter().filter(|(entity, _)| returned(entity)).filter_map(|(_, item)| *item);
    let entities: Vec<&Entity> = pattern.entities.iter().map(AsRef::as_ref).collect();
    facet(model, &name, &entities, items)
}

/// A view of the table: the key templates of these entities instead of the names of the keys.
fn facet<'j>(
    model: &Model,
    name: &str,
    entities: &[&Entity],
    items: impl IntoIterator<Item = &'j Json>,
) -> Json {
    let alias = |key: fn(&Entity) -> &str| {
        let mut texts: Vec<&str> = entities.iter().map(|entity| key(entity)).collect();
        texts.dedup();
        texts.join(" | ")
    };
    let mut names: Vec<&Name> = Vec::new();
    for name in entities.iter().flat_map(|entity| stored_names(model, entity)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    json!({
        "FacetName": name,
        "KeyAttributeAlias": {
            "PartitionKeyAlias": alias(|entity| &entity.pk.text),
            "SortKeyAlias": alias(|entity| &entity.sk.text),
        },
        "TableData": items.into_iter().collect::<Vec<_>>(),
        "NonKeyAttributes": names.iter().map(|name| &***name).collect::<Vec<_>>(),
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
