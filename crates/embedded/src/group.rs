//! The writes of one commit: each sees those before it, and all reach the disk together.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use hansang_core::evaluate::holds;
use hansang_core::plan::{Action, Write};
use hansang_core::store::{FailedCondition, check};
use hansang_core::{Item, Name, StoreError, Value, apply, expiry};
use jiff::Timestamp;
use quick_cache::DefaultHashBuilder;

use crate::catalog::Shelf;
use crate::engine::{Batch, Engine, Snapshot};
use crate::images::Images;
use crate::rows::{Place, Rows};
use crate::{codec, keys};

/// A write whose bytes were made by whoever asked for it, so that the one writer need not.
pub(crate) struct Prepared {
    pub(crate) key: Vec<u8>,
    pub(crate) write: Write,
    encoded: Option<Vec<u8>>,
}

impl Prepared {
    pub(crate) fn new(write: Write) -> Self {
        let encoded = match &write.action {
            Action::Put(item) => Some(codec::encode(item)),
            _ => None,
        };
        Self { key: keys::of_item(&write.key), write, encoded }
    }
}

/// An item that the group has looked at.
struct Touched {
    shelf: Arc<Shelf>,
    /// As it is on disk.
    before: Option<Arc<Item>>,
    /// As the writes so far have made it.
    now: Option<Arc<Item>>,
    /// The bytes of `now`, where they are known.
    encoded: Option<Vec<u8>>,
}

impl Touched {
    /// Whether it is another image than the one on disk.
    fn is_changed(&self) -> bool {
        match (&self.before, &self.now) {
            (Some(before), Some(now)) => !Arc::ptr_eq(before, now),
            (None, None) => false,
            _ => true,
        }
    }
}

/// A change for the feed.
pub(crate) struct Changed {
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) old: Option<Arc<Item>>,
    pub(crate) new: Option<Arc<Item>>,
}

/// What a write makes of an item, not yet in force.
struct Outcome {
    key: Vec<u8>,
    item: Option<Arc<Item>>,
    encoded: Option<Vec<u8>>,
}

/// The number of an item's table, and its key.
pub(crate) type At = (u32, Vec<u8>);

pub(crate) struct Group {
    engine: Arc<Engine>,
    rows: Arc<Rows>,
    /// The table as it was before the first write of the group.
    snapshot: Option<Snapshot>,
    touched: HashMap<At, Touched, DefaultHashBuilder>,
    changed: Vec<Changed>,
    /// What the groups before this one made.
    images: Images,
}

impl Group {
    pub(crate) fn new(engine: Arc<Engine>, rows: Arc<Rows>) -> Self {
        Self {
            engine,
            rows,
            snapshot: None,
            touched: HashMap::default(),
            changed: Vec::new(),
            images: Images::default(),
        }
    }

    /// What was written is not known to be on disk: it is read again.
    pub(crate) fn forget(&mut self) {
        self.images = Images::default();
    }

    /// One write; gives what it is to give back.
    pub(crate) fn write(
        &mut self,
        shelf: &Arc<Shelf>,
        prepared: Prepared,
    ) -> Result<Option<Item>, StoreError> {
        let before = self.current(shelf, &prepared)?;
        if !guards_hold(&prepared.write, before.as_deref()) {
            return Err(StoreError::condition(before.as_deref().cloned()));
        }
        let gives_back = matches!(prepared.write.action, Action::Update(_));
        let removes = matches!(prepared.write.action, Action::Delete);
        let outcome = outcome(shelf, prepared, before.as_ref())?;
        let back = match (gives_back, removes) {
            (true, _) => outcome.item.as_deref().cloned(),
            (_, true) => before.as_deref().cloned(),
            _ => None,
        };
        self.install(shelf, outcome);
        Ok(back)
    }

