//! Tests of the suite itself, and of the store that fails on purpose.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod differential;
mod faults;
mod listed;
mod memory;
mod world;

use std::sync::Arc;

use hansang_core::Store;
use hansang_embedded::{Embedded, Options};
use tempfile::TempDir;

/// A store in a directory of its own, which must be kept as long as the store.
fn embedded() -> (Arc<dyn Store>, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let now = Arc::new(|| jiff::Timestamp::from_second(1_800_000_000).unwrap());
    let store = Embedded::open(directory.path(), Options::new(now)).unwrap();
    (Arc::new(store), directory)
}
