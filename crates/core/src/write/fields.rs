//! The fields of an item before they are stored.

use std::cmp::Ordering;
use std::sync::Arc;

use super::guards::wrong_state;
use super::{Moment, derived, render_key};
use crate::code::CoreCode;
use crate::error::Error;
use crate::identify::{fields_of, key_fields};
use crate::kind::{Kind, text};
use crate::message;
use crate::message::{Argument, Message};
use crate::messages::{fields, items, keys};
use crate::model::{Attribute, Entity, Generated, KeySource, Model, Role};
use crate::plan::{Key, Reason};
use crate::validate::{Violation, check_rules, check_value, violation};
use crate::value::{Item, Name, Value, item_size};

/// The maximum bytes of an item.
pub const MAX_ITEM: usize = 400 * 1024;

/// Converts given fields to exact ones. Returns the attributes without a value, and the problems of those that
/// are unknown, automatic or wrong. Both sides are in name order, so one pass is enough.
pub(super) fn exact_fields<'e>(
    entity: &'e Entity,
    fields: &mut Item,
) -> (Vec<&'e Arc<Attribute>>, Vec<Violation>) {
    let mut attributes = entity.by_name.iter().peekable();
    let mut absent = Vec::with_capacity(entity.by_name.len());
    let mut violations: Vec<Violation> = Vec::new();
    for (name, value) in fields.iter_mut() {
        let attribute = loop {
            match attributes.peek().map(|attribute| attribute.name.cmp(name)) {
                Some(Ordering::Less) => absent.extend(attributes.next()),
                Some(Ordering::Equal) => break attributes.next(),
                _ => break None,
            }
        };
        let Some(attribute) = attribute else {
            violations.push(violation(name, message!(fields::UNKNOWN_ATTRIBUTE, &entity.name)));
            continue;
        };
        match exact_value(attribute, std::mem::replace(value, Value::Null)) {
            Ok(exact) => *value = exact,
            Err(problem) => violations.push(violation(name, problem)),
        }
    }
    absent.extend(attributes);
    (absent, violations)
}

/// Ends planning if fields have problems. Reports them all, with those of values that cannot be part of a key, in
/// name order.
pub(super) fn refuse(entity: &Entity, fields: &Item, mut violations: Vec<Violation>) -> Result<(), Error> {
    if violations.is_empty() {
        return Ok(());
    }
    for problem in key_problems(entity, fields) {
        if !violations.iter().any(|one| one.attribute == problem.attribute) {
            violations.push(problem);
        }
    }
    violations.sort_by(|one, other| one.attribute.cmp(&other.attribute));
    Err(Error::fields(violations))
}

/// The values that cannot be part of the keys they belong to, each once.
fn key_problems(entity: &Entity, fields: &Item) -> Vec<Violation> {
    let of_indexes = entity.indexes.iter().flat_map(|entry| [Some(&entry.pk), entry.sk.as_ref()]);
    let of_indexes = of_indexes.flatten().filter_map(|source| match source {
        KeySource::Derived(template) | KeySource::Own(template) => Some(template),
        KeySource::Number(_) => None,
    });
    let derived = entity.attributes.iter().filter_map(|attribute| match &attribute.role {
        Role::Derived(template) => Some(template),
        _ => None,
    });
    let mut problems: Vec<Violation> = Vec::new();
    for template in [&entity.pk, &entity.sk].into_iter().chain(of_indexes).chain(derived) {
        for field in template.fields() {
            let Some(value) = fields.get(&field.attribute.name) else { continue };
            let written = field.write(value, template.delimiter, &mut String::new());
            if let Err(error) = written
                && !problems.iter().any(|one| *one.attribute == *error.attribute)
            {
                problems.push(violation(&error.attribute, error.problem));
            }
        }
    }
    problems
}

