//! Events, as configured by operators, and their phases.

use std::str::FromStr;
use std::time::Duration;

use hansang_core::db::GetOptions;
use hansang_core::{Error, Message, Record, RetryAfter, message, name, names};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer};

use crate::fields::{after, between, item};
use crate::{Entry, EntryCode, messages};

names! {
    /// The way an event selects its winners.
    pub enum EventType {
        /// First come, first served.
        FirstCome = "FIRST_COME",
        /// By a draw.
        Lottery = "LOTTERY",
    }
}

names! {
    /// The status of an event, as set by operators.
    pub enum EventStatus {
        /// Accepts entries between its opening and closing time.
        Open = "open",
        /// Neither accepts nor decides entries until it is resumed.
        Paused = "paused",
        /// Accepts no more entries.
        Closed = "closed",
        /// Its results are public.
        Announced = "announced",
    }
}

impl EventStatus {
    /// The name for people.
    #[must_use]
    pub fn title(self) -> Message {
        match self {
            Self::Open => message!(messages::EVENT_OPEN),
            Self::Paused => message!(messages::EVENT_IS_PAUSED),
            Self::Closed => message!(messages::EVENT_IS_CLOSED),
            Self::Announced => message!(messages::EVENT_ANNOUNCED),
        }
    }
}

/// The phase of an event at a time, derived from its status and times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Not open yet.
    Before,
    /// Accepts entries.
    Open,
    /// Paused by an operator.
    Paused,
    /// Accepts no more entries; results are being decided or not announced yet.
    Closed,
    /// Its results are public.
    Announced,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// The id.
    #[serde(rename = "eventId")]
    pub id: String,
    /// The title.
    pub title: String,
    /// The way winners are selected.
    pub event_type: EventType,
    /// The status.
    pub status: EventStatus,
    /// The time it starts to accept entries.
    pub opens_at: Timestamp,
    /// The time it stops to accept entries.
    pub closes_at: Timestamp,
    /// The time an operator closed it.
    pub closed_at: Option<Timestamp>,
    /// The latest closing time that an edit of the open event may set.
    pub extendable_until: Option<Timestamp>,
    /// The number of seats of a first-come event.
    #[serde(rename = "capacityTotal")]
    pub capacity: Option<i64>,
    /// The time a lottery stops to collect entries.
    #[serde(rename = "lotteryCutoffAt")]
    pub cutoff_at: Option<Timestamp>,
    /// The number of winners of a lottery.
    pub winners: Option<i64>,
    /// The time its results became public.
    pub announced_at: Option<Timestamp>,
    /// The SHA-256 of a lottery's seed.
    pub seed_hash: Option<String>,
    /// The seed of a lottery, once it is public.
    pub seed: Option<String>,
    /// The hash of the list of entries of a lottery, once the list is fixed.
    pub entries_hash: Option<String>,
    /// The settle window: the time an entry waits for others that were queued before it.
    #[serde(rename = "settleSeconds", deserialize_with = "seconds")]
    pub settle: Duration,
}

/// The capacity of a first-come event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Capacity {
    /// The number of seats.
    #[serde(rename = "capacityTotal")]
    pub total: i64,
    /// The number of seats left.
    #[serde(rename = "capacityRemaining")]
    pub remaining: i64,
}

impl Event {
    /// The time it stops to accept entries: a lottery stops at its cut-off, and any event when it is closed early.
    #[must_use]
    pub fn ends_at(&self) -> Timestamp {
        [self.cutoff_at, self.closed_at].into_iter().flatten().fold(self.closes_at, Timestamp::min)
    }

    /// The phase at a time.
    #[must_use]
    pub fn phase(&self, now: Timestamp) -> Phase {
        match self.status {
            EventStatus::Announced => Phase::Announced,
            EventStatus::Closed => Phase::Closed,
            EventStatus::Paused => Phase::Paused,
            EventStatus::Open if now < self.opens_at => Phase::Before,
            EventStatus::Open if now < self.ends_at() => Phase::Open,
            EventStatus::Open => Phase::Closed,
        }
    }

    /// Checks that the event accepts entries now.
    ///
    /// # Errors
    /// A conflict that says why it does not.
    pub fn check_open(&self, now: Timestamp) -> Result<(), Error> {
        let id = &self.id;
        let (code, message) = match self.phase(now) {
            Phase::Open => return Ok(()),
            Phase::Before => {
                let opens_at = self.opens_at.to_string();
                let early = Error::conflict(
                    EntryCode::EventNotOpen,
                    message!(messages::EVENT_NOT_OPEN, id, opens_at),
                );
                return Err(early.caused_by(RetryAfter(between(now, self.opens_at))));
            }
            Phase::Paused => (EntryCode::EventPaused, message!(messages::EVENT_PAUSED, id)),
            Phase::Closed | Phase::Announced => {
                (EntryCode::EventClosed, message!(messages::EVENT_CLOSED, id))
            }
        };
        Err(Error::conflict(code, message))
    }

    /// The earliest time of a draw.
    #[must_use]
    pub fn draws_at(&self) -> Timestamp {
        after(self.ends_at(), self.settle)
    }

    pub(crate) fn of(record: &Record) -> Result<Self, Error> {
        let damaged = |_| Error::internal(EntryCode::EventDamaged, message!(messages::EVENT_DAMAGED));
        record.typed().map_err(damaged)
    }
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u64::deserialize(deserializer).map(Duration::from_secs)
}

/// Reads an event. `consistent` is a strong read.
pub(crate) async fn load(entry: &Entry, id: &str, consistent: bool) -> Result<Option<Event>, Error> {
    let options = GetOptions { consistent, fields: None };
    let record = entry.db.get("Event", &item([(name!("eventId"), id.into())]), &options).await?;
    record.as_ref().map(Event::of).transpose()
}

/// Reads an event, or fails with `event_unknown`.
pub(crate) async fn need(entry: &Entry, id: &str, consistent: bool) -> Result<Event, Error> {
    load(entry, id, consistent).await?.ok_or_else(|| unknown(id))
}

/// Reads the capacity of an event with a strong read.
pub(crate) async fn capacity(entry: &Entry, id: &str) -> Result<Option<Capacity>, Error> {
    let options = GetOptions { consistent: true, fields: None };
    let record = entry.db.get("EventCapacity", &item([(name!("eventId"), id.into())]), &options).await?;
    Ok(record.and_then(|record| record.typed().ok()))
}

pub(crate) fn unknown(id: &str) -> Error {
    Error::not_found(EntryCode::EventUnknown, message!(messages::EVENT_UNKNOWN, id))
}

impl FromStr for EventType {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::named(text).ok_or_else(|| {
            Error::invalid(EntryCode::EventTypeUnknown, message!(messages::EVENT_TYPE_UNKNOWN, text))
        })
    }
}

impl FromStr for EventStatus {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::named(text).ok_or_else(|| {
            Error::invalid(EntryCode::EventStatusUnknown, message!(messages::EVENT_STATUS_UNKNOWN, text))
        })
    }
}
