//! Stored items as their readers see them.

use std::sync::Arc;

use crate::code::CoreCode;
use crate::error::Error;
use crate::identify::{Read, entity_of, read_as, read_part};
use crate::message;
use crate::message::{Join, Message};
use crate::messages::items;
use crate::model::{Entity, Model};
use crate::validate::Violation;
use crate::value::{Item, Value};

/// An item of an entity: its fields, without the keys of table and indexes.
#[derive(Clone, Debug)]
pub struct Record {
    /// The entity.
    pub entity: Arc<Entity>,
    /// The fields, those that only the key holds included.
    pub fields: Item,
    /// Whether only some of the fields were read.
    pub partial: bool,
}

impl Record {
    /// The version, if the entity counts its writes and the version was read.
    #[must_use]
    pub fn version(&self) -> Option<i64> {
        self.fields.get(&self.entity.version()?.name)?.as_number()?.to_i64()
    }

    /// The text of a field, if it is there and is one.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
        self.fields.get(field).and_then(Value::as_str)
    }

    /// Reads a whole item.
    pub(super) fn whole(model: &Model, item: Item) -> Result<Self, Error> {
        let (entity, in_key) = entity_of(model, &item).map_err(|violations| not_of(model, violations))?;
        Self::of(model, entity, item, in_key).map(|(record, _)| record)
    }

    /// Reads a whole item whose entity and fields in the key are known. The keys that are no fields come along.
    pub(super) fn of(
        model: &Model,
        entity: &Arc<Entity>,
        item: Item,
        in_key: Item,
    ) -> Result<(Self, Item), Error> {
        let read = read_as(model, entity, item, in_key);
        let Read { fields, keys } = read.map_err(|violations| not_of(model, violations))?;
        Ok((Self { entity: entity.clone(), fields, partial: false }, keys))
    }

    /// Reads an item of which some attributes are missing: only `wanted` ones and those of the key
    /// are kept, if any are named.
    pub(super) fn part(model: &Model, item: &Item, wanted: Option<&[String]>) -> Result<Self, Error> {
        let (entity, mut fields) = read_part(model, item).map_err(|violations| not_of(model, violations))?;
        if let Some(wanted) = wanted {
            fields.retain(|name, _| entity.in_key(name) || wanted.iter().any(|one| **one == **name));
        }
        Ok(Self { entity: entity.clone(), fields, partial: true })
    }
}

/// Two are equal if they hold the same of the same entity.
impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.entity.name == other.entity.name && self.fields == other.fields && self.partial == other.partial
    }
}

fn not_of(model: &Model, violations: Vec<Violation>) -> Error {
    let problems = Message::join(Join::Semicolon, violations.iter().map(Violation::message));
    let message = message!(items::NOT_OF_MODEL, &model.name, problems);
    Error { violations, ..Error::internal(CoreCode::NotOfThisModel, message) }
}
