//! Queries of a table partition.

use hansang_core::plan::{Comparison, Query, SortCondition};
use hansang_core::{Item, Store};

use crate::expect::{query_all, sort_keys, store_all};
use crate::fields;
use crate::plans::{backward, compare, equal, exists, item, query, sorted};
use crate::table::fresh;
use hansang_core::model::Table;

/// Sort keys in the order of their bytes.
const KEYS: [&str; 9] = ["A", "B#1", "B#10", "B#2", "B#9", "C", "a", "é", "한"];

async fn filled(store: &dyn Store) -> Table {
    let table = fresh(store).await;
    let rows = |pk: &'static str| KEYS.into_iter().rev().map(move |sk| item(pk, sk, fields! { of: pk }));
    store_all(store, &table, rows("p").chain(rows("other"))).await;
    table
}

/// Returns the matching sort keys, which must be the same in both directions, in pages or at once.
pub(super) async fn matching(store: &dyn Store, table: &Table, query: Query) -> Vec<String> {
    let found = sort_keys(&query_all(store, table, &query).await);
    let by_two = sort_keys(&query_all(store, table, &Query { limit: 2, ..query.clone() }).await);
    assert_eq!(by_two, found, "in pages of two");
    let back = Query { descending: !query.descending, ..query };
    let mut reversed = sort_keys(&query_all(store, table, &back).await);
    let mut back_by_two = sort_keys(&query_all(store, table, &Query { limit: 2, ..back }).await);
    reversed.reverse();
    back_by_two.reverse();
    assert_eq!(reversed, found, "in the other direction");
    assert_eq!(back_by_two, found, "in the other direction, in pages of two");
    found
}

async fn with(store: &dyn Store, condition: SortCondition) -> Vec<String> {
    let table = filled(store).await;
    matching(store, &table, sorted(query("p"), "SK", condition)).await
}

/// A query returns one partition, ordered by sort key.
pub async fn gives_a_partition_in_order(store: &dyn Store) {
    let table = filled(store).await;
    let items = query_all(store, &table, &query("p")).await;
    assert_eq!(sort_keys(&items), KEYS);
    assert!(items.iter().all(|item| item["of"] == "p".into()));
}

/// A descending query starts with the last item.
pub async fn gives_a_partition_backward(store: &dyn Store) {
    let table = filled(store).await;
    let mut keys = KEYS;
    keys.reverse();
    assert_eq!(sort_keys(&query_all(store, &table, &backward(query("p"))).await), keys);
}

/// A missing partition has no items and no next page.
pub async fn gives_nothing_for_an_empty_partition(store: &dyn Store) {
    let table = filled(store).await;
    let page = store.query(&table, &query("nothing")).await.unwrap();
    assert_eq!((page.items, page.next), (vec![], None));
}

/// Partition keys may be prefixes of each other.
pub async fn keeps_partitions_apart(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, ["a", "aa", "a#", "a\u{0}"].map(|pk| item(pk, pk, fields! {}))).await;
    for pk in ["a", "aa", "a#", "a\u{0}"] {
        assert_eq!(matching(store, &table, query(pk)).await, [pk]);
    }
}

/// Texts are ordered by UTF-8 bytes.
pub async fn orders_by_bytes(store: &dyn Store) {
    let table = fresh(store).await;
    let keys = [
        "\u{1}",
        " ",
        "-",
        "0",
        "10",
        "9",
        "Z",
        "a",
        "z",
        "~",
        "\u{7f}",
        "é",
        "한",
        "\u{ffff}",
        "\u{10000}",
        "😀",
    ];
    store_all(store, &table, keys.iter().rev().map(|sk| item("p", sk, fields! {}))).await;
    assert_eq!(matching(store, &table, query("p")).await, keys);
}

/// A key sorts before keys that it is a prefix of, even if a zero byte follows.
pub async fn orders_prefixes_first(store: &dyn Store) {
    let table = fresh(store).await;
    let keys = ["a", "a\u{0}", "a\u{0}\u{0}", "a\u{0}b", "a\u{1}", "aa", "b"];
    store_all(store, &table, keys.iter().rev().map(|sk| item("p", sk, fields! {}))).await;
    assert_eq!(matching(store, &table, query("p")).await, keys);
}

/// Equal finds one item.
pub async fn by_equal(store: &dyn Store) {
    assert_eq!(with(store, SortCondition::Equal("B#1".into())).await, ["B#1"]);
}

/// Equal finds nothing for a missing key.
pub async fn by_equal_of_nothing(store: &dyn Store) {
    assert_eq!(with(store, SortCondition::Equal("B#".into())).await, [""; 0]);
}

/// A prefix finds all keys that start with it.
pub async fn by_prefix(store: &dyn Store) {
    assert_eq!(with(store, SortCondition::BeginsWith("B#".into())).await, ["B#1", "B#10", "B#2", "B#9"]);
}