    /// All of the writes or none: every guard is asked before anything changes. Each write has the number of its
    /// table among `shelves`.
    pub(crate) fn transact(
        &mut self,
        shelves: &[Arc<Shelf>],
        writes: Vec<(usize, Prepared)>,
    ) -> Result<(), StoreError> {
        let mut before = Vec::with_capacity(writes.len());
        let mut failed = Vec::new();
        for (index, (shelf, prepared)) in writes.iter().enumerate() {
            let item = self.current(&shelves[*shelf], prepared)?;
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
            .map(|((shelf, prepared), before)| {
                Ok((shelf, outcome(&shelves[shelf], prepared, before.as_ref())?))
            })
            .collect::<Result<_, StoreError>>()?;
        outcomes.into_iter().for_each(|(shelf, outcome)| self.install(&shelves[shelf], outcome));
        Ok(())
    }

    /// Removes the items behind these entries that have expired by now; those that were
    /// given more time stay. An entry that belongs to no item goes too, or it would be met again
    /// and again.
    pub(crate) fn expire(
        &mut self,
        batch: &mut Batch,
        shelf: &Arc<Shelf>,
        now: Timestamp,
        entries: Vec<Vec<u8>>,
    ) -> Result<(), StoreError> {
        for entry in entries {
            let Some(key) = keys::item_of_expiry(&entry) else { continue };
            let item = self.look(shelf, key, false)?;
            let item = item.as_deref();
            if item.is_some_and(|item| expiry::is_expired(&shelf.table, item, now)) {
                self.install(shelf, Outcome { key: key.to_vec(), item: None, encoded: None });
            } else if item.and_then(|item| keys::of_expiry(&shelf.table, item, key)).as_ref() != Some(&entry)
            {
                batch.remove(&shelf.entries, entry);
            }
        }
        Ok(())
    }

    /// The item of a write as the writes so far have made it. What is changed was most likely read before, and what
    /// is new was not.
    fn current(&mut self, shelf: &Arc<Shelf>, prepared: &Prepared) -> Result<Option<Arc<Item>>, StoreError> {
        let is_read = !matches!(prepared.write.action, Action::Put(_));
        self.look(shelf, &prepared.key, is_read)
    }

    /// The item as the writes so far have made it; `is_read` if it may be among the rows that were read lately.
    fn look(
        &mut self,
        shelf: &Arc<Shelf>,
        key: &[u8],
        is_read: bool,
    ) -> Result<Option<Arc<Item>>, StoreError> {
        let new = match self.touched.entry((shelf.number, key.to_vec())) {
            Entry::Occupied(known) => return Ok(known.get().now.clone()),
            Entry::Vacant(new) => new,
        };
        let item = match self.images.get(new.key()) {
            Some(image) => Some(image.clone()),
            None => {
                let place = Place(shelf.number, key);
                let row = if is_read { self.rows.get(place, self.rows.since()) } else { None };
                let bytes = match row {
                    Some(row) => Some(row),
                    None => {
                        let snapshot = self.snapshot.get_or_insert_with(|| self.engine.snapshot());
                        snapshot.get(&self.engine, &shelf.items, key)?
                    }
                };
                let item = bytes.map(|bytes| codec::decode_whole(&bytes)).transpose();
                item.map_err(|damaged| self.engine.damaged(damaged))?.map(Arc::new)
            }
        };
        new.insert(Touched { shelf: shelf.clone(), before: item.clone(), now: item.clone(), encoded: None });
        Ok(item)
    }

    fn install(&mut self, shelf: &Arc<Shelf>, outcome: Outcome) {
        let Some(touched) = self.touched.get_mut(&(shelf.number, outcome.key)) else { return };
        if shelf.table.streams && touched.now != outcome.item {
            let (old, new) = (touched.now.clone(), outcome.item.clone());
            self.changed.push(Changed { shelf: shelf.clone(), old, new });
        }
        touched.now = outcome.item;
        touched.encoded = outcome.encoded;
    }

    /// The items that are not as they were.
    pub(crate) fn changed_places(&self) -> impl Iterator<Item = Place<'_>> {
        let changed = self.touched.iter().filter(|(_, touched)| touched.is_changed());
        changed.map(|((table, key), _)| Place(*table, key))
    }

