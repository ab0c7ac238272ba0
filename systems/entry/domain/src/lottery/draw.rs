//! Running a draw: the list of entries is fixed, then each entry gets its result. It can resume after any interruption.

use hansang_core::db::{Ask, GetOptions, Operation};
use hansang_core::plan::{self, Comparison, Condition, Guard, Path};
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, Item, Value, message, name};
use jiff::Timestamp;
use serde::Deserialize;

use super::{Proof, hash_of_entries, winning};
use crate::damaged::readable;
use crate::decide::{Decided, Decider, Rule, Stop, decide, fail, is_undecided, query};
use crate::event::{Event, EventStatus, EventType, need};
use crate::fields::{between, guard, item, set, time};
use crate::{Entry, EntryCode, FailureClass, Reason, Request, messages, request, sweep};

/// The number of request ids per part of the list, well below the item size limit.
const PART: usize = 5000;
/// The number of requests that are read and decided together.
const TOGETHER: usize = 490;

/// The figures of a draw.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DrawFigures {
    /// The time the list of entries was fixed.
    pub drawn_at: Timestamp,
    /// The number of entries.
    pub entries: u64,
    /// The hash of the list.
    pub entries_hash: String,
    /// The number of winners.
    pub winners: u64,
    /// The time every entry had its result.
    pub finished_at: Option<Timestamp>,
}

/// Reads the figures of an event's draw, if it was drawn.
///
/// # Errors
/// If the store fails.
pub async fn figures(entry: &Entry, event_id: &str) -> Result<Option<DrawFigures>, Error> {
    let options = GetOptions { consistent: true, fields: None };
    let record = entry.db.get("Draw", &key(event_id), &options).await?;
    Ok(record.and_then(|record| record.typed().ok()))
}

/// Builds the proof of an announced draw.
///
/// # Errors
/// If the event does not exist, is not a lottery, or is not announced yet.
pub async fn proof(entry: &Entry, event_id: &str) -> Result<Proof, Error> {
    let event = need(entry, event_id, true).await?;
    if event.event_type != EventType::Lottery {
        return Err(no_lottery(event_id));
    }
    let hidden = || Error::conflict(EntryCode::NotAnnounced, message!(messages::NOT_ANNOUNCED, event_id));
    let (Some(seed), Some(seed_hash)) = (event.seed.clone(), event.seed_hash.clone()) else {
        return Err(hidden());
    };
    let figures = figures(entry, event_id).await?.ok_or_else(hidden)?;
    let entries = list(entry, event_id, &figures).await?;
    Ok(Proof {
        winning: winning(event_id, &seed, &entries, figures.winners),
        event_id: event.id,
        seed_hash,
        seed,
        drawn_at: time(figures.drawn_at).into(),
        winners: figures.winners,
        entries_hash: figures.entries_hash,
        entries,
    })
}

/// Draws a lottery now, instead of waiting for a worker. The owner must be different in every call.
///
/// # Errors
/// If the event does not exist, is not a lottery, cannot be drawn yet, or has unsent entries; in the last case a worker
/// draws it as soon as possible.
pub async fn draw_now(entry: &Entry, event_id: &str, owner: &str) -> Result<DrawFigures, Error> {
    let event = need(entry, event_id, true).await?;
    if event.event_type != EventType::Lottery {
        return Err(no_lottery(event_id));
    }
    if event.status == EventStatus::Paused {
        return Err(Error::conflict(EntryCode::EventPaused, message!(messages::DRAW_PAUSED, event_id)));
    }
    if entry.now() < event.draws_at() {
        let message = message!(messages::DRAW_TOO_EARLY, event_id, time(event.draws_at()));
        return Err(Error::conflict(EntryCode::DrawTooEarly, message));
    }
    let decided = decide(entry, event_id, owner, &[]).await?;
    figures(entry, event_id).await?.filter(|_| decided != Decided::Elsewhere).ok_or_else(|| {
        Error::unavailable(EntryCode::DrawUnderWay, message!(messages::DRAW_UNDER_WAY, event_id))
    })
}

/// Reads the secret seed.
pub(crate) async fn seed(entry: &Entry, event_id: &str) -> Result<String, Error> {
    let options = GetOptions { consistent: true, fields: None };
    let record = entry.db.get("DrawSeed", &key(event_id), &options).await?;
    record
        .and_then(|record| record.text("seed").map(str::to_owned))
        .ok_or_else(|| Error::internal(EntryCode::SeedMissing, message!(messages::SEED_MISSING, event_id)))
}

