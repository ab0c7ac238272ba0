//! Whether the entries of the indexes are exactly those that the items have.

use std::collections::BTreeSet;
use std::ops::Bound;

use hansang_core::{Name, StoreError, expiry};

use crate::catalog::Shelf;
use crate::engine::{Engine, Snapshot};
use crate::{codec, keys};

/// An entry that should not be there, or one that is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The index, or nothing for the entries by expiry.
    pub index: Option<Name>,
    /// The item.
    pub item: String,
    /// What is wrong.
    pub problem: &'static str,
}

/// Walks over every item and every entry. The entries that items should have are counted by slot
/// and looked up one by one, so that memory does not grow with the table.
pub(crate) fn verify(
    engine: &Engine,
    snapshot: &Snapshot,
    shelf: &Shelf,
) -> Result<Vec<Disagreement>, StoreError> {
    let mut problems = Vec::new();
    let all = (Bound::Unbounded, Bound::Unbounded);
    for entry in snapshot.range(engine, &shelf.items, all.clone(), false) {
        let (key, value) = entry?;
        let Ok(item) = codec::decode_whole(&value) else {
            problems.push(Disagreement {
                index: None,
                item: shown(&key),
                problem: "the item cannot be read",
            });
            continue;
        };
        for (slot, expected) in expected(shelf, &item, &key) {
            if snapshot.get(engine, &shelf.entries, &expected)?.is_none() {
                let index = name_of(shelf, slot);
                problems.push(Disagreement {
                    index,
                    item: shown(&key),
                    problem: "the index lacks this item",
                });
            }
        }
    }
    let known: BTreeSet<u8> = shelf.slots.iter().copied().chain([keys::EXPIRY]).collect();
    for entry in snapshot.range(engine, &shelf.entries, all, false) {
        let (entry, _) = entry?;
        let Some(slot) = entry.first().copied().filter(|slot| known.contains(slot)) else { continue };
        let item_key = match shelf.indexes().find(|(other, _)| *other == slot) {
            Some((_, index)) => keys::item_of_entry(index, &entry),
            None => keys::item_of_expiry(&entry),
        };
        let item = item_key.map(|key| snapshot.get(engine, &shelf.items, key)).transpose()?.flatten();
        let item = item.and_then(|bytes| codec::decode_whole(&bytes).ok());
        let holds = item.zip(item_key).is_some_and(|(item, key)| {
            expected(shelf, &item, key).iter().any(|(_, expected)| expected[..] == entry[..])
        });
        let unused_expiry = slot == keys::EXPIRY && expiry::attribute(&shelf.table).is_none();
        if !holds && !unused_expiry {
            let item = shown(item_key.unwrap_or(&entry));
            problems.push(Disagreement {
                index: name_of(shelf, slot),
                item,
                problem: "the index has a stale entry",
            });
        }
    }
    Ok(problems)
}

fn expected(shelf: &Shelf, item: &hansang_core::Item, key: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let of_indexes =
        shelf.indexes().filter_map(|(slot, index)| Some((slot, keys::of_entry(slot, index, item, key)?)));
    of_indexes.chain(keys::of_expiry(&shelf.table, item, key).map(|entry| (keys::EXPIRY, entry))).collect()
}

fn name_of(shelf: &Shelf, slot: u8) -> Option<Name> {
    shelf.indexes().find(|(other, _)| *other == slot).map(|(_, index)| index.name.clone())
}

/// A key for people.
fn shown(key: &[u8]) -> String {
    String::from_utf8_lossy(key).replace("\0\0", " / ")
}
