//! Histograms of durations, with fixed buckets.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The upper bounds of the buckets: microseconds, and seconds as Prometheus writes them.
pub(super) const STEPS: [(u64, &str); 14] = [
    (500, "0.0005"),
    (1_000, "0.001"),
    (2_500, "0.0025"),
    (5_000, "0.005"),
    (10_000, "0.01"),
    (25_000, "0.025"),
    (50_000, "0.05"),
    (100_000, "0.1"),
    (250_000, "0.25"),
    (500_000, "0.5"),
    (1_000_000, "1"),
    (2_500_000, "2.5"),
    (5_000_000, "5"),
    (10_000_000, "10"),
];

/// Counts by bucket, and their sum.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    /// One more than there are buckets, for durations above all bounds.
    counts: [AtomicU64; STEPS.len() + 1],
    nanoseconds: AtomicU64,
}

impl Histogram {
    pub(super) fn record(&self, took: Duration) {
        let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        let step = STEPS.partition_point(|(end, _)| end * 1000 < nanoseconds);
        self.counts[step].fetch_add(1, Ordering::Relaxed);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// The cumulative count of each bucket, then the total.
    pub(super) fn cumulative(&self) -> [u64; STEPS.len() + 1] {
        let mut sum = 0;
        self.counts.each_ref().map(|count| {
            sum += count.load(Ordering::Relaxed);
            sum
        })
    }

    pub(super) fn seconds(&self) -> f64 {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed)).as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upper_bound_belongs_to_its_bucket() {
        let histogram = Histogram::default();
        for micros in [0, 500, 501, 10_000_000, 10_000_001] {
            histogram.record(Duration::from_micros(micros));
        }
        let all = histogram.cumulative();
        assert_eq!((all[0], all[1], all[12], all[13], all[14]), (2, 3, 3, 4, 5));
        assert!((histogram.seconds() - 20.001_002).abs() < 1e-9);
    }

    #[test]
    fn bounds_are_written_in_seconds() {
        for (micros, text) in STEPS {
            assert_eq!(Duration::from_micros(micros).as_secs_f64().to_string(), text);
        }
    }
}
