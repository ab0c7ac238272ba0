//! The invariants of every run.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use hansang_core::plan::Scan;
use hansang_core::value::Value;
use hansang_core::{Db, Item};
use hansang_entry::events;
use hansang_entry::{Entry, EventType, Line, Request, ResultCode, Status, find, log};

use crate::recorder::legal;

/// The responses that users got.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// The accepted requests, by event and user.
    pub(crate) accepted: Vec<((String, String), String)>,
    /// Events whose capacity was raised while they ran: entries rejected before stay rejected.
    pub(crate) raised: BTreeSet<String>,
}

/// Returns the violated invariants. `entry` must use the store without faults.
pub(crate) async fn check(entry: &Entry, told: &Told) -> Vec<String> {
    let mut problems = Vec::new();
    let items = everything(&entry.db).await;
    let requests = requests(entry, &items).await;
    locks(&items, &requests, &mut problems);
    for ((event, user), id) in &told.accepted {
        match requests.iter().find(|request| request.id == *id) {
            None => problems.push(format!("{user} got {id} in {event}, and it is gone")),
            Some(request) if (&request.event_id, &request.user_id) != (event, user) => {
                problems.push(format!("{user} got {id} in {event}, which belongs to another user"));
            }
            Some(_) => {}
        }
    }
    for request in &requests {
        lines(request, &log(entry, &request.id).await.unwrap(), &mut problems);
    }
    if items.iter().any(|item| pk(item).starts_with("UNSENT#")) {
        problems.push("a request is still unsent".to_owned());
    }
    for event in events::list(entry).await.unwrap() {
        let of_event: Vec<&Request> = requests.iter().filter(|one| one.event_id == event.id).collect();
        let count =
            |result: ResultCode| of_event.iter().filter(|one| one.result == Some(result)).count() as i64;
        let (winners, failed) = (
            count(ResultCode::Success),
            count(ResultCode::FailedWorker) + count(ResultCode::FailedIngestEnqueue),
        );
        let board = hansang_entry::board(entry, &event.id).await.unwrap();
        let counted = (board.succeeded as i64, board.rejected as i64, board.failed as i64);
        let rejected = of_event.iter().filter(|one| one.status == Status::Rejected).count() as i64;
        if counted != (winners, rejected, failed) {
            problems.push(format!(
                "{}: {counted:?} on the board, but {winners}, {rejected}, {failed} stored",
                event.id
            ));
        }
        let valid = of_event.len() as i64 - failed;
        match event.event_type {
            EventType::FirstCome => {
                let capacity = board.capacity.unwrap();
                if capacity.total - capacity.remaining != winners {
                    problems.push(format!("{}: {winners} winners, but {capacity:?}", event.id));
                }
                if !told.raised.contains(&event.id) {
                    if winners != capacity.total.min(valid) {
                        problems.push(format!(
                            "{}: {winners} winners of {valid} entries with {} seats",
                            event.id, capacity.total
                        ));
                    }
                    fairness(&of_event, event.settle, &mut problems);
                }
            }
            EventType::Lottery => {
                if winners != event.winners.unwrap().min(valid) {
                    problems.push(format!(
                        "{}: {winners} of {:?} winners drawn from {valid}",
                        event.id, event.winners
                    ));
                }
            }
        }
    }
    problems
}

/// No entry that was queued earlier by more than the settle window is rejected while a later one has a seat.
fn fairness(requests: &[&Request], settle: Duration, problems: &mut Vec<String>) {
    let settle = jiff::SignedDuration::try_from(settle).unwrap();
    let last = requests.iter().filter(|one| one.status == Status::Succeeded).max_by_key(|one| one.queued_at);
    let Some(last) = last else { return };
    for rejected in requests.iter().filter(|one| one.status == Status::Rejected) {
        let earlier = last.queued_at.unwrap().duration_since(rejected.queued_at.unwrap());
        if earlier > settle {
            problems.push(format!("{} was queued {earlier:#} before {} and rejected", rejected.id, last.id));
        }
    }
}

/// Every user of an event has one lock and one request.
fn locks(items: &[Item], requests: &[Request], problems: &mut Vec<String>) {
    let mut locked = BTreeMap::new();
    for item in items.iter().filter(|item| pk(item).starts_with("IDEMP#")) {
        locked.insert(pk(item).to_owned(), text(item, "requestId").to_owned());
    }
    for request in requests {
        let key = format!("IDEMP#{}#{}", request.event_id, request.user_id);
        if locked.get(&key) != Some(&request.id) {
            problems.push(format!("the lock {key} names {:?} instead of {}", locked.get(&key), request.id));
        }
    }
    if locked.len() != requests.len() {
        problems.push(format!("{} locks, {} requests", locked.len(), requests.len()));
    }
}

/// A log is complete, and all of its transitions are legal.
fn lines(request: &Request, lines: &[Line], problems: &mut Vec<String>) {
    let mut stands = None;
    for line in lines {
        if line.from != stands || !legal(line.from, line.to) {
            problems.push(format!("the log of {} goes from {stands:?} to {line:?}: {lines:?}", request.id));
            return;
        }
        stands = Some(line.to);
    }
    if stands != Some(request.status) {
        problems.push(format!("{} is {}, and its log ends with {stands:?}", request.id, request.status));
    }
    if !request.status.is_final() {
        problems.push(format!("{} has no result: {request:?}", request.id));
    }
}

async fn requests(entry: &Entry, items: &[Item]) -> Vec<Request> {
    let mut requests = Vec::new();
    for item in items.iter().filter(|item| pk(item).starts_with("REQ#") && text(item, "SK") == "META") {
        requests.push(find(entry, text(item, "requestId")).await.unwrap());
    }
    requests
}

pub(crate) async fn everything(db: &Db) -> Vec<Item> {
    let mut items = Vec::new();
    let mut scan = Scan { index: None, limit: 1000, start: None, consistent: true };
    loop {
        let page = db.store().scan(db.table(), &scan).await.unwrap();
        items.extend(page.items);
        scan.start = page.next;
        if scan.start.is_none() {
            return items;
        }
    }
}

fn pk(item: &Item) -> &str {
    text(item, "PK")
}

fn text<'i>(item: &'i Item, name: &str) -> &'i str {
    item.get(name).and_then(Value::as_str).unwrap_or_default()
}
