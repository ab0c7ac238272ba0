//! Invalid input is refused with a code, and nothing is written.

use hansang_core::model::Projection;
use hansang_core::plan::{Action, Comparison, Condition, Guards, Operand, Query, Scan, SortCondition, Write};
use hansang_core::{Item, Store, Value};

use crate::expect::{NOTHING, contents, query_all, refused, write};
use crate::fields;
use crate::plans::{
    add, add_members, append, blobs, check, compare, counts, delete, equal, get, item, key, list, map, not,
    number, numbers, on, path, put, query, query_index, remove, scan, scan_index, set, sorted, texts, update,
    when,
};
use crate::table::{BY_NUMBER, BY_TEXT, described, fresh, index, made, with_indexes};

/// Expects a refusal with this code, alone and in a transaction, and an unchanged table.
async fn refuses(store: &dyn Store, bad: Write, code: &str) {
    let table = fresh(store).await;
    let before = [item("other", "s", fields! { n: 1 }), item("p", "s", fields! { tpk: "t", tsk: "s", n: 1 })];
    for item in &before {
        write(store, &table, put(item.clone())).await;
    }
    refused(store.write(&table, bad.clone()).await, code);
    refused(store.transact(on(&table, vec![put(item("p", "new", fields! {})), bad])).await, code);
    assert_eq!(contents(store, &table).await, before);
    assert_eq!(query_all(store, &table, &query_index(BY_TEXT, "tpk", "t")).await, before[1..]);
}

async fn refuses_query(store: &dyn Store, bad: Query, code: &str) {
    let table = fresh(store).await;
    refused(store.query(&table, &bad).await, code);
}

fn raw(item: Item) -> Write {
    Write { key: key("p", "s"), action: Action::Put(item), guards: Guards::default() }
}

/// An item needs both parts of its key.
pub async fn of_a_missing_key(store: &dyn Store) {
    refuses(store, raw(fields! { PK: "p", n: 2 }), "missing_key").await;
    refuses(store, raw(fields! { SK: "s", n: 2 }), "missing_key").await;
}

/// The parts of a key are text.
pub async fn of_a_key_of_the_wrong_type(store: &dyn Store) {
    refuses(store, raw(fields! { PK: 1, SK: "s" }), "wrong_key_type").await;
    refuses(store, raw(fields! { PK: "p", SK: true }), "wrong_key_type").await;
    refuses(store, raw(fields! { PK: "p", SK: Value::Null }), "wrong_key_type").await;
}

/// The parts of a key are not empty.
pub async fn of_an_empty_key(store: &dyn Store) {
    refuses(store, put(item("", "s", fields! {})), "empty_key").await;
    refuses(store, put(item("p", "", fields! {})), "empty_key").await;
    refuses(store, update("p", "", [set("n", 2)]), "empty_key").await;
    refuses(store, delete("", "s"), "empty_key").await;
}

/// A put whose item has another key than the write is refused.
pub async fn of_two_keys(store: &dyn Store) {
    refuses(store, raw(item("p", "t", fields! {})), "wrong_key").await;
}

/// Reads with an empty key are refused.
pub async fn of_an_empty_key_to_read(store: &dyn Store) {
    let table = fresh(store).await;
    refused(store.get(&table, &get("", "s")).await, "empty_key");
    refused(store.get(&table, &get("p", "")).await, "empty_key");
    refused(store.query(&table, &query("")).await, "empty_key");
}

/// An index key must have its type.
pub async fn of_an_index_key_of_the_wrong_type(store: &dyn Store) {
    refuses(store, put(item("p", "s", fields! { tpk: 1 })), "wrong_key_type").await;
    refuses(store, put(item("p", "s", fields! { tsk: Value::Null })), "wrong_key_type").await;
    refuses(store, put(item("p", "s", fields! { nsk: "1" })), "wrong_key_type").await;
    refuses(store, put(item("p", "s", fields! { npk: counts(&[]) })), "wrong_key_type").await;
}

/// An update cannot set an index key of the wrong type.
pub async fn of_an_index_key_updated_to_the_wrong_type(store: &dyn Store) {
    refuses(store, update("p", "s", [set("tsk", 1)]), "wrong_key_type").await;
    refuses(store, update("p", "s", [set("nsk", "1")]), "wrong_key_type").await;
    refuses(store, update("p", "s", [add("npk", "1")]), "wrong_key_type").await;
}

