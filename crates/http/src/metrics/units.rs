//! Capacity units of requests on DynamoDB, computed from requests and responses.
//!
//! No further request is made, so the units are exact where the store returns the whole item, and otherwise a lower
//! bound: a projection or a filter hides what was read, a put does not return the replaced item, and the updates and
//! deletions of a transaction do not return their items. An entry that moves within an index counts once, though it is
//! removed and written.

use hansang_core::cost::{half_units_read, units_written};
use hansang_core::model::Index;
use hansang_core::plan::{Action, Change, Write};
use hansang_core::value::item_size;
use hansang_core::{Item, Name, Table, Value};

/// Capacity units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Units {
    /// Halves of read units, so that they are whole numbers.
    pub(super) half_read: u64,
    /// Write units of the table.
    pub(super) written: u64,
    /// Write units of its indexes.
    pub(super) index_written: u64,
}

impl Units {
    /// The sum of both.
    #[must_use]
    pub(super) fn plus(self, more: Self) -> Self {
        Self {
            half_read: self.half_read + more.half_read,
            written: self.written + more.written,
            index_written: self.index_written + more.index_written,
        }
    }
}

/// One item read by its key: rounded by itself; a missing item costs the minimum.
pub(super) fn of_get(item: Option<&Item>, consistent: bool) -> Units {
    Units { half_read: half_units_read(item.map_or(0, item_size), consistent), ..Units::default() }
}

/// One response of a query or scan: its items are rounded together.
pub(super) fn of_page(items: &[Item], consistent: bool) -> Units {
    let bytes = items.iter().map(item_size).sum();
    Units { half_read: half_units_read(bytes, consistent), ..Units::default() }
}

/// A write before its execution, when all its data is available.
pub(super) struct Asked {
    /// The lower bound of its cost, from the request alone.
    units: Units,
    /// The attributes that it changes; `None` for all.
    changed: Option<Vec<Name>>,
}

impl Asked {
    pub(super) fn new(table: &Table, write: &Write) -> Self {
        let keys = [Value::from(write.key.pk.as_str()), Value::from(write.key.sk.as_str())];
        let mut known: Vec<(&Name, &Value)> = Vec::new();
        let mut changed = None;
        match &write.action {
            Action::Put(item) => return Self { units: of_item(table, item, None), changed },
            Action::Update(changes) => {
                known.extend([&table.pk, &table.sk].into_iter().zip(&keys));
                known.extend(changes.iter().filter_map(|(path, change)| match change {
                    Change::Set(value) if path.inside.is_empty() => Some((&path.root, value)),
                    _ => None,
                }));
                changed = Some(changes.iter().map(|(path, _)| path.root.clone()).collect());
            }
            Action::Delete | Action::Check => {}
        }
        Self { units: of_attributes(table, &known, changed.as_deref()), changed }
    }

    /// The units of a successful write; `known` is the item that the store returned.
    pub(super) fn done(&self, table: &Table, known: Option<&Item>) -> Units {
        known.map_or(self.units, |item| of_item(table, item, self.changed.as_deref()))
    }

    /// The units of a write whose guards failed: those of the larger of both items, without indexes.
    pub(super) fn refused(&self, found: Option<&Item>) -> Units {
        let written = self.units.written.max(units_written(found.map_or(0, item_size)));
        Units { written, ..Units::default() }
    }
}

/// The units of a transaction: each write is prepared and then committed. When `refused`, no index is written.
pub(super) fn of_transaction(writes: &[Asked], refused: bool) -> Units {
    let mut sum = Units::default();
    for write in writes {
        sum.written += 2 * write.units.written;
        sum.index_written += if refused { 0 } else { write.units.index_written };
    }
    sum
}

/// A write of an item, of which these attributes changed.
pub(super) fn of_item(table: &Table, item: &Item, changed: Option<&[Name]>) -> Units {
    of_attributes(table, &item.iter().collect::<Vec<_>>(), changed)
}

fn of_attributes(table: &Table, item: &[(&Name, &Value)], changed: Option<&[Name]>) -> Units {
    let bytes = |kept: &dyn Fn(&Name) -> bool| -> usize {
        item.iter().filter(|(name, _)| kept(name)).map(|(name, value)| name.len() + value.size()).sum()
    };
    let has = |wanted: &Name| item.iter().any(|(name, _)| *name == wanted);
    let touched = |index: &&Index| {
        changed.is_none_or(|changed| changed.iter().any(|name| index.carries(table, name)))
            && has(&index.pk)
            && index.sk.as_ref().is_none_or(has)
    };
    let entries = table.indexes.iter().filter(touched);
    Units {
        half_read: 0,
        written: units_written(bytes(&|_| true)),
        index_written: entries.map(|index| units_written(bytes(&|name| index.carries(table, name)))).sum(),
    }
}
