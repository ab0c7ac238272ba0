//! The figures of an event, and its recent rate of decisions.
//!
//! Not stored: the rate is computed from the samples of this server.

use std::time::Duration;

use hansang_entry::Board;
use jiff::Timestamp;

/// The number of intervals of the chart, and their length.
const INTERVALS: u32 = 30;
const INTERVAL: Duration = Duration::from_secs(10);

/// A snapshot of an event with recent samples.
pub(crate) struct Glance {
    pub(crate) board: Board,
    pub(crate) at: Timestamp,
    /// The time of the first sample.
    pub(crate) since: Timestamp,
    /// The number of decided requests by time, oldest first.
    samples: Vec<(Timestamp, u64)>,
}

impl Glance {
    /// Adds a sample to the previous ones.
    pub(crate) fn after(last: Option<&Self>, board: Board, now: Timestamp) -> Self {
        let decided = board.succeeded + board.rejected + board.failed;
        let samples = last.map(|last| &*last.samples).unwrap_or_default();
        Self {
            board,
            at: now,
            since: last.map_or(now, |last| last.since),
            samples: seen(samples, (now, decided)),
        }
    }

    /// The latest known number of decisions per second, if any were made.
    pub(crate) fn rate(&self) -> Option<f64> {
        self.pace().into_iter().rev().find_map(|(_, pace)| pace).filter(|pace| *pace > 0.0)
    }

    /// The decisions per second in each interval with its end, oldest first; `None` without samples.
    pub(crate) fn pace(&self) -> Vec<(Timestamp, Option<f64>)> {
        let interval = |back: u32| {
            let (end, start) = (self.at - INTERVAL * back, self.at - INTERVAL * (back + 1));
            let decided = (decided_until(&self.samples, end), decided_until(&self.samples, start));
            let pace = match decided {
                // A failed request that is sent again lowers the count, so the rate is at least 0.
                (Some(end), Some(start)) => Some((end - start).max(0.0) / INTERVAL.as_secs_f64()),
                _ => None,
            };
            (end, pace)
        };
        (0..INTERVALS).rev().map(interval).collect()
    }
}

/// Adds a sample, and drops those older than the chart.
fn seen(samples: &[(Timestamp, u64)], now: (Timestamp, u64)) -> Vec<(Timestamp, u64)> {
    let start = now.0 - INTERVAL * INTERVALS;
    // Keeps the last sample before the start, for the interpolation.
    let first = samples.partition_point(|(at, _)| *at <= start).saturating_sub(1);
    let kept = samples[first..].iter().filter(|(at, _)| *at < now.0);
    kept.copied().chain([now]).collect()
}

/// The number of decided requests at a time, interpolated between two samples.
fn decided_until(samples: &[(Timestamp, u64)], time: Timestamp) -> Option<f64> {
    let next = samples.iter().position(|(at, _)| *at >= time)?;
    let (at, count) = samples[next];
    if at == time {
        return Some(count as f64);
    }
    let (before, known) = *samples.get(next.checked_sub(1)?)?;
    let share = time.duration_since(before).as_secs_f64() / at.duration_since(before).as_secs_f64();
    Some(known as f64 + (count as f64 - known as f64) * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    #[test]
    fn the_rate_is_interpolated_between_samples() {
        let samples = [(at(0), 100), (at(10), 200), (at(30), 200)];
        let known = [-1, 0, 5, 10, 20, 30, 31].map(|second| decided_until(&samples, at(second)));
        let expected = [None, Some(100.0), Some(150.0), Some(200.0), Some(200.0), Some(200.0), None];
        assert_eq!(known, expected);
    }

    #[test]
    fn old_samples_are_dropped() {
        let mut samples = Vec::new();
        for second in 0..1000 {
            samples = seen(&samples, (at(second), 0));
        }
        assert_eq!((samples[0].0, samples.len()), (at(699), 301));
        // A clock that is set back replaces the later samples.
        assert_eq!(seen(&samples, (at(800), 7)).last(), Some(&(at(800), 7)));
        assert_eq!(seen(&samples, (at(800), 7)).len(), 102);
    }
}