/// An index key must not be empty.
pub async fn of_an_empty_index_key(store: &dyn Store) {
    refuses(store, put(item("p", "s", fields! { tpk: "" })), "empty_key").await;
    refuses(store, put(item("p", "s", fields! { tpk: "t", tsk: "" })), "empty_key").await;
}

/// An update cannot set an empty index key.
pub async fn of_an_index_key_updated_to_empty(store: &dyn Store) {
    refuses(store, update("p", "s", [set("tsk", "")]), "empty_key").await;
}

/// A set must have members.
pub async fn of_an_empty_set(store: &dyn Store) {
    refuses(store, put(item("p", "s", fields! { s: texts(&[]) })), "empty_set").await;
    refuses(store, put(item("p", "s", fields! { s: list([numbers(&[])]) })), "empty_set").await;
    refuses(store, put(item("p", "s", fields! { m: map(fields! { s: blobs(&[]) }) })), "empty_set").await;
}

/// An update cannot set an empty set.
pub async fn of_an_empty_set_in_an_update(store: &dyn Store) {
    refuses(store, update("p", "s", [set("s", texts(&[]))]), "empty_set").await;
    refuses(store, update("p", "s", [add_members("s", numbers(&[]))]), "empty_set").await;
    refuses(store, update("p", "s", [append("l", [blobs(&[])])]), "empty_set").await;
}

/// Members must be a set.
pub async fn of_members_that_are_no_set(store: &dyn Store) {
    refuses(store, update("p", "s", [add_members("s", "a".into())]), "wrong_type").await;
}

/// A key attribute cannot change.
pub async fn of_a_changed_key(store: &dyn Store) {
    refuses(store, update("p", "s", [set("PK", "q")]), "key_changed").await;
    refuses(store, update("p", "s", [set("n", 2), remove("SK")]), "key_changed").await;
    refuses(store, update("p", "s", [set("SK", "s")]), "key_changed").await;
}

/// An update needs a change.
pub async fn of_an_update_of_nothing(store: &dyn Store) {
    refuses(store, update("p", "s", []), "nothing_to_change").await;
}

/// A path can change once.
pub async fn of_a_path_changed_twice(store: &dyn Store) {
    refuses(store, update("p", "s", [set("n", 2), set("n", 3)]), "changed_twice").await;
    refuses(store, update("p", "s", [set("n", 2), remove("n")]), "changed_twice").await;
    refuses(store, update("p", "s", [add("n", "1"), add("n", "1")]), "changed_twice").await;
}

/// A path and a part of it cannot both change.
pub async fn of_overlapping_paths(store: &dyn Store) {
    refuses(store, update("p", "s", [set("m", map(fields! {})), set("m.a", 1)]), "changed_twice").await;
    refuses(store, update("p", "s", [set("l[0]", 1), remove("l")]), "changed_twice").await;
    refuses(store, update("p", "s", [set("l[0].a", 1), set("l[0]", 1)]), "changed_twice").await;
}

/// A range must not be reversed.
pub async fn of_a_backward_range(store: &dyn Store) {
    let between = |from: Value, to: Value| Condition::Between(Operand::Path(path("n")), from, to);
    refuses(store, when(delete("p", "s"), between(2.into(), 1.into())), "invalid_range").await;
    refuses(store, when(delete("p", "s"), not(between("b".into(), "a".into()))), "invalid_range").await;
}

/// The ends of a range must have one ordered type.
pub async fn of_a_range_of_two_types(store: &dyn Store) {
    let between = |from: Value, to: Value| Condition::Between(Operand::Path(path("n")), from, to);
    refuses(store, when(delete("p", "s"), between(1.into(), "2".into())), "invalid_range").await;
    refuses(store, when(delete("p", "s"), between(false.into(), true.into())), "invalid_range").await;
}

/// A list of choices has 1 to 100 values.
pub async fn of_too_few_or_many_choices(store: &dyn Store) {
    let choices = |count: i64| Condition::In(Operand::Path(path("n")), (0..count).map(Value::from).collect());
    refuses(store, when(delete("p", "s"), choices(0)), "invalid_condition").await;
    refuses(store, when(delete("p", "s"), choices(101)), "invalid_condition").await;
}

