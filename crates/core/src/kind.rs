//! The types an attribute can have: what they accept, how loose input becomes exact, and how a
//! value is written in a key.

use std::fmt;

use crate::number::Number;
use crate::value::{Item, Name, Value};

pub mod coerce;
pub mod text;
pub mod time;

use time::Precision;

/// The type of an attribute, or of the elements of a list or map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    String,
    /// Text in Markdown.
    Markdown,
    /// An e-mail address.
    Email,
    /// An absolute `http`, `https` or `s3` address.
    Url,
    /// An exact decimal.
    Number,
    /// A whole number that fits 64 bits.
    Integer,
    /// True or false.
    Bool,
    /// A point in time, in UTC, always as wide as its precision says.
    Timestamp(Precision),
    /// A month such as `2025-01`, with the separator the model chose.
    Month {
        /// What stands between year and month.
        separator: char,
    },
    /// A ULID: 26 characters that sort by time.
    Ulid,
    /// A UUID in lower case with hyphens.
    Uuid,
    /// A semantic version.
    Semver,
    /// One of a closed list of texts.
    Enum(Vec<Name>),
    /// One of the states of a lifecycle.
    Lifecycle(Lifecycle),
    /// A list of values of one type.
    List(Box<Kind>),
    /// A map from text to values of one type.
    Map(Box<Kind>),
    /// A set.
    Set(Members),
    /// Bytes.
    Binary,
    /// Whatever can be stored.
    Any,
}

/// What a set is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members {
    /// Texts.
    Texts,
    /// Numbers.
    Numbers,
    /// Byte strings.
    Binaries,
}

/// States and the moves between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifecycle {
    /// Every state, in the order of the model file.
    pub states: Vec<Name>,
    /// The states an item can be created in.
    pub initial: Vec<Name>,
    /// From which state one can move to which, in the order of the model file.
    pub moves: Vec<(Name, Name)>,
}

impl Lifecycle {
    /// The states from which one can move to `state`.
    pub fn before<'a>(&'a self, state: &'a str) -> impl Iterator<Item = &'a Name> {
        self.moves.iter().filter(move |(_, to)| &**to == state).map(|(from, _)| from)
    }

    /// The states to which one can move from `state`.
    pub fn after<'a>(&'a self, state: &'a str) -> impl Iterator<Item = &'a Name> {
        self.moves.iter().filter(move |(from, _)| &**from == state).map(|(_, to)| to)
    }

    /// Whether the one move from `from` to `to` exists.
    #[must_use]
    pub fn allows(&self, from: &str, to: &str) -> bool {
        self.moves.iter().any(|(a, b)| &**a == from && &**b == to)
    }
}

impl Kind {
    /// Checks that `value` is exactly as this type is stored.
    ///
    /// # Errors
    /// The end of a sentence that starts with the attribute's name: "must be …".
    pub fn check(&self, value: &Value) -> Result<(), String> {
        match (self, value) {
            (Self::List(element), Value::L(values)) => check_elements(element, values),
            (Self::Map(element), Value::M(map)) => check_members(element, map),
            _ if self.is(value) => Ok(()),
            _ => Err(format!("must be {self}")),
        }
    }