/// Draws, or resumes an interrupted draw.
pub(crate) async fn draw(decider: &mut Decider<'_>, named: &[Request]) -> Result<Decided, Stop> {
    let (entry, event) = (decider.entry, decider.event);
    let figures = match figures(entry, &event.id).await? {
        Some(figures) => figures,
        None if !is_quiet(decider).await? => return Ok(Decided::Waiting),
        None => fix(decider).await?,
    };
    if figures.finished_at.is_none() {
        give_results(decider, &figures).await?;
    }
    let ids: Vec<String> = named.iter().filter(|one| is_undecided(one)).map(|one| one.id.clone()).collect();
    if !ids.is_empty() {
        let found = request::load_all(entry, &ids).await?;
        let found = readable(entry, &event.id, found.into_iter().flatten()).await?;
        decide_late(decider, &figures, found.into_iter().filter(is_undecided).collect()).await?;
    }
    Ok(Decided::All)
}

/// Decides requests that are undecided after the draw. Those on the list were damaged and repaired: they get their
/// result. The others reached the queue too late; they fail.
async fn decide_late(
    decider: &Decider<'_>,
    figures: &DrawFigures,
    undecided: Vec<Request>,
) -> Result<(), Stop> {
    if undecided.is_empty() {
        return Ok(());
    }
    let (entry, event) = (decider.entry, decider.event);
    let ids = list(entry, &event.id, figures).await?;
    // The list is sorted.
    let is_listed = |one: &Request| ids.binary_search(&one.id).is_ok();
    let (drawn, late): (Vec<_>, Vec<_>) = undecided.into_iter().partition(is_listed);
    if !drawn.is_empty() {
        let rule = rule(entry, event, &ids, figures).await?;
        decider.claim_and_decide(drawn, &rule).await?;
    }
    for late in &late {
        fail(entry, late, FailureClass::NonRetryable, &Reason::AfterDraw).await?;
    }
    Ok(())
}

/// The rule of a draw: who wins follows from the seed and the list.
async fn rule(entry: &Entry, event: &Event, ids: &[String], figures: &DrawFigures) -> Result<Rule, Error> {
    // It moves to the event when the result is announced.
    let seed = match &event.seed {
        Some(seed) => seed.clone(),
        None => seed(entry, &event.id).await?,
    };
    Ok(Rule::Drawn(winning(&event.id, &seed, ids, figures.winners).into_iter().collect()))
}

/// Whether there have been no unsent entries for the settle window, so that the index shows all of them.
async fn is_quiet(decider: &mut Decider<'_>) -> Result<bool, Stop> {
    let (entry, event) = (decider.entry, decider.event);
    if sweep::is_awaited(entry, &event.id).await? {
        decider.lease.quiet(entry, None).await?;
        return Ok(false);
    }
    let since = decider.lease.quiet_since.unwrap_or_else(|| entry.now());
    decider.lease.quiet(entry, Some(since)).await?;
    Ok(between(since, entry.now()) >= event.settle)
}

/// Stores the list of entries. It cannot change afterwards.
async fn fix(decider: &mut Decider<'_>) -> Result<DrawFigures, Stop> {
    let (entry, event) = (decider.entry, decider.event);
    let ids = collect(decider).await?;
    let parts: Vec<&[String]> = ids.chunks(PART).collect();
    for (part, ids) in parts.iter().enumerate() {
        let mut fields = key(&event.id);
        fields.insert(name!("part"), number(part));
        fields.insert(name!("requests"), Value::L(ids.iter().map(|id| id.as_str().into()).collect()));
        // The lease check keeps an earlier decider from changing a fixed list.
        let put = Operation::Put {
            entity: name!("DrawEntries"),
            fields,
            expected_version: None,
            guards: Vec::new(),
        };
        entry.db.commit(vec![decider.lease.check(), put]).await.map_err(Error::from)?;
        decider.lease.renew(entry, None).await?;
    }
    let hash = hash_of_entries(&ids);
    let mut fields = key(&event.id);
    fields.extend(item([
        (name!("drawnAt"), time(entry.now()).into()),
        (name!("entries"), number(ids.len())),
        (name!("entriesHash"), hash.as_str().into()),
        (name!("parts"), number(parts.len())),
        (name!("winners"), event.winners.unwrap_or_default().into()),
    ]));
    let create = Operation::Create { entity: name!("Draw"), fields, guards: Vec::new() };
    let written = entry
        .db
        .commit(vec![decider.lease.check(), committed(event, &hash), create])
        .await
        .map_err(Error::from);
    match written {
        Err(error) if error.code != CoreCode::AlreadyExists && error.code != CoreCode::OutcomeUnknown => {
            return Err(error.into());
        }
        // The stored draw was written by this process, because it holds the lease.
        _ => {}
    }
    let fixed = figures(entry, &event.id).await?;
    fixed.ok_or_else(|| {
        Stop::Failed(Error::unavailable(EntryCode::DrawUnwritten, message!(messages::DRAW_UNWRITTEN)))
    })
}

