//! Snapshots for backups.

use std::fmt;
use std::sync::Arc;

use hansang_core::plan::Scan;
use hansang_core::{Page, StoreError, Table};

use crate::catalog::Catalog;
use crate::engine::{Engine, Snapshot};
use crate::reader::Reader;

/// All tables as they were when [`crate::Embedded::freeze`] was called. Replaced data stays on disk until
/// this is dropped.
pub struct Frozen {
    engine: Arc<Engine>,
    catalog: Arc<Catalog>,
    snapshot: Snapshot,
}

impl Frozen {
    pub(crate) fn new(engine: Arc<Engine>, catalog: Arc<Catalog>) -> Self {
        let snapshot = engine.snapshot();
        Self { engine, catalog, snapshot }
    }

    /// Returns a page of a table: see [`hansang_core::Store::scan`].
    ///
    /// # Errors
    /// When there is no such table, or it cannot be read.
    pub fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        let stored = self.catalog.get(&table.name)?;
        Reader { engine: &self.engine, snapshot: &self.snapshot, stored: &stored, rows: None }.scan(scan)
    }
}

impl fmt::Debug for Frozen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frozen").finish_non_exhaustive()
    }
}
