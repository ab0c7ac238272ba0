//! Conditions as guards of writes and filters of queries.

use hansang_core::plan::{Comparison, Condition, Operand, Query};
use hansang_core::{Item, Store, Value};

use crate::expect::{failed_on, write};
use crate::fields;
use crate::plans::{
    absent, blobs, bytes, compare, counts, equal, exists, item, list, map, number, numbers, path, put, query,
    texts, when,
};
use crate::table::fresh;

use Comparison::{AtLeast, AtMost, Greater, Less, NotEqual};

/// Evaluates every condition on one item, as a guard and as a filter: both must agree.
pub(super) async fn judge(store: &dyn Store, fields: Item, cases: Vec<(Condition, bool)>) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields);
    write(store, &table, put(thing.clone())).await;
    for (condition, holds) in cases {
        let answer = store.write(&table, when(put(thing.clone()), condition.clone())).await;
        if holds {
            assert!(answer.is_ok(), "as a guard: {condition:?} got {answer:?}");
        } else {
            assert!(answer.is_err(), "as a guard: {condition:?} held");
            failed_on(answer, Some(&thing));
        }
        if condition_on_key(&condition) {
            continue;
        }
        let page =
            store.query(&table, &Query { filter: Some(condition.clone()), ..query("p") }).await.unwrap();
        assert_eq!(page.items.len(), usize::from(holds), "as a filter: {condition:?}");
    }
}

/// DynamoDB refuses key attributes in a filter.
fn condition_on_key(condition: &Condition) -> bool {
    format!("{condition:?}").contains("root: \"PK\"")
}

pub(super) fn between(at: &str, from: impl Into<Value>, to: impl Into<Value>) -> Condition {
    Condition::Between(Operand::Path(path(at)), from.into(), to.into())
}

fn one_of<const N: usize>(at: &str, values: [Value; N]) -> Condition {
    Condition::In(Operand::Path(path(at)), values.into())
}

/// Exists holds for every value.
pub async fn exists_holds_for_every_value(store: &dyn Store) {
    let thing = fields! { a: 1, null: Value::Null, no: false, list: counts(&[]), map: map(fields! {}) };
    let names = ["a", "null", "no", "list", "map", "PK"];
    judge(store, thing, names.map(|name| (exists(name), true)).into()).await;
}

/// Exists fails for a missing value, also inside maps and lists.
pub async fn exists_fails_for_a_missing_value(store: &dyn Store) {
    let thing = fields! { m: map(fields! { a: 1 }), l: counts(&[1]), t: "text" };
    let names = ["x", "m.b", "l[1]", "t.a", "t[0]", "x.y.z", "m.a.b", "l.a", "m[0]"];
    judge(store, thing, names.map(|name| (exists(name), false)).into()).await;
}

/// Paths follow maps and lists.
pub async fn exists_follows_paths(store: &dyn Store) {
    let thing = fields! { m: map(fields! { a: list([counts(&[1]), map(fields! { b: 1 })]) }) };
    let names = ["m.a", "m.a[0]", "m.a[0][0]", "m.a[1].b"];
    judge(store, thing, names.map(|name| (exists(name), true)).into()).await;
}

/// Absent is the opposite of exists.
pub async fn absent_is_the_opposite_of_exists(store: &dyn Store) {
    let cases = [("a", false), ("null", false), ("x", true), ("m.a", false), ("m.b", true)];
    let thing = fields! { a: 1, null: Value::Null, m: map(fields! { a: 1 }) };
    judge(store, thing, cases.map(|(name, holds)| (absent(name), holds)).into()).await;
}

