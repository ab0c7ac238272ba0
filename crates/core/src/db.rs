//! `Db`: a compiled model, a store and a clock.
//!
//! Everything that a caller can do with the data of a model is a method here. [`Db`] plans with the pure
//! modules of this crate, lets the store execute, and turns failures into errors for the caller. Typed
//! structs have the same methods: see [`Db::of`].

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;

use crate::code::CoreCode;
use crate::compile::nearest;
use crate::cursor::CursorKey;
use crate::error::Error;
use crate::expiry;
use crate::message;
use crate::messages::reads;
use crate::model::{Entity, Model, Pattern, Table};
use crate::plan::Get;
use crate::store::Store;
use crate::value::{Item, Name};
use crate::write::Moment;

mod alongside;
mod failure;
mod get;
mod history;
mod import;
mod operation;
mod query;
mod record;
mod transact;
mod typed;

use alongside::Alongside;
pub use get::GetOptions;
pub use history::{Changed, ChangedField, Changes, Image, compare};
pub use import::{Imported, RefusedItem};
pub use operation::Operation;
pub use query::{Ask, Listing, MAX_PAGE_BYTES};
pub use record::{Record, Stray};
pub use transact::Refusal;
pub use typed::{Of, Typed, TypedListing};

/// The data of one model. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Db {
    model: Arc<Model>,
    table: Arc<Table>,
    store: Arc<dyn Store>,
    clock: Clock,
    cursor_key: Arc<CursorKey>,
    /// Writes of other tables that are part of every write: see [`Db::alongside`].
    alongside: Alongside,
    /// Entities that this handle does not write: see [`Db::closing`].
    closed: Arc<[Name]>,
}

/// The source of time and randomness: this crate has neither.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Moment + Send + Sync>);

impl Clock {
    /// A clock that calls this function. Each moment needs new random bits.
    pub fn new(moment: impl Fn() -> Moment + Send + Sync + 'static) -> Self {
        Self(Arc::new(moment))
    }

    /// This moment.
    #[must_use]
    pub fn moment(&self) -> Moment {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock(…)")
    }
}

impl Db {
    /// Combines a model with the store of its table in an environment. The key signs the cursors of pages;
    /// servers of the same clients need the same key.
    #[must_use]
    pub fn new(
        model: Arc<Model>,
        env: Option<&str>,
        store: Arc<dyn Store>,
        clock: Clock,
        cursor_key: CursorKey,
    ) -> Self {
        let table = Arc::new(model.table.in_env(env));
        Self {
            model,
            table,
            store,
            clock,
            cursor_key: Arc::new(cursor_key),
            alongside: Alongside::default(),
            closed: Arc::default(),
        }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The table as the store knows it.
    #[must_use]
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// The same data through another store, such as one that records the calls.
    #[must_use]
    pub fn by_way_of(&self, store: Arc<dyn Store>) -> Self {
        Self { store, ..self.clone() }
    }

    /// The same data, read-only for these entities. A system closes the entities whose rules only its own operations
    /// keep, and leaves the others to the generic ones.
    #[must_use]
    pub fn closing<'e>(&self, entities: impl IntoIterator<Item = &'e str>) -> Self {
        Self { closed: entities.into_iter().map(Name::from).collect(), ..self.clone() }
    }

    /// Whether this handle does not write an entity.
    #[must_use]
    pub fn is_closed(&self, entity: &str) -> bool {
        self.closed.iter().any(|closed| &**closed == entity)
    }

    /// The entity of this name, for a write.
    fn writable(&self, name: &str) -> Result<&Arc<Entity>, Error> {
        let entity = self.entity(name)?;
        if self.is_closed(name) {
            let message = message!(reads::CLOSED_ENTITY, &self.model.name, name);
            return Err(Error::conflict(CoreCode::ClosedEntity, message));
        }
        Ok(entity)
    }

    /// The clock.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Creates the table if it does not exist, and updates an existing one to the model.
    ///
    /// # Errors
    /// When the store cannot, or an existing table does not fit.
    pub async fn ensure_table(&self) -> Result<(), Error> {
        self.store.ensure_table(&self.table).await.map_err(failure::of_store)
    }

    /// The entity of this name.
    ///
    /// # Errors
    /// When the model does not have it.
    pub fn entity(&self, name: &str) -> Result<&Arc<Entity>, Error> {
        self.model.entity(name).ok_or_else(|| self.unknown_entity(name))
    }

    /// The pattern of this name.
    ///
    /// # Errors
    /// When the model does not have it.
    pub fn pattern(&self, name: &str) -> Result<&Pattern, Error> {
        self.model.pattern(name).ok_or_else(|| self.unknown_pattern(name))
    }

    fn unknown_entity(&self, name: &str) -> Error {
        let (model, known) = (&self.model.name, self.model.entities.iter().map(|entity| &*entity.name));
        let message = match nearest(name, known) {
            Some(near) => message!(reads::UNKNOWN_ENTITY_NEAR, model, name, near),
            None => message!(reads::UNKNOWN_ENTITY, model, name),
        };
        Error::not_found(CoreCode::UnknownEntity, message)
    }

    fn unknown_pattern(&self, name: &str) -> Error {
        let (model, known) = (&self.model.name, self.model.patterns.iter().map(|pattern| &*pattern.name));
        let message = match nearest(name, known) {
            Some(near) => message!(reads::UNKNOWN_PATTERN_NEAR, model, name, near),
            None => message!(reads::UNKNOWN_PATTERN, model, name),
        };
        Error::not_found(CoreCode::UnknownPattern, message)
    }

    /// One stored item, unless it has expired.
    async fn read(&self, get: &Get, now: Timestamp) -> Result<Option<Item>, Error> {
        let item = self.store.get(&self.table, get).await.map_err(failure::of_store)?;
        Ok(item.filter(|item| !expiry::is_expired(&self.table, item, now)))
    }
}
