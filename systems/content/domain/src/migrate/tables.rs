//! The old tables in a store: read by scans, page by page, and never written.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use hansang_core::model::Table;
use hansang_core::plan::Scan;
use hansang_core::value::json::{item_from_typed, item_to_typed};
use hansang_core::{Error, Item, Name, Store, Value, message, name};

use super::state::of_store;
use super::{LegacyTable, PAGE, Row, Rows, Source};
use crate::{ContentCode, messages};

/// The old tables in a store.
#[derive(Debug)]
pub struct LegacyTables {
    store: Arc<dyn Store>,
    names: BTreeMap<LegacyTable, String>,
}

impl LegacyTables {
    /// Tables by their names.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, names: BTreeMap<LegacyTable, String>) -> Self {
        Self { store, names }
    }
}

#[async_trait]
impl Source for LegacyTables {
    fn name(&self) -> String {
        let names: Vec<String> = self.names.iter().map(|(table, name)| format!("{table}={name}")).collect();
        format!("dynamodb {}", names.join(" "))
    }

    fn tables(&self) -> Vec<LegacyTable> {
        self.names.keys().copied().collect()
    }

    async fn read(&mut self, table: LegacyTable, after: Option<&str>) -> Result<Rows, Error> {
        let Some(name) = self.names.get(&table) else { return Ok(Rows::default()) };
        let start = after.map(position).transpose()?;
        let legacy = legacy(name, start.as_ref());
        let scan = Scan { index: None, limit: PAGE as u32, start, consistent: true };
        let page = self.store.scan(&legacy, &scan).await.map_err(of_store)?;
        let rows = page.items.into_iter().map(|item| Row { location: String::new(), item: Ok(item) });
        let next = page.next.map(|key| item_to_typed(&key).to_string());
        Ok(Rows { rows: rows.collect(), next })
    }
}

fn position(text: &str) -> Result<Item, Error> {
    let damaged = || Error::corrupt(ContentCode::MigrationDamaged, message!(messages::MIGRATION_DAMAGED));
    let json = serde_json::from_str(text).map_err(|_| damaged())?;
    item_from_typed(&json).map_err(|_| damaged())
}

/// A table whose key is not known before the first page. A scan needs no more of it than the key of the position.
fn legacy(name: &str, start: Option<&Item>) -> Table {
    let text = |item: &Item| {
        let mut texts = item.iter().filter(|(_, value)| matches!(value, Value::S(_)));
        texts.next().map(|(name, _)| name.clone())
    };
    let key: Name = start.and_then(text).unwrap_or_else(|| name!("id"));
    Table {
        name: name.to_owned(),
        pk: key.clone(),
        sk: key,
        delimiter: '#',
        type_attribute: None,
        ttl: None,
        streams: false,
        recovery: false,
        tags: Vec::new(),
        indexes: Vec::new(),
    }
}
