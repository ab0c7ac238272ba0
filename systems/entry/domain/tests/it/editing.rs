//! Editing, deleting and closing events early.

use std::time::Duration;

use hansang_core::db::Ask;
use hansang_core::{CoreCode, Error};
use hansang_entry::events::{
    Allocation, EventChanges, EventField, NewEvent, announce, close, create, delete, edit, get, resize,
    resize_from,
};
use hansang_entry::lottery::{draw_now, proof, verify};
use hansang_entry::{EntryCode, Status, board, find, requests_with_status, submit};
use hansang_testkit::world;
use tokio::time::sleep;

use crate::basics::{quiet, work_for};
use crate::checker::everything;
use crate::grounds::{at, first_come, lottery};

const DAY: i64 = 86_400;

fn upcoming(allocation: Allocation) -> NewEvent {
    NewEvent {
        id: Some("e1".to_owned()),
        title: "An event".to_owned(),
        opens_at: at(100),
        closes_at: at(200),
        allocation,
        settle: None,
    }
}

/// The fields that an edit may not change, by name.
fn fixed(error: &Error) -> Vec<&str> {
    assert_eq!(error.code, EntryCode::EventFixed, "{error:?}");
    error.violations.iter().map(|one| &*one.attribute).collect()
}

#[test]
fn everything_can_change_before_an_event_opens() {
    world::run(async {
        let (_world, entry) = quiet().await;
        create(&entry, upcoming(Allocation::Lottery { winners: 2, cutoff_at: at(150) })).await.unwrap();
        let changes = EventChanges {
            title: Some("Another title".to_owned()),
            opens_at: Some(at(300)),
            closes_at: Some(at(500)),
            cutoff_at: Some(at(400)),
            settle: Some(Duration::from_secs(9)),
            was: None,
        };
        let event = edit(&entry, "e1", changes).await.unwrap();
        assert_eq!((&*event.title, event.opens_at, event.closes_at), ("Another title", at(300), at(500)));
        assert_eq!((event.cutoff_at, event.settle), (Some(at(400)), Duration::from_secs(9)));
        let before = everything(&entry.db).await;
        for (wrong, code) in [
            (EventChanges { closes_at: Some(at(300)), ..EventChanges::default() }, EntryCode::EventInvalid),
            (EventChanges { cutoff_at: Some(at(501)), ..EventChanges::default() }, EntryCode::EventInvalid),
        ] {
            assert_eq!(edit(&entry, "e1", wrong).await.unwrap_err().code, code);
        }
        let untitled = EventChanges { title: Some(String::new()), ..EventChanges::default() };
        assert_eq!(edit(&entry, "e1", untitled).await.unwrap_err().code, CoreCode::InvalidFields);
        let same = EventChanges { title: Some("Another title".to_owned()), ..EventChanges::default() };
        edit(&entry, "e1", same).await.unwrap();
        assert_eq!(everything(&entry.db).await, before);
        let unknown = edit(&entry, "none", EventChanges::default()).await.unwrap_err();
        assert_eq!(unknown.code, EntryCode::EventUnknown);
    });
}

/// The rule that participants rely on is fixed once they can enter.
#[test]
fn an_open_event_keeps_its_rule() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "first", 3, 1000).await;
        lottery(&entry, "lots", 3, 1000).await;
        let changes = EventChanges {
            title: Some("T".to_owned()),
            opens_at: Some(at(500)),
            closes_at: Some(at(2000)),
            cutoff_at: None,
            settle: Some(Duration::ZERO),
            was: None,
        };
        let of_lots = EventChanges { cutoff_at: Some(at(1500)), ..changes.clone() };
        let refused = edit(&entry, "first", changes).await.unwrap_err();
        assert_eq!(fixed(&refused), ["opensAt", "settleSeconds"]);
        let refused = edit(&entry, "lots", of_lots).await.unwrap_err();
        assert_eq!(fixed(&refused), ["opensAt", "closesAt", "lotteryCutoffAt", "settleSeconds"]);
        let cutoff = EventChanges { cutoff_at: Some(at(900)), ..EventChanges::default() };
        assert_eq!(fixed(&edit(&entry, "first", cutoff).await.unwrap_err()), ["lotteryCutoffAt"]);
        let title = EventChanges { title: Some("T".to_owned()), ..EventChanges::default() };
        for id in ["first", "lots"] {
            assert_eq!(edit(&entry, id, title.clone()).await.unwrap().title, "T");
        }
        close(&entry, "first").await.unwrap();
        let later = EventChanges { closes_at: Some(at(2000)), ..EventChanges::default() };
        assert_eq!(fixed(&edit(&entry, "first", later).await.unwrap_err()), ["closesAt"]);
        announce(&entry, "first").await.unwrap();
        let event = get(&entry, "first").await.unwrap();
        assert!(EventField::ALL.iter().all(|field| !event.may_change(*field, at(0))));
    });
}

