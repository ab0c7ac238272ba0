//! The contract registry: a cached load compared with a bare cache, a cold load compared with a bare get of the store,
//! and a list of 10,000 contracts.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aws_lc_rs::digest::{SHA256, digest};
use hansang_aws::{AccessKey, DynamoDb, Settings};
use hansang_contracts::checksum::canonical_json;
use hansang_contracts::{
    Allowed, CacheSettings, Cached, Contract, ContractRef, ContractRegistry, ListAsk, MODEL, NewContract,
    Status, StoreRegistry, register,
};
use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::plan::{Get, Key};
use hansang_core::value::json::item_from_plain;
use hansang_core::write::Moment;
use hansang_core::{Db, Item, Store, compile};
use hansang_embedded::{Embedded, Options};
use jiff::Timestamp;
use moka::sync::Cache;
use serde_json::json;

use crate::{goal, nanos};

/// The number of contracts.
const CONTRACTS: usize = 10_000;
/// The number of contracts that are loaded in turn: the working set of a runtime.
const IN_USE: usize = 100;
/// The number of rounds; the best one counts.
const ROUNDS: usize = 7;
/// The page size of the list.
const PAGE: u32 = 1000;

pub(crate) fn run() -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let directory = tempfile::tempdir_in("target").map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let near = db(open(directory.path())?).await?;
        let registry = Arc::new(StoreRegistry::new(near.clone()));
        eprintln!("{CONTRACTS} contracts…");
        fill(&registry, CONTRACTS).await?;
        let in_use: Vec<ContractRef> = (0..IN_USE).map(name).collect::<Result<_, _>>()?;
        cached(&registry, &in_use).await?;
        cold(("the embedded store", 20_000), &near, &registry, &in_use).await?;
        checksum(&registry, &in_use[0]).await?;
        let far = db(Arc::new(endpoint().await?)).await?;
        let behind = Arc::new(StoreRegistry::new(far.clone()));
        fill(&behind, IN_USE).await?;
        cold(("a DynamoDB endpoint of this machine, over HTTP", 1_000), &far, &behind, &in_use).await?;
        list(&registry).await?;
        // Dropping the last handle of the store releases the directory.
        drop((near, registry));
        first(directory.path()).await
    })
}

fn open(directory: &Path) -> Result<Arc<dyn Store>, String> {
    let options = Options::new(Arc::new(|| Timestamp::UNIX_EPOCH));
    Ok(Arc::new(Embedded::open(directory, options).map_err(|error| error.to_string())?))
}

/// Serves dynoxide over HTTP until the runtime ends.
async fn endpoint() -> Result<DynamoDb, String> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.map_err(|error| error.to_string())?;
    let url = format!("http://{}", listener.local_addr().map_err(|error| error.to_string())?);
    let database = dynoxide::Database::memory().map_err(|error| format!("{error:?}"))?;
    tokio::spawn(dynoxide::server::serve_on(listener, database));
    let settings = Settings {
        region: Some("eu-central-1".to_owned()),
        endpoint_url: Some(url),
        access_key: Some(AccessKey { id: "bench".to_owned(), secret: "bench".to_owned() }),
        ..Settings::default()
    };
    DynamoDb::connect(settings).await.map_err(|error| error.to_string())
}

async fn db(store: Arc<dyn Store>) -> Result<Db, String> {
    let model = compile(MODEL.as_bytes()).map_err(|_| "models/contracts.yaml does not compile")?;
    let clock = Clock::new(|| Moment { now: Timestamp::UNIX_EPOCH, random: 7 });
    let db = Db::new(Arc::new(model), None, store, clock, CursorKey::new(&[7; 32]));
    db.ensure_table().await.map_err(|error| error.to_string())?;
    Ok(db)
}

