//! A table in memory: items and indexes.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use hansang_core::evaluate::holds;
use hansang_core::model::{Index, Projection, Table};
use hansang_core::plan::{Action, Key, Write};
use hansang_core::store::check;
use hansang_core::value::item_size;
use hansang_core::{CoreCode, Error, Item, Message, Name, StoreError, Value, apply};

use super::entry_key::{EntryKey, of_entry, of_item};
use super::page::pick;

/// A stored item. Caches its size, because counting costs more than reading.
pub(super) struct Row {
    pub(super) item: Item,
    size: OnceLock<usize>,
}

impl Row {
    fn new(item: Item) -> Arc<Self> {
        Arc::new(Self { item, size: OnceLock::new() })
    }

    pub(super) fn size(&self) -> usize {
        *self.size.get_or_init(|| item_size(&self.item))
    }
}

/// Items by entry key.
pub(super) type Order = BTreeMap<EntryKey, Arc<Row>>;

pub(super) struct MemoryTable {
    pub(super) table: Table,
    pub(super) items: Order,
    /// Indexes in the order of `table.indexes`.
    pub(super) indexes: Vec<Order>,
}

/// The result of a write that is not installed yet.
pub(super) struct Outcome {
    place: EntryKey,
    before: Option<Arc<Row>>,
    now: Option<Arc<Row>>,
}

impl MemoryTable {
    pub(super) fn new(table: Table) -> Self {
        let indexes = table.indexes.iter().map(|_| Order::new()).collect();
        Self { table, items: Order::new(), indexes }
    }

    /// Extends the table to match the model. Adds indexes and never removes one.
    pub(super) fn extend(&mut self, table: &Table) -> Result<(), Error> {
        fits(&self.table, table)?;
        let known = std::mem::take(&mut self.table.indexes);
        let is_new = |index: &&Index| known.iter().all(|other| other.name != index.name);
        let new: Vec<Index> = table.indexes.iter().filter(is_new).cloned().collect();
        for index in &new {
            let entry = |(place, row): (&EntryKey, &Arc<Row>)| {
                Some((of_entry(index, &row.item, place)?, row.clone()))
            };
            self.indexes.push(self.items.iter().filter_map(entry).collect());
        }
        self.table = Table { indexes: known.into_iter().chain(new).collect(), ..table.clone() };
        Ok(())
    }

    pub(super) fn get(&self, key: &Key, fields: Option<&[Name]>) -> Result<Option<Item>, StoreError> {
        check::key(&self.table, key)?;
        Ok(self.items.get(&of_item(key)).map(|row| pick(&row.item, fields)))
    }

    /// Executes a valid write. Returns the new item of an update and the old item of a deletion.
    pub(super) fn write(&mut self, write: Write) -> Result<Option<Item>, StoreError> {
        if let Some(found) = self.refuses(&write) {
            return Err(StoreError::condition(found));
        }
        let gives_back = matches!(write.action, Action::Update(_));
        let removes = matches!(write.action, Action::Delete);
        let outcome = self.outcome(write)?;
        let back = match (gives_back, removes) {
            (true, _) => outcome.now.as_ref(),
            (_, true) => outcome.before.as_ref(),
            _ => None,
        };
        let back = back.map(|row| row.item.clone());
        self.install(outcome);
        Ok(back)
    }

    /// Returns the found item if a guard fails.
    pub(super) fn refuses(&self, write: &Write) -> Option<Option<Item>> {
        let item = self.items.get(&of_item(&write.key)).map(|row| &row.item);
        let holds = write.guards.iter().all(|guard| holds(&guard.condition, item));
        (!holds).then(|| item.cloned())
    }

    /// Computes the result of a write.
    pub(super) fn outcome(&self, write: Write) -> Result<Outcome, StoreError> {
        let place = of_item(&write.key);
        let before = self.items.get(&place).cloned();
        let table = &self.table;
        let now = match write.action {
            Action::Put(item) => Some(Row::new(item)),
            Action::Update(changes) => {
                let fresh;
                let stored = match &before {
                    Some(row) => &row.item,
                    // An update of a missing item creates one from the key and the changes.
                    None => {
                        let part = |name: &Name, text: String| (name.clone(), Value::from(text));
                        fresh = Item::from([part(&table.pk, write.key.pk), part(&table.sk, write.key.sk)]);
                        &fresh
                    }
                };
                let item = apply(stored, &changes)?;
                check::updated(table, &item)?;
                Some(Row::new(item))
            }
            Action::Delete => None,
            Action::Check => before.clone(),
        };
        Ok(Outcome { place, before, now })
    }

    pub(super) fn install(&mut self, Outcome { place, before, now }: Outcome) {
        for (index, order) in self.table.indexes.iter().zip(&mut self.indexes) {
            let entry = |row: &Option<Arc<Row>>| of_entry(index, &row.as_ref()?.item, &place);
            let new = entry(&now);
            if let Some(old) = entry(&before).filter(|old| new.as_ref() != Some(old)) {
                order.remove(&old);
            }
            if let (Some(new), Some(row)) = (new, &now) {
                order.insert(new, row.clone());
            }
        }
        match now {
            Some(row) => drop(self.items.insert(place, row)),
            None => drop(self.items.remove(&place)),
        }
    }
}

/// Checks that a stored table can be extended to `wanted` without losing data.
fn fits(stored: &Table, wanted: &Table) -> Result<(), Error> {
    let refused = |what: String| {
        let message =
            format!("the table `{}` has {what}: change the model, or make a new table", stored.name);
        Err(Error::invalid(CoreCode::TableDoesNotFit, Message::raw(message)))
    };
    if (&stored.pk, &stored.sk) != (&wanted.pk, &wanted.sk) {
        return refused(format!("the key {} / {}", stored.pk, stored.sk));
    }
    for index in &wanted.indexes {
        let known = stored.indexes.iter().find(|known| known.name == index.name);
        if known.is_some_and(|known| shape(known) != shape(index)) {
            return refused(format!("another index `{}`", index.name));
        }
    }
    Ok(())
}

/// Parts of an index that must not change.
fn shape(index: &Index) -> impl PartialEq {
    let carried = match &index.projection {
        Projection::Include(names) => {
            let mut names = names.clone();
            names.sort();
            Projection::Include(names)
        }
        other => other.clone(),
    };
    let sk = index.sk.clone().map(|sk| (sk, index.sk_numeric));
    (index.pk.clone(), index.pk_numeric, sk, carried)
}
