//! An event at a glance, and how fast it was decided lately.
//!
//! Nothing of that is stored: a server knows what it saw since somebody first looked.

use std::time::Duration;

use hansang_entry::Board;
use jiff::Timestamp;

/// How many stretches of time the line has, and how long each is.
const STRETCHES: u32 = 30;
const STRETCH: Duration = Duration::from_secs(10);

/// An event at a glance.
pub(crate) struct Glance {
    pub(crate) board: Board,
    pub(crate) at: Timestamp,
    /// When this server began to look.
    pub(crate) since: Timestamp,
    /// How many requests were decided, whenever it looked, the first first.
    looks: Vec<(Timestamp, u64)>,
}

impl Glance {
    /// What is seen now, after what was seen before.
    pub(crate) fn after(last: Option<&Self>, board: Board, now: Timestamp) -> Self {
        let decided = board.succeeded + board.rejected + board.failed;
        let looks = last.map(|last| &*last.looks).unwrap_or_default();
        Self {
            board,
            at: now,
            since: last.map_or(now, |last| last.since),
            looks: seen(looks, (now, decided)),
        }
    }

    /// How many were decided in a second, stretch by stretch, the last at the end; nothing where nobody looked.
    /// Each has the time at which it ends.
    pub(crate) fn pace(&self) -> Vec<(Timestamp, Option<f64>)> {
        let stretch = |back: u32| {
            let (end, start) = (self.at - STRETCH * back, self.at - STRETCH * (back + 1));
            let decided = (decided_until(&self.looks, end), decided_until(&self.looks, start));
            let pace = match decided {
                // What failed and is sent again counts for nothing, not for less.
                (Some(end), Some(start)) => Some((end - start).max(0.0) / STRETCH.as_secs_f64()),
                _ => None,
            };
            (end, pace)
        };
        (0..STRETCHES).rev().map(stretch).collect()
    }
}

/// The looks with one more, as far back as the line goes.
fn seen(looks: &[(Timestamp, u64)], now: (Timestamp, u64)) -> Vec<(Timestamp, u64)> {
    let start = now.0 - STRETCH * STRETCHES;
    // The one before the start tells how it went there.
    let first = looks.partition_point(|(at, _)| *at <= start).saturating_sub(1);
    let kept = looks[first..].iter().filter(|(at, _)| *at < now.0);
    kept.copied().chain([now]).collect()
}

/// How many were decided until a time, on a straight line between two looks.
fn decided_until(looks: &[(Timestamp, u64)], time: Timestamp) -> Option<f64> {
    let next = looks.iter().position(|(at, _)| *at >= time)?;
    let (at, count) = looks[next];
    if at == time {
        return Some(count as f64);
    }
    let (before, known) = *looks.get(next.checked_sub(1)?)?;
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
    fn between_two_looks_it_went_evenly_and_before_the_first_nobody_knows() {
        let looks = [(at(0), 100), (at(10), 200), (at(30), 200)];
        let known = [-1, 0, 5, 10, 20, 30, 31].map(|second| decided_until(&looks, at(second)));
        let expected = [None, Some(100.0), Some(150.0), Some(200.0), Some(200.0), Some(200.0), None];
        assert_eq!(known, expected);
    }

    #[test]
    fn what_is_older_than_the_line_is_forgotten() {
        let mut looks = Vec::new();
        for second in 0..1000 {
            looks = seen(&looks, (at(second), 0));
        }
        assert_eq!((looks[0].0, looks.len()), (at(699), 301));
        // A clock that is set back goes on from there.
        assert_eq!(seen(&looks, (at(800), 7)).last(), Some(&(at(800), 7)));
        assert_eq!(seen(&looks, (at(800), 7)).len(), 102);
    }
}
