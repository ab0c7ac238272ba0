//! Pages end at 1 MB before their limit.

use hansang_core::Store;
use hansang_core::model::Table;
use hansang_core::plan::{Query, Scan};
use hansang_core::value::item_size;

use crate::expect::{query_all, scan_all, sort_keys};
use crate::fields;
use crate::plans::{backward, equal, item, query, query_index, scan};
use crate::table::{BY_TEXT, fresh};

const ITEMS: usize = 12;
const SIZE: usize = 250_000;
const PAGE: usize = 1024 * 1024;

/// Twelve items of 250 KB, at least three pages.
async fn filled(store: &dyn Store) -> Table {
    let table = fresh(store).await;
    let text = "x".repeat(SIZE);
    let rows = (0..ITEMS).map(|n| {
        let sk = format!("{n:02}");
        item("p", &sk, fields! { text: text.as_str(), tpk: "t", tsk: sk.as_str(), even: n % 2 == 0 })
    });
    store.batch_put(&table, rows.collect()).await.unwrap();
    table
}

fn all_keys() -> Vec<String> {
    (0..ITEMS).map(|n| format!("{n:02}")).collect()
}

/// A query page ends at 1 MB, including the item that crosses it.
async fn splits(store: &dyn Store, table: &Table, query: &Query) {
    let page = store.query(table, query).await.unwrap();
    let bytes: usize = page.items.iter().map(item_size).sum();
    assert!(page.next.is_some(), "a page of {} items is not all", page.items.len());
    assert!(bytes <= PAGE + SIZE, "a page has {bytes} bytes");
    assert!(bytes >= PAGE - 2 * SIZE, "a page has only {bytes} bytes");
}

/// All pages together have the whole partition.
pub async fn of_a_query_end_at_a_megabyte(store: &dyn Store) {
    let table = filled(store).await;
    splits(store, &table, &query("p")).await;
    assert_eq!(sort_keys(&query_all(store, &table, &query("p")).await), all_keys());
}

/// Descending pages too.
pub async fn backward_end_at_a_megabyte(store: &dyn Store) {
    let table = filled(store).await;
    splits(store, &table, &backward(query("p"))).await;
    let mut keys = sort_keys(&query_all(store, &table, &backward(query("p"))).await);
    keys.reverse();
    assert_eq!(keys, all_keys());
}

/// Index pages too.
pub async fn of_an_index_end_at_a_megabyte(store: &dyn Store) {
    let table = filled(store).await;
    let query = query_index(BY_TEXT, "tpk", "t");
    splits(store, &table, &query).await;
    assert_eq!(sort_keys(&query_all(store, &table, &query).await), all_keys());
}

/// Read items count, before filter and field selection.
pub async fn count_read_items(store: &dyn Store) {
    let table = filled(store).await;
    let small = Query { filter: Some(equal("even", true)), fields: Some(vec!["SK".into()]), ..query("p") };
    let page = store.query(&table, &small).await.unwrap();
    assert!(page.next.is_some(), "the page ends at 1 MB of items, though it gives only keys");
    assert_eq!(query_all(store, &table, &small).await.len(), ITEMS / 2);
}

/// Scan pages too.
pub async fn of_a_scan_end_at_a_megabyte(store: &dyn Store) {
    let table = filled(store).await;
    let page = store.scan(&table, &scan()).await.unwrap();
    assert!(page.next.is_some() && page.items.len() <= PAGE / SIZE + 1, "{} items", page.items.len());
    let mut keys = sort_keys(&scan_all(store, &table, &scan()).await);
    keys.sort();
    assert_eq!(keys, all_keys());
}

/// A limit below 1 MB ends a page first.
pub async fn end_at_their_limit_first(store: &dyn Store) {
    let table = filled(store).await;
    let page = store.query(&table, &Query { limit: 2, ..query("p") }).await.unwrap();
    assert_eq!(sort_keys(&page.items), ["00", "01"]);
    let page = store.scan(&table, &Scan { limit: 2, ..scan() }).await.unwrap();
    assert_eq!(page.items.len(), 2);
}
