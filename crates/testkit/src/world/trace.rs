//! What happened in a world, step by step.

use std::fmt;
use std::time::Duration;

use jiff::SignedDuration;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// How long after the start of the world.
    pub at: Duration,
    /// The process that did it, or to which it was done.
    pub process: usize,
    /// What happened.
    pub event: Event,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The store or the queue was called.
    Called {
        /// The number of the call in its process, from zero.
        call: u64,
        /// The method.
        method: &'static str,
        /// What it is about, in a few words.
        about: String,
    },
    /// A call took effect.
    Done {
        /// The number of the call.
        call: u64,
    },
    /// Something was done to a call.
    Fault {
        /// The number of the call.
        call: u64,
        /// What it was.
        fault: Fault,
    },
    /// A part of a process was killed.
    Killed {
        /// Its name.
        name: String,
    },
    /// A clock jumped.
    Jumped {
        /// How far it is from the true time since then.
        to: SignedDuration,
    },
}

/// What can be done to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// See [`super::Hazards::throttle`].
    Throttle,
    /// See [`super::Hazards::conflict`].
    Conflict,
    /// See [`super::Hazards::timeout_before`].
    TimeoutBefore,
    /// See [`super::Hazards::timeout_after`].
    TimeoutAfter,
    /// See [`super::Hazards::timeout_late`].
    TimeoutLate,
    /// See [`super::Hazards::stall`].
    Stall(Duration),
    /// A message that was received will be received again after this time.
    Duplicate(Duration),
    /// A message that was sent is late by this.
    Delay(Duration),
    /// Messages that were received at once came in another order.
    Reorder,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>9} ms, process {}: ", self.at.as_millis(), self.process)?;
        match &self.event {
            Event::Called { call, method, about } => write!(f, "call {call}, {method} {about}"),
            Event::Done { call } => write!(f, "call {call} took effect"),
            Event::Fault { call, fault } => write!(f, "call {call} met {fault:?}"),
            Event::Killed { name } => write!(f, "{name} was killed"),
            Event::Jumped { to } => write!(f, "the clock jumped to {to:?} from the true time"),
        }
    }
}
