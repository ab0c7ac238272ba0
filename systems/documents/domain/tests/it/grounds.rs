//! Fixtures.

use std::collections::BTreeMap;
use std::fmt;
use std::net::Ipv4Addr;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream;
use hansang_aws::{AccessKey, DynamoDb};
use hansang_core::cache::{Cache, CacheError, Cached};
use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::files::{FileBody, Files, clip, unavailable};
use hansang_core::plan::Scan;
use hansang_core::write::Moment;
use hansang_core::{Db, Error, Item, Model, Store, compile};
use hansang_documents::{
    Claimed, Document, Documents, Finished, MODEL, NewFile, NewSegment, Outcome, Project, ProjectText,
    Received, StepName, begin_upload, claim, complete, create_project, finish_upload, write_segments,
};
use hansang_embedded::{Embedded, Options};
use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

pub(crate) static COMPILED: LazyLock<Arc<Model>> =
    LazyLock::new(|| Arc::new(compile(MODEL.as_bytes()).expect("the model compiles")));

/// The store of a test.
#[derive(Clone, Copy, Debug)]
pub(crate) enum On {
    Embedded,
    DynamoDb,
}

/// Documents, with a clock that the test sets.
pub(crate) struct Ground {
    pub(crate) documents: Documents,
    pub(crate) files: Arc<MemoryFiles>,
    pub(crate) cache: Arc<MemoryCache>,
    seconds: Arc<AtomicI64>,
    _directory: TempDir,
}

/// Runs a test body on each store.
macro_rules! on_each_store {
    ($($name:ident),* $(,)?) => {
        on_each_store!(@ embedded Embedded $($name)*);
        on_each_store!(@ dynamodb DynamoDb $($name)*);
    };
    (@ $module:ident $on:ident $($name:ident)*) => {
        mod $module {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name(crate::grounds::Ground::new(crate::grounds::On::$on).await).await;
            })*
        }
    };
}
pub(crate) use on_each_store;

impl Ground {
    /// An empty table, at noon of 2026-01-01, with a cache.
    pub(crate) async fn new(on: On) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let seconds = Arc::new(AtomicI64::new(0));
        let clock = clock(seconds.clone());
        let store: Arc<dyn Store> = match on {
            On::Embedded => {
                let now = clock.clone();
                let options =
                    Options { sweep_every: None, ..Options::new(Arc::new(move || now.moment().now)) };
                Arc::new(Embedded::open(directory.path(), options).unwrap())
            }
            On::DynamoDb => Arc::new(dynamodb().await),
        };
        let files = Arc::new(MemoryFiles::default());
        let cache = Arc::new(MemoryCache::default());
        let documents = Documents::new(db(store, clock), Cached::new(cache.clone()), files.clone());
        documents.db.ensure_table().await.unwrap();
        Self { documents, files, cache, seconds, _directory: directory }
    }

    /// Moves the clock.
    pub(crate) fn pass(&self, seconds: i64) {
        self.seconds.fetch_add(seconds, Ordering::Relaxed);
    }

    pub(crate) async fn project(&self, name: &str) -> Project {
        create_project(&self.documents, "ann", &named(name)).await.unwrap()
    }

    /// An uploaded document whose first run waits.
    pub(crate) async fn document(&self, project_id: &str, name: &str) -> Document {
        self.upload(project_id, name).await.document
    }

    pub(crate) async fn upload(&self, project_id: &str, name: &str) -> Finished {
        let upload = begin_upload(&self.documents, "ann", project_id, &file(name)).await.unwrap();
        self.files.store(&upload.version.s3_key, name);
        let id = &upload.document.document_id;
        finish_upload(&self.documents, "ann", project_id, id, 1, &received(name)).await.unwrap()
    }

    /// Claims a step that must be there.
    pub(crate) async fn claim(&self, name: StepName) -> Claimed {
        claim(&self.documents, name, "worker").await.unwrap().unwrap_or_else(|| panic!("no {name} to claim"))
    }

    /// Takes the steps of the only waiting run up to one, with segments in `parse`.
    pub(crate) async fn run_until(&self, until: StepName, segments: i64) {
        for name in StepName::ALL.into_iter().filter(|name| *name < until) {
            self.run_step(name, segments).await;
        }
    }

    pub(crate) async fn run_step(&self, name: StepName, segments: i64) {
        let claimed = self.claim(name).await;
        let mut outcome = Outcome::default();
        if name == StepName::Parse {
            let all = stream::iter((0..segments).map(|index| Ok(page(index, &format!("쪽 {index}")))));
            write_segments(&self.documents, &claimed.lease, all).await.unwrap();
            outcome.total_segments = Some(segments);
        }
        complete(&self.documents, &claimed.lease, outcome).await.unwrap();
    }

    /// Takes the only waiting run to its end.
    pub(crate) async fn run_all(&self, segments: i64) {
        self.run_until(StepName::Summarise, segments).await;
        self.run_step(StepName::Summarise, segments).await;
    }

    /// A document with a completed run.
    pub(crate) async fn completed(&self, project_id: &str, name: &str, segments: i64) -> Document {
        let document = self.document(project_id, name).await;
        self.run_all(segments).await;
        hansang_documents::find_document(&self.documents, project_id, &document.document_id).await.unwrap()
    }
}

