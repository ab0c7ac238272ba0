//! The tables of a directory and their keyspaces.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use hansang_core::message::Join;
use hansang_core::model::{Index, Projection, Table, Ttl};
use hansang_core::{CoreCode, Error, Message, Name, StoreError, message};
use serde_json::{Value as Json, json};

use crate::engine::{Engine, Reads, Space};
use crate::keys;
use crate::messages;
use crate::seal::Kind;

/// A stored table: its definition and its keyspaces.
pub(crate) struct StoredTable {
    /// Number in the names of its keyspaces.
    pub(crate) number: u32,
    /// Definition of the table.
    pub(crate) table: Arc<Table>,
    /// Slot of each index, in the order of `table.indexes`.
    pub(crate) slots: Vec<u8>,
    /// Items by key.
    pub(crate) items: Space,
    /// Index entries and expiry entries.
    pub(crate) entries: Space,
    /// Change feed by sequence number.
    pub(crate) feed: Space,
}

impl StoredTable {
    pub(crate) fn indexes(&self) -> impl Iterator<Item = (u8, &Index)> {
        self.slots.iter().copied().zip(&self.table.indexes)
    }

    /// Slot and definition of an index.
    pub(crate) fn index(&self, name: &str) -> Result<(u8, &Index), Error> {
        let index = hansang_core::store::check::index(&self.table, name)?;
        let position = self.table.indexes.iter().position(|one| one.name == index.name).unwrap_or_default();
        Ok((self.slots[position], index))
    }

    /// Opens the keyspaces of a table.
    pub(crate) fn open(
        engine: &Engine,
        number: u32,
        table: Table,
        slots: Vec<u8>,
    ) -> Result<Self, StoreError> {
        let space = |what: &str, reads: Reads| engine.space(&format!("{number}.{what}"), reads);
        Ok(Self {
            number,
            items: space("items", Reads::Keys)?,
            entries: space("entries", Reads::Ranges)?,
            feed: space("feed", Reads::Ranges)?,
            table: Arc::new(table),
            slots,
        })
    }

    /// Extends the table to match a changed model. Adds indexes and never removes one. Returns `None` if
    /// nothing changes.
    pub(crate) fn extended(&self, engine: &Engine, table: &Table) -> Result<Option<Self>, StoreError> {
        fits(&self.table, table)?;
        let mut merged = Table { indexes: self.table.indexes.clone(), ..table.clone() };
        let mut slots = self.slots.clone();
        for index in &table.indexes {
            if !merged.indexes.iter().any(|known| known.name == index.name) {
                let free = (keys::EXPIRY + 1..u8::MAX).find(|slot| !slots.contains(slot));
                slots.push(free.ok_or_else(|| {
                    Error::invalid(CoreCode::TooManyIndexes, message!(messages::TOO_MANY_INDEXES))
                })?);
                merged.indexes.push(index.clone());
            }
        }
        let same =
            slots == self.slots && merged.ttl == self.table.ttl && merged.streams == self.table.streams;
        if same { Ok(None) } else { Self::open(engine, self.number, merged, slots).map(Some) }
    }
}

/// Open tables by name.
#[derive(Default)]
pub(crate) struct Catalog(RwLock<HashMap<String, Arc<StoredTable>>>);

impl Catalog {
    /// Opens all tables of the directory.
    pub(crate) fn load(engine: &Engine, meta: &Space) -> Result<Self, StoreError> {
        let snapshot = engine.snapshot();
        let all = (std::ops::Bound::Unbounded, std::ops::Bound::Unbounded);
        let mut tables = HashMap::new();
        for entry in snapshot.range(engine, meta, all, false) {
            let (key, value) = entry?;
            let definition = engine.unseal(Kind::Other, &key, &value).unwrap_or_default();
            let entry = serde_json::from_slice(definition).ok().and_then(|json| from_json(&json));
            let (number, table, slots) = entry
                .ok_or_else(|| StoreError::unavailable("the list of tables is damaged: restore a backup"))?;
            tables.insert(table.name.clone(), Arc::new(StoredTable::open(engine, number, table, slots)?));
        }
        Ok(Self(RwLock::new(tables)))
    }

    pub(crate) fn find(&self, name: &str) -> Option<Arc<StoredTable>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Returns the table of this name.
    pub(crate) fn get(&self, name: &str) -> Result<Arc<StoredTable>, StoreError> {
        self.find(name).ok_or_else(|| {
            Error::invalid(CoreCode::UnknownTable, message!(messages::UNKNOWN_TABLE, name)).into()
        })
    }

    pub(crate) fn put(&self, stored: Arc<StoredTable>) {
        let mut tables = self.0.write().unwrap_or_else(PoisonError::into_inner);
        tables.insert(stored.table.name.clone(), stored);
    }

