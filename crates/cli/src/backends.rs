//! The files and caches that systems are opened with.

use std::sync::Arc;

use hansang_command::{CachePlace, FilesPlace, Backends};
use hansang_core::cache::Cache;
use hansang_core::files::Files;
use hansang_embedded::{Directory, MemoryCache};

/// What this program lends to its systems.
pub(crate) const BACKENDS: Backends = Backends {
    files: |place| {
        Box::pin(async move {
            let FilesPlace::Directory(path) = place;
            Ok(Arc::new(Directory::new(&path)) as Arc<dyn Files>)
        })
    },
    cache: |place| {
        Box::pin(async move {
            let CachePlace::Memory(max_bytes, clock) = place;
            Ok(Arc::new(MemoryCache::new(max_bytes, Arc::new(move || clock.moment().now))) as Arc<dyn Cache>)
        })
    },
};
