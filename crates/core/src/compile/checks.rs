//! Checks across entities: keys do not collide, keys of one partition have the same widths, and an
//! index key has one type.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::problems::Problems;
use super::reader;
use super::{EntitySource, TableSource, suggest};
use crate::diagnostic::{Code, Span};
use crate::kind::Kind;
use crate::model::{Entity, EntityIndex, Index, KeySource, Projection};
use crate::template::{Field, Template};
use crate::unique;
use crate::value::Name;

/// An entity that compiled, and its source.
#[derive(Clone, Copy)]
struct Compiled<'a> {
    source: &'a EntitySource<'a>,
    entity: &'a Arc<Entity>,
}

/// Checks all entities against each other, and drops those whose keys collide.
pub(super) fn across(
    entities: &mut [EntitySource<'_>],
    table: &mut TableSource<'_>,
    problems: &mut Problems,
) {
    let compiled: Vec<Compiled<'_>> = entities
        .iter()
        .filter_map(|source| Some(Compiled { source, entity: source.entity.as_ref()? }))
        .collect();
    let colliding = collisions(&compiled, problems);
    pointers(&compiled, table.table.delimiter, problems);
    widths(&compiled, table, problems);
    key_types(&compiled, table, problems);
    // Only when all entities compiled is it known that none has an attribute.
    if compiled.len() == entities.len() {
        ttl_is_used(&compiled, table, problems);
        projections(&compiled, table, problems);
    }
    for source in entities.iter_mut().filter(|source| colliding.contains(&source.key.text)) {
        source.entity = None;
    }
}

impl Compiled<'_> {
    /// The location of a field of the entity, or of its name.
    fn span(&self, path: &[&str]) -> Span {
        reader::at(self.source.node, path).map_or(self.source.key.span, |node| node.span)
    }
}

/// The entities that can have a key of an earlier one. One message for each is enough: the fix is
/// a text of its own.
fn collisions(compiled: &[Compiled<'_>], problems: &mut Problems) -> Vec<String> {
    let mut colliding = Vec::new();
    for (position, one) in compiled.iter().enumerate() {
        let entity = one.entity;
        let same = |other: &&Compiled<'_>| {
            entity.sk.overlaps(&other.entity.sk) && entity.pk.overlaps(&other.entity.pk)
        };
        if let Some(other) = compiled[..position].iter().find(same).map(|other| other.entity) {
            let message = format!(
                "an item of `{}` can have the same key as one of `{}`: `{}` / `{}` and `{}` / `{}`",
                entity.name, other.name, entity.pk, entity.sk, other.pk, other.sk
            );
            let help = format!(
                "start one of the keys with a text of its own, such as `{}{}`",
                entity.name.to_uppercase(),
                entity.pk.delimiter
            );
            problems.report(Code::KeyCollision, one.span(&["key"]), message, help);
            colliding.push(one.source.key.text.clone());
        }
    }
    colliding
}

