//! A store that checks writes as the real one does, and keeps them to itself.
//!
//! A preview runs the same verbs on it as the import, so both accept and refuse the same records.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use hansang_core::evaluate::holds;
use hansang_core::plan::{Action, BatchGet, Get, Key, Query, Scan, TableWrite, Write};
use hansang_core::store::{FailedCondition, History, check};
use hansang_core::{Item, Page, Store, StoreError, Table, apply};

/// Reads through to a store; writes stay here.
#[derive(Debug)]
pub(super) struct Trial {
    store: Arc<dyn Store>,
    written: Mutex<BTreeMap<(String, Key), Option<Item>>>,
}

impl Trial {
    pub(super) fn new(store: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self { store, written: Mutex::default() })
    }

    fn written(&self) -> MutexGuard<'_, BTreeMap<(String, Key), Option<Item>>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn item(&self, table: &Table, key: &Key) -> Result<Option<Item>, StoreError> {
        let written = self.written().get(&(table.name.clone(), key.clone())).cloned();
        match written {
            Some(item) => Ok(item),
            None => self.store.get(table, &Get { key: key.clone(), consistent: true, fields: None }).await,
        }
    }

    /// The item after a write; an error if a guard does not hold.
    async fn tried(&self, table: &Table, index: usize, write: &Write) -> Result<Option<Item>, StoreError> {
        check::write(table, write)?;
        let item = self.item(table, &write.key).await?;
        if !write.guards.iter().all(|guard| holds(&guard.condition, item.as_ref())) {
            return Err(StoreError::Condition(vec![FailedCondition { index, item }]));
        }
        Ok(match &write.action {
            Action::Put(item) => Some(item.clone()),
            Action::Update(changes) => {
                let mut before = item.unwrap_or_default();
                before.insert(table.pk.clone(), (&*write.key.pk).into());
                before.insert(table.sk.clone(), (&*write.key.sk).into());
                Some(apply(&before, changes)?)
            }
            Action::Delete => None,
            Action::Check => item,
        })
    }
}

#[async_trait]
impl Store for Trial {
    async fn ensure_table(&self, _: &Table) -> Result<(), StoreError> {
        Ok(())
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        self.item(table, &get.key).await
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        let mut items = Vec::with_capacity(gets.keys.len());
        for key in &gets.keys {
            items.push(self.item(table, key).await?);
        }
        Ok(items)
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        self.store.query(table, query).await
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        self.store.scan(table, scan).await
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        let after = self.tried(table, 0, &write).await?;
        let result = matches!(write.action, Action::Update(_)).then(|| after.clone()).flatten();
        self.written().insert((table.name.clone(), write.key), after);
        Ok(result)
    }

    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        check::transaction(writes.iter().map(|one| (&*one.table, &one.write)))?;
        let mut after = Vec::with_capacity(writes.len());
        for (index, one) in writes.into_iter().enumerate() {
            let item = self.tried(&one.table, index, &one.write).await?;
            after.push(((one.table.name.clone(), one.write.key), item));
        }
        self.written().extend(after);
        Ok(())
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        for item in items {
            let key = check::item(table, &item)?;
            self.written().insert((table.name.clone(), key), Some(item));
        }
        Ok(())
    }

    async fn history(&self, table: &Table, key: &Key, limit: usize) -> Result<Option<History>, StoreError> {
        self.store.history(table, key, limit).await
    }
}
