//! The estimated size of an item of an entity.

use crate::kind::{Kind, Members};
use crate::model::{Attribute, Entity, Generated, Index, KeySource, Projection, Role, Rules};
use crate::number::Number;
use crate::template::Template;
use crate::write::MAX_ITEM;

/// Assumed bytes of the names of key attributes: an entity does not know its table.
const TABLE_KEY_NAME: usize = "PK".len();
const INDEX_KEY_NAME: usize = "GSI1PK".len();
/// The maximum assumed length of a text, however much its rule allows.
const LONG: usize = 1024;
const TEXT: usize = 24;
const NUMBER: usize = 5;
const ELEMENTS: usize = 4;

/// The estimated bytes of an item of the entity, as DynamoDB counts them: names and values of the
/// attributes, of the table's keys and of the index keys that are made for an index alone.
///
/// An estimate that tells 300 bytes from 30 KB:
/// - every attribute is present, optional ones too;
/// - a text has 24 bytes, an e-mail address 24, an address 80, Markdown 1 KB; where its length rule
///   allows more than eight times that, an eighth of the limit, but at most 1 KB: limits are set for
///   the worst case, not for the usual one;
/// - a number has the digits of its `max`, or eight; a list, map or set has four elements or, by the
///   same rule, an eighth of the limit;
/// - names of key attributes are as long as `PK` and `GSI1PK`.
#[must_use]
pub fn typical_size(entity: &Entity) -> usize {
    let derived = entity.indexes.iter().flat_map(|entry| [Some(&entry.pk), entry.sk.as_ref()]);
    let size = table_keys(entity)
        + derived.flatten().map(derived_key).sum::<usize>()
        + entity.attributes.iter().map(|attribute| stored(attribute)).sum::<usize>();
    size.min(MAX_ITEM)
}

/// The estimated bytes of an item of the entity as an index holds it.
pub(super) fn in_index(entity: &Entity, position: usize, index: &Index) -> usize {
    let included: &[_] = match &index.projection {
        Projection::All => return typical_size(entity),
        Projection::Keys => &[],
        Projection::Include(names) => names,
    };
    let is_key = |attribute: &Attribute| {
        attribute.name == index.pk || index.sk.as_ref().is_some_and(|sk| *sk == attribute.name)
    };
    let entry = entity.in_index(position);
    let keys = entry.map_or(0, |entry| derived_key(&entry.pk) + entry.sk.as_ref().map_or(0, derived_key));
    let attributes = entity.attributes.iter();
    let carried = attributes.filter(|attribute| is_key(attribute) || included.contains(&attribute.name));
    table_keys(entity) + keys + carried.map(|attribute| stored(attribute)).sum::<usize>()
}

fn table_keys(entity: &Entity) -> usize {
    2 * TABLE_KEY_NAME + rendered(&entity.pk) + rendered(&entity.sk)
}

/// A key that is an attribute anyway is counted as one.
fn derived_key(source: &KeySource) -> usize {
    match source {
        KeySource::Derived(template) => INDEX_KEY_NAME + rendered(template),
        KeySource::Own(_) | KeySource::Number(_) => 0,
    }
}

fn stored(attribute: &Attribute) -> usize {
    if attribute.stored { attribute.name.len() + value(attribute) } else { 0 }
}

fn rendered(template: &Template) -> usize {
    let delimiters = template.segments.len().saturating_sub(1) * template.delimiter.len_utf8();
    let literals: usize = template.segments.iter().map(|segment| segment.literal.len()).sum();
    let fields =
        template.fields().map(|field| field.pad.map_or_else(|| value(&field.attribute), usize::from));
    delimiters + literals + fields.sum::<usize>()
}

fn value(attribute: &Attribute) -> usize {
    if let Role::Derived(template) = &attribute.role {
        return rendered(template);
    }
    match attribute.generated {
        Some(Generated::Ulid) => 26,
        Some(Generated::Uuid) => 36,
        _ => of_kind(&attribute.kind, &attribute.rules),
    }
}

fn of_kind(kind: &Kind, rules: &Rules) -> usize {
    let elements = likely(rules, ELEMENTS);
    // The rules of an attribute are about its elements' number, not about the elements.
    let element = |kind: &Kind| of_kind(kind, &Rules::default());
    match kind {
        Kind::String | Kind::Email => likely(rules, TEXT),
        Kind::Markdown => likely(rules, 1024),
        Kind::Url => likely(rules, 80),
        Kind::Number | Kind::Integer => rules.max.map_or(NUMBER, digits),
        Kind::Bool => 1,
        Kind::Timestamp(precision) => precision.example().len(),
        Kind::Month { .. } => "2025-01".len(),
        Kind::Ulid => 26,
        Kind::Uuid => 36,
        Kind::Semver => "10.4.0".len(),
        Kind::Enum(_) | Kind::Lifecycle(_) => {
            let choices = kind.choices().unwrap_or_default();
            choices.iter().map(|choice| choice.len()).sum::<usize>().div_ceil(choices.len().max(1))
        }
        Kind::List(inner) => 3 + elements * (1 + element(inner)),
        Kind::Map(inner) => 3 + elements * (1 + TEXT / 2 + element(inner)),
        Kind::Set(Members::Numbers) => elements * NUMBER,
        Kind::Set(Members::Texts | Members::Binaries) => elements * TEXT,
        Kind::Binary => likely(rules, 256),
        Kind::Any => 64,
    }
}

/// The usual length, adjusted to the rule.
fn likely(rules: &Rules, usual: usize) -> usize {
    let (least, most) = (rules.min_length.unwrap_or(0), rules.max_length.unwrap_or(usual));
    usual.max((most / 8).min(LONG)).clamp(least, most.max(least))
}

/// Two digits take a byte, and the exponent one.
fn digits(max: Number) -> usize {
    let digits = max.to_i64().and_then(|max| max.unsigned_abs().checked_ilog10()).map(|log| log as usize + 1);
    digits.map_or(NUMBER, |digits| digits.div_ceil(2) + 1)
}
