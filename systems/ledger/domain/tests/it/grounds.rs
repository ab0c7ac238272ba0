//! Fixtures.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use hansang_aws::{AccessKey, DynamoDb};
use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::write::Moment;
use hansang_core::{Db, Model, Store, compile};
use hansang_embedded::{Embedded, Options};
use hansang_ledger::{Kind, Ledger, MODEL, Month, NewEntry, NewLine, Subject, date};
use jiff::Timestamp;
use tempfile::TempDir;

static COMPILED: LazyLock<Arc<Model>> =
    LazyLock::new(|| Arc::new(compile(MODEL.as_bytes()).expect("the model compiles")));

/// The store of a test.
#[derive(Clone, Copy, Debug)]
pub(crate) enum On {
    Embedded,
    DynamoDb,
}

/// A ledger and what it needs to live.
pub(crate) struct Ground {
    pub(crate) ledger: Ledger,
    /// The seconds since the start of 2026 that the clock shows.
    time: Arc<AtomicU64>,
    clock: Clock,
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
    pub(crate) async fn new(on: On) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let time = Arc::new(AtomicU64::new(0));
        let clock = clock(time.clone());
        let store: Arc<dyn Store> = match on {
            On::Embedded => {
                let now = clock.clone();
                let options =
                    Options { sweep_every: None, ..Options::new(Arc::new(move || now.moment().now)) };
                Arc::new(Embedded::open(directory.path(), options).unwrap())
            }
            On::DynamoDb => Arc::new(dynamodb().await),
        };
        let ledger = ledger(store, clock.clone());
        ledger.db.ensure_table().await.unwrap();
        Self { ledger, time, clock, _directory: directory }
    }

    /// The ledger of another process, on this store.
    pub(crate) fn another(&self, store: Arc<dyn Store>) -> Ledger {
        ledger(store, self.clock.clone())
    }

    /// Sets the clock to noon of a date in Korea.
    pub(crate) fn set_date(&self, text: &str) {
        let at: Timestamp = format!("{text}T03:00:00Z").parse().unwrap();
        self.time.store((at - start()).get_seconds().unsigned_abs(), Ordering::Relaxed);
    }
}

fn start() -> Timestamp {
    "2026-01-01T00:00:00Z".parse().unwrap()
}

fn clock(time: Arc<AtomicU64>) -> Clock {
    let count = AtomicU64::new(1);
    Clock::new(move || {
        let random = u128::from(count.fetch_add(1, Ordering::Relaxed));
        let seconds = i64::try_from(time.load(Ordering::Relaxed)).unwrap();
        Moment { now: start() + jiff::SignedDuration::from_secs(seconds), random }
    })
}

/// A ledger on a store.
pub(crate) fn ledger(store: Arc<dyn Store>, clock: Clock) -> Ledger {
    Ledger::new(Db::new(COMPILED.clone(), None, store, clock, CursorKey::new(b"tests")))
}

/// An endpoint that ends with the runtime of its test.
async fn dynamodb() -> DynamoDb {
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(dynoxide::server::serve_on(listener, dynoxide::Database::memory().unwrap()));
    let settings = hansang_aws::Settings {
        region: Some("eu-central-1".to_owned()),
        endpoint_url: Some(url),
        access_key: Some(AccessKey { id: "test".to_owned(), secret: "test".to_owned() }),
        backoff: Some(Duration::from_millis(1)),
        ..hansang_aws::Settings::default()
    };
    DynamoDb::connect(settings).await.unwrap()
}

/// A month.
pub(crate) fn month(text: &str) -> Month {
    text.parse().unwrap()
}

/// A subject, its detail after a `/`.
pub(crate) fn subject(kind: Kind, text: &str) -> Subject {
    let (name, detail) = text.split_once('/').map_or((text, None), |(name, detail)| (name, Some(detail)));
    Subject::new(kind, name, detail).unwrap()
}

/// An entry.
pub(crate) fn entry(at: &str, kind: Kind, name: &str, amount: i64) -> NewEntry {
    NewEntry { month: month(at), subject: subject(kind, name), amount, text: String::new() }
}

/// A line.
pub(crate) fn line(on: &str, kind: Kind, name: &str, text: &str, amount: i64) -> NewLine {
    NewLine { id: None, subject: subject(kind, name), date: date(on).unwrap(), text: text.to_owned(), amount }
}
