//! Names and values in the words of the reader: titles of records, attributes and references.

use std::collections::BTreeMap;

use hansang_core::db::GetOptions;
use hansang_core::kind::Kind;
use hansang_core::message::Language;
use hansang_core::model::{Attribute, Entity, Reference, Role};
use hansang_core::value::json::to_plain;
use hansang_core::{Db, Error, Item, Record, Value, write};

use super::{System, fields};
use crate::schema;

/// The title of an attribute. Those that the table writes have common titles.
pub(super) fn attribute(attribute: &Attribute, language: Language) -> String {
    let common = match attribute.role {
        _ if !attribute.title.is_empty() => None,
        Role::Created => Some(language.say("Created", "생성 일시")),
        Role::Updated => Some(language.say("Updated", "수정 일시")),
        Role::Version => Some(language.say("Version", "버전")),
        Role::Type => Some(language.say("Type", "종류")),
        Role::Given | Role::Derived(_) => None,
    };
    common.map_or_else(|| attribute.title_in(language).into_owned(), ToOwned::to_owned)
}

/// The title of an attribute by its name; the name itself if the model does not know it.
pub(super) fn field(entity: &Entity, name: &str, language: Language) -> String {
    entity.attribute(name).map_or_else(|| name.to_owned(), |one| attribute(one, language))
}

/// A value as text for people.
pub(super) fn value(attribute: Option<&Attribute>, value: &Value, language: Language) -> String {
    match (attribute.map(|one| &one.kind), value) {
        (Some(Kind::Enum(_) | Kind::Lifecycle(_)), Value::S(text)) => {
            let title = attribute.and_then(|one| one.value_title(text, language));
            title.unwrap_or(text).to_owned()
        }
        (Some(Kind::Timestamp(_)), Value::S(text)) => time(text),
        (Some(Kind::List(_)), Value::L(values)) => {
            let each: Vec<String> = values.iter().map(|one| self::value(attribute, one, language)).collect();
            each.join(", ")
        }
        (_, Value::S(text)) => text.to_string(),
        (_, Value::N(number)) => separated(&number.to_string()),
        (_, Value::B(bytes)) => format!("{} B", bytes.len()),
        (_, Value::Bool(true)) => language.say("Yes", "예").to_owned(),
        (_, Value::Bool(false)) => language.say("No", "아니요").to_owned(),
        (_, Value::L(values)) => {
            values.iter().map(|one| self::value(None, one, language)).collect::<Vec<_>>().join(", ")
        }
        (_, Value::M(members)) => {
            let one = |(name, one): (&hansang_core::Name, &Value)| {
                format!("{name}: {}", self::value(None, one, language))
            };
            members.iter().map(one).collect::<Vec<_>>().join("; ")
        }
        (_, other) => to_plain(other).to_string(),
    }
}

/// A stored time without its letters: `2026-01-02 03:04:05 UTC`.
fn time(text: &str) -> String {
    match text.strip_suffix('Z').and_then(|text| text.split_once('T')) {
        Some((day, time)) => format!("{day} {} UTC", time.split('.').next().unwrap_or(time)),
        None => text.to_owned(),
    }
}

/// A number with a separator between thousands.
fn separated(number: &str) -> String {
    let (sign, rest) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, fraction) = rest.split_once('.').map_or((rest, None), |(whole, rest)| (whole, Some(rest)));
    if !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return number.to_owned();
    }
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    fraction.map_or_else(|| format!("{sign}{grouped}"), |fraction| format!("{sign}{grouped}.{fraction}"))
}

/// The title of a record: its label, otherwise its key.
pub(super) fn record(entity: &Entity, fields: &Item, language: Language) -> String {
    let text =
        |name: &str| Some(value(entity.attribute(name).map(|one| &**one), fields.get(name)?, language));
    let label = entity.label.render(language, text).filter(|_| !entity.label.is_empty());
    label.unwrap_or_else(|| {
        let key = schema::key_attributes(entity);
        let parts: Vec<String> = key.iter().filter_map(|one| text(&one.name)).collect();
        if parts.is_empty() { entity.title_in(language).into_owned() } else { parts.join(" · ") }
    })
}

/// The titles of the records that other records refer to, by their addresses.
#[derive(Default)]
pub(super) struct Linked(BTreeMap<String, String>);

impl Linked {
    /// Reads the records that these refer to, at most one batch per entity.
    pub(super) async fn of(
        system: &System,
        db: &Db,
        records: &[Record],
        language: Language,
    ) -> Result<Self, Error> {
        let mut keys: BTreeMap<String, BTreeMap<String, Item>> = BTreeMap::new();
        for record in records {
            for reference in &record.entity.references {
                if let Some((target, key)) = target(system, reference, &record.fields) {
                    let address = system.of_record(target, "record", &key);
                    keys.entry(target.name.to_string()).or_default().insert(address, key);
                }
            }
        }
        let mut linked = Self::default();
        for (entity, keys) in keys {
            let (addresses, keys): (Vec<String>, Vec<Item>) = keys.into_iter().unzip();
            let found = db.batch_get(&entity, &keys, &GetOptions::default()).await?;
            let titled = addresses.into_iter().zip(found).filter_map(|(address, found)| {
                let found = found?;
                Some((address, record(&found.entity, &found.fields, language)))
            });
            linked.0.extend(titled);
        }
        Ok(linked)
    }

    /// The title and the address of the record that a field refers to, if it exists.
    pub(super) fn find(&self, system: &System, record: &Record, name: &str) -> Option<(String, String)> {
        let (target, key) = target(system, record.entity.reference(name)?, &record.fields)?;
        let address = system.of_record(target, "record", &key);
        Some((self.0.get(&address)?.clone(), address))
    }
}

/// The entity and the key that a reference leads to.
fn target<'s>(system: &'s System, reference: &Reference, fields: &Item) -> Option<(&'s Entity, Item)> {
    let target = system.model().entity(&reference.entity)?;
    let key = reference.key_in(fields)?;
    write::key(target, &key).is_ok().then_some((&**target, key))
}

/// The text of a value in a form, for a side-by-side comparison.
pub(super) fn stored(attribute: &Attribute, value: Option<&Value>) -> String {
    value.map(|value| fields::text_of(&attribute.kind, value)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_separated() {
        for (number, text) in [
            ("0", "0"),
            ("999", "999"),
            ("1000", "1,000"),
            ("-1234567.50", "-1,234,567.50"),
            ("1E+30", "1E+30"),
        ] {
            assert_eq!(separated(number), text);
        }
    }

    #[test]
    fn times_are_readable() {
        assert_eq!(time("2026-01-02T03:04:05Z"), "2026-01-02 03:04:05 UTC");
        assert_eq!(time("2026-01-02T03:04:05.678Z"), "2026-01-02 03:04:05 UTC");
        assert_eq!(time("soon"), "soon");
    }
}
