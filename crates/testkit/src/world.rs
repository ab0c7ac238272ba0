//! Simulated worlds: processes around one store and one queue, in one thread, in virtual time, with hazards
//! from one seed.
//!
//! A call has latency in both directions and may be throttled, conflict, be lost before or after its effect,
//! or take effect late. Indexes lag; messages are duplicated, delayed and reordered; clocks jump; processes
//! stall or die between any two calls. The store and the queue are real, and so is the code that uses them.
//!
//! The same seed gives the same run if nothing else is random: use the runtime of [`run`], and do not depend
//! on the order of a hash map, on a `select!` without `biased`, or on threads.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use hansang_core::db::Clock;
use hansang_core::{Queue, Store};
use jiff::Timestamp;

mod caller;
mod clock;
mod ground;
mod lag;
mod queue;
mod store;
mod trace;
mod victim;

use caller::Caller;
use ground::Shared;
use lag::Lagging;
pub use trace::{Event, Fault, Step};
pub use victim::Task;

/// Hazards of a world. Without any, calls still interleave.
///
/// Probabilities are from 0 to 1. A call has at most one of throttle, conflict and the timeouts, so their sum
/// should be at most 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hazards {
    /// Minimum and maximum latency of a call, in each direction.
    pub latency: (Duration, Duration),
    /// Probability and maximum duration of a stall before a call, as if the machine was suspended.
    pub stall: (f64, Duration),
    /// Probability that a call is throttled; nothing is done.
    pub throttle: f64,
    /// Probability that a write of the store conflicts with another; nothing is done.
    pub conflict: f64,
    /// Probability that a request is lost; nothing is done.
    pub timeout_before: f64,
    /// Probability that the response of a write is lost after it was done.
    pub timeout_after: f64,
    /// Probability that a write is done after its caller got a timeout.
    pub timeout_late: f64,
    /// Maximum lag of an index.
    pub index_lag: Duration,
    /// Probability that a received message is delivered once more, even if it is acknowledged.
    pub duplicate: f64,
    /// Probability that a message is late or that a received batch is reordered; and the maximum delay of a
    /// message or copy.
    pub delay: (f64, Duration),
    /// Probability that a clock jumps when it is read, and its maximum offset in both directions.
    pub clock_jump: (f64, Duration),
}

/// Moment of a death in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// Before the call, which is never made.
    Before,
    /// After its effect, before the response.
    After,
}

/// A simulated world. Clones share it.
#[derive(Clone, Debug)]
pub struct World(Arc<Shared>);

/// Handles of a process.
#[derive(Clone, Debug)]
pub struct Process {
    /// Number of the process.
    pub number: usize,
    /// Store, with hazards.
    pub store: Arc<dyn Store>,
    /// Queue, with hazards.
    pub queue: Arc<dyn Queue>,
    /// Clock, with jumps.
    pub clock: Clock,
}

/// Runs a simulation on a single-threaded runtime in virtual time, which advances when all tasks wait.
///
/// # Panics
/// When no runtime can be created, or the simulation panics.
pub fn run<F: Future>(simulation: F) -> F::Output {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time().start_paused(true).build().unwrap().block_on(simulation)
}

impl World {
    /// Creates a world that starts in 2030. Must be called inside of [`run`].
    #[must_use]
    pub fn new(seed: u64, hazards: Hazards) -> Self {
        Self(Arc::new(Shared::new(seed, hazards)))
    }

    /// Sets the store. Returns the handle of process 0. Index reads use `view`, an empty store that follows
    /// with a lag.
    pub fn store(&self, store: Arc<dyn Store>, view: Arc<dyn Store>) -> Arc<dyn Store> {
        let lagging = Arc::new(Lagging::new(store, view));
        self.0.state().store = Some(lagging.clone());
        Arc::new(store::SimulatedStore::new(self.caller(0), lagging))
    }

    /// Sets the queue. Returns the handle of process 0.
    pub fn queue(&self, queue: Arc<dyn Queue>) -> Arc<dyn Queue> {
        self.0.state().queue = Some(queue.clone());
        Arc::new(queue::SimulatedQueue::new(self.caller(0), queue))
    }

    /// The true time, for the queue of the world.
    #[must_use]
    pub fn time(&self) -> Arc<dyn Fn() -> Timestamp + Send + Sync> {
        self.0.clock()
    }

    /// The clock of a process: the true time plus its offset.
    #[must_use]
    pub fn clock(&self, process: usize) -> Clock {
        clock::of(self.0.clone(), process)
    }

    /// Handles of a process until it is killed. After that, call this again for the restarted process: calls
    /// of the old handles never return.
    ///
    /// # Panics
    /// When the world has no store or no queue yet.
    #[must_use]
    pub fn process(&self, number: usize) -> Process {
        let (store, queue) = {
            let state = self.0.state();
            (state.store.clone(), state.queue.clone())
        };
        let store = store.expect("put a store into the world first");
        let queue = queue.expect("put a queue into the world first");
        Process {
            number,
            store: Arc::new(store::SimulatedStore::new(self.caller(number), store)),
            queue: Arc::new(queue::SimulatedQueue::new(self.caller(number), queue)),
            clock: self.clock(number),
        }
    }

    /// Runs a task of a process until it ends or is killed.
    pub fn spawn<F>(&self, process: usize, name: &str, work: F) -> Task<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send,
    {
        victim::spawn(self.0.clone(), process, name, work)
    }

    /// Kills all tasks of a process at their current await.
    pub fn kill(&self, process: usize) {
        self.0.kill(process);
    }

    /// Kills a process in its call of this number, from zero: see [`World::calls`]. Only tasks of
    /// [`World::spawn`] can die; a call from elsewhere waits forever.
    pub fn kill_at(&self, process: usize, call: u64, when: When) {
        self.0.state().doomed.insert((process, call, when));
    }

    /// Number of calls of a process so far, over all of its restarts.
    #[must_use]
    pub fn calls(&self, process: usize) -> u64 {
        self.0.state().process(process).calls
    }

    /// All events so far, in order. A failed simulation should print them with its seed.
    #[must_use]
    pub fn trace(&self) -> Vec<Step> {
        self.0.state().trace.clone()
    }

    fn caller(&self, process: usize) -> Caller {
        Caller::new(self.0.clone(), process)
    }
}
