//! Every interleaving of a load, an invalidation and a status change.
//!
//! Gates are before and after each call of the registry below the cache. A task runs up to its next gate, then any task may
//! continue; all orders are tried. The registry below reads files, because none of its steps waits for another thread: a
//! blocked task is at a gate or waits for the load of another task.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use async_trait::async_trait;
use hansang_contracts::{
    Act, CacheSettings, Cached, CompatibilityRule, Contract, ContractError, ContractRef, ContractRegistry,
    Header, Headers, Kind, ListAsk, NewContract, Referrer, RuleScope, Saved, Status, StatusChange, Walked,
    YamlRegistry, register,
};

use crate::grounds::{change_set, clock, new, reference};

const NAME: &str = "CHANGESET:changeset.v1:1.0.0";

/// The gates of all tasks: a task stops once at each gate.
#[derive(Debug, Default)]
struct Gates {
    stopped: AtomicBool,
}

impl Gates {
    async fn pass(&self) {
        let mut first = true;
        std::future::poll_fn(|_| {
            if std::mem::take(&mut first) {
                self.stopped.store(true, Ordering::SeqCst);
                return Poll::Pending;
            }
            Poll::Ready(())
        })
        .await;
    }
}

/// A registry with a gate before and after each call.
#[derive(Debug)]
struct Gated {
    inner: YamlRegistry,
    gates: Arc<Gates>,
}

#[async_trait]
impl ContractRegistry for Gated {
    async fn fetch(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        self.gates.pass().await;
        let outcome = self.inner.fetch(reference).await;
        self.gates.pass().await;
        outcome
    }

    async fn set_status(
        &self,
        reference: &ContractRef,
        from: Status,
        to: Status,
        act: &Act,
    ) -> Result<Header, ContractError> {
        self.gates.pass().await;
        let outcome = self.inner.set_status(reference, from, to, act).await;
        self.gates.pass().await;
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
        self.gates.pass().await;
        let outcome = self.inner.save(new).await;
        self.gates.pass().await;
        outcome
    }
}

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// Runs a task up to its next gate. Returns whether it made progress.
fn advance(task: &mut Option<Task>, gates: &Gates) -> bool {
    let Some(future) = task else { return false };
    gates.stopped.store(false, Ordering::SeqCst);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(()) => {
            *task = None;
            true
        }
        // Not at a gate: it waits for the load of another task.
        Poll::Pending => gates.stopped.load(Ordering::SeqCst),
    }
}

/// Enumerates all sequences of choices: each run follows the given choices and then always takes the first.
#[derive(Default)]
struct Orders {
    /// The choice at each step, and the number of alternatives.
    path: Vec<(usize, usize)>,
    at: usize,
}

impl Orders {
    fn choose(&mut self, of: usize) -> usize {
        if self.at == self.path.len() {
            self.path.push((0, of));
        }
        let (chosen, known) = self.path[self.at];
        assert_eq!(known, of, "the same choices lead to the same state");
        self.at += 1;
        chosen
    }

    /// Advances to the next order. Returns `false` after the last.
    fn next(&mut self) -> bool {
        self.at = 0;
        while let Some((chosen, of)) = self.path.pop() {
            if chosen + 1 < of {
                self.path.push((chosen + 1, of));
                return true;
            }
        }
        false
    }
}

/// Runs the tasks in one order, skipping blocked tasks.
fn run(mut tasks: Vec<Option<Task>>, gates: &Gates, orders: &mut Orders) {
    while tasks.iter().any(Option::is_some) {
        let alive: Vec<usize> = (0..tasks.len()).filter(|&number| tasks[number].is_some()).collect();
        let chosen = orders.choose(alive.len());
        let from = |start: usize| alive[start..].iter().chain(&alive[..start]);
        let moved = from(chosen).any(|&number| advance(&mut tasks[number], gates));
        assert!(moved, "deadlock: every task is blocked");
    }
}

/// The fixture of one order: an active contract behind a cache.
struct World {
    cached: Rc<Cached>,
    gates: Arc<Gates>,
    _directory: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        // On a RAM disk if possible: every save syncs, and there are thousands of orders.
        let directory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let inner = YamlRegistry::open(directory.path().to_owned(), clock()).unwrap();
        let mut stored: Task = {
            let path = directory.path().to_owned();
            Box::pin(async move {
                let registry = YamlRegistry::open(path, clock()).unwrap();
                register(&registry, new(NAME, Status::Active, change_set())).await.unwrap();
            })
        };
        assert!(stored.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready());
        let gates = Arc::new(Gates::default());
        let settings = CacheSettings { entries: 10, ttl: Duration::from_secs(3600) };
        let cached = Cached::new(Arc::new(Gated { inner, gates: gates.clone() }), settings);
        Self { cached: Rc::new(cached), gates, _directory: directory }
    }
}

async fn status(cached: &Cached) -> Status {
    cached.fetch(&reference(NAME)).await.unwrap().header.status
}

