//! Functions with a cache before them.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::future::{Either, join_all, select};
use hansang_core::cache::{Cached, Stamp};
use hansang_core::message;
use hansang_core::messages::stores;
use hansang_core::{CoreCode, Error};
use tokio::sync::Semaphore;

use super::{LONG, Trial, key, stamp};

fn failed() -> Error {
    Error::unavailable(CoreCode::StoreUnavailable, message!(stores::UNAVAILABLE))
}

async fn value(cached: &Cached, key: &str, number: u64, value: &str) -> String {
    cached.cached(key, stamp(number), LONG, async { Ok(value.to_owned()) }).await.unwrap()
}

/// A load that says when it starts, and ends when it may.
struct Gate {
    started: Semaphore,
    may_end: Semaphore,
    loads: AtomicU32,
}

impl Gate {
    fn new() -> Self {
        Self { started: Semaphore::new(0), may_end: Semaphore::new(0), loads: AtomicU32::new(0) }
    }

    async fn load(&self, result: Result<String, Error>) -> Result<String, Error> {
        self.loads.fetch_add(1, Ordering::SeqCst);
        self.started.add_permits(1);
        self.may_end.acquire().await.unwrap().forget();
        result
    }

    async fn started(&self) {
        self.started.acquire().await.unwrap().forget();
    }

    fn open(&self) {
        self.may_end.add_permits(1000);
    }

    fn loads(&self) -> u32 {
        self.loads.load(Ordering::SeqCst)
    }
}

/// D21
pub async fn loads_once_and_then_finds(trial: &Trial) {
    let key = key();
    assert_eq!(value(&trial.cached, &key, 1, "loaded").await, "loaded");
    assert_eq!(value(&trial.cached, &key, 1, "not loaded").await, "loaded");
    // As another process with the same cache does.
    let other = Cached::new(trial.cache.clone());
    assert_eq!(value(&other, &key, 1, "not loaded").await, "loaded");
    let seen = trial.cached.statistics();
    assert_eq!((seen.hits, seen.misses, seen.fills, seen.errors), (1, 1, 1, 0));
}

/// A value counts under its own stamp alone, be it older or newer.
pub async fn loads_again_under_another_stamp(trial: &Trial) {
    let key = key();
    assert_eq!(value(&trial.cached, &key, 2, "two").await, "two");
    assert_eq!(value(&trial.cached, &key, 3, "three").await, "three");
    assert_eq!(value(&trial.cached, &key, 3, "not loaded").await, "three");
    assert_eq!(value(&trial.cached, &key, 2, "two again").await, "two again");
    assert_eq!(trial.cached.statistics().stale, 2);
}

/// D23
pub async fn loads_again_after_an_invalidation(trial: &Trial) {
    let key = key();
    value(&trial.cached, &key, 1, "first").await;
    trial.cached.invalidate(&key).await;
    assert_eq!(trial.get(&key).await, None);
    assert_eq!(value(&trial.cached, &key, 1, "second").await, "second");
    assert_eq!(trial.cached.statistics().invalidations, 1);
}

/// D22
pub async fn loads_again_after_the_lifetime(trial: &Trial) {
    let (key, ttl) = (key(), Duration::from_millis(40));
    for loaded in ["first", "second"] {
        let load = async { Ok(loaded.to_owned()) };
        assert_eq!(trial.cached.cached(&key, stamp(1), ttl, load).await.unwrap(), loaded);
        trial.pass(ttl).await;
    }
}

/// Concurrent callers of one value load it once.
pub async fn shares_one_load(trial: &Trial) {
    let (key, gate) = (key(), Gate::new());
    let (key, gate) = (&key, &gate);
    let callers = join_all((0..50).map(|_| {
        trial.cached.cached(key, stamp(1), LONG, async move { gate.load(Ok("shared".to_owned())).await })
    }));
    // The first poll of all callers has begun before any load starts.
    let (values, ()) = tokio::join!(callers, async {
        gate.started().await;
        gate.open();
    });
    assert!(values.into_iter().all(|value| value.unwrap() == "shared"));
    assert_eq!((gate.loads(), trial.cached.statistics().shared), (1, 49));
}

