//! What conditions mean, as the guard of a write and as the filter of a query.

use hansang_core::plan::{Comparison, Condition, Operand, Query};
use hansang_core::{Item, Store, Value};

use crate::expect::{contents, failed, failed_on, read, write};
use crate::fields;
use crate::plans::{
    absent, blobs, bytes, compare, counts, delete, equal, exists, item, list, map, not, number, numbers,
    path, put, query, set, size, texts, update, when,
};
use crate::table::fresh;

use Comparison::{AtLeast, AtMost, Equal, Greater, Less, NotEqual};

/// Asks every condition of one item, as a guard and as a filter: both must say the same.
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

/// DynamoDB takes no key attribute in a filter.
fn condition_on_key(condition: &Condition) -> bool {
    format!("{condition:?}").contains("root: \"PK\"")
}

fn between(at: &str, from: impl Into<Value>, to: impl Into<Value>) -> Condition {
    Condition::Between(Operand::Path(path(at)), from.into(), to.into())
}

fn one_of<const N: usize>(at: &str, values: [Value; N]) -> Condition {
    Condition::In(Operand::Path(path(at)), values.into())
}

fn begins_with(at: &str, prefix: impl Into<Value>) -> Condition {
    Condition::BeginsWith(path(at), prefix.into())
}

fn contains(at: &str, part: impl Into<Value>) -> Condition {
    Condition::Contains(path(at), part.into())
}

/// A value that is there exists, whatever it is.
pub async fn exists_holds_for_every_value(store: &dyn Store) {
    let thing = fields! { a: 1, null: Value::Null, no: false, list: counts(&[]), map: map(fields! {}) };
    let names = ["a", "null", "no", "list", "map", "PK"];
    judge(store, thing, names.map(|name| (exists(name), true)).into()).await;
}

/// Empty text and empty bytes are there, with a size of zero.
pub async fn empty_text_exists(store: &dyn Store) {
    let cases = ["t", "b"].into_iter().flat_map(|name| [(exists(name), true), (size(name, Equal, 0), true)]);
    judge(store, fields! { t: "", b: bytes(b"") }, cases.collect()).await;
}

/// What is not there does not exist, inside maps and lists as well.
pub async fn exists_fails_for_what_is_not_there(store: &dyn Store) {
    let thing = fields! { m: map(fields! { a: 1 }), l: counts(&[1]), t: "text" };
    let names = ["x", "m.b", "l[1]", "t.a", "t[0]", "x.y.z", "m.a.b", "l.a", "m[0]"];
    judge(store, thing, names.map(|name| (exists(name), false)).into()).await;
}

/// Paths lead into maps and lists.
pub async fn exists_follows_paths(store: &dyn Store) {
    let thing = fields! { m: map(fields! { a: list([counts(&[1]), map(fields! { b: 1 })]) }) };
    let names = ["m.a", "m.a[0]", "m.a[0][0]", "m.a[1].b"];
    judge(store, thing, names.map(|name| (exists(name), true)).into()).await;
}

/// Absence is the opposite of existence.
pub async fn absent_is_the_opposite_of_exists(store: &dyn Store) {
    let cases = [("a", false), ("null", false), ("x", true), ("m.a", false), ("m.b", true)];
    let thing = fields! { a: 1, null: Value::Null, m: map(fields! { a: 1 }) };
    judge(store, thing, cases.map(|(name, holds)| (absent(name), holds)).into()).await;
}

/// Equality compares values of every type.
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

/// A number never equals its text.
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

/// Lists are equal in order, maps and sets in any.
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

