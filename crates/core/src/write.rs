//! Writes become plans: create, put, partial update, delete and move.
//!
//! A plan carries its conditions, each with the error it means, so nothing is decided by a read
//! that could be stale. Where a plan depends on what is stored (a unique value to give back, an
//! index key made of a field that does not change), planning asks for the item first and guards
//! the write with what it read.

use jiff::Timestamp;

use crate::error::Error;
use crate::identify::{fields_of, key_fields};
use crate::kind::{Kind, text};
use crate::model::{Attribute, Entity, Generated, Model, Role, Unique};
use crate::plan::{Action, Condition, Get, Guard, Key, Write};
use crate::unique;
use crate::validate::{Violation, check_rules, violation};
use crate::value::{Item, Name, Value, item_size};

mod derive;
mod update;

pub(crate) use derive::derived;
pub use update::{Update, update};

/// The most bytes of an item.
pub const MAX_ITEM: usize = 400 * 1024;

/// When a write happens and what chance it may use: both come from outside, so that planning stays
/// pure and a test can repeat it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The time of the write.
    pub now: Timestamp,
    /// Random bits for new identifiers.
    pub random: u128,
}

/// What is known of the stored item.
#[derive(Clone, Copy, Debug)]
pub enum Current<'a> {
    /// Nothing was read.
    Unknown,
    /// There is none.
    Absent,
    /// This one, as it is stored.
    Item(&'a Item),
}

/// The answer of planning a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Planned {
    /// The writes, to be done together or not at all.
    Ready(Vec<Write>),
    /// The item must be read first; plan again with what was found.
    ReadFirst(Get),
}

/// Plans the creation of an item. It never overwrites.
///
/// # Errors
/// Every field that breaks a rule.
pub fn create(model: &Model, entity: &Entity, fields: Item, moment: &Moment) -> Result<Vec<Write>, Error> {
    let mut fields = exact_fields(entity, fields)?;
    fill(entity, &mut fields, moment);
    check_initial(entity, &fields)?;
    let (key, item) = assemble(model, entity, fields)?;
    let exists = || Error::conflict("already_exists", format!("this {} exists already", entity.name));
    let guard = Guard { condition: Condition::Absent((&model.table.pk).into()), otherwise: exists() };
    let mut writes = vec![Write { key, action: Action::Put(item), guards: vec![guard] }];
    for constraint in &entity.uniques {
        let taken = take_pointer(model, entity, constraint, &writes[0]);
        writes.extend(taken);
    }
    Ok(writes)
}

/// Plans storing a whole item, new or in place of the stored one. What was generated, what is
/// immutable and the state of a lifecycle are kept where they are left out.
///
/// # Errors
/// Every field that breaks a rule, or a lifecycle move that does not exist.
pub fn put(
    model: &Model,
    entity: &Entity,
    fields: Item,
    current: Current<'_>,
    moment: &Moment,
) -> Result<Planned, Error> {
    let stored = match current {
        Current::Absent => return create(model, entity, fields, moment).map(Planned::Ready),
        Current::Unknown => {
            let mut fields = exact_fields(entity, fields)?;
            fill(entity, &mut fields, moment);
            let (key, _) = assemble(model, entity, fields)?;
            return Ok(Planned::ReadFirst(read_first(key)));
        }
        Current::Item(stored) => stored,
    };
    let mut fields = exact_fields(entity, fields)?;
    keep(entity, stored, &mut fields);
    fill(entity, &mut fields, moment);
    touch(entity, stored, &mut fields, moment);
    check_replacement(entity, stored, &fields)?;
    let (key, item) = assemble(model, entity, fields)?;
    let mut guards = vec![exists_guard(model, entity)];
    guards.extend(unchanged_guards(entity, stored));
    let mut writes = vec![Write { key, action: Action::Put(item), guards }];
    for constraint in &entity.uniques {
        let swapped = swap_pointer(model, entity, constraint, stored, &writes[0]);
        writes.extend(swapped);
    }
    Ok(Planned::Ready(writes))
}

