//! Tests of the embedded store beyond the conformance suite.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod cache;
mod conformance;
mod damage;
mod db;
mod directory;
mod expiry;
mod feed;
mod files;
mod history;
mod indexes;
mod kill;
mod limits;
mod queue;
mod rows;
mod table;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use hansang_core::plan::{Action, Get, Guards, Key, Scan, Write};
use hansang_core::{Item, Name, Store as _, Table, Value};
use hansang_embedded::{Embedded, Options};
use jiff::Timestamp;

/// A clock that tests move.
#[derive(Clone)]
struct TestClock(Arc<AtomicI64>);

impl TestClock {
    fn at(second: i64) -> Self {
        Self(Arc::new(AtomicI64::new(second)))
    }

    fn forward(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }

    fn options(&self) -> Options {
        let clock = self.0.clone();
        let now = Arc::new(move || Timestamp::from_second(clock.load(Ordering::SeqCst)).unwrap());
        Options { sweep_every: None, ..Options::new(now) }
    }
}

const NOON: i64 = 1_800_000_000;

/// Opens a store with its table.
async fn open(directory: &Path) -> Embedded {
    let store = Embedded::open(directory, TestClock::at(NOON).options()).unwrap();
    store.ensure_table(&table::table()).await.unwrap();
    store
}

fn key(pk: &str, sk: &str) -> Key {
    Key { pk: pk.to_owned(), sk: sk.to_owned() }
}

fn item(pk: &str, sk: &str, more: &[(&str, Value)]) -> Item {
    let mut item = Item::from([(Name::from("PK"), Value::from(pk)), (Name::from("SK"), Value::from(sk))]);
    item.extend(more.iter().map(|(name, value)| (Name::from(*name), value.clone())));
    item
}

fn put(pk: &str, sk: &str, more: &[(&str, Value)]) -> Write {
    Write { key: key(pk, sk), action: Action::Put(item(pk, sk, more)), guards: Guards::default() }
}

fn delete(pk: &str, sk: &str) -> Write {
    Write { key: key(pk, sk), action: Action::Delete, guards: Guards::default() }
}

async fn get(store: &Embedded, key: Key) -> Option<Item> {
    store.get(&table::table(), &Get { key, consistent: true, fields: None }).await.unwrap()
}

async fn everything(store: &Embedded, table: &Table) -> Vec<Item> {
    let mut scan = Scan { index: None, limit: 1000, start: None, consistent: true };
    let mut all = Vec::new();
    loop {
        let page = store.scan(table, &scan).await.unwrap();
        all.extend(page.items);
        scan.start = page.next;
        if scan.start.is_none() {
            return all;
        }
    }
}
