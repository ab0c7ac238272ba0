//! A store and a queue in memory, for simulations: no disk, no clock of their own, no chance.
//!
//! The store runs the rules of `core` as the embedded store does, and passes the same suite. Each of its calls
//! is done when it is first polled, so what happens first is decided by whoever polls, and can be
//! repeated.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use hansang_core::model::Table;
use hansang_core::plan::{Action, BatchGet, Get, Guards, Query, Scan, TableWrite, Write};
use hansang_core::store::{FailedCondition, check};
use hansang_core::{Error, Item, Page, Store, StoreError};

mod page;
mod place;
mod queue;
mod shelf;

pub use queue::MemoryQueue;
use shelf::Shelf;

/// Tables in memory, gone with it.
#[derive(Default)]
pub struct Memory(Mutex<BTreeMap<String, Shelf>>);

impl Memory {
    /// A store without tables.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn shelves(&self) -> MutexGuard<'_, BTreeMap<String, Shelf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn on<T>(
        &self,
        table: &Table,
        work: impl FnOnce(&mut Shelf) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut shelves = self.shelves();
        work(shelves.get_mut(&table.name).ok_or_else(|| unknown(table))?)
    }
}

fn unknown(table: &Table) -> Error {
    let message = format!("there is no table `{}` here: make it first", table.name);
    Error::invalid("unknown_table", message)
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Memory").field(&self.shelves().keys().collect::<Vec<_>>()).finish()
    }
}

#[async_trait]
impl Store for Memory {
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        let mut shelves = self.shelves();
        match shelves.get_mut(&table.name) {
            Some(shelf) => shelf.extend(table)?,
            None => drop(shelves.insert(table.name.clone(), Shelf::new(table.clone()))),
        }
        Ok(())
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        self.on(table, |shelf| shelf.get(&get.key, get.fields.as_deref()))
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        let fields = gets.fields.as_deref();
        self.on(table, |shelf| gets.keys.iter().map(|key| shelf.get(key, fields)).collect())
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        self.on(table, |shelf| shelf.query(query))
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        self.on(table, |shelf| shelf.scan(scan))
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        self.on(table, |shelf| {
            check::write(&shelf.table, &write)?;
            shelf.write(write)
        })
    }

    /// Every guard is asked before anything changes.
    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        let mut shelves = self.shelves();
        let on = |one: &TableWrite| shelves.get(&one.table.name).ok_or_else(|| unknown(&one.table));
        let tables: Vec<&Shelf> = writes.iter().map(on).collect::<Result<_, _>>()?;
        check::transaction(tables.iter().zip(&writes).map(|(shelf, one)| (&shelf.table, &one.write)))?;
        let mut failed = Vec::new();
        for (index, (shelf, one)) in tables.iter().zip(&writes).enumerate() {
            failed.extend(shelf.refuses(&one.write).map(|item| FailedCondition { index, item }));
        }
        if !failed.is_empty() {
            return Err(StoreError::Condition(failed));
        }
        let outcome = |(shelf, one): (&Shelf, TableWrite)| Ok((one.table, shelf.outcome(one.write)?));
        let outcomes = tables.into_iter().zip(writes).map(outcome).collect::<Result<Vec<_>, StoreError>>()?;
        for (table, outcome) in outcomes {
            if let Some(shelf) = shelves.get_mut(&table.name) {
                shelf.install(outcome);
            }
        }
        Ok(())
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        self.on(table, |shelf| {
            let put = |item: Item| {
                let key = check::item(&shelf.table, &item)?;
                Ok(Write { key, action: Action::Put(item), guards: Guards::default() })
            };
            let writes: Vec<Write> = items.into_iter().map(put).collect::<Result<_, StoreError>>()?;
            writes.into_iter().try_for_each(|write| shelf.write(write).map(drop))
        })
    }
}
