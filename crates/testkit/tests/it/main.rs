//! Tests of the suites, the fault-injecting store, the memory store and the simulated world.

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

/// A store in a temporary directory, which must outlive it.
fn embedded() -> (Arc<dyn Store>, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let now = Arc::new(|| jiff::Timestamp::from_second(1_800_000_000).unwrap());
    let store = Embedded::open(directory.path(), Options::new(now)).unwrap();
    (Arc::new(store), directory)
}
