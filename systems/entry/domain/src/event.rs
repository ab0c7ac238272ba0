//! Events, as configured by operators, and their phases.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use hansang_core::db::GetOptions;
use hansang_core::{Error, Record, message, name};
use jiff::Timestamp;

use crate::fields::{after, item, number_of, time_of};
use crate::{Entry, EntryCode, messages};

/// The way an event selects its winners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventType {
    /// First come, first served.
    FirstCome,
    /// By a draw.
    Lottery,
}

/// The status of an event, as set by operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventStatus {
    /// Accepts entries between its opening and closing time.
    Open,
    /// Neither accepts nor decides entries until it is resumed.
    Paused,
    /// Accepts no more entries.
    Closed,
    /// Its results are public.
    Announced,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The id.
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
    pub capacity: Option<i64>,
    /// The time a lottery stops to collect entries.
    pub cutoff_at: Option<Timestamp>,
    /// The number of winners of a lottery.
    pub winners: Option<i64>,
    /// The time its results became public.
    pub announced_at: Option<Timestamp>,
    /// The SHA-256 of a lottery's seed.
    pub seed_hash: Option<String>,
    /// The seed of a lottery, once it is public.
    pub seed: Option<String>,
    /// The settle window: the time an entry waits for others that were queued before it.
    pub settle: Duration,
}

/// The capacity of a first-come event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// The number of seats.
    pub total: i64,
    /// The number of seats left.
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
                (EntryCode::EventNotOpen, message!(messages::EVENT_NOT_OPEN, id, opens_at))
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
        let missing = || Error::internal(EntryCode::EventDamaged, message!(messages::EVENT_DAMAGED));
        let text = |name: &str| record.text(name).map(str::to_owned);
        let seconds = number_of(record, "settleSeconds").and_then(|number| u64::try_from(number).ok());
        Ok(Self {
            id: text("eventId").ok_or_else(missing)?,
            title: text("title").ok_or_else(missing)?,
            event_type: record.text("eventType").and_then(|text| text.parse().ok()).ok_or_else(missing)?,
            status: record.text("status").and_then(|text| text.parse().ok()).ok_or_else(missing)?,
            opens_at: time_of(record, "opensAt").ok_or_else(missing)?,
            closes_at: time_of(record, "closesAt").ok_or_else(missing)?,
            closed_at: time_of(record, "closedAt"),
            extendable_until: time_of(record, "extendableUntil"),
            capacity: number_of(record, "capacityTotal"),
            cutoff_at: time_of(record, "lotteryCutoffAt"),
            winners: number_of(record, "winners"),
            announced_at: time_of(record, "announcedAt"),
            seed_hash: text("seedHash"),
            seed: text("seed"),
            settle: Duration::from_secs(seconds.ok_or_else(missing)?),
        })
    }
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
    Ok(record.and_then(|record| {
        let total = number_of(&record, "capacityTotal")?;
        let remaining = number_of(&record, "capacityRemaining")?;
        Some(Capacity { total, remaining })
    }))
}

pub(crate) fn unknown(id: &str) -> Error {
    Error::not_found(EntryCode::EventUnknown, message!(messages::EVENT_UNKNOWN, id))
}

impl EventType {
    /// As it is stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FirstCome => "FIRST_COME",
            Self::Lottery => "LOTTERY",
        }
    }
}

impl EventStatus {
    /// As it is stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paused => "paused",
            Self::Closed => "closed",
            Self::Announced => "announced",
        }
    }
}

impl FromStr for EventType {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let all = [Self::FirstCome, Self::Lottery];
        all.into_iter().find(|one| one.name() == text).ok_or_else(|| {
            Error::invalid(EntryCode::EventTypeUnknown, message!(messages::EVENT_TYPE_UNKNOWN, text))
        })
    }
}

impl FromStr for EventStatus {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let all = [Self::Open, Self::Paused, Self::Closed, Self::Announced];
        all.into_iter().find(|one| one.name() == text).ok_or_else(|| {
            Error::invalid(EntryCode::EventStatusUnknown, message!(messages::EVENT_STATUS_UNKNOWN, text))
        })
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for EventStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
