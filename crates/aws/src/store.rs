//! Implements the store port.

use async_trait::async_trait;
use hansang_core::model::Table;
use hansang_core::plan::{BatchGet, Get, Query, Scan, TableWrite, Write};
use hansang_core::{Item, Page, Store, StoreError};

use crate::{DynamoDb, batch, read, table, transact, write};

/// Does not implement `history`: DynamoDB Streams has a separate API, which this crate does not use.
#[async_trait]
impl Store for DynamoDb {
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        table::ensure(self, table).await
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        read::get(self, table, get).await
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        batch::get(self, table, gets).await
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        read::query(self, table, query).await
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        read::scan(self, table, scan).await
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        write::one(self, table, write).await
    }

    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        let writes: Vec<_> = writes.iter().map(|one| (&*one.table, &one.write)).collect();
        transact::all(self, &writes).await
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        batch::put(self, table, items).await
    }
}
