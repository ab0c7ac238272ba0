//! Operations of operators: creating, changing and announcing events.

use std::time::Duration;

use hansang_core::db::{Ask, Operation};
use hansang_core::kind::text::ulid;
use hansang_core::plan::{Change, Comparison, Guard, Path};
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, Item, Message, Value, message, name};
use jiff::Timestamp;

use crate::event::{self, Capacity, load, need, unknown};
use crate::fields::{add, guard, item, set, time};
use crate::lottery::{draw, hash_of_seed};
use crate::{Entry, EntryCode, Event, EventStatus, EventType, Phase, messages, sweep, tend};

mod delete;
mod edit;

pub use delete::delete;
pub use edit::{EventChanges, EventField, edit};

/// The number of attempts when the capacity is contended.
const ATTEMPTS: usize = 8;

/// An event to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// The id: short text without `#`. Generated if it is `None`.
    pub id: Option<String>,
    /// The title.
    pub title: String,
    /// The time it starts to accept entries.
    pub opens_at: Timestamp,
    /// The time it stops to accept entries.
    pub closes_at: Timestamp,
    /// The way winners are selected, and their number.
    pub allocation: Allocation,
    /// The settle window. Defaults to 3 seconds.
    pub settle: Option<Duration>,
}

/// The way winners are selected, and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// First come, first served, with this number of seats.
    FirstCome(i64),
    /// A draw among the entries before the cut-off.
    Lottery {
        /// The number of winners.
        winners: i64,
        /// The time until which entries take part.
        cutoff_at: Timestamp,
    },
}

/// Creates an event. The hash of a lottery's secret seed is public from here on.
///
/// # Errors
/// If a field is invalid or the event exists.
pub async fn create(entry: &Entry, new: NewEvent) -> Result<Event, Error> {
    check(&new)?;
    let moment = entry.db.clock().moment();
    let generate = || ulid(u64::try_from(moment.now.as_millisecond()).unwrap_or_default(), moment.random);
    let id = new.id.clone().unwrap_or_else(generate);
    let mut event = item([
        (name!("eventId"), id.as_str().into()),
        (name!("title"), new.title.as_str().into()),
        (name!("opensAt"), time(new.opens_at).into()),
        (name!("closesAt"), time(new.closes_at).into()),
    ]);
    if let Some(settle) = new.settle {
        event.insert(name!("settleSeconds"), whole_seconds(settle));
    }
    let companion = match new.allocation {
        Allocation::FirstCome(seats) => {
            event.extend(item([
                (name!("eventType"), EventType::FirstCome.name().into()),
                (name!("capacityTotal"), seats.into()),
            ]));
            let capacity = [("capacityTotal", Value::from(seats)), ("capacityRemaining", Value::from(seats))];
            creation("EventCapacity", &id, capacity)
        }
        Allocation::Lottery { winners, cutoff_at } => {
            let (one, other) = (entry.db.clock().moment().random, entry.db.clock().moment().random);
            let seed = format!("{one:032x}{other:032x}");
            event.extend(item([
                (name!("eventType"), EventType::Lottery.name().into()),
                (name!("winners"), winners.into()),
                (name!("lotteryCutoffAt"), time(cutoff_at).into()),
                (name!("seedHash"), hash_of_seed(&seed).into()),
            ]));
            creation("DrawSeed", &id, [("seed", seed.into())])
        }
    };
    let unheld = [
        ("owner", Value::from("nobody")),
        ("expiresAt", time(Timestamp::UNIX_EPOCH).into()),
        ("fence", Value::from(0)),
    ];
    let operations = vec![
        Operation::Create { entity: name!("Event"), fields: event, guards: Vec::new() },
        creation("EventListing", &id, []),
        companion,
        creation("DeciderLease", &id, unheld),
    ];
    match entry.db.commit(operations).await.map_err(Error::from) {
        Ok(()) => need(entry, &id, true).await,
        Err(error) if error.code == CoreCode::AlreadyExists => {
            Err(Error::conflict(EntryCode::EventExists, message!(messages::EVENT_EXISTS, id)))
        }
        Err(error) => Err(error),
    }
}

/// Reads an event.
///
/// # Errors
/// If it does not exist.
pub async fn get(entry: &Entry, id: &str) -> Result<Event, Error> {
    need(entry, id, true).await
}

/// Reads the capacity of a first-come event.
///
/// # Errors
/// If the store fails.
pub async fn capacity(entry: &Entry, id: &str) -> Result<Option<Capacity>, Error> {
    event::capacity(entry, id).await
}

/// Lists all events by opening time, latest first. Events that cannot be read are logged and left out.
///
/// # Errors
/// If the store fails.
pub async fn list(entry: &Entry) -> Result<Vec<Event>, Error> {
    let mut events = Vec::new();
    for (id, _) in listed(entry).await? {
        match load(entry, &id, false).await {
            Ok(event) => events.extend(event),
            Err(error) if error.code == EntryCode::EventDamaged => {
                tracing::error!(%error, event = id, "damaged event left out of the list");
            }
            Err(error) => return Err(error),
        }
    }
    events.sort_by(|one, other| (other.opens_at, &one.id).cmp(&(one.opens_at, &other.id)));
    Ok(events)
}

