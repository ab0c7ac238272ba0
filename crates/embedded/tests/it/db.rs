//! `Db` on the embedded store.

mod alongside;
mod concurrency;
mod expiry;
mod history;
mod import;
mod pages;
mod queries;
mod transactions;
mod typed;
mod writes;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use hansang_core::cursor::CursorKey;
use hansang_core::db::{Clock, GetOptions};
use hansang_core::plan::{Change, Path};
use hansang_core::value::json;
use hansang_core::write::{Moment, Update};
use hansang_core::{Db, Error, Item, Name, Record, Value};
use hansang_embedded::{Embedded, Options};
use serde_json::Value as Json;

pub(crate) const BLOG: &str = include_str!("db/blog.yaml");
pub(crate) const CONTENT: &str = include_str!("../../../../models/content.yaml");
pub(crate) const LEDGER: &str = include_str!("../../../../models/ledger.yaml");
pub(crate) const ENTRY: &str = include_str!("../../../../models/entry.yaml");
pub(crate) const DOCUMENTS: &str = include_str!("../../../../models/documents.yaml");
pub(crate) const ACCESS: &str = include_str!("../../../../models/access.yaml");
pub(crate) const CONTRACTS: &str = include_str!("../../../../models/contracts.yaml");

/// Start time of every test, in seconds.
pub(crate) const BEGIN: i64 = 1_800_000_000;

/// A model on a store in a temporary directory, with a clock that tests move.
pub(crate) struct World {
    pub(crate) db: Db,
    seconds: Arc<AtomicI64>,
    _directory: tempfile::TempDir,
}

impl World {
    pub(crate) async fn of(model: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let seconds = Arc::new(AtomicI64::new(BEGIN));
        let now = {
            let seconds = seconds.clone();
            move || jiff::Timestamp::from_second(seconds.load(Ordering::SeqCst)).unwrap()
        };
        let options = Options { sweep_every: None, ..Options::new(Arc::new(now.clone())) };
        let store = Arc::new(Embedded::open(directory.path(), options).unwrap());
        let counter = AtomicU64::new(1);
        let clock = Clock::new(move || {
            let next = u128::from(counter.fetch_add(1, Ordering::SeqCst));
            Moment { now: now(), random: next.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) }
        });
        let model = Arc::new(hansang_core::compile(model.as_bytes()).unwrap());
        let db = Db::new(model, None, store, clock, CursorKey::new(&[7; 32]));
        db.ensure_table().await.unwrap();
        Self { db, seconds, _directory: directory }
    }

    pub(crate) fn pass(&self, seconds: i64) {
        self.seconds.fetch_add(seconds, Ordering::SeqCst);
    }

    pub(crate) async fn create(&self, entity: &str, given: Json) -> Result<Record, Error> {
        self.db.create(entity, fields(given)).await
    }

    pub(crate) async fn get(&self, entity: &str, key: Json) -> Option<Record> {
        self.db.get(entity, &fields(key), &GetOptions::default()).await.unwrap()
    }

    pub(crate) async fn update(&self, entity: &str, key: Json, changes: Json) -> Result<Record, Error> {
        self.db.update(entity, set(key, changes)).await
    }
}

/// Parses fields from JSON.
pub(crate) fn fields(json: Json) -> Item {
    json::item_from_plain(&json).unwrap()
}

/// Fields of a record as JSON.
pub(crate) fn shown(record: &Record) -> Json {
    json::item_to_plain(&record.fields)
}

/// An update that sets fields and removes those that are null.
pub(crate) fn set(key: Json, changes: Json) -> Update {
    let change = |value: Value| if value == Value::Null { Change::Remove } else { Change::Set(value) };
    let changes = fields(changes).into_iter().map(|(name, value)| (Path::from(&name), change(value)));
    Update { key: fields(key), changes: changes.collect(), expected_version: None }
}

pub(crate) fn path(name: &str) -> Path {
    Path::from(&Name::from(name))
}

/// Code of an error.
pub(crate) fn code<T: std::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    result.unwrap_err().code.as_str()
}
