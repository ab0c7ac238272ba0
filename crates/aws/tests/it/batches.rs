//! Batches with unprocessed entries.

use hansang_core::plan::BatchGet;
use hansang_core::{Item, Store, StoreError};

use crate::proxy::{Fault, Proxy};
use crate::{item, key, table};

fn things(count: i64) -> Vec<Item> {
    (0..count).map(|n| item("a", &n.to_string(), [("n", n.into())])).collect()
}

#[tokio::test]
async fn unprocessed_entries_are_retried() {
    let proxy = Proxy::start().await;
    let (db, table) = (proxy.store().await, table());
    db.ensure_table(&table).await.unwrap();
    proxy.inject([Fault::Half, Fault::NoneOfIt, Fault::Half, Fault::LoseResponse]);
    db.batch_put(&table, things(30)).await.unwrap();
    let keys = (0..30).map(|n| key("a", &n.to_string())).collect();
    let gets = BatchGet { keys, consistent: true, fields: None };
    proxy.inject([Fault::Half, Fault::NoneOfIt, Fault::Half, Fault::LoseResponse]);
    let found = db.batch_get(&table, &gets).await.unwrap();
    assert_eq!(found.into_iter().flatten().collect::<Vec<_>>(), things(30));
    assert!(proxy.seen().len() > 4);
}

#[tokio::test]
async fn a_batch_without_progress_fails() {
    let proxy = Proxy::start().await;
    let (db, table) = (proxy.store().await, table());
    db.ensure_table(&table).await.unwrap();
    proxy.inject(vec![Fault::NoneOfIt; 9]);
    let error = db.batch_put(&table, things(3)).await.unwrap_err();
    assert!(matches!(error, StoreError::Throttled), "{error:?}");
    assert_eq!(proxy.seen().len(), 4);
    proxy.inject(vec![Fault::NoneOfIt; 9]);
    let gets = BatchGet { keys: vec![key("a", "1")], consistent: true, fields: None };
    let error = db.batch_get(&table, &gets).await.unwrap_err();
    assert!(matches!(error, StoreError::Throttled), "{error:?}");
    assert_eq!(proxy.seen().len(), 4);
}

#[tokio::test]
async fn large_items_go_in_several_requests() {
    let proxy = Proxy::start().await;
    let (db, table) = (proxy.store().await, table());
    db.ensure_table(&table).await.unwrap();
    let large: Vec<Item> =
        (0..5).map(|n| item("a", &n.to_string(), [("text", "x".repeat(300_000).into())])).collect();
    proxy.inject([]);
    db.batch_put(&table, large).await.unwrap();
    assert_eq!(proxy.seen().len(), 2);
}
