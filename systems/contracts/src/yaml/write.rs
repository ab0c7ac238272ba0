//! A value becomes YAML text that reads back as the same value.

use hansang_core::{Item, Value};
use serde::ser::{Error as _, Serialize, Serializer};

/// The text of a document.
///
/// # Errors
/// What in it is not JSON, which is all that a contract can hold.
pub(super) fn write(document: &[(&str, Value)]) -> Result<String, String> {
    serde_saphyr::to_string(&Document(document)).map_err(|error| error.to_string())
}

/// The members in the order they are given, because people read them.
struct Document<'v>(&'v [(&'v str, Value)]);

struct Written<'v>(&'v Value);

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, Written(value))))
    }
}

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(truth) => serializer.serialize_bool(*truth),
            Value::S(text) => serializer.serialize_str(text),
            Value::L(values) => serializer.collect_seq(values.iter().map(Written)),
            Value::M(map) => members(serializer, map),
            Value::N(number) => match number.to_i64() {
                Some(whole) => serializer.serialize_i64(whole),
                None => {
                    let double: f64 = number.to_string().parse().map_err(S::Error::custom)?;
                    serializer.serialize_f64(double)
                }
            },
            Value::B(_) | Value::Ss(_) | Value::Ns(_) | Value::Bs(_) => {
                Err(S::Error::custom("a contract is JSON, which has neither bytes nor sets"))
            }
        }
    }
}

fn members<S: Serializer>(serializer: S, map: &Item) -> Result<S::Ok, S::Error> {
    serializer.collect_map(map.iter().map(|(name, value)| (&**name, Written(value))))
}
