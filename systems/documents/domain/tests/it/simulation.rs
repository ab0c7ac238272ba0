//! Runs in simulated worlds: people, processors and workers in several processes, with injected faults, a cache that
//! misbehaves, and crashes, from one seed.
//!
//! `DOCUMENTS_SEED=123` runs one seed; `DOCUMENTS_SEEDS=10000` sets the number of seeds, and `DOCUMENTS_FIRST=5000` the first.

mod cache;
mod ending;
mod lists;
mod people;
mod processors;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hansang_core::ErrorKind;
use hansang_core::cache::Cached;
use hansang_core::files::Files as _;
use hansang_documents::{Documents, StepName, tend};
use hansang_testkit::memory::{Memory, MemoryQueue};
use hansang_testkit::world::{self, Hazards, World};
use tokio::time::sleep;

use crate::grounds::{MemoryCache, MemoryFiles, db};
use cache::Slow;
use ending::{finish, watch};
use people::start_person;
use processors::start_processor;

/// The processes of people. Process 0 has no faults.
const PEOPLE: [usize; 3] = [1, 2, 3];
const PROCESSORS: [usize; 2] = [4, 5];
const WORKER: usize = 6;

/// D21, Ds11, Ds13, Ds14, Ds20: under any faults, lists show what was acknowledged, no document has two active runs, leases
/// are never shared, segments are complete, every document ends, and what was deleted is gone.
#[test]
fn documents_are_right_under_faults() {
    let variable = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = variable("DOCUMENTS_SEED").or(variable("DOCUMENTS_FIRST")).unwrap_or(0);
    let count =
        if variable("DOCUMENTS_SEED").is_some() { 1 } else { variable("DOCUMENTS_SEEDS").unwrap_or(60) };
    let mut total = Counts::default();
    for seed in first..first + count {
        let (problems, counts) = world::run(play(seed));
        assert!(problems.is_empty(), "run again with DOCUMENTS_SEED={seed}: {problems:#?}");
        total.lists += counts.lists;
        total.claims += counts.claims;
        total.completed += counts.completed;
        total.deleted += counts.deleted;
        total.kills += counts.kills;
        total.dropped += counts.dropped;
        for (sum, count) in total.of_kind.iter_mut().zip(counts.of_kind) {
            *sum += count;
        }
    }
    // Invariants of an empty run would prove nothing.
    let enough = total.lists > count * 10
        && total.claims > count * 10
        && total.completed > count / 2
        && total.deleted > count / 2
        && total.kills > count / 2
        && total.dropped > count / 10
        && total.of_kind.iter().all(|lists| *lists > count);
    assert!(count == 1 || enough, "{total:?}");
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    lists: u64,
    /// The lists of each kind.
    of_kind: [u64; 5],
    /// Cached lists that a deletion of their project had to drop.
    dropped: u64,
    claims: u64,
    completed: u64,
    deleted: u64,
    kills: u64,
}

/// The subject of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Project,
    Session,
    Agent,
    Document,
    Artifact,
}

/// The creators and projects of what was created.
#[derive(Clone, Debug)]
struct Made {
    kind: Kind,
    user: String,
    project: String,
}

/// The acknowledged writes, by id.
#[derive(Clone, Debug, Default)]
struct Facts {
    created: BTreeMap<String, Made>,
    delete_started: BTreeSet<String>,
    deleted: BTreeSet<String>,
    claims: BTreeSet<(String, StepName, i64)>,
    /// Files that someone is storing: one who dies then leaves them.
    storing: BTreeSet<String>,
    /// Keys of the cache whose list was read, or was begun to be read, before the deletion of its project.
    read: BTreeSet<String>,
    /// How many readers of each key may fill it after the deletion of its project.
    late: BTreeMap<String, usize>,
    counts: Counts,
    problems: Vec<String>,
}

impl Facts {
    fn make(&mut self, id: &str, kind: Kind, user: &str, project: &str) {
        let made = Made { kind, user: user.to_owned(), project: project.to_owned() };
        self.created.insert(id.to_owned(), made);
    }

    /// Something of a user whose deletion has not begun.
    fn own(&self, kind: Kind, user: &str) -> Option<(String, String)> {
        let own = |(id, made): &(&String, &Made)| {
            made.kind == kind && made.user == user && !self.delete_started.contains(*id)
        };
        self.created.iter().find(own).map(|(id, made)| (id.clone(), made.project.clone()))
    }
}

type Known = Arc<Mutex<Facts>>;

/// What all processes of a world share.
#[derive(Clone)]
struct Scene {
    world: World,
    cache: Option<Arc<Slow>>,
    files: Arc<MemoryFiles>,
    known: Known,
}

