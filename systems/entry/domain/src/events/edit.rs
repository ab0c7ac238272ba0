//! Changing an event after its creation, as far as fairness allows.
//!
//! Before an event opens, everything but its id and its type can change. Once it takes entries, the rule that its
//! participants rely on is fixed: the fairness window, the opening time and the cut-off of a lottery. A first-come event
//! can still close earlier or later.

use std::time::Duration;

use hansang_core::plan::Comparison;
use hansang_core::validate::{Violation, violation};
use hansang_core::{Error, Name, Value, message, name};
use jiff::{SignedDuration, Timestamp};

use super::{change, changed_meanwhile, check_times, whole_seconds};
use crate::event::need;
use crate::fields::{guard, set, time};
use crate::lottery::hash;
use crate::{Entry, EntryCode, Event, EventStatus, EventType, messages};

/// The new values of an event; `None` keeps the old one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventChanges {
    /// The title.
    pub title: Option<String>,
    /// The time it starts to accept entries.
    pub opens_at: Option<Timestamp>,
    /// The time it stops to accept entries.
    pub closes_at: Option<Timestamp>,
    /// The time a lottery stops to collect entries.
    pub cutoff_at: Option<Timestamp>,
    /// The settle window.
    pub settle: Option<Duration>,
    /// The [`Event::fingerprint`] that the changes were made from; `None` makes them whatever the event is now.
    pub was: Option<String>,
}

/// A field of an event that can be edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventField {
    /// The title.
    Title,
    /// The opening time.
    OpensAt,
    /// The closing time.
    ClosesAt,
    /// The cut-off of a lottery.
    CutoffAt,
    /// The settle window.
    Settle,
}

impl EventField {
    /// The fields that can be edited.
    pub const ALL: [Self; 5] = [Self::Title, Self::OpensAt, Self::ClosesAt, Self::CutoffAt, Self::Settle];

    /// The attribute in the model.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::OpensAt => "opensAt",
            Self::ClosesAt => "closesAt",
            Self::CutoffAt => "lotteryCutoffAt",
            Self::Settle => "settleSeconds",
        }
    }
}

impl Event {
    /// Changes with every edit of the event.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let cutoff_at = self.cutoff_at.map(time);
        let values =
            (&self.title, time(self.opens_at), time(self.closes_at), cutoff_at, self.settle.as_secs());
        hash(format!("{values:?}").as_bytes())
    }

    /// Whether a field can change at a time.
    #[must_use]
    pub fn may_change(&self, field: EventField, now: Timestamp) -> bool {
        let lottery = self.event_type == EventType::Lottery;
        let running = matches!(self.status, EventStatus::Open | EventStatus::Paused);
        match field {
            _ if self.status == EventStatus::Announced => false,
            EventField::Title => true,
            EventField::CutoffAt if !lottery => false,
            _ if running && now < self.opens_at => true,
            EventField::ClosesAt => !lottery && running && now < self.ends_at(),
            EventField::OpensAt | EventField::CutoffAt | EventField::Settle => false,
        }
    }

    /// The latest closing time of an event that takes entries: later, the first locks would have expired, and their
    /// users could enter twice.
    fn latest_close(&self, lock_days: u32) -> Timestamp {
        let kept = SignedDuration::from_hours(24 * i64::from(lock_days));
        let by_locks = self.closes_at.checked_add(kept).unwrap_or(Timestamp::MAX);
        self.extendable_until.map_or(by_locks, |known| known.min(by_locks))
    }
}

