//! From a stored item back to its entity and fields.

use std::sync::Arc;

use crate::expiry;
use crate::message;
use crate::messages::fields;
use crate::model::{Entity, KeySource, Model, Role, Table, Unique};
use crate::template::Template;
use crate::unique;
use crate::validate::{Violation, check_fields, check_value, violation};
use crate::value::{Item, Name, Value};
use crate::write::derived;

/// The owner of a key.
#[derive(Debug)]
pub enum Identity<'m> {
    /// An item of an entity, and the fields its key holds.
    Entity {
        /// The entity.
        entity: &'m Arc<Entity>,
        /// The fields in the key.
        fields: Item,
    },
    /// The pointer that keeps a value unique.
    Pointer {
        /// The entity whose constraint it serves.
        entity: &'m Arc<Entity>,
        /// The constraint.
        unique: &'m Unique,
    },
}

/// The owner of a key, or nothing if no entity can have it. The compiler ensures that there is at most
/// one.
#[must_use]
pub fn identify<'m>(model: &'m Model, pk: &str, sk: &str) -> Option<Identity<'m>> {
    model
        .entities
        .iter()
        .find_map(|entity| key_fields(entity, pk, sk).map(|fields| Identity::Entity { entity, fields }))
        .or_else(|| pointer(model, pk, sk))
}

pub(crate) fn key_fields(entity: &Entity, pk: &str, sk: &str) -> Option<Item> {
    let mut fields = Item::new();
    for (field, value) in entity.pk.parse(pk)?.into_iter().chain(entity.sk.parse(sk)?) {
        match fields.insert(field.attribute.name.clone(), value.clone()) {
            Some(before) if before != value => return None,
            _ => {}
        }
    }
    Some(fields)
}

fn pointer<'m>(model: &'m Model, pk: &str, sk: &str) -> Option<Identity<'m>> {
    let mut parts = pk.split(model.table.delimiter);
    if sk != unique::PREFIX || parts.next()? != unique::PREFIX {
        return None;
    }
    let entity = model.entity(parts.next()?)?;
    let unique = entity.unique(parts.next()?)?;
    (parts.count() == unique.within.len() + unique.fields.len())
        .then_some(Identity::Pointer { entity, unique })
}

/// Whether a key belongs to a private entity that [`Model::public`] left out, or to a pointer of one.
#[must_use]
pub fn is_hidden(model: &Model, pk: &str, sk: &str) -> bool {
    let mut parts = pk.split(model.table.delimiter);
    let is_pointer = sk == unique::PREFIX && parts.next() == Some(unique::PREFIX);
    let owner = parts.next().filter(|_| is_pointer);
    model.hidden.iter().any(|entity| owner == Some(&*entity.name) || key_fields(entity, pk, sk).is_some())
}

/// Reads an item as its entity: the fields without the keys, but with those that only the key holds.
///
/// # Errors
/// Every mismatch with the model: an unknown key, a wrong type attribute, fields that break their rules,
/// keys that do not match the fields.
pub fn read_item<'m>(model: &'m Model, item: &Item) -> Result<(&'m Arc<Entity>, Item), Vec<Violation>> {
    let (entity, in_key) = entity_of(model, item)?;
    let read = read_as(model, entity, item.clone(), in_key);
    if read.problems.is_empty() { Ok((entity, read.fields)) } else { Err(read.problems) }
}

/// Reads an item as its entity, with every mismatch with the model. Nothing if no entity can have its key.
#[must_use]
pub fn read_any<'m>(model: &'m Model, item: &Item) -> Option<(&'m Arc<Entity>, Item, Vec<Violation>)> {
    let (entity, in_key) = entity_of(model, item).ok()?;
    let read = read_as(model, entity, item.clone(), in_key);
    Some((entity, read.fields, read.problems))
}

/// An item as its entity has it.
pub(crate) struct Read {
    /// The fields.
    pub(crate) fields: Item,
    /// The keys of table and indexes that are no fields.
    pub(crate) keys: Item,
    /// The mismatches with the model, in name order; usually empty.
    pub(crate) problems: Vec<Violation>,
}

