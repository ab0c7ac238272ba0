//! Evaluates the writes of one commit. Each write sees the ones before it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use hansang_core::evaluate::holds;
use hansang_core::plan::{Action, Write};
use hansang_core::store::{FailedCondition, check};
use hansang_core::{Item, Name, StoreError, Value, apply, expiry};
use jiff::Timestamp;
use quick_cache::DefaultHashBuilder;

use crate::catalog::StoredTable;
use crate::current::Opened;
use crate::engine::{Batch, Bytes, Snapshot};
use crate::images::Images;
use crate::rows::{RowKey, Rows};
use crate::seal::{self, Kind};
use crate::{codec, keys};

/// A write whose key and item were encoded on the thread of the caller.
pub(crate) struct Prepared {
    pub(crate) key: Vec<u8>,
    pub(crate) write: Write,
    encoded: Option<Vec<u8>>,
}

impl Prepared {
    pub(crate) fn new(write: Write) -> Self {
        let key = keys::of_item(&write.key);
        let encoded = match &write.action {
            Action::Put(item) => Some(seal::item(&key, item)),
            _ => None,
        };
        Self { key, write, encoded }
    }
}

/// An item that the group has read.
struct Touched {
    stored: Arc<StoredTable>,
    /// Image on disk.
    before: Option<Arc<Item>>,
    /// Image after the writes so far.
    now: Option<Arc<Item>>,
    /// Encoded `now`, if known.
    encoded: Option<Vec<u8>>,
}

impl Touched {
    /// Returns whether the image differs from the one on disk.
    fn is_changed(&self) -> bool {
        match (&self.before, &self.now) {
            (Some(before), Some(now)) => !Arc::ptr_eq(before, now),
            (None, None) => false,
            _ => true,
        }
    }
}

/// A change for the change feed.
pub(crate) struct Changed {
    pub(crate) stored: Arc<StoredTable>,
    pub(crate) old: Option<Arc<Item>>,
    pub(crate) new: Option<Arc<Item>>,
}

/// The result of a write that is not installed yet.
struct Outcome {
    key: Vec<u8>,
    item: Option<Arc<Item>>,
    encoded: Option<Vec<u8>>,
}

/// Number of a table and the key of an item in it.
pub(crate) type ItemKey = (u32, Vec<u8>);

pub(crate) struct Group {
    opened: Arc<Opened>,
    rows: Arc<Rows>,
    /// Snapshot from before the first write of the group.
    snapshot: Option<Snapshot>,
    touched: HashMap<ItemKey, Touched, DefaultHashBuilder>,
    changed: Vec<Changed>,
    /// Items that earlier groups wrote.
    images: Images,
}

impl Group {
    pub(crate) fn new(opened: Arc<Opened>, rows: Arc<Rows>) -> Self {
        Self {
            opened,
            rows,
            snapshot: None,
            touched: HashMap::default(),
            changed: Vec::new(),
            images: Images::default(),
        }
    }

    /// Drops cached images after a failed commit.
    pub(crate) fn forget(&mut self) {
        self.images = Images::default();
    }

    /// Evaluates one write. Returns the new item of an update and the old item of a deletion.
    pub(crate) fn write(
        &mut self,
        stored: &Arc<StoredTable>,
        prepared: Prepared,
    ) -> Result<Option<Item>, StoreError> {
        let before = self.current(stored, &prepared)?;
        if !guards_hold(&prepared.write, before.as_deref()) {
            return Err(StoreError::condition(before.as_deref().cloned()));
        }
        let gives_back = matches!(prepared.write.action, Action::Update(_));
        let removes = matches!(prepared.write.action, Action::Delete);
        let outcome = outcome(stored, prepared, before.as_ref())?;
        let back = match (gives_back, removes) {
            (true, _) => outcome.item.as_deref().cloned(),
            (_, true) => before.as_deref().cloned(),
            _ => None,
        };
        self.install(stored, outcome);
        Ok(back)
    }

