#![doc = include_str!("../README.md")]

mod build;
mod catalog;
pub mod codec;
mod engine;
mod feed;
mod frozen;
mod group;
mod history;
mod images;
mod keys;
mod queue;
mod reader;
mod rows;
mod sweep;
mod verify;
mod writer;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use async_trait::async_trait;
use hansang_core::plan::{Action, BatchGet, Get, Guards, Key, Query, Scan, TableWrite, Write};
use hansang_core::store::{History, check};
use hansang_core::{Item, Page, Store, StoreError, Table};
use jiff::Timestamp;
use tokio::sync::{mpsc, oneshot};

use catalog::{Catalog, Shelf};
use engine::{Engine, Reads};
use group::{Group, Prepared};
use queue::{Lines, Places};
use reader::Reader;
use rows::Rows;
use sweep::Sweeper;
use writer::{Answer, Request, WAITING, Work, Writer};

pub use engine::is_in_use;
pub use feed::Change;
pub use frozen::Frozen;
pub use queue::{EmbeddedQueue, QueueSettings};
pub use verify::Disagreement;

/// Tells the time: nothing here asks the system's clock.
pub type Now = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// How a directory is opened.
#[derive(Clone)]
pub struct Options {
    /// Tells the time, for expiry and the change feed.
    pub now: Now,
    /// How many bytes of blocks are kept in memory.
    pub cache_bytes: u64,
    /// How many bytes of items that were read lately are kept in memory.
    pub row_bytes: u64,
    /// How many bytes of new items each table collects in memory before it writes them in order.
    pub buffer_bytes: u64,
    /// How often expired items and old changes are removed; never, if absent.
    pub sweep_every: Option<Duration>,
}

impl Options {
    /// What fits most: caches of 64 MB each, buffers of 16 MB, and a sweep a minute.
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

/// What a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// How many items, about: what was replaced lately may count twice.
    pub items: usize,
    /// How many bytes the whole directory takes.
    pub disk_bytes: u64,
}

/// Tables in one directory of this machine.
///
/// One process owns the directory. Cheap to clone: all clones are the same store, and the directory
/// is free again when the last one is dropped.
#[derive(Clone)]
pub struct Embedded(Arc<Shared>);

struct Shared {
    engine: Arc<Engine>,
    catalog: Arc<Catalog>,
    rows: Arc<Rows>,
    places: Arc<Places>,
    directory: PathBuf,
    now: Now,
    /// Absent only while the last clone is dropped.
    requests: Option<mpsc::Sender<Request>>,
    writer: Option<JoinHandle<()>>,
    _sweeper: Option<Sweeper>,
}

impl Embedded {
    /// Opens a data directory, or makes one where there is nothing.
    ///
    /// # Errors
    /// When another process has it, it is not a data directory, it was written by a newer version,
    /// or it cannot be read and written.
    pub fn open(directory: impl AsRef<Path>, options: Options) -> Result<Self, StoreError> {
        let directory = directory.as_ref();
        let engine = Arc::new(Engine::open(directory, &options)?);
        let meta = engine.space("tables", Reads::Keys)?;
        let catalog = Arc::new(Catalog::load(&engine, &meta)?);
        let rows = Arc::new(Rows::new(options.row_bytes));
        let places = Arc::new(Places::load(&engine)?);
        let (requests, queue) = mpsc::channel(WAITING);
        let writer = Writer {
            engine: engine.clone(),
            catalog: catalog.clone(),
            rows: rows.clone(),
            group: Group::new(engine.clone(), rows.clone()),
            meta,
            now: options.now.clone(),
            sequences: HashMap::new(),
            lines: Lines::new(engine.clone(), places.clone(), options.now.clone()),
        };
        let spawned = thread::Builder::new().name("hansang-writer".to_owned()).spawn(|| writer.run(queue));
        let writer =
            spawned.map_err(|error| StoreError::unavailable(format!("no thread for the writer: {error}")))?;
        let sweeper = options.sweep_every.map(|every| {
            Sweeper::start(every, options.now.clone(), engine.clone(), catalog.clone(), requests.downgrade())
        });
        Ok(Self(Arc::new(Shared {
            engine,
            catalog,
            rows,
            places,
            directory: directory.to_owned(),
            now: options.now,
            requests: Some(requests),
            writer: Some(writer),
            _sweeper: sweeper.transpose()?,
        })))
    }

    /// Up to `limit` changes of a table behind the one with the number `after`, oldest first.
    ///
    /// # Errors
    /// When there is no such table, or it cannot be read.
    pub fn changes(&self, table: &Table, after: u64, limit: usize) -> Result<Vec<Change>, StoreError> {
        let shelf = self.0.catalog.get(&table.name)?;
        feed::read(&self.0.engine, &self.0.engine.snapshot(), &shelf, after, limit)
    }

    /// Everything as it is now, to be read in peace while others write.
    #[must_use]
    pub fn freeze(&self) -> Frozen {
        Frozen::new(self.0.engine.clone(), self.0.catalog.clone())
    }

