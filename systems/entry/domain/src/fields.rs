//! Helpers for building items, updates and guards.

use hansang_core::kind::time::Precision;
use hansang_core::plan::{Change, Comparison, Condition, Guard, Operand, Path, Reason};
use hansang_core::{Error, Item, Name, Record, Text, Value};
use jiff::{SignedDuration, Timestamp};

/// Builds an item.
pub(crate) fn item<const N: usize>(fields: [(Name, Value); N]) -> Item {
    fields.into()
}

/// Sets an attribute.
pub(crate) fn set(name: Name, value: impl Into<Value>) -> (Path, Change) {
    (path(name), Change::Set(value.into()))
}

/// Adds to a number.
pub(crate) fn add(name: Name, number: i64) -> (Path, Change) {
    (path(name), Change::Add(number.into()))
}

/// Removes an attribute.
pub(crate) fn remove(name: Name) -> (Path, Change) {
    (path(name), Change::Remove)
}

/// Formats a time for storage.
pub(crate) fn time(at: Timestamp) -> Text {
    Precision::Millis.format(at)
}

/// The TTL value of a time plus a number of days.
pub(crate) fn ttl(from: Timestamp, days: u32) -> Value {
    Value::from(from.as_second() + i64::from(days) * 86_400)
}

/// A guard that compares an attribute with a value.
pub(crate) fn guard(name: Name, comparison: Comparison, value: impl Into<Value>, otherwise: Error) -> Guard {
    let condition = Condition::Compare(Operand::Path(path(name)), comparison, Operand::Value(value.into()));
    Guard { condition, otherwise: Reason::Other(otherwise) }
}

/// Reads a time from a field.
pub(crate) fn time_of(record: &Record, name: &str) -> Option<Timestamp> {
    record.text(name)?.parse().ok()
}

/// Reads an integer from a field.
pub(crate) fn number_of(record: &Record, name: &str) -> Option<i64> {
    record.fields.get(name)?.as_number()?.to_i64()
}

/// Subtracts a duration, saturating.
pub(crate) fn before(at: Timestamp, by: std::time::Duration) -> Timestamp {
    SignedDuration::try_from(by).ok().and_then(|by| at.checked_sub(by).ok()).unwrap_or(Timestamp::MIN)
}

/// Adds a duration, saturating.
pub(crate) fn after(at: Timestamp, by: std::time::Duration) -> Timestamp {
    SignedDuration::try_from(by).ok().and_then(|by| at.checked_add(by).ok()).unwrap_or(Timestamp::MAX)
}

/// The duration between two times; zero if `to` is before `from`.
pub(crate) fn between(from: Timestamp, to: Timestamp) -> std::time::Duration {
    std::time::Duration::try_from(to.duration_since(from)).unwrap_or_default()
}

fn path(name: Name) -> Path {
    Path { root: name, inside: Vec::new() }
}
