//! The attributes that follow from others: index keys and templates.

use std::collections::BTreeMap;

use crate::model::{Entity, EntityIndex, KeySource, Model, Role};
use crate::template::KeyError;
use crate::value::{Item, Name, Value};

/// Every derived attribute of an entity, with its value or nothing if a field is absent.
///
/// The two keys of an index are present or absent together: half a key puts the item into no index.
pub(crate) fn derived(model: &Model, entity: &Entity, fields: &Item) -> Result<Derived, KeyError> {
    let mut all = Derived::new();
    let is_derived = |entry: &&EntityIndex| {
        matches!(entry.pk, KeySource::Derived(_)) || matches!(entry.sk, Some(KeySource::Derived(_)))
    };
    for entry in entity.indexes.iter().filter(is_derived) {
        let index = &model.table.indexes[entry.index];
        let pk = entry.pk.render(fields)?;
        let sk = entry.sk.as_ref().map(|sk| sk.render(fields)).transpose()?;
        let whole = pk.is_some() && sk.as_ref().is_none_or(Option::is_some);
        put(&mut all, &index.pk, &entry.pk, pk.filter(|_| whole));
        if let (Some(name), Some(source)) = (&index.sk, &entry.sk) {
            put(&mut all, name, source, sk.flatten().filter(|_| whole));
        }
    }
    for attribute in &entity.attributes {
        if let Role::Derived(template) = &attribute.role {
            all.insert(attribute.name.clone(), template.render(fields)?.map(Value::from));
        }
    }
    Ok(all)
}

/// Derived attributes by name.
pub(crate) type Derived = BTreeMap<Name, Option<Value>>;

/// Two indexes may share a key attribute; it is there if either of them has it.
fn put(all: &mut Derived, name: &Name, source: &KeySource, value: Option<Value>) {
    if let KeySource::Derived(_) = source {
        let slot = all.entry(name.clone()).or_default();
        if value.is_some() {
            *slot = value;
        }
    }
}
