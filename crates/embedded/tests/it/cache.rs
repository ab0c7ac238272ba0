//! The conformance suite of caches, and tests of the cache in memory alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use hansang_core::cache::Cache as _;
use hansang_embedded::MemoryCache;
use hansang_testkit::cache_suite::{LONG, Trial};
use jiff::Timestamp;

use crate::NOON;

fn trial() -> Trial {
    let clock = Arc::new(AtomicI64::new(NOON * 1000));
    let now = clock.clone();
    let now = Arc::new(move || Timestamp::from_millisecond(now.load(Ordering::SeqCst)).unwrap());
    let pass = Box::new(move |time: Duration| {
        clock.fetch_add(i64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
        Box::pin(async {}) as _
    });
    Trial::new(Arc::new(MemoryCache::new(64 << 20, now)), pass, None)
}

mod conformance {
    use super::trial;

    hansang_testkit::cache_conformance!(trial());
}

/// The size is bounded, and what was used last stays.
#[tokio::test]
async fn the_least_recently_used_values_leave() {
    let cache = MemoryCache::new(1 << 20, Arc::new(|| Timestamp::from_second(NOON).unwrap()));
    for number in 0..1000 {
        cache.set(&format!("key-{number}"), vec![0; 10_000].into(), LONG).await.unwrap();
        assert!(cache.bytes() <= 1 << 20, "{}", cache.bytes());
        assert!(cache.get("key-0").await.unwrap().is_some(), "after {number}");
    }
    assert!(cache.bytes() > 900_000, "{}", cache.bytes());
    assert!(cache.get("key-1").await.unwrap().is_none() && cache.get("key-999").await.unwrap().is_some());
}

/// A value above the bound is not kept, and throws nothing out.
#[tokio::test]
async fn a_value_above_the_bound_is_not_kept() {
    let cache = MemoryCache::new(100_000, Arc::new(|| Timestamp::from_second(NOON).unwrap()));
    cache.set("small", vec![0; 1000].into(), LONG).await.unwrap();
    cache.set("large", vec![0; 200_000].into(), LONG).await.unwrap();
    assert!(cache.bytes() <= 100_000);
    assert!(cache.get("large").await.unwrap().is_none() && cache.get("small").await.unwrap().is_some());
}
