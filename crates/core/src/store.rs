//! The port to whatever keeps the items: a few methods over plans, with DynamoDB's rules.
//!
//! A store executes plans and decides nothing. [`check`] holds the rules that need no stored item,
//! [`crate::evaluate`] and [`crate::apply()`] those that do, so that every store answers alike.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::error::Error;
use crate::message;
use crate::messages::stores;
use crate::model::Table;
use crate::plan::{BatchGet, Get, Key, Query, Scan, TableWrite, Write};
use crate::value::Item;

pub mod check;

/// Keeps the items of tables.
///
/// DynamoDB's rules are the contract: an item has at most 400 KB, a page 1 MB, a transaction 100
/// writes of different items and 4 MB; an index has no strong reads. `table` carries the real name: see
/// [`Table::in_env`].
#[async_trait]
pub trait Store: fmt::Debug + Send + Sync {
    /// Makes the table if there is none, and brings an existing one up to the model: missing
    /// indexes are added, expiry is switched on.
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError>;

    /// One item, or nothing.
    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError>;

    /// Many items, in the order of the keys; nothing in the place of one that is not there.
    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError>;

    /// Items of one partition in order, up to the limit or 1 MB, before the filter.
    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError>;

    /// All items, page by page, in no particular order. For export, verification and backfill:
    /// never behind an access pattern.
    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError>;

    /// One write, if its guards hold. Gives back what an update made of the item or what a
    /// deletion removed; nothing for a put.
    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError>;

    /// All of the writes, or none: at most 100, each of another item, in one table or several.
    ///
    /// [`FailedCondition::index`] counts through `writes` as they are given, whatever their tables.
    /// Items of two tables may have the same key.
    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError>;

    /// Stores whole items, whatever was there before, each by itself: for import. After an error
    /// some may be stored and others not; doing it again is safe.
    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError>;

    /// What became of one item lately: its last changes, at most `limit`, newest first. Nothing
    /// where this store keeps no changes of the table, or cannot be asked for them here.
    ///
    /// Changes are kept for a day, as in DynamoDB, and only while the table has [`Table::streams`]
    /// on: what was written before, or while it was off, is not told. They are kept in the order of
    /// time and not by item, so a store looks at a bounded number of them and says in
    /// [`History::whole`] whether that was all. For people who look at one item: never behind an
    /// access pattern.
    ///
    /// A store that stands before another one has to pass this on: what is given here is the answer
    /// of a store without changes.
    async fn history(
        &self,
        _table: &Table,
        _key: &Key,
        _limit: usize,
    ) -> Result<Option<History>, StoreError> {
        Ok(None)
    }
}

/// A page of items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The items that passed the filter.
    pub items: Vec<Item>,
    /// The key attributes behind which the next page starts; absent when this was the last one. A
    /// page that reached its limit has it even if nothing follows.
    pub next: Option<Item>,
}

/// The last changes of one item: see [`Store::history`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The changes, newest first.
    pub changes: Vec<Past>,
    /// Whether everything was looked through that is still kept. If not, the limit was reached or
    /// others changed too much since, and there may be older changes of this item.
    pub whole: bool,
}

/// One change of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// When it was made.
    pub at: Timestamp,
    /// The item before, if there was one.
    pub old: Option<Item>,
    /// The item after, if there still was one. What expired is gone when the store removed it, not
    /// in the second from which on it was hidden.
    pub new: Option<Item>,
}

/// Why a store did not do what it was told, by what the caller can do.
#[derive(Clone, Debug)]
pub enum StoreError {
    /// Guards did not hold, and nothing was written: read and decide anew.
    Condition(Vec<FailedCondition>),
    /// Another write of the same item was under way, and nothing was written: try again.
    Conflict,
    /// Too much at once, and nothing was written: try again later.
    Throttled,
    /// The request breaks a rule: change it. Nothing was written.
    Invalid(Error),
    /// The store cannot be reached or cannot write.
    Unavailable(Unavailable),
}

/// A write whose guards did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCondition {
    /// Which of the writes.
    pub index: usize,
    /// The item as it was found, if there was one.
    pub item: Option<Item>,
}

/// A store that could not do its work.
#[derive(Clone, Debug)]
pub struct Unavailable {
    /// What happened and what to do, for whoever runs the store.
    pub message: String,
    /// Whether the write may have taken effect all the same.
    pub outcome_unknown: bool,
    /// What lies beneath.
    pub source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

impl StoreError {
    /// The guards of the only write did not hold.
    #[must_use]
    pub fn condition(item: Option<Item>) -> Self {
        Self::Condition(vec![FailedCondition { index: 0, item }])
    }

    /// The store cannot be reached or cannot write, and nothing was written.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::Unavailable(Unavailable { message: message.into(), outcome_unknown: false, source: None })
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        Self::Invalid(error)
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Condition(failed) => {
                let which: Vec<String> = failed.iter().map(|one| one.index.to_string()).collect();
                write!(f, "the conditions of write {} did not hold", which.join(", "))
            }
            Self::Conflict => message!(stores::CONTENDED).fmt(f),
            Self::Throttled => message!(stores::THROTTLED).fmt(f),
            Self::Invalid(error) => error.fmt(f),
            Self::Unavailable(unavailable) => f.write_str(&unavailable.message),
        }
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unavailable(unavailable) => {
                unavailable.source.as_ref().map(|source| &**source as &(dyn std::error::Error + 'static))
            }
            _ => None,
        }
    }
}