#[test]
fn no_load_after_a_status_change_sees_the_old_status() {
    let mut orders = Orders::default();
    let mut tried = 0_u32;
    loop {
        let world = World::new();
        let moved = Arc::new(AtomicBool::new(false));
        let reader = || -> Option<Task> {
            let (cached, moved) = (world.cached.clone(), moved.clone());
            Some(Box::pin(async move {
                let began_after = moved.load(Ordering::SeqCst);
                let seen = status(&cached).await;
                assert!(!began_after || seen == Status::Deprecated, "an old status after the move");
            }))
        };
        let mover: Option<Task> = {
            let (cached, moved) = (world.cached.clone(), moved.clone());
            Some(Box::pin(async move {
                let (registry, name): (&dyn ContractRegistry, _) = (&*cached, reference(NAME));
                registry.set_status(&name, Status::Active, Status::Deprecated, &"lee".into()).await.unwrap();
                moved.store(true, Ordering::SeqCst);
                assert_eq!(status(&cached).await, Status::Deprecated, "the mover sees the old status");
            }))
        };
        run(vec![reader(), mover, reader()], &world.gates, &mut orders);
        // Nothing stale is left in the cache.
        let last = Rc::new(RefCell::new(None));
        let check: Option<Task> = {
            let (cached, last) = (world.cached.clone(), last.clone());
            Some(Box::pin(async move { *last.borrow_mut() = Some(status(&cached).await) }))
        };
        run(vec![check], &world.gates, &mut Orders::default());
        assert_eq!(*last.borrow(), Some(Status::Deprecated), "an old status stayed in the cache");
        tried += 1;
        if !orders.next() {
            break;
        }
    }
    assert!(tried > 500, "only {tried} orders were tried");
}

#[test]
fn a_load_that_races_an_invalidation_leaves_nothing_stale() {
    let mut orders = Orders::default();
    let mut tried = 0_u32;
    loop {
        let world = World::new();
        let truth = Arc::new(Mutex::new(Status::Active));
        let reader = || -> Option<Task> {
            let cached = world.cached.clone();
            Some(Box::pin(async move {
                let _ = status(&cached).await;
            }))
        };
        // The status is changed without this cache, which is then invalidated.
        let other: Option<Task> = {
            let (cached, truth) = (world.cached.clone(), truth.clone());
            let path = world._directory.path().to_owned();
            let gates = world.gates.clone();
            Some(Box::pin(async move {
                gates.pass().await;
                let elsewhere = YamlRegistry::open(path, clock()).unwrap();
                elsewhere
                    .set_status(&reference(NAME), Status::Active, Status::Deprecated, &"lee".into())
                    .await
                    .unwrap();
                *truth.lock().unwrap() = Status::Deprecated;
                gates.pass().await;
                match tried % 3 {
                    0 => cached.invalidate(&reference(NAME)),
                    1 => cached.invalidate_kind(&reference(NAME).kind),
                    _ => cached.invalidate_all(),
                };
                assert_eq!(status(&cached).await, Status::Deprecated, "an old status after the invalidation");
            }))
        };
        run(vec![reader(), other, reader()], &world.gates, &mut orders);
        tried += 1;
        if !orders.next() {
            break;
        }
    }
    assert!(tried > 500, "only {tried} orders were tried");
}

#[test]
fn no_load_after_a_registration_finds_nothing() {
    const OTHER: &str = "CHANGESET:changeset.v1:2.0.0";
    let mut orders = Orders::default();
    let mut tried = 0_u32;
    loop {
        let world = World::new();
        let reader = || -> Option<Task> {
            let cached = world.cached.clone();
            Some(Box::pin(async move { drop(cached.fetch(&reference(OTHER)).await) }))
        };
        let author: Option<Task> = {
            let cached = world.cached.clone();
            Some(Box::pin(async move {
                register(&*cached, new(OTHER, Status::Active, change_set())).await.unwrap();
                cached.fetch(&reference(OTHER)).await.expect("it was registered");
            }))
        };
        run(vec![reader(), author, reader()], &world.gates, &mut orders);
        tried += 1;
        if !orders.next() {
            break;
        }
    }
    assert!(tried > 500, "only {tried} orders were tried");
}

/// Another server, or another request of this one, registers the same version at the same time.
#[test]
fn no_load_after_a_repeated_registration_finds_nothing() {
    const OTHER: &str = "CHANGESET:changeset.v1:2.0.0";
    let mut orders = Orders::default();
    let mut tried = 0_u32;
    loop {
        let world = World::new();
        let reader: Option<Task> = {
            let cached = world.cached.clone();
            Some(Box::pin(async move { drop(cached.fetch(&reference(OTHER)).await) }))
        };
        let elsewhere: Option<Task> = {
            let (path, gates) = (world._directory.path().to_owned(), world.gates.clone());
            Some(Box::pin(async move {
                gates.pass().await;
                let registry = YamlRegistry::open(path, clock()).unwrap();
                register(&registry, new(OTHER, Status::Active, change_set())).await.unwrap();
            }))
        };
        let author: Option<Task> = {
            let cached = world.cached.clone();
            Some(Box::pin(async move {
                register(&*cached, new(OTHER, Status::Active, change_set())).await.unwrap();
                cached.fetch(&reference(OTHER)).await.expect("it was registered");
            }))
        };
        run(vec![reader, elsewhere, author], &world.gates, &mut orders);
        tried += 1;
        if !orders.next() {
            break;
        }
    }
    assert!(tried > 100, "only {tried} orders were tried");
}
