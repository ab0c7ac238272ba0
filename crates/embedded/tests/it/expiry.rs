//! Sweeps remove expired items and their index entries.

use hansang_core::{Store as _, Value};
use hansang_embedded::{Embedded, Options};
use std::time::Duration;

use crate::{NOON, TestClock, everything, put, table};

#[tokio::test]
async fn a_sweep_removes_expired_items_only() {
    let directory = tempfile::tempdir().unwrap();
    let clock = TestClock::at(NOON);
    let store = Embedded::open(directory.path(), clock.options()).unwrap();
    let table = table::table();
    store.ensure_table(&table).await.unwrap();
    for (sk, ttl) in [("past", NOON - 1), ("now", NOON), ("soon", NOON + 10), ("never", i64::MAX)] {
        let more =
            [("ttl", Value::from(ttl)), ("GSI1PK", "g".into()), ("GSI1SK", sk.into()), ("rank", 1.into())];
        store.write(&table, put("p", sk, &more)).await.unwrap();
    }
    store.write(&table, put("p", "text", &[("ttl", "soon".into())])).await.unwrap();
    assert_eq!(store.sweep().await.unwrap(), 2);
    assert_eq!(store.sweep().await.unwrap(), 0);
    clock.forward(10);
    // An item whose expiry was extended in time stays.
    store.write(&table, put("p", "soon", &[("ttl", Value::from(NOON + 20))])).await.unwrap();
    assert_eq!(store.sweep().await.unwrap(), 0);
    clock.forward(10);
    assert_eq!(store.sweep().await.unwrap(), 1);
    let left: Vec<_> = everything(&store, &table).await.iter().map(|item| item["SK"].clone()).collect();
    assert_eq!(left, [Value::from("never"), Value::from("text")]);
    assert_eq!(store.verify(&table).unwrap(), []);
}

#[tokio::test]
async fn sweeps_run_in_the_background() {
    let directory = tempfile::tempdir().unwrap();
    let options = Options { sweep_every: Some(Duration::from_millis(1)), ..TestClock::at(NOON).options() };
    let store = Embedded::open(directory.path(), options).unwrap();
    let table = table::table();
    store.ensure_table(&table).await.unwrap();
    let items = (0..1200).map(|n| crate::item("p", &n.to_string(), &[("ttl", Value::from(NOON))])).collect();
    store.batch_put(&table, items).await.unwrap();
    while !everything(&store, &table).await.is_empty() {
        tokio::task::yield_now().await;
    }
}
