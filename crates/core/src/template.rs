//! Key templates such as `CATEGORY#{categoryId}`: rendered into keys, and keys parsed back.
//!
//! A template is split into segments by the table's delimiter, and no value in a key may contain the
//! delimiter. So every key can be parsed in exactly one way.

use std::collections::HashSet;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use crate::kind::Kind;
use crate::message;
use crate::message::Message;
use crate::messages::fields;
use crate::model::Attribute;
use crate::value::{Item, Value};

/// A compiled key template.
#[derive(Clone, Debug)]
pub struct Template {
    /// The text of the model file.
    pub text: String,
    /// The separator of segments.
    pub delimiter: char,
    /// The parts between delimiters.
    pub segments: Vec<Segment>,
}

/// The part of a template between two delimiters: some text, then at most one field.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The fixed text.
    pub literal: String,
    /// The field after it.
    pub field: Option<Field>,
}

/// A field of a template.
#[derive(Clone, Debug)]
pub struct Field {
    /// The attribute whose value is inserted.
    pub attribute: Arc<Attribute>,
    /// The number of digits to which a number is padded.
    pub pad: Option<u8>,
}

/// The reason why a value cannot be part of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyError {
    /// The attribute.
    pub attribute: String,
    /// The end of a sentence that starts with the attribute's name.
    pub problem: Message,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.attribute, self.problem)
    }
}

/// Sorts after every character that a key can contain, so that a range can end after all keys with the
/// same prefix.
pub(crate) const LAST: char = '\u{10FFFF}';

impl Template {
    /// The fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.segments.iter().filter_map(|segment| segment.field.as_ref())
    }

    /// Whether the template has a field for this attribute.
    #[must_use]
    pub fn uses(&self, attribute: &str) -> bool {
        self.fields().any(|field| &*field.attribute.name == attribute)
    }

    /// Renders the key, or nothing if a field has no value (a sparse index).
    ///
    /// # Errors
    /// When a value cannot be part of a key: it is empty, contains the delimiter or a control character, or
    /// does not fit its padding.
    pub fn render(&self, fields: &Item) -> Result<Option<String>, KeyError> {
        let mut key = String::with_capacity(self.text.len() + 24);
        Ok(self.write(fields, &mut key)?.then_some(key))
    }

    /// Whether the fields render to this key.
    pub(crate) fn gives(&self, fields: &Item, key: &str, space: &mut String) -> bool {
        space.clear();
        matches!(self.write(fields, space), Ok(true)) && space == key
    }

    /// Writes the key, and returns whether all of its fields have values.
    fn write(&self, fields: &Item, key: &mut String) -> Result<bool, KeyError> {
        for (index, segment) in self.segments.iter().enumerate() {
            if index > 0 {
                key.push(self.delimiter);
            }
            key.push_str(&segment.literal);
            if let Some(field) = &segment.field {
                match fields.get(&field.attribute.name) {
                    Some(value) => field.write(value, self.delimiter, key)?,
                    None => return Ok(false),
                }
            }
        }
        Ok(true)
    }

    /// Renders the first `count` segments and, if there are more, the delimiter and the next segment's fixed
    /// text.
    ///
    /// # Errors
    /// As [`Template::render`]; a missing field is an error here.
    pub fn render_prefix(&self, count: usize, fields: &Item) -> Result<String, KeyError> {
        let mut key = String::new();
        for (index, segment) in self.segments.iter().take(count + 1).enumerate() {
            if index > 0 {
                key.push(self.delimiter);
            }
            key.push_str(&segment.literal);
            if index == count {
                break;
            }
            if let Some(field) = &segment.field {
                let value = fields.get(&field.attribute.name).ok_or_else(|| field.missing())?;
                field.write(value, self.delimiter, &mut key)?;
            }
        }
        Ok(key)
    }

    /// Parses the fields of a key of this template; nothing if it does not match.
    #[must_use]
    pub fn parse(&self, key: &str) -> Option<Vec<(&Field, Value)>> {
        let mut fields = Vec::new();
        let mut parts = key.split(self.delimiter);
        for segment in &self.segments {
            let rest = parts.next()?.strip_prefix(segment.literal.as_str())?;
            match &segment.field {
                Some(field) => fields.push((field, field.attribute.kind.parse_key_text(rest, field.pad)?)),
                None if rest.is_empty() => {}
                None => return None,
            }
        }
        if parts.next().is_some() {
            return None;
        }
        // A field that occurs twice must have the same value both times.
        let consistent = fields.iter().enumerate().all(|(index, (field, value))| {
            fields[..index]
                .iter()
                .all(|(other, same)| other.attribute.name != field.attribute.name || same == value)
        });
        consistent.then_some(fields)
    }

    /// Whether some key could have been rendered by both templates.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.segments.len() == other.segments.len()
            && self.segments.iter().zip(&other.segments).all(|(a, b)| a.overlaps(b))
    }
}