/// `and` and `or` need a condition.
pub async fn of_empty_combinations(store: &dyn Store) {
    refuses(store, when(delete("p", "s"), Condition::And(vec![])), "invalid_condition").await;
    refuses(store, when(delete("p", "s"), not(Condition::Or(vec![]))), "invalid_condition").await;
    refuses(
        store,
        check("p", "s", Condition::Or(vec![equal("n", 1), Condition::And(vec![])])),
        "invalid_condition",
    )
    .await;
}

/// An unknown index is refused.
pub async fn of_an_unknown_index(store: &dyn Store) {
    refuses_query(store, query_index("Unknown", "tpk", "t"), "unknown_index").await;
    let table = fresh(store).await;
    refused(store.scan(&table, &scan_index("Unknown")).await, "unknown_index");
}

/// An index has no strong reads.
pub async fn of_a_strong_read_on_an_index(store: &dyn Store) {
    let strong = Query { consistent: true, ..query_index(BY_TEXT, "tpk", "t") };
    refuses_query(store, strong, "no_strong_read_on_index").await;
    let table = fresh(store).await;
    let strong = Scan { consistent: true, ..scan_index(BY_TEXT) };
    refused(store.scan(&table, &strong).await, "no_strong_read_on_index");
}

/// A limit of zero is refused.
pub async fn of_a_limit_of_zero(store: &dyn Store) {
    refuses_query(store, Query { limit: 0, ..query("p") }, "invalid_page_size").await;
    let table = fresh(store).await;
    refused(store.scan(&table, &Scan { limit: 0, ..scan() }).await, "invalid_page_size");
}

/// A query must use the key attributes of its table or index.
pub async fn of_a_query_by_another_attribute(store: &dyn Store) {
    refuses_query(store, Query { pk: ("n".into(), "p".into()), ..query("p") }, "wrong_key").await;
    refuses_query(store, query_index(BY_TEXT, "PK", "p"), "wrong_key").await;
    refuses_query(store, sorted(query("p"), "n", SortCondition::Equal("s".into())), "wrong_key").await;
    refuses_query(
        store,
        sorted(query_index(BY_TEXT, "tpk", "t"), "SK", SortCondition::Equal("s".into())),
        "wrong_key",
    )
    .await;
}

/// A sort condition on an index without a sort key is refused.
pub async fn of_a_sort_condition_without_a_sort_key(store: &dyn Store) {
    let table = made(store, with_indexes(vec![index("Plain", "tpk", None, Projection::All)])).await;
    let sorted = sorted(query_index("Plain", "tpk", "t"), "SK", SortCondition::Equal("s".into()));
    refused(store.query(&table, &sorted).await, "wrong_key");
}

/// Key values of a query must have the right type.
pub async fn of_a_query_value_of_the_wrong_type(store: &dyn Store) {
    refuses_query(store, Query { pk: ("PK".into(), 1.into()), ..query("p") }, "wrong_key_type").await;
    refuses_query(store, sorted(query("p"), "SK", SortCondition::Equal(1.into())), "wrong_key_type").await;
    let numeric = || query_index(BY_NUMBER, "npk", "n");
    refuses_query(store, sorted(numeric(), "nsk", SortCondition::AtLeast("1".into())), "wrong_key_type")
        .await;
    refuses_query(store, sorted(numeric(), "nsk", SortCondition::BeginsWith("1".into())), "wrong_key_type")
        .await;
}

/// Key values of a query must not be empty.
pub async fn of_an_empty_query_value(store: &dyn Store) {
    refuses_query(store, sorted(query("p"), "SK", SortCondition::BeginsWith(String::new())), "empty_key")
        .await;
    refuses_query(store, sorted(query("p"), "SK", SortCondition::AtLeast("".into())), "empty_key").await;
    refuses_query(store, query_index(BY_TEXT, "tpk", ""), "empty_key").await;
}

