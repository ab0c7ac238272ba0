//! Transactions across tables.

use std::sync::Arc;

use hansang_core::plan::{TableWrite, Write};
use hansang_core::store::FailedCondition;
use hansang_core::{Store, Table};

use super::transact::{account, many};
use crate::expect::{contents, failed, query_all, refused, store_all};
use crate::fields;
use crate::plans::{absent, add, check, delete, equal, item, put, query_index, set, update, when};
use crate::table::{BY_TEXT, described, fresh, made, with_indexes};

/// Interleaves the writes of two tables.
fn across(tables: [&Table; 2], writes: [Vec<Write>; 2]) -> Vec<TableWrite> {
    let [first, second] = tables.map(|table| Arc::new(table.clone()));
    let [mut first_writes, mut second_writes] = writes.map(Vec::into_iter);
    let mut all = Vec::new();
    loop {
        let both = [(&first, first_writes.next()), (&second, second_writes.next())];
        let next = both.map(|(table, write)| write.map(|write| TableWrite { table: table.clone(), write }));
        if next.iter().all(Option::is_none) {
            return all;
        }
        all.extend(next.into_iter().flatten());
    }
}

/// Items of two tables are written together.
pub async fn do_all_their_writes(store: &dyn Store) {
    let (records, log) = (fresh(store).await, fresh(store).await);
    store_all(store, &records, [account("a", 1)]).await;
    store_all(store, &log, [account("old", 1), account("open", 1)]).await;
    let of_records = vec![update("account", "a", [add("balance", "5")]), put(account("new", 9))];
    let of_log = vec![
        put(account("entry", 2)),
        delete("account", "old"),
        check("account", "open", equal("balance", 1)),
    ];
    store.transact(across([&records, &log], [of_records, of_log])).await.unwrap();
    assert_eq!(contents(store, &records).await, [account("a", 6), account("new", 9)]);
    assert_eq!(contents(store, &log).await, [account("entry", 2), account("open", 1)]);
}

/// A guard of the second table undoes the writes of the first.
pub async fn are_undone_by_a_guard_of_another_table(store: &dyn Store) {
    let (records, log) = (fresh(store).await, fresh(store).await);
    store_all(store, &log, [account("entry", 1)]).await;
    let again = when(put(account("entry", 2)), absent("PK"));
    let writes = across([&records, &log], [vec![put(account("a", 1))], vec![again]]);
    let failed = failed(store.transact(writes).await);
    assert_eq!(failed, [FailedCondition { index: 1, item: Some(account("entry", 1)) }]);
    assert_eq!(contents(store, &records).await, []);
    assert_eq!(contents(store, &log).await, [account("entry", 1)]);
}

/// Failed guards are numbered through all writes.
pub async fn tell_which_write_failed(store: &dyn Store) {
    let (records, log) = (fresh(store).await, fresh(store).await);
    store_all(store, &records, [account("a", 1)]).await;
    store_all(store, &log, [account("a", 2)]).await;
    let fails = || when(put(account("a", 9)), absent("PK"));
    let holds = || put(account("b", 9));
    let writes = across([&records, &log], [vec![holds(), fails()], vec![holds(), fails()]]);
    let expected = [
        FailedCondition { index: 2, item: Some(account("a", 1)) },
        FailedCondition { index: 3, item: Some(account("a", 2)) },
    ];
    assert_eq!(failed(store.transact(writes).await), expected);
    assert_eq!(contents(store, &records).await, [account("a", 1)]);
    assert_eq!(contents(store, &log).await, [account("a", 2)]);
}

/// The same key in two tables is two items.
pub async fn take_the_same_key_in_both(store: &dyn Store) {
    let (records, log) = (fresh(store).await, fresh(store).await);
    let writes = across([&records, &log], [vec![put(account("a", 1))], vec![put(account("a", 2))]]);
    store.transact(writes).await.unwrap();
    assert_eq!(contents(store, &records).await, [account("a", 1)]);
    assert_eq!(contents(store, &log).await, [account("a", 2)]);
}