impl Segment {
    fn overlaps(&self, other: &Self) -> bool {
        match (&self.field, &other.field) {
            (None, None) => self.literal == other.literal,
            (None, Some(field)) => field.accepts_behind(&other.literal, &self.literal),
            (Some(field), None) => field.accepts_behind(&self.literal, &other.literal),
            (Some(a), Some(b)) if self.literal == other.literal => a.overlaps(b),
            // Texts of different length before the fields: the longer text could be the start of the other's value.
            (Some(a), Some(b)) => {
                match (self.literal.strip_prefix(&*other.literal), other.literal.strip_prefix(&*self.literal))
                {
                    (Some(rest), _) => b.accepts_from(rest, a),
                    (_, Some(rest)) => a.accepts_from(rest, b),
                    _ => false,
                }
            }
        }
    }
}

impl Field {
    /// Writes a value in its key form.
    pub(crate) fn write(&self, value: &Value, delimiter: char, key: &mut String) -> Result<(), KeyError> {
        let refuse = |problem: Message| Err(KeyError { attribute: self.attribute.name.to_string(), problem });
        match (value, self.pad) {
            (Value::S(text), None) => {
                if text.is_empty() {
                    return refuse(message!(fields::KEY_EMPTY));
                }
                if self.attribute.kind.is_free_text() {
                    if text.contains(delimiter) {
                        return refuse(message!(fields::KEY_DELIMITER, delimiter));
                    }
                    if text.chars().any(|c| c.is_control() || c == LAST) {
                        return refuse(message!(fields::KEY_CONTROL));
                    }
                } else if let Err(problem) = self.attribute.kind.check(value) {
                    return refuse(problem);
                }
                key.push_str(text);
            }
            (Value::N(number), Some(pad)) => {
                let width = usize::from(pad);
                match number.to_i64().filter(|number| *number >= 0) {
                    Some(number) if number.checked_ilog10().unwrap_or(0) < u32::from(pad) => {
                        let _ = write!(key, "{number:0width$}");
                    }
                    _ => return refuse(message!(fields::KEY_NUMBER, "9".repeat(width))),
                }
            }
            _ => return refuse(self.attribute.kind.must_be()),
        }
        Ok(())
    }

    fn missing(&self) -> KeyError {
        KeyError { attribute: self.attribute.name.to_string(), problem: message!(fields::MISSING) }
    }

    fn accepts_behind(&self, prefix: &str, text: &str) -> bool {
        text.strip_prefix(prefix)
            .is_some_and(|rest| self.attribute.kind.parse_key_text(rest, self.pad).is_some())
    }

    /// Whether a value can be this text, followed by a value of another field.
    fn accepts_from(&self, text: &str, other: &Self) -> bool {
        match self.attribute.kind.choices() {
            Some(choices) => choices.iter().any(|choice| other.accepts_behind(text, choice)),
            None => self.attribute.kind.can_start_with(text, self.pad),
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (&self.attribute.kind, &other.attribute.kind);
        if let (Some(ours), Some(theirs)) = (a.choices(), b.choices()) {
            let ours: HashSet<&str> = ours.iter().map(|choice| &**choice).collect();
            return theirs.iter().any(|choice| ours.contains(&**choice));
        }
        if let Some(choices) = a.choices() {
            return choices.iter().any(|choice| b.parse_key_text(choice, other.pad).is_some());
        }
        if let Some(choices) = b.choices() {
            return choices.iter().any(|choice| a.parse_key_text(choice, self.pad).is_some());
        }
        match (a, b) {
            (Kind::Integer, Kind::Integer) => self.pad == other.pad,
            (a, b) if a.is_free_text() || b.is_free_text() => true,
            // Every other type has a form of its own that no second type shares.
            (a, b) => a == b,
        }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
