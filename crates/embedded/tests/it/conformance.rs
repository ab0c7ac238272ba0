//! The conformance suite of stores.

use std::sync::Arc;

use hansang_core::Store;
use hansang_embedded::{Embedded, Options};
use tempfile::TempDir;

fn open() -> (Arc<dyn Store>, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let now = Arc::new(|| "2026-01-01T00:00:00Z".parse().unwrap());
    let store = Embedded::open(directory.path(), Options::new(now)).unwrap();
    (Arc::new(store), directory)
}

hansang_testkit::conformance!(open());