    /// Evaluates all of the writes or none: every guard is checked before anything changes. Each write has
    /// the index of its table in `tables`.
    pub(crate) fn transact(
        &mut self,
        tables: &[Arc<StoredTable>],
        writes: Vec<(usize, Prepared)>,
    ) -> Result<(), StoreError> {
        let mut before = Vec::with_capacity(writes.len());
        let mut failed = Vec::new();
        for (index, (table, prepared)) in writes.iter().enumerate() {
            let item = self.current(&tables[*table], prepared)?;
            if !guards_hold(&prepared.write, item.as_deref()) {
                failed.push(FailedCondition { index, item: item.as_deref().cloned() });
            }
            before.push(item);
        }
        if !failed.is_empty() {
            return Err(StoreError::Condition(failed));
        }
        let outcomes: Vec<(usize, Outcome)> = writes
            .into_iter()
            .zip(&before)
            .map(|((table, prepared), before)| {
                Ok((table, outcome(&tables[table], prepared, before.as_ref())?))
            })
            .collect::<Result<_, StoreError>>()?;
        outcomes.into_iter().for_each(|(table, outcome)| self.install(&tables[table], outcome));
        Ok(())
    }

    /// Removes the items of these expiry entries that have expired by `now`. Items with a later expiry stay.
    /// Entries without an item are removed too, or every sweep would find them again.
    pub(crate) fn expire(
        &mut self,
        batch: &mut Batch,
        stored: &Arc<StoredTable>,
        now: Timestamp,
        entries: Vec<Vec<u8>>,
    ) -> Result<(), StoreError> {
        for entry in entries {
            let Some(key) = keys::item_of_expiry(&entry) else { continue };
            let item = self.look(stored, key, false)?;
            let item = item.as_deref();
            if item.is_some_and(|item| expiry::is_expired(&stored.table, item, now)) {
                self.install(stored, Outcome { key: key.to_vec(), item: None, encoded: None });
            } else if item.and_then(|item| keys::of_expiry(&stored.table, item, key)).as_ref() != Some(&entry)
            {
                batch.remove(&stored.entries, entry);
            }
        }
        Ok(())
    }

    /// Returns the item of a write after the writes so far. Items to be changed were likely read before, new
    /// ones were not.
    fn current(
        &mut self,
        stored: &Arc<StoredTable>,
        prepared: &Prepared,
    ) -> Result<Option<Arc<Item>>, StoreError> {
        let is_read = !matches!(prepared.write.action, Action::Put(_));
        self.look(stored, &prepared.key, is_read)
    }

    /// Returns the item after the writes so far. `is_read` says whether the row cache may have it.
    fn look(
        &mut self,
        stored: &Arc<StoredTable>,
        key: &[u8],
        is_read: bool,
    ) -> Result<Option<Arc<Item>>, StoreError> {
        let new = match self.touched.entry((stored.number, key.to_vec())) {
            Entry::Occupied(known) => return Ok(known.get().now.clone()),
            Entry::Vacant(new) => new,
        };
        let item = match self.images.get(new.key()) {
            Some(image) => Some(image.clone()),
            None => {
                let row_key = RowKey(stored.number, key);
                let row = if is_read { self.rows.get(row_key, self.rows.since()) } else { None };
                let bytes = match row {
                    Some(row) => Some(row),
                    None => {
                        let snapshot = self.snapshot.get_or_insert_with(|| self.opened.engine.snapshot());
                        snapshot.get(&self.opened.engine, &stored.items, key)?
                    }
                };
                let engine = &self.opened.engine;
                let decode = |bytes: Bytes| codec::decode_whole(engine.unseal(Kind::Item, key, &bytes)?);
                let item = bytes.map(decode).transpose();
                item.map_err(|damaged| engine.damaged(damaged))?.map(Arc::new)
            }
        };
        new.insert(Touched {
            stored: stored.clone(),
            before: item.clone(),
            now: item.clone(),
            encoded: None,
        });
        Ok(item)
    }

    fn install(&mut self, stored: &Arc<StoredTable>, outcome: Outcome) {
        let Some(touched) = self.touched.get_mut(&(stored.number, outcome.key)) else { return };
        if stored.table.streams && touched.now != outcome.item {
            let (old, new) = (touched.now.clone(), outcome.item.clone());
            self.changed.push(Changed { stored: stored.clone(), old, new });
        }
        touched.now = outcome.item;
        touched.encoded = outcome.encoded;
    }

