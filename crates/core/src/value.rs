//! Values and items with DynamoDB's types.

use std::collections::BTreeSet;

use crate::number::Number;

mod item;
pub mod json;
mod name;
mod reader;

pub use item::Item;
pub use name::{Name, known, stored};
pub use reader::{from_item, to_item};

/// Text. Texts up to the length of a timestamp are stored inline, without an allocation.
pub type Text = compact_str::CompactString;

/// One attribute value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text.
    S(Text),
    /// An exact decimal.
    N(Number),
    /// Bytes.
    B(Vec<u8>),
    /// True or false.
    Bool(bool),
    /// A stored null.
    Null,
    /// A list of values of any type.
    L(Vec<Value>),
    /// A map of values of any type.
    M(Item),
    /// A set of texts.
    Ss(BTreeSet<String>),
    /// A set of numbers.
    Ns(BTreeSet<Number>),
    /// A set of byte strings.
    Bs(BTreeSet<Vec<u8>>),
}

impl Value {
    /// The text, if this is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::S(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if this is one.
    #[must_use]
    pub fn as_number(&self) -> Option<Number> {
        match self {
            Self::N(number) => Some(*number),
            _ => None,
        }
    }

    /// The size in bytes as DynamoDB counts it towards the 400 KB of an item.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::S(text) => text.len(),
            Self::N(number) => number_size(*number),
            Self::B(bytes) => bytes.len(),
            Self::Bool(_) | Self::Null => 1,
            Self::L(values) => 3 + values.iter().map(|value| 1 + value.size()).sum::<usize>(),
            Self::M(map) => 3 + map.iter().map(|(name, value)| 1 + name.len() + value.size()).sum::<usize>(),
            Self::Ss(texts) => texts.iter().map(String::len).sum(),
            Self::Ns(numbers) => numbers.iter().map(|number| number_size(*number)).sum(),
            Self::Bs(blobs) => blobs.iter().map(Vec::len).sum(),
        }
    }
}

/// The size of an item in bytes as DynamoDB counts it.
#[must_use]
pub fn item_size(item: &Item) -> usize {
    item.iter().map(|(name, value)| name.len() + value.size()).sum()
}

/// Two digits take a byte, plus one for the exponent and one for a minus sign.
fn number_size(number: Number) -> usize {
    let (negative, digits, _) = number.parts();
    let digits = digits.checked_ilog10().map_or(0, |log| log as usize + 1);
    digits.div_ceil(2) + 1 + usize::from(negative)
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::S(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::S(text.into())
    }
}

impl From<Text> for Value {
    fn from(text: Text) -> Self {
        Self::S(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::N(number.into())
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The size matters: every plan copies values.
    #[test]
    fn a_value_is_four_words() {
        assert_eq!(size_of::<Value>(), 32);
    }
}
