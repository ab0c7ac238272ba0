//! The pointers of unique constraints: acquired, released and transferred.

use std::sync::Arc;

use super::fields::stored_key;
use super::guards::{changed, free};
use super::{MAX_PK, Moment};
use crate::code::CoreCode;
use crate::error::Error;
use crate::expiry;
use crate::message;
use crate::messages::keys;
use crate::model::{Attribute, Entity, Model, Unique};
use crate::plan::{Action, Condition, Guard, Key, Reason, Write};
use crate::unique;
use crate::value::{Item, Name, Value};

/// Rejects values that would make a pointer's key too long for DynamoDB.
pub(super) fn check_lengths(writes: &[Write]) -> Result<(), Error> {
    match writes.iter().find(|write| write.key.pk.len() > MAX_PK) {
        Some(write) => {
            let bytes = write.key.pk.len();
            let message = message!(keys::UNIQUE_TOO_LONG, bytes, MAX_PK);
            Err(Error::invalid(CoreCode::KeyTooLong, message))
        }
        None => Ok(()),
    }
}

pub(super) fn pointer_key(model: &Model, entity: &Entity, unique: &Unique, fields: &Item) -> Option<Key> {
    let pk = unique::pointer_pk(entity, unique, model.table.delimiter, fields)?;
    Some(Key { pk, sk: unique::PREFIX.to_owned() })
}

/// The pointer that a new value needs.
pub(super) fn take_pointer(
    model: &Model,
    entity: &Entity,
    unique: &Unique,
    owner: &Write,
    moment: &Moment,
) -> Option<Write> {
    let Action::Put(item) = &owner.action else { return None };
    let key = pointer_key(model, entity, unique, item)?;
    Some(put_pointer(model, entity, unique, key, (&owner.key, item), moment))
}

/// A pointer to an owner, of which its key and its fields are known.
pub(super) fn put_pointer(
    model: &Model,
    entity: &Entity,
    unique: &Unique,
    key: Key,
    owner: (&Key, &Item),
    moment: &Moment,
) -> Write {
    let names = |attributes: &[Arc<Attribute>]| attributes.iter().map(|one| one.name.clone()).collect();
    let (fields, within) = (names(&unique.fields), names(&unique.within));
    let otherwise = Reason::Taken { entity: entity.name.clone(), fields, within };
    let guard = Guard { condition: free(model, entity, moment), otherwise };
    let item = pointer_item(model, entity, &key, owner);
    Write { key, action: Action::Put(item), guards: vec![guard].into() }
}

/// The pointer of an owner that it has already, but whose key or time of expiry changes.
pub(super) fn hand_over_pointer(
    model: &Model,
    entity: &Entity,
    key: Key,
    old_owner: &Key,
    owner: (&Key, &Item),
) -> Write {
    let item = pointer_item(model, entity, &key, owner);
    Write { key, action: Action::Put(item), guards: vec![owned_guard(model, entity, old_owner)].into() }
}

/// The pointer expires with its owner: otherwise the value would be taken forever.
fn pointer_item(model: &Model, entity: &Entity, key: &Key, (owner, fields): (&Key, &Item)) -> Item {
    let table = &model.table;
    let mut item = unique::pointer_item(&table.pk, &table.sk, key.pk.clone(), &owner.pk, &owner.sk);
    let ttl = expiry::attribute_of(table, entity).and_then(|ttl| fields.get_key_value(ttl));
    item.extend(ttl.map(|(name, value)| (name.clone(), value.clone())));
    item
}

/// Whether a change of the item makes its pointers expire at another time.
pub(super) fn expires_otherwise(model: &Model, entity: &Entity, before: &Item, after: &Item) -> bool {
    expiry::attribute_of(&model.table, entity).is_some_and(|ttl| before.get(ttl) != after.get(ttl))
}

/// The pointer that an old value releases.
pub(super) fn give_back_pointer(
    model: &Model,
    entity: &Entity,
    unique: &Unique,
    stored: &Item,
    owner: &Key,
) -> Option<Write> {
    let key = pointer_key(model, entity, unique, stored)?;
    Some(Write { key, action: Action::Delete, guards: vec![owned_guard(model, entity, owner)].into() })
}

/// The pointer still has this owner, so that a late write never removes the pointer of another item. Or it
/// is missing: programs that write to the table directly may not know of pointers, and their items must
/// stay writable. The owner itself has its own guards.
fn owned_guard(model: &Model, entity: &Entity, owner: &Key) -> Guard {
    let equal = |name: &Name, value: &str| Condition::unchanged(name, Some(&Value::from(value)));
    let owned =
        Condition::And(vec![equal(&unique::OWNER_PK, &owner.pk), equal(&unique::OWNER_SK, &owner.sk)]);
    let condition = Condition::Or(vec![Condition::Absent((&model.table.pk).into()), owned]);
    Guard { condition, otherwise: changed(entity) }
}

/// The pointers of a constraint when `stored` is replaced by the item of `owner`.
pub(super) fn swap_pointer(
    model: &Model,
    entity: &Entity,
    unique: &Unique,
    stored: &Item,
    owner: &Write,
    moment: &Moment,
) -> Vec<Write> {
    let Action::Put(item) = &owner.action else { return Vec::new() };
    let Ok(old_owner) = stored_key(model, stored) else { return Vec::new() };
    let before = pointer_key(model, entity, unique, stored);
    let after = pointer_key(model, entity, unique, item);
    if before == after && old_owner == owner.key && !expires_otherwise(model, entity, stored, item) {
        return Vec::new();
    }
    let new_owner = (&owner.key, item);
    match (before, after) {
        // The value stays but its owner moves: one write on the pointer, since a transaction
        // cannot delete and put the same item.
        (Some(key), Some(same)) if key == same => {
            vec![hand_over_pointer(model, entity, key, &old_owner, new_owner)]
        }
        (_, after) => {
            let mut writes: Vec<Write> =
                give_back_pointer(model, entity, unique, stored, &old_owner).into_iter().collect();
            writes.extend(after.map(|key| put_pointer(model, entity, unique, key, new_owner, moment)));
            writes
        }
    }
}
