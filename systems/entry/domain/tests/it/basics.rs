//! Entering, being decided and looking at it, where nothing goes wrong.

use std::sync::Arc;
use std::time::Duration;

use hansang_core::Value;
use hansang_core::db::Ask;
use hansang_core::queue::Message;
use hansang_entry::{
    Decided, Entry, ResultCode, Status, Worker, board, decide, find, letters, log, redrive, redrive_letters,
    request_of, requests_of_event, requests_of_user, submit, sweep, tend, work,
};
use hansang_testkit::memory::{Memory, MemoryQueue};
use hansang_testkit::world::{self, Hazards, World};
use tokio::time::sleep;

use crate::checker::everything;
use crate::grounds::{entry, first_come};

/// A quiet world: only time passes.
pub(crate) async fn quiet() -> (World, Entry) {
    let world = World::new(1, Hazards::default());
    let queue = Arc::new(MemoryQueue::new(world.time(), 100));
    let entry = entry(Arc::new(Memory::new()), queue, world.clock(0));
    entry.db.ensure_table().await.unwrap();
    (world, entry)
}

/// Works for so many seconds.
pub(crate) async fn work_for(entry: &Entry, seconds: u64) {
    work(entry, &Worker::named("tests"), sleep(Duration::from_secs(seconds))).await;
}

async fn item(entry: &Entry, pk: &str, sk: &str) -> Option<hansang_core::Item> {
    let text =
        |item: &hansang_core::Item, name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
    let all = everything(&entry.db).await;
    all.into_iter()
        .find(|item| text(item, "PK").as_deref() == Some(pk) && text(item, "SK").as_deref() == Some(sk))
}

/// E3, E4, E6, E9, E10, E12, E13, E14, E21: what is stored of a request that succeeds, attribute by attribute.
#[test]
fn a_request_goes_through_its_life() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 1, 60).await;
        let submitted = submit(&entry, "e1", "ann").await.unwrap();
        assert!(!submitted.duplicate);
        let id = submitted.request_id;
        let request = item(&entry, &format!("REQ#{id}"), "META").await.unwrap();
        let text = |name: &str| request.get(name).and_then(Value::as_str);
        assert_eq!((text("status"), text("eventType")), (Some("QUEUED"), Some("FIRST_COME")));
        assert_eq!(text("idempotencyKey"), Some("IDEMP#e1#ann"));
        assert_eq!((text("GSI1PK"), text("GSI2PK")), (Some("USER#ann"), Some("EVENT#e1")));
        let place = format!("QAT#{}#REQ#{id}", text("queuedAt").unwrap());
        assert_eq!((text("GSI1SK"), text("GSI2SK")), (Some(&*place), Some(&*place)));
        assert!(request.get("ttl").is_some() && text("failureClass").is_none());
        let lock = item(&entry, "IDEMP#e1#ann", "LOCK").await.unwrap();
        assert_eq!(lock.get("requestId").and_then(Value::as_str), Some(&*id));
        assert!(!lock.contains_key("GSI1PK") && !lock.contains_key("GSI2PK"));
        work_for(&entry, 10).await;
        let request = find(&entry, &id).await.unwrap();
        assert_eq!((request.status, request.result), (Status::Succeeded, Some(ResultCode::Success)));
        let times = [Some(request.requested_at), request.queued_at, request.started_at, request.finished_at];
        assert!(times.is_sorted() && times.iter().all(Option::is_some), "{times:?}");
        assert_eq!(entry.queue.depth().await.unwrap(), hansang_core::queue::Depth::default());
    });
}

/// E24, E25: a line in the log for every step, in no index.
#[test]
fn every_step_is_in_the_log() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 1, 60).await;
        let id = submit(&entry, "e1", "ann").await.unwrap().request_id;
        work_for(&entry, 10).await;
        let lines = log(&entry, &id).await.unwrap();
        let steps: Vec<_> = lines.iter().map(|line| (line.from, line.to)).collect();
        use Status::{Processing, Queued, Received, Succeeded};
        assert_eq!(
            steps,
            [
                (None, Received),
                (Some(Received), Queued),
                (Some(Queued), Processing),
                (Some(Processing), Succeeded)
            ]
        );
        let logs: Vec<_> = everything(&entry.db)
            .await
            .into_iter()
            .filter(|item| item.get("SK").and_then(Value::as_str).is_some_and(|sk| sk.starts_with("LOG#")))
            .collect();
        assert_eq!(logs.len(), 4);
        assert!(logs.iter().all(|line| !line.contains_key("GSI1PK") && line.contains_key("ttl")));
    });
}

