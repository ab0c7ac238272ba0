//! What a program lends to its systems beside tables: files and caches. A system asks for them by its settings, and knows
//! no adapter.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use hansang_core::cache::Cache;
use hansang_core::db::Clock;
use hansang_core::files::Files;

use crate::Failure;

/// Where the files of a system are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilesPlace {
    /// A directory of this machine, which is created with the first file.
    Directory(PathBuf),
}

/// Where a system caches.
#[derive(Clone, Debug)]
pub enum CachePlace {
    /// The memory of this process, at most about this many bytes.
    Memory(u64, Clock),
}

/// Opens files.
pub type OpenFiles = fn(FilesPlace) -> BoxFuture<'static, Result<Arc<dyn Files>, Failure>>;
/// Opens a cache.
pub type OpenCache = fn(CachePlace) -> BoxFuture<'static, Result<Arc<dyn Cache>, Failure>>;

/// The files and caches that a program was built with.
#[derive(Clone, Copy)]
pub struct Backends {
    /// Opens files.
    pub files: OpenFiles,
    /// Opens a cache.
    pub cache: OpenCache,
}

impl fmt::Debug for Backends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Backends").finish_non_exhaustive()
    }
}
