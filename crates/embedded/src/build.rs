//! Creates tables, and fills new indexes from the items that are already stored.

use std::ops::Bound;
use std::sync::Arc;

use hansang_core::{Item, StoreError, Table, expiry};

use crate::catalog::{StoredTable, to_json};
use crate::current::Opened;
use crate::engine::{Batch, Engine};
use crate::seal::{self, Kind};
use crate::{codec, keys};

/// Changes per commit while an index is filled.
const CHUNK: usize = 10_000;

/// Creates the table, or extends it to match the model.
pub(crate) fn ensure(opened: &Opened, table: &Table) -> Result<(), StoreError> {
    let Opened { engine, catalog, meta, .. } = opened;
    let stored = match catalog.find(&table.name) {
        None => {
            let slots = (1..).take(table.indexes.len()).collect();
            StoredTable::open(engine, catalog.next_number(), table.clone(), slots)?
        }
        Some(known) => match known.extended(engine, table)? {
            None => return Ok(()),
            Some(extended) => {
                fill(engine, &known, &extended)?;
                extended
            }
        },
    };
    let mut batch = engine.batch(1);
    let key = table.name.clone().into_bytes();
    let definition = seal::other(&key, to_json(&stored).to_string().as_bytes());
    batch.put(meta, key, definition);
    engine.commit(batch)?;
    catalog.put(Arc::new(stored));
    Ok(())
}

/// Fills the index slots that `extended` has and `known` lacks. Clears each slot first: entries of an
/// interrupted attempt would be stale.
fn fill(engine: &Engine, known: &StoredTable, extended: &StoredTable) -> Result<(), StoreError> {
    let expires = |stored: &StoredTable| expiry::attribute(&stored.table).is_some();
    let expiry_is_new = expires(extended) && !expires(known);
    let new_slots: Vec<u8> = extended.slots[known.slots.len()..].to_vec();
    let to_clear = new_slots.iter().copied().chain(expiry_is_new.then_some(keys::EXPIRY));
    for slot in to_clear {
        clear(engine, extended, slot)?;
    }
    if new_slots.is_empty() && !expiry_is_new {
        return Ok(());
    }
    let index_item = |batch: &mut Batch, key: &[u8], item: &Item| {
        for (slot, index) in extended.indexes().filter(|(slot, _)| new_slots.contains(slot)) {
            if let Some(entry) = keys::of_entry(slot, index, item, key) {
                batch.put(&extended.entries, entry, Vec::new());
            }
        }
        if let Some(entry) = keys::of_expiry(&extended.table, item, key).filter(|_| expiry_is_new) {
            batch.put(&extended.entries, entry, Vec::new());
        }
    };
    let snapshot = engine.snapshot();
    let all = (Bound::Unbounded, Bound::Unbounded);
    let mut chunk = Chunk::new(engine);
    for entry in snapshot.range(engine, &extended.items, all, false) {
        let (key, value) = entry?;
        let content = engine.unseal(Kind::Item, &key, &value);
        let item = content.and_then(codec::decode_whole).map_err(|bad| engine.damaged(bad))?;
        chunk.add(|batch| index_item(batch, &key, &item))?;
    }
    chunk.commit()
}

fn clear(engine: &Engine, stored: &StoredTable, slot: u8) -> Result<(), StoreError> {
    let snapshot = engine.snapshot();
    let mut chunk = Chunk::new(engine);
    for entry in snapshot.range(engine, &stored.entries, keys::slot(slot), false) {
        let (key, _) = entry?;
        chunk.add(|batch| batch.remove(&stored.entries, key.to_vec()))?;
    }
    chunk.commit()
}

/// Commits changes in chunks of [`CHUNK`].
struct Chunk<'e> {
    engine: &'e Engine,
    batch: Batch,
    added: usize,
}

impl<'e> Chunk<'e> {
    fn new(engine: &'e Engine) -> Self {
        Self { engine, batch: engine.batch(CHUNK), added: 0 }
    }

    fn add(&mut self, change: impl FnOnce(&mut Batch)) -> Result<(), StoreError> {
        change(&mut self.batch);
        self.added += 1;
        if self.added == CHUNK {
            self.added = 0;
            let full = std::mem::replace(&mut self.batch, self.engine.batch(CHUNK));
            return self.engine.commit(full);
        }
        Ok(())
    }

    fn commit(self) -> Result<(), StoreError> {
        if self.batch.is_empty() { Ok(()) } else { self.engine.commit(self.batch) }
    }
}
