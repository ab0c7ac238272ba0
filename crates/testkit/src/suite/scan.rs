//! Scans.

use hansang_core::model::Table;
use hansang_core::plan::Scan;
use hansang_core::{Item, Store};

use crate::expect::{NOTHING, contents, scan_all, sort_keys, store_all, write};
use crate::fields;
use crate::plans::{delete, item, scan, scan_index};
use crate::table::{BY_NUMBER, BY_TEXT, fresh};

fn rows() -> Vec<Item> {
    let row = |n: i64| {
        let fields = if n % 2 == 0 {
            fields! { n: n, tpk: format!("t{}", n % 4), tsk: "s" }
        } else {
            fields! { n: n }
        };
        item(&format!("p{}", n % 3), &format!("{n:02}"), fields)
    };
    (0..20).map(row).collect()
}

async fn filled(store: &dyn Store) -> Table {
    let table = fresh(store).await;
    store_all(store, &table, rows()).await;
    table
}

fn sorted(mut keys: Vec<String>) -> Vec<String> {
    keys.sort();
    keys
}

/// A scan returns every item once.
pub async fn gives_every_item(store: &dyn Store) {
    let table = filled(store).await;
    let mut found = scan_all(store, &table, &scan()).await;
    found.sort_by_key(|item| item["SK"].as_str().map(str::to_owned));
    assert_eq!(found, rows());
}

/// An empty table has no items and no next page.
pub async fn of_an_empty_table_is_empty(store: &dyn Store) {
    let table = fresh(store).await;
    let page = store.scan(&table, &scan()).await.unwrap();
    assert_eq!((page.items, page.next), (vec![], None));
}

/// Pages of any limit return every item once.
pub async fn pages_lose_and_repeat_nothing(store: &dyn Store) {
    let table = filled(store).await;
    let all: Vec<String> = (0..20).map(|n| format!("{n:02}")).collect();
    for limit in [1, 3, 7, 19, 20, 21] {
        let found = scan_all(store, &table, &Scan { limit, ..scan() }).await;
        assert_eq!(sorted(sort_keys(&found)), all, "limit {limit}");
    }
}

/// A page that reached its limit has a next one.
pub async fn has_a_next_page_when_the_limit_was_reached(store: &dyn Store) {
    let table = filled(store).await;
    let page = store.scan(&table, &Scan { limit: 20, ..scan() }).await.unwrap();
    assert_eq!(page.items.len(), 20);
    let next = store.scan(&table, &Scan { start: Some(page.next.unwrap()), ..scan() }).await.unwrap();
    assert_eq!((next.items, next.next), (vec![], None));
}

/// The start of the next page is the key of the last item.
pub async fn goes_on_behind_a_key(store: &dyn Store) {
    let table = filled(store).await;
    let page = store.scan(&table, &Scan { limit: 5, ..scan() }).await.unwrap();
    let last = page.items.last().unwrap();
    let key: Item = ["PK", "SK"].into_iter().map(|name| (name.into(), last[name].clone())).collect();
    assert_eq!(page.next, Some(key));
}

/// A scan of an index returns its items.
pub async fn of_an_index_gives_its_items(store: &dyn Store) {
    let table = filled(store).await;
    let expected: Vec<String> = (0..20).step_by(2).map(|n| format!("{n:02}")).collect();
    for limit in [1, 4, 100] {
        let found = scan_all(store, &table, &Scan { limit, ..scan_index(BY_TEXT) }).await;
        assert_eq!(sorted(sort_keys(&found)), expected, "limit {limit}");
    }
    assert_eq!(scan_all(store, &table, &scan_index(BY_NUMBER)).await, NOTHING);
}

/// Deleted items are not returned.
pub async fn gives_nothing_deleted(store: &dyn Store) {
    let table = filled(store).await;
    for row in rows().into_iter().skip(1) {
        write(store, &table, delete(row["PK"].as_str().unwrap(), row["SK"].as_str().unwrap())).await;
    }
    assert_eq!(contents(store, &table).await, rows()[..1]);
    assert_eq!(scan_all(store, &table, &scan_index(BY_TEXT)).await.len(), 1);
}

/// A weak scan works too.
pub async fn reads_without_strong_consistency(store: &dyn Store) {
    let table = filled(store).await;
    assert_eq!(scan_all(store, &table, &Scan { consistent: false, ..scan() }).await.len(), 20);
}

/// A scan may continue after a deleted item.
pub async fn goes_on_behind_a_deleted_item(store: &dyn Store) {
    let table = filled(store).await;
    let page = store.scan(&table, &Scan { limit: 5, ..scan() }).await.unwrap();
    let last = page.items.last().unwrap();
    write(store, &table, delete(last["PK"].as_str().unwrap(), last["SK"].as_str().unwrap())).await;
    let rest = scan_all(store, &table, &Scan { start: page.next, ..scan() }).await;
    assert_eq!(rest.len(), 15);
}
