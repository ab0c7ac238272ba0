//! The settings of documents.

use std::path::{Path, PathBuf};

use hansang_command::{Config, Failure, Setting};
use hansang_documents::MAX_FILE;

/// All settings.
pub(crate) const ALL: &[Setting] = &[
    Setting::new(
        "documents-files",
        "DIR",
        "",
        "The directory of files and of uploads that are not complete; below the data directory if it is empty",
    ),
    Setting::new(
        "documents-cache",
        "KIND",
        "none",
        "Where lists are cached: none, or memory for the memory of this process",
    ),
    Setting::new("documents-cache-mb", "N", "64", "The maximum size of a cache in memory"),
    Setting::new("documents-upload-mb", "N", "500", "The maximum size of an uploaded file, at most 500"),
];

/// Where lists are cached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CacheKind {
    /// Nowhere: each list is read from the store.
    None,
    /// In the memory of this process, at most this many bytes.
    Memory(u64),
}

impl CacheKind {
    /// The value of the setting.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Memory(_) => "memory",
        }
    }
}

/// The values of the settings.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The directory of files, of uploads that are not complete, and of the index.
    pub(crate) folder: PathBuf,
    /// Where lists are cached.
    pub(crate) cache: CacheKind,
    /// The maximum size of a file in bytes.
    pub(crate) max_file: i64,
}

impl Settings {
    /// Reads the settings.
    ///
    /// # Errors
    /// The first invalid one.
    pub(crate) fn of(config: &Config) -> Result<Self, Failure> {
        let given = |name: &str| config.text(name).filter(|text| !text.is_empty());
        let below = Path::new(config.text("data").unwrap_or("hansang-data")).join("documents");
        let megabytes: u64 = config.need("documents-cache-mb", "a whole number of megabytes")?;
        let cache = match config.text("documents-cache").unwrap_or("none") {
            "none" => CacheKind::None,
            "memory" => CacheKind::Memory(megabytes << 20),
            other => {
                return Err(Failure::usage(format!(
                    "documents-cache: `{other}` is no kind of cache: use none or memory"
                )));
            }
        };
        let largest: u32 = config.need("documents-upload-mb", "a whole number of megabytes")?;
        let max_file = i64::from(largest) << 20;
        if !(1..=MAX_FILE).contains(&max_file) {
            return Err(Failure::usage(format!(
                "documents-upload-mb: `{largest}` is not from 1 to {}: change it",
                MAX_FILE >> 20
            )));
        }
        Ok(Self { folder: given("documents-files").map_or(below, PathBuf::from), cache, max_file })
    }
}
