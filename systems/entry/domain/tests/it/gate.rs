//! Entries that come at the same time.

use std::collections::BTreeSet;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use hansang_core::ErrorKind;
use hansang_entry::{Gate, Status, find, submit_all};
use hansang_testkit::world;

use crate::basics::{quiet, work_for};
use crate::grounds::first_come;

/// E16, E17, E23: everybody is answered for themselves, also whoever comes twice in one group, and the places are given
/// to as many as there are.
#[test]
fn whoever_comes_at_the_same_time_is_taken_for_themselves() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 7, 60).await;
        let gate = Gate::new(entry.clone());
        let users: Vec<String> = (0..300).map(|number| format!("user-{}", number % 200)).collect();
        let submitted = join_all(users.iter().map(|user| gate.submit("e1", user))).await;
        let submitted: Vec<_> = submitted.into_iter().map(Result::unwrap).collect();
        let ids: BTreeSet<&str> = submitted.iter().map(|one| &*one.request_id).collect();
        assert_eq!((ids.len(), submitted.iter().filter(|one| one.duplicate).count()), (200, 100));
        for (user, one) in users.iter().zip(&submitted) {
            assert_eq!(&find(&entry, &one.request_id).await.unwrap().user_id, user);
        }
        work_for(&entry, 20).await;
        let mut places = 0;
        for id in ids {
            let request = find(&entry, id).await.unwrap();
            assert!(request.status.is_final(), "{request:?}");
            places += usize::from(request.status == Status::Succeeded);
        }
        assert_eq!(places, 7);
    });
}

/// One who cannot be taken keeps nobody else out.
#[test]
fn whoever_is_refused_is_refused_alone() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 1, 60).await;
        let users = ["ann", "a#b", "bob"].map(str::to_owned);
        let answers = submit_all(&entry, "e1", &users).await;
        let kinds: Vec<_> =
            answers.iter().map(|answer| answer.as_ref().err().map(|error| error.kind)).collect();
        assert_eq!(kinds, [None, Some(ErrorKind::Invalid), None]);
        let unknown = submit_all(&entry, "none", &users).await;
        assert!(
            unknown.iter().all(|answer| answer.as_ref().is_err_and(|error| error.code == "event_unknown"))
        );
        assert!(submit_all(&entry, "e1", &[]).await.is_empty());
    });
}

/// What was begun is ended though nobody waits for it any more.
#[test]
fn an_entry_is_queued_though_its_user_goes_away() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 1, 60).await;
        assert!(Gate::new(entry.clone()).submit("e1", "ann").now_or_never().is_none());
        work_for(&entry, 20).await;
        let id = hansang_entry::entered(&entry, "e1", "ann").await.unwrap().unwrap();
        assert_eq!(find(&entry, &id).await.unwrap().status, Status::Succeeded);
    });
}
