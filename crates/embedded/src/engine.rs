//! The only module that uses fjall: open, snapshot, read, scan, commit.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::ops::Bound;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use fjall::config::{FilterPolicy, PinningPolicy};
use fjall::{Database, KeyspaceCreateOptions, PersistMode, Readable as _};
use hansang_core::store::Unavailable;
use hansang_core::{CoreCode, Error, StoreError, message};

use crate::codec::Damaged;
use crate::keys::Range;
use crate::seal::{self, Kind};
use crate::state::damaged;
use crate::trouble::with_outcome;
use crate::{Options, journal, messages};

/// Subdirectory of the engine.
pub(crate) const ENGINE_DIRECTORY: &str = "store";
/// Background threads for flushes and compactions. One of them never compacts and requeues compaction tasks
/// until another thread is free, so with two threads it spins on a core during a compaction.
const WORKER_THREADS: usize = 4;
/// Attempts to lock the directory, 50 ms apart.
const LOCK_ATTEMPTS: usize = 10;
/// Buffers of a keyspace that may wait to be flushed before a commit. The engine stops at four, and a commit
/// adds at most one.
const MAX_SEALED: usize = 2;
/// Journals from which on rarely written keyspaces are flushed.
const MAX_JOURNALS: usize = 2;
/// Below this size, buffers stay in the journal when a directory is closed.
const MIN_FLUSH_BYTES: u64 = 1024 * 1024;

/// The storage engine on one directory.
pub(crate) struct Engine {
    database: Database,
    directory: PathBuf,
    buffer_bytes: u64,
    /// Sequence number from which on the journal may hold a commit that failed.
    failed_from: OnceLock<u64>,
    /// Whether records may lack checksums.
    unsealed: bool,
}

/// The lock of the engine's directory, held while the engine is closed.
pub(crate) struct Lock {
    _file: Option<File>,
}

impl Lock {
    /// Waits a moment for another process that is about to close the directory.
    pub(crate) fn acquire(directory: &Path) -> Result<Self, StoreError> {
        let failed = |cause| not_opened(directory, fjall::Error::Io(cause));
        let path = directory.join(ENGINE_DIRECTORY).join("lock");
        let file = match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => file,
            // A new directory.
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Self { _file: None }),
            Err(cause) => return Err(failed(cause)),
        };
        for _ in 0..LOCK_ATTEMPTS {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: Some(file) }),
                Err(TryLockError::Error(cause)) => return Err(failed(cause)),
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(50)),
            }
        }
        Err(not_opened(directory, fjall::Error::Locked))
    }
}

/// A keyspace: sorted keys with values.
#[derive(Clone)]
pub(crate) struct Space(fjall::Keyspace);

/// Access pattern of a keyspace. Bloom filters help point reads and not range reads.
#[derive(Clone, Copy)]
pub(crate) enum Reads {
    Keys,
    Ranges,
}

/// A consistent view of all keyspaces.
pub(crate) struct Snapshot(fjall::Snapshot);

/// An atomic batch of changes.
pub(crate) struct Batch {
    batch: fjall::OwnedWriteBatch,
    /// Keyspaces of the changes.
    spaces: Vec<Space>,
}

/// The value of a key.
pub(crate) type Bytes = fjall::Slice;

impl Engine {
    /// Opens a directory that was inspected, or creates its engine.
    pub(crate) fn open(directory: &Path, options: &Options, unsealed: bool) -> Result<Self, StoreError> {
        let open = || {
            Database::builder(directory.join(ENGINE_DIRECTORY))
                .cache_size(options.cache_bytes)
                .worker_threads(WORKER_THREADS)
                .open()
        };
        // The engine panics on some damage.
        let database = panic::catch_unwind(AssertUnwindSafe(open))
            .map_err(|_| damaged(directory, "the engine stopped while it read its files"))?
            .map_err(|error| not_opened(directory, error))?;
        Ok(Self {
            database,
            directory: directory.to_owned(),
            buffer_bytes: options.buffer_bytes,
            failed_from: OnceLock::new(),
            unsealed,
        })
    }

