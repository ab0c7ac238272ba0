//! Conditions on prefixes, parts and sizes.

use hansang_core::plan::{Comparison, Condition, Operand};
use hansang_core::{Store, Value};

use super::conditions::judge;
use crate::fields;
use crate::plans::{blobs, bytes, counts, exists, list, map, number, numbers, path, size, texts};

use Comparison::{AtLeast, AtMost, Equal, Greater, Less, NotEqual};

pub(super) fn begins_with(at: &str, prefix: impl Into<Value>) -> Condition {
    Condition::BeginsWith(path(at), prefix.into())
}

pub(super) fn contains(at: &str, part: impl Into<Value>) -> Condition {
    Condition::Contains(path(at), part.into())
}

/// Empty text and empty bytes exist with size zero.
pub async fn empty_text_exists(store: &dyn Store) {
    let cases = ["t", "b"].into_iter().flat_map(|name| [(exists(name), true), (size(name, Equal, 0), true)]);
    judge(store, fields! { t: "", b: bytes(b"") }, cases.collect()).await;
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

/// Other types begin with nothing.
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

/// Other types contain nothing.
pub async fn contains_fails_for_other_types(store: &dyn Store) {
    let thing = fields! { n: 12, m: map(fields! { a: "a" }), yes: true, null: Value::Null };
    let cases = ["n", "m", "yes", "null", "x"].map(|name| (contains(name, "a"), false));
    judge(store, thing, cases.into()).await;
}

/// The size of text and bytes is their length; that of collections the number of elements.
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

/// The size of text is its length in UTF-16 code units: a character outside of the basic plane counts twice.
pub async fn size_of_text_counts_utf16_units(store: &dyn Store) {
    let thing = fields! { basic: "한글é", emoji: "😀a" };
    let cases = vec![
        (size("basic", Equal, 3), true),
        (size("emoji", Equal, 3), true),
        (size("emoji", Equal, 2), false),
        (size("emoji", Equal, 5), false),
    ];
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

/// A missing value has no size.
pub async fn size_of_a_missing_value_never_holds(store: &dyn Store) {
    let cases = [Equal, Less, AtMost, Greater, AtLeast].map(|comparison| (size("x", comparison, 0), false));
    judge(store, fields! { a: 1 }, cases.into()).await;
}