/// Nothing equals what is not there.
pub async fn equal_fails_for_what_is_not_there(store: &dyn Store) {
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

/// What is not there is different from every value.
pub async fn not_equal_holds_for_what_is_not_there(store: &dyn Store) {
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

/// Texts compare by their bytes: capitals first, a prefix before what is longer.
pub async fn order_of_texts(store: &dyn Store) {
    judge(store, fields! { a: "b" }, ordered("a", "B".into(), "b".into(), "ba".into())).await;
    judge(store, fields! { a: "10" }, ordered("a", "1".into(), "10".into(), "9".into())).await;
}

/// Texts of other scripts compare by their UTF-8 bytes, also beyond the basic plane.
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

/// A value of another type is neither more nor less.
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

/// What is not there is neither more nor less.
pub async fn order_never_holds_for_what_is_not_there(store: &dyn Store) {
    let cases = [Less, AtMost, Greater, AtLeast].map(|comparison| (compare("x", comparison, 0), false));
    judge(store, fields! { a: 1 }, cases.into()).await;
}

/// Both ends of a range belong to it.
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

/// A value of another type, or none, is in no range.
pub async fn between_fails_for_other_types(store: &dyn Store) {
    let cases =
        vec![(between("n", "0", "9"), false), (between("t", 0, 9), false), (between("x", 0, 9), false)];
    judge(store, fields! { n: 5, t: "5" }, cases).await;
}

/// One of the choices must be equal, in type as well.
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

/// There may be a hundred choices.
pub async fn in_takes_a_hundred_choices(store: &dyn Store) {
    let choices =
        |from: i64| Condition::In(Operand::Path(path("n")), (from..from + 100).map(Value::from).collect());
    judge(store, fields! { n: 99 }, vec![(choices(0), true), (choices(100), false)]).await;
}

/// Text begins with its prefixes, and with nothing else.
pub async fn begins_with_compares_texts(store: &dyn Store) {
    let cases = vec![
        (begins_with("t", "한"), true),
        (begins_with("t", "한상 one"), true),
        (begins_with("t", "한상 one table more"), false),
        (begins_with("t", "상"), false),
        (begins_with("t", "한상 One"), false),
        (begins_with("m.a", "x"), true),
        (begins_with("x", "a"), false),
    ];
    judge(store, fields! { t: "한상 one table", m: map(fields! { a: "xyz" }) }, cases).await;
}

/// Byte strings begin with bytes.
pub async fn begins_with_compares_bytes(store: &dyn Store) {
    let cases = vec![
        (begins_with("b", bytes(b"\x00\xff")), true),
        (begins_with("b", bytes(b"\xff")), false),
        (begins_with("b", bytes(b"\x00\xff\x01\x02")), false),
    ];
    judge(store, fields! { b: bytes(b"\x00\xff\x01") }, cases).await;
}

/// A value of another type begins with nothing.
pub async fn begins_with_fails_for_other_types(store: &dyn Store) {
    let thing = fields! { n: 12, b: bytes(b"ab"), l: list(["a".into()]), s: texts(&["a"]) };
    let cases = ["n", "b", "l", "s"].map(|name| (begins_with(name, "a"), false));
    judge(store, thing, cases.into()).await;
}

/// Text contains its parts.
pub async fn contains_finds_a_part_of_a_text(store: &dyn Store) {
    let cases = vec![
        (contains("t", "one"), true),
        (contains("t", "상 o"), true),
        (contains("t", "한상 one"), true),
        (contains("t", "One"), false),
        (contains("t", "ones"), false),
        (contains("m.a", "y"), true),
    ];
    judge(store, fields! { t: "한상 one", m: map(fields! { a: "xyz" }) }, cases).await;
}

/// Byte strings contain their parts.
pub async fn contains_finds_a_part_of_bytes(store: &dyn Store) {
    let cases = vec![(contains("b", bytes(b"\xff\x01")), true), (contains("b", bytes(b"\x00\x01")), false)];
    judge(store, fields! { b: bytes(b"\x00\xff\x01") }, cases).await;
}

/// Sets contain whole members of their own type.
pub async fn contains_finds_a_member_of_a_set(store: &dyn Store) {
    let cases = vec![
        (contains("s", "ab"), true),
        (contains("s", "a"), false),
        (contains("s", 1), false),
        (contains("n", number("1.50")), true),
        (contains("n", 1), false),
        (contains("n", "1.5"), false),
        (contains("b", bytes(b"ab")), true),
        (contains("b", bytes(b"a")), false),
    ];
    judge(store, fields! { s: texts(&["ab", "c"]), n: numbers(&["1.5", "2"]), b: blobs(&[b"ab"]) }, cases)
        .await;
}

/// Lists contain equal elements of any type.
pub async fn contains_finds_an_element_of_a_list(store: &dyn Store) {
    let cases = vec![
        (contains("l", 1), true),
        (contains("l", number("1.0")), true),
        (contains("l", "two"), true),
        (contains("l", "tw"), false),
        (contains("l", "1"), false),
        (contains("l", true), true),
        (contains("l", false), false),
        (contains("l", Value::Null), true),
        (contains("l[4]", "inner"), true),
    ];
    let thing =
        fields! { l: list([1.into(), "two".into(), true.into(), Value::Null, list(["inner".into()])]) };
    judge(store, thing, cases).await;
}

/// Nothing else contains anything.
pub async fn contains_fails_for_other_types(store: &dyn Store) {
    let thing = fields! { n: 12, m: map(fields! { a: "a" }), yes: true, null: Value::Null };
    let cases = ["n", "m", "yes", "null", "x"].map(|name| (contains(name, "a"), false));
    judge(store, thing, cases.into()).await;
}

/// The size of text and bytes is their length; of lists, maps and sets what is in them.
pub async fn size_counts(store: &dyn Store) {
    let thing = fields! {
        t: "four", b: bytes(b"\x00\x01\x02"), l: counts(&[1, 2]), m: map(fields! { a: 1, b: counts(&[1, 2, 3]) }),
        ss: texts(&["aa", "b", "c"]), ns: numbers(&["10", "20"]), bs: blobs(&[b"abc"]), none: counts(&[])
    };
    let sizes =
        [("t", 4), ("b", 3), ("l", 2), ("m", 2), ("ss", 3), ("ns", 2), ("bs", 1), ("none", 0), ("m.b", 3)];
    let mut cases = Vec::new();
    for (name, length) in sizes {
        cases.push((size(name, Equal, length), true));
        cases.push((size(name, NotEqual, length), false));
        cases.push((size(name, Less, length + 1), true));
        cases.push((size(name, Greater, length), false));
        cases.push((size(name, AtLeast, length), true));
        cases.push((size(name, AtMost, length - 1), false));
    }
    judge(store, thing, cases).await;
}

/// A size can be in a range or among choices.
pub async fn size_can_be_in_a_range(store: &dyn Store) {
    let range = |from: i64, to: i64| Condition::Between(Operand::Size(path("t")), from.into(), to.into());
    let choices = |values: [i64; 2]| Condition::In(Operand::Size(path("t")), values.map(Value::from).into());
    let cases =
        vec![(range(1, 4), true), (range(5, 9), false), (choices([3, 4]), true), (choices([3, 5]), false)];
    judge(store, fields! { t: "four" }, cases).await;
}

/// What is not there has no size, not even zero.
pub async fn size_of_what_is_not_there_is_nothing(store: &dyn Store) {
    let cases = [Equal, Less, AtMost, Greater, AtLeast].map(|comparison| (size("x", comparison, 0), false));
    judge(store, fields! { a: 1 }, cases.into()).await;
}

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

/// A value may stand on the left.
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

/// Not turns a condition around, also one on what is not there.
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

/// What is inside is decided first, whatever binds more strongly otherwise.
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

/// A combination of one is that one, however deep it stands.
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

/// Several guards hold together, also when one is a choice of conditions.
pub async fn guards_hold_together(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { a: 1 });
    write(store, &table, put(thing.clone())).await;
    let either = Condition::Or(vec![equal("a", 1), equal("a", 2)]);
    let guarded = when(when(update("p", "s", [set("b", 1)]), either), equal("a", 2));
    failed_on(store.write(&table, guarded).await, Some(&thing));
    assert_eq!(read(store, &table, "p", "s").await, Some(thing));
}

/// A missing item has no attributes: conditions on it are answered, not errors.
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

/// The item that a failed condition reports has every attribute, whole.
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
