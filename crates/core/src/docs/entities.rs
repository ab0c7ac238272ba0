//! The chapter of an entity: its keys, attributes, unique constraints and lifecycles.

use std::fmt::Display;
use std::sync::Arc;

use super::diagrams;
use super::text::{code, codes, kind, paragraph, table, titles, value};
use crate::describe::{self, Bounds, Note, Rule, Unit};
use crate::kind::Kind;
use crate::model::{Attribute, Entity, Generated, Model};
use crate::value::Name;

pub(super) fn chapter(model: &Model, entity: &Entity) -> String {
    let mut chapter = format!("### {}\n\n", entity.name);
    chapter.push_str(&paragraph(&titles(&entity.title)));
    chapter.push_str(&paragraph(entity.doc.english()));
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
    let rows = describe::keys(model, entity).into_iter().map(|key| {
        let part = if key.sorts { "sort key" } else { "partition key" };
        let is = match key.index {
            Some(index) => format!("{part} of {}", code(&index.name)),
            None => part.to_owned(),
        };
        vec![code(key.name), is, code(&describe::text(&key.pieces))]
    });
    table(&["Key", "Is", "Template"], rows.collect())
}

fn attributes(entity: &Entity) -> String {
    let rows = entity.attributes.iter().map(|attribute| {
        let rules: Vec<String> = describe::rules(attribute).iter().map(rule).collect();
        let notes: Vec<String> = describe::notes(entity, attribute).iter().map(note).collect();
        vec![
            code(&attribute.name),
            titles(&attribute.title),
            kind(describe::kind(attribute)),
            rules.join(", "),
            notes.join(", "),
            attribute.doc.english().to_owned(),
        ]
    });
    table(&["Attribute", "Title", "Type", "Rules", "Value", "About"], rows.collect())
}

fn rule(rule: &Rule<'_>) -> String {
    match rule {
        Rule::Number(bounds) => self::bounds(bounds),
        Rule::Length(bounds, unit) => {
            let unit = match unit {
                Unit::Characters => "characters",
                Unit::Elements => "elements",
                Unit::Bytes => "bytes",
            };
            format!("{} {unit}", self::bounds(bounds))
        }
        Rule::Matches(pattern) => format!("matches {}", code(pattern)),
    }
}

fn bounds<T: Display>(bounds: &Bounds<T>) -> String {
    match bounds {
        Bounds::Exactly(value) => format!("exactly {value}"),
        Bounds::Between(least, most) => format!("{least} to {most}"),
        Bounds::AtLeast(least) => format!("at least {least}"),
        Bounds::AtMost(most) => format!("at most {most}"),
    }
}

fn note(note: &Note<'_>) -> String {
    match note {
        Note::Required => "required".to_owned(),
        Note::Optional => "optional".to_owned(),
        Note::Always(name) => format!("always {}", code(name)),
        Note::Created => "time of creation".to_owned(),
        Note::Updated => "time of the last write".to_owned(),
        Note::Version => "counts the writes".to_owned(),
        Note::MadeFrom(pieces) => format!("made from {}", code(&describe::text(pieces))),
        Note::Default(default) => format!("default {}", value(default)),
        Note::Generated(generated) => {
            let what = match generated {
                Generated::Ulid => "a new ULID",
                Generated::Uuid => "a new UUID",
                Generated::Now => "the time of the write",
            };
            format!("generated: {what}")
        }
        Note::Immutable => "immutable".to_owned(),
        Note::OnlyInKey => "only in the key".to_owned(),
        Note::Unique => "unique".to_owned(),
        Note::PartOfUnique(constraint) => format!("part of the unique {}", code(constraint)),
    }
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
            code(&describe::text(&describe::pointer(model, entity, constraint))),
        ]
    });
    table(&["Unique", "Attributes", "Within", "Enforced by"], rows.collect())
}
