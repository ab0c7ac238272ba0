//! Plans of writes: create, put, partial update, delete and move.
//!
//! A plan carries its conditions, each with the error to report, so nothing is decided by a stale read.
//! Where a plan depends on the stored item (a unique value to release, an index key with an unchanged
//! field), planning asks for the item first and guards the write with the values that were read.

use jiff::Timestamp;

use crate::code::CoreCode;
use crate::error::Error;
use crate::expiry;
use crate::message;
use crate::messages::{self, keys};
use crate::model::{Entity, Model};
use crate::plan::{Action, Get, Guard, Key, Reason, Write};
use crate::validate::{Violation, violation};
use crate::value::json::to_plain;
use crate::value::{Item, Name};

mod derive;
mod fields;
mod guards;
mod nested;
mod pointers;
pub mod refresh;
mod update;

pub(crate) use derive::derived;
pub use fields::MAX_ITEM;
pub(crate) use fields::drop_own;
pub use guards::check_version;
pub use update::{Update, feeds_key, update};

use fields::{
    assemble, check_initial, check_replacement, exact_fields, fill, keep, own_fields, refuse, stored_key,
    strangers, touch,
};
use guards::{
    constraint_guards, exists_guard, free_guard, identical_guards, unchanged_guards, version_guard,
};
use pointers::{check_lengths, give_back_pointer, swap_pointer, take_pointer};

/// The maximum bytes of a partition key.
pub(crate) const MAX_PK: usize = 2048;
/// The maximum bytes of a sort key.
pub(crate) const MAX_SK: usize = 1024;

/// The time and the randomness of a write. Both come from outside, so that planning stays pure and tests
/// can repeat it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The time of the write.
    pub now: Timestamp,
    /// Random bits for new identifiers.
    pub random: u128,
}

/// The stored item, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub enum Current<'a> {
    /// Not read.
    Unknown,
    /// Does not exist.
    Absent,
    /// The item as it is stored.
    Item(&'a Item),
}

impl Current<'_> {
    /// An expired item counts as absent.
    fn unless_expired(self, model: &Model, moment: &Moment) -> Self {
        match self {
            Self::Item(stored) if expiry::is_expired(&model.table, stored, moment.now) => Self::Absent,
            known => known,
        }
    }
}

/// The result of planning a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Planned {
    /// The writes, all or nothing.
    Ready(Vec<Write>),
    /// The item must be read first; plan again with the result.
    ReadFirst(Get),
}

/// Plans the creation of an item. It never overwrites.
///
/// # Errors
/// Every field that breaks a rule.
pub fn create(model: &Model, entity: &Entity, fields: Item, moment: &Moment) -> Result<Vec<Write>, Error> {
    make(model, entity, fields, moment, |violation| Error::fields(vec![violation]))
}

/// `wrong_start` makes the error for a state that a lifecycle cannot start in.
fn make(
    model: &Model,
    entity: &Entity,
    mut fields: Item,
    moment: &Moment,
    wrong_start: impl FnOnce(Violation) -> Error,
) -> Result<Vec<Write>, Error> {
    let (absent, mut violations) = exact_fields(entity, &mut fields);
    violations.extend(fill(entity, &mut fields, &absent, moment));
    match check_initial(entity, &fields) {
        Err(violation) if violations.is_empty() => return Err(wrong_start(violation)),
        start => violations.extend(start.err()),
    }
    refuse(entity, &fields, violations)?;
    let (key, item) = assemble(model, entity, fields)?;
    let mut writes = Vec::with_capacity(1 + entity.uniques.len());
    writes.push(Write {
        key,
        action: Action::Put(item),
        guards: vec![free_guard(model, entity, moment)].into(),
    });
    for constraint in &entity.uniques {
        let taken = take_pointer(model, entity, constraint, &writes[0], moment);
        writes.extend(taken);
    }
    check_lengths(&writes)?;
    Ok(writes)
}

