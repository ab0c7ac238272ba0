//! The row cache is never older than the last commit, and never newer than the snapshot of a query.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use hansang_core::plan::Query;
use hansang_core::{Item, Store as _, Value};
use hansang_embedded::Embedded;
use hansang_testkit::plans::on;

use crate::{get, key, open, put, table};

const STEPS: i64 = 300;

fn step_of(item: &Item) -> i64 {
    item["step"].as_number().and_then(|step| step.to_i64()).unwrap()
}

/// Two items that are written together, in one index partition.
async fn write_step(store: &Embedded, step: i64) {
    let half = |sk: &str| {
        let place = format!("{step:06}");
        put("p", sk, &[("step", step.into()), ("GSI1PK", "g".into()), ("GSI1SK", place.into())])
    };
    store.transact(on(&table::table(), vec![half("a"), half("b")])).await.unwrap();
}

async fn read_halves(store: &Embedded) -> Vec<i64> {
    let query = Query {
        index: Some("GSI1".into()),
        pk: ("GSI1PK".into(), Value::from("g")),
        sort: None,
        descending: false,
        limit: 10,
        start: None,
        consistent: false,
        fields: None,
        filter: None,
    };
    store.query(&table::table(), &query).await.unwrap().items.iter().map(step_of).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_readers_see_acknowledged_writes_and_whole_transactions() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path()).await;
    write_step(&store, 0).await;
    let acknowledged = Arc::new(AtomicI64::new(0));
    let readers: Vec<_> = (0..4)
        .map(|reader| {
            let (store, acknowledged) = (store.clone(), acknowledged.clone());
            tokio::spawn(async move {
                let mut reads = 0_u64;
                loop {
                    let before = acknowledged.load(Ordering::SeqCst);
                    if reader % 2 == 0 {
                        let found = step_of(&get(&store, key("p", "a")).await.unwrap());
                        assert!(found >= before, "read {found} after {before} was acknowledged");
                    } else {
                        let halves = read_halves(&store).await;
                        assert_eq!(halves.len(), 2);
                        assert_eq!(halves[0], halves[1], "half of a transaction");
                        assert!(halves[0] >= before, "queried {halves:?} after {before} was acknowledged");
                    }
                    reads += 1;
                    if before == STEPS {
                        return reads;
                    }
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    for step in 1..=STEPS {
        write_step(&store, step).await;
        acknowledged.store(step, Ordering::SeqCst);
    }
    for reader in readers {
        assert!(reader.await.unwrap() > 0);
    }
}

#[tokio::test]
async fn a_deleted_item_leaves_the_cache() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path()).await;
    write_step(&store, 1).await;
    assert_eq!(read_halves(&store).await, [1, 1]);
    assert!(get(&store, key("p", "a")).await.is_some());
    store.write(&table::table(), crate::delete("p", "a")).await.unwrap();
    assert_eq!(get(&store, key("p", "a")).await, None);
    assert_eq!(read_halves(&store).await, [1]);
}
