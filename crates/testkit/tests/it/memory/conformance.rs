//! The conformance suite of stores.

use std::sync::Arc;

use hansang_core::Store;
use hansang_testkit::memory::Memory;

hansang_testkit::conformance!(Arc::new(Memory::new()) as Arc<dyn Store>);
