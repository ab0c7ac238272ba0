//! Expectations of behaviours.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

use hansang_core::model::Table;
use hansang_core::plan::{Query, Scan, Write};
use hansang_core::store::FailedCondition;
use hansang_core::{Item, Store, StoreError, Value};

use crate::plans;

/// No items.
pub const NOTHING: [Item; 0] = [];

/// Expects a refusal with this code.
#[track_caller]
pub fn refused<T: Debug>(result: Result<T, StoreError>, code: &str) {
    match result {
        Err(StoreError::Invalid(error)) => {
            assert_eq!(error.code, code, "refused for another reason: {error}")
        }
        other => panic!("expected to be refused with `{code}`, got {other:?}"),
    }
}

/// Expects failed guards. Returns them with the items that were found.
#[track_caller]
pub fn failed<T: Debug>(result: Result<T, StoreError>) -> Vec<FailedCondition> {
    match result {
        Err(StoreError::Condition(failed)) => failed,
        other => panic!("expected a failed condition, got {other:?}"),
    }
}

/// Expects a failed guard of a single write, and this item.
#[track_caller]
pub fn failed_on<T: Debug>(result: Result<T, StoreError>, found: Option<&Item>) {
    assert_eq!(failed(result), [FailedCondition { index: 0, item: found.cloned() }]);
}

/// Executes a write that must succeed. Returns the result of the store.
pub async fn write(store: &dyn Store, table: &Table, write: Write) -> Option<Item> {
    store.write(table, write).await.unwrap()
}

/// Puts items one by one, which must succeed.
///
/// Boxed, so that futures of behaviours do not depend on the type of the iterator.
pub fn store_all<'a>(
    store: &'a dyn Store,
    table: &'a Table,
    items: impl IntoIterator<Item = Item>,
) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
    let items: Vec<Item> = items.into_iter().collect();
    Box::pin(async move {
        for item in items {
            write(store, table, plans::put(item)).await;
        }
    })
}

/// Reads the item at `pk` / `sk`.
pub async fn read(store: &dyn Store, table: &Table, pk: &str, sk: &str) -> Option<Item> {
    store.get(table, &plans::get(pk, sk)).await.unwrap()
}

/// Reads all pages of a query, at most a thousand.
pub async fn query_all(store: &dyn Store, table: &Table, query: &Query) -> Vec<Item> {
    let mut query = query.clone();
    let mut items = Vec::new();
    for _ in 0..1000 {
        let page = store.query(table, &query).await.unwrap();
        assert!(page.items.len() <= query.limit as usize, "a page keeps its limit");
        items.extend(page.items);
        query.start = page.next;
        if query.start.is_none() {
            return items;
        }
    }
    panic!("the pages of the query never end");
}

/// Reads all pages of a scan, at most a thousand.
pub async fn scan_all(store: &dyn Store, table: &Table, scan: &Scan) -> Vec<Item> {
    let mut scan = scan.clone();
    let mut items = Vec::new();
    for _ in 0..1000 {
        let page = store.scan(table, &scan).await.unwrap();
        assert!(page.items.len() <= scan.limit as usize, "a page keeps its limit");
        items.extend(page.items);
        scan.start = page.next;
        if scan.start.is_none() {
            return items;
        }
    }
    panic!("the pages of the scan never end");
}

/// Reads all items of the table in key order.
pub async fn contents(store: &dyn Store, table: &Table) -> Vec<Item> {
    let mut items = scan_all(store, table, &plans::scan()).await;
    items.sort_by_key(|item| (text(item, "PK"), text(item, "SK")));
    items
}

/// Text of an attribute, which must exist.
#[track_caller]
pub fn text(item: &Item, attribute: &str) -> String {
    match item.get(attribute) {
        Some(Value::S(text)) => text.to_string(),
        other => panic!("expected text in `{attribute}`, found {other:?}"),
    }
}

/// Sort keys of items.
#[track_caller]
pub fn sort_keys(items: &[Item]) -> Vec<String> {
    items.iter().map(|item| text(item, "SK")).collect()
}
