//! Transactions: all writes or none.

use hansang_core::plan::{Comparison, Write};
use hansang_core::store::FailedCondition;
use hansang_core::{Item, Store};

use crate::expect::{NOTHING, contents, failed, query_all, read, refused, store_all, write};
use crate::fields;
use crate::plans::{
    absent, add, check, compare, delete, equal, exists, item, on, put, query_index, remove, set, update, when,
};
use crate::table::{BY_TEXT, fresh};

pub(super) fn account(name: &str, balance: i64) -> Item {
    item("account", name, fields! { balance: balance })
}

fn move_by(name: &str, by: i64) -> Write {
    let moved = update("account", name, [add("balance", &by.to_string())]);
    when(moved, compare("balance", Comparison::AtLeast, -by.min(0)))
}

/// A transaction can have puts, updates, deletions and checks.
pub async fn does_all_its_writes(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [account("a", 1), account("b", 2), account("c", 3)]).await;
    let writes = vec![
        put(account("new", 9)),
        update("account", "a", [add("balance", "5")]),
        delete("account", "b"),
        check("account", "c", equal("balance", 3)),
    ];
    store.transact(on(&table, writes)).await.unwrap();
    assert_eq!(contents(store, &table).await, [account("a", 6), account("c", 3), account("new", 9)]);
}

/// One failed guard undoes all writes and is reported.
pub async fn does_nothing_when_one_guard_fails(store: &dyn Store) {
    let table = fresh(store).await;
    let before = [account("a", 10), account("b", 0)];
    store_all(store, &table, before.clone()).await;
    let failed = failed(store.transact(on(&table, vec![move_by("b", 50), move_by("a", -50)])).await);
    assert_eq!(failed, [FailedCondition { index: 1, item: Some(account("a", 10)) }]);
    assert_eq!(contents(store, &table).await, before);
}

/// All failed guards are reported, with the items that were found.
pub async fn tells_every_guard_that_fails(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [account("a", 1), account("c", 3)]).await;
    let writes = vec![
        when(put(account("a", 0)), absent("PK")),
        put(account("b", 2)),
        when(delete("account", "c"), equal("balance", 4)),
        when(update("account", "d", [set("x", 1)]), exists("PK")),
        check("account", "e", absent("PK")),
    ];
    let expected = [
        FailedCondition { index: 0, item: Some(account("a", 1)) },
        FailedCondition { index: 2, item: Some(account("c", 3)) },
        FailedCondition { index: 3, item: None },
    ];
    assert_eq!(failed(store.transact(on(&table, writes)).await), expected);
    assert_eq!(contents(store, &table).await, [account("a", 1), account("c", 3)]);
}

/// A failed check undoes the writes.
pub async fn is_undone_by_a_check(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [account("open", 0)]).await;
    let writes = vec![put(account("a", 1)), check("account", "open", equal("balance", 1))];
    let failed = failed(store.transact(on(&table, writes)).await);
    assert_eq!(failed, [FailedCondition { index: 1, item: Some(account("open", 0)) }]);
    assert_eq!(contents(store, &table).await, [account("open", 0)]);
}

/// A check of a missing item can hold and creates no item.
pub async fn checks_that_an_item_is_missing(store: &dyn Store) {
    let table = fresh(store).await;
    let writes = vec![put(account("a", 1)), check("account", "b", absent("PK"))];
    store.transact(on(&table, writes)).await.unwrap();
    assert_eq!(contents(store, &table).await, [account("a", 1)]);
}

/// A transaction may have only checks.
pub async fn may_only_check(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [account("a", 1), account("b", 2)]).await;
    let checks = |balance: i64| {
        vec![check("account", "a", equal("balance", 1)), check("account", "b", equal("balance", balance))]
    };
    store.transact(on(&table, checks(2))).await.unwrap();
    assert_eq!(failed(store.transact(on(&table, checks(3))).await).len(), 1);
}

/// A transaction may have one write.
pub async fn may_be_one_write(store: &dyn Store) {
    let table = fresh(store).await;
    store.transact(on(&table, vec![when(put(account("a", 1)), absent("PK"))])).await.unwrap();
    let again = failed(store.transact(on(&table, vec![when(put(account("a", 2)), absent("PK"))])).await);
    assert_eq!(again, [FailedCondition { index: 0, item: Some(account("a", 1)) }]);
    assert_eq!(contents(store, &table).await, [account("a", 1)]);
}

/// A transaction can span partitions.
pub async fn spans_partitions(store: &dyn Store) {
    let table = fresh(store).await;
    let rows = ["p", "q", "r"].map(|pk| item(pk, "s", fields! { n: 1 }));
    store.transact(on(&table, rows.iter().cloned().map(put).collect())).await.unwrap();
    assert_eq!(contents(store, &table).await, rows);
}

/// Deletions and updates of missing items succeed without a guard.
pub async fn takes_missing_items(store: &dyn Store) {
    let table = fresh(store).await;
    let writes = vec![delete("p", "gone"), update("p", "made", [set("n", 1)])];
    store.transact(on(&table, writes)).await.unwrap();
    assert_eq!(contents(store, &table).await, [item("p", "made", fields! { n: 1 })]);
}

/// Indexes follow a transaction.
pub async fn keeps_indexes(store: &dyn Store) {
    let table = fresh(store).await;
    let row = |sk: &str, tpk: &str| item("p", sk, fields! { tpk: tpk, tsk: sk });
    store_all(store, &table, [row("moves", "old"), row("goes", "old"), row("leaves", "old")]).await;
    let writes = vec![
        put(row("comes", "new")),
        update("p", "moves", [set("tpk", "new")]),
        delete("p", "goes"),
        update("p", "leaves", [remove("tpk")]),
    ];
    store.transact(on(&table, writes)).await.unwrap();
    assert_eq!(query_all(store, &table, &query_index(BY_TEXT, "tpk", "old")).await, NOTHING);
    let new = query_all(store, &table, &query_index(BY_TEXT, "tpk", "new")).await;
    assert_eq!(new, [row("comes", "new"), row("moves", "new")]);
}

