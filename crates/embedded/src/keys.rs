//! Encodes keys as bytes that sort like the values.
//!
//! An item is stored under `pk 00 00 sk`, so that a partition is one range in the order of its sort keys. An
//! index entry is `slot, pk, sk, item key` without a value: the item is read from the table in the same
//! snapshot.

use std::ops::Bound;

use hansang_core::model::{Index, Table};
use hansang_core::number::Number;
use hansang_core::plan::{Key, Query, SortCondition};
use hansang_core::{Item, Name, Value, expiry};

/// Slot of the expiry entries.
pub(crate) const EXPIRY: u8 = 0;

/// A range of keys.
pub(crate) type Range = (Bound<Vec<u8>>, Bound<Vec<u8>>);

/// Encodes the key of an item.
pub(crate) fn of_item(key: &Key) -> Vec<u8> {
    let mut out = Vec::with_capacity(key.pk.len() + key.sk.len() + 2);
    put_text(&key.pk, &mut out);
    out.extend_from_slice(key.sk.as_bytes());
    out
}

/// Encodes the index entry of an item. Returns `None` if the item lacks a key of the index, or has one of the
/// wrong type because it is older than the index.
pub(crate) fn of_entry(slot: u8, index: &Index, item: &Item, item_key: &[u8]) -> Option<Vec<u8>> {
    let fitting = |name: &Name, numeric: bool| {
        item.get(name).filter(|value| match value {
            Value::N(_) => numeric,
            Value::S(text) => !numeric && !text.is_empty(),
            _ => false,
        })
    };
    let mut out = Vec::with_capacity(96 + item_key.len());
    out.push(slot);
    put_value(fitting(&index.pk, index.pk_numeric)?, &mut out);
    if let Some(sk) = &index.sk {
        put_value(fitting(sk, index.sk_numeric)?, &mut out);
    }
    out.extend_from_slice(item_key);
    Some(out)
}

/// Encodes the expiry entry of an item, if it expires.
pub(crate) fn of_expiry(table: &Table, item: &Item, item_key: &[u8]) -> Option<Vec<u8>> {
    let Value::N(second) = item.get(expiry::attribute(table)?)? else { return None };
    let mut out = Vec::with_capacity(20 + item_key.len());
    out.push(EXPIRY);
    put_number(*second, &mut out);
    out.extend_from_slice(item_key);
    Some(out)
}

/// Range of the expiry entries up to this second.
pub(crate) fn expired_until(second: i64) -> Range {
    let mut end = vec![EXPIRY];
    put_number(second.into(), &mut end);
    (Bound::Included(vec![EXPIRY]), after(end))
}

/// Returns the item key of an index entry.
pub(crate) fn item_of_entry<'e>(index: &Index, entry: &'e [u8]) -> Option<&'e [u8]> {
    let rest = skip(entry.get(1..)?, index.pk_numeric)?;
    if index.sk.is_some() { skip(rest, index.sk_numeric) } else { Some(rest) }
}

/// Returns the item key of an expiry entry.
pub(crate) fn item_of_expiry(entry: &[u8]) -> Option<&[u8]> {
    skip(entry.get(1..)?, true)
}

/// Range of all entries of a slot.
pub(crate) fn slot(slot: u8) -> Range {
    (Bound::Included(vec![slot]), after(vec![slot]))
}

/// Range of a query, in the table or in an index.
pub(crate) fn of_query(query: &Query, index: Option<(u8, &Index)>) -> Range {
    let mut partition = Vec::with_capacity(64);
    partition.extend(index.map(|(slot, _)| slot));
    put_value(&query.pk.1, &mut partition);
    let with = |value: &Value| {
        let mut out = partition.clone();
        match (index, value) {
            // The sort key of a table ends the key and needs no terminator.
            (None, Value::S(text)) => out.extend_from_slice(text.as_bytes()),
            _ => put_value(value, &mut out),
        }
        out
    };
    // In an index, the item key follows.
    let up_to = |end: Vec<u8>| if index.is_some() { after(end) } else { Bound::Included(end) };
    let (from, to) = match query.sort.as_ref().map(|(_, condition)| condition) {
        None => (partition.clone(), after(partition)),
        Some(SortCondition::Equal(value)) => (with(value), up_to(with(value))),
        Some(SortCondition::Between(from, to)) => (with(from), up_to(with(to))),
        Some(SortCondition::AtLeast(from)) => (with(from), after(partition)),
        Some(SortCondition::AtMost(to)) => (partition.clone(), up_to(with(to))),
        Some(SortCondition::BeginsWith(prefix)) => {
            let mut start = partition.clone();
            if index.is_some() {
                put_escaped(prefix, &mut start);
            } else {
                start.extend_from_slice(prefix.as_bytes());
            }
            (start.clone(), after(start))
        }
    };
    (Bound::Included(from), to)
}