    /// Whether `value` is exactly as this type is stored. Of lists and maps only what they are, and not what is in them.
    pub(crate) fn is(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::String | Self::Markdown, Value::S(_))
            | (Self::Number, Value::N(_))
            | (Self::Bool, Value::Bool(_))
            | (Self::Binary, Value::B(_))
            | (Self::Any, _) => true,
            (Self::Integer, Value::N(number)) => number.to_i64().is_some(),
            (Self::Email, Value::S(text)) => text::is_email(text),
            (Self::Url, Value::S(text)) => text::is_url(text),
            (Self::Timestamp(precision), Value::S(text)) => precision.matches(text),
            (Self::Month { separator }, Value::S(text)) => time::is_month(text, *separator),
            (Self::Ulid, Value::S(text)) => text::is_ulid(text),
            (Self::Uuid, Value::S(text)) => text::is_uuid(text),
            (Self::Semver, Value::S(text)) => text::is_semver(text),
            (Self::Enum(choices), Value::S(text)) => choices.iter().any(|choice| **choice == **text),
            (Self::Lifecycle(life), Value::S(text)) => life.states.iter().any(|state| **state == **text),
            (Self::List(_), Value::L(_)) | (Self::Map(_), Value::M(_)) => true,
            (Self::Set(Members::Texts), Value::Ss(texts)) => !texts.is_empty(),
            (Self::Set(Members::Numbers), Value::Ns(numbers)) => !numbers.is_empty(),
            (Self::Set(Members::Binaries), Value::Bs(blobs)) => !blobs.is_empty(),
            _ => false,
        }
    }

    /// Whether a value can be written into a key as text.
    #[must_use]
    pub fn fits_key(&self) -> bool {
        !matches!(
            self,
            Self::Markdown
                | Self::Number
                | Self::Bool
                | Self::List(_)
                | Self::Map(_)
                | Self::Set(_)
                | Self::Binary
                | Self::Any
        )
    }

    /// Whether any text is a value, so that what it may contain has to be checked at each write.
    #[must_use]
    pub fn is_free_text(&self) -> bool {
        matches!(self, Self::String | Self::Markdown | Self::Email | Self::Url)
    }

    /// Whether the value is stored as a number.
    #[must_use]
    pub fn is_numeric(&self) -> bool {
        matches!(self, Self::Number | Self::Integer)
    }

    /// The closed list of texts that are values, where there is one.
    #[must_use]
    pub fn choices(&self) -> Option<&[Name]> {
        match self {
            Self::Enum(choices) => Some(choices),
            Self::Lifecycle(life) => Some(&life.states),
            _ => None,
        }
    }

    /// Reads the text that [`crate::template::Template`] wrote into a key.
    #[must_use]
    pub fn parse_key_text(&self, text: &str, pad: Option<u8>) -> Option<Value> {
        let value = match (self, pad) {
            (Self::Integer, Some(pad)) if text.len() == usize::from(pad) => Value::N(Number::from(
                text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<i64>())?.ok()?,
            )),
            (Self::Integer, _) => return None,
            _ if text.is_empty() || text.chars().any(char::is_control) => return None,
            _ => Value::from(text.to_owned()),
        };
        self.check(&value).ok()?;
        Some(value)
    }
}

fn check_elements(element: &Kind, values: &[Value]) -> Result<(), String> {
    for (index, value) in values.iter().enumerate() {
        element.check(value).map_err(|problem| format!("element {index} {problem}"))?;
    }
    Ok(())
}

fn check_members(element: &Kind, map: &Item) -> Result<(), String> {
    for (name, value) in map {
        element.check(value).map_err(|problem| format!("member `{name}` {problem}"))?;
    }
    Ok(())
}

impl fmt::Display for Kind {
    /// What a value of the type is, as it ends the sentence "must be …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::String => f.write_str("text"),
            Self::Markdown => f.write_str("Markdown text"),
            Self::Email => f.write_str("an e-mail address such as name@example.com"),
            Self::Url => f.write_str("an address that starts with https://, http:// or s3://"),
            Self::Number => f.write_str("a number"),
            Self::Integer => f.write_str("a whole number"),
            Self::Bool => f.write_str("true or false"),
            Self::Timestamp(precision) => write!(f, "a time such as {}", precision.example()),
            Self::Month { separator } => write!(f, "a month such as 2025{separator}01"),
            Self::Ulid => f.write_str("a ULID such as 01JD3Q0V8B5X9K2M4N6P7R8S9T"),
            Self::Uuid => f.write_str("a UUID such as 3f2b8c1e-5a4d-4e6f-9b7a-0c1d2e3f4a5b"),
            Self::Semver => f.write_str("a version such as 1.4.0"),
            Self::Enum(choices) => write!(f, "one of {}", choices.join(", ")),
            Self::Lifecycle(life) => write!(f, "one of {}", life.states.join(", ")),
            Self::List(element) => write!(f, "a list, each element {element}"),
            Self::Map(element) => write!(f, "a map, each value {element}"),
            Self::Set(Members::Texts) => f.write_str("a set of texts that is not empty"),
            Self::Set(Members::Numbers) => f.write_str("a set of numbers that is not empty"),
            Self::Set(Members::Binaries) => f.write_str("a set of binaries that is not empty"),
            Self::Binary => f.write_str("binary"),
            Self::Any => f.write_str("any value"),
        }
    }
}
