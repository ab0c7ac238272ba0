//! A model check of [`Cached`]: the order of every step of writers, readers and the cache is chosen by shuttle.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use shuttle::future::{block_on, spawn, yield_now};
use shuttle::rand::{Rng as _, thread_rng};
use shuttle::sync::Mutex;

use crate::cache::{Cache, CacheError, Cached, Stamp, Statistics};
use crate::code::CoreCode;
use crate::error::Error;
use crate::message;
use crate::messages::stores;

const KEY: &str = "query_projects";
const TTL: Duration = Duration::from_secs(3600);
const READERS: usize = 3;
const READS: usize = 2;
const WRITES: u64 = 2;
const SCHEDULES: usize = 3000;

/// What may go wrong in a check.
#[derive(Clone, Copy, Debug, Default)]
struct Faults {
    /// Commands of the cache fail, before or after they took effect.
    cache: bool,
    /// Loads fail.
    loads: bool,
    /// Readers go away.
    readers: bool,
    /// The stamp is always the same, as if there were none.
    stamps: bool,
}

/// A cache in memory whose commands take effect at any time between call and answer.
#[derive(Debug, Default)]
struct Memory {
    values: Mutex<HashMap<String, Bytes>>,
    fails: bool,
}

impl Memory {
    async fn command<T>(&self, run: impl FnOnce(&mut HashMap<String, Bytes>) -> T) -> Result<T, CacheError> {
        yield_now().await;
        if self.fails && thread_rng().gen_ratio(1, 6) {
            return Err(CacheError::Down);
        }
        let answer = run(&mut self.values.lock().unwrap_or_else(PoisonError::into_inner));
        yield_now().await;
        if self.fails && thread_rng().gen_ratio(1, 6) { Err(CacheError::Slow) } else { Ok(answer) }
    }
}

#[async_trait]
impl Cache for Memory {
    async fn get(&self, key: &str) -> Result<Option<Bytes>, CacheError> {
        self.command(|values| values.get(key).cloned()).await
    }

    async fn set(&self, key: &str, value: Bytes, _: Duration) -> Result<(), CacheError> {
        self.command(|values| drop(values.insert(key.to_owned(), value))).await
    }

    async fn delete(&self, key: &str) -> Result<(), CacheError> {
        self.command(|values| drop(values.remove(key))).await
    }
}

/// A store with one value, which is the number of its writes, and the newest value whose write was acknowledged.
#[derive(Debug, Default)]
struct World {
    stored: Mutex<u64>,
    acknowledged: AtomicU64,
    faults: Faults,
}

impl World {
    fn stored(&self) -> u64 {
        *self.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn write(&self, cached: &Cached) {
        let written = {
            let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
            *stored += 1;
            *stored
        };
        if self.faults.stamps {
            // Without stamps a write is acknowledged only after the invalidation.
            cached.invalidate(KEY).await;
        }
        self.acknowledged.fetch_max(written, Ordering::SeqCst);
        yield_now().await;
        if !self.faults.stamps {
            cached.invalidate(KEY).await;
        }
    }

    async fn load(&self) -> Result<u64, Error> {
        yield_now().await;
        let found = self.stored();
        yield_now().await;
        if self.faults.loads && thread_rng().gen_ratio(1, 4) {
            return Err(Error::unavailable(CoreCode::StoreUnavailable, message!(stores::UNAVAILABLE)));
        }
        Ok(found)
    }

    async fn read(&self, cached: &Cached) {
        let acknowledged = self.acknowledged.load(Ordering::SeqCst);
        let number = if self.faults.stamps { 0 } else { self.stored() };
        yield_now().await;
        let keep = thread_rng().gen_ratio(5, 6);
        match cached.cached(KEY, Stamp { number, keep }, TTL, self.load()).await {
            Ok(found) => assert!(found >= acknowledged, "read {found} after {acknowledged} was acknowledged"),
            Err(error) => assert!(self.faults.loads, "an error that no load had: {error}"),
        }
    }
}

/// Polls a future a number of times and then drops it.
struct Impatient<F> {
    future: F,
    polls: usize,
}

impl<F: Future<Output = ()> + Unpin> Future for Impatient<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.polls == 0 {
            return Poll::Ready(());
        }
        self.polls -= 1;
        Pin::new(&mut self.future).poll(context)
    }
}

async fn reader(world: &World, cached: &Cached) {
    for _ in 0..READS {
        let read = pin!(world.read(cached));
        if world.faults.readers && thread_rng().gen_ratio(1, 2) {
            let polls = thread_rng().gen_range(1..6);
            Impatient { future: read, polls }.await;
        } else {
            read.await;
        }
    }
}