/// Equal compares values of every type.
pub async fn equal_compares_every_type(store: &dyn Store) {
    let values = [
        Value::from("text"),
        number("1.50"),
        bytes(b"\x00\xff"),
        true.into(),
        Value::Null,
        list([1.into(), "a".into()]),
        map(fields! { a: 1, b: counts(&[2]) }),
        texts(&["b", "a"]),
        numbers(&["2", "1"]),
        blobs(&[b"b", b"a"]),
    ];
    let thing: Item =
        values.iter().enumerate().map(|(n, value)| (format!("v{n}").into(), value.clone())).collect();
    let mut cases = Vec::new();
    for (mine, value) in values.iter().enumerate() {
        for other in 0..values.len() {
            cases.push((equal(&format!("v{other}"), value.clone()), mine == other));
        }
    }
    judge(store, thing, cases).await;
}

/// A number never equals a text.
pub async fn equal_tells_types_apart(store: &dyn Store) {
    let thing = fields! { n: 1, t: "1", s: texts(&["1"]), b: bytes(b"1"), yes: true };
    let cases = vec![
        (equal("n", "1"), false),
        (equal("t", 1), false),
        (equal("s", "1"), false),
        (equal("s", numbers(&["1"])), false),
        (equal("b", "1"), false),
        (equal("yes", 1), false),
        (equal("yes", "true"), false),
    ];
    judge(store, thing, cases).await;
}

/// Lists are equal in order, maps and sets in any order.
pub async fn equal_looks_inside(store: &dyn Store) {
    let thing = fields! { l: counts(&[1, 2]), m: map(fields! { a: 1 }), s: texts(&["a", "b"]) };
    let cases = vec![
        (equal("l", counts(&[2, 1])), false),
        (equal("l", counts(&[1])), false),
        (equal("l", counts(&[1, 2, 3])), false),
        (equal("m", map(fields! { a: 2 })), false),
        (equal("m", map(fields! {})), false),
        (equal("m", map(fields! { a: 1, b: 1 })), false),
        (equal("s", texts(&["a"])), false),
        (equal("s", texts(&["b", "a"])), true),
    ];
    judge(store, thing, cases).await;
}

/// A missing value equals nothing.
pub async fn equal_fails_for_a_missing_value(store: &dyn Store) {
    let cases = vec![(equal("x", 1), false), (equal("x", Value::Null), false), (equal("m.x", "a"), false)];
    judge(store, fields! { m: map(fields! {}) }, cases).await;
}

/// A value of another type is not equal.
pub async fn not_equal_holds_across_types(store: &dyn Store) {
    let cases = vec![
        (compare("a", NotEqual, 1), false),
        (compare("a", NotEqual, 2), true),
        (compare("a", NotEqual, "1"), true),
        (compare("a", NotEqual, Value::Null), true),
    ];
    judge(store, fields! { a: 1 }, cases).await;
}

/// A missing value differs from every value.
pub async fn not_equal_holds_for_a_missing_value(store: &dyn Store) {
    let cases = vec![(compare("x", NotEqual, 1), true), (compare("a.x", NotEqual, Value::Null), true)];
    judge(store, fields! { a: 1 }, cases).await;
}

fn ordered(at: &str, below: Value, same: Value, above: Value) -> Vec<(Condition, bool)> {
    let case = |comparison, value: &Value, holds| (compare(at, comparison, value.clone()), holds);
    vec![
        case(Less, &below, false),
        case(Less, &same, false),
        case(Less, &above, true),
        case(AtMost, &below, false),
        case(AtMost, &same, true),
        case(AtMost, &above, true),
        case(Greater, &below, true),
        case(Greater, &same, false),
        case(Greater, &above, false),
        case(AtLeast, &below, true),
        case(AtLeast, &same, true),
        case(AtLeast, &above, false),
    ]
}

/// Numbers compare by value.
pub async fn order_of_numbers(store: &dyn Store) {
    judge(store, fields! { a: 10 }, ordered("a", 9.into(), number("10.0"), number("10.01"))).await;
    judge(store, fields! { a: -10 }, ordered("a", number("-11"), number("-1E1"), number("-9.9"))).await;
}