    /// Removes what has expired and changes older than a day; gives the number of expired items.
    /// It happens by itself: see [`Options::sweep_every`].
    ///
    /// # Errors
    /// When the directory cannot be read or written.
    pub async fn sweep(&self) -> Result<u64, StoreError> {
        let mut removed = 0;
        for shelf in self.0.catalog.all() {
            while let Some((table, work, count)) = sweep::next_work(&self.0.engine, &shelf, (self.0.now)())? {
                self.submit(table, work).await?;
                removed += count;
            }
        }
        Ok(removed)
    }

    /// Every way in which the entries of the indexes do not agree with the items of a table.
    ///
    /// # Errors
    /// When there is no such table, or it cannot be read.
    pub fn verify(&self, table: &Table) -> Result<Vec<Disagreement>, StoreError> {
        let shelf = self.0.catalog.get(&table.name)?;
        verify::verify(&self.0.engine, &self.0.engine.snapshot(), &shelf)
    }

    /// The names of the tables.
    #[must_use]
    pub fn tables(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.0.catalog.all().iter().map(|shelf| shelf.table.name.clone()).collect();
        names.sort();
        names
    }

    /// What a table holds, or nothing if there is no such table.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn describe(&self, table: &Table) -> Result<Option<Description>, StoreError> {
        let describe = |shelf: Arc<Shelf>| {
            let disk_bytes = self.0.engine.disk_bytes()?;
            Ok(Description { items: shelf.items.about(), disk_bytes })
        };
        self.0.catalog.find(&table.name).map(describe).transpose()
    }

    /// Writes what is only in the journal to its place, so that the next start has little to read. The
    /// last clone does so when it is dropped; a process that ends otherwise can ask for it.
    pub fn settle(&self) {
        self.0.engine.settle();
    }

    async fn submit(&self, table: String, work: Work) -> Answer {
        let (reply, answer) = oneshot::channel();
        self.request(Request::Table { table, work, reply }, answer).await
    }

    /// Gives a request to the writer and waits for what it answers.
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

    fn read<T>(
        &self,
        table: &Table,
        read: impl FnOnce(&Reader<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let shelf = self.0.catalog.get(&table.name)?;
        let (engine, rows) = (&self.0.engine, &self.0.rows);
        // In this order: what is known of the rows must be no newer than the snapshot.
        let since = rows.since();
        let snapshot = &engine.snapshot();
        read(&Reader { engine, snapshot, shelf: &shelf, rows: Some((rows, since)) })
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
        self.read(table, |reader| reader.query(query))
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        self.read(table, |reader| reader.scan(scan))
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        let shelf = self.0.catalog.get(&table.name)?;
        check::write(&shelf.table, &write)?;
        self.submit(table.name.clone(), Work::Write(Box::new(Prepared::new(write)))).await
    }

    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        if writes.is_empty() {
            return Ok(());
        }
        let mut shelves: Vec<Arc<Shelf>> = Vec::with_capacity(1);
        let mut numbers = Vec::with_capacity(writes.len());
        for TableWrite { table, .. } in &writes {
            let known = shelves.iter().position(|shelf| shelf.table.name == table.name);
            numbers.push(known.unwrap_or(shelves.len()));
            if known.is_none() {
                shelves.push(self.0.catalog.get(&table.name)?);
            }
        }
        let numbered = || numbers.iter().copied().zip(&writes);
        check::transaction(numbered().map(|(shelf, one)| (&shelves[shelf].table, &one.write)))?;
        let prepared = |(shelf, one): (usize, TableWrite)| (shelf, Prepared::new(one.write));
        let writes = numbers.into_iter().zip(writes).map(prepared).collect();
        let (reply, answer) = oneshot::channel();
        self.request(Request::Transact { shelves, writes, reply }, answer).await.map(drop)
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        let shelf = self.0.catalog.get(&table.name)?;
        let write = |item: Item| {
            let key = check::item(&shelf.table, &item)?;
            Ok(Prepared::new(Write { key, action: Action::Put(item), guards: Guards::default() }))
        };
        let writes = items.into_iter().map(write).collect::<Result<_, StoreError>>()?;
        self.submit(table.name.clone(), Work::PutAll(writes)).await.map(drop)
    }

    async fn history(&self, table: &Table, key: &Key, limit: usize) -> Result<Option<History>, StoreError> {
        let shelf = self.0.catalog.get(&table.name)?;
        check::key(&shelf.table, key)?;
        if !shelf.table.streams {
            return Ok(None);
        }
        history::of(&self.0.engine, &shelf, key, limit, (self.0.now)()).await.map(Some)
    }
}

impl fmt::Debug for Embedded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Embedded").field("directory", &self.0.directory).finish_non_exhaustive()
    }
}

impl Drop for Shared {
    /// The writer ends when nobody can ask any more; only then is the directory free.
    fn drop(&mut self) {
        self._sweeper = None;
        self.requests = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
        self.engine.settle();
    }
}
