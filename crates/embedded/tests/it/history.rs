//! History of one item from the feed of its table.

use std::pin::pin;
use std::task::{Context, Waker};

use hansang_core::store::{History, Past};
use hansang_core::{Item, Store as _, StoreError, Table, Value};
use hansang_embedded::Embedded;
use hansang_testkit::plans::on;
use jiff::Timestamp;

use crate::{NOON, TestClock, delete, item, key, open, put, table};

/// History of `a` / `1`.
async fn history(store: &Embedded, limit: usize) -> History {
    store.history(&table::table(), &key("a", "1"), limit).await.unwrap().unwrap()
}

/// Item `a` / `1` with a number.
fn one(n: i64) -> Item {
    item("a", "1", &[("v", Value::from(n))])
}

fn past(second: i64, old: Option<Item>, new: Option<Item>) -> Past {
    Past { at: Timestamp::from_second(second).unwrap(), old, new }
}

async fn write(store: &Embedded, n: i64) {
    store.write(&table::table(), put("a", "1", &[("v", Value::from(n))])).await.unwrap();
}

/// Changes another item `count` times, numbered from `from`.
async fn others(store: &Embedded, from: i64, count: i64) {
    let items: Vec<Item> = (from..from + count).map(|n| item("b", "1", &[("v", Value::from(n))])).collect();
    for chunk in items.chunks(1000) {
        store.batch_put(&table::table(), chunk.to_vec()).await.unwrap();
    }
}

#[tokio::test]
async fn history_is_of_one_item_newest_first() {
    let directory = tempfile::tempdir().unwrap();
    let clock = TestClock::at(NOON);
    let store = Embedded::open(directory.path(), clock.options()).unwrap();
    let table = table::table();
    store.ensure_table(&table).await.unwrap();
    // The same text elsewhere in a key, or in an attribute, is another item.
    let lookalike = item("b", "2", &[("v", one(1)["PK"].clone()), ("inside", Value::M(one(1)))]);
    for (seconds, n) in [(0, 1), (1, 2)] {
        clock.forward(seconds);
        write(&store, n).await;
        let n = Value::from(n);
        let near = [item("a", "2", &[("v", n.clone())]), item("b", "1", &[("v", n.clone())])];
        store.batch_put(&table, near.into()).await.unwrap();
        store.batch_put(&table, vec![item("1", "a", &[("v", n)]), lookalike.clone()]).await.unwrap();
    }
    let told = [past(NOON + 1, Some(one(1)), Some(one(2))), past(NOON, None, Some(one(1)))];
    assert_eq!(history(&store, 10).await, History { changes: told.into(), whole: true });
    let near = store.history(&table, &key("a", "2"), 10).await.unwrap().unwrap();
    assert_eq!(near.changes.len(), 2);
    let never = store.history(&table, &key("a", "3"), 10).await.unwrap().unwrap();
    assert_eq!(never, History { changes: Vec::new(), whole: true });
}

#[tokio::test]
async fn history_survives_deletion_and_restart() {
    let directory = tempfile::tempdir().unwrap();
    let table = table::table();
    {
        let store = open(directory.path()).await;
        write(&store, 1).await;
        store.write(&table, delete("a", "1")).await.unwrap();
        let gone = history(&store, 10).await;
        assert_eq!(gone.changes[0], past(NOON, Some(one(1)), None), "also after its deletion");
    }
    let store = open(directory.path()).await;
    store.transact(on(&table, vec![put("a", "1", &[("v", 2.into())]), put("b", "1", &[])])).await.unwrap();
    let told =
        [past(NOON, None, Some(one(2))), past(NOON, Some(one(1)), None), past(NOON, None, Some(one(1)))];
    assert_eq!(history(&store, 10).await, History { changes: told.into(), whole: true });
}

#[tokio::test]
async fn a_limit_cuts_the_oldest_changes() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path()).await;
    for n in 1..=3 {
        write(&store, n).await;
    }
    let last = past(NOON, Some(one(2)), Some(one(3)));
    let before = past(NOON, Some(one(1)), Some(one(2)));
    assert_eq!(history(&store, 2).await, History { changes: vec![last, before], whole: false });
    let all = history(&store, 3).await;
    assert_eq!((all.changes.len(), all.whole), (3, true), "the limit is not reached");
    assert_eq!(history(&store, 0).await, History::default());
}

