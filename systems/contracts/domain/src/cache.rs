//! A cache in front of a registry.

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
use crate::{
    Act, CompatibilityRule, Contract, ContractError, ContractRef, ContractRegistry, Header, Kind, RuleScope,
    Status, StatusChange,
};

/// A registry with a cache: entries have a time to live, and the least recently used entry is evicted first.
///
/// The cache holds slots. The first caller fills an empty slot while others wait for it, so a version is loaded once. An
/// invalidation removes the slot, so a load in progress fills a slot that is no longer in the cache. Failures are
/// returned to the waiting callers and not cached.
pub struct Cached {
    inner: Arc<dyn ContractRegistry>,
    settings: CacheSettings,
    slots: Option<Cache<ContractRef, Slot>>,
    counters: Arc<Counters>,
}

/// A slot for a contract, filled by the first load.
type Slot = Arc<OnceCell<Result<Arc<Contract>, ContractError>>>;

/// The size and the time to live of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheSettings {
    /// The maximum number of versions; 0 disables the cache.
    pub entries: u64,
    /// The time to live of a version.
    pub ttl: Duration,
}

impl CacheSettings {
    /// The default number of versions.
    pub const ENTRIES: u64 = 10_000;

    /// The defaults of an environment: 30 seconds in development, 5 minutes elsewhere. No environment means `dev`, as for
    /// the table.
    #[must_use]
    pub fn of_env(env: Option<&str>) -> Self {
        let seconds = if matches!(env, None | Some("dev" | "development" | "local")) { 30 } else { 300 };
        Self { entries: Self::ENTRIES, ttl: Duration::from_secs(seconds) }
    }
}

/// The statistics of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The number of cached versions.
    pub entries: u64,
    /// The number of loads from the cache.
    pub hits: u64,
    /// The number of loads that read the registry, or waited for another load.
    pub misses: u64,
    /// The number of evicted versions.
    pub evictions: u64,
    /// The number of expired versions.
    pub expirations: u64,
    /// The number of reads of the registry.
    pub loads: u64,
    /// The number of failed reads.
    pub failures: u64,
    /// The total time of the reads.
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
    /// Caches the versions of this registry.
    #[must_use]
    pub fn new(inner: Arc<dyn ContractRegistry>, settings: CacheSettings) -> Self {
        let counters = Arc::new(Counters::default());
        let slots = (settings.entries > 0).then(|| slots(settings, counters.clone()));
        Self { inner, settings, slots, counters }
    }

    /// Like [`ContractRegistry::fetch`], from the cache if possible.
    ///
    /// # Errors
    /// Like [`ContractRegistry::fetch`].
    pub async fn fetch(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        let Some(slots) = &self.slots else {
            count(&self.counters.misses);
            return self.read(reference).await;
        };
        if let Some(slot) = slots.get(reference)
            && let Some(Ok(contract)) = slot.get()
        {
            count(&self.counters.hits);
            return Ok(contract.clone());
        }
        count(&self.counters.misses);
        loop {
            let slot = slot(slots, reference);
            if let Some(Err(_)) = slot.get() {
                // The failure of an earlier load, which is about to be removed.
                remove(slots, reference, &slot);
                continue;
            }
            let outcome = slot.get_or_init(|| self.read(reference)).await;
            if outcome.is_err() {
                remove(slots, reference, &slot);
            }
            return outcome.clone();
        }
    }

    /// Like [`ContractRegistry::load`], from the cache if possible.
    ///
    /// # Errors
    /// Like [`ContractRegistry::load`].
    pub async fn load(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        served(self.fetch(reference).await?)
    }

    /// Removes one version from the cache. Returns the number of versions removed.
    pub fn invalidate(&self, reference: &ContractRef) -> u64 {
        self.slots.as_ref().map_or(0, |slots| slots.remove(reference).is_some().into())
    }

    /// Removes the versions of a kind from the cache. Returns their number.
    pub fn invalidate_kind(&self, kind: &Kind) -> u64 {
        self.invalidate_if(|reference| reference.kind == *kind)
    }

    /// Clears the cache. Returns the number of versions removed.
    pub fn invalidate_all(&self) -> u64 {
        self.invalidate_if(|_| true)
    }

    /// The statistics of the cache.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let entries = self.slots.as_ref().map_or(0, |slots| {
            slots.run_pending_tasks();
            slots.entry_count()
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

    /// The settings of the cache.
    #[must_use]
    pub fn settings(&self) -> CacheSettings {
        self.settings
    }

    /// Slots that are added while this runs need not be removed: their loads began after the invalidation.
    fn invalidate_if(&self, wanted: impl Fn(&ContractRef) -> bool) -> u64 {
        let Some(slots) = &self.slots else { return 0 };
        let known = slots.iter().filter(|(reference, _)| wanted(reference));
        known.map(|(reference, _)| u64::from(slots.remove(&*reference).is_some())).sum()
    }

    async fn read(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
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

fn slots(settings: CacheSettings, counters: Arc<Counters>) -> Cache<ContractRef, Slot> {
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

/// Returns the slot of a version, inserting one if there is none. Uses `and_compute_with`, because moka's
/// `get_with` can return a slot that was removed in the meantime.
fn slot(slots: &Cache<ContractRef, Slot>, reference: &ContractRef) -> Slot {
    let outcome = slots.entry_by_ref(reference).and_compute_with(|found| match found {
        Some(_) => Op::Nop,
        None => Op::Put(Slot::default()),
    });
    outcome.into_entry().map(moka::Entry::into_value).unwrap_or_default()
}

/// Removes a slot, unless it was replaced by another one.
fn remove(slots: &Cache<ContractRef, Slot>, reference: &ContractRef, slot: &Slot) {
    slots.entry_by_ref(reference).and_compute_with(|found| match found {
        Some(found) if Arc::ptr_eq(found.value(), slot) => Op::Remove,
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

    async fn fetch_stored(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        let outcome = self.inner.fetch_stored(reference).await;
        // Another request or server may have stored the version since a load in progress read the registry.
        self.invalidate(reference);
        outcome
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

    async fn history(&self, reference: &ContractRef) -> Result<Vec<StatusChange>, ContractError> {
        self.inner.history(reference).await
    }

    async fn rule(&self, scope: &RuleScope) -> Result<Option<CompatibilityRule>, ContractError> {
        self.inner.rule(scope).await
    }

    async fn set_rule(
        &self,
        scope: &RuleScope,
        rule: Option<CompatibilityRule>,
    ) -> Result<(), ContractError> {
        self.inner.set_rule(scope, rule).await
    }

    async fn save(&self, new: &NewContract) -> Result<Saved, ContractError> {
        let outcome = self.inner.save(new).await;
        // A load that began before the save may still find nothing.
        self.invalidate(&new.reference);
        outcome
    }

    async fn set_status(
        &self,
        reference: &ContractRef,
        from: Status,
        to: Status,
        act: &Act,
    ) -> Result<Header, ContractError> {
        let outcome = self.inner.set_status(reference, from, to, act).await;
        // Also after a failure, because the change may have taken effect.
        self.invalidate(reference);
        outcome
    }
}
