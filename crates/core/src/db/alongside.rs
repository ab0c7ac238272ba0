//! Writes of other tables in the same transaction.

use super::Db;
use crate::code::CoreCode;
use crate::error::Error;
use crate::message;
use crate::messages::writes;
use crate::plan::TableWrite;
use crate::value::Item;
use crate::write;

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
        let alongside = self.alongside.iter().cloned().chain(writes).collect();
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