/// A caller with a newer stamp does not get what an older load finds.
pub async fn shares_no_load_of_another_stamp(trial: &Trial) {
    let (key, gate) = (key(), Gate::new());
    let old = Box::pin(trial.cached.cached(&key, stamp(1), LONG, gate.load(Ok("old".to_owned()))));
    let started = Box::pin(gate.started());
    let Either::Right(((), old)) = select(old, started).await else { panic!("the load did not wait") };
    assert_eq!(value(&trial.cached, &key, 2, "new").await, "new");
    gate.open();
    assert_eq!(old.await.unwrap(), "old");
    assert_eq!(value(&trial.cached, &key, 2, "new again").await, "new again", "the late fill is not used");
}

/// A caller that goes away does not leave others waiting.
pub async fn loads_for_others_when_a_load_is_dropped(trial: &Trial) {
    let (key, gate) = (key(), Gate::new());
    let leader = Box::pin(trial.cached.cached(&key, stamp(1), LONG, gate.load(Ok("lost".to_owned()))));
    let started = Box::pin(gate.started());
    let Either::Right(((), leader)) = select(leader, started).await else { panic!("the load did not wait") };
    let others = join_all((0..10).map(|_| value(&trial.cached, &key, 1, "found")));
    let (values, ()) = tokio::join!(others, async { drop(leader) });
    assert!(values.iter().all(|value| value == "found"), "{values:?}");
}

/// A load that fails is the error of its own caller alone.
pub async fn loads_alone_when_a_load_fails(trial: &Trial) {
    let (key, gate) = (key(), Gate::new());
    let leader = trial.cached.cached(&key, stamp(1), LONG, gate.load(Err(failed())));
    let others = async {
        gate.started().await;
        let others = join_all((0..10).map(|_| value(&trial.cached, &key, 1, "found")));
        let (values, ()) = tokio::join!(others, async { gate.open() });
        values
    };
    let (lost, values) = tokio::join!(leader, others);
    assert_eq!(lost.unwrap_err().code, CoreCode::StoreUnavailable);
    assert!(values.iter().all(|value| value == "found"), "{values:?}");
}

/// Data that changed a moment ago is not kept.
pub async fn keeps_nothing_when_told_so(trial: &Trial) {
    let (key, young) = (key(), Stamp { number: 1, keep: false });
    for loaded in ["first", "second"] {
        let load = async { Ok(loaded.to_owned()) };
        assert_eq!(trial.cached.cached(&key, young, LONG, load).await.unwrap(), loaded);
    }
    assert_eq!(trial.get(&key).await, None);
}

/// The next caller loads again.
pub async fn keeps_no_errors(trial: &Trial) {
    let key = key();
    let lost = trial.cached.cached::<String>(&key, stamp(1), LONG, async { Err(failed()) }).await;
    assert_eq!(lost.unwrap_err().code, CoreCode::StoreUnavailable);
    assert_eq!(value(&trial.cached, &key, 1, "found").await, "found");
}

/// Values of other programs, versions and types are misses.
pub async fn ignores_what_it_cannot_read(trial: &Trial) {
    let key = key();
    for strange in [
        &b""[..],
        b"[]",
        b"\x01\0\0\0\0\0\0\0\x01",
        b"\x01\0\0\0\0\0\0\0\x01{",
        b"\x02\0\0\0\0\0\0\0\x01\"\"",
    ] {
        trial.set(&key, strange, LONG).await;
        assert_eq!(value(&trial.cached, &key, 1, "found").await, "found", "{strange:?}");
    }
    let number = trial.cached.cached(&key, stamp(1), LONG, async { Ok(7_u32) }).await.unwrap();
    assert_eq!(number, 7, "the key had a text");
}
