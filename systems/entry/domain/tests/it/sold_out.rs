//! Events whose seats are all given.

use std::sync::Arc;
use std::time::Duration;

use hansang_entry::{Decided, ResultCode, Status, board, decide, find, log, submit, submit_all};
use hansang_testkit::memory::MemoryQueue;
use hansang_testkit::world::{self, Hazards, World};
use tokio::time::sleep;

use crate::basics::{quiet, work_for};
use crate::grounds::{entry, first_come};
use crate::recorder::Recorder;

/// Es11: once no seat is left, requests are rejected in batches of one transaction each, without a claim.
#[test]
fn without_seats_requests_are_rejected_without_a_claim() {
    world::run(async {
        let world = World::new(1, Hazards::default());
        let queue = Arc::new(MemoryQueue::new(world.time(), 100));
        let truth = Recorder::new();
        let entry = entry(truth.clone(), queue, world.clock(0));
        entry.db.ensure_table().await.unwrap();
        first_come(&entry, "e1", 10, 600).await;
        let users: Vec<String> = (0..1000).map(|number| format!("user-{number:04}")).collect();
        let mut ids = Vec::new();
        for users in users.chunks(100) {
            for result in submit_all(&entry, "e1", users).await {
                ids.push(result.unwrap().request_id);
            }
            sleep(Duration::from_millis(5)).await;
        }
        sleep(Duration::from_secs(4)).await;
        let before = truth.transactions().len();
        while decide(&entry, "e1", "me", &[]).await.unwrap() == Decided::More {}
        let transactions = &truth.transactions()[before..];
        let passed = truth
            .history()
            .iter()
            .filter(|one| (one.from, one.to) == (Some(Status::Queued), Status::Rejected))
            .count();
        // The first page is claimed, because there are seats: two batches of 49, each with a claim and results.
        assert_eq!((passed, transactions.len()), (902, 4 + 902_usize.div_ceil(32)), "{transactions:?}");
        assert!(transactions.iter().all(|writes| *writes <= 100), "{transactions:?}");
        let board = board(&entry, "e1").await.unwrap();
        assert_eq!((board.succeeded, board.rejected, board.queued, board.processing), (10, 990, 0, 0));
        let rejected = find(&entry, &ids[999]).await.unwrap();
        assert_eq!(rejected.result, Some(ResultCode::RejectedCapacity));
        assert!(rejected.started_at.is_some() && rejected.started_at == rejected.finished_at);
        use Status::{Processing, Queued, Received, Rejected};
        let steps: Vec<_> =
            log(&entry, &ids[999]).await.unwrap().iter().map(|line| (line.from, line.to)).collect();
        let expected = [
            (None, Received),
            (Some(Received), Queued),
            (Some(Queued), Processing),
            (Some(Processing), Rejected),
        ];
        assert_eq!(steps, expected);
        assert!(truth.problems().is_empty(), "{:?}", truth.problems());
    });
}

/// Seats that are added between two pages go to the requests that are first in line then.
#[test]
fn added_seats_end_the_early_stop() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 1, 600).await;
        for number in 0..3 {
            submit(&entry, "e1", &format!("early-{number}")).await.unwrap();
            sleep(Duration::from_millis(5)).await;
        }
        work_for(&entry, 10).await;
        hansang_entry::events::resize(&entry, "e1", 3).await.unwrap();
        let mut ids = Vec::new();
        for number in 0..4 {
            ids.push(submit(&entry, "e1", &format!("late-{number}")).await.unwrap().request_id);
            sleep(Duration::from_millis(5)).await;
        }
        work_for(&entry, 10).await;
        let mut results = Vec::new();
        for id in &ids {
            results.push(find(&entry, id).await.unwrap().result.unwrap());
        }
        use ResultCode::{RejectedCapacity, Success};
        assert_eq!(results, [Success, Success, RejectedCapacity, RejectedCapacity]);
    });
}
