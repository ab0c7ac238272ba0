//! The guards of writes.

use super::Moment;
use crate::code::CoreCode;
use crate::error::Error;
use crate::evaluate;
use crate::expiry;
use crate::kind::Kind;
use crate::message;
use crate::messages::items;
use crate::model::{Attribute, Entity, Model, Role, Unique};
use crate::plan::{Condition, Guard, Reason};
use crate::value::{Item, Name, Value};

pub(super) fn wrong_state(entity: &Entity, attribute: &Attribute, to: &str) -> Reason {
    let from = match &attribute.kind {
        Kind::Lifecycle(life) => life.before(to).cloned().collect(),
        _ => Vec::new(),
    };
    Reason::State { entity: entity.name.clone(), attribute: attribute.name.clone(), from, to: to.to_owned() }
}

pub(super) fn changed(entity: &Entity) -> Reason {
    Reason::Changed { entity: entity.name.clone() }
}

/// There is no item, or only an expired one.
pub(super) fn free_guard(model: &Model, entity: &Entity, moment: &Moment) -> Guard {
    let otherwise = Reason::Exists { entity: entity.name.clone() };
    Guard { condition: free(model, entity, moment), otherwise }
}

pub(super) fn free(model: &Model, entity: &Entity, moment: &Moment) -> Condition {
    let absent = Condition::Absent((&model.table.pk).into());
    match expiry::attribute_of(&model.table, entity) {
        Some(ttl) => Condition::Or(vec![absent, expiry::expired(ttl, moment.now)]),
        None => absent,
    }
}

/// There is an item, and it has not expired.
pub(super) fn exists_guard(model: &Model, entity: &Entity, moment: &Moment) -> Guard {
    let exists = Condition::Exists((&model.table.pk).into());
    let condition = match expiry::attribute_of(&model.table, entity) {
        Some(ttl) => Condition::And(vec![exists, expiry::alive(ttl, moment.now)]),
        None => exists,
    };
    Guard { condition, otherwise: Reason::Missing { entity: entity.name.clone() } }
}

/// Checks that the stored version is the expected one, if one is expected.
///
/// # Errors
/// When there is another one, or the entity has no version.
pub fn check_version(entity: &Entity, stored: &Item, expected: Option<i64>) -> Result<(), Error> {
    let guard = version_guard(entity, expected)?;
    match guard.filter(|guard| !evaluate::holds(&guard.condition, Some(stored))) {
        Some(guard) => Err(guard.otherwise.error()),
        None => Ok(()),
    }
}

pub(super) fn version_guard(entity: &Entity, expected: Option<i64>) -> Result<Option<Guard>, Error> {
    let Some(expected) = expected else { return Ok(None) };
    let Some(version) = entity.version() else {
        return Err(Error::invalid(CoreCode::NoVersion, message!(items::NO_VERSION, &entity.name)));
    };
    let condition = Condition::unchanged(&version.name, Some(&Value::from(expected)));
    Ok(Some(Guard { condition, otherwise: changed(entity) }))
}

/// Guards the stored values that a plan relies on: the version or, without one, every field of its keys,
/// constraints and lifecycles, and the immutable ones.
pub(super) fn unchanged_guards(model: &Model, entity: &Entity, stored: &Item) -> Vec<Guard> {
    if let Some(version) = entity.version() {
        return vec![unchanged(entity, &version.name, stored)];
    }
    let matters = |attribute: &Attribute| {
        attribute.stored
            && !entity.in_key(&attribute.name)
            && (attribute.immutable
                || matches!(attribute.kind, Kind::Lifecycle(_))
                || entity.uniques.iter().any(|unique| unique.uses(&attribute.name))
                || pointers_expire(model, entity, &attribute.name))
            && !matches!(attribute.role, Role::Type)
    };
    entity
        .attributes
        .iter()
        .filter(|attribute| matters(attribute))
        .map(|attribute| unchanged(entity, &attribute.name, stored))
        .collect()
}

/// Guards the whole item as it was read: a copy must not lose a change.
pub(super) fn identical_guards(model: &Model, entity: &Entity, stored: &Item) -> Vec<Guard> {
    if entity.version().is_some() {
        return unchanged_guards(model, entity, stored);
    }
    let fields =
        entity.attributes.iter().filter(|attribute| attribute.stored && !entity.in_key(&attribute.name));
    fields.map(|attribute| unchanged(entity, &attribute.name, stored)).collect()
}

/// Guards the fields of the pointer of a constraint as they were read.
pub(super) fn constraint_guards(
    model: &Model,
    entity: &Entity,
    unique: &Unique,
    stored: &Item,
) -> Vec<Guard> {
    let matters = |name: &str| unique.uses(name) || pointers_expire(model, entity, name);
    let fields = entity.attributes.iter().filter(|field| matters(&field.name) && !entity.in_key(&field.name));
    fields.map(|field| unchanged(entity, &field.name, stored)).collect()
}

/// Whether the entity has pointers that carry this attribute, because they expire with it.
pub(super) fn pointers_expire(model: &Model, entity: &Entity, name: &str) -> bool {
    !entity.uniques.is_empty() && expiry::attribute_of(&model.table, entity).is_some_and(|ttl| &**ttl == name)
}

pub(super) fn unchanged(entity: &Entity, name: &Name, stored: &Item) -> Guard {
    Guard { condition: Condition::unchanged(name, stored.get(name)), otherwise: changed(entity) }
}
