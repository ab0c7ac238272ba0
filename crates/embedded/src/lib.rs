#![doc = include_str!("../README.md")]

mod build;
mod cache;
mod catalog;
mod clock;
pub mod codec;
mod current;
mod engine;
mod feed;
mod files;
mod frozen;
mod group;
mod history;
mod images;
mod inspect;
mod journal;
mod keys;
mod messages;
mod queue;
mod reader;
mod rows;
mod seal;
mod state;
mod sweep;
mod trouble;
mod verify;
mod writer;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use async_trait::async_trait;
use hansang_core::plan::{Action, BatchGet, Get, Guards, Key, Query, Scan, TableWrite, Write};
use hansang_core::store::{History, check};
use hansang_core::{Item, Page, Store, StoreError, Table};
use jiff::Timestamp;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{mpsc, oneshot};

use current::Current;
use group::Prepared;
use reader::Reader;
use rows::Rows;
use sweep::Sweeper;
use writer::{CHANNEL_CAPACITY, Reply, Request, Work, Writer};

pub use cache::MemoryCache;
pub use engine::is_in_use;
pub use feed::Change;
pub use files::Directory;
pub use frozen::Frozen;
pub use queue::{EmbeddedQueue, QueueSettings};
pub use verify::Disagreement;

/// The maximum number of items of a read that is short enough for a thread of the runtime.
const MAX_SHORT_READ: u32 = 200;

/// Clock of the store. This crate never reads the system clock.
pub type Now = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Options of [`Embedded::open`].
#[derive(Clone)]
pub struct Options {
    /// Clock for expiry and the change feed.
    pub now: Now,
    /// Size of the block cache in bytes.
    pub cache_bytes: u64,
    /// Size of the row cache in bytes.
    pub row_bytes: u64,
    /// Size of the write buffer of each keyspace in bytes.
    pub buffer_bytes: u64,
    /// Interval of sweeps for expired items and old changes; `None` for no sweeps.
    pub sweep_every: Option<Duration>,
}

impl Options {
    /// Defaults: caches of 64 MB each, buffers of 16 MB, a sweep per minute.
    #[must_use]
    pub fn new(now: Now) -> Self {
        let megabyte = 1024 * 1024;
        Self {
            now,
            cache_bytes: 64 * megabyte,
            row_bytes: 64 * megabyte,
            buffer_bytes: 16 * megabyte,
            sweep_every: Some(Duration::from_secs(60)),
        }
    }
}

/// Size of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// Approximate number of items: recently replaced ones may count twice.
    pub items: usize,
    /// Size of the whole directory in bytes.
    pub disk_bytes: u64,
}

/// A store in a directory of this machine.
///
/// One process owns the directory. All clones share it; it is closed when the last one is dropped.
#[derive(Clone)]
pub struct Embedded(Arc<Shared>);

struct Shared {
    current: Arc<Current>,
    rows: Arc<Rows>,
    now: Now,
    /// `None` only during drop.
    requests: Option<mpsc::Sender<Request>>,
    writer: Option<JoinHandle<()>>,
    _sweeper: Option<Sweeper>,
}

impl Embedded {
    /// Opens a data directory, or creates one.
    ///
    /// # Errors
    /// When another process has it open, it is not a data directory, it was written by a newer version, or it
    /// cannot be read and written.
    pub fn open(directory: impl AsRef<Path>, options: Options) -> Result<Self, StoreError> {
        let current = Arc::new(Current::open(directory.as_ref(), options.clone())?);
        let rows = Arc::new(Rows::new(options.row_bytes));
        let (requests, queue) = mpsc::channel(CHANNEL_CAPACITY);
        let writer = Writer::new(current.clone(), rows.clone(), options.now.clone());
        let spawned = thread::Builder::new().name("hansang-writer".to_owned()).spawn(|| writer.run(queue));
        let writer =
            spawned.map_err(|error| StoreError::unavailable(format!("no thread for the writer: {error}")))?;
        let sweeper = options
            .sweep_every
            .map(|every| Sweeper::start(every, options.now.clone(), current.clone(), requests.downgrade()));
        Ok(Self(Arc::new(Shared {
            current,
            rows,
            now: options.now,
            requests: Some(requests),
            writer: Some(writer),
            _sweeper: sweeper.transpose()?,
        })))
    }

