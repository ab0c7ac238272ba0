//! Fixtures.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::{Db, Model, Queue, Store, compile};
use hansang_entry::events::{self, Allocation, NewEvent};
use hansang_entry::{Entry, Event, MODEL, Settings};
use jiff::{SignedDuration, Timestamp};

/// The model, compiled once: a simulated world starts a process for every click.
static COMPILED: LazyLock<Arc<Model>> =
    LazyLock::new(|| Arc::new(compile(MODEL.as_bytes()).expect("the model compiles")));

/// The start of simulated time.
pub(crate) fn start() -> Timestamp {
    "2030-01-01T00:00:00Z".parse().unwrap()
}

/// A number of seconds after the start.
pub(crate) fn at(seconds: i64) -> Timestamp {
    start() + SignedDuration::from_secs(seconds)
}

/// Entry on a store and a queue.
pub(crate) fn entry(store: Arc<dyn Store>, queue: Arc<dyn Queue>, clock: Clock) -> Entry {
    let db = Db::new(COMPILED.clone(), None, store, clock, CursorKey::new(b"tests"));
    let settings = Settings { lease: Duration::from_secs(10), ..Settings::default() };
    Entry { db, queue, settings }
}

/// A first-come event that is open from the start for a number of seconds.
pub(crate) async fn first_come(entry: &Entry, id: &str, seats: i64, seconds: i64) -> Event {
    let new = NewEvent {
        id: Some(id.to_owned()),
        title: format!("First come: {id}"),
        opens_at: at(-1),
        closes_at: at(seconds),
        allocation: Allocation::FirstCome(seats),
        settle: None,
    };
    events::create(entry, new).await.unwrap()
}

/// A lottery that is open from the start for a number of seconds.
pub(crate) async fn lottery(entry: &Entry, id: &str, winners: i64, seconds: i64) -> Event {
    let new = NewEvent {
        id: Some(id.to_owned()),
        title: format!("Lottery: {id}"),
        opens_at: at(-1),
        closes_at: at(seconds),
        allocation: Allocation::Lottery { winners, cutoff_at: at(seconds) },
        settle: None,
    };
    events::create(entry, new).await.unwrap()
}