pub(crate) fn named(name: &str) -> ProjectText {
    ProjectText { name: name.to_owned(), ..ProjectText::default() }
}

pub(crate) fn file(name: &str) -> NewFile {
    let (name, file_type) = (name.to_owned(), "application/pdf".to_owned());
    NewFile { name, file_type, file_size: 100, source_url: None }
}

/// What is received of a file; files of the same name are the same.
pub(crate) fn received(name: &str) -> Received {
    let digits: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
    let sha256 = format!("{digits:0<64}")[..64].to_owned();
    Received { sha256, file_size: 100, file_type: "application/pdf".to_owned(), s3_key: None }
}

pub(crate) fn page(index: i64, text: &str) -> NewSegment {
    NewSegment {
        segment_index: index,
        segment_type: Some(hansang_documents::SegmentType::Page),
        content: Some(text.to_owned()),
        texts: BTreeMap::from([("parsed".to_owned(), text.to_owned())]),
        ..NewSegment::default()
    }
}

/// Noon of 2026-01-01, and some seconds.
pub(crate) fn at(seconds: i64) -> Timestamp {
    let noon: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
    noon + SignedDuration::from_secs(seconds)
}

fn clock(seconds: Arc<AtomicI64>) -> Clock {
    let count = AtomicU64::new(1);
    Clock::new(move || {
        let random = u128::from(count.fetch_add(1, Ordering::Relaxed));
        Moment { now: at(seconds.load(Ordering::Relaxed)), random }
    })
}

pub(crate) fn db(store: Arc<dyn Store>, clock: Clock) -> Db {
    Db::new(COMPILED.clone(), None, store, clock, CursorKey::new(b"tests"))
}

/// An endpoint that ends with the runtime of its test.
async fn dynamodb() -> DynamoDb {
    let database = dynoxide::Database::memory().unwrap();
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(dynoxide::server::serve_on(listener, database));
    let settings = hansang_aws::Settings {
        region: Some("eu-central-1".to_owned()),
        endpoint_url: Some(url),
        access_key: Some(AccessKey { id: "test".to_owned(), secret: "test".to_owned() }),
        backoff: Some(Duration::from_millis(1)),
        ..hansang_aws::Settings::default()
    };
    DynamoDb::connect(settings).await.unwrap()
}

/// Every item of the table.
pub(crate) async fn everything(db: &Db) -> Vec<Item> {
    let mut scan = Scan { index: None, limit: 1000, start: None, consistent: true };
    let mut items = Vec::new();
    loop {
        let page = db.store().scan(db.table(), &scan).await.unwrap();
        items.extend(page.items);
        match page.next {
            Some(next) => scan.start = Some(next),
            None => return items,
        }
    }
}

/// The items that name an id anywhere.
pub(crate) async fn naming(db: &Db, id: &str) -> Vec<String> {
    let items = everything(db).await;
    items.iter().map(|item| format!("{item:?}")).filter(|text| text.contains(id)).collect()
}

/// Files in memory. A part of the calls can be made to fail.
#[derive(Default)]
pub(crate) struct MemoryFiles {
    stored: Mutex<BTreeMap<String, Vec<u8>>>,
    /// The probability in percent that a call fails, and the state of the chance.
    failing: Chance,
}

type Chance = Mutex<Option<(u32, fastrand::Rng)>>;

fn happens(chance: &Chance) -> bool {
    chance.lock().unwrap().as_mut().is_some_and(|(percent, chance)| chance.u32(0..100) < *percent)
}

