//! The engine as it is open at the moment. After a failed write it is closed and opened again.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};
use std::thread;
use std::time::{Duration, Instant};

use hansang_core::StoreError;

use crate::Options;
use crate::catalog::Catalog;
use crate::engine::{Batch, ENGINE_DIRECTORY, Engine, Lock, Reads, Snapshot, Space};
use crate::feed;
use crate::inspect::inspect;
use crate::journal::{self, Tail};
use crate::queue::{QueueCatalog, Signals};
use crate::seal::{self, Kind};
use crate::state::{State, damaged};

/// Time that readers have to finish before the engine is closed.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(10);
/// Key of the number of the last checkpoint, among the notes.
const CHECKPOINT_KEY: &[u8] = b"checkpoint";

/// An open engine with everything that refers to it.
pub(crate) struct Opened {
    pub(crate) engine: Engine,
    pub(crate) catalog: Catalog,
    pub(crate) queues: QueueCatalog,
    /// Keyspace of the table definitions.
    pub(crate) meta: Space,
    /// Keyspace of records about the directory itself.
    pub(crate) notes: Space,
}

/// A snapshot and the engine that it belongs to. Empty after the engine was closed.
pub(crate) type FrozenSlot = Mutex<Option<(Arc<Opened>, Snapshot)>>;

pub(crate) struct Current {
    directory: PathBuf,
    options: Options,
    opened: RwLock<Option<Arc<Opened>>>,
    /// Snapshots that would keep the engine open.
    frozen: Mutex<Vec<Weak<FrozenSlot>>>,
    pub(crate) signals: Arc<Signals>,
    /// State as the file has it.
    state: Mutex<State>,
    /// Whether something was committed since the last checkpoint.
    changed: AtomicBool,
}

impl Current {
    pub(crate) fn open(directory: &Path, options: Options) -> Result<Self, StoreError> {
        let mut state = State::load(directory)?;
        let signals = Arc::<Signals>::default();
        let opened = Opened::open(directory, &options, &signals, &state)?;
        let stored = opened.checkpoint()?;
        if stored < state.checkpoint {
            let problem =
                format!("its newest writes are missing (checkpoint {stored} of {})", state.checkpoint);
            return Err(damaged(directory, &problem));
        }
        state.checkpoint = stored;
        state.closed = None;
        state.keyspaces = opened.engine.keyspaces();
        state.save(directory)?;
        Ok(Self {
            directory: directory.to_owned(),
            options,
            opened: RwLock::new(Some(Arc::new(opened))),
            frozen: Mutex::default(),
            signals,
            state: Mutex::new(state),
            changed: AtomicBool::new(false),
        })
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the open engine. Callers must not keep it while they wait for the writer, which may close it.
    pub(crate) fn get(&self) -> Result<Arc<Opened>, StoreError> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        opened.clone().ok_or_else(|| {
            let directory = self.directory.display();
            StoreError::unavailable(format!("{directory} is not open at the moment, because a write failed"))
        })
    }

    /// Takes a snapshot that ends when the engine is closed.
    pub(crate) fn freeze(&self) -> Result<Arc<FrozenSlot>, StoreError> {
        let opened = self.get()?;
        let snapshot = opened.engine.snapshot();
        let slot = Arc::new(Mutex::new(Some((opened, snapshot))));
        let mut frozen = self.frozen.lock().unwrap_or_else(PoisonError::into_inner);
        frozen.retain(|slot| slot.strong_count() > 0);
        frozen.push(Arc::downgrade(&slot));
        Ok(slot)
    }

