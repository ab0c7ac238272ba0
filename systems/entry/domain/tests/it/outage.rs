//! Outages of the queue: requests wait in the table, and are sent in their order.

use std::sync::Arc;
use std::time::Duration;

use hansang_core::Value;
use hansang_core::db::Clock;
use hansang_core::write::Moment;
use hansang_entry::{Entry, ResultCode, board, find, submit, submit_all, sweep};
use hansang_testkit::memory::{Memory, MemoryQueue};
use hansang_testkit::world::{self, Hazards, World};
use tokio::time::sleep;

use crate::basics::{item, quiet, with_failing_queue, work_for};
use crate::grounds::{entry, first_come};

/// After an outage of the queue, requests are queued in the order in which they were made, whatever partition their notes
/// are in: the first to press win.
#[test]
fn an_outage_of_the_queue_keeps_the_order_of_entries() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 100, 600).await;
        let lost = with_failing_queue(&entry);
        let mut ids = Vec::new();
        for number in 0..200 {
            ids.push(submit(&lost, "e1", &format!("user-{number}")).await.unwrap().request_id);
            sleep(Duration::from_secs(1)).await;
        }
        sleep(Duration::from_secs(10)).await;
        assert_eq!(sweep(&entry).await.unwrap(), 200);
        let queued = queued_times(&entry, &ids).await;
        assert!(queued.windows(2).all(|pair| pair[0] < pair[1]), "{queued:?}");
        work_for(&entry, 30).await;
        for (number, id) in ids.iter().enumerate() {
            let expected = if number < 100 { ResultCode::Success } else { ResultCode::RejectedCapacity };
            assert_eq!(find(&entry, id).await.unwrap().result, Some(expected), "{number}");
        }
    });
}

async fn queued_times(entry: &Entry, ids: &[String]) -> Vec<jiff::Timestamp> {
    let mut times = Vec::new();
    for id in ids {
        times.extend(find(entry, id).await.unwrap().queued_at);
    }
    assert_eq!(times.len(), ids.len(), "all are queued");
    times
}

/// Several processes sweep, with clocks that differ, and some stop in the middle: a request is still never queued before an
/// earlier one.
#[test]
fn sweeps_of_several_processes_keep_the_order() {
    world::run(async {
        for seed in 0..20 {
            let latency = (Duration::from_millis(1), Duration::from_millis(40));
            let world = World::new(seed, Hazards { latency, ..Hazards::default() });
            let queue = Arc::new(MemoryQueue::new(world.time(), 100));
            world.store(Arc::new(Memory::new()), Arc::new(Memory::new()));
            world.queue(queue);
            let processes: Vec<Entry> = [0, 900, -900]
                .iter()
                .enumerate()
                .map(|(number, ahead)| process(&world, number, *ahead))
                .collect();
            processes[0].db.ensure_table().await.unwrap();
            first_come(&processes[0], "e1", 5, 600).await;
            let lost = with_failing_queue(&processes[0]);
            let mut ids = Vec::new();
            for number in 0..150 {
                ids.push(submit(&lost, "e1", &format!("user-{number}")).await.unwrap().request_id);
            }
            sleep(Duration::from_secs(20)).await;
            for round in 0..8 {
                let sweeps = futures_util::future::join_all(processes.iter().map(sweep));
                // The first rounds are cut off, as if all processes died; the turn expires.
                let most = if round < 4 { Duration::from_millis(300) } else { Duration::from_secs(60) };
                let _ = tokio::time::timeout(most, sweeps).await;
                sleep(Duration::from_secs(12)).await;
            }
            let queued = queued_times(&processes[0], &ids).await;
            assert!(queued.windows(2).all(|pair| pair[0] < pair[1]), "seed {seed}: {queued:?}");
        }
    });
}

/// A process whose clock is ahead by some milliseconds.
fn process(world: &World, number: usize, ahead: i64) -> Entry {
    let handles = world.process(number);
    let (clock, ahead) = (handles.clock, jiff::SignedDuration::from_millis(ahead));
    let ahead = move || {
        let moment = clock.moment();
        Moment { now: moment.now + ahead, ..moment }
    };
    entry(handles.store, handles.queue, Clock::new(ahead))
}

/// The board counts all requests that are not queued, also those beyond a page of their partition.
#[test]
fn the_board_counts_every_unqueued_request() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 5, 600).await;
        let shards = 16;
        let count = hansang_core::read::MAX_PAGE as usize * shards * 5 / 4;
        let users: Vec<String> = (0..count).map(|number| format!("user-{number}")).collect();
        for result in submit_all(&with_failing_queue(&entry), "e1", &users).await {
            result.unwrap();
        }
        assert_eq!(board(&entry, "e1").await.unwrap().received, count as u64);
    });
}

/// A request that fails without ever being claimed has started and finished.
#[test]
fn a_failed_request_has_started() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 5, 100_000).await;
        // Never queued.
        let lost = with_failing_queue(&entry);
        let never_queued = submit(&lost, "e1", "ann").await.unwrap().request_id;
        for _ in 0..60 {
            sleep(Duration::from_secs(11)).await;
            sweep(&lost).await.unwrap();
        }
        // Queued, and never claimed: the capacity is missing.
        let key = hansang_core::Item::from([("eventId".into(), "e1".into())]);
        entry.db.delete("EventCapacity", key, None).await.unwrap();
        let never_claimed = submit(&entry, "e1", "bob").await.unwrap().request_id;
        work_for(&entry, 600).await;
        for id in [never_queued, never_claimed] {
            let stored = item(&entry, &format!("REQ#{id}"), "META").await.unwrap();
            let text = |name: &str| stored.get(name).and_then(Value::as_str);
            assert_eq!(text("status"), Some("FAILED_FINAL"), "{stored:?}");
            assert!(text("startedAt").is_some() && text("startedAt") <= text("finishedAt"), "{stored:?}");
        }
    });
}