impl MemoryFiles {
    pub(crate) fn store(&self, key: &str, content: &str) {
        self.stored.lock().unwrap().insert(key.to_owned(), content.as_bytes().to_vec());
    }

    pub(crate) fn keys(&self) -> Vec<String> {
        self.stored.lock().unwrap().keys().cloned().collect()
    }

    pub(crate) fn fail(&self, percent: u32, seed: u64) {
        *self.failing.lock().unwrap() = Some((percent, fastrand::Rng::with_seed(seed)));
    }

    fn chance(&self) -> Result<(), Error> {
        let fails = happens(&self.failing);
        if fails { Err(unavailable(std::io::Error::other("injected"))) } else { Ok(()) }
    }
}

impl fmt::Debug for MemoryFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemoryFiles")
    }
}

#[async_trait]
impl Files for MemoryFiles {
    async fn put(&self, key: &str, _: &str, file: &Path) -> Result<(), Error> {
        hansang_core::files::check_key(key)?;
        self.chance()?;
        let content = std::fs::read(file).map_err(unavailable)?;
        self.stored.lock().unwrap().insert(key.to_owned(), content);
        Ok(())
    }

    async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<FileBody>, Error> {
        self.chance()?;
        let Some(content) = self.stored.lock().unwrap().get(key).cloned() else { return Ok(None) };
        let size = content.len() as u64;
        let range = clip(range, size);
        let part = content[range.start as usize..range.end as usize].to_vec();
        let chunks = Box::pin(stream::iter([Ok(Bytes::from(part))]));
        Ok(Some(FileBody { size, range, chunks }))
    }

    async fn delete(&self, key: &str) -> Result<(), Error> {
        hansang_core::files::check_key(key)?;
        self.chance()?;
        self.stored.lock().unwrap().remove(key);
        Ok(())
    }

    async fn delete_all(&self, folder: &str) -> Result<(), Error> {
        hansang_core::files::check_key(folder)?;
        self.chance()?;
        self.stored.lock().unwrap().retain(|key, _| !key.starts_with(&format!("{folder}/")));
        Ok(())
    }

    async fn address(&self, _: &str, _: Option<&str>, _: Duration) -> Result<Option<String>, Error> {
        Ok(None)
    }

    async fn upload_address(&self, _: &str, _: &str, _: u64, _: Duration) -> Result<Option<String>, Error> {
        Ok(None)
    }
}

/// A cache in memory without expiry, which remembers its commands. A part of the calls can be made to fail, before or after
/// they took effect.
#[derive(Default)]
pub(crate) struct MemoryCache {
    stored: Mutex<BTreeMap<String, Bytes>>,
    pub(crate) commands: Mutex<Vec<String>>,
    failing: Chance,
}

impl MemoryCache {
    pub(crate) fn failing(percent: u32, seed: u64) -> Self {
        let failing = Mutex::new(Some((percent, fastrand::Rng::with_seed(seed))));
        Self { failing, ..Self::default() }
    }

    pub(crate) fn keys(&self) -> Vec<String> {
        self.stored.lock().unwrap().keys().cloned().collect()
    }

    /// Whether no call is made to fail.
    pub(crate) fn works(&self) -> bool {
        self.failing.lock().unwrap().is_none()
    }

    fn told(&self, command: String) -> Result<(), CacheError> {
        self.commands.lock().unwrap().push(command);
        self.chance()
    }

    fn chance(&self) -> Result<(), CacheError> {
        if happens(&self.failing) { Err(CacheError::Slow) } else { Ok(()) }
    }
}

impl fmt::Debug for MemoryCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemoryCache")
    }
}

#[async_trait]
impl Cache for MemoryCache {
    async fn get(&self, key: &str) -> Result<Option<Bytes>, CacheError> {
        self.told(format!("get {key}"))?;
        Ok(self.stored.lock().unwrap().get(key).cloned())
    }

    async fn set(&self, key: &str, value: Bytes, ttl: Duration) -> Result<(), CacheError> {
        // Entries live an hour, less a little so that they do not all end at once.
        assert!((3000..=3600).contains(&ttl.as_secs()), "{ttl:?}");
        self.told(format!("set {key}"))?;
        self.stored.lock().unwrap().insert(key.to_owned(), value);
        self.chance()
    }

    async fn delete(&self, key: &str) -> Result<(), CacheError> {
        self.told(format!("delete {key}"))?;
        self.stored.lock().unwrap().remove(key);
        self.chance()
    }
}
