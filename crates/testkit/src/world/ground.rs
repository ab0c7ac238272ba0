//! State of a world.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hansang_core::Queue;
use hansang_core::queue::Delivery;
use jiff::{SignedDuration, Timestamp};
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::lag::Lagging;
use super::{Event, Hazards, Step, When};
use crate::random::Random;

/// Start of every world: 2030-01-01T00:00:00Z.
const START_SECOND: i64 = 1_893_456_000;

pub(super) struct Shared {
    pub(super) seed: u64,
    pub(super) hazards: Hazards,
    start: Instant,
    state: Mutex<State>,
}

pub(super) struct State {
    pub(super) random: Random,
    pub(super) store: Option<Arc<Lagging>>,
    pub(super) queue: Option<Arc<dyn Queue>>,
    pub(super) doomed: BTreeSet<(usize, u64, When)>,
    pub(super) trace: Vec<Step>,
    /// Duplicates of messages, by delivery time and a number.
    pub(super) copies: BTreeMap<(Duration, u64), Delivery>,
    pub(super) copied: u64,
    processes: BTreeMap<usize, ProcessState>,
}

/// State of a process.
#[derive(Default)]
pub(super) struct ProcessState {
    pub(super) calls: u64,
    /// Number of kills. Handles from before the last one are dead.
    pub(super) deaths: u64,
    /// Offset of its clock from the true time.
    pub(super) offset: SignedDuration,
    pub(super) tasks: Vec<(String, AbortHandle)>,
    /// Random sequence of its clock, shared by all tasks and restarts, so that no two get the same bits.
    pub(super) chance: Option<Random>,
}

impl State {
    pub(super) fn process(&mut self, number: usize) -> &mut ProcessState {
        self.processes.entry(number).or_default()
    }
}

impl Shared {
    pub(super) fn new(seed: u64, hazards: Hazards) -> Self {
        let state = State {
            random: Random::new(seed),
            store: None,
            queue: None,
            doomed: BTreeSet::new(),
            trace: Vec::new(),
            copies: BTreeMap::new(),
            copied: 0,
            processes: BTreeMap::new(),
        };
        Self { seed, hazards, start: Instant::now(), state: Mutex::new(state) }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Time since the start of the world.
    pub(super) fn age(&self) -> Duration {
        self.start.elapsed()
    }

    pub(super) fn time(&self) -> Timestamp {
        true_time(self.start)
    }

    /// The true time. It has no reference to the world, because the queue in the world holds this clock.
    pub(super) fn clock(&self) -> Arc<dyn Fn() -> Timestamp + Send + Sync> {
        let start = self.start;
        Arc::new(move || true_time(start))
    }

    pub(super) fn record(&self, state: &mut State, process: usize, event: Event) {
        state.trace.push(Step { at: self.age(), process, event });
    }

    /// Kills all tasks of a process. A running one ends at its next await.
    pub(super) fn kill(&self, process: usize) {
        let mut state = self.state();
        let process_state = state.process(process);
        process_state.deaths += 1;
        for (name, part) in std::mem::take(&mut process_state.tasks) {
            if !part.is_finished() {
                part.abort();
                self.record(&mut state, process, Event::Killed { name });
            }
        }
    }
}

fn true_time(start: Instant) -> Timestamp {
    Timestamp::from_second(START_SECOND).unwrap() + start.elapsed()
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("seed", &self.seed)
            .field("hazards", &self.hazards)
            .finish_non_exhaustive()
    }
}