/// The attributes of an item that the model does not know: neither fields of the entity nor keys.
pub(super) fn strangers(model: &Model, entity: &Entity, item: &Item) -> Item {
    let unknown = item.iter().filter(|(name, _)| is_stranger(model, entity, name));
    unknown.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Whether an attribute is neither a field of the entity nor a key of the table or an index.
pub(super) fn is_stranger(model: &Model, entity: &Entity, name: &Name) -> bool {
    let table = &model.table;
    let mut indexes = table.indexes.iter();
    let is_key = *name == table.pk
        || *name == table.sk
        || indexes.any(|index| index.pk == *name || index.sk.as_ref() == Some(name));
    !is_key && entity.attribute(name).is_none()
}

/// Drops the fields that Hansang writes.
pub(crate) fn drop_own(entity: &Entity, fields: &mut Item) {
    fields.retain(|name, _| {
        entity.attribute(name).is_none_or(|attribute| matches!(attribute.role, Role::Given))
    });
}

pub(super) fn exact_value(attribute: &Attribute, value: Value) -> Result<Value, Message> {
    if !matches!(attribute.role, Role::Given) {
        return Err(message!(fields::AUTOMATIC));
    }
    let value = attribute.kind.coerce(value)?;
    check_rules(attribute, &value)?;
    Ok(value)
}

/// Fills in generated values, defaults and the fields that the table writes. Returns the problems of required
/// fields without a value.
pub(super) fn fill(
    entity: &Entity,
    fields: &mut Item,
    absent: &[&Arc<Attribute>],
    moment: &Moment,
) -> Vec<Violation> {
    let mut missing = Vec::new();
    for (index, attribute) in absent.iter().enumerate() {
        let value = match (&attribute.role, attribute.generated, &attribute.default) {
            (Role::Type, ..) => Some(Value::from(&*entity.name)),
            (Role::Created | Role::Updated, ..) | (_, Some(Generated::Now), _) => now(attribute, moment),
            (Role::Version, ..) => Some(Value::from(1)),
            (_, Some(Generated::Ulid), _) => {
                Some(Value::from(text::ulid(millis(moment), bits(moment, index))))
            }
            (_, Some(Generated::Uuid), _) => Some(Value::from(text::uuid(bits(moment, index)))),
            (_, _, default) => default.clone(),
        };
        match value {
            Some(value) => {
                fields.insert(attribute.name.clone(), value);
            }
            None if attribute.optional => {}
            None => missing.push(violation(&attribute.name, message!(fields::REQUIRED))),
        }
    }
    missing
}

pub(super) fn now(attribute: &Attribute, moment: &Moment) -> Option<Value> {
    match attribute.kind {
        Kind::Timestamp(precision) => Some(Value::S(precision.format(moment.now))),
        _ => None,
    }
}

pub(super) fn millis(moment: &Moment) -> u64 {
    u64::try_from(moment.now.as_millisecond()).unwrap_or(0)
}

/// Different random bits for each attribute of one write.
pub(super) fn bits(moment: &Moment, index: usize) -> u128 {
    moment.random.wrapping_add((index as u128).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
}

/// Renders the keys, and drops the fields that only the key holds.
pub(super) fn assemble(model: &Model, entity: &Entity, mut fields: Item) -> Result<(Key, Item), Error> {
    let all = |error: Error| match key_problems(entity, &fields) {
        problems if problems.len() > 1 => Error::fields(problems),
        _ => error,
    };
    let key = render_key(entity, &fields).map_err(all)?;
    for (name, value) in derived(model, entity, &fields).map_err(Error::from).map_err(all)? {
        match value {
            Some(value) => fields.insert(name, value),
            None => fields.remove(&name),
        };
    }
    for attribute in entity.attributes.iter().filter(|attribute| !attribute.stored) {
        fields.remove(&attribute.name);
    }
    fields.insert(model.table.pk.clone(), Value::from(key.pk.clone()));
    fields.insert(model.table.sk.clone(), Value::from(key.sk.clone()));
    let size = item_size(&fields);
    if size > MAX_ITEM {
        let message = message!(items::TOO_LARGE, size, MAX_ITEM);
        return Err(Error::invalid(CoreCode::ItemTooLarge, message));
    }
    Ok((key, fields))
}

pub(super) fn check_initial(entity: &Entity, fields: &Item) -> Result<(), Violation> {
    for attribute in &entity.attributes {
        let Kind::Lifecycle(life) = &attribute.kind else { continue };
        let Some(Value::S(state)) = fields.get(&attribute.name) else { continue };
        if !life.initial.iter().any(|initial| **initial == **state) {
            let problem = message!(fields::INITIAL_STATE, Argument::or(&life.initial));
            return Err(violation(&attribute.name, problem));
        }
    }
    Ok(())
}

/// Keeps stored values that the caller need not repeat: generated and immutable fields, the state of a
/// lifecycle, and the fields that the table writes. A value that breaks a rule is not kept. Returns the attributes
/// that are still without a value.
pub(super) fn keep<'e>(
    stored: &Item,
    fields: &mut Item,
    absent: Vec<&'e Arc<Attribute>>,
) -> Vec<&'e Arc<Attribute>> {
    let kept = |attribute: &Attribute| {
        let given = attribute.generated.is_some() || attribute.immutable;
        let kept = given || matches!(attribute.kind, Kind::Lifecycle(_));
        let value = stored
            .get(&attribute.name)
            .filter(|_| kept || matches!(attribute.role, Role::Created | Role::Type))
            .filter(|value| check_value(attribute, value).is_ok());
        value.cloned()
    };
    let mut rest = Vec::new();
    for attribute in absent {
        match kept(attribute) {
            Some(value) => {
                fields.insert(attribute.name.clone(), value);
            }
            None => rest.push(attribute),
        }
    }
    rest
}