/// Plans storing a whole item, new or as a replacement. Generated and immutable fields and the state of a
/// lifecycle are kept where they are left out, and so are stored attributes that the model does not know. Fields
/// that Hansang writes are ignored, so that an item can be stored as it was read.
///
/// # Errors
/// Every field that breaks a rule, or a lifecycle transition that does not exist.
pub fn put(
    model: &Model,
    entity: &Entity,
    mut fields: Item,
    current: Current<'_>,
    moment: &Moment,
) -> Result<Planned, Error> {
    drop_own(entity, &mut fields);
    // The state would be valid if the item existed: this is a conflict, not an invalid request.
    let wrong_start =
        |Violation { attribute, problem }| Reason::Rule { attribute: Name::from(attribute), problem }.error();
    let stored = match current.unless_expired(model, moment) {
        Current::Absent => return make(model, entity, fields, moment, wrong_start).map(Planned::Ready),
        Current::Unknown => None,
        Current::Item(stored) => Some(stored),
    };
    let given = strangers(model, entity, &fields);
    fields.retain(|name, _| !given.contains_key(name));
    let (mut absent, mut violations) = exact_fields(entity, &mut fields);
    let kept = stored.map(|stored| strangers(model, entity, stored)).unwrap_or_default();
    if let Some(stored) = stored {
        absent = keep(stored, &mut fields, absent);
        // Attributes that the model does not know may be sent back as they were read.
        let differ =
            given.iter().filter(|(name, value)| kept.get(name).map(to_plain) != Some(to_plain(value)));
        violations.extend(differ.map(|(name, _)| unknown(entity, name)));
    }
    violations.extend(fill(entity, &mut fields, &absent, moment));
    refuse(entity, &fields, violations)?;
    let Some(stored) = stored else {
        let (key, _) = assemble(model, entity, fields)?;
        return Ok(Planned::ReadFirst(read_first(key)));
    };
    touch(entity, stored, &mut fields, moment);
    check_replacement(entity, stored, &fields)?;
    fields.extend(kept);
    let (key, item) = assemble(model, entity, fields)?;
    let mut guards = vec![exists_guard(model, entity, moment)];
    guards.extend(unchanged_guards(model, entity, stored));
    let mut writes = vec![Write { key, action: Action::Put(item), guards: guards.into() }];
    for constraint in &entity.uniques {
        let swapped = swap_pointer(model, entity, constraint, stored, &writes[0], moment);
        writes.extend(swapped);
    }
    check_lengths(&writes)?;
    Ok(Planned::Ready(writes))
}

/// Plans the removal of an item, with the expected version if there is one.
///
/// # Errors
/// When a field of the key is missing or wrong, or there is no such item.
pub fn delete(
    model: &Model,
    entity: &Entity,
    key_fields: &Item,
    current: Current<'_>,
    expected_version: Option<i64>,
    moment: &Moment,
) -> Result<Planned, Error> {
    let key = key(entity, key_fields)?;
    let mut guards = vec![exists_guard(model, entity, moment)];
    guards.extend(version_guard(entity, expected_version)?);
    let mut writes = vec![Write { key, action: Action::Delete, guards: guards.into() }];
    if !entity.uniques.is_empty() {
        let stored = match current.unless_expired(model, moment) {
            Current::Unknown => return Ok(Planned::ReadFirst(read_first(writes.remove(0).key))),
            Current::Absent => return Err(Reason::Missing { entity: entity.name.clone() }.error()),
            Current::Item(stored) => stored,
        };
        for constraint in &entity.uniques {
            writes[0].guards.extend(constraint_guards(model, entity, constraint, stored));
            let given_back = give_back_pointer(model, entity, constraint, stored, &writes[0].key);
            writes.extend(given_back);
        }
    }
    Ok(Planned::Ready(writes))
}

