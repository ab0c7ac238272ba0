//! Items as structs, and structs as items, by serde.
//!
//! Members are named as the attributes are. Sets are lists and binary is base64 text, as in the plain JSON form.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::{Serialize, forward_to_deserialize_any};
use serde_json::{Error, Value as Json};

use super::json::{item_from_plain, to_plain};
use super::{Item, Value};
use crate::message::Message;

/// The fields of an item as a value of `T`.
///
/// # Errors
/// When `T` does not fit them.
pub fn from_item<T: DeserializeOwned>(item: &Item) -> Result<T, Error> {
    T::deserialize(members(item))
}

/// A struct as the fields of an item, without members that have no value.
///
/// # Errors
/// When it is no struct or map, or a number is outside DynamoDB's limits.
pub fn to_item(value: &impl Serialize) -> Result<Item, Message> {
    let mut json = serde_json::to_value(value).map_err(|error| Message::raw(error.to_string()))?;
    if let Json::Object(members) = &mut json {
        members.retain(|_, value| !value.is_null());
    }
    item_from_plain(&json)
}

/// Reads a value without a tree of JSON values in between.
#[derive(Clone, Copy)]
struct Reader<'v>(&'v Value);

type Members<'v> = MapDeserializer<'v, std::vec::IntoIter<(&'v str, Reader<'v>)>, Error>;

fn members(item: &Item) -> Members<'_> {
    let members: Vec<(&str, Reader)> = item.iter().map(|(name, value)| (&**name, Reader(value))).collect();
    MapDeserializer::new(members.into_iter())
}

impl<'v> IntoDeserializer<'v, Error> for Reader<'v> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'v> Deserializer<'v> for Reader<'v> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::S(text) => visitor.visit_borrowed_str(text),
            Value::N(number) if let Some(whole) = number.to_i64() => visitor.visit_i64(whole),
            Value::Bool(truth) => visitor.visit_bool(*truth),
            Value::Null => visitor.visit_unit(),
            Value::L(values) => visitor.visit_seq(SeqDeserializer::new(values.iter().map(Reader))),
            Value::M(map) => visitor.visit_map(members(map)),
            Value::N(_) | Value::B(_) | Value::Ss(_) | Value::Ns(_) | Value::Bs(_) => {
                to_plain(self.0).deserialize_any(visitor)
            }
        }
    }

    fn deserialize_option<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'v>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            // A JSON value of the caller's own has a marker here.
            Value::N(number) if number.to_i64().is_none() => {
                to_plain(self.0).deserialize_newtype_struct(name, visitor)
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_enum<V: Visitor<'v>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::S(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            other => to_plain(other).deserialize_enum(name, variants, visitor),
        }
    }

    forward_to_deserialize_any! {
        <W: Visitor<'v>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;
    use crate::number::Number;
    use crate::value::json::item_from_typed;

    #[derive(Debug, Serialize, Deserialize, PartialEq)]
    #[serde(rename_all = "camelCase")]
    struct Sample {
        text: String,
        whole: u8,
        exact: Number,
        part: f64,
        yes: bool,
        maybe: Option<i64>,
        null: Option<String>,
        list: Vec<Id>,
        map: std::collections::BTreeMap<String, i64>,
        texts: Vec<String>,
        numbers: Vec<Number>,
        blob: String,
        color: Color,
        shape: Shape,
        any: Json,
        #[serde(flatten)]
        rest: Rest,
    }

    #[derive(Debug, Serialize, Deserialize, PartialEq)]
    struct Id(String);

    #[derive(Debug, Serialize, Deserialize, PartialEq)]
    #[serde(rename_all = "UPPERCASE")]
    enum Color {
        Red,
    }

    #[derive(Debug, Serialize, Deserialize, PartialEq)]
    enum Shape {
        Circle(i64),
    }

    #[derive(Debug, Serialize, Deserialize, PartialEq)]
    struct Rest {
        deep: i64,
    }

    fn stored() -> Item {
        item_from_typed(&json!({
            "text": {"S": "한상"}, "whole": {"N": "255"}, "exact": {"N": "12345678901234567890.123456789"},
            "part": {"N": "0.5"}, "yes": {"BOOL": true}, "null": {"NULL": true},
            "list": {"L": [{"S": "a"}, {"S": "b"}]}, "map": {"M": {"a": {"N": "1"}}}, "texts": {"SS": ["a", "b"]},
            "numbers": {"NS": ["1", "2.5"]}, "blob": {"B": "AAEC"}, "color": {"S": "RED"},
            "shape": {"M": {"Circle": {"N": "3"}}}, "any": {"L": [{"N": "1.5"}, {"NULL": true}]}, "deep": {"N": "7"},
            "unknown": {"S": "ignored"},
        }))
        .unwrap()
    }

    #[test]
    fn an_item_is_read_as_its_json_would_be() {
        let item = stored();
        let read: Sample = from_item(&item).unwrap();
        let same: Sample = serde_json::from_value(super::super::json::item_to_plain(&item)).unwrap();
        assert_eq!(read, same);
        assert_eq!((read.whole, read.rest.deep, &read.null), (255, 7, &None));
        assert_eq!(read.exact.to_string(), "12345678901234567890.123456789");
    }

    #[test]
    fn a_struct_comes_back_from_its_item() {
        let read: Sample = from_item(&stored()).unwrap();
        let item = to_item(&read).unwrap();
        assert!(!item.contains_key("null") && !item.contains_key("maybe"));
        assert_eq!(from_item::<Sample>(&item).unwrap(), read);
    }

    #[test]
    fn a_wrong_type_is_refused() {
        for (name, wrong) in
            [("whole", json!({"N": "256"})), ("text", json!({"N": "1"})), ("color", json!({"S": "red"}))]
        {
            let mut typed = super::super::json::item_to_typed(&stored());
            typed[name] = wrong;
            let item = item_from_typed(&typed).unwrap();
            assert!(from_item::<Sample>(&item).is_err(), "{name}");
        }
    }
}
