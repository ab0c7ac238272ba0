//! A store that records and checks every write of requests and capacities, below all injected faults.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use hansang_core::model::Table;
use hansang_core::plan::{Action, BatchGet, Get, Key, Query, Scan, TableWrite, Write};
use hansang_core::{Item, Page, Store, StoreError};
use hansang_entry::Status;
use hansang_testkit::memory::Memory;

/// One change of a request's status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Changed {
    pub(crate) request: String,
    pub(crate) from: Option<Status>,
    pub(crate) to: Status,
}

/// A store in memory, and its history.
#[derive(Default)]
pub(crate) struct Recorder {
    memory: Memory,
    statuses: Mutex<BTreeMap<String, Status>>,
    history: Mutex<Vec<Changed>>,
    /// The number of writes of each transaction that changed a request.
    transactions: Mutex<Vec<usize>>,
    /// The problems found after a write.
    problems: Mutex<Vec<String>>,
}

impl Recorder {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self::default())
    }

    pub(crate) fn history(&self) -> Vec<Changed> {
        self.history.lock().unwrap().clone()
    }

    /// The number of writes of each transaction that changed a request, so far.
    pub(crate) fn transactions(&self) -> Vec<usize> {
        self.transactions.lock().unwrap().clone()
    }

    pub(crate) fn problems(&self) -> Vec<String> {
        self.problems.lock().unwrap().clone()
    }

    /// Checks items right after a write. No other write comes between, because the store in memory never waits.
    async fn inspect(&self, table: &Table, keys: &[Key]) -> Result<(), StoreError> {
        let gets = BatchGet { keys: keys.to_vec(), consistent: true, fields: None };
        for (key, item) in keys.iter().zip(self.memory.batch_get(table, &gets).await?) {
            match (key.pk.strip_prefix("REQ#"), &*key.sk, item) {
                (Some(id), "META", Some(item)) => self.request(id, &item),
                (_, "CAPACITY", Some(item)) => self.capacity(&item),
                (_, _, None) if !key.pk.starts_with("UNSENT#") => {
                    self.problem(format!("{} / {} was removed", key.pk, key.sk));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn request(&self, id: &str, item: &Item) {
        let text = |name: &str| item.get(name).and_then(|value| value.as_str());
        let to: Status = text("status").unwrap().parse().unwrap();
        let from = self.statuses.lock().unwrap().insert(id.to_owned(), to);
        if from != Some(to) {
            // Without seats one write passes through `PROCESSING`; the log has both steps.
            let passes = (from, to) == (Some(Status::Queued), Status::Rejected);
            if !(passes || legal(from, to)) {
                self.problem(format!("{id} went from {from:?} to {to}"));
            }
            self.history.lock().unwrap().push(Changed { request: id.to_owned(), from, to });
        }
        let failed = to == Status::FailedFinal;
        for name in ["failureClass", "errorCode", "errorMessage"] {
            if item.contains_key(name) != failed {
                self.problem(format!("{id} is {to}, and {name} is {:?}", item.get(name)));
            }
        }
        if failed && !(item.contains_key("startedAt") && item.contains_key("finishedAt")) {
            self.problem(format!("{id} is {to} and has no startedAt or no finishedAt"));
        }
        let in_index = item.contains_key("GSI1PK") && item.contains_key("GSI2PK");
        if in_index != item.contains_key("queuedAt") {
            self.problem(format!("{id} is {to}: in the indexes {in_index}"));
        }
    }

    fn capacity(&self, item: &Item) {
        let number = |name: &str| item.get(name).and_then(|value| value.as_number()?.to_i64()).unwrap();
        let (total, remaining) = (number("capacityTotal"), number("capacityRemaining"));
        if !(0..=total).contains(&remaining) {
            self.problem(format!("{remaining} of {total} seats are left"));
        }
    }

    fn problem(&self, text: String) {
        self.problems.lock().unwrap().push(text);
    }
}

/// Whether the requirements allow a transition.
pub(crate) fn legal(from: Option<Status>, to: Status) -> bool {
    use Status::{FailedFinal, Processing, Queued, Received, Rejected, Succeeded};
    matches!(
        (from, to),
        (None, Received)
            | (Some(Received), Queued | FailedFinal)
            | (Some(Queued), Processing)
            | (Some(Processing), Queued | Succeeded | Rejected | FailedFinal)
            | (Some(FailedFinal), Queued)
    )
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Recorder")
    }
}

#[async_trait]
impl Store for Recorder {
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        self.memory.ensure_table(table).await
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        self.memory.get(table, get).await
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        self.memory.batch_get(table, gets).await
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        self.memory.query(table, query).await
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        self.memory.scan(table, scan).await
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        let key = write.key.clone();
        let written = self.memory.write(table, write).await?;
        self.inspect(table, &[key]).await?;
        Ok(written)
    }

    /// Entry has one table.
    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        let Some(table) = writes.first().map(|one| one.table.clone()) else { return Ok(()) };
        assert!(writes.iter().all(|one| one.table.name == table.name));
        let changes = writes.iter().filter(|one| one.write.action != Action::Check);
        let keys: Vec<Key> = changes.map(|one| one.write.key.clone()).collect();
        let count = writes.len();
        self.memory.transact(writes).await?;
        if keys.iter().any(|key| key.pk.starts_with("REQ#") && key.sk == "META") {
            self.transactions.lock().unwrap().push(count);
        }
        self.inspect(&table, &keys).await
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        self.memory.batch_put(table, items).await
    }
}
