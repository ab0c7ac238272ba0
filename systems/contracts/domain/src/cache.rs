//! What was loaded, kept for a while: a hit asks nobody.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use moka::notification::RemovalCause;
use moka::ops::compute::Op;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use tokio::sync::OnceCell;

use crate::registry::{Headers, ListAsk, NewContract, Referrer, Saved, Walked, served};
use crate::{Contract, ContractError, ContractRef, ContractRegistry, Header, Kind, Status};

/// A registry that remembers what another one gave out: the least recently used goes first, and nothing
/// stays longer than its time.
///
/// What is remembered is a place, and whoever finds it empty fills it while the others wait there. An
/// invalidation takes the place away, so that a load which was under way fills one that nobody finds any
/// more. Failures are told to those who waited and then forgotten.
pub struct Cached {
    inner: Arc<dyn ContractRegistry>,
    settings: CacheSettings,
    places: Option<Cache<ContractRef, Place>>,
    counters: Arc<Counters>,
}

/// Where a contract is, once it is loaded.
type Place = Arc<OnceCell<Result<Arc<Contract>, ContractError>>>;

/// How much is remembered, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheSettings {
    /// The most versions; with none, every load asks the registry.
    pub entries: u64,
    /// How long a version stays.
    pub ttl: Duration,
}

impl CacheSettings {
    /// How much is remembered unless somebody says otherwise.
    pub const ENTRIES: u64 = 10_000;

    /// As it is meant for an environment: half a minute where people develop, and five minutes elsewhere.
    /// Without one the table is that of `dev`, and so is this.
    #[must_use]
    pub fn of_env(env: Option<&str>) -> Self {
        let seconds = if matches!(env, None | Some("dev" | "development" | "local")) { 30 } else { 300 };
        Self { entries: Self::ENTRIES, ttl: Duration::from_secs(seconds) }
    }
}

/// What became of the loads so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How many versions are remembered.
    pub entries: u64,
    /// Loads that asked nobody.
    pub hits: u64,
    /// Loads that had to ask, or to wait for somebody who did.
    pub misses: u64,
    /// Versions that had to go for others.
    pub evictions: u64,
    /// Versions whose time was over.
    pub expirations: u64,
    /// How often the registry was asked.
    pub loads: u64,
    /// How many of those failed.
    pub failures: u64,
    /// How long they took together.
    pub load_time: Duration,
}

#[derive(Debug, Default)]
struct Counters {
    hits: AtomicU64,
    misses: AtomicU64,
    evictions: AtomicU64,
    expirations: AtomicU64,
    loads: AtomicU64,
    failures: AtomicU64,
    load_nanos: AtomicU64,
}

impl Cached {
    /// Remembers what this registry gives out.
    #[must_use]
    pub fn new(inner: Arc<dyn ContractRegistry>, settings: CacheSettings) -> Self {
        let counters = Arc::new(Counters::default());
        let places = (settings.entries > 0).then(|| places(settings, counters.clone()));
        Self { inner, settings, places, counters }
    }

    /// As [`ContractRegistry::fetch`], from memory if it is there.
    ///
    /// # Errors
    /// As [`ContractRegistry::fetch`].
    pub async fn fetch(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        let Some(places) = &self.places else {
            count(&self.counters.misses);
            return self.ask(reference).await;
        };
        if let Some(place) = places.get(reference)
            && let Some(Ok(contract)) = place.get()
        {
            count(&self.counters.hits);
            return Ok(contract.clone());
        }
        count(&self.counters.misses);
        loop {
            let place = place(places, reference);
            if let Some(Err(_)) = place.get() {
                // Somebody's failure that is about to be forgotten: it is not ours.
                forget(places, reference, &place);
                continue;
            }
            let outcome = place.get_or_init(|| self.ask(reference)).await;
            if outcome.is_err() {
                forget(places, reference, &place);
            }
            return outcome.clone();
        }
    }

    /// As [`ContractRegistry::load`], from memory if it is there.
    ///
    /// # Errors
    /// As [`ContractRegistry::load`].
    pub async fn load(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        served(self.fetch(reference).await?)
    }

    /// Forgets one version. Gives how many were remembered.
    pub fn invalidate(&self, reference: &ContractRef) -> u64 {
        self.places.as_ref().map_or(0, |places| places.remove(reference).is_some().into())
    }

    /// Forgets the versions of a kind. Gives how many were remembered.
    pub fn invalidate_kind(&self, kind: &Kind) -> u64 {
        self.invalidate_if(|reference| reference.kind == *kind)
    }