    /// Opens a keyspace, or creates it.
    pub(crate) fn space(&self, name: &str, reads: Reads) -> Result<Space, StoreError> {
        // Filter and index blocks are pinned in memory, so that they do not compete with data blocks for the
        // cache: at most 14 bytes per item with ten million items and two indexes.
        let options = || {
            let options = KeyspaceCreateOptions::default()
                .max_memtable_size(self.buffer_bytes)
                .filter_block_pinning_policy(PinningPolicy::all(true))
                .index_block_pinning_policy(PinningPolicy::all(true));
            // Prefix truncation of keys in blocks stays on: a whole key would keep its block in memory for
            // the length of a compaction, a gigabyte with ten million items.
            match reads {
                Reads::Keys => options,
                Reads::Ranges => options.filter_policy(FilterPolicy::disabled()),
            }
        };
        self.database.keyspace(name, options).map(Space).map_err(|error| self.failed(error))
    }

    /// Directory of each keyspace, by name.
    pub(crate) fn keyspaces(&self) -> BTreeMap<String, String> {
        let names = self.database.list_keyspace_names();
        let open = |name: &str| self.database.keyspace(name, KeyspaceCreateOptions::default).ok();
        let directory = |space: &fjall::Keyspace| Some(space.path().file_name()?.to_str()?.to_owned());
        names.iter().filter_map(|name| Some((name.to_string(), directory(&open(name)?)?))).collect()
    }

    /// Flushes a keyspace that is written rarely, so that it does not keep old journals.
    pub(crate) fn release_journals(&self, space: &Space) {
        if self.database.journal_count() > MAX_JOURNALS {
            // It is flushed later if this fails.
            let _ = space.0.rotate_memtable();
        }
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot(self.database.snapshot())
    }

    pub(crate) fn batch(&self, capacity: usize) -> Batch {
        let batch = fjall::OwnedWriteBatch::with_capacity(self.database.clone(), capacity);
        Batch { batch: batch.durability(Some(PersistMode::SyncData)), spaces: Vec::new() }
    }

    /// Makes a batch durable and visible. After an error the engine accepts no more writes and must be opened
    /// again.
    pub(crate) fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        self.wait_for_flushes(&batch)?;
        let from = self.database.seqno();
        batch.batch.commit().map_err(|error| {
            let refused = matches!(error, fjall::Error::Poisoned);
            if !refused {
                let _ = self.failed_from.set(from);
            }
            with_outcome(self.failed(error), !refused)
        })
    }

    /// Waits until few buffers wait to be flushed. The engine would do that too, and forever if flushes fail.
    fn wait_for_flushes(&self, batch: &Batch) -> Result<(), StoreError> {
        for space in &batch.spaces {
            while space.0.sealed_memtable_count() > MAX_SEALED {
                self.check_writable()?;
                thread::sleep(Duration::from_millis(10));
            }
        }
        Ok(())
    }

    /// Returns an error if an earlier write or flush failed.
    pub(crate) fn check_writable(&self) -> Result<(), StoreError> {
        self.database.persist(PersistMode::Buffer).map_err(|error| self.failed(error))
    }

    /// Returns an error if a commit failed since the engine was opened.
    pub(crate) fn check_commits(&self) -> Result<(), StoreError> {
        if self.failed_from.get().is_some() { self.check_writable() } else { Ok(()) }
    }

    /// Removes the commit that failed from the journal of a closed engine.
    pub(crate) fn undo(directory: &Path, failed_from: u64) -> io::Result<()> {
        journal::cut(&directory.join(ENGINE_DIRECTORY), failed_from)
    }

    /// Sequence number from which on the journal may hold a commit that failed.
    pub(crate) fn failed_from(&self) -> Option<u64> {
        self.failed_from.get().copied()
    }

    /// Flushes memtables so that the next open has little journal to replay. Gives up after five seconds or
    /// on errors, because everything is durable already. Small buffers are left alone.
    pub(crate) fn settle(&self) {
        if self.database.write_buffer_size() < MIN_FLUSH_BYTES {
            return;
        }
        // Every keyspace: a journal is kept as long as one keyspace needs it.
        let names = self.database.list_keyspace_names();
        let open = |name: &str| self.database.keyspace(name, KeyspaceCreateOptions::default).ok();
        let spaces: Vec<fjall::Keyspace> = names.iter().filter_map(|name| open(name)).collect();
        let rotated: Vec<_> = spaces.iter().filter(|space| space.rotate_memtable().is_ok()).collect();
        for _ in 0..500 {
            if rotated.iter().all(|space| space.sealed_memtable_count() == 0) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Size of all files in bytes.
    pub(crate) fn disk_bytes(&self) -> Result<u64, StoreError> {
        self.database.disk_space().map_err(|error| self.failed(error))
    }

    /// Turns an engine error into a message for the operator.
    pub(crate) fn failed(&self, error: fjall::Error) -> StoreError {
        let directory = self.directory.display();
        let message = match &error {
            fjall::Error::Poisoned => format!(
                "an earlier write to {directory} failed: make sure that the disk has room and works, and that the \
                 process may open enough files"
            ),
            fjall::Error::Io(cause) if is_full(cause) => {
                format!("{directory} has no room left: free some ({cause})")
            }
            fjall::Error::Io(cause) => format!("{directory} cannot be read or written: {cause}"),
            other => {
                tracing::error!(%directory, error = ?other, "a file of the store is damaged");
                return self.damaged(Damaged);
            }
        };
        unavailable(message, error)
    }

    /// Returns the content of a record, if it matches its checksum.
    pub(crate) fn unseal<'r>(&self, kind: Kind, key: &[u8], record: &'r [u8]) -> Result<&'r [u8], Damaged> {
        seal::open(kind, key, record, self.unsealed)
    }

    /// The error for a record that cannot be read.
    pub(crate) fn damaged(&self, Damaged: Damaged) -> StoreError {
        let message = message!(messages::DAMAGED_RECORD, self.directory.display().to_string());
        Error::corrupt(CoreCode::DamagedRecord, message).into()
    }
}

