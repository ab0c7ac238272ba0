//! The guarantees of a registry on a store with injected faults: throttling, timeouts before and after a write, conflicts and
//! index lag, with concurrent writers and many seeds.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hansang_contracts::{
    CacheSettings, Cached, ContractError, ContractRef, ContractRegistry, Status, StoreRegistry, audit,
    deprecate, promote, register, restore,
};
use hansang_core::{Error, ErrorKind, Store};
use hansang_testkit::faults::{Faults, Faulty};
use serde_json::json;

use crate::grounds::{Spoil, db, embedded, item, new, reference, spoil_item};

const SEEDS: u64 = 24;
const WRITERS: u64 = 8;
const STEPS: u64 = 40;
const VERSIONS: u64 = 5;
const CONTENTS: u64 = 3;

const FAULTS: Faults =
    Faults { throttle: 0.08, conflict: 0.05, timeout_before: 0.06, timeout_after: 0.08, index_lag: 0.5 };

/// The checksum of each version whose registration was acknowledged.
type Promised = Arc<Mutex<BTreeMap<ContractRef, String>>>;

fn name(version: u64) -> ContractRef {
    reference(&format!("OTHER:contract:1.{version}.0"))
}

fn spec(content: u64) -> serde_json::Value {
    json!({ "content": content, "padding": "x".repeat(64) })
}

/// Allows outages and the expected errors of a step; any other error breaks a guarantee.
fn check_error(error: ContractError, allowed: &[&str]) {
    let outage = matches!(&error, ContractError::Unavailable(_));
    let told = Error::from(error);
    assert!(outage == (told.kind == ErrorKind::Unavailable), "{told:?}");
    assert!(outage || allowed.contains(&told.code.as_str()), "{told:?}");
}

/// A version whose spec was changed outside the registry.
fn spoiled() -> ContractRef {
    reference("OTHER:spoiled:1.0.0")
}

async fn with_spoiled(sound: &Arc<dyn Store>) {
    let db = db(sound.clone()).await;
    let name = spoiled().to_string();
    register(&StoreRegistry::new(db.clone()), new(&name, Status::Active, spec(0))).await.unwrap();
    spoil_item(&db, &spoiled(), Spoil::Spec).await;
}

/// The random steps of one writer.
async fn write(cached: Arc<Cached>, promised: Promised, mut random: fastrand::Rng) {
    for _ in 0..STEPS {
        let version = name(random.u64(..VERSIONS));
        let known = promised.lock().unwrap().get(&version).cloned();
        match random.u8(..11) {
            10 => match cached.fetch(&spoiled()).await {
                Ok(found) => panic!("what is spoiled was given out: {found:?}"),
                Err(error) => check_error(error, &["contract_integrity"]),
            },
            0..5 => {
                let new = hansang_contracts::NewContract {
                    allowed: hansang_contracts::Allowed::default(),
                    spec: item(spec(random.u64(..CONTENTS))),
                    ..new(&version.to_string(), Status::Active, json!({}))
                };
                match register(&*cached, new).await {
                    Ok(made) => {
                        let mut promised = promised.lock().unwrap();
                        let first = promised.entry(version).or_insert_with(|| made.header.checksum.clone());
                        assert_eq!(*first, made.header.checksum, "two contents of one version");
                    }
                    Err(error) => check_error(error, &["version_exists"]),
                }
            }
            5..8 => match cached.fetch(&version).await {
                Ok(found) => {
                    if let Some(known) = known {
                        assert_eq!(found.header.checksum, known, "a version changed");
                    }
                    let counted = hansang_contracts::checksum::checksum(&found.spec).unwrap();
                    assert_eq!(found.header.checksum, counted);
                }
                Err(error) => {
                    assert!(known.is_none() || matches!(error, ContractError::Unavailable(_)), "{error:?}");
                    check_error(error, &["contract_not_found"]);
                }
            },
            8 => drop(deprecate(&*cached, &version, "lee").await.map_err(|error| {
                check_error(error, &["contract_not_found", "wrong_state"]);
            })),
            _ => {
                let outcome = match random.bool() {
                    true => restore(&*cached, &version, "lee").await,
                    false => promote(&*cached, &version, "lee").await,
                };
                drop(outcome.map_err(|error| check_error(error, &["contract_not_found", "wrong_state"])));
            }
        }
    }
}

/// R15, Rs11
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn guarantees_hold_under_faults() {
    let (mut injected, mut kept) = (0, 0);
    for seed in 0..SEEDS {
        let (directory, view) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let sound: Arc<dyn Store> = embedded(&directory);
        with_spoiled(&sound).await;
        let faulty = Faulty::new(sound.clone(), FAULTS, seed).with_lagging_indexes(embedded(&view));
        let faulty = Arc::new(faulty);
        let registry = StoreRegistry::new(db(faulty.clone()).await);
        let settings = CacheSettings { entries: 3, ttl: Duration::from_secs(3600) };
        let cached = Arc::new(Cached::new(Arc::new(registry), settings));
        let promised = Promised::default();
        let writers = (0..WRITERS).map(|number| {
            let random = fastrand::Rng::with_seed(seed * 1000 + number);
            tokio::spawn(write(cached.clone(), promised.clone(), random))
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap_or_else(|error| panic!("seed {seed}: {error}: {:?}", faulty.injected()));
        }
        injected += faulty.injected().len();
        // Every acknowledged version is in the store itself, and everything in it can be trusted.
        let sound = StoreRegistry::new(db(sound).await);
        let promised = promised.lock().unwrap().clone();
        for (version, checksum) in promised {
            assert_eq!(sound.fetch(&version).await.unwrap().header.checksum, checksum, "seed {seed}");
            kept += 1;
        }
        let audited = audit(&sound, &mut |_| {}).await.unwrap();
        assert!(audited.failures.iter().all(|one| one.location == "OTHER#spoiled / 1.0.0"), "seed {seed}");
        // There are no more writers, so the cache equals the store.
        for version in (0..VERSIONS).map(name) {
            let remembered = loop {
                match cached.fetch(&version).await {
                    Err(ContractError::Unavailable(_)) => {}
                    other => break other,
                }
            };
            assert_eq!(remembered, sound.fetch(&version).await, "seed {seed}");
        }
    }
    assert!(injected > 1000 && kept > 50, "{injected} faults, {kept} promises: too few to show anything");
}
