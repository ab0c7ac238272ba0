//! The conformance suite of caches: behaviours by topic, and their list.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bytes::Bytes;
use hansang_core::cache::{Cache, Cached, Stamp};

use crate::run;

pub mod cached;
pub mod concurrency;
pub mod expiry;
pub mod values;

/// Longer than any behaviour takes.
pub const LONG: Duration = Duration::from_secs(3600);

/// A behaviour of the suite.
pub type Behaviour = for<'t> fn(&'t Trial) -> Pin<Box<dyn Future<Output = ()> + Send + 't>>;

/// Advances the time of a cache.
pub type Pass = Box<dyn Fn(Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// A cache, which other trials may use at the same time, and a way to let time pass. Some caches have a clock that a
/// test can move; others need real waiting.
pub struct Trial {
    /// Cache under test.
    pub cache: Arc<dyn Cache>,
    /// Functions with this cache before them.
    pub cached: Cached,
    pass: Pass,
    _kept: Option<Box<dyn Any + Send + Sync>>,
}

impl Trial {
    /// A trial of a cache. `kept` lives as long.
    #[must_use]
    pub fn new(cache: Arc<dyn Cache>, pass: Pass, kept: Option<Box<dyn Any + Send + Sync>>) -> Self {
        Self { cached: Cached::new(Arc::clone(&cache)), cache, pass, _kept: kept }
    }

    /// Lets time pass.
    pub async fn pass(&self, time: Duration) {
        (self.pass)(time).await;
    }

    /// The value of a key.
    pub async fn get(&self, key: &str) -> Option<Bytes> {
        self.cache.get(key).await.unwrap()
    }

    /// Stores a value.
    pub async fn set(&self, key: &str, value: impl Into<Bytes> + Send, ttl: Duration) {
        self.cache.set(key, value.into(), ttl).await.unwrap();
    }
}

impl fmt::Debug for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trial").field("cache", &self.cache).finish_non_exhaustive()
    }
}

/// A key that no other trial uses.
#[must_use]
pub fn key() -> String {
    static KEYS: AtomicU32 = AtomicU32::new(0);
    format!("session_list:{}:{}", std::process::id(), KEYS.fetch_add(1, Ordering::Relaxed))
}

/// A stamp whose values are kept.
#[must_use]
pub fn stamp(number: u64) -> Stamp {
    Stamp { number, keep: true }
}

/// Runs a behaviour, which must hold, or must fail if `exceptions` names it.
///
/// # Panics
/// When the behaviour fails, or holds despite an exception.
pub async fn run(trial: Trial, name: &str, exceptions: &[(&str, &str)]) {
    let behaviour = run::find(BEHAVIOURS, name);
    run::hold(name, exceptions, async move { behaviour(&trial).await }).await;
}

/// Checks that every exception names a behaviour and gives a reason.
///
/// # Panics
/// When one is invalid.
pub fn check_exceptions(exceptions: &[(&str, &str)]) {
    run::check_reasons(BEHAVIOURS, exceptions);
}

/// Passes the list of all behaviours to a macro of this crate.
#[doc(hidden)]
#[macro_export]
macro_rules! cache_behaviours {
    ($callback:ident { $($context:tt)* }) => {
        $crate::$callback! {
            { $($context)* }
            values {
                are_missing_at_first
                are_kept
                may_have_any_bytes
                may_be_empty
                may_be_large
                are_replaced
                have_keys_of_any_text
                are_deleted
                are_deleted_once
                are_deleted_one_by_one
            }
            expiry {
                ends_a_value
                starts_again_with_a_new_value
                becomes_shorter_with_a_new_value
                of_zero_keeps_nothing
                may_be_far_away
            }
            concurrency {
                leaves_one_whole_value
            }
            cached {
                loads_once_and_then_finds
                loads_again_under_another_stamp
                loads_again_after_an_invalidation
                loads_again_after_the_lifetime
                shares_one_load
                shares_no_load_of_another_stamp
                loads_for_others_when_a_load_is_dropped
                loads_alone_when_a_load_fails
                keeps_nothing_when_told_so
                keeps_no_errors
                ignores_what_it_cannot_read
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! named_cache_behaviours {
    ({} $($area:ident { $($name:ident)* })*) => {
        &[$($((concat!(stringify!($area), "::", stringify!($name)), |trial| Box::pin($area::$name(trial)))),*),*]
    };
}

/// All behaviours, named by topic and function.
pub const BEHAVIOURS: &[(&str, Behaviour)] = cache_behaviours!(named_cache_behaviours {});

/// Generates a test per behaviour, on the [`Trial`] of the expression.
///
/// The expression may await. Each exception has its reason.
#[macro_export]
macro_rules! cache_conformance {
    ($trial:expr) => {
        $crate::cache_conformance!($trial, except []);
    };
    ($trial:expr, except [$($area:ident :: $name:ident: $reason:literal),* $(,)?]) => {
        $crate::cache_behaviours! { conformance_tests {
            cache_suite ($trial) (&[$((concat!(stringify!($area), "::", stringify!($name)), $reason)),*])
        } }
    };
}