/// Changes an event.
///
/// # Errors
/// If the event does not exist, a new value is invalid, or a field is fixed by now.
pub async fn edit(entry: &Entry, id: &str, changes: EventChanges) -> Result<Event, Error> {
    let event = need(entry, id, true).await?;
    let now = entry.now();
    if changes.was.as_ref().is_some_and(|was| *was != event.fingerprint()) {
        return Err(changed_meanwhile());
    }
    let changed = different(&event, &changes);
    let fixed: Vec<Violation> = changed
        .iter()
        .filter(|field| !event.may_change(**field, now))
        .map(|field| violation(field.name(), message!(messages::FIELD_FIXED)))
        .collect();
    if !fixed.is_empty() {
        let error = Error::conflict(EntryCode::EventFixed, message!(messages::EVENT_FIXED, id));
        return Err(Error { violations: fixed, ..error });
    }
    if changed.is_empty() {
        return Ok(event);
    }
    let after = with(&event, &changes);
    check_times(after.opens_at, after.closes_at, after.cutoff_at)?;
    let mut set = sets(&after, &changed);
    if changed.contains(&EventField::ClosesAt) && now >= event.opens_at {
        let latest = event.latest_close(entry.settings.lock_days);
        if after.closes_at <= now {
            return Err(invalid_close(message!(messages::CLOSES_IN_THE_PAST)));
        }
        if after.closes_at > latest {
            return Err(invalid_close(message!(messages::CLOSES_TOO_LATE, time(latest))));
        }
        set.push(crate::fields::set(name!("extendableUntil"), time(latest)));
    }
    let mut as_read: Vec<(Name, Value)> = vec![
        (name!("status"), event.status.name().into()),
        (name!("title"), event.title.as_str().into()),
        (name!("opensAt"), time(event.opens_at).into()),
        (name!("closesAt"), time(event.closes_at).into()),
        (name!("settleSeconds"), whole_seconds(event.settle)),
    ];
    as_read.extend(event.cutoff_at.map(|at| (name!("lotteryCutoffAt"), time(at).into())));
    let guards = as_read.into_iter();
    let guards = guards.map(|(name, value)| guard(name, Comparison::Equal, value, changed_meanwhile()));
    change(entry, id, set, guards.collect()).await?;
    need(entry, id, true).await
}

/// The fields with a new value.
fn different(event: &Event, changes: &EventChanges) -> Vec<EventField> {
    let differs = |field: &EventField| match field {
        EventField::Title => changes.title.as_ref().is_some_and(|title| *title != event.title),
        EventField::OpensAt => changes.opens_at.is_some_and(|at| at != event.opens_at),
        EventField::ClosesAt => changes.closes_at.is_some_and(|at| at != event.closes_at),
        EventField::CutoffAt => changes.cutoff_at.is_some_and(|at| Some(at) != event.cutoff_at),
        EventField::Settle => changes.settle.is_some_and(|settle| settle != event.settle),
    };
    EventField::ALL.into_iter().filter(differs).collect()
}

/// The event with its new values.
fn with(event: &Event, changes: &EventChanges) -> Event {
    Event {
        title: changes.title.clone().unwrap_or_else(|| event.title.clone()),
        opens_at: changes.opens_at.unwrap_or(event.opens_at),
        closes_at: changes.closes_at.unwrap_or(event.closes_at),
        cutoff_at: changes.cutoff_at.or(event.cutoff_at),
        settle: changes.settle.unwrap_or(event.settle),
        ..event.clone()
    }
}

/// The writes of the changed fields.
fn sets(
    after: &Event,
    changed: &[EventField],
) -> Vec<(hansang_core::plan::Path, hansang_core::plan::Change)> {
    let written = |field: &EventField| match field {
        EventField::Title => Some(set(name!("title"), after.title.as_str())),
        EventField::OpensAt => Some(set(name!("opensAt"), time(after.opens_at))),
        EventField::ClosesAt => Some(set(name!("closesAt"), time(after.closes_at))),
        EventField::CutoffAt => after.cutoff_at.map(|at| set(name!("lotteryCutoffAt"), time(at))),
        EventField::Settle => Some(set(name!("settleSeconds"), whole_seconds(after.settle))),
    };
    changed.iter().filter_map(written).collect()
}

fn invalid_close(message: hansang_core::Message) -> Error {
    let error = Error::invalid(EntryCode::EventInvalid, message.clone());
    Error { violations: vec![violation("closesAt", message)], ..error }
}