/// The ids of all events, and whether entries may still have to be decided.
pub(crate) async fn listed(entry: &Entry) -> Result<Vec<(String, bool)>, Error> {
    let mut ids = Vec::new();
    let mut cursor = None;
    loop {
        let ask = Ask { cursor, consistent: Some(true), ..Ask::default() };
        let page = entry.db.query("events", Item::default(), ask).await?;
        ids.extend(page.records.iter().filter_map(|record| {
            let live = record.fields.get("live") != Some(&Value::Bool(false));
            Some((record.text("eventId")?.to_owned(), live))
        }));
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(ids),
        }
    }
}

/// Pauses an event: it neither accepts nor decides entries.
///
/// # Errors
/// If it does not exist or is not open.
pub async fn pause(entry: &Entry, id: &str) -> Result<Event, Error> {
    set_status(entry, id, &[EventStatus::Open], EventStatus::Paused).await
}

/// Resumes a paused event.
///
/// # Errors
/// If it does not exist or is not paused.
pub async fn resume(entry: &Entry, id: &str) -> Result<Event, Error> {
    set_status(entry, id, &[EventStatus::Paused], EventStatus::Open).await
}

/// Closes an event: it accepts no more entries. A lottery that is closed before its cut-off is drawn at once, after the
/// settle window.
///
/// # Errors
/// If it does not exist or is already closed.
pub async fn close(entry: &Entry, id: &str) -> Result<Event, Error> {
    let closed_at = set(name!("closedAt"), time(entry.now()));
    move_to(entry, id, &[EventStatus::Open, EventStatus::Paused], EventStatus::Closed, vec![closed_at])
        .await?;
    need(entry, id, true).await
}

/// Changes the number of seats of a first-come event, or of winners of a lottery.
///
/// # Errors
/// If the event does not exist, the number is below 1, more seats were given, or it was already drawn.
pub async fn resize(entry: &Entry, id: &str, total: i64) -> Result<Event, Error> {
    resize_from(entry, id, None, total).await
}