/// Makes the hash of the entries public, while the seed is still secret. Checks that an operator has not changed the number
/// of winners since the event was read.
fn committed(event: &Event, hash: &str) -> Operation {
    let changed = Error::unavailable(EntryCode::WinnersChanged, message!(messages::WINNERS_CHANGED));
    let winners = guard(name!("winners"), Comparison::Equal, event.winners.unwrap_or_default(), changed);
    let changes = vec![set(name!("entriesHash"), hash)];
    let update = Update { key: key(&event.id), changes, expected_version: None };
    Operation::Update { entity: name!("Event"), update, guards: vec![winners] }
}

/// Checks that an event was not drawn.
pub(crate) fn is_undrawn(event_id: &str) -> Operation {
    let drawn = Error::conflict(EntryCode::AlreadyDrawn, message!(messages::ALREADY_DRAWN, event_id));
    let otherwise = plan::Reason::Other(drawn);
    let condition = Condition::Absent(Path { root: "drawnAt".into(), inside: Vec::new() });
    Operation::Check {
        entity: name!("Draw"),
        key: key(event_id),
        guards: vec![Guard { condition, otherwise }],
    }
}

/// Collects the ids of all undecided requests of the event, sorted.
async fn collect(decider: &mut Decider<'_>) -> Result<Vec<String>, Stop> {
    let mut ids = Vec::new();
    let mut cursor = None;
    loop {
        let page = decider.due(None, Timestamp::MAX, cursor, decider.page_size()).await?;
        ids.extend(page.requests.into_iter().filter(is_undecided).map(|request| request.id));
        decider.lease.renew(decider.entry, None).await?;
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

async fn give_results(decider: &mut Decider<'_>, figures: &DrawFigures) -> Result<(), Stop> {
    let (entry, event) = (decider.entry, decider.event);
    let ids = list(entry, &event.id, figures).await?;
    let rule = rule(entry, event, &ids, figures).await?;
    let mut all = true;
    for ids in ids.chunks(TOGETHER) {
        let found = request::load_all(entry, ids).await?;
        let found = readable(entry, &event.id, found.into_iter().flatten()).await?;
        let undecided = found.into_iter().filter(is_undecided).collect();
        all &= decider.claim_and_decide(undecided, &rule).await?;
        decider.lease.renew(entry, None).await?;
    }
    if all {
        let changes = vec![set(name!("finishedAt"), time(entry.now()))];
        let update = Update { key: key(&event.id), changes, expected_version: None };
        let update = Operation::Update { entity: name!("Draw"), update, guards: Vec::new() };
        entry.db.commit(vec![decider.lease.check(), update]).await.map_err(Error::from)?;
    }
    Ok(())
}

/// Reads the fixed list of entries.
async fn list(entry: &Entry, event_id: &str, figures: &DrawFigures) -> Result<Vec<String>, Error> {
    let mut ids = Vec::new();
    let mut cursor = None;
    loop {
        let ask = Ask { cursor, ..Ask::default() };
        let page = query(entry, "drawEntries", &key(event_id), &ask).await?;
        for record in &page.records {
            if let Some(Value::L(requests)) = record.fields.get("requests") {
                ids.extend(requests.iter().filter_map(Value::as_str).map(str::to_owned));
            }
        }
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    // An earlier, longer attempt may have left further parts.
    ids.truncate(usize::try_from(figures.entries).unwrap_or(usize::MAX));
    if hash_of_entries(&ids) == figures.entries_hash {
        return Ok(ids);
    }
    Err(Error::internal(EntryCode::DrawDamaged, message!(messages::DRAW_DAMAGED, event_id)))
}

fn key(event_id: &str) -> Item {
    item([(name!("eventId"), event_id.into())])
}

fn number(count: usize) -> Value {
    Value::from(i64::try_from(count).unwrap_or(i64::MAX))
}

/// Whether every entry of a lottery has its result.
pub(crate) async fn is_finished(entry: &Entry, event: &Event) -> Result<bool, Error> {
    Ok(figures(entry, &event.id).await?.is_some_and(|figures| figures.finished_at.is_some()))
}

fn no_lottery(event_id: &str) -> Error {
    Error::conflict(EntryCode::NotALottery, message!(messages::NOT_A_LOTTERY, event_id))
}
