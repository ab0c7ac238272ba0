//! The queues of a directory and their keyspaces.

use std::collections::HashMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use hansang_core::{CoreCode, Error, StoreError, message};
use tokio::sync::Notify;

use crate::engine::{Engine, Reads, Space};
use crate::messages;
use crate::seal::{self, Kind};

/// Keyspaces of a queue.
pub(crate) struct QueueSpaces {
    /// Number in the names of its keyspaces.
    pub(crate) number: u32,
    /// Messages, which never change: first due time and body.
    pub(crate) messages: Space,
    /// States of messages since they were sent, which change with every delivery.
    pub(crate) states: Space,
    /// Notified when there may be something to receive.
    pub(crate) available: Arc<Notify>,
}

/// Signals to waiting receivers, by queue name. They outlive the engine, which may be opened again.
#[derive(Default)]
pub(crate) struct Signals(Mutex<HashMap<String, Arc<Notify>>>);

impl Signals {
    /// Returns the signal of a queue.
    pub(crate) fn get(&self, queue: &str) -> Arc<Notify> {
        let mut signals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = signals.get(queue) {
            return known.clone();
        }
        signals.entry(queue.to_owned()).or_default().clone()
    }
}

impl QueueSpaces {
    fn open(engine: &Engine, number: u32, available: Arc<Notify>) -> Result<Self, StoreError> {
        // Missing messages are never looked up, so filters would not help.
        let space = |what: &str| engine.space(&format!("queue.{number}.{what}"), Reads::Ranges);
        Ok(Self { number, messages: space("messages")?, states: space("states")?, available })
    }
}

/// Queues by name.
pub(crate) struct QueueCatalog {
    meta: Space,
    known: RwLock<HashMap<String, Arc<QueueSpaces>>>,
    signals: Arc<Signals>,
}

impl QueueCatalog {
    /// Opens all queues of the directory.
    pub(crate) fn load(engine: &Engine, signals: Arc<Signals>) -> Result<Self, StoreError> {
        let meta = engine.space("queues", Reads::Keys)?;
        let snapshot = engine.snapshot();
        let mut known = HashMap::new();
        for entry in snapshot.range(engine, &meta, (Bound::Unbounded, Bound::Unbounded), false) {
            let (name, record) = entry?;
            let number =
                engine.unseal(Kind::Other, &name, &record).ok().and_then(|bytes| bytes.try_into().ok());
            let name = String::from_utf8(name.to_vec()).ok();
            let number = number.map(u32::from_be_bytes);
            let (Some(name), Some(number)) = (name, number) else {
                return Err(StoreError::unavailable("the list of queues is damaged: restore a backup"));
            };
            let spaces = QueueSpaces::open(engine, number, signals.get(&name))?;
            known.insert(name, Arc::new(spaces));
        }
        Ok(Self { meta, known: RwLock::new(known), signals })
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
        let spaces = QueueSpaces::open(engine, number, self.signals.get(name))?;
        let mut batch = engine.batch(1);
        let record = seal::other(name.as_bytes(), &number.to_be_bytes());
        batch.put(&self.meta, name.as_bytes().to_vec(), record);
        engine.commit(batch)?;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(name.to_owned(), Arc::new(spaces));
        Ok(())
    }

    fn find(&self, name: &str) -> Option<Arc<QueueSpaces>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }
}
