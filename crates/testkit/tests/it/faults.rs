//! Tests of the fault-injecting store.

use std::sync::Arc;

use hansang_core::store::Unavailable;
use hansang_core::{Store, StoreError, Table};
use hansang_testkit::expect::{NOTHING, contents, query_all, read};
use hansang_testkit::faults::{Fault, Faults, Faulty, Injected};
use hansang_testkit::fields;
use hansang_testkit::plans::{
    add, delete, get, item, key, on, put, query, query_index, scan_index, set, update,
};
use hansang_testkit::table::{BY_TEXT, described, fresh, made};

use crate::embedded;

fn always(fault: Fault) -> Faults {
    match fault {
        Fault::Throttle => Faults { throttle: 1.0, ..Faults::default() },
        Fault::Conflict => Faults { conflict: 1.0, ..Faults::default() },
        Fault::TimeoutBefore => Faults { timeout_before: 1.0, ..Faults::default() },
        Fault::TimeoutAfter => Faults { timeout_after: 1.0, ..Faults::default() },
        Fault::IndexLag(_) => Faults { index_lag: 1.0, ..Faults::default() },
    }
}

/// Faults of a seed for a fixed sequence of calls.
async fn faults_of(seed: u64) -> Vec<Injected> {
    let ((inner, _kept), (view, _kept_too)) = (embedded(), embedded());
    let faults =
        Faults { throttle: 0.1, conflict: 0.1, timeout_before: 0.1, timeout_after: 0.1, index_lag: 0.5 };
    let store = Faulty::new(inner, faults, seed).with_lagging_indexes(view);
    let table = fresh(&store).await;
    for n in 0..60_i64 {
        let _ = store
            .write(&table, put(item("p", &n.to_string(), fields! { tpk: "t", tsk: n.to_string() })))
            .await;
        let _ = store.transact(on(&table, vec![update("p", "sum", [add("n", "1")])])).await;
        let _ = store.get(&table, &get("p", "sum")).await;
        let _ = store.query(&table, &query_index(BY_TEXT, "tpk", "t")).await;
    }
    store.injected()
}

#[tokio::test]
async fn a_seed_repeats_its_faults() {
    let first = faults_of(7).await;
    assert_eq!(first, faults_of(7).await);
    assert_ne!(first, faults_of(8).await);
}

#[tokio::test]
async fn every_fault_happens() {
    let injected = faults_of(1).await;
    let count = |wanted: fn(&Fault) -> bool| injected.iter().filter(|one| wanted(&one.fault)).count();
    assert!(count(|fault| *fault == Fault::Throttle) > 5);
    assert!(count(|fault| *fault == Fault::Conflict) > 5);
    assert!(count(|fault| *fault == Fault::TimeoutBefore) > 5);
    assert!(count(|fault| *fault == Fault::TimeoutAfter) > 5);
    assert!(count(|fault| matches!(fault, Fault::IndexLag(behind) if *behind > 0)) > 5);
}

#[tokio::test]
async fn without_faults_it_is_the_store_beneath() {
    let ((inner, _kept), (view, _kept_too)) = (embedded(), embedded());
    let (other, _kept_three) = embedded();
    let store = Faulty::new(inner, Faults::default(), 1).with_lagging_indexes(view);
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..8 {
        use proptest::strategy::{Strategy as _, ValueTree as _};
        let operations = hansang_testkit::differential::operations().new_tree(&mut runner).unwrap().current();
        hansang_testkit::differential::same(&store, &*other, &operations).await.unwrap();
    }
    assert_eq!(store.injected(), []);
}

/// Result of a write under a fault, and whether it was done.
async fn write_under(fault: Fault) -> (StoreError, bool) {
    let (inner, _kept) = embedded();
    let table = fresh(&*inner).await;
    let store = Faulty::new(Arc::clone(&inner), always(fault), 1);
    let error = store.write(&table, put(item("p", "s", fields! { n: 1 }))).await.unwrap_err();
    assert_eq!(store.injected(), [Injected { call: 0, method: "write", fault }]);
    (error, read(&*inner, &table, "p", "s").await.is_some())
}

#[tokio::test]
async fn a_throttled_write_is_not_done() {
    assert!(matches!(write_under(Fault::Throttle).await, (StoreError::Throttled, false)));
}

#[tokio::test]
async fn a_write_in_conflict_is_not_done() {
    assert!(matches!(write_under(Fault::Conflict).await, (StoreError::Conflict, false)));
}

