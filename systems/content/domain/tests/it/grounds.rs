//! Fixtures.

use std::net::Ipv4Addr;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use async_trait::async_trait;
use hansang_aws::{AccessKey, DynamoDb};
use hansang_content::{
    Caller, Content, HookAnswer, HookCall, MODEL, Mailer, NewCategory, NewPost, Ports, Post, PostText,
    Publication, Save, create_category, create_post, publish_post, save_post,
};
use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::files::{FileBody, Files};
use hansang_core::plan::Scan;
use hansang_core::write::Moment;
use hansang_core::{Db, Error, Item, Model, Store, compile};
use hansang_embedded::{Embedded, Options};
use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

static COMPILED: LazyLock<Arc<Model>> =
    LazyLock::new(|| Arc::new(compile(MODEL.as_bytes()).expect("the model compiles")));

/// The store of a test.
#[derive(Clone, Copy, Debug)]
pub(crate) enum On {
    Embedded,
    DynamoDb,
}

/// The content of a site, with a clock that the test sets.
pub(crate) struct Ground {
    pub(crate) content: Content,
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
    /// A site with the categories `news` and `products`, at noon of 2026-01-01.
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
        let content = content(store, clock);
        content.db.ensure_table().await.unwrap();
        for (id, title) in [("news", "회사 소식"), ("products", "Products")] {
            let new =
                NewCategory { id: Some(id.to_owned()), title: title.to_owned(), ..NewCategory::default() };
            create_category(&content, new).await.unwrap();
        }
        Self { content, seconds, _directory: directory }
    }

    /// Moves the clock.
    pub(crate) fn pass(&self, seconds: i64) {
        self.seconds.fetch_add(seconds, Ordering::Relaxed);
    }

    /// A new post in `news` that is not published.
    pub(crate) async fn post(&self, title: &str) -> Post {
        let new = NewPost {
            category_id: "news".to_owned(),
            author_id: "ann".to_owned(),
            text: text(title),
            ..NewPost::default()
        };
        create_post(&self.content, "ann", new).await.unwrap()
    }

    /// A new post in `news` that is published now.
    pub(crate) async fn published(&self, title: &str) -> Post {
        let post = self.post(title).await;
        publish_post(&self.content, "ann", &post.id, Publication::default(), 1).await.unwrap()
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

pub(crate) fn content(store: Arc<dyn Store>, clock: Clock) -> Content {
    Content::new(Db::new(COMPILED.clone(), None, store, clock, CursorKey::new(b"tests")))
}

/// An endpoint that ends with the runtime of its test.
async fn dynamodb() -> DynamoDb {
    dynamodb_with_database().await.1
}

/// The same, with the database behind it.
pub(crate) async fn dynamodb_with_database() -> (dynoxide::Database, DynamoDb) {
    let database = dynoxide::Database::memory().unwrap();
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(dynoxide::server::serve_on(listener, database.clone()));
    let settings = hansang_aws::Settings {
        region: Some("eu-central-1".to_owned()),
        endpoint_url: Some(url),
        access_key: Some(AccessKey { id: "test".to_owned(), secret: "test".to_owned() }),
        backoff: Some(Duration::from_millis(1)),
        ..hansang_aws::Settings::default()
    };
    (database, DynamoDb::connect(settings).await.unwrap())
}

pub(crate) fn text(title: &str) -> PostText {
    PostText { title: title.to_owned(), contents: format!("# {title}"), ..PostText::default() }
}

/// The ports of a site that sends mails alone.
pub(crate) fn ports(mailer: &dyn Mailer) -> Ports<'_> {
    Ports { mailer, caller: &NoOutside, files: &NoOutside }
}

/// Neither webhooks nor files: a test that uses them fails.
#[derive(Debug)]
pub(crate) struct NoOutside;

#[async_trait]
impl Caller for NoOutside {
    async fn call(&self, call: &HookCall) -> HookAnswer {
        panic!("{call:?}")
    }
}

#[async_trait]
impl Files for NoOutside {
    async fn put(&self, key: &str, _: &str, _: &Path) -> Result<(), Error> {
        panic!("{key}")
    }

    async fn get(&self, key: &str, _: Option<Range<u64>>) -> Result<Option<FileBody>, Error> {
        panic!("{key}")
    }

    async fn delete(&self, key: &str) -> Result<(), Error> {
        panic!("{key}")
    }

    async fn delete_all(&self, folder: &str) -> Result<(), Error> {
        panic!("{folder}")
    }

    async fn address(&self, key: &str, _: Option<&str>, _: Duration) -> Result<Option<String>, Error> {
        panic!("{key}")
    }

    async fn upload_address(&self, key: &str, _: &str, _: u64, _: Duration) -> Result<Option<String>, Error> {
        panic!("{key}")
    }
}

/// Every item has its type and the times of its creation and last write.
pub(crate) async fn check_items(content: &Content) {
    let scan = Scan { index: None, limit: 10_000, start: None, consistent: true };
    let page = content.db.store().scan(content.db.table(), &scan).await.unwrap();
    assert!(page.next.is_none() && page.items.len() > 10);
    // Pointers of unique values belong to their items.
    let is_pointer = |item: &Item| item["PK"].as_str().is_some_and(|key| key.starts_with("UNIQUE#"));
    for item in page.items.into_iter().filter(|item| !is_pointer(item)) {
        for field in ["Type", "CreatedAt", "UpdatedAt"] {
            assert!(item.contains_key(field), "{field} is missing in {item:?}");
        }
    }
}

/// Saves a new title.
pub(crate) async fn retitle(content: &Content, post: &Post, title: &str) -> Post {
    let save = Save { text: text(title), revision: post.revision, keep: true };
    save_post(content, "ann", &post.id, &save).await.unwrap().post
}