    /// Returns up to `limit` changes of a table after sequence number `after`, oldest first.
    ///
    /// # Errors
    /// When there is no such table, or it cannot be read.
    pub fn changes(&self, table: &Table, after: u64, limit: usize) -> Result<Vec<Change>, StoreError> {
        let opened = self.0.current.get()?;
        let stored = opened.catalog.get(&table.name)?;
        feed::read(&opened.engine, &opened.engine.snapshot(), &stored, after, limit)
    }

    /// Takes a snapshot of all tables.
    ///
    /// # Errors
    /// When the store is not open at the moment, because a write failed.
    pub fn freeze(&self) -> Result<Frozen, StoreError> {
        self.0.current.freeze().map(Frozen::new)
    }

    /// Keeps a fact in the file of the directory, apart from all tables.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn remember(&self, fact: &str) -> Result<(), StoreError> {
        self.0.current.update(|state| state.facts.extend([fact.to_owned()]))
    }

    /// Returns whether [`Self::remember`] was called with this fact for this directory.
    #[must_use]
    pub fn remembers(&self, fact: &str) -> bool {
        self.0.current.state().facts.contains(fact)
    }

    /// Removes expired items and changes older than a day. Returns the number of expired items. Runs in the
    /// background too: see [`Options::sweep_every`].
    ///
    /// # Errors
    /// When the directory cannot be read or written.
    pub async fn sweep(&self) -> Result<u64, StoreError> {
        let mut removed = 0;
        for table in sweep::names(&self.0.current)? {
            while let Some((table, work, count)) = sweep::next_work(&self.0.current, &table, (self.0.now)())?
            {
                self.submit(table, work).await?;
                removed += count;
            }
        }
        Ok(removed)
    }

    /// Compares the index entries of a table with its items. Returns every difference.
    ///
    /// # Errors
    /// When there is no such table, or it cannot be read.
    pub fn verify(&self, table: &Table) -> Result<Vec<Disagreement>, StoreError> {
        let opened = self.0.current.get()?;
        let stored = opened.catalog.get(&table.name)?;
        verify::verify(&opened.engine, &opened.engine.snapshot(), &stored)
    }

    /// Names of all tables, sorted.
    ///
    /// # Errors
    /// When the store is not open at the moment, because a write failed.
    pub fn tables(&self) -> Result<Vec<String>, StoreError> {
        let mut names = sweep::names(&self.0.current)?;
        names.sort();
        Ok(names)
    }

    /// Returns the size of a table, or `None` if it does not exist.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn describe(&self, table: &Table) -> Result<Option<Description>, StoreError> {
        let opened = self.0.current.get()?;
        let Some(stored) = opened.catalog.find(&table.name) else { return Ok(None) };
        let disk_bytes = opened.engine.disk_bytes()?;
        Ok(Some(Description { items: stored.items.about(), disk_bytes }))
    }

    /// Flushes write buffers so that the next open has little journal to replay. Happens when the last clone
    /// is dropped; a process that ends otherwise can call this first.
    pub fn settle(&self) {
        if let Ok(opened) = self.0.current.get() {
            opened.engine.settle();
        }
    }

    /// Returns the definition of a table. Does not keep the engine open, as the keyspaces of the table would.
    fn table(&self, table: &Table) -> Result<Arc<Table>, StoreError> {
        Ok(self.0.current.get()?.catalog.get(&table.name)?.table.clone())
    }

    async fn submit(&self, table: String, work: Work) -> Reply {
        let (reply, answer) = oneshot::channel();
        self.request(Request::Table { table, work, reply }, answer).await
    }

    /// Sends a request to the writer and waits for the reply.
    async fn request<T>(
        &self,
        request: Request,
        answer: oneshot::Receiver<Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let gone = || StoreError::unavailable("the store has stopped: start again");
        let requests = self.0.requests.as_ref().ok_or_else(gone)?;
        requests.send(request).await.map_err(|_| gone())?;
        answer.await.unwrap_or_else(|_| Err(gone()))
    }

    /// Reads up to so many items. A long read lets other tasks of its thread continue on another thread.
    fn read_many<T>(
        &self,
        table: &Table,
        limit: u32,
        read: impl FnOnce(&Reader<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let has_threads = || {
            Handle::try_current().is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread)
        };
        if limit > MAX_SHORT_READ && has_threads() {
            return tokio::task::block_in_place(|| self.read(table, read));
        }
        self.read(table, read)
    }

    fn read<T>(
        &self,
        table: &Table,
        read: impl FnOnce(&Reader<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let opened = self.0.current.get()?;
        let stored = opened.catalog.get(&table.name)?;
        let (engine, rows) = (&opened.engine, &self.0.rows);
        // `since` must be taken before the snapshot: see [`rows`].
        let since = rows.since();
        let snapshot = &engine.snapshot();
        read(&Reader { engine, snapshot, stored: &stored, rows: Some((rows, since)) })
    }
}

