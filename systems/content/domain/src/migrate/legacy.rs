//! The attributes of an old row, taken one by one. What is left over is kept.

use hansang_core::kind::time::Precision;
use hansang_core::value::json::to_plain;
use hansang_core::{Item, Name, Value};
use jiff::Timestamp;

use super::{Finding, FindingKind, LegacyTable};

/// The time of rows without any: before every other.
pub(super) const NO_TIME: Timestamp = Timestamp::UNIX_EPOCH;

/// A row that is being mapped.
pub(super) struct Legacy {
    pub(super) table: LegacyTable,
    pub(super) id: String,
    rest: Item,
    pub(super) findings: Vec<Finding>,
}

impl Legacy {
    /// NULL and empty texts are the same as nothing.
    pub(super) fn new(table: LegacyTable, mut row: Item) -> Self {
        row.retain(|_, value| !matches!(value, Value::Null) && value.as_str() != Some(""));
        Self { table, id: String::new(), rest: row, findings: Vec::new() }
    }

    /// The first of the attributes that is there.
    pub(super) fn take(&mut self, names: &[&str]) -> Option<(Name, Value)> {
        names.iter().find_map(|name| self.rest.remove_entry(name))
    }

    /// A text, or a number or truth as one. Other values stay in the row.
    pub(super) fn text(&mut self, names: &[&str]) -> Option<String> {
        let (name, value) = self.take(names)?;
        match value {
            Value::S(text) => Some(text.to_string()),
            Value::N(number) => Some(number.to_string()),
            Value::Bool(truth) => Some(truth.to_string()),
            other => {
                self.aside(name, other);
                None
            }
        }
    }

    /// A text, or a structure as JSON.
    pub(super) fn document(&mut self, names: &[&str]) -> Option<String> {
        let (_, value) = self.take(names)?;
        match value {
            Value::S(text) => Some(text.to_string()),
            other => Some(to_plain(&other).to_string()),
        }
    }

    /// A time in any of the forms that the old system wrote. One that cannot be read stays in the row.
    pub(super) fn time(&mut self, names: &[&str]) -> Option<Timestamp> {
        let (name, value) = self.take(names)?;
        match read_time(&value) {
            Some(time) => Some(time),
            None => {
                self.aside(name, value);
                None
            }
        }
    }

    /// The times of creation and of the last change. Without the first the second counts for both.
    pub(super) fn times(&mut self) -> (Timestamp, Timestamp) {
        let created = self.time(&["createdAt", "CreatedAt", "created_at"]);
        let updated = self.time(&["updatedAt", "UpdatedAt", "updated_at"]);
        let Some(first) = created.or(updated) else {
            let was = self.rest.get("createdAt").map(shown).unwrap_or_default();
            let finding = self.finding(FindingKind::Placeholder).of("CreatedAt").was(&was);
            self.findings.push(finding.now(&crate::live::time(NO_TIME)));
            return (NO_TIME, NO_TIME);
        };
        (first, updated.unwrap_or(first))
    }

    /// Keeps a value that does not fit.
    pub(super) fn aside(&mut self, name: Name, value: Value) {
        let finding = self.finding(FindingKind::KeptAside).of(&name).was(&shown(&value));
        self.findings.push(finding);
        self.rest.insert(name, value);
    }

    pub(super) fn finding(&self, kind: FindingKind) -> Finding {
        Finding::new(self.table, &self.id, kind)
    }

    /// The names of the attributes that no item has. Those whose values do not fit have findings.
    pub(super) fn unknown(&self) -> Vec<String> {
        let told = |name: &str| {
            self.findings
                .iter()
                .any(|one| one.kind == FindingKind::KeptAside && one.attribute.as_deref() == Some(name))
        };
        self.rest.keys().filter(|name| !told(name)).map(|name| name.to_string()).collect()
    }

    /// The attributes that have no place in the new item.
    pub(super) fn rest(&self) -> Option<Value> {
        (!self.rest.is_empty()).then(|| Value::M(self.rest.clone()))
    }
}

/// A value for a person.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::S(text) => text.to_string(),
        other => to_plain(other).to_string(),
    }
}

/// A time as text in any form of RFC 3339, with or without fraction and offset, or as seconds or milliseconds since 1970.
pub(super) fn read_time(value: &Value) -> Option<Timestamp> {
    match value {
        Value::S(text) => Precision::Seconds.normalise(text.trim())?.parse().ok(),
        Value::N(number) => {
            let whole = number.to_string().split('.').next()?.parse::<i64>().ok()?;
            let second = if whole.unsigned_abs() >= 100_000_000_000 { whole.div_euclid(1000) } else { whole };
            Timestamp::from_second(second).ok().filter(|time| time.as_second() >= 0)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cs20
    #[test]
    fn old_times_become_whole_seconds() {
        for (text, expected) in [
            ("2025-11-12T05:00:00.123456+00:00", Some("2025-11-12T05:00:00Z")),
            ("2025-11-12T05:00:00", Some("2025-11-12T05:00:00Z")),
            ("2025-11-12 05:00:00", Some("2025-11-12T05:00:00Z")),
            (" 2025-11-12T14:00:00+09:00 ", Some("2025-11-12T05:00:00Z")),
            ("2025-11-12", Some("2025-11-12T00:00:00Z")),
            ("어제", None),
        ] {
            let expected = expected.map(|time| time.parse().unwrap());
            assert_eq!(read_time(&Value::from(text)), expected, "{text}");
        }
        let expected = "2025-11-12T05:00:00Z".parse().ok();
        assert_eq!(read_time(&Value::from(1_762_923_600_i64)), expected);
        assert_eq!(read_time(&Value::from(1_762_923_600_123_i64)), expected);
        assert_eq!(read_time(&Value::Bool(true)), None);
    }
}
