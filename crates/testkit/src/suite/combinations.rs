//! Combined conditions, and reports of failed ones.

use hansang_core::Store;
use hansang_core::plan::{Comparison, Condition, Operand};

use super::conditions::{between, judge};
use super::parts::{begins_with, contains};
use crate::expect::{contents, failed, failed_on, read, write};
use crate::fields;
use crate::plans::{
    absent, bytes, compare, counts, delete, equal, exists, item, map, not, number, path, put, set, size,
    texts, update, when,
};
use crate::table::fresh;

use Comparison::{AtLeast, AtMost, Equal, Less, NotEqual};

/// Two attributes compare with each other.
pub async fn attributes_compare_with_each_other(store: &dyn Store) {
    let both = |left: &str, comparison, right: &str| {
        Condition::Compare(Operand::Path(path(left)), comparison, Operand::Path(path(right)))
    };
    let cases = vec![
        (both("used", Less, "limit"), true),
        (both("limit", Less, "used"), false),
        (both("used", Equal, "same"), true),
        (both("used", NotEqual, "limit"), true),
        (both("used", Equal, "x"), false),
        (both("used", NotEqual, "x"), true),
        (both("m.a", AtLeast, "used"), true),
        (both("x", Equal, "y"), false),
        (both("x", NotEqual, "y"), true),
        (both("x", AtMost, "y"), false),
    ];
    judge(store, fields! { used: 3, limit: 10, same: number("3.0"), m: map(fields! { a: 3 }) }, cases).await;
}

/// A value can be the left operand.
pub async fn a_value_may_stand_on_the_left(store: &dyn Store) {
    let left = |value: i64, comparison| {
        Condition::Compare(Operand::Value(value.into()), comparison, Operand::Path(path("n")))
    };
    judge(
        store,
        fields! { n: 5 },
        vec![(left(4, Less), true), (left(5, Less), false), (left(5, Equal), true)],
    )
    .await;
}

/// All parts of `and` must hold, one part of `or`.
pub async fn and_or_combine(store: &dyn Store) {
    let (yes, no) = (|| equal("a", 1), || equal("a", 2));
    let cases = vec![
        (Condition::And(vec![yes(), yes()]), true),
        (Condition::And(vec![yes(), no()]), false),
        (Condition::And(vec![no(), yes(), yes()]), false),
        (Condition::And(vec![yes()]), true),
        (Condition::Or(vec![no(), yes()]), true),
        (Condition::Or(vec![no(), no()]), false),
        (Condition::Or(vec![no()]), false),
        (Condition::Or(vec![no(), no(), yes()]), true),
    ];
    judge(store, fields! { a: 1 }, cases).await;
}

/// Not negates a condition, also on a missing value.
pub async fn not_turns_around(store: &dyn Store) {
    let cases = vec![
        (not(equal("a", 1)), false),
        (not(equal("a", 2)), true),
        (not(not(equal("a", 1))), true),
        (not(equal("x", 1)), true),
        (not(compare("x", Less, 1)), true),
        (not(compare("x", NotEqual, 1)), false),
        (not(exists("a")), false),
        (not(begins_with("x", "a")), true),
    ];
    judge(store, fields! { a: 1 }, cases).await;
}

/// Nested conditions are evaluated first, regardless of operator precedence.
pub async fn nesting_is_kept(store: &dyn Store) {
    let (yes, no) = (|| equal("a", 1), || equal("a", 2));
    let or = |a, b| Condition::Or(vec![a, b]);
    let and = |a, b| Condition::And(vec![a, b]);
    let cases = vec![
        (and(or(yes(), no()), no()), false),
        (or(yes(), and(no(), no())), true),
        (not(or(yes(), no())), false),
        (not(and(yes(), no())), true),
        (and(not(no()), or(no(), yes())), true),
        (or(not(yes()), and(yes(), not(no()))), true),
        (and(not(and(yes(), yes())), yes()), false),
    ];
    judge(store, fields! { a: 1 }, cases).await;
}

/// A combination of one condition equals that condition, at any depth.
pub async fn combinations_of_one_are_that_one(store: &dyn Store) {
    let (and, or) = (|one| Condition::And(vec![one]), |one| Condition::Or(vec![one]));
    let cases = vec![
        (or(and(equal("a", 1))), true),
        (not(and(or(equal("a", 1)))), false),
        (Condition::And(vec![or(and(equal("a", 1))), and(or(equal("a", 2)))]), false),
        (Condition::Or(vec![and(Condition::Or(vec![equal("a", 2), equal("a", 1)])), equal("a", 3)]), true),
    ];
    judge(store, fields! { a: 1 }, cases).await;
}

/// Several guards must all hold, also if one is an `or`.
pub async fn guards_hold_together(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { a: 1 });
    write(store, &table, put(thing.clone())).await;
    let either = Condition::Or(vec![equal("a", 1), equal("a", 2)]);
    let guarded = when(when(update("p", "s", [set("b", 1)]), either), equal("a", 2));
    failed_on(store.write(&table, guarded).await, Some(&thing));
    assert_eq!(read(store, &table, "p", "s").await, Some(thing));
}

/// Conditions on a missing item are evaluated without attributes.
pub async fn of_a_missing_item_are_answered(store: &dyn Store) {
    let table = fresh(store).await;
    for condition in [absent("a"), compare("a", NotEqual, 1), not(exists("PK")), not(contains("a", "x"))] {
        let answer = store.write(&table, when(delete("p", "s"), condition.clone())).await;
        assert!(matches!(answer, Ok(None)), "{condition:?} got {answer:?}");
    }
    for condition in
        [exists("a"), equal("a", 1), size("a", Equal, 0), between("a", 1, 2), begins_with("a", "x")]
    {
        failed_on(store.write(&table, when(delete("p", "s"), condition)).await, None);
    }
    assert_eq!(contents(store, &table).await, []);
}

/// A failed condition reports the whole item.
pub async fn that_fail_report_the_whole_item(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item(
        "p",
        "s",
        fields! { n: number("1.10"), s: texts(&["a", "b"]), m: map(fields! { l: counts(&[1]) }), b: bytes(b"\x00") },
    );
    write(store, &table, put(thing.clone())).await;
    for refused in [delete("p", "s"), put(item("p", "s", fields! {})), update("p", "s", [set("a", 1)])] {
        let failed = failed(store.write(&table, when(refused, absent("PK"))).await);
        assert_eq!((failed.len(), failed[0].index, failed[0].item.as_ref()), (1, 0, Some(&thing)));
    }
}
