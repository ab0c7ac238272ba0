//! A store that counts capacity units.

use std::sync::Arc;

use async_trait::async_trait;
use hansang_core::plan::{Action, BatchGet, Get, Key, Query, Scan, TableWrite, Write};
use hansang_core::store::History;
use hansang_core::{Item, Page, Store, StoreError, Table, Value};

use super::Metrics;
use super::units::{self, Asked, Units};
use crate::written;

/// A store whose capacity units are counted for the operation that [`Metrics::observe`] runs, or without a name outside
/// of one. It notes the written keys for [`crate::written()`].
///
/// It passes requests and responses on unchanged. The units are those of DynamoDB for every store, so that the embedded
/// store shows what DynamoDB would cost.
#[derive(Clone, Debug)]
pub struct Metered {
    /// The inner store.
    pub store: Arc<dyn Store>,
    /// The metrics that count the units.
    pub metrics: Metrics,
}

#[async_trait]
impl Store for Metered {
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        self.store.ensure_table(table).await
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        let item = self.store.get(table, get).await?;
        self.metrics.spend(units::of_get(item.as_ref(), get.consistent));
        Ok(item)
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        let items = self.store.batch_get(table, gets).await?;
        let each = items.iter().map(|item| units::of_get(item.as_ref(), gets.consistent));
        self.metrics.spend(each.fold(Units::default(), Units::plus));
        Ok(items)
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        let page = self.store.query(table, query).await?;
        self.metrics.spend(units::of_page(&page.items, query.consistent));
        Ok(page)
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        let page = self.store.scan(table, scan).await?;
        self.metrics.spend(units::of_page(&page.items, scan.consistent));
        Ok(page)
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        let asked = Asked::new(table, &write);
        let keys = changed_keys([&write]);
        let result = self.store.write(table, write).await;
        note(keys, result.as_ref().map(drop));
        match &result {
            Ok(item) => self.metrics.spend(asked.done(table, item.as_ref())),
            Err(StoreError::Condition(failed)) => {
                let found = failed.first().and_then(|one| one.item.as_ref());
                self.metrics.spend(asked.refused(found));
            }
            // No item was written, or the outcome is unknown.
            Err(_) => {}
        }
        result
    }

    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        let asked: Vec<Asked> = writes.iter().map(|one| Asked::new(&one.table, &one.write)).collect();
        let keys = changed_keys(writes.iter().map(|one| &one.write));
        let result = self.store.transact(writes).await;
        note(keys, result.as_ref().copied());
        match &result {
            Ok(()) => self.metrics.spend(units::of_transaction(&asked, false)),
            Err(StoreError::Condition(_)) => self.metrics.spend(units::of_transaction(&asked, true)),
            Err(_) => {}
        }
        result
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        let each = items.iter().map(|item| units::of_item(table, item, None));
        let units = each.fold(Units::default(), Units::plus);
        let keys = if written::is_wanted() { item_keys(table, &items) } else { Vec::new() };
        let result = self.store.batch_put(table, items).await;
        note(keys, result.as_ref().copied());
        result?;
        self.metrics.spend(units);
        Ok(())
    }

    /// Counts no units: DynamoDB bills reads of its stream separately, not in units of the table.
    async fn history(&self, table: &Table, key: &Key, limit: usize) -> Result<Option<History>, StoreError> {
        self.store.history(table, key, limit).await
    }
}

/// The keys of the items that are written, if they are wanted, without those that are only checked.
fn changed_keys<'w>(writes: impl IntoIterator<Item = &'w Write>) -> Vec<Key> {
    if !written::is_wanted() {
        return Vec::new();
    }
    let changes = writes.into_iter().filter(|write| !matches!(write.action, Action::Check));
    changes.map(|write| write.key.clone()).collect()
}

fn item_keys(table: &Table, items: &[Item]) -> Vec<Key> {
    let text = |item: &Item, name| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    items.iter().map(|item| Key { pk: text(item, &table.pk), sk: text(item, &table.sk) }).collect()
}

/// Notes the keys of a write that took effect or may have.
fn note(keys: Vec<Key>, result: Result<(), &StoreError>) {
    let unknown = |error: &StoreError| matches!(error, StoreError::Unavailable(why) if why.outcome_unknown);
    if result.is_ok() || result.is_err_and(unknown) {
        written::note(keys);
    }
}