/// The time of the write, and the next version.
pub(super) fn touch(entity: &Entity, stored: &Item, fields: &mut Item, moment: &Moment) {
    for attribute in &entity.attributes {
        let value = match attribute.role {
            Role::Updated => now(attribute, moment),
            Role::Version => {
                let before =
                    stored.get(&attribute.name).and_then(Value::as_number).and_then(|number| number.to_i64());
                Some(Value::from(before.unwrap_or(0) + 1))
            }
            _ => None,
        };
        if let Some(value) = value {
            fields.insert(attribute.name.clone(), value);
        }
    }
}

/// Checks that immutable fields are unchanged and that lifecycles have the transitions. A stored value that breaks
/// a rule may be repaired.
pub(super) fn check_replacement(entity: &Entity, stored: &Item, fields: &Item) -> Result<(), Error> {
    for attribute in entity.attributes.iter().filter(|attribute| matches!(attribute.role, Role::Given)) {
        let (before, after) = (stored.get(&attribute.name), fields.get(&attribute.name));
        let is_broken = before.is_some_and(|before| check_value(attribute, before).is_err());
        if before == after || !attribute.stored || is_broken {
            continue;
        }
        // Moving an item is meant to change fields of the key.
        if attribute.immutable && before.is_some() && !entity.in_key(&attribute.name) {
            let problem = message!(fields::IMMUTABLE);
            return Err(Reason::Rule { attribute: attribute.name.clone(), problem }.error());
        }
        if let (Kind::Lifecycle(life), Some(Value::S(from))) = (&attribute.kind, before) {
            let to = after.and_then(Value::as_str).unwrap_or_default();
            if !life.allows(from, to) {
                return Err(wrong_state(entity, attribute, to).error());
            }
        }
    }
    Ok(())
}

pub(super) fn stored_key(model: &Model, stored: &Item) -> Result<Key, Error> {
    let text = |name: &Name| stored.get(name).and_then(Value::as_str).map(str::to_owned);
    match (text(&model.table.pk), text(&model.table.sk)) {
        (Some(pk), Some(sk)) => Ok(Key { pk, sk }),
        _ => Err(Error::invalid(CoreCode::NotAnItem, message!(keys::NO_KEY))),
    }
}

/// The fields of a stored item, with those that only its key holds.
pub(super) fn own_fields(model: &Model, entity: &Entity, stored: &Item) -> Item {
    let key = stored_key(model, stored).ok();
    let in_key = key.and_then(|key| key_fields(entity, &key.pk, &key.sk)).unwrap_or_default();
    fields_of(model, entity, stored, in_key)
}