    /// Forgets everything. Gives how many versions were remembered.
    pub fn invalidate_all(&self) -> u64 {
        self.invalidate_if(|_| true)
    }

    /// What became of the loads so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let entries = self.places.as_ref().map_or(0, |places| {
            places.run_pending_tasks();
            places.entry_count()
        });
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let Counters { hits, misses, evictions, expirations, loads, failures, load_nanos } = &*self.counters;
        Statistics {
            entries,
            hits: of(hits),
            misses: of(misses),
            evictions: of(evictions),
            expirations: of(expirations),
            loads: of(loads),
            failures: of(failures),
            load_time: Duration::from_nanos(of(load_nanos)),
        }
    }

    /// How much is remembered, and for how long.
    #[must_use]
    pub fn settings(&self) -> CacheSettings {
        self.settings
    }

    /// Places that come while this runs were empty after it began, so what fills them is new enough.
    fn invalidate_if(&self, wanted: impl Fn(&ContractRef) -> bool) -> u64 {
        let Some(places) = &self.places else { return 0 };
        let known = places.iter().filter(|(reference, _)| wanted(reference));
        known.map(|(reference, _)| u64::from(places.remove(&*reference).is_some())).sum()
    }

    async fn ask(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        let began = Instant::now();
        let outcome = self.inner.fetch(reference).await;
        let nanos = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.counters.load_nanos.fetch_add(nanos, Ordering::Relaxed);
        count(&self.counters.loads);
        if outcome.is_err() {
            count(&self.counters.failures);
        }
        outcome
    }
}

fn places(settings: CacheSettings, counters: Arc<Counters>) -> Cache<ContractRef, Place> {
    Cache::builder()
        .max_capacity(settings.entries)
        .time_to_live(settings.ttl)
        .eviction_policy(EvictionPolicy::lru())
        .eviction_listener(move |_, _, cause| match cause {
            RemovalCause::Size => count(&counters.evictions),
            RemovalCause::Expired => count(&counters.expirations),
            RemovalCause::Explicit | RemovalCause::Replaced => {}
        })
        .build()
}

/// The place of a version, a new one if there is none. One after the other, and by what is there: moka's own
/// way to insert what is missing can give out a place that was taken away meanwhile.
fn place(places: &Cache<ContractRef, Place>, reference: &ContractRef) -> Place {
    let outcome = places.entry_by_ref(reference).and_compute_with(|found| match found {
        Some(_) => Op::Nop,
        None => Op::Put(Place::default()),
    });
    outcome.into_entry().map(moka::Entry::into_value).unwrap_or_default()
}

/// Takes a place away, unless another one has come instead.
fn forget(places: &Cache<ContractRef, Place>, reference: &ContractRef, place: &Place) {
    places.entry_by_ref(reference).and_compute_with(|found| match found {
        Some(found) if Arc::ptr_eq(found.value(), place) => Op::Remove,
        _ => Op::Nop,
    });
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl fmt::Debug for Cached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cached")
            .field("inner", &self.inner)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl ContractRegistry for Cached {
    async fn fetch(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        Self::fetch(self, reference).await
    }

    async fn versions(&self, kind: &Kind, id: &str) -> Result<Vec<Header>, ContractError> {
        self.inner.versions(kind, id).await
    }

    async fn list(&self, kind: &Kind, ask: &ListAsk) -> Result<Headers, ContractError> {
        self.inner.list(kind, ask).await
    }

    async fn kinds(&self) -> Result<Vec<Kind>, ContractError> {
        self.inner.kinds().await
    }

    async fn referrers(&self, kind: &Kind, id: &str) -> Result<Vec<Referrer>, ContractError> {
        self.inner.referrers(kind, id).await
    }

    async fn walk(&self, from: Option<&str>) -> Result<Walked, ContractError> {
        self.inner.walk(from).await
    }

    async fn save(&self, new: &NewContract) -> Result<Saved, ContractError> {
        let outcome = self.inner.save(new).await;
        // A load that began before must not tell whoever comes now that there is none.
        self.invalidate(&new.reference);
        outcome
    }

    async fn set_status(
        &self,
        reference: &ContractRef,
        from: Status,
        to: Status,
        by: &str,
    ) -> Result<Header, ContractError> {
        let outcome = self.inner.set_status(reference, from, to, by).await;
        // Also after a failure: the move may have been made all the same.
        self.invalidate(reference);
        outcome
    }
}
