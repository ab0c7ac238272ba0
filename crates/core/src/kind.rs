//! The types of attributes: valid values, conversion of loose input, and values in keys.

use std::fmt;

use crate::message;
use crate::message::{Argument, Message, Phrase};
use crate::messages::{fields, kinds};
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
    /// A point in time, in UTC, with the fixed width of its precision.
    Timestamp(Precision),
    /// A month such as `2025-01`, with the separator of the model.
    Month {
        /// The separator of year and month.
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
    /// Any value.
    Any,
}

/// The type of the members of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members {
    /// Texts.
    Texts,
    /// Numbers.
    Numbers,
    /// Byte strings.
    Binaries,
}

/// States and their transitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifecycle {
    /// Every state, in the order of the model file.
    pub states: Vec<Name>,
    /// The states an item can be created in.
    pub initial: Vec<Name>,
    /// The transitions, in the order of the model file.
    pub moves: Vec<(Name, Name)>,
}

impl Lifecycle {
    /// The states with a transition to `state`.
    pub fn before<'a>(&'a self, state: &'a str) -> impl Iterator<Item = &'a Name> {
        self.moves.iter().filter(move |(_, to)| &**to == state).map(|(from, _)| from)
    }

    /// The states with a transition from `state`.
    pub fn after<'a>(&'a self, state: &'a str) -> impl Iterator<Item = &'a Name> {
        self.moves.iter().filter(move |(from, _)| &**from == state).map(|(_, to)| to)
    }

    /// Whether there is a transition from `from` to `to`.
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
    pub fn check(&self, value: &Value) -> Result<(), Message> {
        match (self, value) {
            (Self::List(element), Value::L(values)) => check_elements(element, values),
            (Self::Map(element), Value::M(map)) => check_members(element, map),
            _ if self.is(value) => Ok(()),
            _ => Err(self.must_be()),
        }
    }

    /// Whether `value` is exactly as this type is stored. The elements of lists and maps are not checked.
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

    /// Whether any text is a value, so that its characters must be checked before it becomes part of a key.
    #[must_use]
    pub fn is_free_text(&self) -> bool {
        matches!(self, Self::String | Self::Markdown | Self::Email | Self::Url)
    }

    /// Whether the value is stored as a number.
    #[must_use]
    pub fn is_numeric(&self) -> bool {
        matches!(self, Self::Number | Self::Integer)
    }

    /// The closed list of values, if there is one.
    #[must_use]
    pub fn choices(&self) -> Option<&[Name]> {
        match self {
            Self::Enum(choices) => Some(choices),
            Self::Lifecycle(life) => Some(&life.states),
            _ => None,
        }
    }

    /// Whether the key form of some value starts with this text. True if that is not known.
    pub(crate) fn can_start_with(&self, text: &str, pad: Option<u8>) -> bool {
        let like = |example: &str| {
            text.len() <= example.len()
                && text.bytes().zip(example.bytes()).all(|(one, other)| {
                    if other.is_ascii_digit() { one.is_ascii_digit() } else { one == other }
                })
        };
        match self {
            Self::Timestamp(precision) => like(precision.example()),
            Self::Month { separator } => like(&format!("2025{separator}01")),
            Self::Integer => like(&"0".repeat(usize::from(pad.unwrap_or_default()))),
            Self::Ulid => {
                text.len() <= 26 && text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
            }
            Self::Uuid => {
                text.len() <= 36
                    && text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'a'..=b'f' | b'-'))
            }
            Self::Semver => text.bytes().next().is_none_or(|b| b.is_ascii_digit()),
            _ => true,
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
        self.is(&value).then_some(value)
    }
}

fn check_elements(element: &Kind, values: &[Value]) -> Result<(), Message> {
    for (index, value) in values.iter().enumerate() {
        element.check(value).map_err(|problem| message!(fields::ELEMENT, index, problem))?;
    }
    Ok(())
}

fn check_members(element: &Kind, map: &Item) -> Result<(), Message> {
    for (name, value) in map {
        element.check(value).map_err(|problem| message!(fields::MEMBER, name, problem))?;
    }
    Ok(())
}

const EMAIL_EXAMPLE: &str = "name@example.com";
const ULID_EXAMPLE: &str = "01JD3Q0V8B5X9K2M4N6P7R8S9T";
const UUID_EXAMPLE: &str = "3f2b8c1e-5a4d-4e6f-9b7a-0c1d2e3f4a5b";
const VERSION_EXAMPLE: &str = "1.4.0";

impl Kind {
    /// The type as a noun: "a whole number".
    #[must_use]
    pub fn noun(&self) -> Message {
        let (noun, _) = self.phrases();
        Message::new(noun, self.example())
    }

    /// The demand for a value of this type, as the end of a sentence that starts with the attribute's
    /// name: "must be a whole number".
    #[must_use]
    pub fn must_be(&self) -> Message {
        match self.phrases() {
            (_, Some(demand)) => Message::new(demand, self.example()),
            (_, None) => message!(kinds::MUST_BE, self.noun()),
        }
    }

