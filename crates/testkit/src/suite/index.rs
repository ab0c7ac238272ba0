//! Contents of indexes.
//!
//! DynamoDB indexes are eventually consistent. The stores of the suite update them at once, so behaviours
//! read their own writes; [`crate::faults`] makes them lag.

use hansang_core::Store;
use hansang_core::model::{Index, Projection, Table};
use hansang_core::plan::{Query, SortCondition};
use hansang_core::{Item, Value};

use super::query::matching;
use crate::expect::{NOTHING, contents, failed, query_all, refused, scan_all, sort_keys, store_all, write};
use crate::fields;
use crate::plans::{
    add, backward, delete, equal, item, number, put, query_index, remove, scan_index, set, sorted, update,
    when,
};
use crate::table::{BY_NUMBER, BY_TEXT, fresh, index, made, with_indexes};

fn by_text(pk: &str) -> Query {
    query_index(BY_TEXT, "tpk", pk)
}

fn by_number(pk: &str) -> Query {
    query_index(BY_NUMBER, "npk", pk)
}

async fn found(store: &dyn Store, table: &Table, query: Query) -> Vec<String> {
    sort_keys(&query_all(store, table, &query).await)
}

/// An item with both index keys is found whole.
pub async fn finds_an_item(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { tpk: "t", tsk: "a", more: 1 });
    write(store, &table, put(thing.clone())).await;
    assert_eq!(query_all(store, &table, &by_text("t")).await, [thing]);
    assert_eq!(query_all(store, &table, &by_text("other")).await, NOTHING);
}

/// An item without an index key is not in the index.
pub async fn leaves_out_items_without_a_key(store: &dyn Store) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "none", fields! { a: 1 }))).await;
    write(store, &table, put(item("p", "half", fields! { tpk: "t" }))).await;
    write(store, &table, put(item("p", "other half", fields! { tsk: "t" }))).await;
    assert_eq!(scan_all(store, &table, &scan_index(BY_TEXT)).await, NOTHING);
    assert_eq!(contents(store, &table).await.len(), 3);
}

/// An item appears when an update sets its keys.
pub async fn follows_a_key_that_is_set(store: &dyn Store) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "s", fields! { tpk: "t" }))).await;
    write(store, &table, update("p", "s", [set("tsk", "a")])).await;
    assert_eq!(found(store, &table, by_text("t")).await, ["s"]);
}

/// An item disappears when an update removes one of its keys, and stays in the table.
pub async fn follows_a_key_that_is_removed(store: &dyn Store) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "s", fields! { tpk: "t", tsk: "a" }))).await;
    write(store, &table, update("p", "s", [remove("tsk")])).await;
    assert_eq!(found(store, &table, by_text("t")).await, [""; 0]);
    assert_eq!(contents(store, &table).await, [item("p", "s", fields! { tpk: "t" })]);
}

/// An item moves to another partition of the index, leaving nothing behind.
pub async fn follows_a_changed_partition(store: &dyn Store) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "s", fields! { tpk: "old", tsk: "a" }))).await;
    write(store, &table, update("p", "s", [set("tpk", "new")])).await;
    assert_eq!(found(store, &table, by_text("old")).await, [""; 0]);
    assert_eq!(found(store, &table, by_text("new")).await, ["s"]);
}

/// An item moves within its index partition.
pub async fn follows_a_changed_sort_key(store: &dyn Store) {
    let table = fresh(store).await;
    let rows = [("x", "1"), ("y", "2")].map(|(sk, tsk)| item("p", sk, fields! { tpk: "t", tsk: tsk }));
    store_all(store, &table, rows).await;
    assert_eq!(found(store, &table, by_text("t")).await, ["x", "y"]);
    write(store, &table, update("p", "x", [set("tsk", "3")])).await;
    assert_eq!(found(store, &table, by_text("t")).await, ["y", "x"]);
}

