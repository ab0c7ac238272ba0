//! Changes relative to the stored value: numbers, lists, sets.

use hansang_core::{Store, Value};

use super::update::{becomes, stays};
use crate::fields;
use crate::plans::{
    add, add_members, append, blobs, counts, delete_members, list, map, number, numbers, remove, texts,
};

/// A number grows.
pub async fn adds_to_a_number(store: &dyn Store) {
    becomes(store, fields! { n: 40 }, [add("n", "2")], fields! { n: 42 }).await;
}

/// A negative number subtracts, below zero too.
pub async fn adds_a_negative_number(store: &dyn Store) {
    becomes(store, fields! { n: 3, m: 3 }, [add("n", "-5"), add("m", "-3")], fields! { n: -2, m: 0 }).await;
}

/// A missing number counts as zero.
pub async fn adds_to_nothing(store: &dyn Store) {
    becomes(store, fields! {}, [add("n", "-7.5")], fields! { n: number("-7.5") }).await;
}

/// Sums are decimal: a tenth and two tenths are three.
pub async fn adds_fractions_exactly(store: &dyn Store) {
    becomes(store, fields! { n: number("0.1") }, [add("n", "0.2")], fields! { n: number("0.3") }).await;
}

/// All 38 digits of a sum are right.
pub async fn adds_all_digits(store: &dyn Store) {
    let before = fields! { n: number("12345678901234567890123456789012345677") };
    becomes(store, before, [add("n", "1")], fields! { n: number("12345678901234567890123456789012345678") })
        .await;
}

/// A number inside a map grows.
pub async fn adds_inside_a_map(store: &dyn Store) {
    let before = fields! { m: map(fields! { n: 1 }) };
    becomes(store, before, [add("m.n", "1"), add("m.k", "5")], fields! { m: map(fields! { n: 2, k: 5 }) })
        .await;
}

/// Only a number can grow.
pub async fn refuses_to_add_to_another_type(store: &dyn Store) {
    for wrong in ["1".into(), true.into(), counts(&[1]), Value::Null, numbers(&["1"])] {
        stays(store, fields! { a: wrong }, [add("a", "1")], "wrong_type").await;
    }
}

/// A sum beyond the largest number is refused.
pub async fn refuses_a_sum_out_of_range(store: &dyn Store) {
    stays(store, fields! { n: number("9E125") }, [add("n", "9E125")], "number_out_of_range").await;
}

/// A list is appended to in order.
pub async fn appends_to_a_list(store: &dyn Store) {
    let changes = [append("l", [2.into(), 3.into()])];
    becomes(store, fields! { l: counts(&[1]) }, changes, fields! { l: counts(&[1, 2, 3]) }).await;
}

/// A missing list counts as empty.
pub async fn appends_to_nothing(store: &dyn Store) {
    becomes(store, fields! {}, [append("l", ["a".into()])], fields! { l: list(["a".into()]) }).await;
}

/// An empty list can be appended to, with elements of any type.
pub async fn appends_any_type(store: &dyn Store) {
    let more = || [Value::Null, "a".into(), map(fields! { b: 1 }), counts(&[1])];
    becomes(store, fields! { l: counts(&[]) }, [append("l", more())], fields! { l: list(more()) }).await;
}

/// A list inside a map is appended to.
pub async fn appends_inside_a_map(store: &dyn Store) {
    let before = fields! { m: map(fields! { l: counts(&[1]) }) };
    let after = fields! { m: map(fields! { l: counts(&[1, 2]) }) };
    becomes(store, before, [append("m.l", [2.into()])], after).await;
}

/// Only a list can be appended to.
pub async fn refuses_to_append_to_another_type(store: &dyn Store) {
    for wrong in ["text".into(), 1.into(), texts(&["a"]), map(fields! {})] {
        stays(store, fields! { a: wrong }, [append("a", [1.into()])], "wrong_type").await;
    }
}

/// Texts are added to a set; duplicates have no effect.
pub async fn adds_texts_to_a_set(store: &dyn Store) {
    let changes = [add_members("s", texts(&["b", "c"]))];
    becomes(store, fields! { s: texts(&["a", "b"]) }, changes, fields! { s: texts(&["a", "b", "c"]) }).await;
}