/// Reads an item whose entity and fields in the key are known; nothing of it is copied. Never fails: the
/// fields are returned as they are stored, with every mismatch with the model.
pub(crate) fn read_as(model: &Model, entity: &Entity, item: Item, in_key: Item) -> Read {
    let mut read = split(model, entity, item, in_key);
    read.problems = check_fields(entity, &read.fields).err().unwrap_or_default();
    if read.problems.is_empty() && !keys_hold(model, entity, &read) {
        read.problems = stale_keys(model, entity, &read);
    }
    read
}

/// Reads an item of which only some attributes were fetched, with every field that its key holds.
pub(crate) fn read_part(model: &Model, entity: &Entity, item: Item, in_key: Item) -> Read {
    let (keys, mut fields) = without_keys(model, entity, item);
    fields.extend(in_key);
    let problem = |(name, value): (&Name, &Value)| {
        let problem = match entity.attribute(name) {
            Some(attribute) => check_value(attribute, value).err()?,
            None => message!(fields::UNKNOWN_ATTRIBUTE, &entity.name),
        };
        Some(violation(name, problem))
    };
    let problems = fields.iter().filter_map(problem).collect();
    Read { fields, keys, problems }
}

/// Checks an item that may be the pointer of a unique constraint as well.
///
/// # Errors
/// Every mismatch with the model.
pub fn check_item(model: &Model, item: &Item) -> Result<(), Vec<Violation>> {
    let (pk, sk) = key_texts(&model.table, item);
    match identify(model, pk, sk) {
        Some(Identity::Pointer { entity, .. }) => check_pointer(model, entity, item),
        _ => read_item(model, item).map(|_| ()),
    }
}

/// A pointer has its key, the key of an owner and, if the owner expires, when.
fn check_pointer(model: &Model, entity: &Entity, item: &Item) -> Result<(), Vec<Violation>> {
    let text = |name: &Name| item.get(name).and_then(Value::as_str).unwrap_or_default();
    let (owner_pk, owner_sk) = (&*unique::OWNER_PK, &*unique::OWNER_SK);
    let mut violations = Vec::new();
    if key_fields(entity, text(owner_pk), text(owner_sk)).is_none() {
        let problem = message!(fields::NOT_A_KEY, owner_sk, &entity.name);
        violations.push(violation(owner_pk, problem));
    }
    let ttl = expiry::attribute_of(&model.table, entity);
    for (name, value) in item {
        let known = [&model.table.pk, &model.table.sk, owner_pk, owner_sk].contains(&name);
        let expires = ttl == Some(name) && value.as_number().is_some();
        if !known && !expires {
            violations.push(violation(name, message!(fields::NOT_OF_POINTER)));
        }
    }
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

fn key_texts<'i>(table: &Table, item: &'i Item) -> (&'i str, &'i str) {
    let text = |name: &Name| item.get(name).and_then(Value::as_str).unwrap_or_default();
    (text(&table.pk), text(&table.sk))
}

/// The entity of an item, and the fields in its key.
pub(crate) fn entity_of<'m>(
    model: &'m Model,
    item: &Item,
) -> Result<(&'m Arc<Entity>, Item), Vec<Violation>> {
    let (pk, sk) = key_texts(&model.table, item);
    match identify(model, pk, sk) {
        Some(Identity::Entity { entity, fields }) => Ok((entity, fields)),
        _ => {
            let problem = message!(fields::NO_ENTITY, &model.table.sk, pk, sk);
            Err(vec![violation(&model.table.pk, problem)])
        }
    }
}

/// The fields of an item of a known entity: without table and index keys, with the fields that only the
/// key holds, and with the time of the last write.
pub(crate) fn fields_of(model: &Model, entity: &Entity, item: &Item, in_key: Item) -> Item {
    split(model, entity, item.clone(), in_key).fields
}

