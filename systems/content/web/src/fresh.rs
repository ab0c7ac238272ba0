//! Public responses, which caches may keep until the content changes by itself: at the next time of publishing or expiry.
//!
//! A response is also kept here, so that many readers cost one rendering. A change that this server makes drops all of
//! them; a change of another server is seen when they end.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use hansang_core::db::Clock;
use hansang_http::document::Document;
use jiff::{SignedDuration, Timestamp};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

/// The maximum bytes of kept responses.
const MAX_BYTES: u64 = 32 * 1024 * 1024;
/// The estimated number of kept responses.
const RESPONSES: usize = 2_000;

/// A response that is made once.
pub(crate) struct Made {
    /// The media type.
    pub(crate) media: &'static str,
    /// The text.
    pub(crate) text: String,
    /// The time at which the content changes by itself.
    pub(crate) until: Option<Timestamp>,
}

/// A kept response.
struct Kept {
    document: Document,
    /// The bytes of the text.
    size: usize,
    /// The time at which it has to be made again.
    end: Timestamp,
    /// The number of changes before it was made.
    changes: u64,
}

/// The responses that are kept.
pub(crate) struct Fresh {
    clock: Clock,
    keep: Duration,
    kept: Cache<String, Arc<Kept>, Weight>,
    /// Grows with every change, so that a response of before is not used, also if it is kept after the change.
    changes: AtomicU64,
}

#[derive(Clone)]
struct Weight;

impl Weighter<String, Arc<Kept>> for Weight {
    fn weight(&self, key: &String, kept: &Arc<Kept>) -> u64 {
        // The compressed form takes a fraction more.
        (key.len() + kept.size + kept.size / 2 + 200) as u64
    }
}

impl Fresh {
    /// Keeps responses for this time at most; zero keeps none.
    pub(crate) fn new(clock: Clock, keep: Duration) -> Self {
        let kept = Cache::with_weighter(RESPONSES, MAX_BYTES, Weight);
        Self { clock, keep, kept, changes: AtomicU64::new(0) }
    }

    /// Drops all responses after a change.
    pub(crate) fn forget(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
        self.kept.clear();
    }

    /// The kept response of a name.
    pub(crate) fn find(&self, name: &str, headers: &HeaderMap) -> Option<Response> {
        let kept = self.kept.get(name)?;
        let is_fresh =
            self.clock.moment().now < kept.end && self.changes.load(Ordering::Acquire) == kept.changes;
        is_fresh.then(|| self.answer(&kept, headers))
    }

    /// The response of a name: the kept one, otherwise the one that `make` returns.
    ///
    /// # Errors
    /// Those of `make`, which are not kept.
    pub(crate) async fn respond<E>(
        &self,
        name: String,
        headers: &HeaderMap,
        make: impl Future<Output = Result<Made, E>>,
    ) -> Result<Response, E> {
        if let Some(response) = self.find(&name, headers) {
            return Ok(response);
        }
        let changes = self.changes.load(Ordering::Acquire);
        let began = self.clock.moment().now;
        let Made { media, text, until } = make.await?;
        let longest = SignedDuration::try_from(self.keep).ok().and_then(|keep| began.checked_add(keep).ok());
        let end = longest.unwrap_or(Timestamp::MAX).min(until.unwrap_or(Timestamp::MAX));
        let kept = Arc::new(Kept { size: text.len(), document: Document::new(media, text), end, changes });
        if end > began {
            self.kept.insert(name, kept.clone());
        }
        Ok(self.answer(&kept, headers))
    }

    fn answer(&self, kept: &Kept, headers: &HeaderMap) -> Response {
        let mut response = kept.document.respond(headers);
        let left = kept.end.duration_since(self.clock.moment().now).as_secs();
        let control = match left {
            ..=0 => HeaderValue::from_static("no-cache"),
            _ => HeaderValue::try_from(format!("public, max-age={left}"))
                .unwrap_or(HeaderValue::from_static("no-cache")),
        };
        response.headers_mut().insert(header::CACHE_CONTROL, control);
        response
    }
}
