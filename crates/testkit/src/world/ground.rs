//! What all parts of a world share.

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

/// The second at which every world begins: 2030-01-01T00:00:00Z.
const BEGINNING: i64 = 1_893_456_000;

pub(super) struct Ground {
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
    /// Copies of messages, by when they are delivered and a number that keeps those of one time apart.
    pub(super) copies: BTreeMap<(Duration, u64), Delivery>,
    pub(super) copied: u64,
    processes: BTreeMap<usize, Life>,
}

/// What is known of a process.
#[derive(Default)]
pub(super) struct Life {
    pub(super) calls: u64,
    /// How often it was killed: whoever knew it before is dead.
    pub(super) deaths: u64,
    /// How far its clock is from the true time.
    pub(super) offset: SignedDuration,
    pub(super) parts: Vec<(String, AbortHandle)>,
    /// The chance of its clock, which all of its parts and lives share: no two of them may be given the same bits.
    pub(super) chance: Option<Random>,
}

impl State {
    pub(super) fn process(&mut self, number: usize) -> &mut Life {
        self.processes.entry(number).or_default()
    }
}

impl Ground {
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

    /// How old the world is.
    pub(super) fn age(&self) -> Duration {
        self.start.elapsed()
    }

    pub(super) fn time(&self) -> Timestamp {
        Timestamp::from_second(BEGINNING).unwrap() + self.age()
    }

    pub(super) fn record(&self, state: &mut State, process: usize, event: Event) {
        state.trace.push(Step { at: self.age(), process, event });
    }

    /// Kills all parts of a process. One that runs just now ends as soon as it waits.
    pub(super) fn kill(&self, process: usize) {
        let mut state = self.state();
        let life = state.process(process);
        life.deaths += 1;
        for (name, part) in std::mem::take(&mut life.parts) {
            if !part.is_finished() {
                part.abort();
                self.record(&mut state, process, Event::Killed { name });
            }
        }
    }
}

impl fmt::Debug for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("seed", &self.seed)
            .field("hazards", &self.hazards)
            .finish_non_exhaustive()
    }
}
