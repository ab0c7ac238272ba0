//! The cache, observed by counting the calls of the store.

use std::sync::Arc;
use std::time::Duration;

use hansang_contracts::{
    CacheSettings, Cached, ContractError, ContractRegistry, Status, StoreRegistry, deprecate, promote,
    register,
};
use hansang_testkit::faults::{Faults, Faulty};
use tempfile::TempDir;

use crate::grounds::{change_set, db, embedded, new, reference};

const NAME: &str = "CHANGESET:changeset.v1:1.0.0";
const HOUR: Duration = Duration::from_secs(3600);

/// A cached registry on a store that counts its calls, with one contract in it.
struct World {
    cached: Arc<Cached>,
    store: Arc<Faulty>,
    _directory: TempDir,
}

impl World {
    async fn new(settings: CacheSettings) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = Arc::new(Faulty::new(embedded(&directory), Faults::default(), 0));
        let registry = StoreRegistry::new(db(store.clone()).await);
        register(&registry, new(NAME, Status::Active, change_set())).await.unwrap();
        Self { cached: Arc::new(Cached::new(Arc::new(registry), settings)), store, _directory: directory }
    }

    /// Counts the calls of the store during `work`.
    async fn calls<T>(&self, work: impl Future<Output = T>) -> (u64, T) {
        let before = self.store.calls();
        let outcome = work.await;
        (self.store.calls() - before, outcome)
    }

    async fn load(&self) -> u64 {
        let (calls, outcome) = self.calls(self.cached.load(&reference(NAME))).await;
        outcome.unwrap();
        calls
    }
}

fn kept(entries: u64) -> CacheSettings {
    CacheSettings { entries, ttl: HOUR }
}

/// R11, R20
#[tokio::test]
async fn a_hit_makes_no_call() {
    let world = World::new(kept(10)).await;
    assert_eq!(world.load().await, 1);
    for _ in 0..1000 {
        assert_eq!(world.load().await, 0);
    }
    let version = reference(NAME).version;
    let (calls, typed) = world.calls(world.cached.load_change_set("changeset.v1", &version)).await;
    assert_eq!((calls, typed.unwrap().entity_key_format.as_str()), (0, "{entityType}#{entityId}"));
    let statistics = world.cached.statistics();
    assert_eq!((statistics.hits, statistics.misses, statistics.loads), (1001, 1, 1));
    assert_eq!((statistics.entries, statistics.evictions, statistics.failures), (1, 0, 0));
    assert!(statistics.load_time > Duration::ZERO);
}

/// R21
#[tokio::test]
async fn expired_versions_are_fetched_again() {
    let world = World::new(CacheSettings { entries: 10, ttl: Duration::from_millis(1) }).await;
    assert_eq!(world.load().await, 1);
    // Repeat until the time to live of one millisecond is over.
    while world.load().await == 0 {}
    assert!(world.cached.statistics().loads >= 2);
}

/// R16: without a cache every load reads the registry; with one the least recently used version is evicted first.
#[tokio::test]
async fn the_cache_is_optional_and_evicts_the_least_recently_used() {
    let world = World::new(kept(0)).await;
    assert_eq!((world.load().await, world.load().await), (1, 1));
    assert_eq!(world.cached.invalidate_all(), 0);

    let world = World::new(kept(2)).await;
    let name = |version: &str| reference(&format!("CHANGESET:changeset.v1:{version}"));
    for version in ["1.1.0", "1.2.0"] {
        let new = new(&name(version).to_string(), Status::Active, change_set());
        register(&*world.cached, new).await.unwrap();
    }
    for version in ["1.0.0", "1.1.0", "1.0.0", "1.2.0"] {
        world.cached.load(&name(version)).await.unwrap();
        let _ = world.cached.statistics();
    }
    let statistics = world.cached.statistics();
    assert_eq!((statistics.entries, statistics.evictions), (2, 1));
    assert_eq!(world.calls(world.cached.load(&name("1.0.0"))).await.0, 0);
    assert_eq!(world.calls(world.cached.load(&name("1.2.0"))).await.0, 0);
    assert_eq!(world.calls(world.cached.load(&name("1.1.0"))).await.0, 1);
}

