//! Writes while the process may not write files or open more of them, and after that. Used by the tests of a
//! full disk: `limits DIRECTORY size|files`.
//!
//! Prints `ok KEY` after a write was acknowledged, `refused KEY` after one that wrote nothing and `unknown
//! KEY` after one whose outcome is unknown.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program for a test"
)]

use std::sync::Arc;
use std::time::Duration;

use hansang_core::plan::{Action, Get, Guards, Key, Write};
use hansang_core::{Item, Name, Store, StoreError, Value};
use hansang_embedded::{Embedded, Options};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

#[allow(dead_code, reason = "shared with tests that use more of it")]
#[path = "../tests/it/table.rs"]
mod table;

/// Writes an item and prints the outcome. Returns whether it was acknowledged.
async fn write(store: &Embedded, number: usize) -> bool {
    let sk = format!("{number:06}");
    let key = Key { pk: "p".to_owned(), sk: sk.clone() };
    let part = |name: &str, text: &str| (Name::from(name), Value::from(text));
    let filler = "x".repeat(1000);
    let item = Item::from([part("PK", "p"), part("SK", &sk), part("filler", &filler)]);
    let write = Write { key, action: Action::Put(item), guards: Guards::default() };
    let outcome = match store.write(&table::table(), write).await {
        Ok(_) => "ok",
        Err(StoreError::Unavailable(error)) if error.outcome_unknown => "unknown",
        Err(StoreError::Unavailable(_)) => "refused",
        Err(error) => panic!("{error}"),
    };
    println!("{outcome} {sk}");
    outcome == "ok"
}

async fn is_there(store: &Embedded, number: usize) -> bool {
    let key = Key { pk: "p".to_owned(), sk: format!("{number:06}") };
    store.get(&table::table(), &Get { key, consistent: true, fields: None }).await.unwrap().is_some()
}

/// Lowers a limit of this process. Returns what restores it.
fn lower(resource: Resource, to: u64) -> impl Fn() {
    let before = getrlimit(resource);
    setrlimit(resource, Rlimit { current: Some(to), ..before }).unwrap();
    move || setrlimit(resource, before).unwrap()
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    // Without arguments, as `cargo test --examples` runs it, there is nothing to do.
    let (Some(directory), Some(limit)) = (arguments.next(), arguments.next()) else { return };
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let now = Arc::new(jiff::Timestamp::now);
    let options = Options { buffer_bytes: 64 * 1024, sweep_every: None, ..Options::new(now) };
    let store = Embedded::open(directory, options).unwrap();
    store.ensure_table(&table::table()).await.unwrap();
    let mut number = 0;
    while number < 10 {
        assert!(write(&store, number).await);
        number += 1;
    }
    let frozen = store.freeze().unwrap();
    let restore = match &*limit {
        "size" => lower(Resource::Fsize, 0),
        _ => lower(Resource::Nofile, std::fs::read_dir("/proc/self/fd").unwrap().count() as u64),
    };
    let mut failures = 0;
    while failures < 50 {
        failures += usize::from(!write(&store, number).await);
        number += 1;
        assert!(number < 100_000, "nothing failed");
    }
    assert!(is_there(&store, 5).await, "reads go on");
    assert!(!is_there(&store, number - 1).await, "a refused write is visible");
    restore();
    while !write(&store, number).await {
        number += 1;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(is_there(&store, number).await && is_there(&store, 5).await);
    drop(frozen);
    println!("done");
}
