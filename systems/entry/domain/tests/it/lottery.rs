//! Lotteries: collecting entries, drawing once, announcing, and repeating the draw.

use std::collections::BTreeSet;
use std::time::Duration;

use hansang_entry::events::{self, announce};
use hansang_entry::lottery::{draw_now, figures, proof, verify};
use hansang_entry::{EntryCode, ResultCode, Status, find, request_of, submit};
use hansang_testkit::world;
use tokio::time::sleep;

use crate::basics::{quiet, work_for};
use crate::grounds::{first_come, lottery};

/// Es17, Es18: the hash of the seed is published before, the seed after, and repeating the draw gives the same winners.
#[test]
fn a_draw_can_be_repeated_by_anyone() {
    world::run(async {
        let (_world, entry) = quiet().await;
        let event = lottery(&entry, "lots", 7, 60).await;
        assert_eq!(event.seed, None);
        let hash = event.seed_hash.clone().unwrap();
        let mut ids = Vec::new();
        for number in 0..60 {
            ids.push(submit(&entry, "lots", &format!("user-{number}")).await.unwrap().request_id);
        }
        work_for(&entry, 30).await;
        assert_eq!(
            find(&entry, &ids[0]).await.unwrap().status,
            Status::Queued,
            "it collects until the cut-off"
        );
        assert_eq!(figures(&entry, "lots").await.unwrap(), None);
        work_for(&entry, 60).await;
        let drawn = figures(&entry, "lots").await.unwrap().unwrap();
        assert_eq!((drawn.entries, drawn.winners, drawn.finished_at.is_some()), (60, 7, true));
        // Results are hidden until the announcement.
        let event = events::get(&entry, "lots").await.unwrap();
        assert_eq!(proof(&entry, "lots").await.unwrap_err().code, EntryCode::NotAnnounced);
        let seen = request_of(&entry, "user-0", &ids[0]).await.unwrap().as_seen(&event);
        assert_eq!((seen.status, seen.result, seen.finished_at), (Status::Processing, None, None));
        let announced = announce(&entry, "lots").await.unwrap();
        let proof = proof(&entry, "lots").await.unwrap();
        assert_eq!(verify(&proof), Vec::<hansang_core::message::Message>::new());
        assert_eq!((proof.seed_hash, Some(proof.seed)), (hash, announced.seed.clone()));
        let winning: BTreeSet<String> = proof.winning.into_iter().collect();
        assert_eq!(winning.len(), 7);
        for id in &ids {
            let request = find(&entry, id).await.unwrap().as_seen(&announced);
            let expected =
                if winning.contains(id) { ResultCode::Success } else { ResultCode::RejectedLotteryLose };
            assert_eq!(request.result, Some(expected));
        }
    });
}

#[test]
fn nothing_is_drawn_or_announced_before_its_time() {
    world::run(async {
        let (_world, entry) = quiet().await;
        lottery(&entry, "lots", 2, 60).await;
        first_come(&entry, "first", 2, 60).await;
        submit(&entry, "lots", "ann").await.unwrap();
        let code = |result: Result<_, hansang_core::Error>| {
            result.map(drop::<hansang_entry::lottery::DrawFigures>).unwrap_err().code
        };
        assert_eq!(code(draw_now(&entry, "lots", "me").await), EntryCode::DrawTooEarly);
        assert_eq!(code(draw_now(&entry, "first", "me").await), EntryCode::NotALottery);
        assert_eq!(code(draw_now(&entry, "none", "me").await), EntryCode::EventUnknown);
        assert_eq!(proof(&entry, "first").await.unwrap_err().code, EntryCode::NotALottery);
        assert_eq!(announce(&entry, "lots").await.unwrap_err().code, EntryCode::EventNotClosed);
        sleep(Duration::from_secs(70)).await;
        assert_eq!(announce(&entry, "lots").await.unwrap_err().code, EntryCode::NotDecided);
        assert_eq!(
            code(draw_now(&entry, "lots", "me").await),
            EntryCode::DrawUnderWay,
            "entries may still be unsent"
        );
        sleep(Duration::from_secs(5)).await;
        assert_eq!(draw_now(&entry, "lots", "me").await.unwrap().entries, 1);
        assert_eq!(draw_now(&entry, "lots", "me").await.unwrap().entries, 1, "it is drawn once");
        announce(&entry, "lots").await.unwrap();
        assert_eq!(events::resize(&entry, "lots", 5).await.unwrap_err().code, EntryCode::AlreadyDrawn);
        assert_eq!(announce(&entry, "lots").await.unwrap_err().code, EntryCode::EventNotClosed);
    });
}

/// More entries than one part of the list holds, and a lottery without entries.
#[test]
fn a_lottery_can_be_large_or_empty() {
    world::run(async {
        let (_world, entry) = quiet().await;
        lottery(&entry, "large", 10, 600).await;
        lottery(&entry, "empty", 10, 600).await;
        for number in 0..5_100 {
            submit(&entry, "large", &format!("user-{number}")).await.unwrap();
        }
        work_for(&entry, 700).await;
        for (id, entries) in [("large", 5_100), ("empty", 0)] {
            announce(&entry, id).await.unwrap();
            let proof = proof(&entry, id).await.unwrap();
            assert_eq!((proof.entries.len(), verify(&proof)), (entries, Vec::new()));
        }
    });
}