fn split(model: &Model, entity: &Entity, item: Item, in_key: Item) -> Read {
    let (keys, mut fields) = without_keys(model, entity, item);
    for (name, value) in in_key {
        if entity.attribute(&name).is_some_and(|attribute| !attribute.stored) {
            fields.insert(name, value);
        }
    }
    let created =
        entity.with_role(|role| matches!(role, Role::Created)).and_then(|created| fields.get(&created.name));
    let updated = entity.with_role(|role| matches!(role, Role::Updated));
    if let (Some(created), Some(updated)) = (created.cloned(), updated)
        && !fields.contains_key(&updated.name)
    {
        fields.insert(updated.name.clone(), created);
    }
    Read { fields, keys, problems: Vec::new() }
}

/// The keys of an item that are no fields, and its fields.
fn without_keys(model: &Model, entity: &Entity, item: Item) -> (Item, Item) {
    let is_key = |name: &Name| {
        let table = &model.table;
        let of_index = table.indexes.iter().any(|index| index.pk == *name || index.sk.as_ref() == Some(name));
        *name == table.pk || *name == table.sk || (of_index && entity.attribute(name).is_none())
    };
    let (keys, fields): (Vec<_>, Vec<_>) = item.into_iter().partition(|(name, _)| is_key(name));
    (keys.into(), fields.into())
}

impl Read {
    /// A stored attribute: a key or a stored field.
    fn stored(&self, name: &str) -> Option<&Value> {
        self.keys.get(name).or_else(|| self.fields.get(name))
    }
}

/// A quick check that the item has exactly the keys of its fields, as almost every item does. If it is false,
/// [`stale_keys`] decides.
fn keys_hold(model: &Model, entity: &Entity, read: &Read) -> bool {
    let mut space = String::with_capacity(96);
    let mut gives = |template: &Template, name: &Name| {
        let key = read.stored(name).and_then(Value::as_str);
        key.is_some_and(|key| template.gives(&read.fields, key, &mut space))
    };
    let table = &model.table;
    if !(gives(&entity.pk, &table.pk) && gives(&entity.sk, &table.sk)) {
        return false;
    }
    let in_indexes = table.indexes.iter().enumerate().all(|(position, index)| {
        let Some(entry) = entity.indexes.iter().find(|entry| entry.index == position) else {
            let mut names = [Some(&index.pk), index.sk.as_ref()].into_iter().flatten();
            return names.all(|name| !read.keys.contains_key(name));
        };
        let parts = [(Some(&index.pk), Some(&entry.pk)), (index.sk.as_ref(), entry.sk.as_ref())];
        parts.into_iter().all(|part| match part {
            (Some(name), Some(KeySource::Derived(template))) => gives(template, name),
            (Some(name), Some(_)) => read.fields.contains_key(name),
            _ => true,
        })
    });
    let mut templates = entity.attributes.iter().filter_map(|attribute| match &attribute.role {
        Role::Derived(template) => Some((template, &attribute.name)),
        _ => None,
    });
    in_indexes && templates.all(|(template, name)| gives(template, name))
}