/// Plans moving an item to another key, with `changes`: a delete and a put in one transaction. Everything
/// else is kept, the time of creation too.
///
/// # Errors
/// Every field that breaks a rule, a lifecycle transition that does not exist, or an unchanged key.
pub fn relocate(
    model: &Model,
    entity: &Entity,
    stored: &Item,
    mut changes: Item,
    moment: &Moment,
) -> Result<Vec<Write>, Error> {
    let old_key = stored_key(model, stored)?;
    if expiry::is_expired(&model.table, stored, moment.now) {
        return Err(Reason::Missing { entity: entity.name.clone() }.error());
    }
    let (_, violations) = exact_fields(entity, &mut changes);
    refuse(entity, &changes, violations)?;
    let mut fields = own_fields(model, entity, stored);
    fields.extend(changes);
    touch(entity, stored, &mut fields, moment);
    check_replacement(entity, stored, &fields)?;
    let (new_key, item) = assemble(model, entity, fields)?;
    if new_key == old_key {
        return Err(Error::invalid(CoreCode::SameKey, message!(keys::SAME_KEY)));
    }
    let mut guards = vec![exists_guard(model, entity, moment)];
    guards.extend(identical_guards(model, entity, stored));
    let mut writes = vec![
        Write {
            key: new_key,
            action: Action::Put(item),
            guards: vec![free_guard(model, entity, moment)].into(),
        },
        Write { key: old_key, action: Action::Delete, guards: guards.into() },
    ];
    for constraint in &entity.uniques {
        let swapped = swap_pointer(model, entity, constraint, stored, &writes[0], moment);
        writes.extend(swapped);
    }
    Ok(writes)
}

/// Plans a check for a transaction: that the guards hold or, without guards, that the item exists.
///
/// # Errors
/// When a field of the key is missing or wrong.
pub fn check(
    model: &Model,
    entity: &Entity,
    key_fields: &Item,
    mut guards: Vec<Guard>,
    moment: &Moment,
) -> Result<Write, Error> {
    if guards.is_empty() {
        guards.push(exists_guard(model, entity, moment));
    }
    Ok(Write { key: key(entity, key_fields)?, action: Action::Check, guards: guards.into() })
}

/// The key of an item, from the fields that are part of it.
///
/// # Errors
/// When one is missing or cannot be part of a key.
pub fn key(entity: &Entity, fields: &Item) -> Result<Key, Error> {
    render_key(entity, &exact_key_fields(entity, fields)?)
}

/// The exact fields of the key, and no others.
fn exact_key_fields(entity: &Entity, fields: &Item) -> Result<Item, Error> {
    let mut exact = Item::new();
    let mut violations = Vec::new();
    for field in entity.pk.fields().chain(entity.sk.fields()) {
        let attribute = &field.attribute;
        match fields.get(&attribute.name).cloned().map(|value| attribute.kind.coerce(value)) {
            Some(Ok(value)) => {
                exact.insert(attribute.name.clone(), value);
            }
            Some(Err(problem)) => violations.push(violation(&attribute.name, problem)),
            None => violations.push(violation(&attribute.name, message!(messages::fields::REQUIRED))),
        }
    }
    if violations.is_empty() { Ok(exact) } else { Err(Error::fields(violations)) }
}

fn render_key(entity: &Entity, fields: &Item) -> Result<Key, Error> {
    let absent = || Error::invalid(CoreCode::InvalidFields, message!(keys::FIELD_MISSING, &entity.name));
    let pk = entity.pk.render(fields)?.ok_or_else(absent)?;
    let sk = entity.sk.render(fields)?.ok_or_else(absent)?;
    if pk.len() > MAX_PK {
        let message = message!(keys::PARTITION_TOO_LONG, pk.len(), MAX_PK);
        return Err(Error::invalid(CoreCode::KeyTooLong, message));
    }
    if sk.len() > MAX_SK {
        let message = message!(keys::SORT_TOO_LONG, sk.len(), MAX_SK);
        return Err(Error::invalid(CoreCode::KeyTooLong, message));
    }
    Ok(Key { pk, sk })
}

fn unknown(entity: &Entity, name: &str) -> Violation {
    violation(name, message!(messages::fields::UNKNOWN_ATTRIBUTE, &entity.name))
}

fn read_first(key: Key) -> Get {
    Get { key, consistent: true, fields: None }
}
