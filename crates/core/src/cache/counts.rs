//! What happened to a cache: statistics, and which of its errors are worth a warning.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of answers without an error after which errors count from the start again.
const CALM: u64 = 100;

/// What happened since the start of the process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Values that came from the cache.
    pub hits: u64,
    /// Values that were not in the cache, or could not be read.
    pub misses: u64,
    /// Values of the cache that were not used, because their stamp was another.
    pub stale: u64,
    /// Callers that waited for the value of another one.
    pub shared: u64,
    /// Values that were stored.
    pub fills: u64,
    /// Calls of the cache that failed.
    pub errors: u64,
    /// Invalidations.
    pub invalidations: u64,
}

/// One kind of event.
#[derive(Clone, Copy, Debug)]
pub(super) enum Count {
    Hit,
    Miss,
    Stale,
    Shared,
    Fill,
    Error,
    Invalidation,
}

/// Counters of events.
#[derive(Debug, Default)]
pub(super) struct Counts {
    counts: [AtomicU64; 7],
    /// The errors in the present trouble.
    trouble: AtomicU64,
    /// The successes since the last error.
    calm: AtomicU64,
}

impl Counts {
    pub(super) fn add(&self, count: Count) {
        self.counts[count as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn statistics(&self) -> Statistics {
        let read = |count: Count| self.counts[count as usize].load(Ordering::Relaxed);
        Statistics {
            hits: read(Count::Hit),
            misses: read(Count::Miss),
            stale: read(Count::Stale),
            shared: read(Count::Shared),
            fills: read(Count::Fill),
            errors: read(Count::Error),
            invalidations: read(Count::Invalidation),
        }
    }

    /// Notes an answer. Enough of them end the trouble.
    pub(super) fn succeeded(&self) {
        if self.trouble.load(Ordering::Relaxed) > 0 && self.calm.fetch_add(1, Ordering::Relaxed) + 1 >= CALM {
            self.trouble.store(0, Ordering::Relaxed);
        }
    }

    /// Notes an error. Returns the errors of the present trouble if this one is worth a warning: the first, second,
    /// fourth, eighth and so on. Core has no clock, and a cache that fails at every second call must not fill the log.
    pub(super) fn failed(&self) -> Option<u64> {
        self.add(Count::Error);
        self.calm.store(0, Ordering::Relaxed);
        let errors = self.trouble.fetch_add(1, Ordering::Relaxed) + 1;
        errors.is_power_of_two().then_some(errors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_become_rare_and_start_again_after_calm() {
        let counts = Counts::default();
        let warned: Vec<u64> = (0..1000).filter_map(|_| counts.failed()).collect();
        assert_eq!(warned, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
        counts.succeeded();
        assert_eq!(counts.failed(), None, "one answer does not end the trouble");
        for _ in 0..CALM {
            counts.succeeded();
        }
        assert_eq!(counts.failed(), Some(1));
        assert_eq!(counts.statistics(), Statistics { errors: 1002, ..Statistics::default() });
    }
}
