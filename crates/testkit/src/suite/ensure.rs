//! Creating and extending tables.

use hansang_core::Store;
use hansang_core::model::{Index, Projection, Table, Ttl};

use crate::expect::{contents, query_all, refused, sort_keys, store_all, write};
use crate::fields;
use crate::plans::{item, put, query_index, scan_index, set, update};
use crate::table::{BY_NUMBER, BY_TEXT, described, fresh, index, made, with_indexes};

/// A new table is usable at once and empty.
pub async fn makes_an_empty_table(store: &dyn Store) {
    let table = fresh(store).await;
    assert_eq!(contents(store, &table).await, []);
    write(store, &table, put(item("p", "s", fields! {}))).await;
}

/// Ensuring an existing table changes nothing.
pub async fn keeps_a_table_that_is_there(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { tpk: "t", tsk: "s" });
    store_all(store, &table, [thing.clone()]).await;
    for _ in 0..2 {
        store.ensure_table(&table).await.unwrap();
    }
    assert_eq!(contents(store, &table).await, std::slice::from_ref(&thing));
    assert_eq!(query_all(store, &table, &query_index(BY_TEXT, "tpk", "t")).await, [thing]);
}

/// A table may have no index.
pub async fn makes_a_table_without_indexes(store: &dyn Store) {
    let table = made(store, with_indexes(vec![])).await;
    let thing = item("p", "s", fields! { tpk: 1, n: 1 });
    store_all(store, &table, [thing.clone()]).await;
    assert_eq!(contents(store, &table).await, [thing]);
    refused(store.scan(&table, &scan_index(BY_TEXT)).await, "unknown_index");
}

/// An added index has the existing items.
pub async fn fills_an_index_that_is_added(store: &dyn Store) {
    let table = made(store, with_indexes(vec![])).await;
    let row = |n: i64| item("p", &format!("{n:03}"), fields! { tpk: "t", tsk: format!("{n:03}"), n: n });
    store.batch_put(&table, (0..50).map(row).collect()).await.unwrap();
    store_all(store, &table, [item("p", "without", fields! { n: 1 })]).await;
    let grown = Table { indexes: vec![index(BY_TEXT, "tpk", Some("tsk"), Projection::All)], ..table };
    store.ensure_table(&grown).await.unwrap();
    let found = query_all(store, &grown, &query_index(BY_TEXT, "tpk", "t")).await;
    assert_eq!(found, (0..50).map(row).collect::<Vec<_>>());
}

/// An added index follows the table, and existing indexes stay.
pub async fn keeps_an_index_that_is_added(store: &dyn Store) {
    let first = index(BY_TEXT, "tpk", Some("tsk"), Projection::All);
    let table = made(store, with_indexes(vec![first.clone()])).await;
    let row = |sk: &str, n: i64| item("p", sk, fields! { tpk: "t", tsk: sk, npk: "n", nsk: n });
    store_all(store, &table, [row("a", 2)]).await;
    let second = Index { sk_numeric: true, ..index(BY_NUMBER, "npk", Some("nsk"), Projection::All) };
    let grown = made(store, Table { indexes: vec![first, second], ..table }).await;
    store_all(store, &grown, [row("b", 1)]).await;
    write(store, &grown, update("p", "a", [set("nsk", 0)])).await;
    let keys = async |query| sort_keys(&query_all(store, &grown, &query).await);
    assert_eq!(keys(query_index(BY_TEXT, "tpk", "t")).await, ["a", "b"]);
    assert_eq!(keys(query_index(BY_NUMBER, "npk", "n")).await, ["a", "b"]);
}

/// An existing item that does not fit an added index is left out of it.
pub async fn leaves_out_items_that_do_not_fit_an_added_index(store: &dyn Store) {
    let table = made(store, with_indexes(vec![])).await;
    store_all(store, &table, [item("p", "fits", fields! { tpk: "t", tsk: "s" })]).await;
    store_all(store, &table, [item("p", "not", fields! { tpk: "t", tsk: 5 })]).await;
    let grown = Table { indexes: vec![index(BY_TEXT, "tpk", Some("tsk"), Projection::All)], ..table };
    store.ensure_table(&grown).await.unwrap();
    assert_eq!(sort_keys(&query_all(store, &grown, &query_index(BY_TEXT, "tpk", "t")).await), ["fits"]);
    assert_eq!(contents(store, &grown).await.len(), 2);
}

/// Expiry can be enabled at creation and later.
pub async fn switches_expiry_on(store: &dyn Store) {
    let ttl = Some(Ttl { attribute: "expires".into(), enabled: true });
    let table = made(store, Table { ttl: ttl.clone(), ..described() }).await;
    store.ensure_table(&table).await.unwrap();
    let later = fresh(store).await;
    let thing = item("p", "s", fields! { expires: 4_102_444_800 });
    store_all(store, &later, [thing.clone()]).await;
    let later = made(store, Table { ttl, ..later }).await;
    assert_eq!(contents(store, &later).await, [thing], "an item that expires in 2100 is returned");
}

/// A table with other keys is refused.
pub async fn refuses_a_table_with_other_keys(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! {});
    store_all(store, &table, [thing.clone()]).await;
    let other = Table { pk: "id".into(), sk: "range".into(), ..table.clone() };
    refused(store.ensure_table(&other).await, "table_does_not_fit");
    assert_eq!(contents(store, &table).await, [thing]);
}

/// An index of the same name with other keys or types is refused.
pub async fn refuses_an_index_with_other_keys(store: &dyn Store) {
    let table = fresh(store).await;
    let with = |change: fn(&mut Index)| {
        let mut other = table.clone();
        change(&mut other.indexes[0]);
        other
    };
    for other in [
        with(|index| index.pk = "other".into()),
        with(|index| index.sk = Some("other".into())),
        with(|index| index.sk = None),
        with(|index| index.sk_numeric = true),
    ] {
        refused(store.ensure_table(&other).await, "table_does_not_fit");
    }
    store.ensure_table(&table).await.unwrap();
}

/// An index of the same name with another projection is refused.
pub async fn refuses_an_index_with_another_projection(store: &dyn Store) {
    let table = fresh(store).await;
    let mut other = table.clone();
    other.indexes[0].projection = Projection::Keys;
    refused(store.ensure_table(&other).await, "table_does_not_fit");
}