impl Scene {
    fn documents(&self, process: usize) -> Documents {
        let handles = self.world.process(process);
        Documents::new(db(handles.store, handles.clock), self.cached(), self.files.clone())
    }

    fn cached(&self) -> Cached {
        self.cache.clone().map_or_else(Cached::none, |cache| Cached::new(cache))
    }

    /// Stores a file that is named in the table afterwards, or was before.
    fn store(&self, key: &str) {
        self.facts().storing.insert(key.to_owned());
        self.files.store(key, "x");
    }

    /// After that, the file is named, or was deleted again.
    async fn stored(&self, key: &str, named: bool) {
        if !named {
            self.files.delete(key).await.unwrap();
        }
        self.facts().storing.remove(key);
    }

    fn facts(&self) -> std::sync::MutexGuard<'_, Facts> {
        self.known.lock().unwrap()
    }
}

async fn play(seed: u64) -> (Vec<String>, Counts) {
    let mut chance = fastrand::Rng::with_seed(seed);
    let world = World::new(seed, hazards(&mut chance));
    let store = Arc::new(Memory::new());
    world.queue(Arc::new(MemoryQueue::new(world.time(), 100)));
    world.store(store.clone(), Arc::new(Memory::new()));
    let cache = match seed % 3 {
        0 => None,
        kind => {
            let inner = if kind == 1 { MemoryCache::default() } else { MemoryCache::failing(30, seed) };
            Some(Arc::new(Slow { inner, chance: Mutex::new(fastrand::Rng::with_seed(seed)) }))
        }
    };
    let files = Arc::new(MemoryFiles::default());
    let scene = Scene { world: world.clone(), cache, files: files.clone(), known: Known::default() };
    let truth = Documents::new(db(store, world.clock(0)), Cached::none(), files);
    world.process(0).store.ensure_table(truth.db.table()).await.unwrap();
    let mut tasks = Vec::new();
    for person in PEOPLE {
        tasks.push(start_person(&scene, person, chance.u64(..)));
    }
    for processor in PROCESSORS {
        start_processor(&scene, processor, chance.u64(..));
    }
    start_worker(&scene);
    let watch = tokio::spawn(watch(truth.clone(), scene.known.clone()));
    for _ in 0..chance.usize(0..5) {
        sleep(Duration::from_secs(chance.u64(0..60))).await;
        scene.facts().counts.kills += 1;
        match chance.usize(0..4) {
            0 => {
                let person = PEOPLE[chance.usize(0..PEOPLE.len())];
                world.kill(person);
                tasks.push(start_person(&scene, person, chance.u64(..)));
            }
            1 => {
                world.kill(WORKER);
                start_worker(&scene);
            }
            _ => {
                let processor = PROCESSORS[chance.usize(0..PROCESSORS.len())];
                world.kill(processor);
                start_processor(&scene, processor, chance.u64(..));
            }
        }
    }
    for task in tasks {
        let _ = task.ended().await;
    }
    for process in PROCESSORS.into_iter().chain([WORKER]) {
        world.kill(process);
    }
    // Writes whose answer was lost may still take effect.
    sleep(Duration::from_secs(120)).await;
    watch.abort();
    finish(&truth, &scene).await;
    let facts = scene.facts();
    (facts.problems.clone(), facts.counts)
}

fn hazards(chance: &mut fastrand::Rng) -> Hazards {
    let mut some = |max: f64| if chance.bool() { chance.f64() * max } else { 0.0 };
    Hazards {
        throttle: some(0.05),
        conflict: some(0.05),
        timeout_before: some(0.03),
        timeout_after: some(0.03),
        timeout_late: some(0.02),
        stall: (some(0.02), Duration::from_secs(90)),
        latency: (Duration::from_micros(500), Duration::from_millis(chance.u64(2..20))),
        ..Hazards::default()
    }
}

fn start_worker(scene: &Scene) {
    let documents = scene.documents(WORKER);
    scene.world.spawn(WORKER, "worker", async move {
        loop {
            sleep(Duration::from_secs(7)).await;
            let _ = tend(&documents).await;
        }
    });
}

/// Refusals are fine; anything that should not happen is a panic.
fn expected(result: Result<(), hansang_core::Error>) {
    if let Err(error) = result {
        let kinds = [
            ErrorKind::Unavailable,
            ErrorKind::Conflict,
            ErrorKind::NotFound,
            ErrorKind::Precondition,
            ErrorKind::Invalid,
        ];
        assert!(kinds.contains(&error.kind), "{error:?}");
    }
}