/// Texts compare by bytes: capitals first, prefixes before longer texts.
pub async fn order_of_texts(store: &dyn Store) {
    judge(store, fields! { a: "b" }, ordered("a", "B".into(), "b".into(), "ba".into())).await;
    judge(store, fields! { a: "10" }, ordered("a", "1".into(), "10".into(), "9".into())).await;
}

/// Texts of other scripts compare by UTF-8 bytes, also beyond the basic plane.
pub async fn order_of_unicode_texts(store: &dyn Store) {
    judge(store, fields! { a: "\u{ffff}" }, ordered("a", "가".into(), "\u{ffff}".into(), "\u{10000}".into()))
        .await;
}

/// Byte strings compare as unsigned bytes.
pub async fn order_of_bytes(store: &dyn Store) {
    judge(
        store,
        fields! { a: bytes(b"\x80") },
        ordered("a", bytes(b"\x7f\xff"), bytes(b"\x80"), bytes(b"\x80\x00")),
    )
    .await;
}

/// Values of different types have no order.
pub async fn order_never_holds_across_types(store: &dyn Store) {
    let mut cases = Vec::new();
    for comparison in [Less, AtMost, Greater, AtLeast] {
        cases.extend([(compare("n", comparison, "5"), false), (compare("t", comparison, 5), false)]);
        cases
            .extend([(compare("n", comparison, bytes(b"5")), false), (compare("yes", comparison, 0), false)]);
        cases.extend([(compare("null", comparison, 0), false), (compare("s", comparison, "a"), false)]);
    }
    judge(store, fields! { n: 5, t: "5", yes: true, null: Value::Null, s: texts(&["a"]) }, cases).await;
}

/// A missing value has no order.
pub async fn order_never_holds_for_a_missing_value(store: &dyn Store) {
    let cases = [Less, AtMost, Greater, AtLeast].map(|comparison| (compare("x", comparison, 0), false));
    judge(store, fields! { a: 1 }, cases.into()).await;
}

/// Ranges include both ends.
pub async fn between_includes_its_ends(store: &dyn Store) {
    let cases = vec![
        (between("n", 5, 7), true),
        (between("n", 3, 5), true),
        (between("n", 5, 5), true),
        (between("n", 6, 7), false),
        (between("n", number("4.9"), number("5.1")), true),
        (between("t", "l", "n"), true),
        (between("t", "m", "m"), true),
        (between("t", "ma", "n"), false),
        (between("b", bytes(b"\x00"), bytes(b"\x10")), true),
        (between("b", bytes(b"\x10\x00"), bytes(b"\xff")), false),
    ];
    judge(store, fields! { n: 5, t: "m", b: bytes(b"\x10") }, cases).await;
}

/// A missing value, or one of another type, is in no range.
pub async fn between_fails_for_other_types(store: &dyn Store) {
    let cases =
        vec![(between("n", "0", "9"), false), (between("t", 0, 9), false), (between("x", 0, 9), false)];
    judge(store, fields! { n: 5, t: "5" }, cases).await;
}

/// In requires a choice that is equal, in type too.
pub async fn in_needs_an_equal_choice(store: &dyn Store) {
    let cases = vec![
        (one_of("n", [1.into(), 5.into()]), true),
        (one_of("n", [number("5.0")]), true),
        (one_of("n", ["5".into(), 6.into()]), false),
        (one_of("t", ["a".into(), "b".into(), "open".into()]), true),
        (one_of("t", ["ope".into()]), false),
        (one_of("m.a", [true.into()]), true),
        (one_of("x", [1.into()]), false),
    ];
    judge(store, fields! { n: 5, t: "open", m: map(fields! { a: true }) }, cases).await;
}

/// In takes a hundred choices.
pub async fn in_takes_a_hundred_choices(store: &dyn Store) {
    let choices =
        |from: i64| Condition::In(Operand::Path(path("n")), (from..from + 100).map(Value::from).collect());
    judge(store, fields! { n: 99 }, vec![(choices(0), true), (choices(100), false)]).await;
}