fn pointers(compiled: &[Compiled<'_>], delimiter: char, problems: &mut Problems) {
    for owner in compiled.iter().map(|one| one.entity) {
        for constraint in &owner.uniques {
            let (pk, sk) = unique::pointer_templates(owner, constraint, delimiter);
            for one in
                compiled.iter().filter(|one| one.entity.pk.overlaps(&pk) && one.entity.sk.overlaps(&sk))
            {
                let message = format!(
                    "an item of `{}` can have the key of the pointer that keeps `{}` of `{}` unique",
                    one.entity.name, constraint.name, owner.name
                );
                let help = format!(
                    "keys from `{}{delimiter}` with the sort key `{sk}` are taken: start this key differently",
                    unique::PREFIX
                );
                problems.report(Code::KeyCollision, one.span(&["key"]), message, help);
            }
        }
    }
}

/// Times, months or numbers of different widths after the same text in one partition do not sort in
/// order.
fn widths(compiled: &[Compiled<'_>], table: &TableSource<'_>, problems: &mut Problems) {
    for (position, one) in compiled.iter().enumerate() {
        let mixed = compiled[..position]
            .iter()
            .find_map(|other| Some((other.entity, mixed_width(one.entity, other.entity, table)?)));
        let Some((other, mixed)) = mixed else { continue };
        let message = format!(
            "in `{}` the values of `{}` (`{}`) and `{}` (`{}`) are not equally wide, so they do not sort together",
            mixed.key, one.entity.name, mixed.sorts.0, other.name, mixed.sorts.1
        );
        let help = "give both the same `precision`, `separator` or padding, or a text of their own before it";
        let span = match mixed.index {
            Some(index) => one.span(&["index", index, mixed.key]),
            None => one.span(&["key", mixed.key]),
        };
        problems.report(Code::MixedWidth, span, message, help);
    }
}

/// A sort key in which two entities differ in width.
struct MixedWidth<'a> {
    key: &'a str,
    index: Option<&'a str>,
    sorts: (&'a Template, &'a Template),
}

fn mixed_width<'a>(a: &'a Entity, b: &'a Entity, table: &'a TableSource<'_>) -> Option<MixedWidth<'a>> {
    if differ_in_width(&a.sk, &b.sk) && a.pk.overlaps(&b.pk) {
        return Some(MixedWidth { key: &table.table.sk, index: None, sorts: (&a.sk, &b.sk) });
    }
    table.table.indexes.iter().enumerate().find_map(|(number, index)| {
        let (in_a, in_b) = a.in_index(number).zip(b.in_index(number))?;
        let together = || match (in_a.pk.template(), in_b.pk.template()) {
            (Some(a), Some(b)) => a.overlaps(b),
            _ => true,
        };
        let sorts = (in_a.sk.as_ref()?.template()?, in_b.sk.as_ref()?.template()?);
        (differ_in_width(sorts.0, sorts.1) && together()).then_some(MixedWidth {
            key: index.sk.as_deref()?,
            index: Some(&index.name),
            sorts,
        })
    })
}

fn differ_in_width(a: &Template, b: &Template) -> bool {
    let differ = |a: &Field, b: &Field| match (&a.attribute.kind, &b.attribute.kind) {
        (Kind::Timestamp(a), Kind::Timestamp(b)) => a != b,
        (Kind::Month { separator: a }, Kind::Month { separator: b }) => a != b,
        (Kind::Integer, Kind::Integer) => a.pad != b.pad,
        _ => false,
    };
    for (a, b) in a.segments.iter().zip(&b.segments) {
        match (&a.field, &b.field) {
            _ if a.literal != b.literal => return false,
            (Some(a), Some(b)) if differ(a, b) => return true,
            (Some(a), Some(b)) if a.attribute.kind != b.attribute.kind => return false,
            (Some(_), Some(_)) | (None, None) => {}
            _ => return false,
        }
    }
    false
}

/// An attribute that is a key of an index must have one type in all entities, even in those that are
/// not in the index: DynamoDB rejects the item otherwise.
fn key_types(compiled: &[Compiled<'_>], table: &mut TableSource<'_>, problems: &mut Problems) {
    let keys = |index: &Index| [Some(index.pk.clone()), index.sk.clone()].into_iter().flatten();
    let names: BTreeSet<Name> = table.table.indexes.iter().flat_map(keys).collect();
    let numeric: BTreeSet<Name> =
        names.into_iter().filter(|name| is_number(name, compiled, &table.table.indexes, problems)).collect();
    for index in &mut table.table.indexes {
        index.pk_numeric = numeric.contains(&index.pk);
        index.sk_numeric = index.sk.as_ref().is_some_and(|sk| numeric.contains(sk));
    }
}

/// Whether the entities store a number under this name.
fn is_number(name: &Name, compiled: &[Compiled<'_>], indexes: &[Index], problems: &mut Problems) -> bool {
    let mut first: Option<(&Arc<Entity>, bool)> = None;
    for one in compiled {
        let derived = |entry: &EntityIndex| {
            let index = &indexes[entry.index];
            (index.pk == *name && matches!(entry.pk, KeySource::Derived(_)))
                || (index.sk.as_ref() == Some(name) && matches!(entry.sk, Some(KeySource::Derived(_))))
        };
        let (numeric, span) = if let Some(attribute) = one.entity.attribute(name) {
            (attribute.kind.is_numeric(), one.span(&["attributes", name]))
        } else if let Some(entry) = one.entity.indexes.iter().find(|entry| derived(entry)) {
            (false, one.span(&["index", &indexes[entry.index].name, name]))
        } else {
            continue;
        };
        match first {
            None => first = Some((one.entity, numeric)),
            Some((other, was_numeric)) if was_numeric != numeric => {
                let (number, text) = if numeric { (one.entity, other) } else { (other, one.entity) };
                let message = format!(
                    "`{name}` is a key of an index, and a number in `{}` but text in `{}`",
                    number.name, text.name
                );
                let help = "give it one type, or give one of the two another name";
                problems.report(Code::MixedKeyType, span, message, help);
            }
            Some(_) => {}
        }
    }
    first.is_some_and(|(_, numeric)| numeric)
}

fn ttl_is_used(compiled: &[Compiled<'_>], table: &TableSource<'_>, problems: &mut Problems) {
    let Some(ttl) = &table.table.ttl else { return };
    if !compiled.iter().any(|one| one.entity.attribute(&ttl.attribute).is_some()) {
        let name = &ttl.attribute;
        let span = reader::at(table.node, &["ttl"]).map_or(table.node.span, |node| node.span);
        let message = format!("no entity has the TTL attribute `{name}`, so nothing would ever expire");
        let help = format!("add `{name}: integer?` to an entity, or remove `ttl`");
        problems.report(Code::BadTtl, span, message, help);
    }
}

/// Reports projected attributes that no entity has.
fn projections(compiled: &[Compiled<'_>], table: &TableSource<'_>, problems: &mut Problems) {
    let known = || compiled.iter().flat_map(|one| &one.entity.attributes).map(|attribute| &*attribute.name);
    for index in &table.table.indexes {
        let Projection::Include(names) = &index.projection else { continue };
        let list = reader::at(table.node, &["indexes", &index.name, "project"]);
        for name in names.iter().filter(|name| !known().any(|attribute| attribute == &***name)) {
            let span =
                list.and_then(|list| reader::element(list, name)).map_or(table.node.span, |node| node.span);
            let help =
                suggest::did_you_mean(name, known(), || "add it to an entity, or remove it here".to_owned());
            problems.report(
                Code::UnknownAttribute,
                span,
                format!("no entity has an attribute `{name}`"),
                help,
            );
        }
    }
}

/// Reports an index that a pattern reads and no entity is in: once, at the key that is missing.
pub(super) fn report_empty_index(
    table: &TableSource<'_>,
    position: usize,
    compiled: &[&Arc<Entity>],
    problems: &mut Problems,
) {
    let index = &table.table.indexes[position];
    let attributes =
        || compiled.iter().flat_map(|entity| &entity.attributes).map(|attribute| &*attribute.name);
    let has = |name: &str| attributes().any(|attribute| attribute == name);
    let (field, key) = match &index.sk {
        Some(sk) if has(&index.pk) => ("sk", sk),
        _ => ("pk", &index.pk),
    };
    let span = reader::at(table.node, &["indexes", &index.name, field]);
    let message = format!("no entity is in the index `{}`: none has `{key}`", index.name);
    let help = suggest::did_you_mean(key, attributes(), || {
        format!("give an entity `{key}` under its `index: {}:`, or as an attribute", index.name)
    });
    problems.report(Code::NotInIndex, span.map_or(table.node.span, |node| node.span), message, help);
}