/// An index follows an added number.
pub async fn follows_a_number_that_grows(store: &dyn Store) {
    let table = fresh(store).await;
    let rows = [("x", 9), ("y", 10)].map(|(sk, nsk)| item("p", sk, fields! { npk: "n", nsk: nsk }));
    store_all(store, &table, rows).await;
    assert_eq!(found(store, &table, by_number("n")).await, ["x", "y"]);
    write(store, &table, update("p", "x", [add("nsk", "2")])).await;
    assert_eq!(found(store, &table, by_number("n")).await, ["y", "x"]);
}

/// Attributes that are not keys follow too.
pub async fn follows_other_attributes(store: &dyn Store) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "s", fields! { tpk: "t", tsk: "a", n: 1 }))).await;
    write(store, &table, update("p", "s", [set("n", 2), set("m", 3)])).await;
    let expected = item("p", "s", fields! { tpk: "t", tsk: "a", n: 2, m: 3 });
    assert_eq!(query_all(store, &table, &by_text("t")).await, [expected]);
}

/// A put moves an item in the index or removes it.
pub async fn follows_a_put(store: &dyn Store) {
    let table = fresh(store).await;
    for (tpk, other) in [("a", "b"), ("b", "a")] {
        write(store, &table, put(item("p", "s", fields! { tpk: tpk, tsk: "x" }))).await;
        assert_eq!(found(store, &table, by_text(tpk)).await, ["s"]);
        assert_eq!(found(store, &table, by_text(other)).await, [""; 0]);
    }
    write(store, &table, put(item("p", "s", fields! {}))).await;
    assert_eq!(found(store, &table, by_text("b")).await, [""; 0]);
}

/// A deleted item is in no index.
pub async fn follows_a_deletion(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { tpk: "t", tsk: "a", npk: "n", nsk: 1 });
    write(store, &table, put(thing)).await;
    write(store, &table, delete("p", "s")).await;
    assert_eq!(found(store, &table, by_text("t")).await, [""; 0]);
    assert_eq!(found(store, &table, by_number("n")).await, [""; 0]);
}

/// An item can be in several indexes.
pub async fn keeps_indexes_apart(store: &dyn Store) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "both", fields! { tpk: "x", tsk: "a", npk: "x", nsk: 1 }))).await;
    write(store, &table, put(item("p", "text", fields! { tpk: "x", tsk: "b" }))).await;
    write(store, &table, put(item("p", "number", fields! { npk: "x", nsk: 0 }))).await;
    assert_eq!(found(store, &table, by_text("x")).await, ["both", "text"]);
    assert_eq!(found(store, &table, by_number("x")).await, ["number", "both"]);
}

/// Several items may have the same index key.
pub async fn keeps_items_of_one_key_apart(store: &dyn Store) {
    let table = fresh(store).await;
    let row = |pk: &str, sk: &str| item(pk, sk, fields! { tpk: "t", tsk: "same" });
    let rows = [row("p", "1"), row("p", "2"), row("q", "3"), row("q", "4"), row("r", "5")];
    store_all(store, &table, rows).await;
    for limit in [1, 2, 3, 10] {
        for descending in [false, true] {
            let query = Query { limit, descending, ..by_text("t") };
            let mut keys = found(store, &table, query).await;
            keys.sort();
            assert_eq!(keys, ["1", "2", "3", "4", "5"], "limit {limit}, descending {descending}");
        }
    }
    write(store, &table, delete("p", "2")).await;
    assert_eq!(found(store, &table, by_text("t")).await.len(), 4);
}

const TEXTS: [&str; 7] = ["A", "B#1", "B#10", "B#2", "a", "é", "한"];

