//! Batch reads, and batch puts for imports.

use hansang_core::plan::BatchGet;
use hansang_core::{Item, Store};

use crate::expect::{NOTHING, contents, query_all, read, refused, store_all};
use crate::fields;
use crate::plans::{batch_get, item, key, query_index};
use crate::table::{BY_TEXT, fresh};

fn row(n: i64) -> Item {
    item("p", &format!("{n:03}"), fields! { n: n })
}

/// Items come in the order of the keys that ask for them.
pub async fn gives_items_in_the_order_of_the_keys(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, (0..5).map(row)).await;
    let keys = ["003", "000", "004", "001"].map(|sk| key("p", sk));
    let found = store.batch_get(&table, &batch_get(keys.into())).await.unwrap();
    assert_eq!(found, [3, 0, 4, 1].map(|n| Some(row(n))));
}

/// A missing item leaves its position empty.
pub async fn leaves_the_position_of_a_missing_item_empty(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [row(1)]).await;
    let keys = vec![key("p", "000"), key("p", "001"), key("q", "001")];
    let found = store.batch_get(&table, &batch_get(keys)).await.unwrap();
    assert_eq!(found, [None, Some(row(1)), None]);
}

/// No keys give no items.
pub async fn of_no_keys_is_empty(store: &dyn Store) {
    let table = fresh(store).await;
    assert_eq!(store.batch_get(&table, &batch_get(vec![])).await.unwrap(), []);
}

/// More keys than DynamoDB takes per request are read.
pub async fn takes_more_than_a_hundred_keys(store: &dyn Store) {
    let table = fresh(store).await;
    store.batch_put(&table, (0..250).map(row).collect()).await.unwrap();
    let keys = (0..260).rev().map(|n| key("p", &format!("{n:03}")));
    let found = store.batch_get(&table, &batch_get(keys.collect())).await.unwrap();
    let expected: Vec<Option<Item>> = (0..260).rev().map(|n| (n < 250).then(|| row(n))).collect();
    assert_eq!(found, expected);
}

/// A repeated key is answered twice.
pub async fn answers_a_repeated_key_twice(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [row(1), row(2)]).await;
    let keys = ["001", "002", "001", "404", "404"].map(|sk| key("p", sk));
    let found = store.batch_get(&table, &batch_get(keys.into())).await.unwrap();
    assert_eq!(found, [Some(row(1)), Some(row(2)), Some(row(1)), None, None]);
}

/// Only the requested fields are returned, at the position of each item.
pub async fn gives_only_the_fields_asked_for(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [row(1), row(2)]).await;
    let keys = ["002", "404", "001"].map(|sk| key("p", sk));
    let some = BatchGet { fields: Some(vec!["n".into()]), ..batch_get(keys.into()) };
    let found = store.batch_get(&table, &some).await.unwrap();
    assert_eq!(found, [Some(fields! { n: 2 }), None, Some(fields! { n: 1 })]);
}

/// An item without any of the fields is empty, not missing.
pub async fn tells_an_item_without_the_fields_from_a_missing_one(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [row(1)]).await;
    let some =
        BatchGet { fields: Some(vec!["x".into()]), ..batch_get(vec![key("p", "001"), key("p", "404")]) };
    assert_eq!(store.batch_get(&table, &some).await.unwrap(), [Some(fields! {}), None]);
}

/// A weak read works too.
pub async fn reads_without_strong_consistency(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [row(1)]).await;
    let weak = BatchGet { consistent: false, ..batch_get(vec![key("p", "001")]) };
    assert_eq!(store.batch_get(&table, &weak).await.unwrap(), [Some(row(1))]);
}

/// 16 MB of items are read at once.
pub async fn reads_more_than_a_response_holds(store: &dyn Store) {
    let table = fresh(store).await;
    let text = "x".repeat(350_000);
    let large = |n: i64| item("p", &format!("{n:03}"), fields! { text: text.as_str() });
    store.batch_put(&table, (0..50).map(large).collect()).await.unwrap();
    let keys = (0..50).map(|n| key("p", &format!("{n:03}"))).collect();
    let found = store.batch_get(&table, &batch_get(keys)).await.unwrap();
    assert!(found.iter().zip(0..50).all(|(found, n)| found.as_ref() == Some(&large(n))));
}