/// Plans the removal of an item. `expected_version` must be the stored one, if it is given.
///
/// # Errors
/// When a field of the key is missing or wrong, or there is no such item.
pub fn delete(
    model: &Model,
    entity: &Entity,
    key_fields: &Item,
    current: Current<'_>,
    expected_version: Option<i64>,
) -> Result<Planned, Error> {
    let key = key(entity, key_fields)?;
    let mut guards = vec![exists_guard(model, entity)];
    guards.extend(version_guard(entity, expected_version)?);
    let mut writes = vec![Write { key, action: Action::Delete, guards }];
    if !entity.uniques.is_empty() {
        let stored = match current {
            Current::Unknown => return Ok(Planned::ReadFirst(read_first(writes.remove(0).key))),
            Current::Absent => return Err(not_found(entity)),
            Current::Item(stored) => stored,
        };
        for constraint in &entity.uniques {
            writes[0].guards.extend(constraint_guards(entity, constraint, stored));
            let given_back = give_back_pointer(model, entity, constraint, stored, &writes[0].key);
            writes.extend(given_back);
        }
    }
    Ok(Planned::Ready(writes))
}

/// Plans moving an item to another key: the stored one goes, one with `changes` comes, together.
/// Everything else, the time of creation included, is kept.
///
/// # Errors
/// Every field that breaks a rule, or when the key would stay the same.
pub fn relocate(
    model: &Model,
    entity: &Entity,
    stored: &Item,
    changes: Item,
    moment: &Moment,
) -> Result<Vec<Write>, Error> {
    let old_key = stored_key(model, stored)?;
    let mut fields = own_fields(model, entity, stored);
    fields.extend(exact_fields(entity, changes)?);
    touch(entity, stored, &mut fields, moment);
    let (new_key, item) = assemble(model, entity, fields)?;
    if new_key == old_key {
        return Err(Error::invalid("same_key", "the item would stay where it is: change a field of its key"));
    }
    let mut guards = vec![exists_guard(model, entity)];
    guards.extend(unchanged_guards(entity, stored));
    let taken =
        Error::conflict("already_exists", format!("there is a {} with the new key already", entity.name));
    let free = Guard { condition: Condition::Absent((&model.table.pk).into()), otherwise: taken };
    let mut writes = vec![
        Write { key: new_key, action: Action::Put(item), guards: vec![free] },
        Write { key: old_key, action: Action::Delete, guards },
    ];
    for constraint in &entity.uniques {
        let swapped = swap_pointer(model, entity, constraint, stored, &writes[0]);
        writes.extend(swapped);
    }
    Ok(writes)
}

/// The key of an item, from the fields that are part of it.
///
/// # Errors
/// When one is missing or cannot stand in a key.
pub fn key(entity: &Entity, fields: &Item) -> Result<Key, Error> {
    let mut exact = Item::new();
    let mut violations = Vec::new();
    for field in entity.pk.fields().chain(entity.sk.fields()) {
        let attribute = &field.attribute;
        match fields.get(&*attribute.name).cloned().map(|value| attribute.kind.coerce(value)) {
            Some(Ok(value)) => {
                exact.insert(attribute.name.clone(), value);
            }
            Some(Err(problem)) => violations.push(violation(&attribute.name, problem)),
            None => violations.push(violation(&attribute.name, "is required")),
        }
    }
    if !violations.is_empty() {
        return Err(Error::fields(violations));
    }
    render_key(entity, &exact)
}

fn render_key(entity: &Entity, fields: &Item) -> Result<Key, Error> {
    let absent =
        || Error::invalid("invalid_fields", format!("a field of the key of {} is missing", entity.name));
    let pk = entity.pk.render(fields)?.ok_or_else(absent)?;
    let sk = entity.sk.render(fields)?.ok_or_else(absent)?;
    for (name, text, most) in [("partition", &pk, 2048), ("sort", &sk, 1024)] {
        if text.len() > most {
            let message = format!("the {name} key would have {} bytes; it may have {most}", text.len());
            return Err(Error::invalid("key_too_long", message));
        }
    }
    Ok(Key { pk, sk })
}

