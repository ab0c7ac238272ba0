//! Many threads on one cache: the status never goes back for a reader.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use hansang_contracts::{CacheSettings, Cached, ContractRegistry, Status, StoreRegistry, register};

use crate::grounds::{change_set, db, embedded, new, reference};

const NAME: &str = "CHANGESET:changeset.v1:1.0.0";
const MOVES: usize = 300;
const READERS: usize = 6;

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn a_load_after_a_status_change_sees_it() {
    let directory = tempfile::tempdir().unwrap();
    let registry = StoreRegistry::new(db(embedded(&directory)).await);
    register(&registry, new(NAME, Status::Active, change_set())).await.unwrap();
    let settings = CacheSettings { entries: 4, ttl: Duration::from_secs(3600) };
    let cached = Arc::new(Cached::new(Arc::new(registry), settings));
    // The time of the last acknowledged status change; `None` after the last one.
    let acknowledged = Arc::new(AtomicI64::new(0));
    let looked = Arc::new(AtomicU64::new(0));
    let readers: Vec<_> = (0..READERS)
        .map(|_| {
            let (cached, acknowledged, looked) = (cached.clone(), acknowledged.clone(), looked.clone());
            tokio::spawn(async move {
                loop {
                    let at_least = acknowledged.load(Ordering::SeqCst);
                    if at_least == i64::MAX {
                        return;
                    }
                    let found = cached.fetch(&reference(NAME)).await.unwrap();
                    let changed =
                        found.header.status_changed.as_ref().map_or(0, |changed| changed.at.as_second());
                    assert!(changed >= at_least, "a status from before the last move");
                    looked.fetch_add(1, Ordering::SeqCst);
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    let statuses = [Status::Active, Status::Deprecated];
    for number in 0..MOVES {
        let (from, to) = (statuses[number % 2], statuses[(number + 1) % 2]);
        let name = reference(NAME);
        let header = ContractRegistry::set_status(&*cached, &name, from, to, &"lee".into()).await.unwrap();
        let at = header.status_changed.unwrap().at.as_second();
        acknowledged.store(at, Ordering::SeqCst);
        if number % 7 == 0 {
            cached.invalidate_all();
        }
    }
    acknowledged.store(i64::MAX, Ordering::SeqCst);
    for reader in readers {
        reader.await.unwrap();
    }
    assert!(looked.load(Ordering::SeqCst) > 0);
}
