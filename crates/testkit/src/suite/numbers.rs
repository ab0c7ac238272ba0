//! Numbers: exact decimals of 38 digits, never floats.

use hansang_core::Store;

use super::conditions::judge;
use super::update::{becomes, stays};
use crate::expect::{read, write};
use crate::fields;
use crate::plans::{add, equal, item, list, map, number, numbers, put};
use crate::table::fresh;

async fn comes_back(store: &dyn Store, texts: &[&str]) {
    let table = fresh(store).await;
    for text in texts {
        let thing = item("p", "s", fields! { n: number(text), l: list([number(text)]), s: numbers(&[text]) });
        write(store, &table, put(thing.clone())).await;
        assert_eq!(read(store, &table, "p", "s").await, Some(thing), "{text}");
    }
}

/// Integers round-trip, beyond 64 bits and floats.
pub async fn keep_whole_numbers(store: &dyn Store) {
    comes_back(store, &["0", "1", "-1", "9007199254740993", "18446744073709551617", "-9223372036854775809"])
        .await;
}

/// 38 digits round-trip, on both sides of the point.
pub async fn keep_thirty_eight_digits(store: &dyn Store) {
    comes_back(
        store,
        &[
            "12345678901234567890123456789012345678",
            "-99999999999999999999999999999999999999",
            "1234567890123456789.0123456789012345678",
            "0.12345678901234567890123456789012345678",
            "-0.00000000000000000000012345678901234567890123456789012345678",
        ],
    )
    .await;
}

/// The largest numbers round-trip.
pub async fn keep_the_largest(store: &dyn Store) {
    let largest = "9.9999999999999999999999999999999999999E125";
    comes_back(store, &[largest, "-9.9999999999999999999999999999999999999E125", "1E125", "1E37", "1E38"])
        .await;
}

/// The smallest numbers round-trip.
pub async fn keep_the_smallest(store: &dyn Store) {
    comes_back(store, &["1E-130", "-1E-130", "1.2345E-126", "1E-38"]).await;
}

/// Decimal fractions round-trip exactly.
pub async fn keep_fractions(store: &dyn Store) {
    comes_back(store, &["0.1", "0.3", "-2.5", "3.14159265358979323846264338327950288", "100.001"]).await;
}

/// All notations of a number are one value.
pub async fn are_equal_in_every_spelling(store: &dyn Store) {
    let cases = ["1", "1.0", "1.000", "10E-1", "0.1E1"].map(|text| (equal("n", number(text)), true));
    judge(store, fields! { n: 1 }, cases.into()).await;
    let cases = ["100", "1E2", "1e+2", "0.1E3"].map(|text| (equal("n", number(text)), true));
    judge(store, fields! { n: number("1.00E2") }, cases.into()).await;
}

/// Zero has no sign.
pub async fn have_one_zero(store: &dyn Store) {
    let cases = ["0", "-0", "0.00", "-0E10"].map(|text| (equal("n", number(text)), true));
    judge(store, fields! { n: number("-0.0") }, cases.into()).await;
    becomes(store, fields! { n: 5 }, [add("n", "-5")], fields! { n: 0 }).await;
}

/// Numbers that differ in their last digit differ.
pub async fn differ_in_the_last_digit(store: &dyn Store) {
    let cases = vec![
        (equal("n", number("12345678901234567890123456789012345678")), true),
        (equal("n", number("12345678901234567890123456789012345679")), false),
        (equal("n", number("12345678901234567890123456789012345680")), false),
    ];
    judge(store, fields! { n: number("12345678901234567890123456789012345678") }, cases).await;
}

/// A set of numbers has every number once.
pub async fn stand_once_in_a_set(store: &dyn Store) {
    let cases = vec![
        (equal("s", numbers(&["1.0", "2", "3.50"])), true),
        (equal("s", numbers(&["1", "2", "3.5", "4"])), false),
    ];
    judge(store, fields! { s: numbers(&["3.5", "2.00", "1", "1.0"]) }, cases).await;
}

/// Sums are exact where a float would not be.
pub async fn add_up_exactly(store: &dyn Store) {
    let before = fields! { a: number("9007199254740993"), b: number("0.7"), c: number("1E20") };
    let after =
        fields! { a: number("9007199254740994"), b: number("0.8"), c: number("100000000000000000000.01") };
    becomes(store, before, [add("a", "1"), add("b", "0.1"), add("c", "0.01")], after).await;
}

/// A sum may lose digits at its end when they become zeros.
pub async fn add_up_to_round_numbers(store: &dyn Store) {
    let nines = "99999999999999999999999999999999999999";
    becomes(store, fields! { n: number(nines) }, [add("n", "1")], fields! { n: number("1E38") }).await;
    becomes(store, fields! { n: number("0.999") }, [add("n", "0.001")], fields! { n: 1 }).await;
}

/// A sum that needs more than 38 digits is refused, not rounded.
pub async fn refuse_a_sum_of_more_digits(store: &dyn Store) {
    stays(store, fields! { n: number("1E38") }, [add("n", "0.1")], "number_out_of_range").await;
    stays(
        store,
        fields! { m: map(fields! { n: number("1E100") }) },
        [add("m.n", "1")],
        "number_out_of_range",
    )
    .await;
}
