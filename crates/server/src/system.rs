//! What is served: the data of a model, and the system that is built on it, if there is one.

use std::sync::Arc;

use hansang_contracts::Cached;
use hansang_core::Db;

/// A system.
#[derive(Clone, Debug)]
pub struct System {
    /// Its data.
    pub db: Db,
    /// What can be done with it.
    pub verbs: Verbs,
}

/// What can be done with the data of a system.
#[derive(Clone, Debug)]
pub enum Verbs {
    /// Whatever can be done with the records of any model.
    Records,
    /// What a registry of contracts can do. Records are read like those of any model, and written by
    /// the registry alone: no other way in can break what it promises.
    Contracts(Arc<Cached>),
}

impl From<Db> for System {
    fn from(db: Db) -> Self {
        Self { db, verbs: Verbs::Records }
    }
}

impl System {
    /// What the system is called.
    pub(crate) fn name(&self) -> &str {
        &self.db.model().name
    }

    /// Whether records are written by whoever may, and not by the system's own verbs alone.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.verbs, Verbs::Records)
    }
}