/// A whole key is its own prefix.
pub async fn by_a_prefix_that_is_a_key(store: &dyn Store) {
    assert_eq!(with(store, SortCondition::BeginsWith("B#1".into())).await, ["B#1", "B#10"]);
}

/// A prefix of no key finds nothing.
pub async fn by_a_prefix_of_nothing(store: &dyn Store) {
    assert_eq!(with(store, SortCondition::BeginsWith("B#1#".into())).await, [""; 0]);
}

/// A prefix may end in the last code point.
pub async fn by_a_prefix_of_last_characters(store: &dyn Store) {
    let table = fresh(store).await;
    let keys = ["a", "\u{ffff}", "\u{10ffff}", "\u{10ffff}\u{10ffff}", "\u{10ffff}a"];
    store_all(store, &table, keys.map(|sk| item("p", sk, fields! {}))).await;
    let last = |text: &str| sorted(query("p"), "SK", SortCondition::BeginsWith(text.into()));
    let found = matching(store, &table, last("\u{10ffff}")).await;
    assert_eq!(found, ["\u{10ffff}", "\u{10ffff}a", "\u{10ffff}\u{10ffff}"]);
    assert_eq!(matching(store, &table, last("\u{10ffff}\u{10ffff}")).await, ["\u{10ffff}\u{10ffff}"]);
}

/// A range includes both ends.
pub async fn by_range(store: &dyn Store) {
    assert_eq!(
        with(store, SortCondition::Between("B#10".into(), "C".into())).await,
        ["B#10", "B#2", "B#9", "C"]
    );
}

/// The ends of a range need not exist.
pub async fn by_a_range_between_keys(store: &dyn Store) {
    assert_eq!(with(store, SortCondition::Between("B#11".into(), "Z".into())).await, ["B#2", "B#9", "C"]);
}

/// A range may be one key, or empty.
pub async fn by_a_range_of_one(store: &dyn Store) {
    assert_eq!(with(store, SortCondition::Between("C".into(), "C".into())).await, ["C"]);
    assert_eq!(with(store, SortCondition::Between("D".into(), "Z".into())).await, [""; 0]);
}

/// At least includes the key.
pub async fn by_at_least(store: &dyn Store) {
    assert_eq!(with(store, SortCondition::AtLeast("C".into())).await, ["C", "a", "é", "한"]);
    assert_eq!(with(store, SortCondition::AtLeast("한글".into())).await, [""; 0]);
}

/// At most includes the key.
pub async fn by_at_most(store: &dyn Store) {
    assert_eq!(with(store, SortCondition::AtMost("B#10".into())).await, ["A", "B#1", "B#10"]);
    assert_eq!(with(store, SortCondition::AtMost("0".into())).await, [""; 0]);
}

/// A page has at most as many items as its limit.
pub async fn keeps_the_limit(store: &dyn Store) {
    let table = filled(store).await;
    let page = store.query(&table, &Query { limit: 4, ..query("p") }).await.unwrap();
    assert_eq!(sort_keys(&page.items), KEYS[..4]);
    let next = page.next.expect("more follow");
    assert_eq!(next, item("p", "B#2", fields! {}), "the next page starts behind the last key");
}

/// Pages of any limit return every item once, in both directions.
pub async fn pages_lose_and_repeat_nothing(store: &dyn Store) {
    let table = filled(store).await;
    let mut reversed = KEYS;
    reversed.reverse();
    for limit in 1..=10 {
        let forwards = Query { limit, ..query("p") };
        assert_eq!(sort_keys(&query_all(store, &table, &forwards).await), KEYS, "limit {limit}");
        assert_eq!(
            sort_keys(&query_all(store, &table, &backward(forwards)).await),
            reversed,
            "limit {limit}"
        );
    }
}

/// A page that reached its limit has a next one, even if nothing follows.
pub async fn has_a_next_page_when_the_limit_was_reached(store: &dyn Store) {
    let table = filled(store).await;
    let page = store.query(&table, &Query { limit: 9, ..query("p") }).await.unwrap();
    assert_eq!(page.items.len(), 9);
    let next = store.query(&table, &Query { start: Some(page.next.unwrap()), ..query("p") }).await.unwrap();
    assert_eq!((next.items, next.next), (vec![], None));
}

/// A page that did not reach its limit is the last one.
pub async fn has_no_next_page_when_all_was_read(store: &dyn Store) {
    let table = filled(store).await;
    let page = store.query(&table, &Query { limit: 10, ..query("p") }).await.unwrap();
    assert_eq!((page.items.len(), page.next), (9, None));
}

