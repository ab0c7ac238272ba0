//! Items in a store that this process opens: a data directory, or DynamoDB.

use hansang_core::db::{Ask, Db, GetOptions, Record, Stray};
use hansang_core::validate::Violation;
use hansang_core::value::json::{item_to_typed, to_plain};
use hansang_core::{Entity, Item, read};
use serde_json::{Map, Value as Json, json};

use super::arguments::{self, Argument, ENTITY};
use super::{Delete, Get, Page, Put, Query};
use crate::model::{Order, source};
use crate::systems;
use hansang_command::Failure;
use hansang_http::input::{ITEM, PROBLEMS};

pub(super) async fn get(db: &Db, ask: &Get) -> Result<Option<Json>, Failure> {
    let entity = entity(db, &ask.entity)?;
    let options = GetOptions { consistent: ask.consistent, fields: ask.fields.clone() };
    let found = db.get(&entity.name, &key(entity, &ask.key)?, &options).await?;
    Ok(found.as_ref().map(plain))
}

pub(super) async fn put(db: &Db, ask: &Put, fields: &[Argument]) -> Result<Json, Failure> {
    check_open(db)?;
    let entity = entity(db, &ask.entity)?;
    let fields = exact(entity, fields)?;
    let stored = if ask.create {
        db.create(&entity.name, fields).await?
    } else {
        db.put(&entity.name, fields, ask.version).await?
    };
    Ok(plain(&stored))
}

pub(super) async fn query(db: &Db, ask: &Query, cursor: Option<String>) -> Result<Page, Failure> {
    let model = db.model();
    let Some(pattern) = model.pattern(&ask.pattern) else {
        let known = model.patterns.iter().map(|pattern| &*pattern.name);
        return Err(source::unknown("pattern", &ask.pattern, known));
    };
    let parameters = read::parameters(pattern);
    let kind = |name: &str| parameters.iter().find(|one| one.name == name).map(|one| one.kind);
    let arguments = arguments::exact(&ask.arguments, kind)?;
    let ask = Ask {
        limit: ask.limit,
        descending: ask.order.map(|order| order == Order::Descending),
        consistent: ask.consistent.then_some(true),
        fields: ask.fields.clone(),
        cursor,
    };
    let listing = db.query(&pattern.name, arguments, ask).await?;
    let stray =
        |stray: &Stray| json!({ ITEM: item_to_typed(&stray.item), PROBLEMS: problems(&stray.problems) });
    let items = listing.records.iter().map(plain).chain(listing.strays.iter().map(stray)).collect();
    Ok(Page { items, next: listing.next, previous: listing.previous })
}

pub(super) async fn delete(db: &Db, ask: &Delete) -> Result<(), Failure> {
    check_open(db)?;
    let entity = entity(db, &ask.entity)?;
    Ok(db.delete(&entity.name, key(entity, &ask.key)?, ask.version).await?)
}

/// Rejects writes to the models of systems, whose guarantees hold only if the system itself writes.
fn check_open(db: &Db) -> Result<(), Failure> {
    match systems::of_model(db.model())? {
        Some((system, _)) => system.check_local_write(),
        None => Ok(()),
    }
}

/// An unknown name is a usage error: exit code 3 is for missing items.
fn entity<'d>(db: &'d Db, name: &str) -> Result<&'d Entity, Failure> {
    let entities = &db.model().entities;
    let found = entities.iter().find(|entity| &*entity.name == name);
    let unknown = || source::unknown("entity", name, entities.iter().map(|entity| &*entity.name));
    found.map(AsRef::as_ref).ok_or_else(unknown)
}

fn exact(entity: &Entity, given: &[Argument]) -> Result<Item, Failure> {
    if let Some(unknown) = given.iter().find(|argument| entity.attribute(&argument.name).is_none()) {
        let known = entity.attributes.iter().map(|attribute| &*attribute.name);
        return Err(source::unknown(&format!("attribute of {}", entity.name), &unknown.name, known));
    }
    arguments::exact(given, |name| entity.attribute(name).map(|attribute| &attribute.kind))
}

/// The fields of a key. Other fields are an error, because they would have no effect.
fn key(entity: &Entity, given: &[Argument]) -> Result<Item, Failure> {
    let fields = exact(entity, given)?;
    match given.iter().find(|argument| !entity.in_key(&argument.name)) {
        None => Ok(fields),
        Some(other) => {
            let names = entity.pk.fields().chain(entity.sk.fields()).map(|field| &*field.attribute.name);
            let names: Vec<&str> = names.collect();
            let made_of = if names.is_empty() { "no field".to_owned() } else { names.join(", ") };
            let text = format!(
                "`{}` is not part of the key of {}, which is made of {made_of}",
                other.name, entity.name
            );
            Err(Failure::usage(text))
        }
    }
}

/// The JSON of an item, like that of the API: the entity, then the fields.
fn plain(record: &Record) -> Json {
    let mut object = Map::from_iter([(ENTITY.to_owned(), Json::from(&*record.entity.name))]);
    if !record.problems.is_empty() {
        object.insert(PROBLEMS.to_owned(), problems(&record.problems));
    }
    let fields = record.fields.iter();
    object.extend(fields.map(|(name, value)| (name.to_string(), to_plain(value))));
    Json::Object(object)
}

fn problems(found: &[Violation]) -> Json {
    found.iter().map(|one| json!({ "field": one.attribute, "message": one.problem.to_string() })).collect()
}
