//! The ports over a wire: plans, responses and errors as JSON, for a store or a queue in another process.
//!
//! An item has a plain form, which loses types, and DynamoDB's typed form, which does not. Plans use the
//! typed form, so this is a trait of its own: serde allows only one form per type.
//!
//! Both ends need compatible versions: an unknown member or variant is an error, and never ignored.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value as Json};

use crate::value::Name;
use crate::value::json::json_type;

/// Members of an object for the fields of a struct; absent ones are left out.
macro_rules! record {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::wire::Wire for $type {
            fn to_json(&self) -> ::serde_json::Value {
                $crate::wire::object([$((stringify!($field), self.$field.to_json())),*])
            }

            fn from_json(json: &::serde_json::Value) -> Result<Self, String> {
                let members = $crate::wire::members(json, &[$(stringify!($field)),*])?;
                Ok(Self { $($field: $crate::wire::member(members, stringify!($field))?),* })
            }
        }
    };
}

/// The name of a variant and the list of its parts.
macro_rules! variants {
    ($type:ty { $($name:literal: $variant:ident { $($field:tt: $part:ident),* }),* $(,)? }) => {
        impl $crate::wire::Wire for $type {
            fn to_json(&self) -> ::serde_json::Value {
                match self {
                    $(Self::$variant { $($field: $part),* } => {
                        $crate::wire::object([($name, ::serde_json::Value::Array(vec![$($part.to_json()),*]))])
                    })*
                }
            }

            fn from_json(json: &::serde_json::Value) -> Result<Self, String> {
                match $crate::wire::variant(json)? {
                    $(($name, [$($part),*]) => {
                        Ok(Self::$variant { $($field: $crate::wire::Wire::from_json($part)?),* })
                    })*
                    (other, parts) => Err(format!("there is no `{other}` of {} parts here", parts.len())),
                }
            }
        }
    };
}

mod call;
mod error;
mod plan;
mod response;

pub use call::{QueueCall, QueueResponse, StoreCall, StoreResponse, join, split};

/// A value that can be sent; reading returns the same value.
pub trait Wire: Sized {
    /// The form that is sent.
    fn to_json(&self) -> Json;

    /// Reads that form.
    ///
    /// # Errors
    /// The problem.
    fn from_json(json: &Json) -> Result<Self, String>;
}

/// An object of these members, without null ones.
fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    let present = members.into_iter().filter(|(_, json)| !json.is_null());
    Json::Object(present.map(|(name, json)| (name.to_owned(), json)).collect())
}

/// The members of an object, which may only have these.
fn members<'j>(json: &'j Json, known: &[&str]) -> Result<&'j Map<String, Json>, String> {
    let members = json.as_object().ok_or_else(|| wrong("an object", json))?;
    match members.keys().find(|name| !known.contains(&name.as_str())) {
        None => Ok(members),
        Some(name) => Err(format!("`{name}` is not one of {}", known.join(", "))),
    }
}

fn member<T: Wire>(members: &Map<String, Json>, name: &str) -> Result<T, String> {
    T::from_json(members.get(name).unwrap_or(&Json::Null)).map_err(|problem| format!("`{name}`: {problem}"))
}

fn variant(json: &Json) -> Result<(&str, &[Json]), String> {
    let mut members = json.as_object().into_iter().flatten();
    match (members.next(), members.next()) {
        (Some((name, Json::Array(parts))), None) => Ok((name, parts)),
        _ => Err(wrong("a name with its parts", json)),
    }
}

fn wrong(wanted: &str, json: &Json) -> String {
    format!("this must be {wanted} and is {}", json_type(json))
}

impl Wire for bool {
    fn to_json(&self) -> Json {
        (*self).into()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        json.as_bool().ok_or_else(|| wrong("true or false", json))
    }
}

impl Wire for u64 {
    fn to_json(&self) -> Json {
        (*self).into()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        json.as_u64().ok_or_else(|| wrong("a whole number", json))
    }
}

impl Wire for u32 {
    fn to_json(&self) -> Json {
        (*self).into()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        u64::from_json(json)?.try_into().map_err(|_| "this number is too large".to_owned())
    }
}

impl Wire for usize {
    fn to_json(&self) -> Json {
        (*self).into()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        u64::from_json(json)?.try_into().map_err(|_| "this number is too large".to_owned())
    }
}

impl Wire for String {
    fn to_json(&self) -> Json {
        self.as_str().into()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        json.as_str().map(str::to_owned).ok_or_else(|| wrong("text", json))
    }
}

impl Wire for Name {
    fn to_json(&self) -> Json {
        (**self).into()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        json.as_str().map(Self::from).ok_or_else(|| wrong("text", json))
    }
}

/// Seconds and nanoseconds.
impl Wire for Duration {
    fn to_json(&self) -> Json {
        (self.as_secs(), self.subsec_nanos()).to_json()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        let (seconds, nanoseconds): (u64, u32) = Wire::from_json(json)?;
        let time = Self::from_secs(seconds).checked_add(Self::from_nanos(nanoseconds.into()));
        time.ok_or_else(|| "this time is too long".to_owned())
    }
}

impl Wire for Timestamp {
    fn to_json(&self) -> Json {
        self.to_string().into()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        let text = json.as_str().ok_or_else(|| wrong("a time", json))?;
        text.parse().map_err(|_| format!("`{text}` is not a time"))
    }
}

/// `None` is `null`, which no other form is.
impl<T: Wire> Wire for Option<T> {
    fn to_json(&self) -> Json {
        self.as_ref().map_or(Json::Null, T::to_json)
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        if json.is_null() { Ok(None) } else { T::from_json(json).map(Some) }
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn to_json(&self) -> Json {
        self.iter().map(T::to_json).collect()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        json.as_array().ok_or_else(|| wrong("a list", json))?.iter().map(T::from_json).collect()
    }
}

impl<T: Wire> Wire for Box<T> {
    fn to_json(&self) -> Json {
        T::to_json(self)
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        T::from_json(json).map(Self::new)
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn to_json(&self) -> Json {
        vec![self.0.to_json(), self.1.to_json()].into()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        match json.as_array().map(Vec::as_slice) {
            Some([a, b]) => Ok((A::from_json(a)?, B::from_json(b)?)),
            _ => Err(wrong("a list of two", json)),
        }
    }
}

impl Wire for () {
    fn to_json(&self) -> Json {
        Json::Array(Vec::new())
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        if json.as_array().is_some_and(Vec::is_empty) { Ok(()) } else { Err(wrong("an empty list", json)) }
    }
}

impl<T: Wire, E: Wire> Wire for Result<T, E> {
    fn to_json(&self) -> Json {
        match self {
            Ok(done) => object([("ok", vec![done.to_json()].into())]),
            Err(error) => object([("error", vec![error.to_json()].into())]),
        }
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        match variant(json)? {
            ("ok", [done]) => T::from_json(done).map(Ok),
            ("error", [error]) => E::from_json(error).map(Err),
            (other, _) => Err(format!("`{other}` is neither `ok` nor `error`")),
        }
    }
}
