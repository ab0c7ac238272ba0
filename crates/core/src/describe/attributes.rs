//! The rules of an attribute, the source of its values, and their changes.

use super::keys::{Piece, of_template};
use crate::kind::Kind;
use crate::model::{Attribute, Entity, Generated, Role, Rules};
use crate::number::Number;
use crate::value::{Name, Value};

/// A rule about the values of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule<'m> {
    /// The range of a number.
    Number(Bounds<Number>),
    /// The length or the number of elements.
    Length(Bounds<usize>, Unit),
    /// The whole text must match this.
    Matches(&'m str),
}

/// One or both bounds of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds<T> {
    /// Both ends are the same.
    Exactly(T),
    /// From here to there.
    Between(T, T),
    /// From here on.
    AtLeast(T),
    /// Up to here.
    AtMost(T),
}

/// The unit of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The characters of a text.
    Characters,
    /// The elements of a list, map or set.
    Elements,
    /// The bytes of a binary.
    Bytes,
}

/// The source of a value, or a limit of its changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Note<'m> {
    /// Must be given.
    Required,
    /// An item can do without it.
    Optional,
    /// The name of the entity, always.
    Always(&'m Name),
    /// The time of creation.
    Created,
    /// The time of the last write.
    Updated,
    /// Counts the writes.
    Version,
    /// Rendered from other attributes.
    MadeFrom(Vec<Piece<'m>>),
    /// The default.
    Default(&'m Value),
    /// The generator of a missing value.
    Generated(Generated),
    /// Never changes after creation.
    Immutable,
    /// Is no attribute of the stored item.
    OnlyInKey,
    /// No two items have the same.
    Unique,
    /// Together with others it is unique: the name of the constraint.
    PartOfUnique(&'m Name),
}

/// The type to show: the entity name is shown as text, not as a choice of one.
#[must_use]
pub fn kind(attribute: &Attribute) -> &Kind {
    match attribute.role {
        Role::Type => &Kind::String,
        _ => &attribute.kind,
    }
}

/// The rules of a value beside its type.
#[must_use]
pub fn rules(attribute: &Attribute) -> Vec<Rule<'_>> {
    let Rules { min, max, min_length, max_length, pattern_text, .. } = &attribute.rules;
    let unit = match attribute.kind {
        Kind::List(_) | Kind::Map(_) | Kind::Set(_) => Unit::Elements,
        Kind::Binary => Unit::Bytes,
        _ => Unit::Characters,
    };
    let mut rules = Vec::new();
    rules.extend(Bounds::new(*min, *max).map(Rule::Number));
    rules.extend(Bounds::new(*min_length, *max_length).map(|bounds| Rule::Length(bounds, unit)));
    rules.extend(pattern_text.as_deref().map(Rule::Matches));
    rules
}

/// The source of the value, and limits of its changes.
#[must_use]
pub fn notes<'m>(entity: &'m Entity, attribute: &'m Attribute) -> Vec<Note<'m>> {
    let mut notes = Vec::new();
    match &attribute.role {
        Role::Given if attribute.optional => notes.push(Note::Optional),
        Role::Given if attribute.default.is_some() || attribute.generated.is_some() => {}
        Role::Given => notes.push(Note::Required),
        Role::Type => notes.push(Note::Always(&entity.name)),
        Role::Created => notes.push(Note::Created),
        Role::Updated => notes.push(Note::Updated),
        Role::Version => notes.push(Note::Version),
        Role::Derived(template) => notes.push(Note::MadeFrom(of_template(template))),
    }
    notes.extend(attribute.default.as_ref().map(Note::Default));
    notes.extend(attribute.generated.map(Note::Generated));
    // Fields of the key are immutable with or without the flag; attributes of the table are left out.
    if matches!(attribute.role, Role::Given) && (attribute.immutable || entity.in_key(&attribute.name)) {
        notes.push(Note::Immutable);
    }
    if !attribute.stored {
        notes.push(Note::OnlyInKey);
    }
    for constraint in &entity.uniques {
        let alone = constraint.within.is_empty() && constraint.fields.len() == 1;
        if constraint.fields.iter().any(|field| field.name == attribute.name) {
            notes.push(if alone { Note::Unique } else { Note::PartOfUnique(&constraint.name) });
        }
    }
    notes
}

impl<T: PartialEq> Bounds<T> {
    fn new(least: Option<T>, most: Option<T>) -> Option<Self> {
        Some(match (least, most) {
            (Some(least), Some(most)) if least == most => Self::Exactly(least),
            (Some(least), Some(most)) => Self::Between(least, most),
            (Some(least), None) => Self::AtLeast(least),
            (None, Some(most)) => Self::AtMost(most),
            (None, None) => return None,
        })
    }
}