/// An extension never outlives the locks, however often the closing time moves.
#[test]
fn an_extended_event_keeps_users_to_one_entry() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 3, 1000).await;
        let first = submit(&entry, "e1", "ann").await.unwrap();
        let closing = |seconds: i64| EventChanges { closes_at: Some(at(seconds)), ..EventChanges::default() };
        let code = async |seconds: i64| edit(&entry, "e1", closing(seconds)).await.unwrap_err().code;
        assert_eq!(code(-1).await, EntryCode::EventInvalid);
        assert_eq!(code(1001 + 7 * DAY).await, EntryCode::EventInvalid);
        edit(&entry, "e1", closing(100)).await.unwrap();
        assert_eq!(code(101 + 7 * DAY).await, EntryCode::EventInvalid, "entries of now expire earlier");
        edit(&entry, "e1", closing(100 + 7 * DAY)).await.unwrap();
        assert_eq!(code(101 + 7 * DAY).await, EntryCode::EventInvalid);
        sleep(Duration::from_secs(6 * 86_400)).await;
        let again = submit(&entry, "e1", "ann").await.unwrap();
        assert!(again.duplicate && again.request_id == first.request_id);
    });
}

#[test]
fn an_event_without_entries_can_be_deleted() {
    world::run(async {
        let (_world, entry) = quiet().await;
        let empty = everything(&entry.db).await;
        for allocation in [Allocation::FirstCome(3), Allocation::Lottery { winners: 3, cutoff_at: at(150) }] {
            create(&entry, upcoming(allocation)).await.unwrap();
            delete(&entry, "e1").await.unwrap();
            assert_eq!(everything(&entry.db).await, empty);
            assert_eq!(delete(&entry, "e1").await.unwrap_err().code, EntryCode::EventUnknown);
        }
        first_come(&entry, "open", 3, 1000).await;
        first_come(&entry, "entered", 3, 1000).await;
        lottery(&entry, "lots", 3, 1000).await;
        submit(&entry, "entered", "ann").await.unwrap();
        for id in ["open", "entered", "lots"] {
            assert_eq!(delete(&entry, id).await.unwrap_err().code, EntryCode::EventRunning);
            close(&entry, id).await.unwrap();
            assert_eq!(delete(&entry, id).await.unwrap_err().code, EntryCode::EventRunning);
        }
        work_for(&entry, 20).await;
        assert_eq!(delete(&entry, "entered").await.unwrap_err().code, EntryCode::EventHasEntries);
        delete(&entry, "open").await.unwrap();
        // The lottery was drawn among no entries.
        assert_eq!(announce(&entry, "lots").await.unwrap().status.name(), "announced");
        delete(&entry, "lots").await.unwrap();
        work_for(&entry, 20).await;
        let kept = everything(&entry.db).await;
        let of_others = kept.iter().filter(|item| {
            let pk = item.get("PK").and_then(hansang_core::Value::as_str).unwrap_or_default();
            pk.starts_with("EVENT#") && pk != "EVENT#entered"
        });
        assert_eq!(of_others.count(), 0, "{kept:?}");
    });
}

/// A lottery that is closed before its cut-off is drawn after the settle window, by a worker or an operator.
#[test]
fn a_lottery_that_is_closed_early_is_drawn_early() {
    world::run(async {
        let (_world, entry) = quiet().await;
        for id in ["by-hand", "by-worker"] {
            lottery(&entry, id, 2, 100_000).await;
            for user in ["ann", "bob", "eve"] {
                submit(&entry, id, user).await.unwrap();
            }
            assert_eq!(draw_now(&entry, id, "me").await.unwrap_err().code, EntryCode::DrawTooEarly);
            assert_eq!(close(&entry, id).await.unwrap().closed_at, Some(at(0)));
            assert_eq!(submit(&entry, id, "late").await.unwrap_err().code, EntryCode::EventClosed);
            assert!(!board(&entry, id).await.unwrap().announceable);
        }
        assert_eq!(draw_now(&entry, "by-hand", "me").await.unwrap_err().code, EntryCode::DrawTooEarly);
        sleep(Duration::from_secs(4)).await;
        assert_eq!(draw_now(&entry, "by-hand", "me").await.unwrap_err().code, EntryCode::DrawUnderWay);
        sleep(Duration::from_secs(4)).await;
        assert_eq!(draw_now(&entry, "by-hand", "me").await.unwrap().entries, 3);
        work_for(&entry, 30).await;
        for id in ["by-hand", "by-worker"] {
            assert!(board(&entry, id).await.unwrap().announceable);
            announce(&entry, id).await.unwrap();
            let proof = proof(&entry, id).await.unwrap();
            assert_eq!((proof.winning.len(), verify(&proof)), (2, Vec::new()));
        }
    });
}

