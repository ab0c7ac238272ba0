//! Busy and unreachable endpoints.

use std::net::TcpListener;

use hansang_core::plan::Change;
use hansang_core::{Store, StoreError};
use hansang_testkit::plans::on;

use crate::proxy::{Fault, Proxy};
use crate::{endpoints, get, item, key, put, table, update};

#[tokio::test]
async fn throttling_and_conflicts_are_waited_out() {
    let proxy = Proxy::start().await;
    let (db, table) = (proxy.store().await, table());
    db.ensure_table(&table).await.unwrap();
    proxy.inject([
        Fault::error(400, "ProvisionedThroughputExceededException"),
        Fault::error(400, "ThrottlingException"),
        Fault::error(400, "TransactionConflictException"),
    ]);
    let add = update("a", "1", vec![("n", Change::Add(1.into()))]);
    let after = db.write(&table, add.clone()).await.unwrap();
    assert_eq!(after, Some(item("a", "1", [("n", 1.into())])));
    proxy.inject([
        Fault::cancelled(&["TransactionConflict"]),
        Fault::cancelled(&["ThrottlingError"]),
        Fault::error(400, "TransactionInProgressException"),
    ]);
    db.transact(on(&table, vec![add])).await.unwrap();
    assert_eq!(db.get(&table, &get(key("a", "1"))).await.unwrap(), Some(item("a", "1", [("n", 2.into())])));
}

#[tokio::test]
async fn a_busy_endpoint_is_reported_after_all_attempts() {
    let proxy = Proxy::start().await;
    let (db, table) = (proxy.store().await, table());
    db.ensure_table(&table).await.unwrap();
    proxy.inject(vec![Fault::error(400, "ProvisionedThroughputExceededException"); 9]);
    let error = db.write(&table, put(item("a", "1", []))).await.unwrap_err();
    assert!(matches!(error, StoreError::Throttled), "{error:?}");
    assert_eq!(proxy.seen().len(), 4);
    proxy.inject(vec![Fault::cancelled(&["None", "TransactionConflict"]); 9]);
    let writes = vec![put(item("a", "1", [])), put(item("a", "2", []))];
    let error = db.transact(on(&table, writes)).await.unwrap_err();
    assert!(matches!(error, StoreError::Conflict), "{error:?}");
    assert_eq!(proxy.seen().len(), 4);
}

#[tokio::test]
async fn a_refusal_is_not_retried() {
    let proxy = Proxy::start().await;
    let (db, table) = (proxy.store().await, table());
    proxy.inject(vec![Fault::error(400, "AccessDeniedException")]);
    let error = db.write(&table, put(item("a", "1", []))).await.unwrap_err();
    let StoreError::Unavailable(error) = error else { panic!("{error:?}") };
    assert!(!error.outcome_unknown);
    assert!(error.message.to_string().contains("credentials"), "{}", error.message);
    assert_eq!(proxy.seen().len(), 1);
}

#[tokio::test]
async fn an_unreachable_endpoint_has_a_known_outcome() {
    // A port that was just closed has no listener.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let db = endpoints::connect(&format!("http://{address}")).await;
    let error = db.write(&table(), put(item("a", "1", []))).await.unwrap_err();
    let StoreError::Unavailable(error) = error else { panic!("{error:?}") };
    assert!(!error.outcome_unknown, "{error:?}");
    assert!(error.message.to_string().contains(&address.to_string()), "{}", error.message);
    assert!(error.message.to_string().contains("region"), "{}", error.message);
    assert!(error.source.is_some());
}
