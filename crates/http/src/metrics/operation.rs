//! The operations of a system, and their cost in the store.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use hansang_core::{Error, ErrorKind};

use super::Metrics;
use super::histogram::Histogram;
use super::units::Units;

/// The outcome of an operation.
pub(super) const OUTCOMES: [&str; 10] = [
    "ok",
    "invalid",
    "unauthenticated",
    "forbidden",
    "not_found",
    "conflict",
    "limited",
    "unavailable",
    "internal",
    "given_up",
];
const OK: usize = 0;
const GIVEN_UP: usize = 9;

/// One operation, or access pattern, of one system.
#[derive(Debug, Default)]
pub(super) struct Operation {
    pub(super) by_outcome: [AtomicU64; OUTCOMES.len()],
    pub(super) latency: Histogram,
    pub(super) half_units_read: AtomicU64,
    pub(super) units_written: AtomicU64,
    pub(super) index_units_written: AtomicU64,
}

impl Operation {
    pub(super) fn spend(&self, units: Units) {
        self.half_units_read.fetch_add(units.half_read, Ordering::Relaxed);
        self.units_written.fetch_add(units.written, Ordering::Relaxed);
        self.index_units_written.fetch_add(units.index_written, Ordering::Relaxed);
    }
}

tokio::task_local! {
    static CURRENT: Arc<Operation>;
}

impl Metrics {
    /// Runs an operation, and counts it, its duration, and its cost in a [`super::Metered`] store.
    ///
    /// `system` and `operation` are names from models and code, never from requests. A future that is dropped before
    /// its end counts as cancelled. The cost of spawned tasks is not included.
    ///
    /// # Errors
    /// Those of the operation.
    pub async fn observe<T>(
        &self,
        system: &str,
        operation: &str,
        future: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        self.observe_as(system, operation, future, |error: &Error| error.kind).await
    }

    /// Runs an operation with errors of another type, which `kind` classifies.
    pub async fn observe_as<T, E>(
        &self,
        system: &str,
        operation: &str,
        future: impl Future<Output = Result<T, E>>,
        kind: impl Fn(&E) -> ErrorKind,
    ) -> Result<T, E> {
        let operation = self.operation(system, operation);
        let mut ending = Ending { operation: operation.clone(), start: Instant::now(), outcome: GIVEN_UP };
        let result = CURRENT.scope(operation, future).await;
        ending.outcome = result.as_ref().map_or_else(|error| failed(kind(error)), |_| OK);
        result
    }

    /// Adds units to the operation that is being observed.
    pub(super) fn spend(&self, units: Units) {
        if CURRENT.try_with(|operation| operation.spend(units)).is_err() {
            self.operation("none", "none").spend(units);
        }
    }
}

/// Counts on drop, so that cancelled operations are counted too.
struct Ending {
    operation: Arc<Operation>,
    start: Instant,
    outcome: usize,
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.operation.by_outcome[self.outcome].fetch_add(1, Ordering::Relaxed);
        self.operation.latency.record(self.start.elapsed());
    }
}

/// The index of an error among the outcomes.
fn failed(kind: ErrorKind) -> usize {
    match kind {
        ErrorKind::Invalid => 1,
        ErrorKind::Unauthenticated => 2,
        ErrorKind::Forbidden => 3,
        ErrorKind::NotFound => 4,
        ErrorKind::Conflict | ErrorKind::Precondition | ErrorKind::Corrupt => 5,
        ErrorKind::Limited => 6,
        ErrorKind::Unavailable => 7,
        ErrorKind::Internal => 8,
    }
}
