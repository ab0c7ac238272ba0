//! Checksums of items and of whole tables.

use hansang_core::Item;
use hansang_core::value::json::item_to_typed;
use sha2::{Digest as _, Sha256};

/// The attributes that change here without an edit: the count of posts, and the time of that change.
pub(super) const VOLATILE: [&str; 2] = ["posts", "UpdatedAt"];

/// The checksum of an item: equal items have equal ones, however they were stored.
pub(super) fn of(item: &Item) -> String {
    hex(number(item))
}

/// The checksum of an item as an editor sees it.
pub(super) fn stored(item: &Item) -> String {
    let mut edited = item.clone();
    edited.retain(|name, _| !VOLATILE.contains(&&**name));
    of(&edited)
}

/// The sum of checksums: the same in any order, and another one if a row is missing or is there twice.
pub(super) fn add(total: &str, item: &Item) -> String {
    let before = u128::from_str_radix(total, 16).unwrap_or_default();
    hex(before.wrapping_add(number(item)))
}

/// The checksum of a text, for ids.
pub(super) fn short(text: &str) -> String {
    hex(first(&Sha256::digest(text.as_bytes())))[..8].to_owned()
}

/// As [`short`], as a number.
pub(super) fn word(text: &str) -> u64 {
    (first(&Sha256::digest(text.as_bytes())) >> 64) as u64
}

fn number(item: &Item) -> u128 {
    first(&Sha256::digest(item_to_typed(item).to_string().as_bytes()))
}

fn first(digest: &[u8]) -> u128 {
    digest.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte))
}

fn hex(number: u128) -> String {
    format!("{number:032x}")
}