/// Rule sets of about a kilobyte.
async fn fill(registry: &Arc<StoreRegistry>, count: usize) -> Result<(), String> {
    let paths: Vec<String> = (0..24).map(|number| format!("/attributes/{number}/value")).collect();
    let slices: Vec<_> =
        ["CORE", "PRICE", "STOCK"].map(|name| json!({ "type": name, "fields": paths[..6] })).into();
    let spec = json!({
        "entityType": "PRODUCT",
        "impactMap": { "CORE": paths[..12], "PRICE": paths[12..] },
        "joins": [], "slices": slices, "indexes": [],
    });
    let spec = item_from_plain(&spec).map_err(|problem| problem.to_string())?;
    let mut writers = tokio::task::JoinSet::new();
    for number in 0..count {
        let (registry, reference, spec) = (registry.clone(), name(number)?, spec.clone());
        writers.spawn(async move {
            let new = NewContract {
                reference,
                status: Status::Active,
                spec,
                created_by: "bench".to_owned(),
                allowed: Allowed::default(),
            };
            register(&*registry, new).await.map(drop).map_err(|error| error.to_string())
        });
        if writers.len() >= 64 {
            writers.join_next().await.transpose().map_err(|error| error.to_string())?.transpose()?;
        }
    }
    while let Some(done) = writers.join_next().await {
        done.map_err(|error| error.to_string())??;
    }
    Ok(())
}

fn name(number: usize) -> Result<ContractRef, String> {
    ContractRef::new("RULESET", &format!("rules.{number:05}"), "1.0.0").map_err(|error| error.to_string())
}

/// Measures cached loads on one thread, compared with a bare get of an `Arc` from the same kind of cache.
async fn cached(registry: &Arc<StoreRegistry>, in_use: &[ContractRef]) -> Result<(), String> {
    const COUNT: usize = 1_000_000;
    let settings = CacheSettings { entries: 10_000, ttl: Duration::from_secs(300) };
    let cached = Cached::new(registry.clone(), settings);
    let bare: Cache<ContractRef, Arc<Contract>> = Cache::builder()
        .max_capacity(settings.entries)
        .time_to_live(settings.ttl)
        .eviction_policy(moka::policy::EvictionPolicy::lru())
        .build();
    for reference in in_use {
        bare.insert(reference.clone(), load(&cached, reference).await?);
    }
    let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let began = Instant::now();
        for number in 0..COUNT {
            black_box(bare.get(&in_use[number % in_use.len()]));
        }
        theirs = theirs.min(began.elapsed().as_nanos() as f64 / COUNT as f64);
        let began = Instant::now();
        for number in 0..COUNT {
            black_box(cached.load(&in_use[number % in_use.len()]).await.map_err(|error| error.to_string())?);
        }
        ours = ours.min(began.elapsed().as_nanos() as f64 / COUNT as f64);
    }
    println!("| from memory, one thread | ns | a second | times a bare get |\n|---|---|---|---|");
    println!("| a bare get of an `Arc` from moka | {theirs:.0} | {:.0} | 1.00 |", 1e9 / theirs);
    println!("| a load | {ours:.0} | {:.0} | {:.2} |\n", 1e9 / ours, ours / theirs);
    goal("a load from memory: at least 2 million a second", 1e9 / ours >= 2e6);
    goal("a load from memory: within 2 times a bare get", ours / theirs <= 2.0);
    println!();
    Ok(())
}

async fn load(cached: &Cached, reference: &ContractRef) -> Result<Arc<Contract>, String> {
    cached.load(reference).await.map_err(|error| error.to_string())
}

/// Measures cold loads, compared with a bare get of the same item from the same store.
async fn cold(
    (backend, count): (&str, usize),
    db: &Db,
    registry: &Arc<StoreRegistry>,
    in_use: &[ContractRef],
) -> Result<(), String> {
    let settings = CacheSettings { entries: 0, ttl: Duration::from_secs(300) };
    let cached = Cached::new(registry.clone(), settings);
    let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let began = Instant::now();
        for number in 0..count {
            black_box(bare(db, &in_use[number % in_use.len()]).await?);
        }
        theirs = theirs.min(began.elapsed().as_nanos() as f64 / count as f64);
        let began = Instant::now();
        for number in 0..count {
            black_box(load(&cached, &in_use[number % in_use.len()]).await?);
        }
        ours = ours.min(began.elapsed().as_nanos() as f64 / count as f64);
    }
    println!("| cold, one thread, {backend} | ns | times a bare get |\n|---|---|---|");
    println!("| a bare get of the store | {theirs:.0} | 1.00 |");
    println!("| a load: found, decoded, checksum checked | {ours:.0} | {:.2} |\n", ours / theirs);
    goal(&format!("a cold load: within 1.3 times a bare get of {backend}"), ours / theirs <= 1.3);
    println!();
    Ok(())
}