#[tokio::test]
async fn a_timeout_before_is_not_done() {
    let outcome = write_under(Fault::TimeoutBefore).await;
    assert!(matches!(outcome, (StoreError::Unavailable(Unavailable { outcome_unknown: true, .. }), false)));
}

#[tokio::test]
async fn a_timeout_after_is_done() {
    let outcome = write_under(Fault::TimeoutAfter).await;
    assert!(matches!(outcome, (StoreError::Unavailable(Unavailable { outcome_unknown: true, .. }), true)));
}

#[tokio::test]
async fn a_transaction_that_timed_out_after_is_done() {
    let (inner, _kept) = embedded();
    let table = fresh(&*inner).await;
    let store = Faulty::new(Arc::clone(&inner), always(Fault::TimeoutAfter), 1);
    let writes = ["a", "b"].map(|sk| put(item("p", sk, fields! {})));
    store.transact(on(&table, writes.into())).await.unwrap_err();
    assert_eq!(contents(&*inner, &table).await.len(), 2);
}

#[tokio::test]
async fn a_batch_that_timed_out_after_is_half_done() {
    let (inner, _kept) = embedded();
    let table = fresh(&*inner).await;
    let store = Faulty::new(Arc::clone(&inner), always(Fault::TimeoutAfter), 1);
    let items = (0..10_i64).map(|n| item("p", &n.to_string(), fields! {})).collect();
    store.batch_put(&table, items).await.unwrap_err();
    assert_eq!(contents(&*inner, &table).await.len(), 5);
}

#[tokio::test]
async fn a_read_that_timed_out_has_no_unknown_outcome() {
    let (inner, _kept) = embedded();
    let table = fresh(&*inner).await;
    let store = Faulty::new(inner, always(Fault::TimeoutBefore), 1);
    let error = store.get(&table, &get("p", "s")).await.unwrap_err();
    assert!(
        matches!(error, StoreError::Unavailable(Unavailable { outcome_unknown: false, .. })),
        "{error:?}"
    );
}

/// The default of the port would return no history, which is easy to miss.
#[tokio::test]
async fn a_history_is_passed_on_and_fails_as_reads_do() {
    let (inner, _kept) = embedded();
    let table = made(&*inner, Table { streams: true, ..described() }).await;
    inner.write(&table, put(item("p", "s", fields! { n: 1 }))).await.unwrap();
    let told = inner.history(&table, &key("p", "s"), 10).await.unwrap();
    assert_eq!(told.as_ref().unwrap().changes.len(), 1);
    let store = Faulty::new(Arc::clone(&inner), Faults::default(), 1);
    assert_eq!(store.history(&table, &key("p", "s"), 10).await.unwrap(), told);
    let store = Faulty::new(inner, always(Fault::Throttle), 1);
    let error = store.history(&table, &key("p", "s"), 10).await.unwrap_err();
    assert!(matches!(error, StoreError::Throttled), "{error:?}");
    assert_eq!(store.injected(), [Injected { call: 0, method: "history", fault: Fault::Throttle }]);
}

#[tokio::test]
async fn a_lagging_index_misses_what_was_just_written_and_catches_up() {
    let ((inner, _kept), (view, _kept_too)) = (embedded(), embedded());
    let store = Faulty::new(inner, always(Fault::IndexLag(1)), 3).with_lagging_indexes(view);
    let table = fresh(&store).await;
    let in_index = || query_index(BY_TEXT, "tpk", "t");
    let thing = item("p", "s", fields! { tpk: "t", tsk: "s", n: 1 });
    store.write(&table, put(thing.clone())).await.unwrap();
    assert_eq!(query_all(&store, &table, &in_index()).await, NOTHING, "the index does not have it yet");
    assert_eq!(
        query_all(&store, &table, &query("p")).await,
        std::slice::from_ref(&thing),
        "the table has it at once"
    );
    assert_eq!(store.injected(), [Injected { call: 1, method: "query", fault: Fault::IndexLag(1) }]);
    store.catch_up().await.unwrap();
    assert_eq!(query_all(&store, &table, &in_index()).await, [thing]);

    store.write(&table, update("p", "s", [set("n", 2)])).await.unwrap();
    let old = query_all(&store, &table, &in_index()).await;
    assert_eq!(old[0]["n"], 1.into(), "the index has the item as it was");
    store.write(&table, delete("p", "s")).await.unwrap();
    assert_eq!(
        store.scan(&table, &scan_index(BY_TEXT)).await.unwrap().items,
        old,
        "the index still has the deleted item"
    );
    store.catch_up().await.unwrap();
    assert_eq!(query_all(&store, &table, &in_index()).await, NOTHING);
}
