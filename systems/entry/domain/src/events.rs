//! What operators do with events.

use std::time::Duration;

use hansang_core::db::{Ask, Operation};
use hansang_core::kind::text::ulid;
use hansang_core::plan::{Change, Comparison, Guard, Path};
use hansang_core::write::Update;
use hansang_core::{Error, Item, Value, name};
use jiff::Timestamp;

use crate::event::{Capacity, capacity, load, need, unknown};
use crate::fields::{add, guard, item, set, time};
use crate::lottery::{draw, hash_of_seed};
use crate::{Entry, Event, EventStatus, EventType, Phase, sweep, tend};

/// How often a change is tried that meets others.
const ATTEMPTS: usize = 8;

/// An event to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// Its identifier: anything short without `#`. One is made up if there is none.
    pub id: Option<String>,
    /// What it is called.
    pub title: String,
    /// From when on it takes entries.
    pub opens_at: Timestamp,
    /// Until when it takes entries.
    pub closes_at: Timestamp,
    /// How places are given, and how many.
    pub places: Places,
    /// How long an entry waits for others that were queued before it: 3 seconds if left out.
    pub settle: Option<Duration>,
}

/// How places are given, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// To so many who come first.
    FirstCome(i64),
    /// To so many, drawn from those who enter before the cut-off.
    Lottery {
        /// How many are drawn.
        winners: i64,
        /// Until when entries take part.
        cutoff_at: Timestamp,
    },
}

