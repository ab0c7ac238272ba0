//! A store and a queue in memory for simulations, without disk, clock and randomness.
//!
//! The store uses the rules of `core`, as the embedded store does, and passes the same suite. Each call
//! completes in its first poll, so the order of polls determines the result.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use hansang_core::model::Table;
use hansang_core::plan::{Action, BatchGet, Get, Guards, Query, Scan, TableWrite, Write};
use hansang_core::store::{FailedCondition, check};
use hansang_core::{CoreCode, Error, Item, Message, Page, Store, StoreError};

mod entry_key;
mod page;
mod queue;
mod table;

pub use queue::MemoryQueue;
use table::MemoryTable;

/// A store in memory.
#[derive(Default)]
pub struct Memory(Mutex<BTreeMap<String, MemoryTable>>);

impl Memory {
    /// Creates a store without tables.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn tables(&self) -> MutexGuard<'_, BTreeMap<String, MemoryTable>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn on<T>(
        &self,
        table: &Table,
        work: impl FnOnce(&mut MemoryTable) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut tables = self.tables();
        work(tables.get_mut(&table.name).ok_or_else(|| unknown(table))?)
    }
}

fn unknown(table: &Table) -> Error {
    let message = format!("there is no table `{}` here: make it first", table.name);
    Error::invalid(CoreCode::UnknownTable, Message::raw(message))
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Memory").field(&self.tables().keys().collect::<Vec<_>>()).finish()
    }
}

#[async_trait]
impl Store for Memory {
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        let mut tables = self.tables();
        match tables.get_mut(&table.name) {
            Some(stored) => stored.extend(table)?,
            None => drop(tables.insert(table.name.clone(), MemoryTable::new(table.clone()))),
        }
        Ok(())
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        self.on(table, |stored| stored.get(&get.key, get.fields.as_deref()))
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        let fields = gets.fields.as_deref();
        self.on(table, |stored| gets.keys.iter().map(|key| stored.get(key, fields)).collect())
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        self.on(table, |stored| stored.query(query))
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        self.on(table, |stored| stored.scan(scan))
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        self.on(table, |stored| {
            check::write(&stored.table, &write)?;
            stored.write(write)
        })
    }

    /// Checks every guard before anything changes.
    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let on = |one: &TableWrite| tables.get(&one.table.name).ok_or_else(|| unknown(&one.table));
        let written: Vec<&MemoryTable> = writes.iter().map(on).collect::<Result<_, _>>()?;
        check::transaction(written.iter().zip(&writes).map(|(stored, one)| (&stored.table, &one.write)))?;
        let mut failed = Vec::new();
        for (index, (stored, one)) in written.iter().zip(&writes).enumerate() {
            failed.extend(stored.refuses(&one.write).map(|item| FailedCondition { index, item }));
        }
        if !failed.is_empty() {
            return Err(StoreError::Condition(failed));
        }
        let outcome = |(stored, one): (&MemoryTable, TableWrite)| Ok((one.table, stored.outcome(one.write)?));
        let outcomes =
            written.into_iter().zip(writes).map(outcome).collect::<Result<Vec<_>, StoreError>>()?;
        for (table, outcome) in outcomes {
            if let Some(stored) = tables.get_mut(&table.name) {
                stored.install(outcome);
            }
        }
        Ok(())
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        self.on(table, |stored| {
            let put = |item: Item| {
                let key = check::item(&stored.table, &item)?;
                Ok(Write { key, action: Action::Put(item), guards: Guards::default() })
            };
            let writes: Vec<Write> = items.into_iter().map(put).collect::<Result<_, StoreError>>()?;
            writes.into_iter().try_for_each(|write| stored.write(write).map(drop))
        })
    }
}
