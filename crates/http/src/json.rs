//! JSON bodies to structs.

use crate::{HttpCode, messages};
use hansang_core::number::Number;
use hansang_core::{Error, message};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value as Json};

/// Reads the members of a JSON body into a struct.
pub fn parse<T: DeserializeOwned>(members: Map<String, Json>) -> Result<T, Error> {
    serde_json::from_value(Json::Object(members)).map_err(|error| {
        Error::invalid(HttpCode::InvalidBody, message!(messages::NOT_AS_DOCUMENTED, error.to_string()))
    })
}

/// Deserializes an optional member that may be missing but must not be `null`.
pub fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Deserializes an optional whole number. Accepts `3.0`, which JSON does not distinguish from `3`.
pub fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    let number = serde_json::Number::deserialize(from)?;
    let exact = number.to_string().parse::<Number>().ok().and_then(Number::to_i64);
    exact.map(Some).ok_or_else(|| D::Error::custom(format!("{number} is not a whole number of 64 bits")))
}
