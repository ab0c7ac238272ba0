//! A store that injects faults from a seed.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use hansang_core::model::Table;
use hansang_core::plan::{BatchGet, Get, Key, Query, Scan, TableWrite, Write};
use hansang_core::store::{History, Unavailable, check};
use hansang_core::value::Item;
use hansang_core::{Page, Store, StoreError};

use crate::random::{self, Random};

mod lag;

use lag::Lag;

/// Probabilities of faults, from 0 to 1. A call has at most one fault, so the sum should be at most 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Faults {
    /// Throttles a call; nothing is done.
    pub throttle: f64,
    /// A write conflicts with another; nothing is done.
    pub conflict: f64,
    /// The response is lost and nothing is done.
    pub timeout_before: f64,
    /// The response is lost and the write is done. Reads are not affected.
    pub timeout_after: f64,
    /// An index read misses the latest writes; needs [`Faulty::with_lagging_indexes`].
    pub index_lag: f64,
}

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// See [`Faults::throttle`].
    Throttle,
    /// See [`Faults::conflict`].
    Conflict,
    /// See [`Faults::timeout_before`].
    TimeoutBefore,
    /// See [`Faults::timeout_after`].
    TimeoutAfter,
    /// See [`Faults::index_lag`]: this many items of the index are stale.
    IndexLag(usize),
}

/// An injected fault and its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Injected {
    /// Number of the call, from zero.
    pub call: u64,
    /// Method of the call.
    pub method: &'static str,
    /// Kind of fault.
    pub fault: Fault,
}

/// A store with injected faults.
///
/// The same seed and calls give the same faults. Concurrent calls count in the order of their first poll.
pub struct Faulty {
    inner: Arc<dyn Store>,
    lag: Option<Lag>,
    faults: Faults,
    state: Mutex<State>,
}

struct State {
    random: Random,
    calls: u64,
    injected: Vec<Injected>,
}

/// Decision about one call.
struct Decision {
    call: u64,
    fault: Option<Fault>,
    /// More random bits, for faults that have a size.
    bits: u64,
}

impl Faulty {
    /// Wraps a store with faults from a seed. Its indexes do not lag.
    #[must_use]
    pub fn new(inner: Arc<dyn Store>, faults: Faults, seed: u64) -> Self {
        let state = State { random: Random::new(seed), calls: 0, injected: Vec::new() };
        Self { inner, lag: None, faults, state: Mutex::new(state) }
    }

    /// Serves index reads from `view`, an empty store that follows with a delay.
    #[must_use]
    pub fn with_lagging_indexes(self, view: Arc<dyn Store>) -> Self {
        Self { lag: Some(Lag::new(Arc::clone(&self.inner), view)), ..self }
    }

    /// All faults so far, in order. A failed test should print them with its seed.
    #[must_use]
    pub fn injected(&self) -> Vec<Injected> {
        self.state().injected.clone()
    }

