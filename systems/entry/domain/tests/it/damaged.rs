//! Requests whose items another program damaged: they are set aside, and the others go on.

use hansang_core::plan::{Action, Change, Guards, Key, Path, Write};
use hansang_core::{Value, db::Ask};
use hansang_entry::{
    Entry, Reason, ResultCode, Status, board, find, letters, log, redrive, requests_of_event, submit, sweep,
    tend,
};
use hansang_testkit::world;
use tokio::time::sleep;

use crate::basics::{quiet, work_for};
use crate::grounds::{first_come, lottery};

/// Changes one attribute of a stored request, as another program would.
async fn damage(entry: &Entry, id: &str, attribute: &str, change: Change) {
    let key = Key { pk: format!("REQ#{id}"), sk: "META".to_owned() };
    let path = Path { root: attribute.into(), inside: Vec::new() };
    let write = Write { key, action: Action::Update(vec![(path, change)]), guards: Guards::default() };
    entry.db.store().write(entry.db.table(), write).await.unwrap();
}

async fn entered(entry: &Entry, event: &str, users: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for number in 0..users {
        ids.push(submit(entry, event, &format!("user-{number}")).await.unwrap().request_id);
        sleep(std::time::Duration::from_millis(5)).await;
    }
    ids
}

/// The others are decided, the damaged one is failed for an operator to see, and can be sent again after its repair.
#[test]
fn one_damaged_request_does_not_fail_the_others() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 5, 600).await;
        let ids = entered(&entry, "e1", 8).await;
        damage(&entry, &ids[2], "userId", Change::Remove).await;
        work_for(&entry, 300).await;
        for (number, id) in ids.iter().enumerate().filter(|(number, _)| *number != 2) {
            let expected = if number < 6 { ResultCode::Success } else { ResultCode::RejectedCapacity };
            assert_eq!(find(&entry, id).await.unwrap().result, Some(expected), "{number}");
        }
        let figures = board(&entry, "e1").await.unwrap();
        assert_eq!((figures.succeeded, figures.rejected, figures.failed, figures.queued), (5, 2, 1, 0));
        let page = requests_of_event(&entry, "e1", Ask::default()).await.unwrap();
        assert_eq!((page.requests.len(), page.damaged.len()), (7, 1));
        assert_eq!((&*page.damaged[0].id, page.damaged[0].status), (&*ids[2], Some(Status::FailedFinal)));
        assert!(page.damaged[0].problems.iter().any(|problem| problem.attribute == "userId"));
        let lines = log(&entry, &ids[2]).await.unwrap();
        assert_eq!(lines.last().and_then(|line| line.reason.clone()), Some(Reason::Damaged));
        let dead = letters(&entry, 10).await.unwrap();
        assert_eq!((dead.len(), dead[0].reason.clone()), (1, Some(Reason::Damaged)));

        damage(&entry, &ids[2], "userId", Change::Set(Value::from("user-2"))).await;
        redrive(&entry, &ids[2]).await.unwrap();
        work_for(&entry, 60).await;
        assert_eq!(find(&entry, &ids[2]).await.unwrap().result, Some(ResultCode::RejectedCapacity));
        assert_eq!(board(&entry, "e1").await.unwrap().failed, 0);
    });
}

/// Values that only break a rule of the model do not keep a request from being decided.
#[test]
fn a_request_with_an_unknown_attribute_is_decided() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 5, 600).await;
        let ids = entered(&entry, "e1", 2).await;
        damage(&entry, &ids[0], "color", Change::Set(Value::from("red"))).await;
        damage(&entry, &ids[1], "errorMessage", Change::Set(Value::Null)).await;
        work_for(&entry, 60).await;
        for id in &ids {
            assert_eq!(find(&entry, id).await.unwrap().status, Status::Succeeded);
        }
    });
}

/// A draw takes place without the damaged request.
#[test]
fn a_lottery_is_drawn_without_a_damaged_request() {
    world::run(async {
        let (_world, entry) = quiet().await;
        lottery(&entry, "e1", 3, 60).await;
        let ids = entered(&entry, "e1", 6).await;
        damage(&entry, &ids[0], "eventType", Change::Set(Value::from("?"))).await;
        sleep(std::time::Duration::from_secs(60)).await;
        for _ in 0..4 {
            tend(&entry, "me").await.unwrap();
            sleep(std::time::Duration::from_secs(5)).await;
        }
        let figures = board(&entry, "e1").await.unwrap();
        assert_eq!((figures.succeeded, figures.rejected, figures.failed), (3, 2, 1));
    });
}

/// The sweep sends the other requests, and the damaged one is not looked for any more.
#[test]
fn a_damaged_request_does_not_stop_the_sweep() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 5, 600).await;
        let unqueued = crate::basics::with_failing_queue(&entry);
        let ids = entered(&unqueued, "e1", 3).await;
        damage(&entry, &ids[0], "requestedAt", Change::Set(Value::from("yesterday"))).await;
        sleep(std::time::Duration::from_secs(30)).await;
        assert_eq!(sweep(&entry).await.unwrap(), 3);
        assert_eq!(sweep(&entry).await.unwrap(), 0);
        for id in &ids[1..] {
            assert_eq!(find(&entry, id).await.unwrap().status, Status::Queued);
        }
        assert_eq!(board(&entry, "e1").await.unwrap().failed, 1);
    });
}