#[async_trait]
impl Store for Embedded {
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        self.submit(table.name.clone(), Work::Ensure(Box::new(table.clone()))).await.map(drop)
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        self.read(table, |reader| reader.get(get))
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        self.read(table, |reader| reader.batch_get(gets))
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        self.read_many(table, query.limit, |reader| reader.query(query))
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        self.read_many(table, scan.limit, |reader| reader.scan(scan))
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        check::write(&*self.table(table)?, &write)?;
        self.submit(table.name.clone(), Work::Write(Box::new(Prepared::new(write)))).await
    }

    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        if writes.is_empty() {
            return Ok(());
        }
        let mut tables: Vec<Arc<Table>> = Vec::with_capacity(1);
        let mut numbers = Vec::with_capacity(writes.len());
        for TableWrite { table, .. } in &writes {
            let known = tables.iter().position(|known| known.name == table.name);
            numbers.push(known.unwrap_or(tables.len()));
            if known.is_none() {
                tables.push(self.table(table)?);
            }
        }
        let numbered = || numbers.iter().copied().zip(&writes);
        check::transaction(numbered().map(|(table, one)| (&*tables[table], &one.write)))?;
        let prepared = |(table, one): (usize, TableWrite)| (table, Prepared::new(one.write));
        let writes = numbers.into_iter().zip(writes).map(prepared).collect();
        let (reply, answer) = oneshot::channel();
        self.request(Request::Transact { tables, writes, reply }, answer).await.map(drop)
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        let definition = self.table(table)?;
        let write = |item: Item| {
            let key = check::item(&definition, &item)?;
            Ok(Prepared::new(Write { key, action: Action::Put(item), guards: Guards::default() }))
        };
        let writes = items.into_iter().map(write).collect::<Result<_, StoreError>>()?;
        self.submit(table.name.clone(), Work::PutAll(writes)).await.map(drop)
    }

    async fn history(&self, table: &Table, key: &Key, limit: usize) -> Result<Option<History>, StoreError> {
        let opened = self.0.current.get()?;
        let stored = opened.catalog.get(&table.name)?;
        check::key(&stored.table, key)?;
        if !stored.table.streams {
            return Ok(None);
        }
        history::of(&opened.engine, &stored, key, limit, (self.0.now)()).await.map(Some)
    }
}

impl fmt::Debug for Embedded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Embedded").field("directory", &self.0.current.directory()).finish_non_exhaustive()
    }
}

impl Drop for Shared {
    /// Closing the channel ends the writer thread. The directory is free after that.
    fn drop(&mut self) {
        self._sweeper = None;
        self.requests = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
        if let Err(error) = self.current.finish() {
            tracing::warn!(%error, "the data directory was not closed well; the next start takes longer");
        }
    }
}