/// Two writes of one item are refused, also with a write of another table between them.
pub async fn refuse_two_writes_of_one_item(store: &dyn Store) {
    let (records, log) = (fresh(store).await, fresh(store).await);
    let twice = vec![put(account("a", 1)), put(account("a", 2))];
    let writes = across([&records, &log], [twice, vec![put(account("a", 3))]]);
    refused(store.transact(writes).await, "transaction_repeats_item");
    assert_eq!(contents(store, &records).await, []);
    assert_eq!(contents(store, &log).await, []);
}

/// 101 writes are refused, also in two tables.
pub async fn count_writes_together(store: &dyn Store) {
    let (records, log) = (fresh(store).await, fresh(store).await);
    let writes = across([&records, &log], [many(51), many(50)]);
    refused(store.transact(writes).await, "transaction_too_large");
    assert_eq!(contents(store, &records).await, []);
    assert_eq!(contents(store, &log).await, []);
}

/// More than 4 MB are refused, also in two tables, and also where updates set them.
pub async fn count_bytes_together(store: &dyn Store) {
    let (records, log) = (fresh(store).await, fresh(store).await);
    let large = |count: usize| {
        (0..count).map(|n| put(item("p", &n.to_string(), fields! { text: "x".repeat(400_000) }))).collect()
    };
    let writes = across([&records, &log], [large(6), large(5)]);
    refused(store.transact(writes).await, "transaction_too_large");
    let longer = |n: usize| update("p", &n.to_string(), [set("text", "x".repeat(400_000))]);
    let writes = across([&records, &log], [(0..6).map(longer).collect(), large(5)]);
    refused(store.transact(writes).await, "transaction_too_large");
    assert_eq!(contents(store, &records).await, []);
    assert_eq!(contents(store, &log).await, []);
}

/// An item that is invalid in its own table undoes the writes of the other.
pub async fn refuse_a_wrong_item_of_one(store: &dyn Store) {
    let (records, log) = (fresh(store).await, made(store, with_indexes(Vec::new())).await);
    // An index key of one table is an ordinary attribute in the other.
    let numeric = || put(item("p", "s", fields! { tpk: 1 }));
    let writes = across([&records, &log], [vec![put(account("a", 1))], vec![numeric()]]);
    store.transact(writes).await.unwrap();
    let writes = across([&log, &records], [vec![put(account("b", 1))], vec![numeric()]]);
    refused(store.transact(writes).await, "wrong_key_type");
    assert_eq!(contents(store, &records).await, [account("a", 1)]);
    assert_eq!(contents(store, &log).await, [item("p", "s", fields! { tpk: 1 })]);
}

/// An unknown table undoes the writes of the other.
pub async fn refuse_an_unknown_one(store: &dyn Store) {
    let (records, unknown) = (fresh(store).await, described());
    let writes = across([&records, &unknown], [vec![put(account("a", 1))], vec![put(account("a", 1))]]);
    refused(store.transact(writes).await, "unknown_table");
    assert_eq!(contents(store, &records).await, []);
}

/// The indexes of both tables are updated.
pub async fn keep_their_indexes(store: &dyn Store) {
    let (records, log) = (fresh(store).await, fresh(store).await);
    let row = |sk: &str| item("p", sk, fields! { tpk: "t", tsk: sk });
    store_all(store, &log, [row("goes")]).await;
    let writes = across([&records, &log], [vec![put(row("a"))], vec![put(row("b")), delete("p", "goes")]]);
    store.transact(writes).await.unwrap();
    let query = query_index(BY_TEXT, "tpk", "t");
    assert_eq!(query_all(store, &records, &query).await, [row("a")]);
    assert_eq!(query_all(store, &log, &query).await, [row("b")]);
}