#[tokio::test]
async fn at_most_twenty_thousand_changes_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path()).await;
    write(&store, 1).await;
    others(&store, 0, 19_999).await;
    let found = history(&store, 10).await;
    assert_eq!((found.changes.len(), found.whole), (1, true), "the last change that is read");
    others(&store, 19_999, 1).await;
    assert_eq!(history(&store, 10).await, History::default(), "beyond the last change that is read");
    write(&store, 2).await;
    let found = history(&store, 10).await;
    assert_eq!((found.changes.len(), found.whole), (1, false));
}

#[tokio::test]
async fn at_most_64_megabytes_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path()).await;
    write(&store, 1).await;
    // Every change but the first has two images.
    let large = |n: i64| item("b", "1", &[("v", Value::from(n)), ("text", "x".repeat(400_000).into())]);
    for n in 0..80 {
        store.batch_put(&table::table(), vec![large(n)]).await.unwrap();
    }
    assert_eq!(history(&store, 10).await.changes.len(), 1, "63.6 MB of them");
    for n in 80..100 {
        store.batch_put(&table::table(), vec![large(n)]).await.unwrap();
    }
    assert_eq!(history(&store, 10).await, History::default(), "79.6 MB of them");
}

#[tokio::test]
async fn the_walk_yields_and_reads_one_snapshot() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path()).await;
    let table = table::table();
    write(&store, 1).await;
    others(&store, 0, 1500).await;
    let key = key("a", "1");
    let mut asked = pin!(store.history(&table, &key, 10));
    let turn = asked.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(turn.is_pending(), "a long walk yields");
    write(&store, 2).await;
    let told = asked.await.unwrap().unwrap();
    assert_eq!(told, History { changes: vec![past(NOON, None, Some(one(1)))], whole: true });
}

#[tokio::test]
async fn changes_older_than_a_day_are_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let clock = TestClock::at(NOON);
    let store = Embedded::open(directory.path(), clock.options()).unwrap();
    store.ensure_table(&table::table()).await.unwrap();
    write(&store, 1).await;
    clock.forward(24 * 3600);
    write(&store, 2).await;
    assert_eq!(history(&store, 10).await.changes.len(), 2);
    clock.forward(1);
    let left = History { changes: vec![past(NOON + 24 * 3600, Some(one(1)), Some(one(2)))], whole: true };
    assert_eq!(store.changes(&table::table(), 0, 10).unwrap().len(), 2, "not swept yet");
    assert_eq!(history(&store, 10).await, left);
    store.sweep().await.unwrap();
    assert_eq!(store.changes(&table::table(), 0, 10).unwrap().len(), 1);
    assert_eq!(history(&store, 10).await, left);
}

#[tokio::test]
async fn there_is_no_history_without_streams() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path()).await;
    write(&store, 1).await;
    let off = Table { streams: false, ..table::table() };
    store.ensure_table(&off).await.unwrap();
    write(&store, 2).await;
    // The stored definition decides, not the one of the caller.
    for table in [&off, &table::table()] {
        assert_eq!(store.history(table, &key("a", "1"), 10).await.unwrap(), None);
    }
    store.ensure_table(&table::table()).await.unwrap();
    write(&store, 3).await;
    let told = [past(NOON, Some(one(2)), Some(one(3))), past(NOON, None, Some(one(1)))];
    assert_eq!(history(&store, 10).await.changes, told, "without changes made while streams were off");
}

#[tokio::test]
async fn an_unknown_table_and_an_invalid_key_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path()).await;
    let unknown = Table { name: "Others".to_owned(), ..table::table() };
    for (table, key, code) in
        [(&unknown, key("a", "1"), "unknown_table"), (&table::table(), key("", "1"), "empty_key")]
    {
        match store.history(table, &key, 10).await {
            Err(StoreError::Invalid(error)) => assert_eq!(error.code, code),
            other => panic!("{other:?}"),
        }
    }
}
