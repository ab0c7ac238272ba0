//! Trying again: how often, after what pause, and what is known of the attempts before.

use std::time::Duration;

use hansang_core::StoreError;
use hansang_core::store::Unavailable;

use crate::error::{Effect, Failure};

/// The longest pause between two attempts.
const LONGEST: Duration = Duration::from_secs(2);

/// How often, and how slowly, something is tried again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Retries {
    /// The most attempts.
    pub(crate) attempts: u32,
    /// The longest pause before the second attempt; it doubles with each.
    pub(crate) base: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self { attempts: 8, base: Duration::from_millis(25) }
    }
}

/// How attempts ended.
#[derive(Debug)]
pub(crate) struct Tried<T, E = StoreError> {
    /// What the last attempt gave.
    pub(crate) result: Result<T, E>,
    /// Whether one of the attempts may have taken effect without saying so.
    pub(crate) unsure: bool,
}

impl Retries {
    /// Attempts until one succeeds, is refused, or there were enough. What is not `repeatable` is
    /// not tried again once it may have taken effect.
    pub(crate) async fn run<T, E, F>(&self, repeatable: bool, attempt: impl Fn() -> F) -> Tried<T, E>
    where
        F: Future<Output = Result<T, Failure<E>>>,
    {
        let mut unsure = false;
        let mut count = 0;
        loop {
            count += 1;
            let failure = match attempt().await {
                Ok(done) => return Tried { result: Ok(done), unsure },
                Err(failure) => failure,
            };
            unsure |= failure.effect == Effect::Unknown;
            let again = match failure.effect {
                Effect::Refused => false,
                Effect::Nothing => true,
                Effect::Unknown => repeatable,
            };
            if !again || count >= self.attempts {
                return Tried { result: Err(failure.error), unsure };
            }
            self.pause(count).await;
        }
    }

    /// A read: it changes nothing, so it can always be tried again.
    pub(crate) async fn read<T, E, F>(&self, attempt: impl Fn() -> F) -> Result<T, E>
    where
        F: Future<Output = Result<T, Failure<E>>>,
    {
        self.run(true, attempt).await.result
    }

    /// The pause after so many attempts: any time up to a limit that doubles, so that clients which
    /// were turned away together do not come back together.
    pub(crate) async fn pause(&self, attempts: u32) {
        let most = self.base.saturating_mul(1 << attempts.saturating_sub(1).min(16)).min(LONGEST);
        tokio::time::sleep(most.mul_f64(fastrand::f64())).await;
    }
}

impl<T> Tried<T> {
    /// The result of a write. `answered` says which errors still mean that nothing was written after
    /// an attempt that may have taken effect.
    pub(crate) fn of_write(self, answered: impl Fn(&StoreError) -> bool) -> Result<T, StoreError> {
        self.result.map_err(|error| if self.unsure && !answered(&error) { unknown(error) } else { error })
    }
}

/// A write that may or may not have taken effect.
pub(crate) fn unknown(error: StoreError) -> StoreError {
    let message = format!("{error}; the write may have taken effect all the same: read before you try again");
    let source = match error {
        StoreError::Unavailable(Unavailable { source, .. }) => source,
        _ => None,
    };
    StoreError::Unavailable(Unavailable { message, outcome_unknown: true, source })
}