/// E15, E16, E17: the second entry makes nothing and is given the first request, also at the same moment and after the
/// event has closed.
#[test]
fn whoever_enters_again_is_given_their_first_request() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 5, 60).await;
        let first = submit(&entry, "e1", "ann").await.unwrap();
        let before = everything(&entry.db).await;
        for _ in 0..3 {
            let again = submit(&entry, "e1", "ann").await.unwrap();
            assert_eq!((again.request_id, again.duplicate), (first.request_id.clone(), true));
        }
        assert_eq!(everything(&entry.db).await, before);
        let at_once: Vec<_> = (0..8).map(|_| submit(&entry, "e1", "bob")).collect();
        let at_once = futures_util::future::join_all(at_once).await;
        let firsts = at_once.iter().filter(|one| !one.as_ref().unwrap().duplicate).count();
        assert_eq!(firsts, 1);
        sleep(Duration::from_secs(120)).await;
        assert!(submit(&entry, "e1", "ann").await.unwrap().duplicate);
        assert_eq!(submit(&entry, "e1", "eve").await.unwrap_err().code, "event_closed");
    });
}

/// E19, E20, E22: as many as there are places succeed, in the order of the queue, and the others are told so.
#[test]
fn places_go_to_those_who_came_first() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 120, 600).await;
        let mut ids = Vec::new();
        for number in 0..300 {
            ids.push(submit(&entry, "e1", &format!("user-{number}")).await.unwrap().request_id);
            sleep(Duration::from_millis(1)).await;
        }
        let capacity = item(&entry, "EVENT#e1", "CAPACITY").await.unwrap();
        assert!(capacity.contains_key("updatedAt") && capacity.contains_key("capacityTotal"));
        work_for(&entry, 20).await;
        for (number, id) in ids.iter().enumerate() {
            let expected = if number < 120 { ResultCode::Success } else { ResultCode::RejectedCapacity };
            assert_eq!(find(&entry, id).await.unwrap().result, Some(expected), "{number}");
        }
        let board = board(&entry, "e1").await.unwrap();
        assert_eq!((board.succeeded, board.rejected, board.failed, board.queued), (120, 180, 0, 0));
        assert_eq!(board.capacity.unwrap().remaining, 0);
    });
}

/// Nothing is decided before the settle window is over: whoever was queued earlier may still be on their way.
#[test]
fn a_place_is_given_only_when_nobody_can_come_before() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 1, 60).await;
        let id = submit(&entry, "e1", "ann").await.unwrap().request_id;
        assert_eq!(decide(&entry, "e1", "me", &[]).await.unwrap(), Decided::All);
        assert_eq!(find(&entry, &id).await.unwrap().status, Status::Queued);
        sleep(Duration::from_secs(4)).await;
        assert_eq!(decide(&entry, "e1", "me", &[]).await.unwrap(), Decided::All);
        assert_eq!(find(&entry, &id).await.unwrap().status, Status::Succeeded);
    });
}

/// What was lost on its way to the queue is sent again, and nothing else is.
#[test]
fn requests_that_were_not_queued_are_swept() {
    world::run(async {
        let (world, entry) = quiet().await;
        first_come(&entry, "e1", 5, 60).await;
        let lost = deaf(&entry);
        let id = submit(&lost, "e1", "ann").await.unwrap().request_id;
        assert_eq!(find(&entry, &id).await.unwrap().status, Status::Received);
        submit(&entry, "e1", "bob").await.unwrap();
        assert_eq!(sweep(&entry).await.unwrap(), 0, "it may still be on its way");
        sleep(Duration::from_secs(11)).await;
        assert_eq!(sweep(&entry).await.unwrap(), 1);
        let request = find(&entry, &id).await.unwrap();
        assert_eq!(request.status, Status::Queued);
        assert!(request.queued_at.unwrap() > request.requested_at);
        assert_eq!(sweep(&entry).await.unwrap(), 0);
        drop(world);
    });
}