    pub(crate) fn all(&self) -> Vec<Arc<StoredTable>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    pub(crate) fn next_number(&self) -> u32 {
        self.all().iter().map(|stored| stored.number + 1).max().unwrap_or(0)
    }
}

/// Checks that a stored table can be extended to `wanted` without losing data.
fn fits(stored: &Table, wanted: &Table) -> Result<(), Error> {
    let mut problems = Vec::new();
    if (&stored.pk, &stored.sk) != (&wanted.pk, &wanted.sk) {
        let (a, b) = (format!("{} / {}", stored.pk, stored.sk), format!("{} / {}", wanted.pk, wanted.sk));
        problems.push(message!(messages::OTHER_KEY, a, b));
    }
    for index in &wanted.indexes {
        let known = stored.indexes.iter().find(|known| known.name == index.name);
        if let Some(known) = known.filter(|known| shape(known) != shape(index)) {
            problems.push(message!(messages::OTHER_INDEX, &index.name, shape(known), shape(index)));
        }
    }
    let attribute =
        |table: &Table| table.ttl.as_ref().filter(|ttl| ttl.enabled).map(|ttl| ttl.attribute.clone());
    if let (Some(known), Some(new)) = (attribute(stored), attribute(wanted))
        && known != new
    {
        problems.push(message!(messages::OTHER_EXPIRY, known, new));
    }
    if problems.is_empty() {
        return Ok(());
    }
    let problems = Message::join(Join::Semicolon, problems);
    let message = message!(messages::DOES_NOT_FIT, &stored.name, problems);
    Err(Error::invalid(CoreCode::TableDoesNotFit, message))
}

/// Describes the parts of an index that must not change.
fn shape(index: &Index) -> String {
    let number = |numeric: bool| if numeric { " (number)" } else { "" };
    let sk = index.sk.as_ref().map(|sk| format!(" / {sk}{}", number(index.sk_numeric))).unwrap_or_default();
    let projection = match &index.projection {
        Projection::All => String::new(),
        Projection::Keys => " with keys only".to_owned(),
        Projection::Include(names) => {
            let mut names = names.clone();
            names.sort();
            format!(" with {}", names.join(", "))
        }
    };
    format!("{}{}{sk}{projection}", index.pk, number(index.pk_numeric))
}

/// Encodes the catalog entry of a table.
pub(crate) fn to_json(stored: &StoredTable) -> Json {
    let table = &stored.table;
    let indexes = stored.indexes().map(|(slot, index)| {
        let projection = match &index.projection {
            Projection::All => json!("all"),
            Projection::Keys => json!("keys"),
            Projection::Include(names) => json!(names.iter().map(|name| &**name).collect::<Vec<_>>()),
        };
        json!({
            "slot": slot, "name": &*index.name, "pk": &*index.pk, "pkNumeric": index.pk_numeric,
            "sk": index.sk.as_deref(), "skNumeric": index.sk_numeric, "projection": projection,
        })
    });
    json!({
        "number": stored.number, "name": table.name, "pk": &*table.pk, "sk": &*table.sk,
        "streams": table.streams,
        "ttl": table.ttl.as_ref().map(|ttl| json!({"attribute": &*ttl.attribute, "enabled": ttl.enabled})),
        "indexes": indexes.collect::<Vec<_>>(),
    })
}

fn from_json(json: &Json) -> Option<(u32, Table, Vec<u8>)> {
    let name = |json: &Json| json.as_str().map(Name::from);
    let mut slots = Vec::new();
    let mut indexes = Vec::new();
    for one in json["indexes"].as_array()? {
        slots.push(u8::try_from(one["slot"].as_u64()?).ok()?);
        indexes.push(Index {
            name: name(&one["name"])?,
            pk: name(&one["pk"])?,
            pk_numeric: one["pkNumeric"].as_bool()?,
            sk: name(&one["sk"]),
            sk_numeric: one["skNumeric"].as_bool()?,
            projection: match &one["projection"] {
                Json::Array(names) => Projection::Include(names.iter().map(name).collect::<Option<_>>()?),
                Json::String(word) if word == "keys" => Projection::Keys,
                _ => Projection::All,
            },
        });
    }
    let ttl = &json["ttl"];
    let ttl = match name(&ttl["attribute"]) {
        Some(attribute) => Some(Ttl { attribute, enabled: ttl["enabled"].as_bool()? }),
        None => None,
    };
    let table = Table {
        name: json["name"].as_str()?.to_owned(),
        pk: name(&json["pk"])?,
        sk: name(&json["sk"])?,
        delimiter: '#',
        type_attribute: None,
        ttl,
        streams: json["streams"].as_bool()?,
        recovery: false,
        tags: Vec::new(),
        indexes,
    };
    Some((u32::try_from(json["number"].as_u64()?).ok()?, table, slots))
}
