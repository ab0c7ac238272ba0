//! Tests of the store and the queue in memory.

mod conformance;
mod queue;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use hansang_core::Store as _;
use hansang_testkit::differential::{operations, same};
use hansang_testkit::fields;
use hansang_testkit::memory::Memory;
use hansang_testkit::plans::{get, item, on, put, query, scan};
use hansang_testkit::table::described;
use proptest::prelude::*;

use crate::embedded;

/// It agrees with the embedded store, which agrees with DynamoDB.
#[test]
fn it_is_like_the_embedded_store() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ((embedded, _kept), memory) = (embedded(), Memory::new());
    let config = ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(operations in operations())| {
        let outcome = runtime.block_on(same(&memory, &*embedded, &operations));
        prop_assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
    });
}

/// Polls a future once, which must complete.
fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => done,
        Poll::Pending => panic!("the call waits"),
    }
}

/// Calls complete in their first poll, in the order of polls.
#[test]
fn every_call_is_done_when_it_is_polled() {
    let (store, table) = (Memory::new(), described());
    at_once(store.ensure_table(&table)).unwrap();
    at_once(store.write(&table, put(item("p", "a", fields! {})))).unwrap();
    at_once(store.transact(on(&table, vec![put(item("p", "b", fields! {}))]))).unwrap();
    at_once(store.batch_put(&table, vec![item("p", "c", fields! {})])).unwrap();
    assert!(at_once(store.get(&table, &get("p", "a"))).unwrap().is_some());
    assert_eq!(at_once(store.query(&table, &query("p"))).unwrap().items.len(), 3);
    assert_eq!(at_once(store.scan(&table, &scan())).unwrap().items.len(), 3);
}
