//! Readers and writers of a store with a cache before it, and a check of every answer.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hansang_core::Error;
use hansang_core::cache::{Cache as _, Cached, Stamp, Statistics};
use hansang_valkey::Valkey;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// Keys on every node of a cluster.
const KEYS: usize = 24;

/// The hour of the document.
const TTL: Duration = Duration::from_secs(3600);

/// The time that the store takes. Without one, readers would take the processors from the servers.
const LATENCY: Duration = Duration::from_millis(2);

/// A test that takes longer has stopped.
const DEADLINE: Duration = Duration::from_secs(120);

/// A load on a cache.
pub(crate) struct Load {
    pub(crate) valkey: Valkey,
    world: Arc<World>,
    tasks: Vec<JoinHandle<()>>,
}

struct World {
    cached: Cached,
    rows: Vec<Row>,
    reads: AtomicU64,
    ended: AtomicBool,
    progress: Notify,
}

/// A list of the store, as the number of its last write.
struct Row {
    key: String,
    stored: Mutex<u64>,
    acknowledged: AtomicU64,
}

impl Load {
    /// Starts readers and writers.
    pub(crate) fn start(valkey: Valkey) -> Self {
        let row = |number| Row {
            key: format!("session_list:user-{number}:project"),
            stored: Mutex::default(),
            acknowledged: AtomicU64::default(),
        };
        let world = Arc::new(World {
            cached: Cached::new(Arc::new(valkey.clone())),
            rows: (0..KEYS).map(row).collect(),
            reads: AtomicU64::default(),
            ended: AtomicBool::default(),
            progress: Notify::new(),
        });
        let readers = (0..6).map(|_| tokio::spawn(read(world.clone())));
        let tasks = readers.chain([tokio::spawn(write(world.clone()))]).collect();
        Self { valkey, world, tasks }
    }

    fn statistics(&self) -> Statistics {
        self.world.cached.statistics()
    }

    /// Lets the load go on until this holds, after the start of it.
    async fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let waiting = async {
            while !holds(self) {
                self.check();
                self.world.progress.notified().await;
            }
        };
        assert!(tokio::time::timeout(DEADLINE, waiting).await.is_ok(), "{what}: {:?}", self.statistics());
    }

    /// Lets the load go on until it uses the cache for a while.
    pub(crate) async fn until_it_hits(&self) {
        let before = self.statistics();
        self.until("no hits", |load| {
            let now = load.statistics();
            now.hits > before.hits + 100 && now.fills > before.fills + 20
        })
        .await;
    }

    /// Lets the load go on until the cache fails, and for many reads more: nobody waits for it.
    pub(crate) async fn until_it_fails(&self) {
        let before = self.statistics().errors;
        self.until("no errors", |load| load.statistics().errors > before).await;
        self.reads(500).await;
    }

    /// Lets the load go on for this many reads.
    pub(crate) async fn reads(&self, count: u64) {
        let before = self.world.reads.load(Ordering::SeqCst);
        self.until("no reads", |load| load.world.reads.load(Ordering::SeqCst) >= before + count).await;
    }

    /// Lets the load go on until every key can be used again, on whichever node it is now.
    pub(crate) async fn until_all_keys_are_back(&self) {
        let waiting = async {
            loop {
                let mut back = 0;
                for row in &self.world.rows {
                    back += usize::from(self.valkey.delete(&row.key).await.is_ok());
                }
                if back == KEYS {
                    return;
                }
                self.check();
                self.world.progress.notified().await;
            }
        };
        let back = tokio::time::timeout(DEADLINE, waiting).await;
        assert!(back.is_ok(), "not all keys are back: {:?}", self.statistics());
    }

    /// A reader or writer that panicked has seen something wrong, which `end` shows.
    fn check(&self) {
        assert!(self.tasks.iter().all(|task| !task.is_finished()), "a reader or writer has stopped");
    }

    /// Ends the load.
    pub(crate) async fn end(self) {
        self.world.ended.store(true, Ordering::SeqCst);
        for task in self.tasks {
            task.await.unwrap();
        }
    }
}

async fn read(world: Arc<World>) {
    let mut number = 0;
    while !world.ended.load(Ordering::SeqCst) {
        number = (number + 7) % KEYS;
        let row = &world.rows[number];
        let acknowledged = row.acknowledged.load(Ordering::SeqCst);
        let stamp = Stamp { number: *row.stored.lock().unwrap(), keep: true };
        let load = async {
            tokio::time::sleep(LATENCY).await;
            Ok::<u64, Error>(*row.stored.lock().unwrap())
        };
        let found = world.cached.cached(&row.key, stamp, TTL, load).await.unwrap();
        assert!(found >= acknowledged, "{found} of {} after {acknowledged}", row.key);
        assert!(found <= *row.stored.lock().unwrap(), "{found} was never stored");
        world.reads.fetch_add(1, Ordering::SeqCst);
        world.progress.notify_one();
        tokio::task::yield_now().await;
    }
}

async fn write(world: Arc<World>) {
    let mut number = 0;
    while !world.ended.load(Ordering::SeqCst) {
        number = (number + 1) % KEYS;
        let row = &world.rows[number];
        let written = {
            let mut stored = row.stored.lock().unwrap();
            *stored += 1;
            *stored
        };
        row.acknowledged.store(written, Ordering::SeqCst);
        world.cached.invalidate(&row.key).await;
        // Mostly reads, so that there are hits.
        let reads = world.reads.load(Ordering::SeqCst);
        while world.reads.load(Ordering::SeqCst) < reads + 100 && !world.ended.load(Ordering::SeqCst) {
            tokio::task::yield_now().await;
        }
    }
}
