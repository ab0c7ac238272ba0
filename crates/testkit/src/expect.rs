//! What a behaviour expects of a store, with a message that says what came instead.

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

/// The request broke the rule of this code.
#[track_caller]
pub fn refused<T: Debug>(answer: Result<T, StoreError>, code: &str) {
    match answer {
        Err(StoreError::Invalid(error)) => {
            assert_eq!(error.code, code, "refused for another reason: {error}")
        }
        other => panic!("expected to be refused with `{code}`, got {other:?}"),
    }
}

/// The guards did not hold; gives which, with the items as they were found.
#[track_caller]
pub fn failed<T: Debug>(answer: Result<T, StoreError>) -> Vec<FailedCondition> {
    match answer {
        Err(StoreError::Condition(failed)) => failed,
        other => panic!("expected a failed condition, got {other:?}"),
    }
}

/// The guards of a single write did not hold, and this was found.
#[track_caller]
pub fn failed_on<T: Debug>(answer: Result<T, StoreError>, found: Option<&Item>) {
    assert_eq!(failed(answer), [FailedCondition { index: 0, item: found.cloned() }]);
}

/// Writes and gives back what the store does; the write must succeed.
pub async fn write(store: &dyn Store, table: &Table, write: Write) -> Option<Item> {
    store.write(table, write).await.unwrap()
}

/// Stores items that must be accepted, one by one.
///
/// Boxed, so that the behaviours that hold it do not depend on how the items are made.
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

/// The item at `pk` / `sk` as it is now.
pub async fn read(store: &dyn Store, table: &Table, pk: &str, sk: &str) -> Option<Item> {
    store.get(table, &plans::get(pk, sk)).await.unwrap()
}

/// The items of all pages of a query. More pages than a thousand are a loop.
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

/// The items of all pages of a scan. More pages than a thousand are a loop.
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

/// Everything the table holds, in the order of its keys.
pub async fn contents(store: &dyn Store, table: &Table) -> Vec<Item> {
    let mut items = scan_all(store, table, &plans::scan()).await;
    items.sort_by_key(|item| (text(item, "PK"), text(item, "SK")));
    items
}

/// The text of an attribute that must be there.
#[track_caller]
pub fn text(item: &Item, attribute: &str) -> String {
    match item.get(attribute) {
        Some(Value::S(text)) => text.to_string(),
        other => panic!("expected text in `{attribute}`, found {other:?}"),
    }
}

/// The sort keys of items, in their order.
#[track_caller]
pub fn sort_keys(items: &[Item]) -> Vec<String> {
    items.iter().map(|item| text(item, "SK")).collect()
}
