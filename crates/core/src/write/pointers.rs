//! The pointers of unique constraints: taken, given back and handed over.

use std::sync::Arc;

use super::MAX_PK;
use super::fields::stored_key;
use super::guards::changed;
use crate::error::Error;
use crate::model::{Attribute, Entity, Model, Unique};
use crate::plan::{Action, Condition, Guard, Key, Reason, Write};
use crate::unique;
use crate::value::{Item, Name, Value};

/// A long value would make a pointer's key longer than DynamoDB takes.
pub(super) fn check_lengths(writes: &[Write]) -> Result<(), Error> {
    match writes.iter().find(|write| write.key.pk.len() > MAX_PK) {
        Some(write) => {
            let bytes = write.key.pk.len();
            let message =
                format!("a unique value is too long: its key would have {bytes} bytes; it may have {MAX_PK}");
            Err(Error::invalid("key_too_long", message))
        }
        None => Ok(()),
    }
}

pub(super) fn pointer_key(model: &Model, entity: &Entity, unique: &Unique, fields: &Item) -> Option<Key> {
    let pk = unique::pointer_pk(entity, unique, model.table.delimiter, fields)?;
    Some(Key { pk, sk: unique::PREFIX.to_owned() })
}

/// The pointer that a new value needs.
pub(super) fn take_pointer(model: &Model, entity: &Entity, unique: &Unique, owner: &Write) -> Option<Write> {
    let Action::Put(item) = &owner.action else { return None };
    put_pointer(model, entity, unique, pointer_key(model, entity, unique, item)?, &owner.key)
}

pub(super) fn put_pointer(
    model: &Model,
    entity: &Entity,
    unique: &Unique,
    key: Key,
    owner: &Key,
) -> Option<Write> {
    let names = |attributes: &[Arc<Attribute>]| attributes.iter().map(|one| one.name.clone()).collect();
    let (fields, within) = (names(&unique.fields), names(&unique.within));
    let otherwise = Reason::Taken { entity: entity.name.clone(), fields, within };
    let guard = Guard { condition: Condition::Absent((&model.table.pk).into()), otherwise };
    let item = unique::pointer_item(&model.table.pk, &model.table.sk, key.pk.clone(), &owner.pk, &owner.sk);
    Some(Write { key, action: Action::Put(item), guards: vec![guard] })
}

/// The pointer that an old value gives back.
pub(super) fn give_back_pointer(
    model: &Model,
    entity: &Entity,
    unique: &Unique,
    stored: &Item,
    owner: &Key,
) -> Option<Write> {
    let key = pointer_key(model, entity, unique, stored)?;
    Some(Write { key, action: Action::Delete, guards: vec![owned_guard(entity, owner)] })
}

/// The pointer is still that of this owner, so that a late write never takes another's away.
pub(super) fn owned_guard(entity: &Entity, owner: &Key) -> Guard {
    let equal = |name: &Name, value: &str| Condition::unchanged(name, Some(&Value::from(value)));
    let condition =
        Condition::And(vec![equal(&unique::OWNER_PK, &owner.pk), equal(&unique::OWNER_SK, &owner.sk)]);
    Guard { condition, otherwise: changed(entity) }
}

/// The pointers of a constraint when `stored` becomes what `owner` puts.
pub(super) fn swap_pointer(
    model: &Model,
    entity: &Entity,
    unique: &Unique,
    stored: &Item,
    owner: &Write,
) -> Vec<Write> {
    let Action::Put(item) = &owner.action else { return Vec::new() };
    let Ok(old_owner) = stored_key(model, stored) else { return Vec::new() };
    let before = pointer_key(model, entity, unique, stored);
    let after = pointer_key(model, entity, unique, item);
    if before == after && old_owner == owner.key {
        return Vec::new();
    }
    match (before, after) {
        // The value stays but its owner moves: one write on the pointer, since a transaction
        // cannot delete and put the same item.
        (Some(key), Some(same)) if key == same => {
            let item = unique::pointer_item(
                &model.table.pk,
                &model.table.sk,
                key.pk.clone(),
                &owner.key.pk,
                &owner.key.sk,
            );
            vec![Write { key, action: Action::Put(item), guards: vec![owned_guard(entity, &old_owner)] }]
        }
        (_, after) => {
            let mut writes: Vec<Write> =
                give_back_pointer(model, entity, unique, stored, &old_owner).into_iter().collect();
            writes.extend(after.and_then(|key| put_pointer(model, entity, unique, key, &owner.key)));
            writes
        }
    }
}