    /// What has to be written: of every item only what became of it in the end. In the order of the keys: the engine
    /// puts each key where it belongs, and finds the place of the next one close to the last.
    pub(crate) fn finish(&mut self, batch: &mut Batch) -> Vec<Changed> {
        self.snapshot = None;
        let mut changed: Vec<_> = self.touched.drain().filter(|(_, touched)| touched.is_changed()).collect();
        changed.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let mut entries = Vec::with_capacity(changed.len() * 2);
        for (at, touched) in changed {
            let Touched { shelf, before, now, encoded } = touched;
            change_entries(&mut entries, &shelf, &at.1, before.as_deref(), now.as_deref());
            match now {
                Some(item) => {
                    let bytes = encoded.unwrap_or_else(|| codec::encode(&item));
                    // What is new is most likely left alone, and what has changed changes again.
                    if before.is_some() {
                        self.images.keep(at.clone(), item, bytes.len());
                    }
                    batch.put(&shelf.items, at.1, bytes);
                }
                None => {
                    self.images.remove(&at);
                    batch.remove(&shelf.items, at.1);
                }
            }
        }
        entries.sort_unstable_by(|one, other| one.entry.cmp(&other.entry));
        for ChangedEntry { shelf, entry, is_there } in entries {
            if is_there {
                batch.put(&shelf.entries, entry, Vec::new());
            } else {
                batch.remove(&shelf.entries, entry);
            }
        }
        std::mem::take(&mut self.changed)
    }
}

/// An entry of an index that comes or goes.
struct ChangedEntry {
    shelf: Arc<Shelf>,
    entry: Vec<u8>,
    is_there: bool,
}

/// The index entries that no longer hold, and the new ones.
fn change_entries(
    changed: &mut Vec<ChangedEntry>,
    shelf: &Arc<Shelf>,
    key: &[u8],
    before: Option<&Item>,
    now: Option<&Item>,
) {
    // Most changes leave the keys of the indexes alone.
    let same = |name: &Name| before.zip(now).is_some_and(|(before, now)| before.get(name) == now.get(name));
    let mut replace = |old: Option<Vec<u8>>, new: Option<Vec<u8>>| {
        if old != new {
            let change =
                |is_there: bool| move |entry: Vec<u8>| ChangedEntry { shelf: shelf.clone(), entry, is_there };
            changed.extend(old.map(change(false)));
            changed.extend(new.map(change(true)));
        }
    };
    for (slot, index) in shelf.indexes() {
        if same(&index.pk) && index.sk.as_ref().is_none_or(same) {
            continue;
        }
        let entry = |item: Option<&Item>| item.and_then(|item| keys::of_entry(slot, index, item, key));
        replace(entry(before), entry(now));
    }
    if expiry::attribute(&shelf.table).is_none_or(same) {
        return;
    }
    let entry = |item: Option<&Item>| item.and_then(|item| keys::of_expiry(&shelf.table, item, key));
    replace(entry(before), entry(now));
}

fn guards_hold(write: &Write, item: Option<&Item>) -> bool {
    write.guards.iter().all(|guard| holds(&guard.condition, item))
}

fn outcome(shelf: &Shelf, prepared: Prepared, before: Option<&Arc<Item>>) -> Result<Outcome, StoreError> {
    let Prepared { key, write, encoded } = prepared;
    let item = match write.action {
        Action::Put(item) => Some(Arc::new(item)),
        Action::Update(changes) => {
            let table = &shelf.table;
            let fresh;
            let stored = match before {
                Some(item) => item,
                // An update of nothing makes an item of the key and the changes.
                None => {
                    let part = |name: &Name, text: String| (name.clone(), Value::from(text));
                    fresh = Item::from([part(&table.pk, write.key.pk), part(&table.sk, write.key.sk)]);
                    &fresh
                }
            };
            let item = apply(stored, &changes)?;
            check::updated(table, &item)?;
            Some(Arc::new(item))
        }
        Action::Delete => None,
        Action::Check => before.cloned(),
    };
    Ok(Outcome { key, item, encoded })
}
