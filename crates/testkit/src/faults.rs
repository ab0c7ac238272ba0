//! A store that fails on purpose, in every way that the port allows, and always the same way from
//! one seed.

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

/// How likely each fault is, from 0 (never) to 1 (always). At most one happens to a call, so what
/// can happen to one should not add up to more than 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Faults {
    /// The store is asked for too much; nothing was done.
    pub throttle: f64,
    /// A write meets another one; nothing was done.
    pub conflict: f64,
    /// The answer never comes, and nothing was done.
    pub timeout_before: f64,
    /// The answer never comes, though the write was done. Reads are not touched.
    pub timeout_after: f64,
    /// A read of an index does not see the latest writes; needs [`Faulty::with_lagging_indexes`].
    pub index_lag: f64,
}

/// What was done to a call.
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
    /// See [`Faults::index_lag`]: so many items of the index are out of date.
    IndexLag(usize),
}

/// A fault, and the call that it happened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Injected {
    /// The number of the call, from zero.
    pub call: u64,
    /// The method that was called.
    pub method: &'static str,
    /// What was done to it.
    pub fault: Fault,
}

/// A store with faults.
///
/// The same seed and the same sequence of calls give the same faults. Calls that run at once are
/// taken in the order in which they are first polled.
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

/// What was decided for one call.
struct Turn {
    call: u64,
    fault: Option<Fault>,
    /// More chance, for faults that have a size.
    luck: u64,
}

impl Faulty {
    /// The store with faults drawn from the seed. Its indexes do not lag.
    #[must_use]
    pub fn new(inner: Arc<dyn Store>, faults: Faults, seed: u64) -> Self {
        let state = State { random: Random::new(seed), calls: 0, injected: Vec::new() };
        Self { inner, lag: None, faults, state: Mutex::new(state) }
    }

    /// Answers reads of indexes from `view`, an empty store of its own that follows with a delay.
    #[must_use]
    pub fn with_lagging_indexes(self, view: Arc<dyn Store>) -> Self {
        Self { lag: Some(Lag::new(Arc::clone(&self.inner), view)), ..self }
    }

    /// Every fault so far, in order: what a failed test should show besides its seed.
    #[must_use]
    pub fn injected(&self) -> Vec<Injected> {
        self.state().injected.clone()
    }

    /// How often the store was called so far, with faults or without.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.state().calls
    }

    /// Brings the indexes up to date.
    ///
    /// # Errors
    /// When the stores beneath fail.
    pub async fn catch_up(&self) -> Result<(), StoreError> {
        match &self.lag {
            Some(lag) => lag.follow(0).await.map(|_| ()),
            None => Ok(()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides what happens to a call. Every call draws the same number of times, so that one more
    /// kind of fault does not change the others.
    fn turn(&self, method: &'static str, possible: &[(f64, Fault)]) -> Turn {
        let mut state = self.state();
        let (mut chance, luck) = (state.random.fraction(), state.random.next());
        let call = state.calls;
        state.calls += 1;
        let fault = possible.iter().find_map(|(likely, fault)| {
            let happens = chance < *likely;
            chance -= likely;
            happens.then_some(*fault)
        });
        if let Some(fault) = fault {
            state.injected.push(Injected { call, method, fault });
        }
        Turn { call, fault, luck }
    }

    fn turn_of_read(&self, method: &'static str) -> Result<Turn, StoreError> {
        let Faults { throttle, timeout_before, .. } = self.faults;
        let turn = self.turn(method, &[(throttle, Fault::Throttle), (timeout_before, Fault::TimeoutBefore)]);
        match turn.fault {
            Some(Fault::Throttle) => Err(StoreError::Throttled),
            // A read has no outcome that could be unknown.
            Some(_) => Err(timed_out(method, false)),
            None => Ok(turn),
        }
    }

    /// Gives whether the answer is to be lost.
    fn turn_of_write(&self, method: &'static str) -> Result<bool, StoreError> {
        let Faults { throttle, conflict, timeout_before, timeout_after, .. } = self.faults;
        let possible = [
            (throttle, Fault::Throttle),
            (conflict, Fault::Conflict),
            (timeout_before, Fault::TimeoutBefore),
            (timeout_after, Fault::TimeoutAfter),
        ];
        match self.turn(method, &possible).fault {
            Some(Fault::Throttle) => Err(StoreError::Throttled),
            Some(Fault::Conflict) => Err(StoreError::Conflict),
            Some(Fault::TimeoutBefore) => Err(timed_out(method, true)),
            Some(Fault::TimeoutAfter) => Ok(true),
            Some(Fault::IndexLag(_)) | None => Ok(false),
        }
    }

    /// The store that answers reads of an index now.
    async fn index_store(&self, method: &'static str, turn: &Turn) -> Result<&dyn Store, StoreError> {
        let Some(lag) = &self.lag else { return Ok(&*self.inner) };
        let late = random::fraction(turn.luck) < self.faults.index_lag;
        // The lower bits, which the fraction does not use.
        let behind = lag.follow(if late { 1 + turn.luck % 1024 } else { 0 }).await?;
        if behind > 0 {
            let fault = Fault::IndexLag(behind);
            self.state().injected.push(Injected { call: turn.call, method, fault });
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
    let message = format!("`{method}` had no answer: this fault was injected");
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
    /// Tables are made without faults: a test starts with one.
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        self.inner.ensure_table(table).await?;
        match &self.lag {
            Some(lag) => lag.view().ensure_table(table).await,
            None => Ok(()),
        }
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        self.turn_of_read("get")?;
        self.inner.get(table, get).await
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        self.turn_of_read("batch_get")?;
        self.inner.batch_get(table, gets).await
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        let turn = self.turn_of_read("query")?;
        match &query.index {
            Some(_) => self.index_store("query", &turn).await?.query(table, query).await,
            None => self.inner.query(table, query).await,
        }
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        let turn = self.turn_of_read("scan")?;
        match &scan.index {
            Some(_) => self.index_store("scan", &turn).await?.scan(table, scan).await,
            None => self.inner.scan(table, scan).await,
        }
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        let lost = self.turn_of_write("write")?;
        let key = write.key.clone();
        let answer = self.inner.write(table, write).await;
        self.wrote(table, [&key]);
        if lost { Err(timed_out("write", true)) } else { answer }
    }

    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        let lost = self.turn_of_write("transact")?;
        let items: Vec<_> = writes.iter().map(|one| (one.table.clone(), one.write.key.clone())).collect();
        let answer = self.inner.transact(writes).await;
        for (table, key) in &items {
            self.wrote(table, [key]);
        }
        if lost { Err(timed_out("transact", true)) } else { answer }
    }

    /// The items are stored each by itself: when the answer is lost, so is the second half of them.
    async fn batch_put(&self, table: &Table, mut items: Vec<Item>) -> Result<(), StoreError> {
        let lost = self.turn_of_write("batch_put")?;
        if lost {
            items.truncate(items.len().div_ceil(2));
        }
        let keys: Vec<_> = items.iter().filter_map(|item| check::key_of(table, item).ok()).collect();
        let answer = self.inner.batch_put(table, items).await;
        self.wrote(table, &keys);
        if lost { Err(timed_out("batch_put", true)) } else { answer }
    }

    async fn history(&self, table: &Table, key: &Key, limit: usize) -> Result<Option<History>, StoreError> {
        self.turn_of_read("history")?;
        self.inner.history(table, key, limit).await
    }
}
