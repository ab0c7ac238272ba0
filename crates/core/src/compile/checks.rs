//! What holds between entities: no two share a key, what sorts together sorts alike, and an index
//! key has one type.

use std::sync::Arc;

use super::reader::Problems;
use super::{EntitySource, TableSource};
use crate::diagnostic::{Code, Span};
use crate::kind::Kind;
use crate::model::{Entity, KeySource};
use crate::template::Template;
use crate::unique;
use crate::value::Name;
use crate::yaml::{Content, Key};

pub(super) fn across(entities: &[EntitySource<'_>], table: &mut TableSource, problems: &mut Problems) {
    let compiled: Vec<(&Key, &Arc<Entity>)> =
        entities.iter().filter_map(|source| Some((source.key, source.entity.as_ref()?))).collect();
    collisions(entities, &compiled, table.table.delimiter, problems);
    widths(&compiled, table, problems);
    key_types(&compiled, table, problems);
    ttl_is_used(&compiled, entities.len(), table, problems);
}

fn collisions(
    entities: &[EntitySource<'_>],
    compiled: &[(&Key, &Arc<Entity>)],
    delimiter: char,
    problems: &mut Problems,
) {
    for (position, (key, entity)) in compiled.iter().enumerate() {
        for (_, other) in &compiled[..position] {
            if entity.pk.overlaps(&other.pk) && entity.sk.overlaps(&other.sk) {
                let message = format!(
                    "an item of `{}` can have the same key as one of `{}`: `{}` / `{}` and `{}` / `{}`",
                    entity.name, other.name, entity.pk, entity.sk, other.pk, other.sk
                );
                let help = "start one of the keys with a prefix of its own, such as `POST#`";
                problems.report(Code::KeyCollision, key_span(entities, key), message, help);
            }
        }
        for (_, owner) in compiled {
            for constraint in &owner.uniques {
                let (pk, sk) = unique::pointer_templates(owner, constraint, delimiter);
                if entity.pk.overlaps(&pk) && entity.sk.overlaps(&sk) {
                    let message = format!(
                        "an item of `{}` can have the key of the pointer that keeps `{}` of `{}` unique",
                        entity.name, constraint.name, owner.name
                    );
                    let help = format!("keys that start with `{}{delimiter}` are taken", unique::PREFIX);
                    problems.report(Code::KeyCollision, key_span(entities, key), message, help);
                }
            }
        }
    }
}

/// The place of the `key:` of an entity.
fn key_span(entities: &[EntitySource<'_>], key: &Key) -> Span {
    let node = entities.iter().find(|source| source.key.text == key.text).map(|source| source.node);
    match node.map(|node| &node.content) {
        Some(Content::Map(fields)) => {
            fields.iter().find(|(field, _)| field.text == "key").map_or(key.span, |(field, _)| field.span)
        }
        _ => key.span,
    }
}

/// Timestamps of different widths behind the same text in one sort key do not sort as times.
fn widths(compiled: &[(&Key, &Arc<Entity>)], table: &TableSource, problems: &mut Problems) {
    for (position, (key, entity)) in compiled.iter().enumerate() {
        for (_, other) in &compiled[..position] {
            let mut pairs: Vec<(&str, &Template, &Template)> = Vec::new();
            if entity.pk.overlaps(&other.pk) {
                pairs.push((&table.table.sk, &entity.sk, &other.sk));
            }
            for (number, index) in table.table.indexes.iter().enumerate() {
                let both = entity.in_index(number).zip(other.in_index(number));
                let sorts = both.and_then(|(a, b)| a.sk.as_ref()?.template().zip(b.sk.as_ref()?.template()));
                if let (Some((a, b)), Some(name)) = (sorts, &index.sk) {
                    pairs.push((name, a, b));
                }
            }
            for (name, a, b) in pairs.iter().filter(|(_, a, b)| differ_in_width(a, b)) {
                let message = format!(
                    "in `{name}` the times of `{}` (`{a}`) and `{}` (`{b}`) have different widths, so they do not sort together",
                    entity.name, other.name
                );
                problems.report(Code::MixedPrecision, key.span, message, "give both the same `precision`");
            }
        }
    }
}

fn differ_in_width(a: &Template, b: &Template) -> bool {
    for (a, b) in a.segments.iter().zip(&b.segments) {
        if a.literal != b.literal {
            return false;
        }
        match (&a.field, &b.field) {
            (Some(a), Some(b)) => match (&a.attribute.kind, &b.attribute.kind) {
                (Kind::Timestamp(a), Kind::Timestamp(b)) if a != b => return true,
                (a, b) if a == b => {}
                _ => return false,
            },
            (None, None) => {}
            _ => return false,
        }
    }
    false
}

/// An index key is text or a number, the same for every entity.
fn key_types(compiled: &[(&Key, &Arc<Entity>)], table: &mut TableSource, problems: &mut Problems) {
    for (number, index) in table.table.indexes.iter_mut().enumerate() {
        let numeric = |source: &KeySource| matches!(source, KeySource::Number(_));
        let mut first: [Option<(Name, bool)>; 2] = [None, None];
        for (key, entity) in compiled {
            let Some(entry) = entity.in_index(number) else { continue };
            let sources = [Some(&entry.pk), entry.sk.as_ref()];
            for (slot, source) in first.iter_mut().zip(sources) {
                let Some(source) = source else { continue };
                match slot {
                    None => *slot = Some((entity.name.clone(), numeric(source))),
                    Some((other, was_numeric)) if *was_numeric != numeric(source) => {
                        let message = format!(
                            "in the index `{}` a key is a number for one of `{}` and `{other}` and text for the other",
                            index.name, entity.name
                        );
                        problems.report(Code::MixedKeyType, key.span, message, "give both the same type");
                    }
                    Some(_) => {}
                }
            }
        }
        let [pk, sk] = first.map(|slot| slot.is_some_and(|(_, numeric)| numeric));
        (index.pk_numeric, index.sk_numeric) = (pk, sk);
    }
}

fn ttl_is_used(
    compiled: &[(&Key, &Arc<Entity>)],
    entities: usize,
    table: &TableSource,
    problems: &mut Problems,
) {
    let (Some(ttl), Some(span)) = (&table.table.ttl, table.ttl_span) else { return };
    let used = compiled.iter().any(|(_, entity)| entity.attribute(&ttl.attribute).is_some());
    if !used && compiled.len() == entities {
        let message =
            format!("no entity has the TTL attribute `{}`, so nothing would ever expire", ttl.attribute);
        problems.report(
            Code::BadTtl,
            span,
            message,
            format!("add `{}: integer?` to an entity, or remove `ttl`", ttl.attribute),
        );
    }
}
