//! Verifies index entries against items.

use std::collections::BTreeSet;
use std::ops::Bound;

use hansang_core::{Name, StoreError, expiry};

use crate::catalog::StoredTable;
use crate::engine::{Engine, Snapshot};
use crate::feed::{self, StoredChange};
use crate::seal::Kind;
use crate::{codec, keys};

/// A stale or missing index entry, or an unreadable item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// Index, or `None` for expiry entries and unreadable items.
    pub index: Option<Name>,
    /// Key of the item.
    pub item: String,
    /// Problem.
    pub problem: &'static str,
}

/// Checks every item and every entry. Looks entries up one by one, so memory does not grow with the table.
pub(crate) fn verify(
    engine: &Engine,
    snapshot: &Snapshot,
    stored: &StoredTable,
) -> Result<Vec<Disagreement>, StoreError> {
    let mut problems = Vec::new();
    let all = (Bound::Unbounded, Bound::Unbounded);
    for entry in snapshot.range(engine, &stored.items, all.clone(), false) {
        let (key, value) = entry?;
        let Ok(item) = engine.unseal(Kind::Item, &key, &value).and_then(codec::decode_whole) else {
            problems.push(Disagreement { index: None, item: shown(&key), problem: "the item is damaged" });
            continue;
        };
        for (slot, expected) in expected(stored, &item, &key) {
            if snapshot.get(engine, &stored.entries, &expected)?.is_none() {
                let index = name_of(stored, slot);
                problems.push(Disagreement {
                    index,
                    item: shown(&key),
                    problem: "the index lacks this item",
                });
            }
        }
    }
    let known: BTreeSet<u8> = stored.slots.iter().copied().chain([keys::EXPIRY]).collect();
    for entry in snapshot.range(engine, &stored.entries, all, false) {
        let (entry, _) = entry?;
        let Some(slot) = entry.first().copied().filter(|slot| known.contains(slot)) else { continue };
        let item_key = match stored.indexes().find(|(other, _)| *other == slot) {
            Some((_, index)) => keys::item_of_entry(index, &entry),
            None => keys::item_of_expiry(&entry),
        };
        let item = item_key.map(|key| snapshot.get(engine, &stored.items, key)).transpose()?.flatten();
        let item = item.zip(item_key).and_then(|(bytes, key)| {
            engine.unseal(Kind::Item, key, &bytes).and_then(codec::decode_whole).ok()
        });
        let holds = item.zip(item_key).is_some_and(|(item, key)| {
            expected(stored, &item, key).iter().any(|(_, expected)| expected[..] == entry[..])
        });
        let unused_expiry = slot == keys::EXPIRY && expiry::attribute(&stored.table).is_none();
        if !holds && !unused_expiry {
            let item = shown(item_key.unwrap_or(&entry));
            problems.push(Disagreement {
                index: name_of(stored, slot),
                item,
                problem: "the index has a stale entry",
            });
        }
    }
    verify_feed(engine, snapshot, stored, &mut problems)?;
    Ok(problems)
}

/// Checks that every change can be read and that none is missing between others.
fn verify_feed(
    engine: &Engine,
    snapshot: &Snapshot,
    stored: &StoredTable,
    problems: &mut Vec<Disagreement>,
) -> Result<(), StoreError> {
    let mut last: Option<u64> = None;
    for entry in snapshot.range(engine, &stored.feed, (Bound::Unbounded, Bound::Unbounded), false) {
        let (key, value) = entry?;
        let number = feed::sequence(&key).ok();
        let images = StoredChange::open(engine, &key, &value).and_then(|change| change.images());
        let problem = match (number, images) {
            (Some(number), Ok(_)) if last.is_none_or(|last| last + 1 == number) => None,
            (Some(_), Ok(_)) => Some("changes before this one are missing"),
            _ => Some("the change is damaged"),
        };
        let item = || format!("change {}", number.unwrap_or_default());
        problems.extend(problem.map(|problem| Disagreement { index: None, item: item(), problem }));
        last = number;
    }
    Ok(())
}

fn expected(stored: &StoredTable, item: &hansang_core::Item, key: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let of_indexes =
        stored.indexes().filter_map(|(slot, index)| Some((slot, keys::of_entry(slot, index, item, key)?)));
    of_indexes.chain(keys::of_expiry(&stored.table, item, key).map(|entry| (keys::EXPIRY, entry))).collect()
}

fn name_of(stored: &StoredTable, slot: u8) -> Option<Name> {
    stored.indexes().find(|(other, _)| *other == slot).map(|(_, index)| index.name.clone())
}

/// Formats a key for a report.
fn shown(key: &[u8]) -> String {
    String::from_utf8_lossy(key).replace("\0\0", " / ")
}
