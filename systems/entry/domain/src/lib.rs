#![doc = include_str!("../README.md")]

pub mod events;
pub mod lottery;
pub mod messages;
pub mod token;

mod board;
mod code;
mod damaged;
mod decide;
mod ended;
mod event;
mod fields;
mod gate;
mod lease;
mod letters;
mod moves;
mod reason;
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
pub use code::EntryCode;
pub use damaged::Damaged;
pub use decide::{Decided, decide};
pub use event::{Capacity, Event, EventStatus, EventType, Phase};
pub use gate::Gate;
pub use letters::{Letter, letters, redrive, redrive_letters};
pub use reason::Reason;
pub use request::{
    FailureClass, Line, Request, RequestPage, ResultCode, Status, find, log, request_of, requests_of_event,
    requests_of_user, requests_with_status,
};
pub use submit::{Entrant, Submitted, entered, submit, submit_all, submit_each};
pub use sweep::sweep;
pub use tend::tend;
pub use worker::{Worker, work};

/// The model of the table.
pub const MODEL: &str = include_str!("../../../../models/entry.yaml");
/// The name of the queue.
pub const QUEUE: &str = "hansang-entry";

/// The table, the queue and the settings of entry. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The table, whose model is [`MODEL`].
    pub db: Db,
    /// The queue.
    pub queue: Arc<dyn Queue>,
    /// The settings.
    pub settings: Settings,
}

/// The settings of entry.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The duration of an event's lease, after which another process may take over.
    pub lease: Duration,
    /// The number of concurrent batches of a decider. On stores where transactions on one item conflict, such as
    /// DynamoDB, use 1.
    pub parallel: usize,
    /// The number of requests per transaction, at most 49.
    pub batch: usize,
    /// The number of attempts before a request has failed.
    pub max_attempts: u32,
    /// The age at which a request that is not queued is sent again.
    pub unsent_grace: Duration,
    /// The number of days a request is kept after the end of its event.
    pub request_days: u32,
    /// The number of days a lock is kept after the end of its event.
    pub lock_days: u32,
    /// The number of days the log of a request is kept.
    pub log_days: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(10),
            parallel: 1,
            batch: decide::MAX_BATCH,
            max_attempts: 8,
            unsent_grace: Duration::from_secs(10),
            request_days: 90,
            lock_days: 7,
            log_days: 30,
        }
    }
}

impl Entry {
    /// The current time.
    pub(crate) fn now(&self) -> Timestamp {
        self.db.clock().moment().now
    }
}