impl Space {
    /// Approximate number of keys.
    pub(crate) fn about(&self) -> usize {
        self.0.approximate_len()
    }
}

impl Snapshot {
    pub(crate) fn get(
        &self,
        engine: &Engine,
        space: &Space,
        key: &[u8],
    ) -> Result<Option<Bytes>, StoreError> {
        self.0.get(&space.0, key).map_err(|error| engine.failed(error))
    }

    /// Keys and values of a range, ascending or descending.
    pub(crate) fn range<'s>(
        &'s self,
        engine: &'s Engine,
        space: &'s Space,
        range: Range,
        descending: bool,
    ) -> impl Iterator<Item = Result<(Bytes, Bytes), StoreError>> + use<'s> {
        // The engine panics on an inverted range.
        let range = if crate::keys::is_empty(&range) { None } else { Some(range) };
        let mut entries = range.map(|range| self.0.range(&space.0, range));
        std::iter::from_fn(move || {
            let entries = entries.as_mut()?;
            let entry = if descending { entries.next_back() } else { entries.next() }?;
            Some(entry.into_inner().map_err(|error| engine.failed(error)))
        })
    }

    /// The last key of a keyspace.
    pub(crate) fn last_key(&self, engine: &Engine, space: &Space) -> Result<Option<Bytes>, StoreError> {
        let all = (Bound::Unbounded, Bound::Unbounded);
        self.range(engine, space, all, true).next().map(|entry| entry.map(|(key, _)| key)).transpose()
    }
}

impl Batch {
    pub(crate) fn put(&mut self, space: &Space, key: Vec<u8>, value: Vec<u8>) {
        self.touch(space);
        self.batch.insert(&space.0, key, value);
    }

    pub(crate) fn remove(&mut self, space: &Space, key: Vec<u8>) {
        self.touch(space);
        self.batch.remove(&space.0, key);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.batch.is_empty()
    }

    fn touch(&mut self, space: &Space) {
        // Changes come in runs of one keyspace.
        if !self.spaces.iter().rev().any(|known| known.0 == space.0) {
            self.spaces.push(space.clone());
        }
    }
}

fn not_opened(directory: &Path, error: fjall::Error) -> StoreError {
    let shown = directory.display();
    let message = match &error {
        fjall::Error::Locked => {
            format!("{shown} is in use by another process: stop that one first, or name another directory")
        }
        fjall::Error::Io(cause) if is_full(cause) => format!("{shown} has no room left: free some ({cause})"),
        fjall::Error::Io(cause) => format!("{shown} cannot be opened: {cause}"),
        other => format!("{shown} is damaged ({other:?}): restore a backup"),
    };
    unavailable(message, error)
}

/// Returns whether a directory could not be opened because another process has it open.
#[must_use]
pub fn is_in_use(error: &StoreError) -> bool {
    let StoreError::Unavailable(Unavailable { source: Some(source), .. }) = error else { return false };
    matches!(source.downcast_ref(), Some(fjall::Error::Locked))
}

fn is_full(cause: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(cause.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

pub(crate) fn unavailable(
    message: String,
    source: impl std::error::Error + Send + Sync + 'static,
) -> StoreError {
    StoreError::Unavailable(Unavailable { message, outcome_unknown: false, source: Some(Arc::new(source)) })
}
