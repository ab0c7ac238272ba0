//! The port to stores: a few methods over plans, with DynamoDB's rules.
//!
//! A store executes plans and decides nothing. [`check`] holds the rules that need no stored item,
//! [`crate::evaluate`] and [`crate::apply()`] those that do, so that all stores behave the same.

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

/// A store of items in tables.
///
/// DynamoDB's rules are the contract: an item has at most 400 KB, a page 1 MB, a transaction 100
/// writes of different items and 4 MB; an index has no strong reads. `table` carries the real name: see
/// [`Table::in_env`].
#[async_trait]
pub trait Store: fmt::Debug + Send + Sync {
    /// Creates the table if it does not exist, and updates an existing one: adds missing indexes and enables
    /// expiry.
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError>;

    /// One item, or nothing.
    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError>;

    /// Many items, in the order of the keys; nothing for a missing one.
    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError>;

    /// Items of one partition in order, up to the limit or 1 MB, before the filter.
    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError>;

    /// All items, page by page, in no particular order. For export, verification and backfill: no access
    /// pattern uses it.
    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError>;

    /// One write, if its guards hold. Returns the updated item of an update and the removed item of a delete;
    /// nothing for a put.
    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError>;

    /// All of the writes, or none: at most 100, each of another item, in one table or several.
    ///
    /// [`FailedCondition::index`] counts through `writes` as given, across tables.
    /// Items of two tables may have the same key.
    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError>;

    /// Stores whole items without conditions, each by itself: for import. After an error some of them may be
    /// stored; a retry is safe.
    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError>;

    /// The last changes of one item, at most `limit`, newest first. Nothing if this store keeps no changes of
    /// the table.
    ///
    /// Changes are kept for a day, as in DynamoDB, and only while the table has [`Table::streams`]
    /// on: writes before that, or while it was off, are missing. They are ordered by time and not by item, so a
    /// store reads a bounded number of them, and [`History::whole`] tells whether that was all. For people who
    /// inspect one item: no access pattern uses it.
    ///
    /// A store that wraps another one must forward this: the default is that of a store without changes.
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
    /// The key attributes after which the next page starts; absent for the last page. A page that reached its
    /// limit has it even if nothing follows.
    pub next: Option<Item>,
}

/// The last changes of one item: see [`Store::history`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The changes, newest first.
    pub changes: Vec<Past>,
    /// Whether all stored changes were read. If not, there may be older changes of this item.
    pub whole: bool,
}

/// One change of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// The time of the change.
    pub at: Timestamp,
    /// The item before, if there was one.
    pub old: Option<Item>,
    /// The item after, if it still existed. An expired item is removed when the store sweeps it, not when it
    /// expires.
    pub new: Option<Item>,
}

/// An error of a store, by the action that the caller can take.
#[derive(Clone, Debug)]
pub enum StoreError {
    /// Guards failed, and nothing was written: read again, then decide again.
    Condition(Vec<FailedCondition>),
    /// Another write of the same item was in progress, and nothing was written: try again.
    Conflict,
    /// Too many requests, and nothing was written: try again later.
    Throttled,
    /// The request breaks a rule: change it. Nothing was written.
    Invalid(Error),
    /// The store cannot be reached or cannot write.
    Unavailable(Unavailable),
}

/// A write whose guards failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCondition {
    /// The position of the write.
    pub index: usize,
    /// The stored item, if there was one.
    pub item: Option<Item>,
}

/// A failure of a store or queue.
#[derive(Clone, Debug)]
pub struct Unavailable {
    /// The problem and the next step, for the operator.
    pub message: String,
    /// Whether the write may have taken effect.
    pub outcome_unknown: bool,
    /// The cause.
    pub source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

impl StoreError {
    /// The guards of the only write failed.
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