/// An invalid key refuses the whole batch.
pub async fn refuses_an_empty_key(store: &dyn Store) {
    let table = fresh(store).await;
    let keys = vec![key("p", "001"), key("p", "")];
    refused(store.batch_get(&table, &batch_get(keys)).await, "empty_key");
}

/// More items than DynamoDB takes per request are stored.
pub async fn puts_more_than_twenty_five_items(store: &dyn Store) {
    let table = fresh(store).await;
    store.batch_put(&table, (0..60).map(row).collect()).await.unwrap();
    assert_eq!(contents(store, &table).await, (0..60).map(row).collect::<Vec<_>>());
}

/// An existing item is replaced whole.
pub async fn puts_replace_stored_items(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [item("p", "001", fields! { old: true, n: 0 })]).await;
    store.batch_put(&table, vec![row(1), row(2)]).await.unwrap();
    assert_eq!(contents(store, &table).await, [row(1), row(2)]);
}

/// Repeating a batch changes nothing.
pub async fn puts_again_without_a_change(store: &dyn Store) {
    let table = fresh(store).await;
    for _ in 0..2 {
        store.batch_put(&table, (0..30).map(row).collect()).await.unwrap();
    }
    assert_eq!(contents(store, &table).await.len(), 30);
}

/// Indexes follow a batch.
pub async fn puts_into_indexes(store: &dyn Store) {
    let table = fresh(store).await;
    let in_index = |tpk: &str| {
        (0..30_i64)
            .map(|n| item("p", &format!("{n:03}"), fields! { tpk: tpk, tsk: format!("{n:03}") }))
            .collect::<Vec<_>>()
    };
    store.batch_put(&table, in_index("old")).await.unwrap();
    store.batch_put(&table, in_index("new")).await.unwrap();
    assert_eq!(query_all(store, &table, &query_index(BY_TEXT, "tpk", "new")).await, in_index("new"));
    assert_eq!(query_all(store, &table, &query_index(BY_TEXT, "tpk", "old")).await, NOTHING);
}

/// The last of two items with one key is kept.
pub async fn puts_the_last_of_one_key(store: &dyn Store) {
    let table = fresh(store).await;
    let (first, last) = (item("p", "s", fields! { n: 1, only: true }), item("p", "s", fields! { n: 2 }));
    store.batch_put(&table, vec![first, row(1), last.clone()]).await.unwrap();
    assert_eq!(read(store, &table, "p", "s").await, Some(last));
}

/// No items are accepted.
pub async fn puts_nothing(store: &dyn Store) {
    let table = fresh(store).await;
    store.batch_put(&table, vec![]).await.unwrap();
    assert_eq!(contents(store, &table).await, []);
}

/// An invalid item is refused with its code.
pub async fn refuses_to_put_a_wrong_item(store: &dyn Store) {
    let table = fresh(store).await;
    refused(store.batch_put(&table, vec![fields! { PK: "p" }]).await, "missing_key");
    refused(store.batch_put(&table, vec![item("p", "s", fields! { nsk: "text" })]).await, "wrong_key_type");
    assert_eq!(contents(store, &table).await, []);
}

/// Items of many partitions are stored, in any order.
pub async fn spans_partitions(store: &dyn Store) {
    let table = fresh(store).await;
    let rows: Vec<Item> =
        (0..40_i64).map(|n| item(&format!("p{}", n % 7), &format!("{n:02}"), fields! { n: n })).collect();
    store.batch_put(&table, rows.clone()).await.unwrap();
    let keys = rows.iter().map(|row| key(row["PK"].as_str().unwrap(), row["SK"].as_str().unwrap())).collect();
    let found = store.batch_get(&table, &batch_get(keys)).await.unwrap();
    assert_eq!(found, rows.into_iter().map(Some).collect::<Vec<_>>());
}