/// A failed transaction does not change indexes.
pub async fn leaves_indexes_when_it_fails(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { tpk: "old", tsk: "s" });
    store_all(store, &table, [thing.clone()]).await;
    let writes = vec![update("p", "s", [set("tpk", "new")]), check("p", "other", exists("PK"))];
    failed(store.transact(on(&table, writes)).await);
    assert_eq!(query_all(store, &table, &query_index(BY_TEXT, "tpk", "old")).await, [thing]);
    assert_eq!(query_all(store, &table, &query_index(BY_TEXT, "tpk", "new")).await, NOTHING);
}

pub(super) fn many(count: usize) -> Vec<Write> {
    (0..count).map(|n| put(item("p", &format!("{n:03}"), fields! { n: n as i64 }))).collect()
}

/// 25 writes, the limit that DynamoDB once had.
pub async fn takes_twenty_five_writes(store: &dyn Store) {
    let table = fresh(store).await;
    store.transact(on(&table, many(25))).await.unwrap();
    assert_eq!(contents(store, &table).await.len(), 25);
}

/// 100 writes.
pub async fn takes_a_hundred_writes(store: &dyn Store) {
    let table = fresh(store).await;
    store.transact(on(&table, many(100))).await.unwrap();
    assert_eq!(contents(store, &table).await.len(), 100);
}

/// A failed guard of the last write undoes all others.
pub async fn is_undone_by_the_last_of_many(store: &dyn Store) {
    let table = fresh(store).await;
    let mut writes = many(9);
    writes.push(check("p", "missing", exists("PK")));
    assert_eq!(failed(store.transact(on(&table, writes)).await), [FailedCondition { index: 9, item: None }]);
    assert_eq!(contents(store, &table).await, []);
}

/// 101 writes are refused.
pub async fn refuses_more_than_a_hundred_writes(store: &dyn Store) {
    let table = fresh(store).await;
    refused(store.transact(on(&table, many(101))).await, "transaction_too_large");
    assert_eq!(contents(store, &table).await, []);
}

/// Two writes of one item are refused, of any kind.
pub async fn refuses_two_writes_of_one_item(store: &dyn Store) {
    let table = fresh(store).await;
    let pairs = [
        [put(account("a", 1)), put(account("a", 2))],
        [put(account("a", 1)), delete("account", "a")],
        [check("account", "a", absent("PK")), put(account("a", 1))],
        [update("account", "a", [set("x", 1)]), update("account", "a", [set("y", 1)])],
    ];
    for pair in pairs {
        refused(store.transact(on(&table, pair.into())).await, "transaction_repeats_item");
    }
    assert_eq!(contents(store, &table).await, []);
}

/// An invalid path undoes all writes.
pub async fn refuses_an_invalid_path(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [account("b", 1)]).await;
    let writes = vec![put(account("a", 1)), update("account", "b", [set("m.a", 1)]), put(account("c", 1))];
    refused(store.transact(on(&table, writes)).await, "no_such_path");
    assert_eq!(contents(store, &table).await, [account("b", 1)]);
}

/// A change that does not fit the stored item undoes all writes.
pub async fn refuses_a_change_of_the_wrong_type(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [item("p", "b", fields! { n: "text" })]).await;
    let writes = vec![put(item("p", "a", fields! {})), update("p", "b", [add("n", "1")])];
    refused(store.transact(on(&table, writes)).await, "wrong_type");
    assert_eq!(contents(store, &table).await, [item("p", "b", fields! { n: "text" })]);
}

/// An invalid item undoes all writes.
pub async fn refuses_a_wrong_item(store: &dyn Store) {
    let table = fresh(store).await;
    let writes = vec![put(account("a", 1)), put(item("p", "b", fields! { tpk: 1 }))];
    refused(store.transact(on(&table, writes)).await, "wrong_key_type");
    let mut keyless = put(account("b", 1));
    keyless.action = hansang_core::plan::Action::Put(fields! { PK: "account" });
    refused(store.transact(on(&table, vec![put(account("a", 1)), keyless])).await, "missing_key");
    assert_eq!(contents(store, &table).await, []);
}

/// Guards are evaluated on the items before the transaction.
pub async fn asks_guards_of_the_items_before(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [account("a", 5)]).await;
    let writes = vec![
        when(update("account", "a", [add("balance", "-5")]), equal("balance", 5)),
        when(put(account("b", 5)), absent("balance")),
    ];
    store.transact(on(&table, writes)).await.unwrap();
    assert_eq!(contents(store, &table).await, [account("a", 0), account("b", 5)]);
}

/// The same transaction can be done again.
pub async fn may_be_repeated(store: &dyn Store) {
    let table = fresh(store).await;
    let add_one = || vec![update("p", "a", [add("n", "1")]), update("p", "b", [add("n", "1")])];
    for _ in 0..3 {
        store.transact(on(&table, add_one())).await.unwrap();
    }
    assert_eq!(read(store, &table, "p", "a").await, Some(item("p", "a", fields! { n: 3 })));
}

/// A single write after a transaction sees what it wrote.
pub async fn is_seen_by_the_next_write(store: &dyn Store) {
    let table = fresh(store).await;
    store.transact(on(&table, vec![put(account("a", 1)), put(account("b", 1))])).await.unwrap();
    write(store, &table, when(update("account", "b", [add("balance", "1")]), equal("balance", 1))).await;
    assert_eq!(read(store, &table, "account", "b").await, Some(account("b", 2)));
}
