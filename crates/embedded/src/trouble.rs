//! A store that cannot write: when to try again, and what callers are told in the meantime.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use hansang_core::StoreError;
use hansang_core::store::Unavailable;

/// First interval between attempts. It doubles up to [`MAX_INTERVAL`].
const MIN_INTERVAL: Duration = Duration::from_millis(100);
const MAX_INTERVAL: Duration = Duration::from_secs(5);
/// File that an attempt writes and removes.
const PROBE: &str = "hansang.probe";
const PROBE_BYTES: usize = 1024 * 1024;
/// File descriptors that an attempt needs.
const PROBE_DESCRIPTORS: usize = 32;

/// The state of a store since a write failed.
pub(crate) struct Trouble {
    error: StoreError,
    interval: Duration,
    next: Instant,
}

impl Trouble {
    /// Begins, and logs the error once.
    pub(crate) fn begin(error: &StoreError) -> Self {
        tracing::error!(%error, "the store cannot write; it tries again until it can");
        let error = with_outcome(error.clone(), false);
        Self { error, interval: MIN_INTERVAL, next: Instant::now() + MIN_INTERVAL }
    }

    /// The error for requests that are not even tried: nothing was written.
    pub(crate) fn error(&self) -> StoreError {
        self.error.clone()
    }

    /// Returns whether it is time for another attempt, which is then the last one for a while.
    pub(crate) fn is_due(&mut self) -> bool {
        let due = Instant::now() >= self.next;
        if due {
            self.interval = (self.interval * 2).min(MAX_INTERVAL);
            self.next = Instant::now() + self.interval;
        }
        due
    }

    /// Replaces the error by a later one.
    pub(crate) fn goes_on(&mut self, error: &StoreError) {
        self.error = with_outcome(error.clone(), false);
        self.next = Instant::now() + self.interval;
    }
}

/// Sets whether a failed write may have taken effect.
pub(crate) fn with_outcome(error: StoreError, outcome_unknown: bool) -> StoreError {
    match error {
        StoreError::Unavailable(unavailable) => {
            StoreError::Unavailable(Unavailable { outcome_unknown, ..unavailable })
        }
        other => other,
    }
}

/// Checks that the directory has room and the process has file descriptors, before an engine that can still
/// be read is closed.
pub(crate) fn probe(directory: &Path) -> io::Result<()> {
    let path = directory.join(PROBE);
    let write = || {
        let mut file = File::create(&path)?;
        file.write_all(&vec![1; PROBE_BYTES])?;
        file.sync_all()?;
        (0..PROBE_DESCRIPTORS).map(|_| File::open(&path)).collect::<io::Result<Vec<File>>>().map(drop)
    };
    let written = write();
    let removed = fs::remove_file(&path);
    written.and(removed)
}
