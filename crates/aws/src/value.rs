//! Converts values and items to and from SDK types.

use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use hansang_core::model::Table;
use hansang_core::plan::Key;
use hansang_core::{Item, Name, StoreError, Value};

/// An item of the SDK.
pub(crate) type Attributes = HashMap<String, AttributeValue>;

/// Converts a value to the SDK.
pub(crate) fn to_sdk(value: Value) -> AttributeValue {
    match value {
        Value::S(text) => AttributeValue::S(text.into()),
        Value::N(number) => AttributeValue::N(number.to_string()),
        Value::B(bytes) => AttributeValue::B(Blob::new(bytes)),
        Value::Bool(truth) => AttributeValue::Bool(truth),
        Value::Null => AttributeValue::Null(true),
        Value::L(values) => AttributeValue::L(values.into_iter().map(to_sdk).collect()),
        Value::M(map) => AttributeValue::M(item_to_sdk(map)),
        Value::Ss(texts) => AttributeValue::Ss(texts.into_iter().collect()),
        Value::Ns(numbers) => AttributeValue::Ns(numbers.iter().map(ToString::to_string).collect()),
        Value::Bs(blobs) => AttributeValue::Bs(blobs.into_iter().map(Blob::new).collect()),
    }
}

/// Converts an item to the SDK.
pub(crate) fn item_to_sdk(item: Item) -> Attributes {
    item.into_iter().map(|(name, value)| (name.to_string(), to_sdk(value))).collect()
}

/// Converts a key to the SDK.
pub(crate) fn key_to_sdk(table: &Table, key: &Key) -> Attributes {
    HashMap::from([
        (table.pk.to_string(), AttributeValue::S(key.pk.clone())),
        (table.sk.to_string(), AttributeValue::S(key.sk.clone())),
    ])
}

/// Converts an item from the SDK.
pub(crate) fn item_from_sdk(attributes: Attributes) -> Result<Item, StoreError> {
    attributes.into_iter().map(|(name, value)| Ok((Name::from(name), from_sdk(value)?))).collect()
}

fn from_sdk(value: AttributeValue) -> Result<Value, StoreError> {
    Ok(match value {
        AttributeValue::S(text) => Value::from(text),
        AttributeValue::N(text) => Value::N(number(&text)?),
        AttributeValue::B(bytes) => Value::B(bytes.into_inner()),
        AttributeValue::Bool(truth) => Value::Bool(truth),
        AttributeValue::Null(_) => Value::Null,
        AttributeValue::L(values) => Value::L(values.into_iter().map(from_sdk).collect::<Result<_, _>>()?),
        AttributeValue::M(map) => Value::M(item_from_sdk(map)?),
        AttributeValue::Ss(texts) => Value::Ss(texts.into_iter().collect()),
        AttributeValue::Ns(texts) => {
            Value::Ns(texts.iter().map(|text| number(text)).collect::<Result<_, _>>()?)
        }
        AttributeValue::Bs(blobs) => Value::Bs(blobs.into_iter().map(Blob::into_inner).collect()),
        _ => {
            return Err(StoreError::unavailable(
                "DynamoDB returned a value of a type that this version of Hansang does not know: update it",
            ));
        }
    })
}

fn number(text: &str) -> Result<hansang_core::number::Number, StoreError> {
    text.parse().map_err(|problem| {
        StoreError::unavailable(format!("DynamoDB returned the number `{text}`, which {problem}"))
    })
}
