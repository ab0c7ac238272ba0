//! Everything as it was at one moment: for backups.

use std::fmt;
use std::sync::Arc;

use hansang_core::plan::Scan;
use hansang_core::{Page, StoreError, Table};

use crate::catalog::Catalog;
use crate::engine::{Engine, Snapshot};
use crate::reader::Reader;

/// The tables as they were when [`crate::Embedded::freeze`] was called. Writes go on meanwhile; what
/// they replace stays on disk until this is dropped.
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

    /// A page of a table: see [`hansang_core::Store::scan`].
    ///
    /// # Errors
    /// When there is no such table, or it cannot be read.
    pub fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        let shelf = self.catalog.get(&table.name)?;
        Reader { engine: &self.engine, snapshot: &self.snapshot, shelf: &shelf, rows: None }.scan(scan)
    }
}

impl fmt::Debug for Frozen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frozen").finish_non_exhaustive()
    }
}
