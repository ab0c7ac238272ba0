//! The queues of a directory, and where their messages lie.

use std::collections::HashMap;
use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock};

use hansang_core::{Error, StoreError};
use tokio::sync::Notify;

use crate::engine::{Engine, Reads, Space};

/// A queue of the directory.
pub(crate) struct Place {
    /// The number that names its spaces.
    pub(crate) number: u32,
    /// What messages say, which never changes: when each was due first, and its body.
    pub(crate) messages: Space,
    /// What became of messages since they were sent, which changes with every delivery and is small.
    pub(crate) states: Space,
    /// Rings when there may be something to receive.
    pub(crate) bell: Notify,
}

impl Place {
    fn open(engine: &Engine, number: u32) -> Result<Self, StoreError> {
        // Nobody asks for a message that is not there, so filters would be of no use.
        let space = |what: &str| engine.space(&format!("queue.{number}.{what}"), Reads::Ranges);
        Ok(Self { number, messages: space("messages")?, states: space("states")?, bell: Notify::new() })
    }
}

/// The queues that are known, by name.
pub(crate) struct Places {
    meta: Space,
    known: RwLock<HashMap<String, Arc<Place>>>,
}

impl Places {
    /// Reads what the directory has.
    pub(crate) fn load(engine: &Engine) -> Result<Self, StoreError> {
        let meta = engine.space("queues", Reads::Keys)?;
        let snapshot = engine.snapshot();
        let mut known = HashMap::new();
        for entry in snapshot.range(engine, &meta, (Bound::Unbounded, Bound::Unbounded), false) {
            let (name, number) = entry?;
            let name = String::from_utf8(name.to_vec()).ok();
            let number = number.first_chunk().map(|bytes| u32::from_be_bytes(*bytes));
            let (Some(name), Some(number)) = (name, number) else {
                return Err(StoreError::unavailable("the list of queues is damaged: restore a backup"));
            };
            known.insert(name, Arc::new(Place::open(engine, number)?));
        }
        Ok(Self { meta, known: RwLock::new(known) })
    }

    /// The place of a queue.
    pub(crate) fn get(&self, name: &str) -> Result<Arc<Place>, StoreError> {
        self.find(name).ok_or_else(|| {
            let message = format!("there is no queue `{name}` here: make it first");
            Error::invalid("unknown_queue", message).into()
        })
    }

    /// Makes sure that there is such a queue. Only the writer does so, so no two make the same.
    pub(crate) fn ensure(&self, engine: &Engine, name: &str) -> Result<(), StoreError> {
        if self.find(name).is_some() {
            return Ok(());
        }
        let number = {
            let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
            known.values().map(|place| place.number + 1).max().unwrap_or(0)
        };
        let place = Place::open(engine, number)?;
        let mut batch = engine.batch(1);
        batch.put(&self.meta, name.as_bytes().to_vec(), number.to_be_bytes().to_vec());
        engine.commit(batch)?;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(name.to_owned(), Arc::new(place));
        Ok(())
    }

    fn find(&self, name: &str) -> Option<Arc<Place>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }
}