/// One run of a writer and some readers.
fn run(faults: Faults) -> Statistics {
    let cached = Cached::new(Arc::new(Memory { fails: faults.cache, ..Memory::default() }));
    let world = Arc::new(World { faults, ..World::default() });
    let mut tasks = Vec::new();
    for _ in 0..READERS {
        let (world, cached) = (Arc::clone(&world), cached.clone());
        tasks.push(spawn(async move { reader(&world, &cached).await }));
    }
    let (writing, invalidating) = (Arc::clone(&world), cached.clone());
    tasks.push(spawn(async move {
        for _ in 0..WRITES {
            writing.write(&invalidating).await;
        }
    }));
    block_on(async {
        for task in tasks {
            task.await.unwrap();
        }
    });
    // Nothing that was left by readers that went away keeps later ones waiting.
    block_on(reader(&world, &cached));
    cached.statistics()
}

fn check(faults: Faults) {
    let seen = Arc::new(std::sync::Mutex::new([0_u64; 4]));
    let all = Arc::clone(&seen);
    let run = move || {
        let found = run(faults);
        let counts = [found.hits, found.stale, found.shared, found.fills];
        let mut seen = all.lock().unwrap();
        seen.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    };
    shuttle::check_random(run.clone(), SCHEDULES);
    shuttle::check_pct(run, SCHEDULES, 3);
    let seen = *seen.lock().unwrap();
    assert!(
        seen.iter().all(|count| *count > 100),
        "schedules without hits, stale values, sharing or fills: {seen:?}"
    );
}

/// Ds11 Ds12
#[test]
fn no_read_is_older_than_an_acknowledged_write() {
    check(Faults::default());
}

/// Ds13
#[test]
fn a_cache_that_fails_changes_nothing() {
    check(Faults { cache: true, ..Faults::default() });
}

#[test]
fn loads_that_fail_and_readers_that_go_away_leave_nobody_waiting() {
    check(Faults { cache: true, loads: true, readers: true, ..Faults::default() });
}

/// D20
#[test]
fn without_a_cache_the_function_is_called() {
    let calls = || {
        let cached = Cached::none();
        for number in 0..3_u64 {
            let load = cached.cached(KEY, Stamp { number: 1, keep: true }, TTL, async { Ok(number) });
            assert_eq!(block_on(load), Ok(number));
        }
        block_on(cached.invalidate(KEY));
        assert_eq!((cached.is_active(), cached.statistics()), (false, Statistics::default()));
    };
    shuttle::check_random(calls, 1);
}

/// D23
#[test]
fn an_invalidation_drops_one_value() {
    let calls = || {
        let cached = Cached::new(Arc::new(Memory::default()));
        let find = |key, number: u64| {
            block_on(cached.cached(key, Stamp { number: 1, keep: true }, TTL, async { Ok(number) })).unwrap()
        };
        assert_eq!([find(KEY, 1), find("agent_list:u:p", 2), find(KEY, 3)], [1, 2, 1]);
        block_on(cached.invalidate(KEY));
        assert_eq!([find(KEY, 4), find("agent_list:u:p", 5)], [4, 2]);
    };
    shuttle::check_random(calls, 1);
}

/// A hit gives the value that was decoded before, as long as the cache has its bytes.
#[test]
fn values_are_decoded_once() {
    #[derive(Clone, Debug, serde::Serialize)]
    struct Counted(u64);
    static DECODED: AtomicU64 = AtomicU64::new(0);
    impl<'de> serde::Deserialize<'de> for Counted {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            DECODED.fetch_add(1, Ordering::SeqCst);
            u64::deserialize(deserializer).map(Counted)
        }
    }
    let calls = || {
        let memory = Arc::new(Memory::default());
        let (one, two) = (Cached::new(memory.clone()), Cached::new(memory));
        let find = |cached: &Cached, number: u64, found: u64| {
            let stamp = Stamp { number, keep: true };
            block_on(cached.cached(KEY, stamp, TTL, async move { Ok(Counted(found)) })).unwrap().0
        };
        let decoded = || DECODED.swap(0, Ordering::SeqCst);
        assert_eq!([find(&one, 1, 7), find(&one, 1, 8), find(&one, 1, 9)], [7, 7, 7]);
        assert_eq!(decoded(), 0, "it was never written as bytes and back");
        // Another process decodes what it finds, once.
        assert_eq!([find(&two, 1, 8), find(&two, 1, 9)], [7, 7]);
        assert_eq!(decoded(), 1);
        // A value that another process has filled since is decoded; one that the cache has lost is loaded.
        assert_eq!([find(&two, 2, 10), find(&one, 2, 11)], [10, 10]);
        assert_eq!(decoded(), 1);
        block_on(two.invalidate(KEY));
        assert_eq!(find(&one, 2, 12), 12);
    };
    shuttle::check_random(calls, 1);
}

/// The check finds the fill that races an invalidation, which stamps prevent.
#[test]
fn without_stamps_a_late_fill_stays() {
    let stale = catch_unwind(AssertUnwindSafe(|| {
        let world = || {
            run(Faults { stamps: true, ..Faults::default() });
        };
        shuttle::check_random(world, SCHEDULES);
    }));
    assert!(stale.is_err(), "the check would not notice an old value");
}
