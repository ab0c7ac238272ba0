//! Distrust of a clock that jumps forward: a sweep would remove everything that expires until then.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// Maximum difference between the clock and the time that has passed.
const MAX_JUMP: SignedDuration = SignedDuration::from_hours(24);
/// Time after which a clock that jumped is trusted, if it has been steady.
pub(crate) const TRUST_AFTER: Duration = Duration::from_secs(6 * 60 * 60);

/// The last trusted time, and a later one that is not trusted yet.
pub(crate) struct ClockGuard {
    /// A time and the reading of a monotonic clock at that time.
    trusted: Option<(Timestamp, Duration)>,
    jumped: Option<(Timestamp, Duration)>,
}

/// Result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    Trusted,
    /// It jumped since the last check.
    Jumped,
    /// It jumped before, and has not been steady for long enough.
    Waiting,
}

impl ClockGuard {
    /// Begins with the last time that was trusted before the start.
    pub(crate) fn new(last: Option<Timestamp>) -> Self {
        Self { trusted: last.map(|last| (last, Duration::ZERO)), jumped: None }
    }

    /// Checks the time `now`, when a monotonic clock that began with this guard shows `elapsed`.
    pub(crate) fn check(&mut self, now: Timestamp, elapsed: Duration) -> Clock {
        let is_ahead = |(time, at): (Timestamp, Duration)| {
            let passed = SignedDuration::try_from(elapsed.saturating_sub(at)).unwrap_or(SignedDuration::MAX);
            now.duration_since(time) > passed.saturating_add(MAX_JUMP)
        };
        if self.trusted.is_some_and(is_ahead) {
            match self.jumped {
                Some(jumped) if !is_ahead(jumped) && now >= jumped.0 => {
                    if elapsed.saturating_sub(jumped.1) < TRUST_AFTER {
                        return Clock::Waiting;
                    }
                }
                _ => {
                    self.jumped = Some((now, elapsed));
                    return Clock::Jumped;
                }
            }
        }
        self.jumped = None;
        self.trusted = Some((now, elapsed));
        Clock::Trusted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 60 * 60;

    fn at(hours: u64) -> Timestamp {
        Timestamp::from_second((1_000_000 + hours * HOUR) as i64).unwrap()
    }

    fn passed(hours: u64) -> Duration {
        Duration::from_secs(hours * HOUR)
    }

    #[test]
    fn a_steady_clock_is_trusted_across_short_stops() {
        let mut guard = ClockGuard::new(Some(at(0)));
        // A day off, then running for years.
        for hours in [0, 1, 24, 10_000] {
            assert_eq!(guard.check(at(23 + hours), passed(hours)), Clock::Trusted);
        }
        assert_eq!(ClockGuard::new(None).check(at(99), passed(0)), Clock::Trusted);
        // Backwards nothing expires.
        assert_eq!(guard.check(at(5), passed(10_001)), Clock::Trusted);
    }

    #[test]
    fn a_jump_is_trusted_when_the_clock_has_been_steady() {
        let mut guard = ClockGuard::new(Some(at(0)));
        assert_eq!(guard.check(at(1), passed(1)), Clock::Trusted);
        assert_eq!(guard.check(at(50_000), passed(2)), Clock::Jumped);
        assert_eq!(guard.check(at(50_005), passed(7)), Clock::Waiting);
        assert_eq!(guard.check(at(50_006), passed(8)), Clock::Trusted);
    }

    #[test]
    fn a_clock_that_is_set_right_again_is_trusted_at_once() {
        let mut guard = ClockGuard::new(Some(at(0)));
        assert_eq!(guard.check(at(50_000), passed(1)), Clock::Jumped);
        assert_eq!(guard.check(at(2), passed(2)), Clock::Trusted);
        assert_eq!(guard.check(at(50_000), passed(3)), Clock::Jumped);
        assert_eq!(guard.check(at(90_000), passed(4)), Clock::Jumped);
    }
}