/// A key range must not be reversed.
pub async fn of_a_backward_range_of_keys(store: &dyn Store) {
    let range = SortCondition::Between("b".into(), "a".into());
    refuses_query(store, sorted(query("p"), "SK", range), "invalid_range").await;
    let range = SortCondition::Between(number("-1"), number("-1.5"));
    refuses_query(store, sorted(query_index(BY_NUMBER, "npk", "n"), "nsk", range), "invalid_range").await;
}

/// Only text, numbers and bytes have an order.
pub async fn of_an_order_of_unordered_values(store: &dyn Store) {
    for value in [true.into(), Value::Null, counts(&[1]), texts(&["a"])] {
        let less = compare("n", Comparison::Less, value);
        refuses(store, when(delete("p", "s"), less), "invalid_condition").await;
    }
}

/// Only text and bytes have prefixes.
pub async fn of_a_prefix_that_is_a_number(store: &dyn Store) {
    let prefix = Condition::BeginsWith(path("n"), 1.into());
    refuses(store, when(delete("p", "s"), prefix), "invalid_condition").await;
}

/// No value can equal or contain an empty set.
pub async fn of_a_condition_on_an_empty_set(store: &dyn Store) {
    refuses(store, when(delete("p", "s"), equal("n", texts(&[]))), "invalid_condition").await;
    let choices = Condition::In(Operand::Path(path("n")), vec![1.into(), numbers(&[])]);
    refuses(store, when(delete("p", "s"), choices), "invalid_condition").await;
}

/// A filter must not use key attributes.
pub async fn of_a_filter_on_a_key(store: &dyn Store) {
    let with = |query: Query, name: &str| Query { filter: Some(equal(name, "p")), ..query };
    refuses_query(store, with(query("p"), "PK"), "filter_on_key").await;
    refuses_query(store, with(query("p"), "SK"), "filter_on_key").await;
    refuses_query(store, with(query_index(BY_TEXT, "tpk", "t"), "tsk"), "filter_on_key").await;
    let table = fresh(store).await;
    let other_key = with(query_index(BY_TEXT, "tpk", "t"), "PK");
    assert_eq!(query_all(store, &table, &other_key).await, NOTHING, "which is no key of the index");
}

/// A filter must be a valid condition.
pub async fn of_a_filter_that_cannot_be_asked(store: &dyn Store) {
    let filter = Condition::Or(vec![
        compare("n", Comparison::Less, 1),
        Condition::In(Operand::Path(path("n")), vec![]),
    ]);
    refuses_query(store, Query { filter: Some(filter), ..query("p") }, "invalid_condition").await;
}

/// A start key must be whole.
pub async fn of_a_start_that_is_no_key(store: &dyn Store) {
    refuses_query(store, Query { start: Some(fields! { PK: "p" }), ..query("p") }, "missing_key").await;
    refuses_query(store, Query { start: Some(fields! { PK: "p", SK: 1 }), ..query("p") }, "wrong_key_type")
        .await;
    let start = Some(item("p", "s", fields! { tpk: "t" }));
    refuses_query(store, Query { start, ..query_index(BY_TEXT, "tpk", "t") }, "missing_key").await;
    let table = fresh(store).await;
    let start = Some(fields! { SK: "s" });
    refused(store.scan(&table, &Scan { start, ..scan() }).await, "missing_key");
}

/// Every operation refuses an unknown table.
pub async fn of_an_unknown_table(store: &dyn Store) {
    let table = described();
    let thing = item("p", "s", fields! {});
    refused(store.get(&table, &get("p", "s")).await, "unknown_table");
    refused(store.batch_get(&table, &crate::plans::batch_get(vec![key("p", "s")])).await, "unknown_table");
    refused(store.query(&table, &query("p")).await, "unknown_table");
    refused(store.query(&table, &query_index(BY_TEXT, "tpk", "t")).await, "unknown_table");
    refused(store.scan(&table, &scan()).await, "unknown_table");
    refused(store.write(&table, put(thing.clone())).await, "unknown_table");
    refused(store.write(&table, update("p", "s", [set("n", 1)])).await, "unknown_table");
    refused(store.write(&table, delete("p", "s")).await, "unknown_table");
    refused(store.transact(on(&table, vec![put(thing.clone())])).await, "unknown_table");
    refused(store.batch_put(&table, vec![thing]).await, "unknown_table");
}
