//! The records that refer to a record, where a pattern can list them.

use hansang_core::db::Ask;
use hansang_core::model::{Entity, Leg, Pattern, Reference};
use hansang_core::{Db, Error, Item, Record};

use super::query::returns;
use super::{System, fields, titles};
use hansang_http::input::argument_name;
use hansang_ui::frame::View;
use hansang_ui::time::Reader;

/// The number of related records that are shown before the link to all of them.
const MAX_SHOWN: u32 = 5;

/// Records of one entity that refer to a record.
pub(super) struct Related {
    pub(super) title: String,
    /// The titles and addresses of the first ones.
    pub(super) rows: Vec<(String, String)>,
    /// The list of all of them.
    pub(super) all: String,
}

/// The records that refer to a record, of the entities that the visitor reads.
/// They are read through `db`, which may record the requests.
pub(super) async fn of(
    system: &System,
    db: &Db,
    record: &Record,
    view: &View,
) -> Result<Vec<Related>, Error> {
    let model = system.model();
    let mut related = Vec::new();
    for entity in model.entities.iter().filter(|entity| system.may_read(view, &entity.name)) {
        for reference in entity.references.iter().filter(|one| one.entity == record.entity.name) {
            let Some(arguments) = reference.fields_of(&record.fields) else { continue };
            let Some(pattern) = model.patterns.iter().find(|one| lists(one, entity, reference)) else {
                continue;
            };
            related.push(read(system, db, pattern, entity, arguments, &view.reader).await?);
        }
    }
    Ok(related)
}

/// Whether a pattern lists the records of an entity that refer to one record.
fn lists(pattern: &Pattern, entity: &Entity, reference: &Reference) -> bool {
    returns(pattern, entity)
        && pattern.over.is_none()
        && pattern.legs.iter().any(|leg| matches!(leg, Leg::Query { .. }))
        && pattern.given.iter().any(|one| one.name == reference.attribute)
        && pattern.given.iter().all(|one| reference.key.iter().any(|(_, own)| *own == one.name))
}

async fn read(
    system: &System,
    db: &Db,
    pattern: &Pattern,
    entity: &Entity,
    mut arguments: Item,
    reader: &Reader,
) -> Result<Related, Error> {
    arguments.retain(|name, _| pattern.given.iter().any(|one| one.name == *name));
    let all = format!("/entities/{}/views/{}?{}", entity.name, pattern.name, query(pattern, &arguments));
    let ask = Ask { limit: Some(MAX_SHOWN), ..Ask::default() };
    let listing = system.calls.measured(&pattern.name, db.query(&pattern.name, arguments, ask)).await?;
    let rows = listing.records.iter().filter(|one| one.entity.name == entity.name).map(|one| {
        let title = titles::record(&one.entity, &one.fields, reader);
        (title, system.of_record(&one.entity, "record", &one.fields))
    });
    Ok(Related {
        title: entity.plural_in(reader.language).into_owned(),
        rows: rows.collect(),
        all: system.at(&all),
    })
}

/// The arguments of a view as a query string.
fn query(pattern: &Pattern, arguments: &Item) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for attribute in &pattern.given {
        let text = arguments.get(&attribute.name).map(|value| fields::text_of(&attribute.kind, value));
        query.append_pair(&argument_name(&attribute.name), &text.unwrap_or_default());
    }
    query.finish()
}