async fn texts(store: &dyn Store, condition: Option<SortCondition>) -> Vec<String> {
    let table = fresh(store).await;
    let row = |tpk: &str, tsk: &str| item(&format!("{tpk}{tsk}"), tsk, fields! { tpk: tpk, tsk: tsk });
    store_all(store, &table, TEXTS.into_iter().rev().flat_map(|tsk| [row("t", tsk), row("u", tsk)])).await;
    let query = match condition {
        Some(condition) => sorted(by_text("t"), "tsk", condition),
        None => by_text("t"),
    };
    matching(store, &table, query).await
}

/// An index partition is ordered by its sort key, in both directions.
pub async fn orders_texts(store: &dyn Store) {
    assert_eq!(texts(store, None).await, TEXTS);
}

/// Equal, on the text sort key of an index.
pub async fn by_equal_text(store: &dyn Store) {
    assert_eq!(texts(store, Some(SortCondition::Equal("B#1".into()))).await, ["B#1"]);
}

/// A prefix of the text sort key of an index.
pub async fn by_prefix(store: &dyn Store) {
    assert_eq!(texts(store, Some(SortCondition::BeginsWith("B#1".into()))).await, ["B#1", "B#10"]);
}

/// A range of the text sort key of an index.
pub async fn by_range_of_texts(store: &dyn Store) {
    let range = SortCondition::Between("B#10".into(), "a".into());
    assert_eq!(texts(store, Some(range)).await, ["B#10", "B#2", "a"]);
}

/// Bounds of the text sort key of an index.
pub async fn by_bounds_of_texts(store: &dyn Store) {
    assert_eq!(texts(store, Some(SortCondition::AtLeast("a".into()))).await, ["a", "é", "한"]);
    assert_eq!(texts(store, Some(SortCondition::AtMost("B#1".into()))).await, ["A", "B#1"]);
}

const NUMBERS: [&str; 12] =
    ["-1E100", "-10", "-9.5", "-9", "-0.001", "0", "1E-100", "0.5", "2", "10", "10.01", "1E100"];

async fn numbers(store: &dyn Store, condition: Option<SortCondition>) -> Vec<String> {
    let table = fresh(store).await;
    let row = |npk: &str, nsk: &str| item(npk, nsk, fields! { npk: npk, nsk: number(nsk) });
    store_all(store, &table, NUMBERS.into_iter().rev().flat_map(|nsk| [row("n", nsk), row("m", nsk)])).await;
    let query = match condition {
        Some(condition) => sorted(by_number("n"), "nsk", condition),
        None => by_number("n"),
    };
    matching(store, &table, query).await
}

/// Numbers are ordered by value: negative, fractional and very large ones.
pub async fn orders_numbers(store: &dyn Store) {
    assert_eq!(numbers(store, None).await, NUMBERS);
}

/// Equal, on the numeric sort key of an index, in any notation.
pub async fn by_equal_number(store: &dyn Store) {
    assert_eq!(numbers(store, Some(SortCondition::Equal(number("2.0")))).await, ["2"]);
    assert_eq!(numbers(store, Some(SortCondition::Equal(number("-0")))).await, ["0"]);
}

/// A range of numbers whose ends exist or not.
pub async fn by_range_of_numbers(store: &dyn Store) {
    let between = |from, to| Some(SortCondition::Between(number(from), number(to)));
    assert_eq!(numbers(store, between("-9.5", "0.5")).await, ["-9.5", "-9", "-0.001", "0", "1E-100", "0.5"]);
    assert_eq!(numbers(store, between("3", "10.005")).await, ["10"]);
}

/// Bounds of the numeric sort key of an index.
pub async fn by_bounds_of_numbers(store: &dyn Store) {
    assert_eq!(
        numbers(store, Some(SortCondition::AtLeast(number("2")))).await,
        ["2", "10", "10.01", "1E100"]
    );
    assert_eq!(
        numbers(store, Some(SortCondition::AtMost(number("-9")))).await,
        ["-1E100", "-10", "-9.5", "-9"]
    );
}

