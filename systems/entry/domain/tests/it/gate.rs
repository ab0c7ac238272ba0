//! Entries that arrive at the same time.

use std::collections::BTreeSet;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use hansang_core::ErrorKind;
use hansang_entry::{EntryCode, Gate, Status, find, submit_all};
use hansang_testkit::world;

use crate::basics::{quiet, work_for};
use crate::grounds::first_come;

/// E16, E17, E23: every entry of a batch has its own result, also one that is twice in it, and the number of winners is
/// the capacity.
#[test]
fn every_entry_of_a_batch_has_its_own_result() {
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
        let mut winners = 0;
        for id in ids {
            let request = find(&entry, id).await.unwrap();
            assert!(request.status.is_final(), "{request:?}");
            winners += usize::from(request.status == Status::Succeeded);
        }
        assert_eq!(winners, 7);
    });
}

/// An invalid entry does not affect the others of its batch.
#[test]
fn an_invalid_entry_fails_alone() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 1, 60).await;
        let users = ["ann", "a#b", "bob"].map(str::to_owned);
        let results = submit_all(&entry, "e1", &users).await;
        let kinds: Vec<_> =
            results.iter().map(|result| result.as_ref().err().map(|error| error.kind)).collect();
        assert_eq!(kinds, [None, Some(ErrorKind::Invalid), None]);
        let unknown = submit_all(&entry, "none", &users).await;
        assert!(
            unknown
                .iter()
                .all(|result| result.as_ref().is_err_and(|error| error.code == EntryCode::EventUnknown))
        );
        assert!(submit_all(&entry, "e1", &[]).await.is_empty());
    });
}

/// An accepted entry is completed after its caller stopped waiting.
#[test]
fn an_entry_is_queued_after_its_user_disconnects() {
    world::run(async {
        let (_world, entry) = quiet().await;
        first_come(&entry, "e1", 1, 60).await;
        assert!(Gate::new(entry.clone()).submit("e1", "ann").now_or_never().is_none());
        work_for(&entry, 20).await;
        let id = hansang_entry::entered(&entry, "e1", "ann").await.unwrap().unwrap();
        assert_eq!(find(&entry, &id).await.unwrap().status, Status::Succeeded);
    });
}
