//! Example items with one mistake: each is rejected, and the message names the attribute.

use hansang_core::identify::read_item;
use hansang_core::kind::Kind;
use hansang_core::model::{KeySource, Role};
use hansang_core::template::Template;
use hansang_core::{Entity, Item, Model, Name, Value};

use super::examples::{each, fields};

/// Spoils a copy of an item and expects a violation of the attribute.
fn refuses(model: &Model, item: &Item, attribute: &str, spoil: impl Fn(&mut Item)) {
    let mut spoiled = item.clone();
    spoil(&mut spoiled);
    match read_item(model, &spoiled) {
        Ok((entity, _)) => panic!("a {} is accepted with a wrong `{attribute}`: {spoiled:?}", entity.name),
        Err(problems) => assert!(
            problems.iter().any(|problem| problem.attribute == attribute),
            "`{attribute}` is wrong, but the problems are {problems:?}"
        ),
    }
}

/// The key attributes that an entity has for indexes alone.
fn derived_keys<'m>(model: &'m Model, entity: &'m Entity) -> impl Iterator<Item = &'m Name> {
    entity.indexes.iter().flat_map(move |entry| {
        let index = &model.table.indexes[entry.index];
        let pk = Some((&index.pk, &entry.pk));
        [pk, index.sk.as_ref().zip(entry.sk.as_ref())]
            .into_iter()
            .flatten()
            .filter(|(_, source)| matches!(source, KeySource::Derived(_)))
            .map(|(name, _)| name)
    })
}

#[test]
fn a_required_attribute_is_missing() {
    each(|model, entity, item| {
        let required = entity.attributes.iter().filter(|attribute| attribute.stored && !attribute.optional);
        // The time of the last write may be missing.
        for attribute in required.filter(|attribute| !matches!(attribute.role, Role::Updated)) {
            refuses(model, item, &attribute.name, |item| drop(item.remove(&attribute.name)));
        }
    });
}

#[test]
fn an_attribute_is_unknown() {
    each(|model, _, item| {
        refuses(model, item, "unheardOf", |item| drop(item.insert("unheardOf".into(), Value::Null)));
    });
}

#[test]
fn an_attribute_has_another_type() {
    each(|model, entity, item| {
        for attribute in entity.attributes.iter().filter(|attribute| item.contains_key(&attribute.name)) {
            let wrong = [Value::B(vec![1]), Value::Null, Value::Bool(true), Value::L(vec![Value::Null])];
            let is_right = |value: &Value| match value {
                Value::Bool(_) => attribute.kind == Kind::Bool,
                Value::B(_) => matches!(attribute.kind, Kind::Binary),
                _ => false,
            };
            for wrong in wrong.into_iter().filter(|value| !is_right(value)) {
                refuses(model, item, &attribute.name, |item| {
                    drop(item.insert(attribute.name.clone(), wrong.clone()));
                });
            }
        }
    });
}

#[test]
fn an_index_key_is_stale_or_missing() {
    each(|model, entity, item| {
        for name in derived_keys(model, entity).filter(|name| item.contains_key(name)) {
            refuses(model, item, name, |item| drop(item.insert(name.clone(), "STALE#KEY".into())));
            refuses(model, item, name, |item| drop(item.remove(name)));
        }
    });
}

/// E10
#[test]
fn a_foreign_index_key_is_rejected() {
    each(|model, entity, item| {
        let keys = model.table.indexes.iter().flat_map(|index| [Some(&index.pk), index.sk.as_ref()]);
        for name in keys.flatten().filter(|name| !item.contains_key(name)) {
            if entity.attribute(name).is_none() {
                refuses(model, item, name, |item| drop(item.insert(name.clone(), "USER#u001".into())));
            }
        }
    });
}

/// A field of a key changed without the key.
#[test]
fn a_changed_field_makes_keys_stale() {
    each(|model, entity, item| {
        for field in entity.pk.fields().chain(entity.sk.fields()) {
            let name = &field.attribute.name;
            let Some(Value::S(before)) = item.get(name) else { continue };
            let other = match &field.attribute.kind {
                Kind::String => with_another_end(before),
                Kind::Ulid => "01JD3Q0V8B5X9K2M4N6P7R8S9T".to_owned(),
                Kind::Month { separator } => format!("1999{separator}12"),
                Kind::Semver => "99.0.0".to_owned(),
                _ => continue,
            };
            let keys = [(&model.table.pk, &entity.pk), (&model.table.sk, &entity.sk)];
            let (key, _) = keys.into_iter().find(|(_, template)| template.uses(name)).unwrap();
            refuses(model, item, key, |item| drop(item.insert(name.clone(), other.as_str().into())));
        }
    });
}

/// A text of the same length and, as far as patterns go, of the same form.
fn with_another_end(text: &str) -> String {
    let mut other = text.to_owned();
    let last = other.pop();
    other.push(if last == Some('0') { '1' } else { '0' });
    other
}

/// Ls17, Es13, Rs15: no value in a key can contain the delimiter, whichever key it is.
#[test]
fn a_value_in_a_key_contains_the_delimiter() {
    each(|model, entity, item| {
        let of_indexes = entity.indexes.iter().flat_map(|entry| [Some(&entry.pk), entry.sk.as_ref()]);
        let of_indexes = of_indexes.flatten().filter_map(KeySource::template);
        let good = fields(model, item);
        // A sparse index may have no key for the value.
        let written = |template: &&Template| template.render(&good).unwrap().is_some();
        for template in [&entity.pk, &entity.sk].into_iter().chain(of_indexes).filter(written) {
            for field in template.fields() {
                let mut fields = good.clone();
                fields.insert(field.attribute.name.clone(), "a#b".into());
                let refused = template.render(&fields).unwrap_err();
                assert_eq!(refused.attribute, &*field.attribute.name, "{template}");
            }
        }
    });
}