/// Like [`resize`], but only if the number still is `was`.
///
/// # Errors
/// Like [`resize`], and if the number has changed.
pub async fn resize_from(entry: &Entry, id: &str, was: Option<i64>, total: i64) -> Result<Event, Error> {
    let event = need(entry, id, true).await?;
    let has_changed = |stored: Option<i64>| was.is_some_and(|was| Some(was) != stored);
    if has_changed(event.capacity.or(event.winners)) {
        return Err(changed_meanwhile());
    }
    if total < 1 {
        return Err(Error::invalid(EntryCode::EventInvalid, too_few(event.event_type)));
    }
    if event.event_type == EventType::Lottery {
        let as_read = event.winners.filter(|_| was.is_some());
        let as_read = as_read.map(|was| guard(name!("winners"), Comparison::Equal, was, changed_meanwhile()));
        let changes = vec![set(name!("winners"), total)];
        let winners = updating("Event", id, changes, as_read.into_iter().collect());
        entry.db.commit(vec![draw::is_undrawn(id), winners]).await.map_err(Error::from)?;
        return need(entry, id, true).await;
    }
    for _ in 0..ATTEMPTS {
        let known = event::capacity(entry, id).await?.ok_or_else(|| unknown(id))?;
        if has_changed(Some(known.total)) {
            return Err(changed_meanwhile());
        }
        let winners = known.total - known.remaining;
        if total < winners {
            let message = message!(messages::CAPACITY_BELOW_GIVEN, id, winners, total);
            return Err(Error::conflict(EntryCode::CapacityBelowGiven, message));
        }
        match entry.db.commit(resized(id, known, total)).await.map_err(Error::from) {
            Ok(()) => return need(entry, id, true).await,
            Err(error) if error.code == EntryCode::CapacityChanged || error.code == CoreCode::RuleBroken => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::unavailable(CoreCode::Contended, message!(messages::CAPACITY_CONTENDED)))
}

fn resized(id: &str, known: Capacity, total: i64) -> Vec<Operation> {
    let mut changes = vec![set(name!("capacityTotal"), total)];
    if total != known.total {
        changes.push(add(name!("capacityRemaining"), total - known.total));
    }
    let guards = vec![
        guard(name!("capacityTotal"), Comparison::Equal, known.total, capacity_changed()),
        guard(name!("capacityRemaining"), Comparison::AtLeast, known.total - total, capacity_changed()),
    ];
    vec![
        updating("EventCapacity", id, changes, guards),
        updating("Event", id, vec![set(name!("capacityTotal"), total)], Vec::new()),
    ]
}

/// Makes the results of an event public, together with the seed of its draw.
///
/// # Errors
/// If the event does not exist, is not closed, or has undecided entries.
pub async fn announce(entry: &Entry, id: &str) -> Result<Event, Error> {
    let event = need(entry, id, true).await?;
    if event.phase(entry.now()) != Phase::Closed {
        let message = message!(messages::EVENT_NOT_CLOSED, id, event.status.title());
        return Err(Error::conflict(EntryCode::EventNotClosed, message));
    }
    if !is_decided(entry, &event).await? {
        return Err(Error::conflict(EntryCode::NotDecided, message!(messages::NOT_DECIDED, id)));
    }
    let mut changes = vec![
        set(name!("status"), EventStatus::Announced.name()),
        set(name!("announcedAt"), time(entry.now())),
    ];
    if event.event_type == EventType::Lottery {
        changes.push(set(name!("seed"), draw::seed(entry, id).await?));
    }
    let as_read = guard(name!("status"), Comparison::Equal, event.status.name(), changed_meanwhile());
    change(entry, id, changes, vec![as_read]).await?;
    need(entry, id, true).await
}

/// Whether every entry of a closed event has its result.
pub(crate) async fn is_decided(entry: &Entry, event: &Event) -> Result<bool, Error> {
    match event.event_type {
        EventType::FirstCome => {
            Ok(!tend::has_backlog(entry, event).await? && !sweep::is_awaited(entry, &event.id).await?)
        }
        EventType::Lottery => draw::is_finished(entry, event).await,
    }
}

pub(crate) async fn set_status(
    entry: &Entry,
    id: &str,
    from: &[EventStatus],
    to: EventStatus,
) -> Result<Event, Error> {
    move_to(entry, id, from, to, Vec::new()).await
}

/// Changes the status together with other attributes.
async fn move_to(
    entry: &Entry,
    id: &str,
    from: &[EventStatus],
    to: EventStatus,
    mut changes: Vec<(Path, Change)>,
) -> Result<Event, Error> {
    let event = need(entry, id, true).await?;
    if !from.contains(&event.status) {
        let message = message!(messages::EVENT_WRONG_STATE, id, event.status.title(), to.title());
        return Err(Error::conflict(EntryCode::EventWrongState, message));
    }
    let as_read = guard(name!("status"), Comparison::Equal, event.status.name(), changed_meanwhile());
    changes.push(set(name!("status"), to.name()));
    change(entry, id, changes, vec![as_read]).await?;
    Ok(Event { status: to, ..event })
}

async fn change(
    entry: &Entry,
    id: &str,
    changes: Vec<(Path, Change)>,
    guards: Vec<Guard>,
) -> Result<(), Error> {
    Ok(entry.db.commit(vec![updating("Event", id, changes, guards)]).await?)
}

fn updating(entity: &str, id: &str, changes: Vec<(Path, Change)>, guards: Vec<Guard>) -> Operation {
    let update = Update { key: item([(name!("eventId"), id.into())]), changes, expected_version: None };
    Operation::Update { entity: entity.into(), update, guards }
}

fn creation<const N: usize>(entity: &str, id: &str, fields: [(&str, Value); N]) -> Operation {
    let mut all = item(fields.map(|(name, value)| (name.into(), value)));
    all.insert(name!("eventId"), id.into());
    Operation::Create { entity: entity.into(), fields: all, guards: Vec::new() }
}

pub(crate) fn capacity_changed() -> Error {
    Error::conflict(EntryCode::CapacityChanged, message!(messages::CAPACITY_CHANGED))
}

fn changed_meanwhile() -> Error {
    Error::precondition(CoreCode::ChangedMeanwhile, message!(messages::EVENT_CHANGED))
}

fn check(new: &NewEvent) -> Result<(), Error> {
    let (number, event_type, cutoff_at) = match new.allocation {
        Allocation::FirstCome(seats) => (seats, EventType::FirstCome, None),
        Allocation::Lottery { winners, cutoff_at } => (winners, EventType::Lottery, Some(cutoff_at)),
    };
    if number < 1 {
        return Err(Error::invalid(EntryCode::EventInvalid, too_few(event_type)));
    }
    check_times(new.opens_at, new.closes_at, cutoff_at)
}

/// Checks the order of an event's times.
fn check_times(opens_at: Timestamp, closes_at: Timestamp, cutoff_at: Option<Timestamp>) -> Result<(), Error> {
    let problem = if closes_at <= opens_at {
        message!(messages::CLOSES_TOO_EARLY)
    } else if cutoff_at.is_some_and(|cutoff| cutoff <= opens_at || cutoff > closes_at) {
        message!(messages::CUTOFF_OUTSIDE)
    } else {
        return Ok(());
    };
    Err(Error::invalid(EntryCode::EventInvalid, problem))
}

fn too_few(event_type: EventType) -> Message {
    match event_type {
        EventType::FirstCome => message!(messages::CAPACITY_TOO_SMALL),
        EventType::Lottery => message!(messages::WINNERS_TOO_FEW),
    }
}

fn whole_seconds(time: Duration) -> Value {
    i64::try_from(time.as_secs()).unwrap_or(i64::MAX).into()
}