/// Measures the checksum, which every cold load computes.
async fn checksum(registry: &StoreRegistry, reference: &ContractRef) -> Result<(), String> {
    let contract = registry.fetch(reference).await.map_err(|error| error.to_string())?;
    let text = canonical_json(&contract.spec).map_err(|problem| problem.to_string())?;
    let write = nanos(|_| drop(black_box(canonical_json(&contract.spec))));
    let hash = nanos(|_| {
        black_box(digest(&SHA256, text.as_bytes()));
    });
    println!("| the checksum alone | ns |\n|---|---|");
    println!("| canonical JSON, {} bytes | {write:.0} |\n| SHA-256 of it | {hash:.0} |\n", text.len());
    Ok(())
}

/// Measures loads after a start: each contract once, in random order, from a store with an empty cache.
async fn first(directory: &Path) -> Result<(), String> {
    // The step is coprime to the number of contracts, so each is visited once.
    const STEP: usize = 7919;
    let all: Vec<ContractRef> =
        (0..CONTRACTS).map(|number| name(number * STEP % CONTRACTS)).collect::<Result<_, _>>()?;
    let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let db = db(open(directory)?).await?;
        let began = Instant::now();
        for reference in &all {
            black_box(bare(&db, reference).await?);
        }
        theirs = theirs.min(began.elapsed().as_nanos() as f64 / CONTRACTS as f64);
        drop(db);
        let registry = Arc::new(StoreRegistry::new(self::db(open(directory)?).await?));
        let cached = Cached::new(registry, CacheSettings { entries: 0, ttl: Duration::from_secs(300) });
        let began = Instant::now();
        for reference in &all {
            black_box(load(&cached, reference).await?);
        }
        ours = ours.min(began.elapsed().as_nanos() as f64 / CONTRACTS as f64);
    }
    println!(
        "\n| {CONTRACTS} contracts, each once, by a process that has just started | ns | times a bare get |"
    );
    println!("|---|---|---|\n| a bare get of the store | {theirs:.0} | 1.00 |");
    println!("| a load: found, decoded, checksum checked | {ours:.0} | {:.2} |\n", ours / theirs);
    goal("a load after a start: within 1.3 times a bare get", ours / theirs <= 1.3);
    Ok(())
}

/// A get of the store that ignores its result.
async fn bare(db: &Db, reference: &ContractRef) -> Result<Item, String> {
    let key = Key { pk: format!("{}#{}", reference.kind, reference.id), sk: reference.version.to_string() };
    let get = Get { key, consistent: true, fields: None };
    let found = db.store().get(db.table(), &get).await.map_err(|error| error.to_string())?;
    found.ok_or_else(|| "a contract is missing".to_owned())
}

/// Measures listing all active contracts of a kind, page by page.
async fn list(registry: &Arc<StoreRegistry>) -> Result<(), String> {
    let kind = name(0)?.kind;
    let mut best = Duration::MAX;
    let mut pages = 0_u32;
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let (mut seen, mut cursor) = (BTreeSet::new(), None);
        pages = 0;
        loop {
            let ask = ListAsk { status: Some(Status::Active), limit: Some(PAGE), cursor };
            let page = registry.list(&kind, &ask).await.map_err(|error| error.to_string())?;
            seen.extend(page.headers.into_iter().map(|header| header.reference));
            pages += 1;
            match page.next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        best = best.min(began.elapsed());
        if seen.len() != CONTRACTS {
            return Err(format!("{} of {CONTRACTS} contracts were listed", seen.len()));
        }
    }
    let each = best.as_nanos() as f64 / CONTRACTS as f64;
    println!("| a list of {CONTRACTS} active contracts | |\n|---|---|");
    println!(
        "| pages of {PAGE}, a query each | {pages} |\n| together, ms | {:.1} |",
        best.as_secs_f64() * 1e3
    );
    println!("| a contract, ns | {each:.0} |");
    Ok(())
}
