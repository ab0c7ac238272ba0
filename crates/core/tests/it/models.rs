//! The model files: their tables, and the example items of their documents.
#![allow(clippy::unwrap_used, reason = "the helpers of a test may panic as a test may")]

use hansang_core::model::Role;
use hansang_core::value::{Item, Name};
use hansang_core::{Language, Model, diagnostic};

mod access;
mod content;
mod contracts;
mod describe;
mod documents;
mod entry;
mod examples;
mod growth;
mod ledger;
mod spoiled;

const NAMES: [&str; 6] = ["content", "ledger", "entry", "documents", "contracts", "access"];

/// The text of a model file.
fn source(name: &str) -> String {
    let path = format!("{}/../../models/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Compiles a model; a diagnostic fails the test as a person would see it.
fn compile(name: &str, source: &str) -> Model {
    hansang_core::compile(source.as_bytes())
        .unwrap_or_else(|problems| panic!("\n{}", diagnostic::render(name, source, &problems)))
}

fn model(name: &str) -> Model {
    compile(&format!("{name}.yaml"), &source(name))
}

/// Fields of an entity from texts of a command line.
fn fields(model: &Model, entity: &str, given: &[(&str, &str)]) -> Item {
    let entity = model.entity(entity).unwrap();
    given
        .iter()
        .map(|(name, text)| {
            let value = entity.attribute(name).unwrap().kind.from_text(text);
            (Name::from(*name), value.unwrap_or_else(|problem| panic!("`{name}` {problem}")))
        })
        .collect()
}

/// The partition and sort key of an entity for these fields, as `PK / SK`.
fn key(model: &Model, entity: &str, given: &[(&str, &str)]) -> String {
    let fields = fields(model, entity, given);
    let entity = model.entity(entity).unwrap();
    let [pk, sk] = [&entity.pk, &entity.sk].map(|template| template.render(&fields).unwrap().unwrap());
    format!("{pk} / {sk}")
}

/// The keys of an entity in an index, or nothing if it is not in it.
fn index_key(model: &Model, entity: &str, index: &str, given: &[(&str, &str)]) -> Option<String> {
    let fields = fields(model, entity, given);
    let position = model.table.indexes.iter().position(|entry| &*entry.name == index).unwrap();
    let entry = model.entity(entity).unwrap().in_index(position)?;
    let pk = entry.pk.render(&fields).unwrap()?;
    let sk = entry.sk.as_ref().unwrap().render(&fields).unwrap()?;
    Some(format!("{} / {}", pk.as_str().unwrap(), sk.as_str().unwrap()))
}

/// Whether an attribute accepts a text of a command line.
fn accepts(model: &Model, entity: &str, attribute: &str, text: &str) -> bool {
    let attribute = model.entity(entity).unwrap().attribute(attribute).unwrap();
    let value = attribute.kind.from_text(text);
    value.is_ok_and(|value| hansang_core::validate::check_rules(attribute, &value).is_ok())
}

#[test]
fn each_file_compiles_under_its_own_name() {
    for name in NAMES {
        assert_eq!(&*model(name).name, name);
    }
}

/// The console, the command line and the API show these sentences.
#[test]
fn every_part_says_what_it_is_for() {
    for name in NAMES {
        let model = model(name);
        let entities = model.entities.iter().map(|entity| (&entity.name, &entity.doc));
        let patterns = model.patterns.iter().map(|pattern| (&pattern.name, &pattern.doc));
        for (part, doc) in entities.chain(patterns).chain([(&model.name, &model.doc)]) {
            for (_, text) in doc.iter() {
                assert!(text.ends_with('.'), "{name}: `{part}` has no sentence: {doc:?}");
            }
            assert!(!doc.is_empty(), "{name}: `{part}` has no sentence");
        }
    }
}

/// Every text of the shipped models is written in both languages of the console.
#[test]
fn every_part_has_its_texts_in_both_languages() {
    for name in NAMES {
        let model = model(name);
        let mut texts = vec![(name.to_owned(), &model.title), (name.to_owned(), &model.doc)];
        for entity in &model.entities {
            texts.extend([(entity.name.to_string(), &entity.title), (entity.name.to_string(), &entity.doc)]);
            let given =
                entity.attributes.iter().filter(|one| matches!(one.role, Role::Given | Role::Derived(_)));
            for attribute in given {
                let path = format!("{}.{}", entity.name, attribute.name);
                texts.push((path.clone(), &attribute.title));
                texts.extend((!attribute.doc.is_empty()).then_some((path.clone(), &attribute.doc)));
                texts
                    .extend(attribute.titles.iter().map(|(value, words)| (format!("{path} {value}"), words)));
                let values = attribute.kind.choices().unwrap_or_default().iter();
                let untitled: Vec<_> =
                    values.filter(|one| attribute.value_title(one, Language::Korean).is_none()).collect();
                assert!(untitled.is_empty() || untitled == ["corp-info"], "{name}: {path} {untitled:?}");
            }
        }
        for pattern in &model.patterns {
            texts.extend([
                (pattern.name.to_string(), &pattern.title),
                (pattern.name.to_string(), &pattern.doc),
            ]);
        }
        for (part, words) in texts {
            let codes: Vec<&str> = words.iter().map(|(code, _)| code).collect();
            assert_eq!(codes, ["en", "ko"], "{name}: {part} {words:?}");
        }
    }
}