/// Keys of the item that do not match its fields.
fn stale_keys(model: &Model, entity: &Entity, read: &Read) -> Vec<Violation> {
    let (table, fields) = (&model.table, &read.fields);
    let mut expected: Vec<(&Name, Option<Value>)> = vec![
        (&table.pk, entity.pk.render(fields).ok().flatten().map(Value::from)),
        (&table.sk, entity.sk.render(fields).ok().flatten().map(Value::from)),
    ];
    let derived = derived(model, entity, fields).unwrap_or_default();
    expected.extend(derived.iter().map(|(name, value)| (name, value.clone())));
    // A key of an index that the entity is not in would put the item there all the same.
    for name in table.indexes.iter().flat_map(|index| [Some(&index.pk), index.sk.as_ref()]).flatten() {
        if entity.attribute(name).is_none() && !expected.iter().any(|(known, _)| *known == name) {
            expected.push((name, None));
        }
    }
    expected
        .into_iter()
        .filter(|(name, value)| read.stored(name) != value.as_ref())
        .map(|(name, value)| {
            let should = match value {
                Some(Value::S(text)) => message!(fields::SHOULD_BE, text),
                Some(_) => message!(fields::NOT_DERIVED),
                None => message!(fields::SHOULD_BE_ABSENT),
            };
            violation(name, should)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = r#"
model: jobs
table:
  name: Jobs
  key: { pk: PK, sk: SK }
  indexes:
    GSI1: { pk: GSI1PK, sk: GSI1SK }
    GSI2: { pk: GSI1PK, sk: GSI2SK }
entities:
  Job:
    key: { PK: "JOB#{id}", SK: META }
    index:
      GSI1: { GSI1PK: "USER#{user}", GSI1SK: "AT#{queued}" }
      GSI2: { GSI2SK: "DUE#{due}" }
    attributes: { id: string, user: string, queued: string?, due: string? }
  Lock:
    key: { PK: "LOCK#{id}", SK: META }
    attributes: { id: string }
"#;

    /// The names of the attributes that are wrong about an item.
    fn wrong(attributes: &[(&str, &str)]) -> Vec<String> {
        let model = crate::compile(MODEL.as_bytes()).unwrap();
        let item = attributes.iter().map(|(name, text)| (Name::from(*name), Value::from(*text))).collect();
        let problems = read_item(&model, &item).err().unwrap_or_default();
        problems.into_iter().map(|problem| problem.attribute).collect()
    }

    const JOB: [(&str, &str); 4] = [("PK", "JOB#1"), ("SK", "META"), ("id", "1"), ("user", "u")];

    #[test]
    fn an_index_is_left_out_as_a_whole() {
        assert_eq!(wrong(&JOB), [""; 0]);
        assert_eq!(wrong(&[&JOB[..], &[("GSI1PK", "USER#u")]].concat()), ["GSI1PK"]);
        let queued = [&JOB[..], &[("queued", "9")]].concat();
        assert_eq!(wrong(&queued), ["GSI1PK", "GSI1SK"]);
        assert_eq!(wrong(&[&queued[..], &[("GSI1PK", "USER#u"), ("GSI1SK", "AT#9")]].concat()), [""; 0]);
    }

    #[test]
    fn a_key_that_two_indexes_share_is_there_while_one_needs_it() {
        let due = [&JOB[..], &[("due", "9"), ("GSI2SK", "DUE#9")]].concat();
        assert_eq!(wrong(&due), ["GSI1PK"]);
        assert_eq!(wrong(&[&due[..], &[("GSI1PK", "USER#u")]].concat()), [""; 0]);
    }

    #[test]
    fn an_entity_has_no_keys_of_an_index_it_is_not_in() {
        let lock = [("PK", "LOCK#1"), ("SK", "META"), ("id", "1")];
        assert_eq!(wrong(&lock), [""; 0]);
        assert_eq!(
            wrong(&[&lock[..], &[("GSI1PK", "USER#u"), ("GSI2SK", "x")]].concat()),
            ["GSI1PK", "GSI2SK"]
        );
    }

    /// The quick check never passes where the full one finds a problem.
    #[test]
    fn a_quick_look_at_keys_misses_nothing() {
        let model = crate::compile(MODEL.as_bytes()).unwrap();
        let choices: [(&str, &[&str]); 8] = [
            ("PK", &["JOB#1", "LOCK#1"]),
            ("id", &["1", "2"]),
            ("user", &["u", "v"]),
            ("queued", &["9", ""]),
            ("due", &["8", ""]),
            ("GSI1PK", &["USER#u", "x", ""]),
            ("GSI1SK", &["AT#9", "x", ""]),
            ("GSI2SK", &["DUE#8", "x", ""]),
        ];
        let all: usize = choices.iter().map(|(_, texts)| texts.len()).product();
        let mut held = 0;
        for mut number in 0..all {
            let mut item = Item::from([(Name::from("SK"), Value::from("META"))]);
            for (name, texts) in choices {
                let text = texts[number % texts.len()];
                number /= texts.len();
                if !text.is_empty() {
                    item.insert(Name::from(name), Value::from(text));
                }
            }
            let Ok((entity, in_key)) = entity_of(&model, &item) else { continue };
            let read = split(&model, entity, item.clone(), in_key);
            if keys_hold(&model, entity, &read) {
                held += 1;
                assert_eq!(stale_keys(&model, entity, &read), [], "{item:?}");
            }
        }
        assert!(held > 0);
    }
}
