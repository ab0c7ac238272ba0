//! The records to choose from in fields that refer to other records.

use std::collections::BTreeMap;

use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_core::model::{Entity, Leg, Pattern};
use hansang_core::read::parameters;

use super::query::returns;
use super::{System, titles};
use hansang_core::Item;
use hansang_ui::form::{Field, Input};
use hansang_ui::time::Reader;

/// The maximum number of records to choose from. Others are entered by their key.
const MAX_OPTIONS: u32 = 200;

/// Keys and titles for each field that refers to another record.
#[derive(Default)]
pub(super) struct Pickers(BTreeMap<String, Vec<(String, String)>>);

impl Pickers {
    /// Reads the records that an entity can refer to, where a pattern lists them without arguments.
    pub(super) async fn of(system: &System, entity: &Entity, reader: &Reader) -> Result<Self, Error> {
        let mut pickers = Self::default();
        for reference in &entity.references {
            let Some(target) = system.model().entity(&reference.entity) else { continue };
            let Some(pattern) = system.model().patterns.iter().find(|one| lists_all(one, target)) else {
                continue;
            };
            let own = reference.key.iter().find(|(_, own)| *own == reference.attribute);
            let key = own.and_then(|(theirs, _)| target.attribute(theirs));
            let Some(key) = key else { continue };
            let ask = Ask { limit: Some(MAX_OPTIONS), ..Ask::default() };
            let query = system.db().query(&pattern.name, Item::new(), ask);
            let listing = system.calls.measured(&pattern.name, query).await?;
            let options = listing.records.iter().filter(|one| one.entity.name == target.name).map(|one| {
                let value = titles::stored(key, one.fields.get(&key.name));
                (value, titles::record(&one.entity, &one.fields, reader))
            });
            pickers.0.insert(reference.attribute.to_string(), options.collect());
        }
        Ok(pickers)
    }

    /// The field as a picker, if there are records to choose from.
    pub(super) fn apply(&self, mut field: Field) -> Field {
        if let (Some(options), Input::Text) = (self.0.get(&field.name), &field.input) {
            field.input = Input::Reference { options: options.clone(), search: String::new() };
        }
        field
    }
}

/// Whether a pattern lists the records of an entity alone, and needs no arguments.
fn lists_all(pattern: &Pattern, entity: &Entity) -> bool {
    returns(pattern, entity)
        && pattern.entities.len() == 1
        && pattern.legs.iter().any(|leg| matches!(leg, Leg::Query { .. }))
        && !parameters(pattern).iter().any(|one| one.required)
}