    /// Number of calls so far.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.state().calls
    }

    /// Brings the lagging indexes up to date.
    ///
    /// # Errors
    /// When a wrapped store fails.
    pub async fn catch_up(&self) -> Result<(), StoreError> {
        match &self.lag {
            Some(lag) => lag.follow(0).await.map(|_| ()),
            None => Ok(()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides about a call. Every call draws the same number of random values, so that an additional kind of
    /// fault does not change the others.
    fn decide(&self, method: &'static str, possible: &[(f64, Fault)]) -> Decision {
        let mut state = self.state();
        let (mut chance, bits) = (state.random.fraction(), state.random.next());
        let call = state.calls;
        state.calls += 1;
        let fault = possible.iter().find_map(|(probability, fault)| {
            let happens = chance < *probability;
            chance -= probability;
            happens.then_some(*fault)
        });
        if let Some(fault) = fault {
            state.injected.push(Injected { call, method, fault });
        }
        Decision { call, fault, bits }
    }

    fn decide_read(&self, method: &'static str) -> Result<Decision, StoreError> {
        let Faults { throttle, timeout_before, .. } = self.faults;
        let decision =
            self.decide(method, &[(throttle, Fault::Throttle), (timeout_before, Fault::TimeoutBefore)]);
        match decision.fault {
            Some(Fault::Throttle) => Err(StoreError::Throttled),
            // The outcome of a read is never unknown.
            Some(_) => Err(timed_out(method, false)),
            None => Ok(decision),
        }
    }

    /// Returns whether the response is lost.
    fn decide_write(&self, method: &'static str) -> Result<bool, StoreError> {
        let Faults { throttle, conflict, timeout_before, timeout_after, .. } = self.faults;
        let possible = [
            (throttle, Fault::Throttle),
            (conflict, Fault::Conflict),
            (timeout_before, Fault::TimeoutBefore),
            (timeout_after, Fault::TimeoutAfter),
        ];
        match self.decide(method, &possible).fault {
            Some(Fault::Throttle) => Err(StoreError::Throttled),
            Some(Fault::Conflict) => Err(StoreError::Conflict),
            Some(Fault::TimeoutBefore) => Err(timed_out(method, true)),
            Some(Fault::TimeoutAfter) => Ok(true),
            Some(Fault::IndexLag(_)) | None => Ok(false),
        }
    }

    /// Returns the store for an index read.
    async fn index_store(&self, method: &'static str, decision: &Decision) -> Result<&dyn Store, StoreError> {
        let Some(lag) = &self.lag else { return Ok(&*self.inner) };
        let late = random::fraction(decision.bits) < self.faults.index_lag;
        // The lower bits, which [`random::fraction`] does not use.
        let behind = lag.follow(if late { 1 + decision.bits % 1024 } else { 0 }).await?;
        if behind > 0 {
            let fault = Fault::IndexLag(behind);
            self.state().injected.push(Injected { call: decision.call, method, fault });
        }
        Ok(lag.view())
    }

    fn wrote<'k>(&self, table: &Table, keys: impl IntoIterator<Item = &'k Key>) {
        if let Some(lag) = &self.lag {
            lag.wrote(table, keys);
        }
    }
}

fn timed_out(method: &str, outcome_unknown: bool) -> StoreError {
    let message = format!("`{method}` had no response: this fault was injected");
    StoreError::Unavailable(Unavailable { message, outcome_unknown, source: None })
}

impl fmt::Debug for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faulty")
            .field("inner", &self.inner)
            .field("faults", &self.faults)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Store for Faulty {
    /// Without faults: a test starts with a table.
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        self.inner.ensure_table(table).await?;
        match &self.lag {
            Some(lag) => lag.view().ensure_table(table).await,
            None => Ok(()),
        }
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        self.decide_read("get")?;
        self.inner.get(table, get).await
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        self.decide_read("batch_get")?;
        self.inner.batch_get(table, gets).await
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        let decision = self.decide_read("query")?;
        match &query.index {
            Some(_) => self.index_store("query", &decision).await?.query(table, query).await,
            None => self.inner.query(table, query).await,
        }
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        let decision = self.decide_read("scan")?;
        match &scan.index {
            Some(_) => self.index_store("scan", &decision).await?.scan(table, scan).await,
            None => self.inner.scan(table, scan).await,
        }
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        let lost = self.decide_write("write")?;
        let key = write.key.clone();
        let result = self.inner.write(table, write).await;
        self.wrote(table, [&key]);
        if lost { Err(timed_out("write", true)) } else { result }
    }

    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        let lost = self.decide_write("transact")?;
        let items: Vec<_> = writes.iter().map(|one| (one.table.clone(), one.write.key.clone())).collect();
        let result = self.inner.transact(writes).await;
        for (table, key) in &items {
            self.wrote(table, [key]);
        }
        if lost { Err(timed_out("transact", true)) } else { result }
    }

    /// Items are stored independently: with a lost response, the second half is not stored.
    async fn batch_put(&self, table: &Table, mut items: Vec<Item>) -> Result<(), StoreError> {
        let lost = self.decide_write("batch_put")?;
        if lost {
            items.truncate(items.len().div_ceil(2));
        }
        let keys: Vec<_> = items.iter().filter_map(|item| check::key_of(table, item).ok()).collect();
        let result = self.inner.batch_put(table, items).await;
        self.wrote(table, &keys);
        if lost { Err(timed_out("batch_put", true)) } else { result }
    }

    async fn history(&self, table: &Table, key: &Key, limit: usize) -> Result<Option<History>, StoreError> {
        self.decide_read("history")?;
        self.inner.history(table, key, limit).await
    }
}