#[test]
fn an_event_has_at_least_one_seat() {
    world::run(async {
        let (_world, entry) = quiet().await;
        for allocation in [Allocation::FirstCome(0), Allocation::Lottery { winners: 0, cutoff_at: at(150) }] {
            let refused = create(&entry, upcoming(allocation)).await.unwrap_err();
            assert_eq!(refused.code, EntryCode::EventInvalid);
        }
        first_come(&entry, "first", 1, 1000).await;
        lottery(&entry, "lots", 1, 1000).await;
        for id in ["first", "lots"] {
            assert_eq!(resize(&entry, id, 0).await.unwrap_err().code, EntryCode::EventInvalid);
        }
    });
}

#[test]
fn requests_are_found_by_status_and_counted_ahead() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 3, 100_000).await;
        let mut ids = Vec::new();
        for number in 0..8 {
            ids.push(submit(&entry, "e1", &format!("user-{number}")).await.unwrap().request_id);
            sleep(Duration::from_millis(10)).await;
        }
        let last = find(&entry, &ids[7]).await.unwrap().queued_at.unwrap();
        let waiting = board(&entry, "e1").await.unwrap();
        assert_eq!((waiting.line.len(), waiting.ahead_of(last)), (8, 7));
        assert!(!waiting.announceable);
        work_for(&entry, 10).await;
        assert_eq!(board(&entry, "e1").await.unwrap().ahead_of(last), 0);
        for (status, expected) in
            [(Status::Succeeded, &ids[..3]), (Status::Rejected, &ids[3..]), (Status::Queued, &[])]
        {
            let ask = Ask { limit: Some(2), ..Ask::default() };
            let mut found = Vec::new();
            let mut page = requests_with_status(&entry, "e1", &[status], ask.clone()).await.unwrap();
            loop {
                found.extend(page.requests.into_iter().map(|request| request.id));
                let Some(next) = page.next else { break };
                let ask = Ask { cursor: Some(next), ..ask.clone() };
                page = requests_with_status(&entry, "e1", &[status], ask).await.unwrap();
            }
            assert_eq!(found, expected);
        }
    });
}

/// Of two editors who start from the same event, the second is refused, whatever fields they change.
#[test]
fn an_edit_of_an_earlier_state_is_refused() {
    world::run(async {
        let (_world, entry) = quiet().await;
        let shown = create(&entry, upcoming(Allocation::FirstCome(3))).await.unwrap();
        let was = Some(shown.fingerprint());
        let first =
            EventChanges { title: Some("First".to_owned()), was: was.clone(), ..EventChanges::default() };
        let second = EventChanges { settle: Some(Duration::from_secs(9)), was, ..EventChanges::default() };
        edit(&entry, "e1", first).await.unwrap();
        assert_eq!(edit(&entry, "e1", second.clone()).await.unwrap_err().code, CoreCode::ChangedMeanwhile);
        let shown = get(&entry, "e1").await.unwrap();
        assert_eq!((&*shown.title, shown.settle), ("First", Duration::from_secs(3)));
        let again = EventChanges { was: Some(shown.fingerprint()), ..second };
        assert_eq!(edit(&entry, "e1", again).await.unwrap().settle, Duration::from_secs(9));

        resize_from(&entry, "e1", Some(3), 5).await.unwrap();
        let late = resize_from(&entry, "e1", Some(3), 4).await.unwrap_err();
        assert_eq!(late.code, CoreCode::ChangedMeanwhile);
        assert_eq!(resize_from(&entry, "e1", Some(5), 4).await.unwrap().capacity, Some(4));
    });
}