/// A page of an index starts after the keys of index and table.
pub async fn pages_start_behind_all_keys(store: &dyn Store) {
    let table = fresh(store).await;
    let row = |n: i64| item("p", &n.to_string(), fields! { npk: "n", nsk: n, more: n });
    store_all(store, &table, (0..3).map(row)).await;
    let page = store.query(&table, &Query { limit: 2, ..by_number("n") }).await.unwrap();
    assert_eq!(page.next, Some(item("p", "1", fields! { npk: "n", nsk: 1 })));
    let rest = Query { start: page.next, ..by_number("n") };
    assert_eq!(found(store, &table, rest.clone()).await, ["2"]);
    assert_eq!(found(store, &table, backward(rest)).await, ["0"]);
}

/// A page of an index continues after an item that left the index.
pub async fn pages_continue_after_an_item_that_left(store: &dyn Store) {
    let table = fresh(store).await;
    let row = |n: i64| item("p", &n.to_string(), fields! { npk: "n", nsk: n });
    store_all(store, &table, (0..4).map(row)).await;
    let page = store.query(&table, &Query { limit: 2, ..by_number("n") }).await.unwrap();
    write(store, &table, delete("p", "1")).await;
    assert_eq!(found(store, &table, Query { start: page.next, ..by_number("n") }).await, ["2", "3"]);
}

/// Filters and field selections work on an index.
pub async fn filters_and_gives_fields(store: &dyn Store) {
    let table = fresh(store).await;
    let row = |n: i64| item("p", &n.to_string(), fields! { npk: "n", nsk: n, odd: n % 2 == 1, m: n });
    store_all(store, &table, (0..4).map(row)).await;
    let odd = Query { filter: Some(equal("odd", true)), fields: Some(vec!["m".into()]), ..by_number("n") };
    assert_eq!(query_all(store, &table, &odd).await, [fields! { m: 1 }, fields! { m: 3 }]);
}

async fn projected(store: &dyn Store, projection: Projection) -> (Table, Vec<Item>) {
    let narrow = index("Narrow", "tpk", Some("tsk"), projection);
    let table = made(store, with_indexes(vec![narrow])).await;
    let thing = item("p", "s", fields! { tpk: "t", tsk: "a", kept: "yes", dropped: "no", nsk: 1 });
    write(store, &table, put(thing)).await;
    let items = query_all(store, &table, &query_index("Narrow", "tpk", "t")).await;
    (table, items)
}

/// A keys-only index has the keys of index and table.
pub async fn of_keys_has_only_keys(store: &dyn Store) {
    let (table, items) = projected(store, Projection::Keys).await;
    assert_eq!(items, [item("p", "s", fields! { tpk: "t", tsk: "a" })]);
    assert_eq!(scan_all(store, &table, &scan_index("Narrow")).await, items);
}

/// An index that includes attributes has these and the keys.
pub async fn that_includes_has_its_attributes(store: &dyn Store) {
    let include = Projection::Include(vec!["kept".into(), "missing".into()]);
    let (table, items) = projected(store, include).await;
    assert_eq!(items, [item("p", "s", fields! { tpk: "t", tsk: "a", kept: "yes" })]);
    write(store, &table, update("p", "s", [set("kept", "new"), set("missing", 1)])).await;
    let expected = item("p", "s", fields! { tpk: "t", tsk: "a", kept: "new", missing: 1 });
    assert_eq!(query_all(store, &table, &query_index("Narrow", "tpk", "t")).await, [expected]);
}

/// A filter on an index may use projected attributes only.
///
/// dynoxide accepts such a filter and finds nothing; Amazon refuses it, and so do all stores here.
pub async fn filters_by_projected_attributes(store: &dyn Store) {
    let (table, _) = projected(store, Projection::Include(vec!["kept".into()])).await;
    let with = |filter| Query { filter: Some(filter), ..query_index("Narrow", "tpk", "t") };
    assert_eq!(found(store, &table, with(equal("kept", "yes"))).await, ["s"]);
    refused(store.query(&table, &with(equal("dropped", "no"))).await, "not_in_index");
}