    /// Closes the engine once no reader uses it. Returns false if some reader takes too long: it stays open
    /// then.
    pub(crate) fn close(&self) -> bool {
        let taken = self.opened.write().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut opened) = taken else { return true };
        for slot in self.frozen.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            if let Some(slot) = slot.upgrade() {
                slot.lock().unwrap_or_else(PoisonError::into_inner).take();
            }
        }
        let began = Instant::now();
        while began.elapsed() < CLOSE_TIMEOUT {
            match Arc::try_unwrap(opened) {
                Ok(last) => {
                    drop(last);
                    return true;
                }
                Err(shared) => opened = shared,
            }
            thread::sleep(Duration::from_millis(1));
        }
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = Some(opened);
        false
    }

    /// Opens the engine again after [`Self::close`].
    pub(crate) fn reopen(&self) -> Result<(), StoreError> {
        let state = self.state().clone();
        let opened = Opened::open(&self.directory, &self.options, &self.signals, &state)?;
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(opened));
        Ok(())
    }

    /// Notes that something was committed.
    pub(crate) fn changed(&self) {
        self.changed.store(true, Ordering::Relaxed);
    }

    /// Adds a checkpoint to a batch, if something was committed since the last one. Returns its number.
    pub(crate) fn begin_checkpoint(&self, opened: &Opened, batch: &mut Batch) -> Option<u64> {
        let number = self.changed.load(Ordering::Relaxed).then(|| self.state().checkpoint + 1)?;
        let record = seal::other(CHECKPOINT_KEY, &number.to_be_bytes());
        batch.put(&opened.notes, CHECKPOINT_KEY.to_vec(), record);
        Some(number)
    }

    /// Notes a checkpoint that was committed: everything before it must be found when the directory is opened.
    pub(crate) fn end_checkpoint(&self, opened: &Opened, number: u64) -> Result<(), StoreError> {
        self.changed.store(false, Ordering::Relaxed);
        opened.engine.release_journals(&opened.notes);
        let journals = journal::list(&self.directory.join(ENGINE_DIRECTORY));
        let newest = journals.ok().and_then(|journals| Some(journals.last()?.0));
        self.update(|state| {
            state.checkpoint = number;
            state.journal = newest.unwrap_or(state.journal);
        })
    }

    /// Notes the keyspaces that must be found when the directory is opened.
    pub(crate) fn note_keyspaces(&self, opened: &Opened) -> Result<(), StoreError> {
        let keyspaces = opened.engine.keyspaces();
        self.update(|state| state.keyspaces = keyspaces)
    }

    /// Changes the state, and writes it if it is another one then.
    pub(crate) fn update(&self, change: impl FnOnce(&mut State)) -> Result<(), StoreError> {
        let mut state = self.state();
        let mut changed = state.clone();
        change(&mut changed);
        if changed != *state {
            changed.save(&self.directory)?;
            *state = changed;
        }
        Ok(())
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a last checkpoint, closes the engine and notes the end of its journals. Errors leave a directory
    /// that is opened like one after a crash.
    pub(crate) fn finish(&self) -> Result<(), StoreError> {
        if let Ok(opened) = self.get() {
            let mut batch = opened.engine.batch(1);
            if let Some(number) = self.begin_checkpoint(&opened, &mut batch) {
                opened.engine.commit(batch)?;
                self.end_checkpoint(&opened, number)?;
            }
            opened.engine.settle();
        }
        if !self.close() {
            return Ok(());
        }
        // The next process must find the state of this one, and may open the directory already.
        let _lock = Lock::acquire(&self.directory)?;
        let journals = inspect(&self.directory, &self.state())?;
        self.update(|state| {
            state.closed = Some(journals.iter().map(|one| (one.number, one.end, one.last)).collect());
            state.journal = journals.last().map_or(state.journal, |newest| newest.number);
        })
    }
}

impl Opened {
    fn open(
        directory: &Path,
        options: &Options,
        signals: &Arc<Signals>,
        state: &State,
    ) -> Result<Self, StoreError> {
        let lock = Lock::acquire(directory)?;
        for torn in inspect(directory, state)?.iter().filter(|journal| journal.tail == Tail::Torn) {
            journal::truncate(&directory.join(ENGINE_DIRECTORY), torn)
                .map_err(|cause| damaged(directory, &format!("its journal cannot be cut: {cause}")))?;
        }
        drop(lock);
        let engine = Engine::open(directory, options, state.unsealed)?;
        let found = engine.keyspaces();
        if let Some((name, _)) = state.keyspaces.iter().find(|(name, _)| !found.contains_key(*name)) {
            return Err(damaged(directory, &format!("the keyspace {name} is missing")));
        }
        let meta = engine.space("tables", Reads::Keys)?;
        let catalog = Catalog::load(&engine, &meta)?;
        let queues = QueueCatalog::load(&engine, signals.clone())?;
        let notes = engine.space("notes", Reads::Keys)?;
        Ok(Self { engine, catalog, queues, meta, notes })
    }

    /// Number of the last checkpoint, or zero.
    fn checkpoint(&self) -> Result<u64, StoreError> {
        let bytes = self.engine.snapshot().get(&self.engine, &self.notes, CHECKPOINT_KEY)?;
        let Some(bytes) = bytes else { return Ok(0) };
        let number = self.engine.unseal(Kind::Other, CHECKPOINT_KEY, &bytes);
        number.and_then(feed::sequence).map_err(|bad| self.engine.damaged(bad))
    }
}