/// A page may start after a missing key.
pub async fn starts_behind_a_key_that_is_gone(store: &dyn Store) {
    let table = filled(store).await;
    let from = |sk| Query { start: Some(item("p", sk, fields! {})), ..query("p") };
    assert_eq!(sort_keys(&query_all(store, &table, &from("B#3")).await), KEYS[4..]);
    assert_eq!(
        sort_keys(&query_all(store, &table, &backward(from("B#3"))).await),
        ["B#2", "B#10", "B#1", "A"]
    );
}

/// Pages of a range stay inside it.
pub async fn pages_stay_in_their_range(store: &dyn Store) {
    let table = filled(store).await;
    let range = sorted(query("p"), "SK", SortCondition::Between("B#1".into(), "B#9".into()));
    let second = Query { start: Some(item("p", "B#2", fields! {})), ..range.clone() };
    assert_eq!(sort_keys(&query_all(store, &table, &second).await), ["B#9"]);
    assert_eq!(sort_keys(&query_all(store, &table, &backward(second)).await), ["B#10", "B#1"]);
}

/// A filter applies after the limit.
pub async fn filters_after_the_limit(store: &dyn Store) {
    let table = fresh(store).await;
    let rows = (0..10_i64).map(|n| item("p", &n.to_string(), fields! { n: n, even: n % 2 == 0 }));
    store_all(store, &table, rows).await;
    let evens = Query { limit: 4, filter: Some(equal("even", true)), ..query("p") };
    let page = store.query(&table, &evens).await.unwrap();
    assert_eq!(sort_keys(&page.items), ["0", "2"]);
    assert_eq!(page.next, Some(item("p", "3", fields! {})), "the page ends where reading ended");
    assert_eq!(sort_keys(&query_all(store, &table, &evens).await), ["0", "2", "4", "6", "8"]);
}

/// A page may have no items and still not be the last.
pub async fn may_give_an_empty_page(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, (0..4_i64).map(|n| item("p", &n.to_string(), fields! { n: n }))).await;
    let high = Query { limit: 2, filter: Some(compare("n", Comparison::Greater, 2)), ..query("p") };
    let page = store.query(&table, &high).await.unwrap();
    assert_eq!((page.items.len(), page.next.is_some()), (0, true));
    assert_eq!(sort_keys(&query_all(store, &table, &high).await), ["3"]);
}

/// A filter may use attributes that most items lack.
pub async fn filters_by_missing_attributes(store: &dyn Store) {
    let table = fresh(store).await;
    let some = |n: i64| {
        if n == 2 {
            fields! { flag: true }
        } else {
            fields! { n: n }
        }
    };
    store_all(store, &table, (0..4_i64).map(|n| item("p", &n.to_string(), some(n)))).await;
    let flagged = Query { filter: Some(exists("flag")), ..query("p") };
    assert_eq!(matching(store, &table, flagged).await, ["2"]);
}

/// Only the requested fields are returned; the next page starts after a whole key.
pub async fn gives_only_the_fields_asked_for(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, (0..3_i64).map(|n| item("p", &n.to_string(), fields! { n: n, m: n }))).await;
    let some = Query { fields: Some(vec!["n".into()]), limit: 2, ..query("p") };
    let page = store.query(&table, &some).await.unwrap();
    assert_eq!(page.items, [fields! { n: 0 }, fields! { n: 1 }]);
    assert_eq!(page.next, Some(item("p", "1", fields! {})));
}

/// A filter may use fields that are not returned.
pub async fn filters_by_a_field_that_is_not_given(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, (0..3_i64).map(|n| item("p", &n.to_string(), fields! { n: n, m: n }))).await;
    let some = Query { fields: Some(vec!["n".into()]), filter: Some(equal("m", 1)), ..query("p") };
    assert_eq!(store.query(&table, &some).await.unwrap().items, [fields! { n: 1 }]);
}

/// A weak read works too.
pub async fn reads_without_strong_consistency(store: &dyn Store) {
    let table = filled(store).await;
    let items: Vec<Item> = query_all(store, &table, &Query { consistent: false, ..query("p") }).await;
    assert_eq!(sort_keys(&items), KEYS);
}

/// Keys may have any character: quotes, separators, line ends, other scripts.
pub async fn takes_keys_of_any_character(store: &dyn Store) {
    let table = fresh(store).await;
    let mut keys = vec![
        "'", "\"", "\\", "%", "_", "*", "?", "/", "|", "\t", "\n", "\r\n", "\u{0}", ";--", "{}", "\u{feff}",
    ];
    keys.sort_unstable();
    for pk in ["'\"\\", "\u{0}\n", "%_|/"] {
        store_all(store, &table, keys.iter().map(|sk| item(pk, sk, fields! {}))).await;
        assert_eq!(matching(store, &table, query(pk)).await, keys);
    }
}
