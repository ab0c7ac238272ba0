//! The chapter of an entity: its keys, its attributes, what is unique, and its lifecycles.

use std::sync::Arc;

use super::diagrams;
use super::text::{code, codes, kind, paragraph, table, value};
use crate::kind::Kind;
use crate::model::{Attribute, Entity, Generated, KeySource, Model, Role, Rules, Unique};
use crate::unique;
use crate::value::Name;

pub(super) fn chapter(model: &Model, entity: &Entity) -> String {
    let mut chapter = format!("### {}\n\n", entity.name);
    chapter.push_str(&paragraph(&entity.doc));
    if entity.is_singleton() {
        chapter.push_str("There is only one.\n\n");
    }
    chapter.push_str(&keys(model, entity));
    chapter.push_str(&attributes(entity));
    chapter.push_str(&uniques(model, entity));
    for attribute in &entity.attributes {
        if let Kind::Lifecycle(life) = &attribute.kind {
            chapter.push_str(&format!("Lifecycle of {}:\n\n", code(&attribute.name)));
            chapter.push_str(&diagrams::lifecycle(life));
        }
    }
    chapter
}

fn keys(model: &Model, entity: &Entity) -> String {
    let table_keys = &model.table;
    let mut rows = vec![
        vec![code(&table_keys.pk), "partition key".to_owned(), code(&entity.pk.text)],
        vec![code(&table_keys.sk), "sort key".to_owned(), code(&entity.sk.text)],
    ];
    for entry in &entity.indexes {
        let index = &model.table.indexes[entry.index];
        let mut row = |name: &str, part: &str, source: &KeySource| {
            rows.push(vec![
                code(name),
                format!("{part} key of {}", code(&index.name)),
                code(&key_text(source)),
            ]);
        };
        row(&index.pk, "partition", &entry.pk);
        if let (Some(name), Some(source)) = (&index.sk, &entry.sk) {
            row(name, "sort", source);
        }
    }
    table(&["Key", "Is", "Template"], rows)
}

/// The template of a key; a number stands for itself.
pub(super) fn key_text(source: &KeySource) -> String {
    match source {
        KeySource::Derived(template) | KeySource::Own(template) => template.text.clone(),
        KeySource::Number(attribute) => format!("{{{}}}", attribute.name),
    }
}

fn attributes(entity: &Entity) -> String {
    let rows = entity.attributes.iter().map(|attribute| {
        vec![
            code(&attribute.name),
            match attribute.role {
                Role::Type => "text".to_owned(),
                _ => kind(&attribute.kind),
            },
            rules(attribute),
            notes(entity, attribute).join(", "),
            attribute.doc.clone(),
        ]
    });
    table(&["Attribute", "Type", "Rules", "Value", "About"], rows.collect())
}

fn rules(attribute: &Attribute) -> String {
    let Rules { min, max, min_length, max_length, pattern_text, .. } = &attribute.rules;
    let unit = match attribute.kind {
        Kind::List(_) | Kind::Map(_) | Kind::Set(_) => "elements",
        Kind::Binary => "bytes",
        _ => "characters",
    };
    let bounds = |min: Option<String>, max: Option<String>| match (min, max) {
        (Some(min), Some(max)) if min == max => Some(format!("exactly {min}")),
        (Some(min), Some(max)) => Some(format!("{min} to {max}")),
        (Some(min), None) => Some(format!("at least {min}")),
        (None, Some(max)) => Some(format!("at most {max}")),
        (None, None) => None,
    };
    let mut rules = Vec::new();
    rules.extend(bounds(min.map(|min| min.to_string()), max.map(|max| max.to_string())));
    let lengths = bounds(min_length.map(|min| min.to_string()), max_length.map(|max| max.to_string()));
    rules.extend(lengths.map(|lengths| format!("{lengths} {unit}")));
    rules.extend(pattern_text.as_ref().map(|pattern| format!("matches {}", code(pattern))));
    rules.join(", ")
}

/// Where the value comes from, and what may become of it.
fn notes(entity: &Entity, attribute: &Attribute) -> Vec<String> {
    let mut notes = Vec::new();
    match &attribute.role {
        Role::Given if attribute.optional => notes.push("optional".to_owned()),
        Role::Given if attribute.default.is_some() || attribute.generated.is_some() => {}
        Role::Given => notes.push("required".to_owned()),
        Role::Type => notes.push(format!("always {}", code(&entity.name))),
        Role::Created => notes.push("time of creation".to_owned()),
        Role::Updated => notes.push("time of the last write".to_owned()),
        Role::Version => notes.push("counts the writes".to_owned()),
        Role::Derived(template) => notes.push(format!("made from {}", code(&template.text))),
    }
    notes.extend(attribute.default.as_ref().map(|default| format!("default {}", value(default))));
    notes.extend(attribute.generated.map(|generated| {
        let what = match generated {
            Generated::Ulid => "a new ULID",
            Generated::Uuid => "a new UUID",
            Generated::Now => "the time of the write",
        };
        format!("generated: {what}")
    }));
    // What is in the key can never change, said or not; the table's own attributes go without saying.
    if matches!(attribute.role, Role::Given) && (attribute.immutable || entity.in_key(&attribute.name)) {
        notes.push("immutable".to_owned());
    }
    if !attribute.stored {
        notes.push("only in the key".to_owned());
    }
    for constraint in &entity.uniques {
        let alone = constraint.within.is_empty() && constraint.fields.len() == 1;
        if constraint.fields.iter().any(|field| field.name == attribute.name) {
            notes.push(if alone {
                "unique".to_owned()
            } else {
                format!("part of the unique {}", code(&constraint.name))
            });
        }
    }
    notes
}

fn uniques(model: &Model, entity: &Entity) -> String {
    let names = |attributes: &[Arc<Attribute>]| -> Vec<Name> {
        attributes.iter().map(|attribute| attribute.name.clone()).collect()
    };
    let rows = entity.uniques.iter().map(|constraint| {
        vec![
            code(&constraint.name),
            codes(&names(&constraint.fields)),
            codes(&names(&constraint.within)),
            code(&unique_key(model, entity, constraint)),
        ]
    });
    table(&["Unique", "Attributes", "Within", "Kept by the pointer"], rows.collect())
}

/// The partition key of a constraint's pointers, written as a template.
pub(super) fn unique_key(model: &Model, entity: &Entity, constraint: &Unique) -> String {
    let mut parts = vec![unique::PREFIX.to_owned(), entity.name.to_string(), constraint.name.to_string()];
    let fields = constraint.within.iter().chain(&constraint.fields);
    parts.extend(fields.map(|attribute| format!("{{{}}}", attribute.name)));
    parts.join(&model.table.delimiter.to_string())
}