    /// Keys of the changed items.
    pub(crate) fn changed_keys(&self) -> impl Iterator<Item = RowKey<'_>> {
        let changed = self.touched.iter().filter(|(_, touched)| touched.is_changed());
        changed.map(|((table, key), _)| RowKey(*table, key))
    }

    /// Adds the final image of each changed item to the batch, in key order: the engine inserts neighbouring
    /// keys faster.
    pub(crate) fn finish(&mut self, batch: &mut Batch) -> Vec<Changed> {
        self.snapshot = None;
        let mut changed: Vec<_> = self.touched.drain().filter(|(_, touched)| touched.is_changed()).collect();
        changed.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let mut entries = Vec::with_capacity(changed.len() * 2);
        for (key, touched) in changed {
            let Touched { stored, before, now, encoded } = touched;
            change_entries(&mut entries, &stored, &key.1, before.as_deref(), now.as_deref());
            match now {
                Some(item) => {
                    let bytes = encoded.unwrap_or_else(|| seal::item(&key.1, &item));
                    // Changed items are cached, because they often change again. New ones rarely do.
                    if before.is_some() {
                        self.images.keep(key.clone(), item, bytes.len());
                    }
                    batch.put(&stored.items, key.1, bytes);
                }
                None => {
                    self.images.remove(&key);
                    batch.remove(&stored.items, key.1);
                }
            }
        }
        entries.sort_unstable_by(|one, other| one.entry.cmp(&other.entry));
        for ChangedEntry { stored, entry, is_there } in entries {
            if is_there {
                batch.put(&stored.entries, entry, Vec::new());
            } else {
                batch.remove(&stored.entries, entry);
            }
        }
        std::mem::take(&mut self.changed)
    }
}

/// An index entry to add or remove.
struct ChangedEntry {
    stored: Arc<StoredTable>,
    entry: Vec<u8>,
    is_there: bool,
}

/// Collects the index entries to add and to remove.
fn change_entries(
    changed: &mut Vec<ChangedEntry>,
    stored: &Arc<StoredTable>,
    key: &[u8],
    before: Option<&Item>,
    now: Option<&Item>,
) {
    // Most changes leave index keys alone.
    let same = |name: &Name| before.zip(now).is_some_and(|(before, now)| before.get(name) == now.get(name));
    let mut replace = |old: Option<Vec<u8>>, new: Option<Vec<u8>>| {
        if old != new {
            let change = |is_there: bool| {
                move |entry: Vec<u8>| ChangedEntry { stored: stored.clone(), entry, is_there }
            };
            changed.extend(old.map(change(false)));
            changed.extend(new.map(change(true)));
        }
    };
    for (slot, index) in stored.indexes() {
        if same(&index.pk) && index.sk.as_ref().is_none_or(same) {
            continue;
        }
        let entry = |item: Option<&Item>| item.and_then(|item| keys::of_entry(slot, index, item, key));
        replace(entry(before), entry(now));
    }
    if expiry::attribute(&stored.table).is_none_or(same) {
        return;
    }
    let entry = |item: Option<&Item>| item.and_then(|item| keys::of_expiry(&stored.table, item, key));
    replace(entry(before), entry(now));
}

fn guards_hold(write: &Write, item: Option<&Item>) -> bool {
    write.guards.iter().all(|guard| holds(&guard.condition, item))
}

fn outcome(
    stored: &StoredTable,
    prepared: Prepared,
    before: Option<&Arc<Item>>,
) -> Result<Outcome, StoreError> {
    let Prepared { key, write, encoded } = prepared;
    let item = match write.action {
        Action::Put(item) => Some(Arc::new(item)),
        Action::Update(changes) => {
            let table = &stored.table;
            let fresh;
            let current = match before {
                Some(item) => item,
                // An update of a missing item creates one from the key and the changes.
                None => {
                    let part = |name: &Name, text: String| (name.clone(), Value::from(text));
                    fresh = Item::from([part(&table.pk, write.key.pk), part(&table.sk, write.key.sk)]);
                    &fresh
                }
            };
            let item = apply(current, &changes)?;
            check::updated(table, &item)?;
            Some(Arc::new(item))
        }
        Action::Delete => None,
        Action::Check => before.cloned(),
    };
    Ok(Outcome { key, item, encoded })
}
