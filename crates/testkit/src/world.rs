//! The world of a simulation: many processes around one store and one queue, in one thread, in virtual
//! time, and everything that can go wrong between them, drawn from one seed.
//!
//! A call takes time on its way there and on its way back, is throttled, meets another, is lost before
//! or after it took effect, or takes effect when nobody expects it any more. Indexes lag, messages come twice, late
//! and out of order, clocks jump, processes stand still or die between any two calls. Nothing else is simulated: the store and
//! the queue are real ones, and so is what runs on them.
//!
//! The same seed gives the same world again if nothing else draws lots: the runtime must be the one of [`run`], and
//! what runs in it must not depend on the order of a hash map, on a `select!` without `biased`, or on threads.

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
use ground::Ground;
use lag::Lagging;
pub use trace::{Event, Fault, Step};
pub use victim::Victim;

/// What can go wrong. Without any of it calls still take turns.
///
/// Where there is a chance, it goes from 0 (never) to 1 (always). At most one of throttle, conflict and the
/// time-outs happens to a call, so they should not add up to more than 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hazards {
    /// How long a call is on its way, at least and at most: once there, and once back.
    pub latency: (Duration, Duration),
    /// The chance that a process stands still before its call sets out, as if its machine had been suspended; and for how
    /// long, at most. It does not know of it, and goes on as if nothing had been.
    pub stall: (f64, Duration),
    /// The chance that too much is asked; nothing was done.
    pub throttle: f64,
    /// The chance that a write of the store meets another one; nothing was done.
    pub conflict: f64,
    /// The chance that a call is lost on its way there; nothing was done.
    pub timeout_before: f64,
    /// The chance that the answer of a write is lost, though it was done.
    pub timeout_after: f64,
    /// The chance that a write is done only after its caller was told that there is no answer.
    pub timeout_late: f64,
    /// How long an index takes to follow a write, at most.
    pub index_lag: Duration,
    /// The chance that a message which is received will be received once more, whatever becomes of it.
    pub duplicate: f64,
    /// The chance that a message is late, or that those received at once come in another order; and how late a
    /// message is, at most. A copy is as late as that, too.
    pub delay: (f64, Duration),
    /// The chance, whenever a process looks at its clock, that the clock has jumped; and how far it is from the true
    /// time then, at most, before or after it.
    pub clock_jump: (f64, Duration),
}

/// On which side of its effect a process dies in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// The call is never made.
    Before,
    /// The call was done, and the process does not hear of it.
    After,
}

/// A world. Cheap to clone: all clones are the same one.
#[derive(Clone, Debug)]
pub struct World(Arc<Ground>);

/// What a process has of the world.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its number.
    pub number: usize,
    /// The store, as it is reached from here.
    pub store: Arc<dyn Store>,
    /// The queue, as it is reached from here.
    pub queue: Arc<dyn Queue>,
    /// The clock on its wall.
    pub clock: Clock,
}

/// Runs a simulation in a thread of its own making, where time passes when everybody waits.
///
/// # Panics
/// When there is no runtime to be had, or the simulation panics.
pub fn run<F: Future>(simulation: F) -> F::Output {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time().start_paused(true).build().unwrap().block_on(simulation)
}

impl World {
    /// A world whose time begins now, at the start of 2030. It must be made inside of [`run`].
    #[must_use]
    pub fn new(seed: u64, hazards: Hazards) -> Self {
        Self(Arc::new(Ground::new(seed, hazards)))
    }

    /// Puts a store into the world, and gives it as process 0 reaches it. Its indexes are read from `view`, an
    /// empty store that follows with a lag.
    pub fn store(&self, store: Arc<dyn Store>, view: Arc<dyn Store>) -> Arc<dyn Store> {
        let lagging = Arc::new(Lagging::new(store, view));
        self.0.state().store = Some(lagging.clone());
        Arc::new(store::Distant::new(self.caller(0), lagging))
    }

    /// Puts a queue into the world, and gives it as process 0 reaches it.
    pub fn queue(&self, queue: Arc<dyn Queue>) -> Arc<dyn Queue> {
        self.0.state().queue = Some(queue.clone());
        Arc::new(queue::Distant::new(self.caller(0), queue))
    }

    /// The true time: what a queue in this world goes by.
    #[must_use]
    pub fn time(&self) -> Arc<dyn Fn() -> Timestamp + Send + Sync> {
        let ground = self.0.clone();
        Arc::new(move || ground.time())
    }

    /// The clock of a process: the true time, if it has not jumped.
    #[must_use]
    pub fn clock(&self, process: usize) -> Clock {
        clock::of(self.0.clone(), process)
    }

    /// What a process has of the world from now on until it is killed. Who asks again after that gets what the
    /// process has that was started in its place; what the dead one has is of no use any more: its calls
    /// never return.
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
            store: Arc::new(store::Distant::new(self.caller(number), store)),
            queue: Arc::new(queue::Distant::new(self.caller(number), queue)),
            clock: self.clock(number),
        }
    }

    /// Runs a part of a process, until it ends or is killed.
    pub fn spawn<F>(&self, process: usize, name: &str, work: F) -> Victim<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send,
    {
        victim::spawn(self.0.clone(), process, name, work)
    }

    /// Kills all parts of a process wherever they wait.
    pub fn kill(&self, process: usize) {
        self.0.kill(process);
    }

    /// Has a process killed in its call of this number, from zero: see [`World::calls`]. Only what was given to
    /// [`World::spawn`] can die; whoever else makes the call waits forever.
    pub fn kill_at(&self, process: usize, call: u64, when: When) {
        self.0.state().doomed.insert((process, call, when));
    }

    /// How often a process has called the store or the queue so far, over all of its lives.
    #[must_use]
    pub fn calls(&self, process: usize) -> u64 {
        self.0.state().process(process).calls
    }

    /// Everything that happened so far, in order: what a failed simulation should show besides its seed.
    #[must_use]
    pub fn trace(&self) -> Vec<Step> {
        self.0.state().trace.clone()
    }

    fn caller(&self, process: usize) -> Caller {
        Caller::new(self.0.clone(), process)
    }
}
