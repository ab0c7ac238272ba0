//! One load for concurrent callers of the same value.
//!
//! The locks are those of the model checker in its tests, which then goes through the orders of everything here.

use std::any::Any;
use std::collections::HashMap;
use std::future::poll_fn;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll, Waker};

#[cfg(test)]
use shuttle::sync::{Mutex, MutexGuard};
#[cfg(not(test))]
use std::sync::{Mutex, MutexGuard};

use crate::cache::Stamp;

/// A value that callers share.
pub(super) type Shared = Arc<dyn Any + Send + Sync>;

/// The loads under way.
#[derive(Debug, Default)]
pub(super) struct Flights {
    running: Mutex<HashMap<Name, Arc<Flight>>>,
}

/// Loads under different stamps are different: a caller with a newer stamp must not get what an older load finds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Name {
    key: String,
    stamp: Stamp,
}

#[derive(Debug, Default)]
struct Flight {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    outcome: Option<Outcome>,
    /// Callers that wait, each at the position it got with its first poll.
    waiting: Vec<Waker>,
}

/// What became of a load.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    /// It has a value.
    Value(Shared),
    /// It failed.
    Failed,
    /// Its caller went away.
    Dropped,
}

/// What a caller has to do.
#[derive(Debug)]
pub(super) enum Role<'f> {
    /// To load for all.
    Leader(Leader<'f>),
    /// To wait for the leader.
    Follower(Follower),
}

/// The caller that loads. Whatever happens to it, the others get an outcome.
#[derive(Debug)]
pub(super) struct Leader<'f> {
    flights: &'f Flights,
    name: Name,
    flight: Arc<Flight>,
}

/// A caller that waits.
#[derive(Debug)]
pub(super) struct Follower {
    flight: Arc<Flight>,
}

impl Flights {
    /// Joins the load of a value, or starts it.
    pub(super) fn join(&self, key: &str, stamp: Stamp) -> Role<'_> {
        let name = Name { key: key.to_owned(), stamp };
        let mut running = lock(&self.running);
        if let Some(flight) = running.get(&name) {
            return Role::Follower(Follower { flight: Arc::clone(flight) });
        }
        let flight = Arc::new(Flight::default());
        running.insert(name.clone(), Arc::clone(&flight));
        Role::Leader(Leader { flights: self, name, flight })
    }
}

impl Leader<'_> {
    /// Gives the value to those who wait, and to those who come while the leader stays.
    pub(super) fn publish(&self, value: Shared) {
        self.flight.end(Outcome::Value(value));
    }

    /// Lets the others load themselves.
    pub(super) fn fail(self) {
        self.flight.end(Outcome::Failed);
    }
}

impl Drop for Leader<'_> {
    fn drop(&mut self) {
        // Before the others are woken, so that those who load again do not find this load.
        lock(&self.flights.running).remove(&self.name);
        self.flight.end(Outcome::Dropped);
    }
}

impl Flight {
    /// Wakes those who wait. The first outcome counts.
    fn end(&self, outcome: Outcome) {
        let mut state = lock(&self.state);
        state.outcome.get_or_insert(outcome);
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        waiting.into_iter().for_each(Waker::wake);
    }
}

impl Follower {
    /// Waits for the leader.
    pub(super) async fn outcome(self) -> Outcome {
        let mut position = None;
        poll_fn(|context| self.poll(&mut position, context)).await
    }

    fn poll(&self, position: &mut Option<usize>, context: &mut Context<'_>) -> Poll<Outcome> {
        let mut state = lock(&self.flight.state);
        if let Some(outcome) = &state.outcome {
            return Poll::Ready(outcome.clone());
        }
        match position {
            Some(position) => state.waiting[*position].clone_from(context.waker()),
            None => {
                *position = Some(state.waiting.len());
                state.waiting.push(context.waker().clone());
            }
        }
        Poll::Pending
    }
}

/// No lock is held while foreign code runs, so its content is whole even after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
