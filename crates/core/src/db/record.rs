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
///
/// Reads are lenient: an item that another program wrote, or that is older than the model, is returned with
/// all of its attributes, and [`Record::problems`] lists what does not match the model. Writes are strict.
#[derive(Clone, Debug)]
pub struct Record {
    /// The entity.
    pub entity: Arc<Entity>,
    /// The fields, those that only the key holds included.
    pub fields: Item,
    /// Whether only some of the fields were read.
    pub partial: bool,
    /// The mismatches of the stored item with the model, in name order; usually empty.
    pub problems: Vec<Violation>,
}

/// A stored item that no entity of the model can have.
#[derive(Clone, Debug, PartialEq)]
pub struct Stray {
    /// The item as it is stored.
    pub item: Item,
    /// The reason that it is no record.
    pub problems: Vec<Violation>,
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

    /// The record itself, for a caller that cannot use one that does not match the model.
    ///
    /// # Errors
    /// When the record has problems.
    pub fn sound(&self, model: &Model) -> Result<&Self, Error> {
        if self.problems.is_empty() { Ok(self) } else { Err(not_of(model, self.problems.clone())) }
    }

    /// Reads a whole item.
    ///
    /// # Errors
    /// When no entity can have its key.
    pub(super) fn whole(model: &Model, item: Item) -> Result<Self, Error> {
        let (entity, in_key) = entity_of(model, &item).map_err(|violations| not_of(model, violations))?;
        Ok(Self::of(model, entity, item, in_key).0)
    }

    /// Reads the wanted fields of an item, and those of its key.
    ///
    /// # Errors
    /// When no entity can have its key.
    pub(super) fn some(model: &Model, item: Item, wanted: &[String]) -> Result<Self, Error> {
        let (entity, in_key) = entity_of(model, &item).map_err(|violations| not_of(model, violations))?;
        Ok(Self::part(model, entity, item, in_key, Some(wanted)).0)
    }

    /// Reads a whole item whose entity and fields in the key are known. The keys that are no fields come along.
    pub(super) fn of(model: &Model, entity: &Arc<Entity>, item: Item, in_key: Item) -> (Self, Item) {
        let Read { fields, keys, problems } = read_as(model, entity, item, in_key);
        (Self { entity: entity.clone(), fields, partial: false, problems }, keys)
    }

    /// Reads an item of which some attributes are missing: only `wanted` ones and those of the key
    /// are kept, if any are named. The keys that are no fields come along.
    pub(super) fn part(
        model: &Model,
        entity: &Arc<Entity>,
        item: Item,
        in_key: Item,
        wanted: Option<&[String]>,
    ) -> (Self, Item) {
        let Read { mut fields, keys, mut problems } = read_part(model, entity, item, in_key);
        if let Some(wanted) = wanted {
            let is_wanted = |name: &str| entity.in_key(name) || wanted.iter().any(|one| one == name);
            fields.retain(|name, _| is_wanted(name));
            problems.retain(|problem| is_wanted(&problem.attribute));
        }
        (Self { entity: entity.clone(), fields, partial: true, problems }, keys)
    }
}

/// Two are equal if they hold the same of the same entity.
impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.entity.name == other.entity.name && self.fields == other.fields && self.partial == other.partial
    }
}

/// The error for an item that does not match the model.
fn not_of(model: &Model, violations: Vec<Violation>) -> Error {
    let problems = Message::join(Join::Semicolon, violations.iter().map(Violation::message));
    let message = message!(items::NOT_OF_MODEL, &model.name, problems);
    Error { violations, ..Error::internal(CoreCode::NotOfThisModel, message) }
}