/// Makes given fields exact; what nobody may give is refused.
fn exact_fields(entity: &Entity, fields: Item) -> Result<Item, Error> {
    let mut exact = Item::new();
    let mut violations: Vec<Violation> = Vec::new();
    for (name, value) in fields {
        match entity.attribute(&name).map(|attribute| exact_value(attribute, value)) {
            Some(Ok(value)) => {
                exact.insert(name, value);
            }
            Some(Err(problem)) => violations.push(violation(&name, problem)),
            None => violations.push(violation(&name, format!("is not an attribute of {}", entity.name))),
        }
    }
    if violations.is_empty() { Ok(exact) } else { Err(Error::fields(violations)) }
}

fn exact_value(attribute: &Attribute, value: Value) -> Result<Value, String> {
    if !matches!(attribute.role, Role::Given) {
        return Err("is written by Hansang and cannot be given".to_owned());
    }
    let value = attribute.kind.coerce(value)?;
    check_rules(attribute, &value)?;
    Ok(value)
}

/// Adds what is generated, what has a default, and what the table writes itself.
fn fill(entity: &Entity, fields: &mut Item, moment: &Moment) {
    for (place, attribute) in entity.attributes.iter().enumerate() {
        if fields.contains_key(&*attribute.name) {
            continue;
        }
        let value = match (&attribute.role, attribute.generated, &attribute.default) {
            (Role::Type, ..) => Some(Value::from(&*entity.name)),
            (Role::Created | Role::Updated, ..) | (_, Some(Generated::Now), _) => now(attribute, moment),
            (Role::Version, ..) => Some(Value::from(1)),
            (_, Some(Generated::Ulid), _) => Some(Value::S(text::ulid(millis(moment), bits(moment, place)))),
            (_, Some(Generated::Uuid), _) => Some(Value::S(text::uuid(bits(moment, place)))),
            (_, _, default) => default.clone(),
        };
        if let Some(value) = value {
            fields.insert(attribute.name.clone(), value);
        }
    }
}

fn now(attribute: &Attribute, moment: &Moment) -> Option<Value> {
    match attribute.kind {
        Kind::Timestamp(precision) => Some(Value::S(precision.format(moment.now))),
        _ => None,
    }
}

fn millis(moment: &Moment) -> u64 {
    u64::try_from(moment.now.as_millisecond()).unwrap_or(0)
}

