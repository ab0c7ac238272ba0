//! Checksums of items and of whole tables.

use hansang_core::Item;
use hansang_core::value::json::Typed;
use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// The attributes that change here without an edit: the count of posts, and the time of that change.
pub(super) const VOLATILE: [&str; 2] = ["posts", "UpdatedAt"];

/// The members of an item, without some.
struct Members<'i>(&'i Item, &'static [&'static str]);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(item, without) = self;
        let members = item.iter().filter(|(name, _)| !without.contains(&&***name));
        serializer.collect_map(members.map(|(name, value)| (&**name, Typed(value))))
    }
}

/// The checksum of an item: equal items have equal ones, however they were stored.
pub(super) fn of(item: &Item) -> u128 {
    digest(&Members(item, &[]))
}

/// The checksum of an item as an editor sees it.
pub(super) fn stored(item: &Item) -> String {
    hex(digest(&Members(item, &VOLATILE)))
}

/// The sum of checksums: the same in any order, and another one if a row is missing or is there twice.
pub(super) fn add(total: &str, sum: u128) -> String {
    let before = u128::from_str_radix(total, 16).unwrap_or_default();
    hex(before.wrapping_add(sum))
}

/// A checksum as text.
pub(super) fn hex(sum: u128) -> String {
    format!("{sum:032x}")
}

/// The checksum of a text, for ids.
pub(super) fn short(text: &str) -> String {
    hex(first(text.as_bytes()))[..8].to_owned()
}

/// As [`short`], as a number.
pub(super) fn word(text: &str) -> u64 {
    (first(text.as_bytes()) >> 64) as u64
}

fn digest(members: &Members<'_>) -> u128 {
    // Keys are text and the writer is memory, so this cannot fail.
    first(&serde_json::to_vec(members).unwrap_or_default())
}

fn first(bytes: &[u8]) -> u128 {
    Sha256::digest(bytes).iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte))
}