/// A query returns fields of the projection only.
pub async fn gives_projected_fields(store: &dyn Store) {
    let (table, _) = projected(store, Projection::Keys).await;
    let with = |name: &str| Query { fields: Some(vec![name.into()]), ..query_index("Narrow", "tpk", "t") };
    assert_eq!(query_all(store, &table, &with("PK")).await, [fields! { PK: "p" }]);
    refused(store.query(&table, &with("kept")).await, "not_in_index");
}

/// An index may have no sort key; its items have no order then.
pub async fn may_have_no_sort_key(store: &dyn Store) {
    let plain = index("Plain", "tpk", None, Projection::All);
    let table = made(store, with_indexes(vec![plain])).await;
    let rows = ["1", "2", "3"].map(|sk| item("p", sk, fields! { tpk: "t" }));
    store_all(store, &table, rows).await;
    for limit in [1, 2, 10] {
        let mut keys = found(store, &table, Query { limit, ..query_index("Plain", "tpk", "t") }).await;
        keys.sort();
        assert_eq!(keys, ["1", "2", "3"], "limit {limit}");
    }
}

/// An index may have a numeric partition key.
pub async fn may_have_a_numeric_partition(store: &dyn Store) {
    let year = Index { pk_numeric: true, ..index("Year", "year", Some("tsk"), Projection::All) };
    let table = made(store, with_indexes(vec![year])).await;
    let row = |year: &str, sk: &str| item("p", sk, fields! { year: number(year), tsk: sk });
    store_all(store, &table, [row("2024", "a"), row("2024.0", "b"), row("2025", "c"), row("-2024", "d")])
        .await;
    let of = |year: &str| Query { pk: ("year".into(), number(year)), ..query_index("Year", "year", "") };
    assert_eq!(found(store, &table, of("2024")).await, ["a", "b"]);
    assert_eq!(found(store, &table, of("-2.024E3")).await, ["d"]);
}

/// A table key can be an index key too.
pub async fn may_share_a_key_with_the_table(store: &dyn Store) {
    let turned = index("Turned", "SK", Some("PK"), Projection::All);
    let table = made(store, with_indexes(vec![turned])).await;
    store_all(store, &table, [("a", "x"), ("b", "x"), ("c", "y")].map(|(pk, sk)| item(pk, sk, fields! {})))
        .await;
    let items = query_all(store, &table, &query_index("Turned", "SK", "x")).await;
    assert_eq!(items, ["a", "b"].map(|pk| item(pk, "x", fields! {})));
}

/// Two indexes may share a key attribute.
pub async fn may_share_a_key_with_another_index(store: &dyn Store) {
    let one = index("One", "tpk", Some("tsk"), Projection::All);
    let two = index("Two", "tpk", Some("other"), Projection::All);
    let table = made(store, with_indexes(vec![one, two])).await;
    write(store, &table, put(item("p", "s", fields! { tpk: "t", tsk: "a", other: "b" }))).await;
    write(store, &table, put(item("p", "r", fields! { tpk: "t", tsk: "b" }))).await;
    assert_eq!(found(store, &table, query_index("One", "tpk", "t")).await, ["s", "r"]);
    assert_eq!(found(store, &table, query_index("Two", "tpk", "t")).await, ["s"]);
}

/// A failed guard leaves the index as it was.
pub async fn stays_when_a_write_fails(store: &dyn Store) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "s", fields! { tpk: "old", tsk: "a" }))).await;
    let moved = update("p", "s", [set("tpk", Value::from("new"))]);
    failed(store.write(&table, when(moved, equal("tpk", "other"))).await);
    assert_eq!(found(store, &table, by_text("old")).await, ["s"]);
    assert_eq!(found(store, &table, by_text("new")).await, [""; 0]);
}
