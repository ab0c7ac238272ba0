//! Values as JSON: plain, as people write it, and DynamoDB's typed form (`{"S": "text"}`).

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json, json};

use super::{Item, Name, Value};
use crate::message;
use crate::message::Message;
use crate::messages::{items, kinds};
use crate::number::{Number, NumberError};

/// The plain form. Sets become arrays and binary becomes base64 text: the types are in the model, not in
/// the JSON.
#[must_use]
pub fn to_plain(value: &Value) -> Json {
    match value {
        Value::S(text) => Json::String(text.to_string()),
        Value::N(number) => number_json(&number.to_string()),
        Value::B(bytes) => Json::String(BASE64.encode(bytes)),
        Value::Bool(truth) => Json::Bool(*truth),
        Value::Null => Json::Null,
        Value::L(values) => values.iter().map(to_plain).collect(),
        Value::M(map) => item_to_plain(map),
        Value::Ss(texts) => texts.iter().map(String::as_str).collect(),
        Value::Ns(numbers) => numbers.iter().map(|number| number_json(&number.to_string())).collect(),
        Value::Bs(blobs) => blobs.iter().map(|bytes| BASE64.encode(bytes)).collect(),
    }
}

/// Serialises a value in the plain form, without a tree of JSON values in between.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'v>(pub &'v Value);

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::S(text) => serializer.serialize_str(text),
            Value::N(number) if let Some(whole) = number.to_i64() => serializer.serialize_i64(whole),
            Value::Bool(truth) => serializer.serialize_bool(*truth),
            Value::Null => serializer.serialize_unit(),
            Value::L(values) => serializer.collect_seq(values.iter().map(Plain)),
            Value::M(map) => serializer.collect_map(map.iter().map(|(name, value)| (&**name, Plain(value)))),
            Value::N(_) | Value::B(_) | Value::Ss(_) | Value::Ns(_) | Value::Bs(_) => {
                to_plain(self.0).serialize(serializer)
            }
        }
    }
}

/// An item in the plain form.
#[must_use]
pub fn item_to_plain(item: &Item) -> Json {
    Json::Object(item.iter().map(|(name, value)| (name.to_string(), to_plain(value))).collect())
}

/// Reads the plain form, without a type to guide it: arrays become lists, text stays text.
///
/// # Errors
/// A number outside DynamoDB's limits.
pub fn from_plain(json: &Json) -> Result<Value, Message> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => {
            let text = number.to_string();
            Value::N(number_from(&text)?)
        }
        Json::String(text) => Value::from(text.clone()),
        Json::Array(values) => Value::L(values.iter().map(from_plain).collect::<Result<_, _>>()?),
        Json::Object(map) => Value::M(plain_members(map)?),
    })
}

/// Reads a JSON object in the plain form as an item.
///
/// # Errors
/// The problem.
pub fn item_from_plain(json: &Json) -> Result<Item, Message> {
    match json {
        Json::Object(map) => plain_members(map),
        other => Err(message!(items::NOT_AN_OBJECT, json_type(other))),
    }
}

fn plain_members(map: &Map<String, Json>) -> Result<Item, Message> {
    map.iter().map(|(name, value)| Ok((Name::from(name.as_str()), from_plain(value)?))).collect()
}

/// DynamoDB's typed form of one value.
#[must_use]
pub fn to_typed(value: &Value) -> Json {
    match value {
        Value::S(text) => json!({ "S": text.as_str() }),
        Value::N(number) => json!({ "N": number.to_string() }),
        Value::B(bytes) => json!({ "B": BASE64.encode(bytes) }),
        Value::Bool(truth) => json!({ "BOOL": truth }),
        Value::Null => json!({ "NULL": true }),
        Value::L(values) => json!({ "L": values.iter().map(to_typed).collect::<Vec<_>>() }),
        Value::M(map) => json!({ "M": item_to_typed(map) }),
        Value::Ss(texts) => json!({ "SS": texts }),
        Value::Ns(numbers) => json!({ "NS": numbers.iter().map(ToString::to_string).collect::<Vec<_>>() }),
        Value::Bs(blobs) => {
            json!({ "BS": blobs.iter().map(|bytes| BASE64.encode(bytes)).collect::<Vec<_>>() })
        }
    }
}

