//! Decisions alone: all entries are queued before the worker starts, in one process.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hansang_core::cursor::CursorKey;
use hansang_core::db::{Ask, Clock, GetOptions};
use hansang_core::read::MAX_PAGE;
use hansang_core::write::Moment;
use hansang_core::{Db, Item, Queue as _, Record, Value, compile};
use hansang_embedded::{Embedded, Options, QueueSettings};
use hansang_entry::events::{Allocation, NewEvent, create};
use hansang_entry::{Entry, MODEL, QUEUE, Settings, Worker, requests_of_event, submit, work};
use jiff::{SignedDuration, Timestamp};

use super::burst::CONNECTIONS;
use super::{EVENT, Results, SETTLE, TOO_LONG};

/// The value of `hansang serve` on the embedded store.
const PARALLEL: usize = 20;
/// The maximum number of deliveries of a message, as in `hansang serve`.
const DELIVERIES: u32 = 100;
/// The polling interval for the number of decisions.
const GLANCE: Duration = Duration::from_millis(5);

/// Returns the time to decide all entries, on a new store.
pub(super) fn measure(users: usize, seats: usize, directory: &Path) -> Result<Duration, String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let entry = open(directory).await?;
        make_event(&entry, seats).await?;
        eprintln!("{users} requests are queued…");
        queue(&entry, users).await?;
        eprintln!("decisions…");
        let took = decide(&entry, users).await?;
        results(&entry).await?.check(users, seats)?;
        Ok(took)
    })
}

async fn open(directory: &Path) -> Result<Entry, String> {
    let store = Embedded::open(directory, Options::new(Arc::new(now))).map_err(|error| error.to_string())?;
    let model = compile(MODEL.as_bytes()).map_err(|_| "models/entry.yaml does not compile")?;
    let clock = Clock::new(|| Moment { now: now(), random: rand::random() });
    let queue = store.queue(QUEUE, QueueSettings { max_attempts: DELIVERIES });
    let db = Db::new(Arc::new(model), None, Arc::new(store), clock, CursorKey::new(&[7; 32]));
    db.ensure_table().await.map_err(|error| error.to_string())?;
    queue.ensure().await.map_err(|error| error.to_string())?;
    Ok(Entry { db, queue, settings: Settings { parallel: PARALLEL, ..Settings::default() } })
}

async fn make_event(entry: &Entry, seats: usize) -> Result<(), String> {
    let new = NewEvent {
        id: Some(EVENT.to_owned()),
        title: "A rush".to_owned(),
        opens_at: now() - SignedDuration::from_hours(1),
        closes_at: now() + SignedDuration::from_hours(6),
        allocation: Allocation::FirstCome(i64::try_from(seats).map_err(|error| error.to_string())?),
        settle: Some(SETTLE),
    };
    create(entry, new).await.map(drop).map_err(|error| error.to_string())
}

/// Queues all entries.
async fn queue(entry: &Entry, users: usize) -> Result<(), String> {
    let mut writers = tokio::task::JoinSet::new();
    for first in 0..CONNECTIONS {
        let entry = entry.clone();
        writers.spawn(async move {
            for user in (first..users).step_by(CONNECTIONS) {
                submit(&entry, EVENT, &format!("person-{user:06}"))
                    .await
                    .map_err(|error| error.to_string())?;
            }
            Ok::<_, String>(())
        });
    }
    while let Some(done) = writers.join_next().await {
        done.map_err(|error| error.to_string())??;
    }
    Ok(())
}

/// Runs a worker until all entries are decided.
async fn decide(entry: &Entry, users: usize) -> Result<Duration, String> {
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let working = entry.clone();
    let began = Instant::now();
    let worker = tokio::spawn(async move {
        let stop = async {
            let _ = stopped.await;
        };
        work(&working, &Worker::named("bench"), stop).await;
    });
    loop {
        let decided = decided(entry).await?;
        if decided >= users as u64 {
            break;
        }
        if began.elapsed() > TOO_LONG {
            return Err(format!("only {decided} of {users} are decided"));
        }
        tokio::time::sleep(GLANCE).await;
    }
    let took = began.elapsed();
    let _ = stop.send(());
    worker.await.map_err(|error| error.to_string())?;
    Ok(took)
}

/// Returns the number of decided entries, from the counters of the lease.
async fn decided(entry: &Entry) -> Result<u64, String> {
    let key: Item = [("eventId".into(), Value::from(EVENT))].into_iter().collect();
    let options = GetOptions { consistent: true, fields: None };
    let lease = entry.db.get("DeciderLease", &key, &options).await.map_err(|error| error.to_string())?;
    let lease = lease.ok_or("an event without a lease")?;
    Ok(["succeeded", "rejected", "failed"].into_iter().map(|name| number(&lease, name)).sum())
}

fn number(record: &Record, name: &str) -> u64 {
    let number = record.fields.get(name).and_then(|value| value.as_number()?.to_i64());
    number.and_then(|number| u64::try_from(number).ok()).unwrap_or_default()
}

/// Reads the result of every request.
async fn results(entry: &Entry) -> Result<Results, String> {
    let mut results = Results::default();
    let mut cursor = None;
    loop {
        let ask = Ask { limit: Some(MAX_PAGE), cursor, ..Ask::default() };
        let page = requests_of_event(entry, EVENT, ask).await.map_err(|error| error.to_string())?;
        page.requests.iter().for_each(|request| results.add(request.status.name()));
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(results),
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "a worker uses the real time")]
fn now() -> Timestamp {
    Timestamp::now()
}
