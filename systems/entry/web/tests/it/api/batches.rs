//! Batches of the full size, on a DynamoDB endpoint that takes a hundred writes in a transaction.

use std::fmt;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use hansang_core::cursor::CursorKey;
use hansang_core::model::Table;
use hansang_core::plan::{BatchGet, Get, Key, Query, Scan, TableWrite, Write};
use hansang_core::store::History;
use hansang_core::{Db, Item, Page, Store, StoreError};
use hansang_entry::{Decided, Entry, Settings, Status, decide, find, submit_all};

use super::{entry, everything, first_come};
use crate::server::Server;
use hansang_testserver::On;

/// A store that records the number of writes of each transaction.
struct Counting {
    store: Arc<dyn Store>,
    writes: Mutex<Vec<usize>>,
}

impl fmt::Debug for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counting").finish_non_exhaustive()
    }
}

#[async_trait]
impl Store for Counting {
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        self.store.ensure_table(table).await
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        self.store.get(table, get).await
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        self.store.batch_get(table, gets).await
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        self.store.query(table, query).await
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        self.store.scan(table, scan).await
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        self.store.write(table, write).await
    }

    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        let count = writes.len();
        self.store.transact(writes).await?;
        self.writes.lock().unwrap().push(count);
        Ok(())
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        self.store.batch_put(table, items).await
    }

    async fn history(&self, table: &Table, key: &Key, limit: usize) -> Result<Option<History>, StoreError> {
        self.store.history(table, key, limit).await
    }
}

/// Es9: transactions have up to a hundred writes, and the number of winners is exactly the capacity.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn full_batches_are_decided_on_dynamodb() {
    let server = Server::entry(On::DynamoDb).await;
    first_come(&server, "concert", 60).await;
    let db = &entry(&server).db;
    let counting = Arc::new(Counting { store: db.store().clone(), writes: Mutex::default() });
    let counted =
        Entry { db: on(db, counting.clone()), settings: Settings::default(), ..entry(&server).clone() };
    let users: Vec<String> = (0..150).map(|number| format!("user-{number}")).collect();
    let mut ids = Vec::new();
    // Each call of the clock of a test is a millisecond: more at once would be too late for their window.
    for users in users.chunks(10) {
        let submitted = submit_all(&counted, "concert", users).await;
        ids.extend(submitted.into_iter().map(|one| one.unwrap().request_id));
    }
    server.later(super::HOUR / 60);
    while decide(&counted, "concert", "worker", &[]).await.unwrap() == Decided::More {}
    let mut statuses = Vec::new();
    for id in &ids {
        statuses.push(find(&counted, id).await.unwrap().status);
    }
    let count = |status: Status| statuses.iter().filter(|one| **one == status).count();
    assert_eq!((count(Status::Succeeded), count(Status::Rejected)), (60, 90));
    let writes = counting.writes.lock().unwrap().clone();
    // A claim of 49 requests and the check of the lease; their results with the lease and the capacity.
    assert!(writes.contains(&99) && writes.contains(&100), "{writes:?}");
    assert_eq!(everything(&server).await.0["EVENT#concert / CAPACITY"]["capacityRemaining"]["N"], "0");
}

/// The same table through another store.
fn on(db: &Db, store: Arc<dyn Store>) -> Db {
    Db::new(db.model().clone(), None, store, db.clock().clone(), CursorKey::new(b"tests"))
}
