#![doc = include_str!("../README.md")]

pub mod events;
pub mod lottery;
pub mod token;

mod board;
mod decide;
mod ended;
mod event;
mod fields;
mod gate;
mod lease;
mod letters;
mod moves;
mod request;
mod submit;
mod sweep;
mod tend;
mod turns;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use hansang_core::{Db, Queue};
use jiff::Timestamp;

pub use board::{Board, board};
pub use decide::{Decided, decide};
pub use event::{Capacity, Event, EventStatus, EventType, Phase};
pub use gate::Gate;
pub use letters::{Letter, letters, redrive, redrive_letters};
pub use request::{
    FailureClass, Line, Request, RequestPage, ResultCode, Status, find, log, request_of, requests_of_event,
    requests_of_user,
};
pub use submit::{Submitted, entered, submit, submit_all};
pub use sweep::sweep;
pub use tend::tend;
pub use worker::{Worker, work};

/// The model of the table.
pub const MODEL: &str = include_str!("../../../../models/entry.yaml");
/// The name of the queue.
pub const QUEUE: &str = "hansang-entry";

/// Where entries are kept, and how they are dealt with. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The table, whose model is [`MODEL`].
    pub db: Db,
    /// The queue.
    pub queue: Arc<dyn Queue>,
    /// How things are done.
    pub settings: Settings,
}

/// How things are done.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long one process decides an event before another may take over.
    pub lease: Duration,
    /// How many batches are decided at once. Where a store refuses transactions that meet on one item, as DynamoDB
    /// does, more than one only makes conflicts.
    pub parallel: usize,
    /// How many requests are decided in one transaction, which takes at most 49.
    pub batch: usize,
    /// How often something is tried before it has failed for good.
    pub max_attempts: u32,
    /// How long a request may take to its queue before it is looked after.
    pub unsent_grace: Duration,
    /// How many days a request is kept.
    pub request_days: u32,
    /// How many days a lock is kept after the end of its event.
    pub lock_days: u32,
    /// How many days the log of a request is kept.
    pub log_days: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(10),
            parallel: 1,
            batch: decide::MOST,
            max_attempts: 8,
            unsent_grace: Duration::from_secs(10),
            request_days: 90,
            lock_days: 7,
            log_days: 30,
        }
    }
}

impl Entry {
    /// The time.
    pub(crate) fn now(&self) -> Timestamp {
        self.db.clock().moment().now
    }
}
