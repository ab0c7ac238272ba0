//! What is served: the data of a model, and the system that is built on it, if there is one.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use hansang_contracts::Cached;
use hansang_core::{Db, Model};
use hansang_entry::Entry;

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
    /// What events can do that people enter. Here, too, records are read like those of any model, but for
    /// what is private, and written by the verbs alone.
    Entry(Arc<EntryDoor>),
}

/// The way to events, and who is let in how often.
#[derive(Clone)]
pub struct EntryDoor {
    /// The verbs, on the whole model.
    pub entry: Entry,
    /// Signs entry tokens, which everybody then needs who enters. Without it nobody does.
    pub token_secret: Option<Vec<u8>>,
    /// How many entries a second one account may send.
    pub rate: NonZeroU32,
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

    /// The model with what is private too.
    pub(crate) fn whole(&self) -> &Arc<Model> {
        match &self.verbs {
            Verbs::Entry(door) => door.entry.db.model(),
            Verbs::Records | Verbs::Contracts(_) => self.db.model(),
        }
    }
}

/// Without the secret.
impl fmt::Debug for EntryDoor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntryDoor")
            .field("entry", &self.entry)
            .field("tokens", &self.token_secret.is_some())
            .field("rate", &self.rate)
            .finish()
    }
}
