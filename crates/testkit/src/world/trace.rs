//! Trace of a world.

use std::fmt;
use std::time::Duration;

use jiff::SignedDuration;

/// An event with its time and process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Time since the start of the world.
    pub at: Duration,
    /// Process of the event.
    pub process: usize,
    /// Event.
    pub event: Event,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A call of the store or the queue.
    Called {
        /// Number of the call in its process, from zero.
        call: u64,
        /// Method.
        method: &'static str,
        /// Short description of the arguments.
        about: String,
    },
    /// The effect of a call.
    Done {
        /// Number of the call.
        call: u64,
    },
    /// A fault of a call.
    Fault {
        /// Number of the call.
        call: u64,
        /// Fault.
        fault: Fault,
    },
    /// A task was killed.
    Killed {
        /// Name of the task.
        name: String,
    },
    /// A clock jumped.
    Jumped {
        /// New offset from the true time.
        to: SignedDuration,
    },
}

/// A fault.
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
    /// A received message is delivered again after this time.
    Duplicate(Duration),
    /// A message is delayed by this time.
    Delay(Duration),
    /// A received batch was reordered.
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
