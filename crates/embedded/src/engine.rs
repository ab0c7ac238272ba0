//! The only module that uses fjall: open, snapshot, read, scan, commit.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use fjall::config::{FilterPolicy, PinningPolicy};
use fjall::{Database, KeyspaceCreateOptions, PersistMode, Readable as _};
use hansang_core::store::Unavailable;
use hansang_core::{CoreCode, Error, StoreError, message};

use crate::codec::Damaged;
use crate::keys::Range;
use crate::{Options, messages};

/// Version of the on-disk format.
const FORMAT: u32 = 1;
/// Marker file of a data directory, with its format version.
const MARKER: &str = "hansang.json";
/// Subdirectory of the engine.
const ENGINE_DIRECTORY: &str = "store";
/// Background threads for flushes and compactions. One of them never compacts and requeues compaction tasks
/// until another thread is free, so with two threads it spins on a core during a compaction.
const WORKER_THREADS: usize = 4;
/// Below this size, buffers stay in the journal when a directory is closed.
const MIN_FLUSH_BYTES: u64 = 1024 * 1024;

/// The storage engine on one directory.
pub(crate) struct Engine {
    database: Database,
    directory: PathBuf,
    buffer_bytes: u64,
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
pub(crate) struct Batch(fjall::OwnedWriteBatch);

/// The value of a key.
pub(crate) type Bytes = fjall::Slice;

impl Engine {
    /// Opens a directory, or creates one.
    pub(crate) fn open(directory: &Path, options: &Options) -> Result<Self, StoreError> {
        prepare(directory)?;
        let database = Database::builder(directory.join(ENGINE_DIRECTORY))
            .cache_size(options.cache_bytes)
            .worker_threads(WORKER_THREADS)
            .open()
            .map_err(|error| not_opened(directory, error))?;
        Ok(Self { database, directory: directory.to_owned(), buffer_bytes: options.buffer_bytes })
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

    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot(self.database.snapshot())
    }

    pub(crate) fn batch(&self, capacity: usize) -> Batch {
        let batch = fjall::OwnedWriteBatch::with_capacity(self.database.clone(), capacity);
        Batch(batch.durability(Some(PersistMode::SyncData)))
    }

    /// Makes a batch durable and visible. After an error the engine refuses writes: what reached the disk is
    /// known only when the directory is opened again.
    pub(crate) fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        batch.0.commit().map_err(|error| self.failed(error))
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
                "an earlier write to {directory} failed, so nothing more is written: make sure that the disk has \
                 room and works, then start again"
            ),
            fjall::Error::Io(cause) if is_full(cause) => {
                format!("{directory} has no room left: free some, then start again ({cause})")
            }
            fjall::Error::Io(cause) => format!("{directory} cannot be read or written: {cause}"),
            other => format!("{directory} is damaged ({other:?}): restore a backup"),
        };
        unavailable(message, error)
    }

    /// The error for an item that does not decode.
    pub(crate) fn damaged(&self, Damaged: Damaged) -> StoreError {
        let message =
            format!("{} holds an item that cannot be read: restore a backup", self.directory.display());
        StoreError::unavailable(message)
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
        self.0.insert(&space.0, key, value);
    }

    pub(crate) fn remove(&mut self, space: &Space, key: Vec<u8>) {
        self.0.remove(&space.0, key);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Checks that a directory is a data directory in a known format, or marks an empty one.
fn prepare(directory: &Path) -> Result<(), StoreError> {
    let shown = directory.display();
    let io = |cause: io::Error| {
        let message = format!("{shown} cannot be used as a data directory: {cause}");
        unavailable(message, cause)
    };
    fs::create_dir_all(directory).map_err(io)?;
    let marker = directory.join(MARKER);
    let text = match fs::read_to_string(&marker) {
        Ok(text) => text,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            if fs::read_dir(directory).map_err(io)?.next().is_some() {
                let message = message!(messages::NOT_A_DATA_DIRECTORY, shown.to_string());
                return Err(Error::invalid(CoreCode::NotADataDirectory, message).into());
            }
            return write_marker(directory, &marker).map_err(io);
        }
        Err(cause) => return Err(io(cause)),
    };
    let format =
        serde_json::from_str::<serde_json::Value>(&text).ok().and_then(|json| json["format"].as_u64());
    match format {
        Some(format) if format == u64::from(FORMAT) => Ok(()),
        Some(newer) => {
            let message = message!(messages::NEWER_FORMAT, shown.to_string(), newer, FORMAT);
            Err(Error::invalid(CoreCode::NewerFormat, message).into())
        }
        None => {
            let message = format!("{} is damaged: restore a backup", marker.display());
            Err(StoreError::unavailable(message))
        }
    }
}

/// Writes the marker atomically, before any other file.
fn write_marker(directory: &Path, marker: &Path) -> io::Result<()> {
    let draft = directory.join("hansang.json.new");
    let mut file = File::create(&draft)?;
    writeln!(file, "{{ \"format\": {FORMAT} }}")?;
    file.sync_all()?;
    fs::rename(&draft, marker)?;
    File::open(directory)?.sync_all()
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

fn unavailable(message: String, source: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Unavailable(Unavailable { message, outcome_unknown: false, source: Some(Arc::new(source)) })
}
