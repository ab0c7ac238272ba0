//! Writes of other tables in the same transaction.

use std::fmt;
use std::sync::Arc;

use super::Db;
use crate::code::CoreCode;
use crate::error::Error;
use crate::message;
use crate::messages::writes;
use crate::plan::{Key, TableWrite};
use crate::value::Item;
use crate::write;

/// Plans writes from the keys of the records.
type PlanOfKeys = dyn Fn(&[Key]) -> Result<Vec<TableWrite>, Error> + Send + Sync;

/// The writes that a handle carries.
#[derive(Clone, Default)]
pub(super) struct Alongside {
    fixed: Arc<[TableWrite]>,
    of_keys: Option<Arc<PlanOfKeys>>,
}

impl Alongside {
    /// The writes that go with a write of these keys.
    pub(super) fn writes(&self, keys: impl FnOnce() -> Vec<Key>) -> Result<Vec<TableWrite>, Error> {
        let mut writes = self.fixed.to_vec();
        if let Some(plan) = &self.of_keys {
            writes.extend(plan(&keys())?);
        }
        Ok(writes)
    }
}

impl fmt::Debug for Alongside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Alongside").field("fixed", &self.fixed).finish_non_exhaustive()
    }
}

impl Db {
    /// The same data with writes of other tables that are part of each write through this handle: all of it
    /// happens, or nothing does.
    ///
    /// [`Db::create`], [`Db::put`], [`Db::update`], [`Db::delete`], [`Db::relocate`], [`Db::transact`] and
    /// [`Db::commit`] carry them in every attempt. A second write would carry them again, so a handle is for one.
    /// [`Db::import`] does not carry them. The tables must be in the same store.
    ///
    /// Errors stay those of the record, with one more: a guard of these writes that does not hold is an error with
    /// the code [`CoreCode::AlongsideRefused`], whose source is the error of that guard. A guard of the record is reported
    /// first.
    ///
    /// ```
    /// # use hansang_core::{Db, Error, Item, Record};
    /// /// Creates a post, and the entry of the log that says so.
    /// async fn create_logged(posts: &Db, log: &Db, post: Item, entry: Item) -> Result<Record, Error> {
    ///     let entry = log.plan_create("Entry", entry)?;
    ///     posts.alongside(entry).create("Post", post).await
    /// }
    /// ```
    #[must_use]
    pub fn alongside(&self, writes: Vec<TableWrite>) -> Self {
        let fixed = self.alongside.fixed.iter().cloned().chain(writes).collect();
        let alongside = Alongside { fixed, of_keys: self.alongside.of_keys.clone() };
        Self { alongside, ..self.clone() }
    }

    /// As [`Db::alongside`], with writes that are planned from the keys of the items that are written, such as an entry of
    /// a log that names them. A new item has no key before that: its id may be generated.
    ///
    /// Each attempt plans them anew. Only the last `plan` of a handle counts.
    #[must_use]
    pub fn alongside_keys(
        &self,
        plan: impl Fn(&[Key]) -> Result<Vec<TableWrite>, Error> + Send + Sync + 'static,
    ) -> Self {
        let alongside = Alongside { fixed: self.alongside.fixed.clone(), of_keys: Some(Arc::new(plan)) };
        Self { alongside, ..self.clone() }
    }

    /// The writes of a [`Db::create`], to be executed by another one: see [`Db::alongside`].
    ///
    /// Identifiers and times are those of this moment, however late the writes are executed.
    ///
    /// # Errors
    /// Every field that breaks a rule.
    pub fn plan_create(&self, entity: &str, fields: Item) -> Result<Vec<TableWrite>, Error> {
        let writes = write::create(&self.model, self.entity(entity)?, fields, &self.clock.moment())?;
        Ok(TableWrite::all(&self.table, writes))
    }
}

/// The error of a guard that belongs to a write of [`Db::alongside`].
pub(super) fn refused(error: Error) -> Error {
    let message = message!(writes::ALONGSIDE_REFUSED, &error.message);
    Error::conflict(CoreCode::AlongsideRefused, message).caused_by(error)
}
