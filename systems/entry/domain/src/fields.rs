//! Small pieces that every plan here is made of.

use hansang_core::kind::time::Precision;
use hansang_core::plan::{Change, Comparison, Condition, Guard, Operand, Path, Reason};
use hansang_core::{Error, Item, Name, Record, Text, Value};
use jiff::{SignedDuration, Timestamp};

/// Fields of these names and values.
pub(crate) fn item<const N: usize>(fields: [(Name, Value); N]) -> Item {
    fields.into()
}

/// Gives an attribute a value.
pub(crate) fn set(name: Name, value: impl Into<Value>) -> (Path, Change) {
    (path(name), Change::Set(value.into()))
}

/// Adds to a number.
pub(crate) fn add(name: Name, number: i64) -> (Path, Change) {
    (path(name), Change::Add(number.into()))
}

/// Takes an attribute away.
pub(crate) fn remove(name: Name) -> (Path, Change) {
    (path(name), Change::Remove)
}

/// A time as it is stored.
pub(crate) fn time(at: Timestamp) -> Text {
    Precision::Millis.format(at)
}

/// A time in days, as TTL attributes have it.
pub(crate) fn ttl(from: Timestamp, days: u32) -> Value {
    Value::from(from.as_second() + i64::from(days) * 86_400)
}

/// That an attribute compares so with a value, and what it means if not.
pub(crate) fn guard(name: Name, comparison: Comparison, value: impl Into<Value>, otherwise: Error) -> Guard {
    let condition = Condition::Compare(Operand::Path(path(name)), comparison, Operand::Value(value.into()));
    Guard { condition, otherwise: Reason::Other(otherwise) }
}

/// The time in a field.
pub(crate) fn time_of(record: &Record, name: &str) -> Option<Timestamp> {
    record.text(name)?.parse().ok()
}

/// The whole number in a field.
pub(crate) fn number_of(record: &Record, name: &str) -> Option<i64> {
    record.fields.get(name)?.as_number()?.to_i64()
}

/// A time earlier by so much; the earliest there is, if it would be before that.
pub(crate) fn before(at: Timestamp, by: std::time::Duration) -> Timestamp {
    SignedDuration::try_from(by).ok().and_then(|by| at.checked_sub(by).ok()).unwrap_or(Timestamp::MIN)
}

/// A time later by so much; the latest there is, if it would be after that.
pub(crate) fn after(at: Timestamp, by: std::time::Duration) -> Timestamp {
    SignedDuration::try_from(by).ok().and_then(|by| at.checked_add(by).ok()).unwrap_or(Timestamp::MAX)
}

/// How long it is from one time to another; nothing, if the other comes first.
pub(crate) fn between(from: Timestamp, to: Timestamp) -> std::time::Duration {
    std::time::Duration::try_from(to.duration_since(from)).unwrap_or_default()
}

fn path(name: Name) -> Path {
    Path { root: name, inside: Vec::new() }
}
