//! The files and caches of test servers: directories, and memory.

use std::sync::Arc;

use hansang_command::{Backends, CachePlace, FilesPlace};
use hansang_core::cache::Cache;
use hansang_core::files::Files;
use hansang_embedded::{Directory, MemoryCache};

/// Files in directories, and caches in memory.
#[must_use]
pub fn backends() -> Backends {
    Backends {
        files: |place| {
            Box::pin(async move {
                let FilesPlace::Directory(path) = place;
                Ok(Arc::new(Directory::new(&path)) as Arc<dyn Files>)
            })
        },
        cache: |place| {
            Box::pin(async move {
                let CachePlace::Memory(max_bytes, clock) = place;
                let now = Arc::new(move || clock.moment().now);
                Ok(Arc::new(MemoryCache::new(max_bytes, now)) as Arc<dyn Cache>)
            })
        },
    }
}