/// A queue that never takes a request: in the end the user is told, and may enter again.
#[test]
fn whoever_could_not_be_queued_may_enter_again() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 5, 100_000).await;
        let lost = deaf(&entry);
        let id = submit(&lost, "e1", "ann").await.unwrap().request_id;
        for _ in 0..60 {
            sleep(Duration::from_secs(11)).await;
            sweep(&lost).await.unwrap();
        }
        let failed = find(&entry, &id).await.unwrap();
        assert_eq!(
            (failed.status, failed.result),
            (Status::FailedFinal, Some(ResultCode::FailedIngestEnqueue))
        );
        assert_eq!(board(&entry, "e1").await.unwrap().failed, 1);
        let again = submit(&entry, "e1", "ann").await.unwrap();
        assert_eq!((again.request_id, again.duplicate), (id.clone(), true));
        work_for(&entry, 10).await;
        let request = find(&entry, &id).await.unwrap();
        assert_eq!((request.status, request.failure_class), (Status::Succeeded, None));
        assert_eq!(board(&entry, "e1").await.unwrap().failed, 0);
    });
}

/// E7, E8: what a user and an operator see, in which order.
#[test]
fn lists_are_in_the_order_of_the_queue_and_users_see_only_theirs() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 5, 60).await;
        first_come(&entry, "e2", 5, 60).await;
        let mut of_ann = Vec::new();
        for event in ["e1", "e2"] {
            for user in ["ann", "bob"] {
                let id = submit(&entry, event, user).await.unwrap().request_id;
                if user == "ann" {
                    of_ann.insert(0, id);
                }
                sleep(Duration::from_millis(5)).await;
            }
        }
        let mine = requests_of_user(&entry, "ann", Ask::default()).await.unwrap();
        assert_eq!(mine.requests.iter().map(|one| one.id.clone()).collect::<Vec<_>>(), of_ann);
        let of_event = requests_of_event(&entry, "e1", Ask::default()).await.unwrap();
        assert!(of_event.requests.iter().map(|one| one.queued_at).is_sorted());
        assert_eq!(of_event.requests.len(), 2);
        assert_eq!(request_of(&entry, "ann", &of_ann[0]).await.unwrap().user_id, "ann");
        for (user, id) in
            [("bob", of_ann[0].as_str()), ("ann", "01ARZ3NDEKTSV4RRFFQ69G5FAV"), ("ann", "a#b"), ("ann", "")]
        {
            assert_eq!(
                request_of(&entry, user, id).await.unwrap_err().code,
                "request_unknown",
                "{user} {id}"
            );
        }
    });
}

/// What cannot be an entry is refused with a code of its own, and nothing is written.
#[test]
fn bad_entries_leave_nothing_behind() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 5, 60).await;
        first_come(&entry, "later", 5, 600).await;
        hansang_entry::events::pause(&entry, "later").await.unwrap();
        let before = everything(&entry.db).await;
        let long = "x".repeat(65);
        for (event, user, code) in [
            ("nowhere", "ann", "event_unknown"),
            ("later", "ann", "event_paused"),
            ("e1", "a#b", "invalid_fields"),
            ("e1", "a\u{7}b", "invalid_fields"),
            ("e1", "", "invalid_fields"),
            ("e1", long.as_str(), "invalid_fields"),
            ("e#1", "ann", "invalid_fields"),
            ("", "ann", "invalid_fields"),
            ("e\u{1b}1", "ann", "invalid_fields"),
        ] {
            assert_eq!(submit(&entry, event, user).await.unwrap_err().code, code, "{event} {user}");
        }
        assert_eq!(everything(&entry.db).await, before);
        assert_eq!(entry.queue.depth().await.unwrap().visible, 0);
    });
}

/// A message that is none goes to the dead letters, and so does one about nothing; neither comes back.
#[test]
fn messages_that_say_nothing_are_put_aside() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 5, 60).await;
        let bodies = [
            "what?",
            "{}",
            r#"{"requestId":"01ARZ3NDEKTSV4RRFFQ69G5FAV","eventId":"e1"}"#,
            r#"{"requestId":"a#b","eventId":"e1"}"#,
            r#"{"requestId":"01ARZ3NDEKTSV4RRFFQ69G5FAV","eventId":"e#"}"#,
        ];
        entry.queue.send(bodies.map(Message::new).to_vec()).await;
        let id = submit(&entry, "e1", "ann").await.unwrap().request_id;
        work_for(&entry, 30).await;
        assert_eq!(find(&entry, &id).await.unwrap().status, Status::Succeeded);
        let dead = letters(&entry, 100).await.unwrap();
        assert_eq!(dead.len(), bodies.len(), "{dead:?}");
        assert!(dead.iter().all(|letter| letter.reason.is_some() && letter.request.is_none()));
        let depth = entry.queue.depth().await.unwrap();
        assert_eq!((depth.visible, depth.hidden, depth.dead), (0, 0, bodies.len() as u64));
    });
}

