//! Operations of operators, and their errors.

use std::time::Duration;

use hansang_core::code::Code;
use hansang_core::db::GetOptions;
use hansang_core::{CoreCode, Item, Value};
use hansang_entry::events::{
    self, Allocation, NewEvent, announce, close, create, list, pause, resize, resume,
};
use hansang_entry::{EntryCode, EventStatus, Phase, Status, board, find, submit};
use hansang_testkit::world;
use tokio::time::sleep;

use crate::basics::{quiet, work_for};
use crate::checker::everything;
use crate::grounds::{at, first_come};

fn new(id: &str) -> NewEvent {
    NewEvent {
        id: Some(id.to_owned()),
        title: "An event".to_owned(),
        opens_at: at(10),
        closes_at: at(60),
        allocation: Allocation::FirstCome(3),
        settle: Some(Duration::from_secs(2)),
    }
}

#[test]
fn events_open_and_close_by_their_times() {
    world::run(async {
        let (_world, entry) = quiet().await;
        let event = create(&entry, new("e1")).await.unwrap();
        assert_eq!(event.phase(at(0)), Phase::Before);
        assert_eq!(submit(&entry, "e1", "ann").await.unwrap_err().code, EntryCode::EventNotOpen);
        sleep(Duration::from_secs(11)).await;
        submit(&entry, "e1", "ann").await.unwrap();
        sleep(Duration::from_secs(50)).await;
        assert_eq!(submit(&entry, "e1", "bob").await.unwrap_err().code, EntryCode::EventClosed);
        let generated = create(&entry, NewEvent { id: None, ..new("") }).await.unwrap();
        assert_eq!(generated.id.len(), 26);
        assert_eq!(list(&entry).await.unwrap().len(), 2);
    });
}

#[test]
fn invalid_events_are_rejected() {
    world::run(async {
        let (_world, entry) = quiet().await;
        create(&entry, new("e1")).await.unwrap();
        let before = everything(&entry.db).await;
        let lottery = |winners, cutoff| Allocation::Lottery { winners, cutoff_at: at(cutoff) };
        for (event, code) in [
            (new("e1"), Code::from(EntryCode::EventExists)),
            (new("e#1"), Code::from(CoreCode::InvalidFields)),
            (new(&"x".repeat(65)), Code::from(CoreCode::InvalidFields)),
            (NewEvent { title: String::new(), ..new("e2") }, Code::from(CoreCode::InvalidFields)),
            (NewEvent { closes_at: at(10), ..new("e2") }, Code::from(EntryCode::EventInvalid)),
            (
                NewEvent { allocation: Allocation::FirstCome(-1), ..new("e2") },
                Code::from(EntryCode::EventInvalid),
            ),
            (NewEvent { allocation: lottery(1, 10), ..new("e2") }, Code::from(EntryCode::EventInvalid)),
            (NewEvent { allocation: lottery(1, 61), ..new("e2") }, Code::from(EntryCode::EventInvalid)),
            (NewEvent { allocation: lottery(-1, 50), ..new("e2") }, Code::from(EntryCode::EventInvalid)),
            (
                NewEvent { settle: Some(Duration::from_secs(4000)), ..new("e2") },
                Code::from(CoreCode::InvalidFields),
            ),
        ] {
            assert_eq!(create(&entry, event.clone()).await.unwrap_err().code, code, "{event:?}");
        }
        assert_eq!(everything(&entry.db).await, before);
        assert_eq!(events::get(&entry, "none").await.unwrap_err().code, EntryCode::EventUnknown);
    });
}

/// Es28: a paused event accepts and decides nothing; after it is resumed, all waiting entries are decided.
#[test]
fn a_paused_event_accepts_and_decides_nothing() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 3, 100_000).await;
        let id = submit(&entry, "e1", "ann").await.unwrap().request_id;
        pause(&entry, "e1").await.unwrap();
        assert_eq!(submit(&entry, "e1", "bob").await.unwrap_err().code, EntryCode::EventPaused);
        work_for(&entry, 3600).await;
        assert_eq!(find(&entry, &id).await.unwrap().status, Status::Queued);
        assert_eq!(pause(&entry, "e1").await.unwrap_err().code, EntryCode::EventWrongState);
        resume(&entry, "e1").await.unwrap();
        assert_eq!(resume(&entry, "e1").await.unwrap_err().code, EntryCode::EventWrongState);
        work_for(&entry, 120).await;
        assert_eq!(find(&entry, &id).await.unwrap().status, Status::Succeeded);
        assert_eq!(entry.queue.depth().await.unwrap().dead, 0, "waiting is not failing");
    });
}

