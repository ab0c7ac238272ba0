//! Retries: number of attempts, pauses, and the effect of earlier attempts.

use std::time::Duration;

use hansang_core::StoreError;
use hansang_core::store::Unavailable;

use crate::error::{Effect, Failure};

/// Maximum pause between two attempts.
const MAX_PAUSE: Duration = Duration::from_secs(2);

/// Retry policy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Retries {
    /// Maximum number of attempts.
    pub(crate) attempts: u32,
    /// Maximum pause before the second attempt, doubled with each.
    pub(crate) base: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self { attempts: 8, base: Duration::from_millis(25) }
    }
}

/// Result of all attempts.
#[derive(Debug)]
pub(crate) struct Tried<T, E = StoreError> {
    /// Result of the last attempt.
    pub(crate) result: Result<T, E>,
    /// Whether an attempt may have taken effect without a response.
    pub(crate) unsure: bool,
}

impl Retries {
    /// Tries until an attempt succeeds, is refused, or the maximum is reached. Requests that are not
    /// `repeatable` are not retried once they may have taken effect.
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

    /// Runs a read, which can always be retried.
    pub(crate) async fn read<T, E, F>(&self, attempt: impl Fn() -> F) -> Result<T, E>
    where
        F: Future<Output = Result<T, Failure<E>>>,
    {
        self.run(true, attempt).await.result
    }

    /// Pauses for a random time up to a limit that doubles, so that clients do not return at the same time.
    pub(crate) async fn pause(&self, attempts: u32) {
        let max = self.base.saturating_mul(1 << attempts.saturating_sub(1).min(16)).min(MAX_PAUSE);
        tokio::time::sleep(max.mul_f64(fastrand::f64())).await;
    }
}

impl<T> Tried<T> {
    /// Returns the result of a write. `conclusive` selects errors that mean that nothing was written, even
    /// after an attempt that may have taken effect.
    pub(crate) fn of_write(self, conclusive: impl Fn(&StoreError) -> bool) -> Result<T, StoreError> {
        self.result.map_err(|error| if self.unsure && !conclusive(&error) { unknown(error) } else { error })
    }
}

/// Marks the outcome of a write as unknown.
pub(crate) fn unknown(error: StoreError) -> StoreError {
    let message = format!("{error}; the write may have taken effect all the same: read before you try again");
    let source = match error {
        StoreError::Unavailable(Unavailable { source, .. }) => source,
        _ => None,
    };
    StoreError::Unavailable(Unavailable { message, outcome_unknown: true, source })
}
