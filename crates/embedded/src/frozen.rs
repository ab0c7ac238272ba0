//! Snapshots for backups.

use std::fmt;
use std::sync::{Arc, PoisonError};

use hansang_core::plan::Scan;
use hansang_core::{Page, StoreError, Table};

use crate::current::FrozenSlot;
use crate::reader::Reader;

/// All tables as they were when [`crate::Embedded::freeze`] was called. Replaced data stays on disk until
/// this is dropped.
pub struct Frozen(Arc<FrozenSlot>);

impl Frozen {
    pub(crate) fn new(slot: Arc<FrozenSlot>) -> Self {
        Self(slot)
    }

    /// Returns a page of a table: see [`hansang_core::Store::scan`].
    ///
    /// # Errors
    /// When there is no such table, it cannot be read, or the snapshot ended because a write to the directory
    /// failed.
    pub fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((opened, snapshot)) = &*slot else {
            return Err(StoreError::unavailable("the snapshot ended because a write failed: start again"));
        };
        let stored = opened.catalog.get(&table.name)?;
        Reader { engine: &opened.engine, snapshot, stored: &stored, rows: None }.scan(scan)
    }
}

impl fmt::Debug for Frozen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frozen").finish_non_exhaustive()
    }
}