/// Serialises a value in DynamoDB's typed form, without a tree of JSON values in between.
#[derive(Clone, Copy, Debug)]
pub struct Typed<'v>(pub &'v Value);

impl Serialize for Typed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::S(text) => serializer.collect_map([("S", text.as_str())]),
            Value::N(number) => serializer.collect_map([("N", number.to_string())]),
            Value::Bool(truth) => serializer.collect_map([("BOOL", truth)]),
            Value::Null => serializer.collect_map([("NULL", true)]),
            Value::L(values) => serializer.collect_map([("L", values.iter().map(Typed).collect::<Vec<_>>())]),
            Value::M(map) => serializer.collect_map([("M", TypedItem(map))]),
            Value::B(_) | Value::Ss(_) | Value::Ns(_) | Value::Bs(_) => {
                to_typed(self.0).serialize(serializer)
            }
        }
    }
}

/// As [`Typed`], for an item.
#[derive(Clone, Copy, Debug)]
pub struct TypedItem<'v>(pub &'v Item);

impl Serialize for TypedItem<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (&**name, Typed(value))))
    }
}

/// DynamoDB's typed form of an item.
#[must_use]
pub fn item_to_typed(item: &Item) -> Json {
    Json::Object(item.iter().map(|(name, value)| (name.to_string(), to_typed(value))).collect())
}

/// Reads DynamoDB's typed form of one value.
///
/// # Errors
/// The problem.
pub fn from_typed(json: &Json) -> Result<Value, Message> {
    let Some((tag, body)) = json.as_object().filter(|map| map.len() == 1).and_then(|map| map.iter().next())
    else {
        return Err(message!(items::NOT_TYPED, json_type(json)));
    };
    let wrong = || message!(items::WRONG_CONTENT, tag);
    Ok(match tag.as_str() {
        "S" => Value::from(body.as_str().ok_or_else(wrong)?.to_owned()),
        "N" => Value::N(typed_number(body).ok_or_else(wrong)??),
        "B" => Value::B(typed_bytes(body).ok_or_else(wrong)??),
        "BOOL" => Value::Bool(body.as_bool().ok_or_else(wrong)?),
        "NULL" => Value::Null,
        "L" => Value::L(body.as_array().ok_or_else(wrong)?.iter().map(from_typed).collect::<Result<_, _>>()?),
        "M" => Value::M(item_from_typed(body)?),
        "SS" => Value::Ss(members(body, |text| Some(Ok(text.as_str()?.to_owned()))).ok_or_else(wrong)??),
        "NS" => Value::Ns(members(body, typed_number).ok_or_else(wrong)??),
        "BS" => Value::Bs(members(body, typed_bytes).ok_or_else(wrong)??),
        other => return Err(message!(items::UNKNOWN_TYPE, other)),
    })
}

/// Reads DynamoDB's typed form of an item.
///
/// # Errors
/// The problem.
pub fn item_from_typed(json: &Json) -> Result<Item, Message> {
    let map = json.as_object().ok_or_else(|| message!(items::NOT_AN_OBJECT, json_type(json)))?;
    map.iter().map(|(name, value)| Ok((Name::from(name.as_str()), from_typed(value)?))).collect()
}

/// The type of a JSON value as a noun.
#[must_use]
pub fn json_type(json: &Json) -> Message {
    match json {
        Json::Null => message!(kinds::NULL),
        Json::Bool(_) => message!(kinds::BOOL),
        Json::Number(_) => message!(kinds::NUMBER),
        Json::String(_) => message!(kinds::TEXT),
        Json::Array(_) => message!(kinds::LIST),
        Json::Object(_) => message!(kinds::OBJECT),
    }
}