/// Numbers are added to a set; equal numbers are one member in any notation.
pub async fn adds_numbers_to_a_set(store: &dyn Store) {
    let changes = [add_members("s", numbers(&["1.0", "2.5"]))];
    becomes(store, fields! { s: numbers(&["1"]) }, changes, fields! { s: numbers(&["1", "2.5"]) }).await;
}

/// Byte strings are added to a set.
pub async fn adds_bytes_to_a_set(store: &dyn Store) {
    let changes = [add_members("s", blobs(&[b"\x00", b"\xff"]))];
    becomes(store, fields! { s: blobs(&[b"\x00"]) }, changes, fields! { s: blobs(&[b"\x00", b"\xff"]) })
        .await;
}

/// A missing set counts as empty.
pub async fn adds_members_to_nothing(store: &dyn Store) {
    becomes(store, fields! {}, [add_members("s", texts(&["a"]))], fields! { s: texts(&["a"]) }).await;
}

/// Texts are deleted from a set; missing ones have no effect.
pub async fn deletes_texts_from_a_set(store: &dyn Store) {
    let changes = [delete_members("s", texts(&["a", "z"]))];
    becomes(store, fields! { s: texts(&["a", "b"]) }, changes, fields! { s: texts(&["b"]) }).await;
}

/// Numbers are deleted from a set, in any notation.
pub async fn deletes_numbers_from_a_set(store: &dyn Store) {
    let changes = [delete_members("s", numbers(&["1.00"]))];
    becomes(store, fields! { s: numbers(&["1", "2"]) }, changes, fields! { s: numbers(&["2"]) }).await;
}

/// Byte strings are deleted from a set.
pub async fn deletes_bytes_from_a_set(store: &dyn Store) {
    let changes = [delete_members("s", blobs(&[b"a"]))];
    becomes(store, fields! { s: blobs(&[b"a", b"b"]) }, changes, fields! { s: blobs(&[b"b"]) }).await;
}

/// Deleting the last member removes the attribute.
pub async fn removes_a_set_with_its_last_member(store: &dyn Store) {
    let before = fields! { s: texts(&["a"]), n: numbers(&["1", "2"]), b: blobs(&[b"a"]), other: 1 };
    let changes = [
        delete_members("s", texts(&["a"])),
        delete_members("n", numbers(&["1", "2", "3"])),
        delete_members("b", blobs(&[b"a"])),
    ];
    becomes(store, before, changes, fields! { other: 1 }).await;
}

/// Deleting members of a missing set has no effect.
pub async fn deletes_members_from_nothing(store: &dyn Store) {
    becomes(store, fields! { a: 1 }, [delete_members("s", texts(&["a"]))], fields! { a: 1 }).await;
}

/// Deleting members along an invalid path is refused.
pub async fn refuses_to_delete_members_at_an_invalid_path(store: &dyn Store) {
    stays(store, fields! { a: 1 }, [delete_members("m.s", texts(&["a"]))], "no_such_path").await;
    stays(store, fields! { a: 1 }, [delete_members("a.s", texts(&["a"]))], "no_such_path").await;
    let before = || fields! { m: map(fields! { a: 1 }) };
    becomes(store, before(), [delete_members("m.s", texts(&["a"]))], before()).await;
}

/// Members are added only to a set of their type.
pub async fn refuses_members_of_another_type(store: &dyn Store) {
    let wrong = || fields! { s: texts(&["1"]), n: 1, l: counts(&[1]) };
    stays(store, wrong(), [add_members("s", numbers(&["1"]))], "wrong_type").await;
    stays(store, wrong(), [add_members("n", numbers(&["1"]))], "wrong_type").await;
    stays(store, wrong(), [delete_members("s", numbers(&["1"]))], "wrong_type").await;
    stays(store, wrong(), [delete_members("l", texts(&["1"]))], "wrong_type").await;
}

/// Two changes of different kinds build on the item before, not on each other.
pub async fn builds_on_the_item_before(store: &dyn Store) {
    let before = fields! { l: counts(&[1, 2]), m: counts(&[1]), n: 5 };
    let changes = [remove("l[0]"), append("m", [2.into()]), add("n", "1")];
    becomes(store, before, changes, fields! { l: counts(&[2]), m: counts(&[1, 2]), n: 6 }).await;
}