/// R17
#[test]
fn the_ttl_depends_on_the_environment() {
    let seconds = |env| CacheSettings::of_env(env).ttl.as_secs();
    assert_eq!(
        (seconds(Some("prod")), seconds(Some("production")), seconds(Some("staging"))),
        (300, 300, 300)
    );
    assert_eq!((seconds(None), seconds(Some("dev")), seconds(Some("local"))), (30, 30, 30));
    let own = CacheSettings { ttl: Duration::from_secs(7), ..CacheSettings::of_env(None) };
    assert_eq!(own.ttl.as_secs(), 7);
}

/// R19
#[tokio::test]
async fn one_version_a_kind_or_everything_is_invalidated() {
    let world = World::new(kept(10)).await;
    let other = "ZEBRA:z:1.0.0";
    register(&*world.cached, new(other, Status::Active, serde_json::json!({}))).await.unwrap();
    let both = async || {
        let first = world.calls(world.cached.load(&reference(NAME))).await.0;
        (first, world.calls(world.cached.load(&reference(other))).await.0)
    };
    assert_eq!(both().await, (1, 1));
    assert_eq!(world.cached.invalidate(&reference(NAME)), 1);
    assert_eq!(world.cached.invalidate(&reference(NAME)), 0);
    assert_eq!(both().await, (1, 0));
    assert_eq!(world.cached.invalidate_kind(&"ZEBRA".parse().unwrap()), 1);
    assert_eq!(both().await, (0, 1));
    assert_eq!(world.cached.invalidate_all(), 2);
    assert_eq!(both().await, (1, 1));
}

/// Rs12
#[tokio::test]
async fn failures_are_not_cached() {
    let world = World::new(kept(10)).await;
    let missing = reference("CHANGESET:changeset.v1:2.0.0");
    for _ in 0..3 {
        let (calls, outcome) = world.calls(world.cached.load(&missing)).await;
        // The version, and the other names under which its kind may be stored.
        assert_eq!((calls, outcome), (2, Err(ContractError::NotFound(missing.clone()))));
    }
    assert_eq!(world.cached.statistics().entries, 0);
    register(&*world.cached, new(&missing.to_string(), Status::Active, change_set())).await.unwrap();
    assert_eq!(world.cached.load(&missing).await.unwrap().header.reference, missing);
    assert_eq!(world.cached.statistics().failures, 3);
}

#[tokio::test]
async fn a_status_change_is_visible_at_once() {
    let world = World::new(kept(10)).await;
    let draft = "CHANGESET:changeset.v1:2.0.0";
    register(&*world.cached, new(draft, Status::Draft, change_set())).await.unwrap();
    assert!(world.cached.load(&reference(draft)).await.is_err());
    promote(&*world.cached, &reference(draft), "lee").await.unwrap();
    assert_eq!(world.cached.load(&reference(draft)).await.unwrap().header.status, Status::Active);
    deprecate(&*world.cached, &reference(draft), "lee").await.unwrap();
    assert_eq!(world.cached.load(&reference(draft)).await.unwrap().header.status, Status::Deprecated);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_loads_read_once() {
    let world = World::new(kept(10)).await;
    for _ in 0..50 {
        world.cached.invalidate_all();
        let before = world.store.calls();
        let wanting = (0..32).map(|_| {
            let cached = world.cached.clone();
            tokio::spawn(async move { cached.load(&reference(NAME)).await })
        });
        for one in wanting.collect::<Vec<_>>() {
            one.await.unwrap().unwrap();
        }
        assert_eq!(world.store.calls() - before, 1);
    }
}

/// R8: a page of a list is one query.
#[tokio::test]
async fn a_page_of_a_list_is_one_call() {
    let world = World::new(kept(10)).await;
    for number in 0..120 {
        let name = format!("CHANGESET:c{number:03}:1.0.0");
        register(&*world.cached, new(&name, Status::Active, change_set())).await.unwrap();
    }
    let ask = hansang_contracts::ListAsk { status: Some(Status::Active), limit: Some(100), cursor: None };
    let (calls, page) = world.calls(world.cached.list(&reference(NAME).kind, &ask)).await;
    assert_eq!((calls, page.unwrap().headers.len()), (1, 100));
    let (calls, versions) = world.calls(world.cached.versions(&reference(NAME).kind, "changeset.v1")).await;
    // And one for the other names under which the kind may be stored.
    assert_eq!((calls, versions.unwrap().len()), (2, 1));
}
