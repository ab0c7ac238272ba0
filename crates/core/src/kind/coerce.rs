//! Conversion of loose input: JSON has no sets, a command line has only text, and times have several
//! forms.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::{Kind, Members};
use crate::message;
use crate::message::Message;
use crate::messages::fields;
use crate::number::Number;
use crate::value::{Value, json};

impl Kind {
    /// Converts a loosely typed value, as from JSON, to exactly this type.
    ///
    /// # Errors
    /// The end of a sentence that starts with the attribute's name: "must be …".
    pub fn coerce(&self, value: Value) -> Result<Value, Message> {
        // Most texts from programs are exact already.
        if matches!(self, Self::Timestamp(_) | Self::Ulid | Self::Uuid) && self.is(&value) {
            return Ok(value);
        }
        let exact = match (self, value) {
            (Self::Timestamp(precision), Value::S(text)) => {
                Value::S(precision.normalise(&text).unwrap_or(text))
            }
            (Self::Ulid, Value::S(text)) => Value::S(text.to_ascii_uppercase()),
            (Self::Uuid, Value::S(text)) => Value::S(text.to_ascii_lowercase()),
            (Self::Binary, Value::S(text)) => Value::B(from_base64(&text)?),
            (Self::Set(members), Value::L(values)) => to_set(*members, values)?,
            (Self::List(element), Value::L(values)) => {
                Value::L(values.into_iter().map(|value| element.coerce(value)).collect::<Result<_, _>>()?)
            }
            (Self::Map(element), Value::M(map)) => Value::M(
                map.into_iter()
                    .map(|(name, value)| Ok((name, element.coerce(value)?)))
                    .collect::<Result<_, Message>>()?,
            ),
            (_, value) => value,
        };
        self.check(&exact)?;
        Ok(exact)
    }

    /// Reads a value of this type from the text of a command line or a query string.
    /// Lists, maps and sets are read as JSON.
    ///
    /// # Errors
    /// The end of a sentence that starts with the attribute's name: "must be …".
    pub fn from_text(&self, text: &str) -> Result<Value, Message> {
        let value = match self {
            Self::Number | Self::Integer => Value::N(text.parse::<Number>().map_err(|_| self.must_be())?),
            Self::Bool => match text {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                _ => return Err(self.must_be()),
            },
            Self::List(_) | Self::Map(_) | Self::Set(_) => from_json_text(text)?,
            Self::Any => from_json_text(text).unwrap_or_else(|_| Value::from(text)),
            _ => Value::from(text),
        };
        self.coerce(value)
    }
}

fn from_json_text(text: &str) -> Result<Value, Message> {
    let parsed = serde_json::from_str(text).map_err(|_| message!(fields::NOT_JSON))?;
    json::from_plain(&parsed)
}

fn from_base64(text: &str) -> Result<Vec<u8>, Message> {
    BASE64.decode(text).map_err(|_| message!(fields::NOT_BASE64))
}

fn to_set(members: Members, values: Vec<Value>) -> Result<Value, Message> {
    let wrong = || Kind::Set(members).must_be();
    Ok(match members {
        Members::Texts => Value::Ss(
            values
                .into_iter()
                .map(|value| if let Value::S(text) = value { Ok(text.into()) } else { Err(wrong()) })
                .collect::<Result<_, _>>()?,
        ),
        Members::Numbers => Value::Ns(
            values.iter().map(|value| value.as_number().ok_or_else(wrong)).collect::<Result<_, _>>()?,
        ),
        Members::Binaries => Value::Bs(
            values
                .iter()
                .map(|value| from_base64(value.as_str().ok_or_else(wrong)?))
                .collect::<Result<_, _>>()?,
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::time::Precision;

    #[test]
    fn text_becomes_each_type() {
        let number = |text: &str| Value::N(text.parse().unwrap());
        for (kind, text, value) in [
            (Kind::String, "a", Value::from("a")),
            (Kind::Integer, "42", number("42")),
            (Kind::Number, "1.50", number("1.5")),
            (Kind::Bool, "true", Value::Bool(true)),
            (
                Kind::Timestamp(Precision::Millis),
                "2025-01-01T00:00:00Z",
                Value::from("2025-01-01T00:00:00.000Z"),
            ),
            (Kind::Ulid, "01jd3q0v8b5x9k2m4n6p7r8s9t", Value::from("01JD3Q0V8B5X9K2M4N6P7R8S9T")),
            (Kind::Binary, "AAE=", Value::B(vec![0, 1])),
            (Kind::Set(Members::Texts), r#"["b","a","b"]"#, Value::Ss(["a".into(), "b".into()].into())),
            (Kind::Set(Members::Numbers), "[2,1]", Value::Ns([1.into(), 2.into()].into())),
            (Kind::List(Box::new(Kind::Integer)), "[1]", Value::L(vec![1.into()])),
            (Kind::Any, "plain", Value::from("plain")),
        ] {
            assert_eq!(kind.from_text(text), Ok(value), "{kind:?}");
        }
    }

    #[test]
    fn problems_name_the_expected_type() {
        for (kind, text, part) in [
            (Kind::Integer, "1.5", "a whole number"),
            (Kind::Integer, "99999999999999999999", "a whole number"),
            (Kind::Bool, "yes", "true or false"),
            (Kind::Timestamp(Precision::Seconds), "soon", "2025-11-14T03:00:00Z"),
            (Kind::Enum(vec!["A".into(), "B".into()]), "C", "one of A, B"),
            (Kind::Set(Members::Texts), "[]", "not empty"),
            (Kind::Set(Members::Texts), "[1]", "set of texts"),
            (Kind::List(Box::new(Kind::Email)), r#"["x"]"#, "e-mail"),
            (Kind::Map(Box::new(Kind::Integer)), "[", "JSON"),
            (Kind::Semver, "1.0", "1.4.0"),
        ] {
            let problem = kind.from_text(text).unwrap_err().to_string();
            assert!(problem.contains(part), "{kind:?}: {problem}");
        }
    }
}
