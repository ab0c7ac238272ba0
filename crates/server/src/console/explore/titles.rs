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
use hansang_ui::frame::View;
use hansang_ui::number::grouped;
use hansang_ui::time::{Moment, Reader};
use jiff::Timestamp;

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
pub(super) fn value(attribute: Option<&Attribute>, value: &Value, reader: &Reader) -> String {
    let language = reader.language;
    if let Some(time) = instant(attribute, value) {
        return reader.time(time).text;
    }
    match (attribute.map(|one| &one.kind), value) {
        (Some(Kind::Enum(_) | Kind::Lifecycle(_)), Value::S(text)) => {
            let title = attribute.and_then(|one| one.value_title(text, language));
            title.unwrap_or(text).to_owned()
        }
        (Some(Kind::List(_)), Value::L(values)) => {
            let each: Vec<String> = values.iter().map(|one| self::value(attribute, one, reader)).collect();
            each.join(", ")
        }
        (_, Value::S(text)) => text.to_string(),
        (_, Value::N(number)) => grouped(&number.to_string()),
        (_, Value::B(bytes)) => format!("{} B", bytes.len()),
        (_, Value::Bool(true)) => language.say("Yes", "예").to_owned(),
        (_, Value::Bool(false)) => language.say("No", "아니요").to_owned(),
        (_, Value::L(values)) => {
            values.iter().map(|one| self::value(None, one, reader)).collect::<Vec<_>>().join(", ")
        }
        (_, Value::M(members)) => {
            let one = |(name, one): (&hansang_core::Name, &Value)| {
                format!("{name}: {}", self::value(None, one, reader))
            };
            members.iter().map(one).collect::<Vec<_>>().join("; ")
        }
        (_, other) => to_plain(other).to_string(),
    }
}

/// A value of a record as text for people. The attribute with the type of a record has the title of its entity.
pub(super) fn of_entity(entity: &Entity, name: &str, value: &Value, reader: &Reader) -> String {
    let attribute = entity.attribute(name).map(|one| &**one);
    match attribute.map(|one| &one.role) {
        Some(Role::Type) if value.as_str() == Some(&*entity.name) => {
            entity.title_in(reader.language).into_owned()
        }
        _ => self::value(attribute, value, reader),
    }
}

/// The time that a value is, in the zone of the reader.
pub(super) fn time(attribute: Option<&Attribute>, value: &Value, reader: &Reader) -> Option<Moment> {
    instant(attribute, value).map(|time| reader.time(time))
}

/// The time that a value is: of a timestamp, or of an expiry in seconds since the epoch.
pub(super) fn instant(attribute: Option<&Attribute>, value: &Value) -> Option<Timestamp> {
    let attribute = attribute?;
    match (&attribute.kind, value) {
        (Kind::Timestamp(_), Value::S(text)) => text.parse().ok(),
        (_, Value::N(number)) if attribute.expires => {
            Timestamp::from_second(number.to_string().parse().ok()?).ok()
        }
        _ => None,
    }
}

/// The title of a record: its label, otherwise its key.
pub(super) fn record(entity: &Entity, fields: &Item, reader: &Reader) -> String {
    let text = |name: &str| Some(value(entity.attribute(name).map(|one| &**one), fields.get(name)?, reader));
    let label = entity.label.render(reader.language, text).filter(|_| !entity.label.is_empty());
    label.unwrap_or_else(|| {
        let key = schema::key_attributes(entity);
        let parts: Vec<String> = key.iter().filter_map(|one| text(&one.name)).collect();
        if parts.is_empty() { entity.title_in(reader.language).into_owned() } else { parts.join(" · ") }
    })
}

/// The titles of the records that other records refer to, by their addresses.
#[derive(Default)]
pub(super) struct Linked(BTreeMap<String, String>);

impl Linked {
    /// Reads the records that these refer to and that the visitor may see, at most one batch per entity.
    pub(super) async fn of(system: &System, db: &Db, records: &[Record], view: &View) -> Result<Self, Error> {
        let mut keys: BTreeMap<String, BTreeMap<String, Item>> = BTreeMap::new();
        for record in records {
            for reference in &record.entity.references {
                if let Some((target, key)) = target(system, reference, &record.fields)
                    && system.may_read(view, &target.name)
                {
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
                Some((address, record(&found.entity, &found.fields, &view.reader)))
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
