//! The queues of a directory and their keyspaces.

use std::collections::HashMap;
use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock};

use hansang_core::{CoreCode, Error, StoreError, message};
use tokio::sync::Notify;

use crate::engine::{Engine, Reads, Space};
use crate::messages;

/// Keyspaces of a queue.
pub(crate) struct QueueSpaces {
    /// Number in the names of its keyspaces.
    pub(crate) number: u32,
    /// Messages, which never change: first due time and body.
    pub(crate) messages: Space,
    /// States of messages since they were sent, which change with every delivery.
    pub(crate) states: Space,
    /// Notified when there may be something to receive.
    pub(crate) available: Notify,
}

impl QueueSpaces {
    fn open(engine: &Engine, number: u32) -> Result<Self, StoreError> {
        // Missing messages are never looked up, so filters would not help.
        let space = |what: &str| engine.space(&format!("queue.{number}.{what}"), Reads::Ranges);
        Ok(Self { number, messages: space("messages")?, states: space("states")?, available: Notify::new() })
    }
}

/// Queues by name.
pub(crate) struct QueueCatalog {
    meta: Space,
    known: RwLock<HashMap<String, Arc<QueueSpaces>>>,
}

impl QueueCatalog {
    /// Opens all queues of the directory.
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
            known.insert(name, Arc::new(QueueSpaces::open(engine, number)?));
        }
        Ok(Self { meta, known: RwLock::new(known) })
    }

    /// Returns the keyspaces of a queue.
    pub(crate) fn get(&self, name: &str) -> Result<Arc<QueueSpaces>, StoreError> {
        self.find(name).ok_or_else(|| {
            Error::invalid(CoreCode::UnknownQueue, message!(messages::UNKNOWN_QUEUE, name)).into()
        })
    }

    /// Creates the queue if it does not exist. Only the writer calls this.
    pub(crate) fn ensure(&self, engine: &Engine, name: &str) -> Result<(), StoreError> {
        if self.find(name).is_some() {
            return Ok(());
        }
        let number = {
            let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
            known.values().map(|spaces| spaces.number + 1).max().unwrap_or(0)
        };
        let spaces = QueueSpaces::open(engine, number)?;
        let mut batch = engine.batch(1);
        batch.put(&self.meta, name.as_bytes().to_vec(), number.to_be_bytes().to_vec());
        engine.commit(batch)?;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(name.to_owned(), Arc::new(spaces));
        Ok(())
    }

    fn find(&self, name: &str) -> Option<Arc<QueueSpaces>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }
}
