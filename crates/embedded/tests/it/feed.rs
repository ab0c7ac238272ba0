//! The change feed and frozen snapshots.

use hansang_core::plan::{Action, Change, Guards, Path, Scan, Write};
use hansang_core::{Store as _, Value};
use hansang_embedded::Embedded;
use hansang_testkit::plans::on;

use crate::{NOON, TestClock, delete, item, key, open, put, table};

#[tokio::test]
async fn the_feed_has_every_change_in_order_with_both_images() {
    let directory = tempfile::tempdir().unwrap();
    let table = table::table();
    let (first, second) = (item("a", "1", &[("v", 1.into())]), item("a", "1", &[("v", 2.into())]));
    {
        let store = open(directory.path()).await;
        store.write(&table, put("a", "1", &[("v", 1.into())])).await.unwrap();
        let path = Path { root: "v".into(), inside: Vec::new() };
        let update = Action::Update(vec![(path, Change::Add(1.into()))]);
        store
            .write(&table, Write { key: key("a", "1"), action: update, guards: Guards::default() })
            .await
            .unwrap();
        // A write without a change adds nothing.
        store.write(&table, put("a", "1", &[("v", 2.into())])).await.unwrap();
        store.write(&table, delete("a", "2")).await.unwrap();
    }
    // Sequence numbers continue.
    let store = open(directory.path()).await;
    store.transact(on(&table, vec![delete("a", "1"), put("b", "1", &[])])).await.unwrap();
    let changes = store.changes(&table, 0, 100).unwrap();
    let images: Vec<_> =
        changes.iter().map(|change| (change.sequence, change.old.clone(), change.new.clone())).collect();
    assert_eq!(
        images,
        [
            (1, None, Some(first.clone())),
            (2, Some(first), Some(second.clone())),
            (3, Some(second), None),
            (4, None, Some(item("b", "1", &[]))),
        ]
    );
    assert_eq!(changes[0].at.as_second(), NOON);
    let rest = store.changes(&table, 2, 1).unwrap();
    assert_eq!(rest.iter().map(|change| change.sequence).collect::<Vec<_>>(), [3]);
}

#[tokio::test]
async fn all_changes_of_one_commit_are_recorded() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path()).await;
    let table = table::table();
    let writes = (0..50).map(|n| {
        let (store, table) = (store.clone(), table.clone());
        tokio::spawn(async move { store.write(&table, put("a", "1", &[("v", Value::from(n))])).await })
    });
    for write in writes.collect::<Vec<_>>() {
        write.await.unwrap().unwrap();
    }
    let changes = store.changes(&table, 0, 100).unwrap();
    assert_eq!(changes.len(), 50);
    for pair in changes.windows(2) {
        assert_eq!(pair[0].new, pair[1].old);
        assert_eq!(pair[0].sequence + 1, pair[1].sequence);
    }
}

#[tokio::test]
async fn changes_are_kept_for_a_day() {
    let directory = tempfile::tempdir().unwrap();
    let clock = TestClock::at(NOON);
    let store = Embedded::open(directory.path(), clock.options()).unwrap();
    let table = table::table();
    store.ensure_table(&table).await.unwrap();
    for n in 0..2500 {
        store.batch_put(&table, vec![item("a", "1", &[("v", Value::from(n))])]).await.unwrap();
    }
    clock.forward(24 * 3600);
    store.write(&table, put("b", "1", &[])).await.unwrap();
    store.sweep().await.unwrap();
    assert_eq!(store.changes(&table, 0, 9999).unwrap().len(), 2501);
    clock.forward(1);
    store.sweep().await.unwrap();
    let left = store.changes(&table, 0, 9999).unwrap();
    assert_eq!(left.iter().map(|change| change.sequence).collect::<Vec<_>>(), [2501]);

    // The last change is never trimmed: a reused sequence number would make followers miss changes.
    clock.forward(48 * 3600);
    store.sweep().await.unwrap();
    drop(store);
    let store = Embedded::open(directory.path(), clock.options()).unwrap();
    store.write(&table, put("c", "1", &[])).await.unwrap();
    assert_eq!(store.changes(&table, 2501, 9999).unwrap()[0].sequence, 2502);
}

#[tokio::test]
async fn a_frozen_snapshot_does_not_change() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path()).await;
    let table = table::table();
    store.write(&table, put("a", "1", &[])).await.unwrap();
    let frozen = store.freeze().unwrap();
    store.transact(on(&table, vec![delete("a", "1"), put("b", "1", &[])])).await.unwrap();
    let scan = Scan { index: None, limit: 10, start: None, consistent: true };
    assert_eq!(frozen.scan(&table, &scan).unwrap().items, [item("a", "1", &[])]);
    assert_eq!(store.scan(&table, &scan).await.unwrap().items, [item("b", "1", &[])]);
}