    /// The noun and the demand. Both have one hole, for [`Kind::example`], or neither has.
    fn phrases(&self) -> (&'static Phrase, Option<&'static Phrase>) {
        match self {
            Self::String => (&kinds::TEXT, Some(&kinds::MUST_BE_TEXT)),
            Self::Markdown => (&kinds::MARKDOWN, Some(&kinds::MUST_BE_MARKDOWN)),
            Self::Email => (&kinds::EMAIL, Some(&kinds::MUST_BE_EMAIL)),
            Self::Url => (&kinds::URL, Some(&kinds::MUST_BE_URL)),
            Self::Number => (&kinds::NUMBER, Some(&kinds::MUST_BE_NUMBER)),
            Self::Integer => (&kinds::INTEGER, Some(&kinds::MUST_BE_INTEGER)),
            Self::Bool => (&kinds::BOOL, Some(&kinds::MUST_BE_BOOL)),
            Self::Timestamp(_) => (&kinds::TIME, Some(&kinds::MUST_BE_TIME)),
            Self::Month { .. } => (&kinds::MONTH, Some(&kinds::MUST_BE_MONTH)),
            Self::Ulid => (&kinds::ULID, Some(&kinds::MUST_BE_ULID)),
            Self::Uuid => (&kinds::UUID, Some(&kinds::MUST_BE_UUID)),
            Self::Semver => (&kinds::VERSION, Some(&kinds::MUST_BE_VERSION)),
            Self::Enum(_) | Self::Lifecycle(_) => (&kinds::CHOICE, Some(&kinds::MUST_BE_CHOICE)),
            Self::List(_) => (&kinds::LIST_OF, Some(&kinds::MUST_BE_LIST_OF)),
            Self::Map(_) => (&kinds::MAP_OF, Some(&kinds::MUST_BE_MAP_OF)),
            Self::Set(Members::Texts) => (&kinds::TEXT_SET, Some(&kinds::MUST_BE_TEXT_SET)),
            Self::Set(Members::Numbers) => (&kinds::NUMBER_SET, Some(&kinds::MUST_BE_NUMBER_SET)),
            Self::Set(Members::Binaries) => (&kinds::BINARY_SET, Some(&kinds::MUST_BE_BINARY_SET)),
            Self::Binary => (&kinds::BINARY, None),
            Self::Any => (&kinds::ANY, None),
        }
    }

    /// The argument of the phrases: an example, the choices or the type of the elements.
    fn example(&self) -> Vec<Argument> {
        let argument = match self {
            Self::Email => EMAIL_EXAMPLE.into(),
            Self::Timestamp(precision) => precision.example().into(),
            Self::Month { separator } => format!("2025{separator}01").into(),
            Self::Ulid => ULID_EXAMPLE.into(),
            Self::Uuid => UUID_EXAMPLE.into(),
            Self::Semver => VERSION_EXAMPLE.into(),
            Self::Enum(choices) => Argument::list(choices),
            Self::Lifecycle(life) => Argument::list(&life.states),
            Self::List(element) | Self::Map(element) => element.noun().into(),
            _ => return Vec::new(),
        };
        vec![argument]
    }
}

/// The English noun.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.noun().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Language;

    #[test]
    fn every_type_is_worded_in_each_language() {
        let names = || vec!["A".into(), "B".into()];
        let life = Lifecycle { states: names(), initial: names(), moves: Vec::new() };
        let list = Kind::List(Box::new(Kind::Map(Box::new(Kind::Email))));
        for (kind, noun, demand) in [
            (Kind::String, "텍스트", "텍스트를 입력하세요"),
            (
                Kind::Timestamp(Precision::Seconds),
                "날짜와 시각(예: 2025-11-14T03:00:00Z)",
                "날짜와 시각을 입력하세요 (예: 2025-11-14T03:00:00Z)",
            ),
            (Kind::Month { separator: '.' }, "연월(예: 2025.01)", "연월을 입력하세요 (예: 2025.01)"),
            (Kind::Semver, "버전(예: 1.4.0)", "버전을 입력하세요 (예: 1.4.0)"),
            (Kind::Lifecycle(life), "선택(A, B)", "다음 중 하나를 선택하세요: A, B"),
            (
                list,
                "목록(각 요소: 맵(각 값: 이메일 주소(예: name@example.com)))",
                "목록으로 입력하세요 (각 요소: 맵(각 값: 이메일 주소(예: name@example.com)))",
            ),
            (Kind::Binary, "바이너리", "바이너리 형식으로 입력하세요"),
        ] {
            assert_eq!(kind.must_be().to_string(), format!("must be {kind}"));
            assert_eq!(kind.noun().in_language(Language::Korean), noun);
            assert_eq!(kind.must_be().in_language(Language::Korean), demand);
        }
    }

    #[test]
    fn every_phrase_of_a_type_takes_its_example() {
        let names = || vec!["A".into(), "B".into()];
        for kind in [
            Kind::String,
            Kind::Markdown,
            Kind::Email,
            Kind::Url,
            Kind::Number,
            Kind::Integer,
            Kind::Bool,
            Kind::Timestamp(Precision::Seconds),
            Kind::Month { separator: '-' },
            Kind::Ulid,
            Kind::Uuid,
            Kind::Semver,
            Kind::Enum(names()),
            Kind::Lifecycle(Lifecycle { states: names(), initial: names(), moves: Vec::new() }),
            Kind::List(Box::new(Kind::Any)),
            Kind::Map(Box::new(Kind::Any)),
            Kind::Set(Members::Texts),
            Kind::Set(Members::Numbers),
            Kind::Set(Members::Binaries),
            Kind::Binary,
            Kind::Any,
        ] {
            let (noun, demand) = kind.phrases();
            assert_eq!(noun.arity(), kind.example().len(), "{kind}");
            assert!(demand.is_none_or(|demand| demand.arity() == noun.arity()), "{kind}");
            assert_eq!(kind.must_be().to_string(), format!("must be {kind}"));
        }
    }
}
