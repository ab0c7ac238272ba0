//! The conformance suite of files: behaviours by topic, and their list.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::TryStreamExt as _;
use hansang_core::files::{FileBody, Files};
use tempfile::TempDir;

use crate::run;

pub mod delete;
pub mod get;
pub mod keys;
pub mod put;

/// A behaviour of the suite.
pub type Behaviour = for<'t> fn(&'t Trial) -> Pin<Box<dyn Future<Output = ()> + Send + 't>>;

/// Files, which other trials may use at the same time under other folders.
pub struct Trial {
    /// Files under test.
    pub files: Arc<dyn Files>,
    /// The folder of this trial.
    pub folder: String,
    /// The place of files that are to be stored.
    workspace: TempDir,
    _kept: Option<Box<dyn Any + Send + Sync>>,
}

impl Trial {
    /// A trial of files. `kept` lives as long.
    ///
    /// # Panics
    /// When there is no place for temporary files.
    #[must_use]
    pub fn new(files: Arc<dyn Files>, kept: Option<Box<dyn Any + Send + Sync>>) -> Self {
        static TRIALS: AtomicU32 = AtomicU32::new(0);
        let folder = format!("trial-{}-{}", std::process::id(), TRIALS.fetch_add(1, Ordering::Relaxed));
        Self { files, folder, workspace: tempfile::tempdir().unwrap(), _kept: kept }
    }

    /// A key in the folder of this trial.
    #[must_use]
    pub fn key(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }

    /// Stores a file in the folder of this trial.
    ///
    /// # Panics
    /// When it is not stored.
    pub async fn put(&self, name: &str, content: &[u8]) {
        let file = tempfile::NamedTempFile::new_in(&self.workspace).unwrap();
        std::fs::write(file.path(), content).unwrap();
        self.files.put(&self.key(name), "text/plain", file.path()).await.unwrap();
    }

    /// A file in the folder of this trial.
    ///
    /// # Panics
    /// When it cannot be read.
    pub async fn get(&self, name: &str, range: Option<Range<u64>>) -> Option<FileBody> {
        self.files.get(&self.key(name), range).await.unwrap()
    }

    /// The content of a file in the folder of this trial.
    pub async fn content(&self, name: &str) -> Option<Vec<u8>> {
        Some(read(self.get(name, None).await?).await)
    }
}

impl fmt::Debug for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trial")
            .field("files", &self.files)
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

/// The content of a file, whose length is checked.
///
/// # Panics
/// When it cannot be read to its end.
pub async fn read(body: FileBody) -> Vec<u8> {
    let FileBody { range, chunks, .. } = body;
    let pieces: Vec<_> = chunks.try_collect().await.unwrap();
    let content = pieces.concat();
    assert_eq!(content.len() as u64, range.end - range.start);
    content
}

/// Content that differs at every place.
#[must_use]
pub fn content(size: usize) -> Vec<u8> {
    (0..size.div_ceil(8) as u64).flat_map(u64::to_be_bytes).take(size).collect()
}

/// Runs a behaviour, which must hold, or must fail if `exceptions` names it.
///
/// # Panics
/// When the behaviour fails, or holds despite an exception.
pub async fn run(trial: Trial, name: &str, exceptions: &[(&str, &str)]) {
    let behaviour = run::find(BEHAVIOURS, name);
    run::hold(name, exceptions, async move { behaviour(&trial).await }).await;
}

/// Checks that every exception names a behaviour and gives a reason.
///
/// # Panics
/// When one is invalid.
pub fn check_exceptions(exceptions: &[(&str, &str)]) {
    run::check_reasons(BEHAVIOURS, exceptions);
}

/// Passes the list of all behaviours to a macro of this crate.
#[doc(hidden)]
#[macro_export]
macro_rules! files_behaviours {
    ($callback:ident { $($context:tt)* }) => {
        $crate::$callback! {
            { $($context)* }
            put {
                keeps_content
                keeps_an_empty_file
                keeps_a_large_file
                replaces_a_file
                replaces_a_large_file_by_a_small_one
                stores_many_at_once
                refuses_a_missing_source
            }
            get {
                finds_nothing
                finds_no_folder
                gives_ranges
                gives_ranges_that_end_with_the_file
                gives_empty_ranges
                gives_ranges_of_an_empty_file
                reads_while_the_file_is_replaced
            }
            delete {
                removes_a_file
                can_be_repeated
                keeps_its_neighbours
                removes_no_folder
                of_a_folder_removes_all_below
                of_a_folder_keeps_its_neighbours
                of_a_folder_can_be_repeated
                of_a_folder_takes_many_files
            }
            keys {
                may_be_nested_and_long
                are_refused_everywhere
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! named_files_behaviours {
    ({} $($area:ident { $($name:ident)* })*) => {
        &[$($((concat!(stringify!($area), "::", stringify!($name)), |trial| Box::pin($area::$name(trial)))),*),*]
    };
}

/// All behaviours, named by topic and function.
pub const BEHAVIOURS: &[(&str, Behaviour)] = files_behaviours!(named_files_behaviours {});

/// Generates a test per behaviour, on the [`Trial`] of the expression.
///
/// The expression may await. Each exception has its reason.
#[macro_export]
macro_rules! files_conformance {
    ($trial:expr) => {
        $crate::files_conformance!($trial, except []);
    };
    ($trial:expr, except [$($area:ident :: $name:ident: $reason:literal),* $(,)?]) => {
        $crate::files_behaviours! { conformance_tests {
            files_suite ($trial) (&[$((concat!(stringify!($area), "::", stringify!($name)), $reason)),*])
        } }
    };
}
