//! Makes tables, and brings the entries of new indexes up to the items that are there.

use std::ops::Bound;
use std::sync::Arc;

use hansang_core::{Item, StoreError, Table, expiry};

use crate::catalog::{Catalog, Shelf, to_json};
use crate::engine::{Batch, Engine, Space};
use crate::{codec, keys};

/// Changes of one commit while entries are made.
const CHUNK: usize = 10_000;

/// Makes sure that there is such a table.
pub(crate) fn ensure(
    engine: &Engine,
    meta: &Space,
    catalog: &Catalog,
    table: &Table,
) -> Result<(), StoreError> {
    let shelf = match catalog.find(&table.name) {
        None => {
            let slots = (1..).take(table.indexes.len()).collect();
            Shelf::open(engine, catalog.next_number(), table.clone(), slots)?
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
    batch.put(meta, table.name.clone().into_bytes(), to_json(&shelf).to_string().into_bytes());
    engine.commit(batch)?;
    catalog.put(Arc::new(shelf));
    Ok(())
}

/// Makes the entries that `extended` has and `known` had not. A slot is cleared first: an earlier
/// attempt may have been cut off, and what it left behind would be stale by now.
fn fill(engine: &Engine, known: &Shelf, extended: &Shelf) -> Result<(), StoreError> {
    let expires = |shelf: &Shelf| expiry::attribute(&shelf.table).is_some();
    let expiry_is_new = expires(extended) && !expires(known);
    let new_slots: Vec<u8> = extended.slots[known.slots.len()..].to_vec();
    let to_clear = new_slots.iter().copied().chain(expiry_is_new.then_some(keys::EXPIRY));
    for slot in to_clear {
        clear(engine, extended, slot)?;
    }
    if new_slots.is_empty() && !expiry_is_new {
        return Ok(());
    }
    let make = |batch: &mut Batch, key: &[u8], item: &Item| {
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
        let item = codec::decode_whole(&value).map_err(|bad| engine.damaged(bad))?;
        chunk.add(|batch| make(batch, &key, &item))?;
    }
    chunk.commit()
}

fn clear(engine: &Engine, shelf: &Shelf, slot: u8) -> Result<(), StoreError> {
    let snapshot = engine.snapshot();
    let mut chunk = Chunk::new(engine);
    for entry in snapshot.range(engine, &shelf.entries, keys::slot(slot), false) {
        let (key, _) = entry?;
        chunk.add(|batch| batch.remove(&shelf.entries, key.to_vec()))?;
    }
    chunk.commit()
}

/// Changes that are committed by the ten thousand.
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