/// Part of a range after a key.
pub(crate) fn behind((from, to): Range, key: Vec<u8>, descending: bool) -> Range {
    let beyond = |bound: &Bound<Vec<u8>>, upper: bool| match bound {
        Bound::Included(end) | Bound::Excluded(end) => {
            if upper {
                key > *end
            } else {
                key < *end
            }
        }
        Bound::Unbounded => false,
    };
    if descending {
        let to = if beyond(&to, true) { to } else { Bound::Excluded(key) };
        return (from, to);
    }
    let from = if beyond(&from, false) { from } else { Bound::Excluded(key) };
    (from, to)
}

/// Returns whether a range is empty, which the engine does not accept.
pub(crate) fn is_empty((from, to): &Range) -> bool {
    match (from, to) {
        (Bound::Included(from), Bound::Included(to)) => from > to,
        (Bound::Included(from) | Bound::Excluded(from), Bound::Excluded(to) | Bound::Included(to)) => {
            from >= to
        }
        _ => false,
    }
}

/// Upper bound of all keys with this prefix.
fn after(mut prefix: Vec<u8>) -> Bound<Vec<u8>> {
    while let Some(last) = prefix.pop() {
        if last < u8::MAX {
            prefix.push(last + 1);
            return Bound::Excluded(prefix);
        }
    }
    Bound::Unbounded
}

fn put_value(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::N(number) => put_number(*number, out),
        Value::S(text) => put_text(text, out),
        // Other types cannot be keys.
        _ => {}
    }
}

/// Appends text and a terminator. A zero byte is escaped, which keeps the order.
fn put_text(text: &str, out: &mut Vec<u8>) {
    put_escaped(text, out);
    out.extend_from_slice(&[0, 0]);
}

fn put_escaped(text: &str, out: &mut Vec<u8>) {
    for byte in text.bytes() {
        out.push(byte);
        if byte == 0 {
            out.push(u8::MAX);
        }
    }
}

/// Appends the sign, the magnitude and 38 digits; inverted if negative.
fn put_number(number: Number, out: &mut Vec<u8>) {
    const DIGITS: u32 = 38;
    let (negative, digits, exponent) = number.parts();
    if digits == 0 {
        out.push(1);
        return;
    }
    let count = digits.ilog10() + 1;
    let magnitude = (i32::from(exponent) + count as i32 + 256) as u16;
    let all = digits * 10_u128.pow(DIGITS - count);
    let (magnitude, all) = if negative { (!magnitude, !all) } else { (magnitude, all) };
    out.push(if negative { 0 } else { 2 });
    out.extend_from_slice(&magnitude.to_be_bytes());
    out.extend_from_slice(&all.to_be_bytes());
}

/// Returns the bytes after the value at the front.
fn skip(bytes: &[u8], numeric: bool) -> Option<&[u8]> {
    if numeric {
        return bytes.get(if *bytes.first()? == 1 { 1 } else { 19 }..);
    }
    let mut position = 0;
    loop {
        match (bytes.get(position)?, bytes.get(position + 1)) {
            (0, Some(0)) => return bytes.get(position + 2..),
            (0, _) => position += 2,
            _ => position += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, Strategy, any, prop_assert_eq, proptest};

    use super::*;

    fn number() -> impl Strategy<Value = Number> {
        (any::<bool>(), 0..10_u128.pow(38), -60_i16..60, 0_u32..38).prop_filter_map(
            "in range",
            |(negative, digits, exponent, cut)| {
                Number::from_parts(negative, digits / 10_u128.pow(cut), exponent)
            },
        )
    }

    fn bytes(value: &Value) -> Vec<u8> {
        let mut out = Vec::new();
        put_value(value, &mut out);
        out
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn numbers_sort_as_numbers(a in number(), b in number()) {
            prop_assert_eq!(bytes(&Value::N(a)).cmp(&bytes(&Value::N(b))), a.cmp(&b));
        }

        #[test]
        fn texts_sort_as_texts_with_any_suffix(a in "[a\\x00\\x01é]{0,4}", b in "[a\\x00\\x01é]{0,4}", tail in "[\\x00a\u{ff}]{0,3}") {
            let with_tail = |text: &str| [bytes(&Value::from(text)), tail.clone().into_bytes()].concat();
            prop_assert_eq!(with_tail(&a).cmp(&with_tail(&b)), a.cmp(&b));
        }

        #[test]
        fn skip_returns_the_suffix(text in "[a\\x00é]{0,5}", number in number(), tail in any::<Vec<u8>>()) {
            for (value, numeric) in [(Value::from(text), false), (Value::N(number), true)] {
                let all = [bytes(&value), tail.clone()].concat();
                prop_assert_eq!(skip(&all, numeric), Some(&tail[..]));
            }
        }
    }
}