/// Es29
#[test]
fn the_capacity_can_change_but_not_below_the_number_of_winners() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 3, 100_000).await;
        for number in 0..5 {
            submit(&entry, "e1", &format!("user-{number}")).await.unwrap();
        }
        work_for(&entry, 10).await;
        let before = everything(&entry.db).await;
        let refused = resize(&entry, "e1", 2).await.unwrap_err();
        assert_eq!(refused.code, EntryCode::CapacityBelowGiven);
        assert!(refused.message.to_string().contains("3 winners"), "{}", refused.message);
        assert_eq!(everything(&entry.db).await, before);
        for seats in [3, 10, 4] {
            let event = resize(&entry, "e1", seats).await.unwrap();
            assert_eq!(event.capacity, Some(seats));
            let capacity = board(&entry, "e1").await.unwrap().capacity.unwrap();
            assert_eq!((capacity.total, capacity.remaining), (seats, seats - 3));
        }
        submit(&entry, "e1", "late").await.unwrap();
        work_for(&entry, 10).await;
        assert_eq!(board(&entry, "e1").await.unwrap().succeeded, 4);
    });
}

#[test]
fn an_event_is_announced_when_all_entries_are_decided() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 3, 100_000).await;
        submit(&entry, "e1", "ann").await.unwrap();
        assert_eq!(announce(&entry, "e1").await.unwrap_err().code, EntryCode::EventNotClosed);
        close(&entry, "e1").await.unwrap();
        assert_eq!(announce(&entry, "e1").await.unwrap_err().code, EntryCode::NotDecided);
        work_for(&entry, 10).await;
        let event = announce(&entry, "e1").await.unwrap();
        assert!(event.status == EventStatus::Announced && event.announced_at.is_some());
        assert_eq!(close(&entry, "e1").await.unwrap_err().code, EntryCode::EventWrongState);
        assert_eq!(submit(&entry, "e1", "bob").await.unwrap_err().code, EntryCode::EventClosed);
    });
}

/// Es22: requests expire 90 days after the event, locks 7 days after it, and log lines after 30 days.
#[test]
fn every_item_expires() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 3, 60).await;
        let id = submit(&entry, "e1", "ann").await.unwrap().request_id;
        let day = 86_400;
        let of = |entity: &'static str, key: Vec<(&'static str, String)>| {
            let (entry, id) = (entry.clone(), id.clone());
            async move {
                let key: Item =
                    key.into_iter().map(|(name, text)| (name.into(), Value::from(text))).collect();
                let record = entry.db.get(entity, &key, &GetOptions::default()).await.unwrap();
                let ttl = record.unwrap_or_else(|| panic!("{entity} {id}")).fields.get("ttl").cloned();
                ttl.and_then(|ttl| ttl.as_number()?.to_i64()).unwrap()
            }
        };
        let ends = at(60).as_second();
        assert_eq!(of("Request", vec![("requestId", id.clone())]).await, ends + 90 * day);
        let lock = vec![("eventId", "e1".to_owned()), ("userId", "ann".to_owned())];
        assert_eq!(of("IdempotencyLock", lock).await, ends + 7 * day);
        let lines = everything(&entry.db).await;
        let line = lines
            .iter()
            .find(|item| item.get("SK").and_then(Value::as_str).is_some_and(|sk| sk.starts_with("LOG#")));
        let ttl = line.unwrap().get("ttl").and_then(|ttl| ttl.as_number()?.to_i64()).unwrap();
        assert_eq!(ttl, at(0).as_second() + 30 * day);
        let short =
            hansang_entry::Settings { request_days: 3, lock_days: 2, log_days: 1, ..entry.settings.clone() };
        let other = hansang_entry::Entry { settings: short, ..entry.clone() };
        let of_bob = submit(&other, "e1", "bob").await.unwrap().request_id;
        assert_eq!(of("Request", vec![("requestId", of_bob.clone())]).await, ends + 3 * day);
        let lock = vec![("eventId", "e1".to_owned()), ("userId", "bob".to_owned())];
        assert_eq!(of("IdempotencyLock", lock).await, ends + 2 * day);
        let log = format!("REQ#{of_bob}");
        let lines = everything(&entry.db).await;
        let text =
            |item: &Item, name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let line = lines.iter().find(|item| text(item, "PK") == log && text(item, "SK").starts_with("LOG#"));
        let ttl = line.unwrap().get("ttl").and_then(|ttl| ttl.as_number()?.to_i64()).unwrap();
        assert_eq!(ttl, at(0).as_second() + day);
        sleep(Duration::from_secs(200 * 86_400)).await;
        assert_eq!(find(&entry, &id).await.unwrap_err().code, EntryCode::RequestUnknown);
    });
}
