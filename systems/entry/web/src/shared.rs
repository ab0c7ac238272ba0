//! Answers that many pages want at the same time.
//!
//! However many look, and however often their pages are read anew, each question is asked about once a second.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hansang_core::db::Clock;
use hansang_core::{Error, ErrorKind};
use jiff::Timestamp;

/// For how long an answer is good. Less than a second, so that a page that is read anew each second has a new one
/// each time.
const FRESH: Duration = Duration::from_millis(750);
/// How many answers are kept. Beyond that all are forgotten, which costs one question each.
const MAX_PLACES: usize = 1000;

/// Answers to questions of one kind.
pub(crate) struct Shared<T>(Mutex<HashMap<String, Arc<Place<T>>>>);

type Place<T> = tokio::sync::Mutex<Kept<T>>;

struct Kept<T> {
    /// The last answer, and when it was given. That something does not answer is one too: asking more would not
    /// help it.
    answer: Option<(Timestamp, Result<T, Error>)>,
    /// The last one that was no refusal.
    last: Option<T>,
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Shared<T> {
    /// The answer to a question: a fresh one, or the one that `ask` gives, which is told the last one. Whoever
    /// comes meanwhile waits for it.
    pub(crate) async fn get<F>(
        &self,
        key: &str,
        clock: &Clock,
        ask: impl FnOnce(Option<T>) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let place = self.place(key);
        let mut kept = place.lock().await;
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

    /// The next one who asks gets a new answer.
    pub(crate) async fn forget(&self, key: &str) {
        self.place(key).lock().await.answer = None;
    }

    fn place(&self, key: &str) -> Arc<Place<T>> {
        // Places are whole whatever happened to whoever held them.
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if places.len() >= MAX_PLACES && !places.contains_key(key) {
            places.clear();
        }
        let empty = || Arc::new(Place::new(Kept { answer: None, last: None }));
        places.entry(key.to_owned()).or_insert_with(empty).clone()
    }
}

fn is_fresh(at: Timestamp, now: Timestamp) -> bool {
    // A clock that was set back must not keep an answer for hours.
    at <= now && now < at + FRESH
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
    async fn a_question_is_asked_once_a_second_whatever_the_answer_is() {
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
    async fn what_is_not_there_may_be_there_in_a_moment() {
        let (_, clock) = clock();
        let shared = Shared::default();
        let none = || Err(Error::not_found(CoreCode::NotFound, Message::raw("there is no event `a`")));
        assert!(shared.get("a", &clock, |_| std::future::ready(none())).await.is_err());
        assert_eq!(shared.get("a", &clock, |_| std::future::ready(Ok(7))).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn no_more_is_kept_than_there_is_room_for() {
        let (_, clock) = clock();
        let shared = Shared::default();
        for key in 0..=MAX_PLACES {
            let answer = shared.get(&key.to_string(), &clock, |_| std::future::ready(Ok(key))).await;
            assert_eq!(answer.unwrap(), key);
        }
        assert_eq!(shared.0.lock().unwrap().len(), 1);
    }
}
