//! The example items of the documents, each read as the entity it is an example of.

use std::collections::BTreeSet;

use hansang_core::identify::read_item;
use hansang_core::value::json;
use hansang_core::{Entity, Item, Model, Name, Value};

use super::{NAMES, model};

/// An example item of a document.
pub(super) struct Example {
    /// The entity it is an example of.
    pub(super) entity: String,
    /// The item as a table would hold it.
    pub(super) item: Item,
}

/// The examples of a model, with the values of attributes converted to their types.
pub(super) fn examples(model: &Model) -> Vec<Example> {
    let path = format!("{}/tests/fixtures/items/{}.json", env!("CARGO_MANIFEST_DIR"), model.name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let entries: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    entries
        .iter()
        .map(|entry| {
            let name = entry["entity"].as_str().unwrap();
            let entity = model.entity(name).unwrap_or_else(|| panic!("{path}: no entity `{name}`"));
            let mut item = json::item_from_plain(&entry["item"]).unwrap();
            for (name, value) in item.iter_mut() {
                if let Some(attribute) = entity.attribute(name) {
                    let exact = attribute.kind.coerce(value.clone());
                    *value = exact.unwrap_or_else(|problem| panic!("{path}: `{name}` {problem}"));
                }
            }
            Example { entity: name.to_owned(), item }
        })
        .collect()
}

/// Runs a check on every example of every model.
pub(super) fn each(check: impl Fn(&Model, &Entity, &Item)) {
    for name in NAMES {
        let model = model(name);
        for example in examples(&model) {
            check(&model, model.entity(&example.entity).unwrap(), &example.item);
        }
    }
}

/// The fields of a good item.
pub(super) fn fields(model: &Model, item: &Item) -> Item {
    match read_item(model, item) {
        Ok((_, fields)) => fields,
        Err(problems) => panic!("{item:?}: {problems:?}"),
    }
}

#[test]
fn each_example_is_read_as_its_entity() {
    each(|model, entity, item| match read_item(model, item) {
        Ok((found, _)) => assert_eq!(found.name, entity.name),
        Err(problems) => panic!("{} {item:?}: {problems:?}", entity.name),
    });
}

#[test]
fn each_entity_has_an_example() {
    for name in NAMES {
        let model = model(name);
        let shown: BTreeSet<String> = examples(&model).into_iter().map(|example| example.entity).collect();
        let declared: BTreeSet<String> =
            model.entities.iter().map(|entity| entity.name.to_string()).collect();
        assert_eq!(shown, declared, "{name}");
    }
}

/// The templates render exactly the keys of the documents' examples.
#[test]
fn each_key_is_rendered_from_the_fields() {
    each(|model, entity, item| {
        let fields = fields(model, item);
        let table = &model.table;
        for (name, template) in [(&table.pk, &entity.pk), (&table.sk, &entity.sk)] {
            assert_eq!(template.render(&fields).unwrap().map(Value::from), item.get(name).cloned(), "{name}");
        }
        for entry in &entity.indexes {
            let index = &table.indexes[entry.index];
            let pk = entry.pk.render(&fields).unwrap();
            let sk = entry.sk.as_ref().unwrap().render(&fields).unwrap();
            let held = |name: &Name| item.get(name).cloned();
            let complete = pk.clone().zip(sk.clone());
            let found = held(&index.pk).zip(held(index.sk.as_ref().unwrap()));
            assert_eq!(found, complete, "{} in {}", entity.name, index.name);
        }
    });
}