/// A JSON number. The text of a [`crate::number::Number`] always is one.
fn number_json(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or(Json::Null)
}

fn typed_number(json: &Json) -> Option<Result<Number, Message>> {
    json.as_str().map(number_from)
}

fn number_from(text: &str) -> Result<Number, Message> {
    text.parse().map_err(|problem: NumberError| message!(items::NUMBER, text, problem.message()))
}

fn typed_bytes(json: &Json) -> Option<Result<Vec<u8>, Message>> {
    Some(BASE64.decode(json.as_str()?).map_err(|_| message!(items::BAD_BASE64)))
}

fn members<T: Ord>(
    json: &Json,
    read: impl Fn(&Json) -> Option<Result<T, Message>>,
) -> Option<Result<BTreeSet<T>, Message>> {
    json.as_array()?.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_form_comes_back_unchanged() {
        let json = json!({
            "text": {"S": "한상"}, "exact": {"N": "12345678901234567890.123456789"}, "blob": {"B": "AAEC"},
            "yes": {"BOOL": true}, "none": {"NULL": true}, "list": {"L": [{"N": "1"}, {"S": "a"}]},
            "map": {"M": {"a": {"BOOL": false}}}, "texts": {"SS": ["a", "b"]}, "numbers": {"NS": ["1", "2.5"]},
            "blobs": {"BS": ["AA=="]},
        });
        let item = item_from_typed(&json).unwrap();
        let back: std::collections::BTreeMap<_, _> =
            item_to_typed(&item).as_object().unwrap().clone().into_iter().collect();
        assert_eq!(back, json.as_object().unwrap().clone().into_iter().collect());
    }

    #[test]
    fn serialised_values_are_the_same_without_a_tree() {
        let mut values = vec![
            json!({"S": "한상 \"\n"}),
            json!({"B": "AAEC"}),
            json!({"BOOL": true}),
            json!({"NULL": true}),
            json!({"L": [{"N": "1"}, {"M": {"b": {"S": ""}, "a": {"L": []}}}]}),
            json!({"SS": ["a", "b"]}),
            json!({"NS": ["1", "2.5"]}),
            json!({"BS": ["AA=="]}),
            json!({"N": "-0.5"}),
            json!({"N": "1e125"}),
            json!({"N": "9223372036854775807"}),
            json!({"N": "9223372036854775808"}),
            json!({"N": "-9223372036854775808"}),
        ];
        values.extend((0..38).map(|zeros| json!({"N": format!("-12{}", "0".repeat(zeros.min(36)))})));
        for typed in values {
            let item = item_from_typed(&json!({ "value": typed })).unwrap();
            let value = &item["value"];
            assert_eq!(serde_json::to_string(&Plain(value)).unwrap(), to_plain(value).to_string());
            assert_eq!(serde_json::to_string(&Typed(value)).unwrap(), to_typed(value).to_string());
        }
    }

    #[test]
    fn plain_numbers_keep_every_digit() {
        let json: Json = serde_json::from_str("12345678901234567890.123456789").unwrap();
        assert_eq!(to_plain(&from_plain(&json).unwrap()).to_string(), "12345678901234567890.123456789");
        let long: Json = serde_json::from_str(&"1".repeat(39)).unwrap();
        assert!(from_plain(&long).unwrap_err().to_string().contains("38 significant digits"));
    }

    #[test]
    fn wrong_typed_values_say_why() {
        for (json, part) in [
            (json!("a"), "not text"),
            (json!({"S": 1}), "wrong type"),
            (json!({"X": 1}), "not a type"),
            (json!({"N": "abc"}), "not a decimal number"),
            (json!({"B": "%"}), "base64"),
        ] {
            assert!(from_typed(&json).unwrap_err().to_string().contains(part), "{json}");
        }
    }
}