/// Random bits of their own for each attribute of one write.
fn bits(moment: &Moment, place: usize) -> u128 {
    moment.random.wrapping_add((place as u128).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
}

/// Checks that nothing is missing, renders keys, and drops what only the key holds.
fn assemble(model: &Model, entity: &Entity, mut fields: Item) -> Result<(Key, Item), Error> {
    let missing: Vec<Violation> = entity
        .attributes
        .iter()
        .filter(|attribute| !attribute.optional && !fields.contains_key(&*attribute.name))
        .map(|attribute| violation(&attribute.name, "is required"))
        .collect();
    if !missing.is_empty() {
        return Err(Error::fields(missing));
    }
    let key = render_key(entity, &fields)?;
    for (name, value) in derived(model, entity, &fields)? {
        match value {
            Some(value) => fields.insert(name, value),
            None => fields.remove(&name),
        };
    }
    for attribute in entity.attributes.iter().filter(|attribute| !attribute.stored) {
        fields.remove(&*attribute.name);
    }
    fields.insert(model.table.pk.clone(), Value::S(key.pk.clone()));
    fields.insert(model.table.sk.clone(), Value::S(key.sk.clone()));
    let size = item_size(&fields);
    if size > MAX_ITEM {
        let message = format!(
            "the item would have {size} bytes; it may have {MAX_ITEM}: store what is large elsewhere"
        );
        return Err(Error::invalid("item_too_large", message));
    }
    Ok((key, fields))
}

fn check_initial(entity: &Entity, fields: &Item) -> Result<(), Error> {
    for attribute in &entity.attributes {
        let (Kind::Lifecycle(life), Some(Value::S(state))) = (&attribute.kind, fields.get(&*attribute.name))
        else {
            continue;
        };
        if !life.initial.iter().any(|initial| **initial == **state) {
            let problem = format!("must start as {}", life.initial.join(" or "));
            return Err(Error::fields(vec![violation(&attribute.name, problem)]));
        }
    }
    Ok(())
}

/// What a caller need not repeat stays as it is stored: identifiers, what can never change, the
/// state of a lifecycle and what the table writes itself.
fn keep(entity: &Entity, stored: &Item, fields: &mut Item) {
    for attribute in &entity.attributes {
        let kept = attribute.generated.is_some()
            || attribute.immutable
            || matches!(attribute.kind, Kind::Lifecycle(_))
            || matches!(attribute.role, Role::Created | Role::Type);
        if let (true, Some(value)) = (kept, stored.get(&*attribute.name)) {
            fields.entry(attribute.name.clone()).or_insert_with(|| value.clone());
        }
    }
}

/// The time of the write, and the next version.
fn touch(entity: &Entity, stored: &Item, fields: &mut Item, moment: &Moment) {
    for attribute in &entity.attributes {
        let value = match attribute.role {
            Role::Updated => now(attribute, moment),
            Role::Version => {
                let before = stored
                    .get(&*attribute.name)
                    .and_then(Value::as_number)
                    .and_then(|number| number.to_i64());
                Some(Value::from(before.unwrap_or(0) + 1))
            }
            _ => None,
        };
        if let Some(value) = value {
            fields.insert(attribute.name.clone(), value);
        }
    }
}

/// Immutable fields do not differ, and a lifecycle only makes moves that exist.
fn check_replacement(entity: &Entity, stored: &Item, fields: &Item) -> Result<(), Error> {
    for attribute in entity.attributes.iter().filter(|attribute| matches!(attribute.role, Role::Given)) {
        let (before, after) = (stored.get(&*attribute.name), fields.get(&*attribute.name));
        if before == after || !attribute.stored {
            continue;
        }
        if attribute.immutable && before.is_some() {
            return Err(Error::fields(vec![violation(&attribute.name, "can never change")]));
        }
        if let (Kind::Lifecycle(life), Some(Value::S(from))) = (&attribute.kind, before) {
            let to = after.and_then(Value::as_str).unwrap_or_default();
            if !life.allows(from, to) {
                return Err(wrong_state(entity, attribute, to));
            }
        }
    }
    Ok(())
}

fn wrong_state(entity: &Entity, attribute: &Attribute, to: &str) -> Error {
    let before = match &attribute.kind {
        Kind::Lifecycle(life) => life.before(to).map(|state| &**state).collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    let only = if before.is_empty() { "no state".to_owned() } else { before.join(" or ") };
    let message = format!("`{}` of this {} can become {to} only from {only}", attribute.name, entity.name);
    Error::conflict("wrong_state", message)
}

fn not_found(entity: &Entity) -> Error {
    Error::not_found("not_found", format!("there is no such {}", entity.name))
}

fn changed(entity: &Entity) -> Error {
    let message = format!("this {} was changed in the meantime: read it again", entity.name);
    Error::conflict("changed_meanwhile", message)
}

fn exists_guard(model: &Model, entity: &Entity) -> Guard {
    Guard { condition: Condition::Exists((&model.table.pk).into()), otherwise: not_found(entity) }
}

fn version_guard(entity: &Entity, expected: Option<i64>) -> Result<Option<Guard>, Error> {
    let Some(expected) = expected else { return Ok(None) };
    let Some(version) = entity.version() else {
        return Err(Error::invalid("no_version", format!("{} has no version to compare with", entity.name)));
    };
    let condition = Condition::unchanged(&version.name, Some(&Value::from(expected)));
    Ok(Some(Guard { condition, otherwise: changed(entity) }))
}

/// What a plan made from a stored item relies on: its version or, where it has none, every field
/// that its keys, constraints, lifecycle and immutable parts are made of.
fn unchanged_guards(entity: &Entity, stored: &Item) -> Vec<Guard> {
    let guard = |name: &Name| Guard {
        condition: Condition::unchanged(name, stored.get(name)),
        otherwise: changed(entity),
    };
    if let Some(version) = entity.version() {
        return vec![guard(&version.name)];
    }
    let matters = |attribute: &Attribute| {
        attribute.stored
            && !entity.in_key(&attribute.name)
            && (attribute.immutable
                || matches!(attribute.kind, Kind::Lifecycle(_))
                || entity.uniques.iter().any(|unique| uses(unique, &attribute.name)))
            && !matches!(attribute.role, Role::Type)
    };
    entity
        .attributes
        .iter()
        .filter(|attribute| matters(attribute))
        .map(|attribute| guard(&attribute.name))
        .collect()
}

fn uses(unique: &Unique, attribute: &str) -> bool {
    unique.within.iter().chain(&unique.fields).any(|field| &*field.name == attribute)
}

fn constraint_guards(entity: &Entity, unique: &Unique, stored: &Item) -> Vec<Guard> {
    let fields = unique.within.iter().chain(&unique.fields).filter(|field| !entity.in_key(&field.name));
    fields
        .map(|field| Guard {
            condition: Condition::unchanged(&field.name, stored.get(&field.name)),
            otherwise: changed(entity),
        })
        .collect()
}

fn pointer_key(model: &Model, entity: &Entity, unique: &Unique, fields: &Item) -> Option<Key> {
    let pk = unique::pointer_pk(entity, unique, model.table.delimiter, fields)?;
    Some(Key { pk, sk: unique::PREFIX.to_owned() })
}

/// The pointer that a new value needs.
fn take_pointer(model: &Model, entity: &Entity, unique: &Unique, owner: &Write) -> Option<Write> {
    let Action::Put(item) = &owner.action else { return None };
    put_pointer(model, entity, unique, pointer_key(model, entity, unique, item)?, &owner.key)
}

fn put_pointer(model: &Model, entity: &Entity, unique: &Unique, key: Key, owner: &Key) -> Option<Write> {
    let names: Vec<&str> = unique.fields.iter().map(|field| &*field.name).collect();
    let place = match unique.within.as_slice() {
        [] => String::new(),
        within => format!(
            " within the same {}",
            within.iter().map(|field| &*field.name).collect::<Vec<_>>().join(", ")
        ),
    };
    let message = format!("another {} has this {} already{place}", entity.name, names.join(" and "));
    let otherwise = Error {
        violations: names.iter().map(|name| violation(name, "is taken")).collect(),
        ..Error::conflict("not_unique", message)
    };
    let guard = Guard { condition: Condition::Absent((&model.table.pk).into()), otherwise };
    let item = unique::pointer_item(&model.table.pk, &model.table.sk, key.pk.clone(), &owner.pk, &owner.sk);
    Some(Write { key, action: Action::Put(item), guards: vec![guard] })
}

/// The pointer that an old value gives back.
fn give_back_pointer(
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
fn owned_guard(entity: &Entity, owner: &Key) -> Guard {
    let equal = |name: &str, value: &str| Condition::unchanged(&Name::from(name), Some(&Value::from(value)));
    let condition =
        Condition::And(vec![equal(unique::OWNER_PK, &owner.pk), equal(unique::OWNER_SK, &owner.sk)]);
    Guard { condition, otherwise: changed(entity) }
}

/// The pointers of a constraint when `stored` becomes what `owner` puts.
fn swap_pointer(model: &Model, entity: &Entity, unique: &Unique, stored: &Item, owner: &Write) -> Vec<Write> {
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

fn stored_key(model: &Model, stored: &Item) -> Result<Key, Error> {
    let text = |name: &Name| stored.get(name).and_then(Value::as_str).map(str::to_owned);
    match (text(&model.table.pk), text(&model.table.sk)) {
        (Some(pk), Some(sk)) => Ok(Key { pk, sk }),
        _ => Err(Error::invalid("not_an_item", "the stored item has no key")),
    }
}

/// The fields of a stored item, those that only its key holds included.
fn own_fields(model: &Model, entity: &Entity, stored: &Item) -> Item {
    let key = stored_key(model, stored).ok();
    let in_key = key.and_then(|key| key_fields(entity, &key.pk, &key.sk)).unwrap_or_default();
    fields_of(model, entity, stored, in_key)
}

fn read_first(key: Key) -> Get {
    Get { key, consistent: true, fields: None }
}