/// Makes an event. Of a lottery the hash of the secret seed is public from here on.
///
/// # Errors
/// What cannot be; that there is such an event already.
pub async fn create(entry: &Entry, new: NewEvent) -> Result<Event, Error> {
    check(&new)?;
    let moment = entry.db.clock().moment();
    let made_up = || ulid(u64::try_from(moment.now.as_millisecond()).unwrap_or_default(), moment.random);
    let id = new.id.clone().unwrap_or_else(made_up);
    let mut event = item([
        (name!("eventId"), id.as_str().into()),
        (name!("title"), new.title.as_str().into()),
        (name!("opensAt"), time(new.opens_at).into()),
        (name!("closesAt"), time(new.closes_at).into()),
    ]);
    if let Some(settle) = new.settle {
        event.insert(name!("settleSeconds"), i64::try_from(settle.as_secs()).unwrap_or(i64::MAX).into());
    }
    let beside = match new.places {
        Places::FirstCome(places) => {
            event.extend(item([
                (name!("eventType"), EventType::FirstCome.name().into()),
                (name!("capacityTotal"), places.into()),
            ]));
            let capacity =
                [("capacityTotal", Value::from(places)), ("capacityRemaining", Value::from(places))];
            creation("EventCapacity", &id, capacity)
        }
        Places::Lottery { winners, cutoff_at } => {
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
    let nobody = [
        ("owner", Value::from("nobody")),
        ("expiresAt", time(Timestamp::UNIX_EPOCH).into()),
        ("fence", Value::from(0)),
    ];
    let operations = vec![
        Operation::Create { entity: name!("Event"), fields: event, guards: Vec::new() },
        creation("EventListing", &id, []),
        beside,
        creation("DeciderLease", &id, nobody),
    ];
    match entry.db.commit(operations).await.map_err(Error::from) {
        Ok(()) => need(entry, &id, true).await,
        Err(error) if error.code == "already_exists" => Err(Error::conflict(
            "event_exists",
            format!("there is an event `{id}` already: choose another name"),
        )),
        Err(error) => Err(error),
    }
}

/// One event.
///
/// # Errors
/// That there is none.
pub async fn get(entry: &Entry, id: &str) -> Result<Event, Error> {
    need(entry, id, true).await
}

/// The places of a first-come event.
///
/// # Errors
/// When they cannot be read.
pub async fn places(entry: &Entry, id: &str) -> Result<Option<Capacity>, Error> {
    capacity(entry, id).await
}

/// All events, those that open last first.
///
/// # Errors
/// When they cannot be read.
pub async fn list(entry: &Entry) -> Result<Vec<Event>, Error> {
    let mut events = Vec::new();
    for (id, _) in listed(entry).await? {
        events.extend(load(entry, &id, false).await?);
    }
    events.sort_by(|one, other| (other.opens_at, &one.id).cmp(&(one.opens_at, &other.id)));
    Ok(events)
}

/// The identifiers of all events, and whether anything may still have to be decided.
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

/// Stops an event for a while: it takes no entries and decides none.
///
/// # Errors
/// That there is none, or that it is not open.
pub async fn pause(entry: &Entry, id: &str) -> Result<Event, Error> {
    turn(entry, id, &[EventStatus::Open], EventStatus::Paused).await
}

/// Lets a paused event go on.
///
/// # Errors
/// That there is none, or that it is not paused.
pub async fn resume(entry: &Entry, id: &str) -> Result<Event, Error> {
    turn(entry, id, &[EventStatus::Paused], EventStatus::Open).await
}

/// Takes no more entries, before the time or at it.
///
/// # Errors
/// That there is none, or that it is closed already.
pub async fn close(entry: &Entry, id: &str) -> Result<Event, Error> {
    turn(entry, id, &[EventStatus::Open, EventStatus::Paused], EventStatus::Closed).await
}

/// Changes how many places a first-come event has, or how many a lottery draws. Places that were given stay given.
///
/// # Errors
/// That there is no such event, that more places were given, or that it was drawn already.
pub async fn set_places(entry: &Entry, id: &str, total: i64) -> Result<Event, Error> {
    let event = need(entry, id, true).await?;
    if event.event_type == EventType::Lottery {
        let winners = updating("Event", id, vec![set(name!("winners"), total)], Vec::new());
        entry.db.commit(vec![draw::is_undrawn(id), winners]).await.map_err(Error::from)?;
        return need(entry, id, true).await;
    }
    for _ in 0..ATTEMPTS {
        let known = capacity(entry, id).await?.ok_or_else(|| unknown(id))?;
        let given = known.total - known.remaining;
        if total < given {
            let message = format!("{given} places of `{id}` were given already: it cannot have {total}");
            return Err(Error::conflict("capacity_below_given", message));
        }
        match entry.db.commit(resized(id, known, total)).await.map_err(Error::from) {
            Ok(()) => return need(entry, id, true).await,
            Err(error) if ["capacity_changed", "rule_broken"].contains(&error.code.as_str()) => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::unavailable("contended", "places are being given too fast: pause the event, or try again"))
}

fn resized(id: &str, known: Capacity, total: i64) -> Vec<Operation> {
    let changed = || Error::conflict("capacity_changed", "the places of the event were changed meanwhile");
    let mut changes = vec![set(name!("capacityTotal"), total)];
    if total != known.total {
        changes.push(add(name!("capacityRemaining"), total - known.total));
    }
    let guards = vec![
        guard(name!("capacityTotal"), Comparison::Equal, known.total, changed()),
        guard(name!("capacityRemaining"), Comparison::AtLeast, known.total - total, changed()),
    ];
    vec![
        updating("EventCapacity", id, changes, guards),
        updating("Event", id, vec![set(name!("capacityTotal"), total)], Vec::new()),
    ]
}

/// Makes the results of an event public, and with them the seed of its draw.
///
/// # Errors
/// That there is no such event, that it still takes entries, or that not everybody has a result.
pub async fn announce(entry: &Entry, id: &str) -> Result<Event, Error> {
    let event = need(entry, id, true).await?;
    if event.phase(entry.now()) != Phase::Closed {
        let message = format!("`{id}` can be announced once it is closed, and it is {}", event.status);
        return Err(Error::conflict("event_not_closed", message));
    }
    let decided = match event.event_type {
        EventType::FirstCome => {
            !tend::has_backlog(entry, &event).await? && !sweep::is_awaited(entry, id).await?
        }
        EventType::Lottery => draw::is_finished(entry, &event).await?,
    };
    if !decided {
        let message = format!("not everybody has a result in `{id}` yet: announce it when all have");
        return Err(Error::conflict("not_decided", message));
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

pub(crate) async fn turn(
    entry: &Entry,
    id: &str,
    from: &[EventStatus],
    to: EventStatus,
) -> Result<Event, Error> {
    let event = need(entry, id, true).await?;
    if !from.contains(&event.status) {
        let message = format!("`{id}` is {} and cannot become {to}", event.status);
        return Err(Error::conflict("event_wrong_state", message));
    }
    let as_read = guard(name!("status"), Comparison::Equal, event.status.name(), changed_meanwhile());
    change(entry, id, vec![set(name!("status"), to.name())], vec![as_read]).await?;
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

fn changed_meanwhile() -> Error {
    Error::conflict("changed_meanwhile", "somebody else changed the event: look at it again")
}

fn check(new: &NewEvent) -> Result<(), Error> {
    let problem = if new.closes_at <= new.opens_at {
        "an event closes after it opens"
    } else {
        match new.places {
            Places::FirstCome(places) if places < 0 => "an event has no places or some, not fewer",
            Places::Lottery { winners, .. } if winners < 0 => "a lottery draws nobody or some, not fewer",
            Places::Lottery { cutoff_at, .. } if cutoff_at <= new.opens_at || cutoff_at > new.closes_at => {
                "the cut-off of a lottery lies between its opening and its closing"
            }
            _ => return Ok(()),
        }
    };
    Err(Error::invalid("event_invalid", problem))
}
