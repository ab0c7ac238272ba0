//! A cache of reads that many pages share.
//!
//! Each key is read about once a second, independent of the number of visitors.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hansang_core::db::Clock;
use hansang_core::{Error, ErrorKind};
use jiff::Timestamp;

/// The time to live of a result. Less than a second, so that a page that reloads every second gets a new result each
/// time.
const TTL: Duration = Duration::from_millis(750);
/// The maximum number of slots. Beyond it the cache is cleared, which costs one read per key.
const MAX_SLOTS: usize = 1000;

/// Cached results by key.
pub(crate) struct Shared<T>(Mutex<HashMap<String, Arc<Slot<T>>>>);

type Slot<T> = tokio::sync::Mutex<Kept<T>>;

struct Kept<T> {
    /// The last result and its time. Outages are cached too, because retrying would add load.
    answer: Option<(Timestamp, Result<T, Error>)>,
    /// The last successful result.
    last: Option<T>,
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Shared<T> {
    /// Returns the cached result if it is fresh, otherwise calls `ask` with the last successful result. Concurrent
    /// callers wait for it.
    pub(crate) async fn get<F>(
        &self,
        key: &str,
        clock: &Clock,
        ask: impl FnOnce(Option<T>) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let slot = self.slot(key);
        let mut kept = slot.lock().await;
        let now = clock.moment().now;
        if let Some((at, answer)) = &kept.answer
            && is_fresh(*at, now)
        {
            return answer.clone();
        }
        let answer = ask(kept.last.clone()).await;
        if let Ok(value) = &answer {
            kept.last = Some(value.clone());
        }
        let keeps = answer.as_ref().map_or_else(|error| error.kind == ErrorKind::Unavailable, |_| true);
        kept.answer = keeps.then(|| (now, answer.clone()));
        answer
    }

    /// Drops the cached result of a key.
    pub(crate) async fn forget(&self, key: &str) {
        self.slot(key).lock().await.answer = None;
    }

    fn slot(&self, key: &str) -> Arc<Slot<T>> {
        // A panic cannot leave a slot in an inconsistent state.
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= MAX_SLOTS && !slots.contains_key(key) {
            slots.clear();
        }
        let empty = || Arc::new(Slot::new(Kept { answer: None, last: None }));
        slots.entry(key.to_owned()).or_insert_with(empty).clone()
    }
}

fn is_fresh(at: Timestamp, now: Timestamp) -> bool {
    // Results of the future are stale: the clock was set back.
    at <= now && now < at + TTL
}

#[cfg(test)]
mod tests {
    use hansang_core::{CoreCode, Message};
    use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

    use hansang_core::write::Moment;

    use super::*;

    fn clock() -> (Arc<AtomicU64>, Clock) {
        let seconds = Arc::new(AtomicU64::new(1000));
        let told = seconds.clone();
        let now = move || Timestamp::UNIX_EPOCH + Duration::from_secs(told.load(Ordering::Relaxed));
        (seconds, Clock::new(move || Moment { now: now(), random: 0 }))
    }

    #[tokio::test]
    async fn each_key_is_read_once_a_second() {
        let (seconds, clock) = clock();
        let (shared, asked) = (Shared::default(), AtomicU32::new(0));
        let get = async |fails: bool| {
            let ask = |last: Option<u32>| {
                let count = asked.fetch_add(1, Ordering::Relaxed) + 1;
                let refused = || {
                    Error::unavailable(
                        CoreCode::Throttled,
                        Message::raw(format!("asked {count} after {last:?}")),
                    )
                };
                std::future::ready(if fails { Err(refused()) } else { Ok(count) })
            };
            shared.get("a", &clock, ask).await.map_err(|error| error.message.to_string())
        };
        assert_eq!((get(false).await, get(true).await), (Ok(1), Ok(1)));
        seconds.fetch_add(1, Ordering::Relaxed);
        assert_eq!(get(true).await, Err("asked 2 after Some(1)".into()));
        assert_eq!(get(false).await, Err("asked 2 after Some(1)".into()));
        shared.forget("a").await;
        assert_eq!(get(true).await, Err("asked 3 after Some(1)".into()));
        seconds.fetch_sub(1, Ordering::Relaxed);
        assert_eq!(get(false).await, Ok(4), "a clock that is set back forgets");
    }

    #[tokio::test]
    async fn not_found_is_not_cached() {
        let (_, clock) = clock();
        let shared = Shared::default();
        let none = || Err(Error::not_found(CoreCode::NotFound, Message::raw("there is no event `a`")));
        assert!(shared.get("a", &clock, |_| std::future::ready(none())).await.is_err());
        assert_eq!(shared.get("a", &clock, |_| std::future::ready(Ok(7))).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn the_number_of_slots_is_limited() {
        let (_, clock) = clock();
        let shared = Shared::default();
        for key in 0..=MAX_SLOTS {
            let answer = shared.get(&key.to_string(), &clock, |_| std::future::ready(Ok(key))).await;
            assert_eq!(answer.unwrap(), key);
        }
        assert_eq!(shared.0.lock().unwrap().len(), 1);
    }
}
