//! Validation of the fields of an item.

use std::fmt;

use crate::kind::Kind;
use crate::message;
use crate::message::{Message, Phrase};
use crate::messages::fields;
use crate::model::{Attribute, Entity, Role};
use crate::value::{Item, Value};

/// The problem of one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The attribute.
    pub attribute: String,
    /// The end of a sentence that starts with the attribute's name: "must be …".
    pub problem: Message,
}

impl Violation {
    /// The whole sentence.
    #[must_use]
    pub fn message(&self) -> Message {
        message!(fields::FIELD, &self.attribute, &self.problem)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

/// Checks a whole set of fields: types, rules, required and unknown ones.
///
/// # Errors
/// Every violation, in name order.
pub fn check_fields(entity: &Entity, fields: &Item) -> Result<(), Vec<Violation>> {
    let mut violations = Vec::new();
    for attribute in &entity.attributes {
        let problem = match fields.get(&attribute.name) {
            Some(value) => check_value(attribute, value).err(),
            None if attribute.optional || is_updated(attribute) => None,
            None => Some(message!(fields::REQUIRED)),
        };
        violations.extend(problem.map(|problem| violation(&attribute.name, problem)));
    }
    for name in fields.keys().filter(|name| entity.attribute(name).is_none()) {
        violations.push(violation(name, message!(fields::UNKNOWN_ATTRIBUTE, &entity.name)));
    }
    violations.sort_by(|a, b| a.attribute.cmp(&b.attribute));
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

/// An item that was never updated may lack the time of its last write.
fn is_updated(attribute: &Attribute) -> bool {
    matches!(attribute.role, Role::Updated)
}

/// Checks one value: its type and its rules.
///
/// # Errors
/// The end of a sentence that starts with the attribute's name.
pub fn check_value(attribute: &Attribute, value: &Value) -> Result<(), Message> {
    attribute.kind.check(value)?;
    check_rules(attribute, value)
}

/// Checks the rules of an attribute on a value of its type.
///
/// # Errors
/// The end of a sentence that starts with the attribute's name.
pub fn check_rules(attribute: &Attribute, value: &Value) -> Result<(), Message> {
    let rules = &attribute.rules;
    if let Value::N(number) = value {
        if let Some(min) = rules.min.filter(|min| number < min) {
            return Err(message!(fields::AT_LEAST, min));
        }
        if let Some(max) = rules.max.filter(|max| number > max) {
            return Err(message!(fields::AT_MOST, max));
        }
    }
    if rules.min_length.is_some() || rules.max_length.is_some() {
        check_length(attribute, length(value))?;
    }
    if let (Some(pattern), Value::S(text)) = (&rules.pattern, value)
        && !pattern.is_match(text)
    {
        let shown = rules.pattern_text.as_deref().unwrap_or_default();
        return Err(message!(fields::PATTERN, shown));
    }
    Ok(())
}

fn check_length(attribute: &Attribute, length: usize) -> Result<(), Message> {
    let (exact, least, most) = match attribute.kind {
        Kind::List(_) | Kind::Map(_) | Kind::Set(_) => {
            (&fields::EXACT_ELEMENTS, &fields::MIN_ELEMENTS, &fields::MAX_ELEMENTS)
        }
        Kind::Binary => (&fields::EXACT_BYTES, &fields::MIN_BYTES, &fields::MAX_BYTES),
        _ => (&fields::EXACT_CHARACTERS, &fields::MIN_CHARACTERS, &fields::MAX_CHARACTERS),
    };
    let problem = |phrase: &'static Phrase, bound: usize| Message::new(phrase, vec![bound.into()]);
    match (attribute.rules.min_length, attribute.rules.max_length) {
        (Some(min), Some(max)) if min == max && length != min => Err(problem(exact, min)),
        (Some(1), _) if length == 0 => Err(message!(fields::EMPTY)),
        (Some(min), _) if length < min => Err(problem(least, min)),
        (_, Some(max)) if length > max => Err(problem(most, max)),
        _ => Ok(()),
    }
}

fn length(value: &Value) -> usize {
    match value {
        Value::S(text) => text.chars().count(),
        Value::B(bytes) => bytes.len(),
        Value::L(values) => values.len(),
        Value::M(map) => map.len(),
        Value::Ss(texts) => texts.len(),
        Value::Ns(numbers) => numbers.len(),
        Value::Bs(blobs) => blobs.len(),
        _ => 0,
    }
}

/// The problem of a field, as the end of a sentence that starts with its name.
pub fn violation(attribute: &str, problem: impl Into<Message>) -> Violation {
    Violation { attribute: attribute.to_owned(), problem: problem.into() }
}