/// A request that cannot be decided fails after some tries, with its message among the dead letters; an operator sends
/// it again once the cause is gone.
#[test]
fn what_cannot_be_decided_fails_and_is_sent_again_by_an_operator() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 5, 100_000).await;
        let id = submit(&entry, "e1", "ann").await.unwrap().request_id;
        // Another program took the places away.
        let key = hansang_core::Item::from([("eventId".into(), "e1".into())]);
        entry.db.delete("EventCapacity", key, None).await.unwrap();
        work_for(&entry, 600).await;
        let failed = find(&entry, &id).await.unwrap();
        assert_eq!((failed.status, failed.result), (Status::FailedFinal, Some(ResultCode::FailedWorker)));
        assert!(failed.error_message.is_some() && failed.failure_class.is_some());
        let dead = letters(&entry, 10).await.unwrap();
        assert_eq!(dead.len(), 1);
        assert_eq!(dead[0].request.as_ref().map(|request| request.id.clone()), Some(id.clone()));
        let fields = hansang_core::Item::from([
            ("eventId".into(), "e1".into()),
            ("capacityTotal".into(), Value::from(5)),
            ("capacityRemaining".into(), Value::from(5)),
        ]);
        entry.db.create("EventCapacity", fields).await.unwrap();
        assert_eq!(redrive_letters(&entry, &[dead[0].id.clone()]).await.unwrap(), 1);
        work_for(&entry, 30).await;
        let request = find(&entry, &id).await.unwrap();
        assert_eq!((request.status, request.error_message), (Status::Succeeded, None));
        assert_eq!(redrive(&entry, &id).await.unwrap_err().code, "request_not_failed");
        assert!(letters(&entry, 10).await.unwrap().is_empty());
    });
}

/// E18: one process decides an event; another one waits until the lease is over.
#[test]
fn one_process_decides_an_event_at_a_time() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 5, 60).await;
        submit(&entry, "e1", "ann").await.unwrap();
        sleep(Duration::from_secs(4)).await;
        let fields =
            vec![("owner", Value::from("other")), ("expiresAt", Value::from("2030-01-01T00:00:20.000Z"))];
        let changes = fields.into_iter().map(|(name, value)| {
            let path = hansang_core::plan::Path { root: name.into(), inside: Vec::new() };
            (path, hansang_core::plan::Change::Set(value))
        });
        let key = hansang_core::Item::from([("eventId".into(), "e1".into())]);
        let update = hansang_core::write::Update { key, changes: changes.collect(), expected_version: None };
        entry.db.update("DeciderLease", update).await.unwrap();
        assert_eq!(decide(&entry, "e1", "me", &[]).await.unwrap(), Decided::Elsewhere);
        sleep(Duration::from_secs(20)).await;
        assert_eq!(decide(&entry, "e1", "me", &[]).await.unwrap(), Decided::All);
        assert_eq!(board(&entry, "e1").await.unwrap().succeeded, 1);
    });
}

/// Events close by their time, and are left alone when nothing is left to do.
#[test]
fn events_are_looked_after_until_they_are_over() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 5, 60).await;
        sleep(Duration::from_secs(61)).await;
        tend(&entry, "me").await.unwrap();
        let event = hansang_entry::events::get(&entry, "e1").await.unwrap();
        assert_eq!(event.status, hansang_entry::EventStatus::Closed);
        let live = || async { item(&entry, "EVENTS", "EVENT#e1").await.unwrap().get("live").cloned() };
        assert_eq!(live().await, Some(Value::Bool(true)));
        sleep(Duration::from_secs(3600)).await;
        tend(&entry, "me").await.unwrap();
        assert_eq!(live().await, Some(Value::Bool(false)));
    });
}

/// The same by way of a queue that takes nothing.
fn deaf(entry: &Entry) -> Entry {
    let never = World::new(2, Hazards { throttle: 1.0, ..Hazards::default() });
    Entry { queue: never.queue(entry.queue.clone()), ..entry.clone() }
}
