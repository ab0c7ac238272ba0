//! What is served: the data of a model, and the system that is built on it, if there is one.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use hansang_contracts::Cached;
use hansang_core::{Db, Model};
use hansang_entry::{Entry, Gate};

use crate::app;
use crate::limits::Limiter;

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

/// The way to events, for programs and for whoever looks at pages: who is let in how often.
pub struct EntryDoor {
    /// The verbs, on the whole model.
    pub entry: Entry,
    /// Signs entry tokens, which everybody then needs who enters. Without it nobody does.
    pub(crate) token_secret: Option<Vec<u8>>,
    /// How often each account enters.
    pub(crate) rates: Limiter,
    /// What entries go through.
    pub(crate) gate: Gate,
}

impl EntryDoor {
    /// A door to these events. With a secret, everybody needs an entry token that it signed. An account may send `rate`
    /// entries a second, in whatever way.
    #[must_use]
    pub fn new(entry: Entry, token_secret: Option<Vec<u8>>, rate: NonZeroU32) -> Self {
        let gate = Gate::new(entry.clone());
        Self { entry, token_secret, rates: Limiter::new(app::rate(rate)), gate }
    }
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
            .finish_non_exhaustive()
    }
}
