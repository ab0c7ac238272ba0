//! Dead letters.

use std::collections::BTreeSet;
use std::time::Duration;

use hansang_core::queue::{DeadLetter, MAX_MESSAGE_BYTES, MAX_MESSAGES, TOO_OFTEN};

use super::{LONG, MAX_ATTEMPTS, Trial, refused};

/// Sends a message and buries it.
async fn bury(trial: &Trial, body: &str, reason: &str) {
    trial.send(&[body]).await;
    let delivery = trial.one(LONG).await;
    trial.queue.bury(&delivery, reason).await.unwrap();
}

async fn dead(trial: &Trial) -> Vec<DeadLetter> {
    trial.queue.dead(100).await.unwrap()
}

/// Returns the only dead letter.
async fn only(trial: &Trial) -> DeadLetter {
    let mut letters = dead(trial).await;
    assert_eq!(letters.len(), 1, "{letters:?}");
    letters.remove(0)
}

/// A message with too many deliveries becomes a dead letter with a reason.
pub async fn takes_messages_delivered_too_often(trial: &Trial) {
    trial.send(&["a"]).await;
    for _ in 0..MAX_ATTEMPTS {
        trial.one(Duration::ZERO).await;
    }
    trial.nothing().await;
    let letter = only(trial).await;
    assert_eq!((letter.body.as_str(), letter.reason.as_deref()), ("a", Some(TOO_OFTEN)));
}

/// A buried message becomes a dead letter with its reason.
pub async fn takes_buried_messages(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(LONG).await;
    trial.queue.bury(&delivery, "it is no JSON").await.unwrap();
    let letter = only(trial).await;
    assert_eq!((letter.body.as_str(), letter.reason.as_deref()), ("a", Some("it is no JSON")));
    assert_eq!(letter.id, delivery.id);
    assert!(letter.since.is_some());
}

/// Body and reason round-trip, except for unsupported characters.
pub async fn keeps_any_text_and_reason(trial: &Trial) {
    bury(trial, " ä\t한\"\\", "weil:\n„\0“ 한상").await;
    let letter = only(trial).await;
    assert_eq!(
        (letter.body.as_str(), letter.reason.as_deref()),
        (" ä\t한\"\\", Some("weil:\n„\u{FFFD}“ 한상"))
    );
}

/// A reason fits beside the largest message.
pub async fn keeps_a_large_message(trial: &Trial) {
    let body = "x".repeat(MAX_MESSAGE_BYTES);
    bury(trial, &body, &"why ".repeat(1000)).await;
    let letter = only(trial).await;
    assert_eq!(letter.body.len(), body.len());
    assert!(letter.reason.unwrap().starts_with("why why"));
}

/// An empty reason is no reason.
pub async fn needs_no_reason(trial: &Trial) {
    bury(trial, "a", "").await;
    assert_eq!(only(trial).await.reason, None);
}

/// A dead letter is not delivered.
pub async fn is_not_delivered(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(super::SECOND).await;
    trial.queue.bury(&delivery, "no").await.unwrap();
    trial.pass(super::SECOND).await;
    trial.nothing().await;
}

/// Listing changes nothing.
pub async fn stays_when_it_is_looked_at(trial: &Trial) {
    for body in ["a", "b", "c"] {
        bury(trial, body, "no").await;
    }
    for _ in 0..5 {
        let bodies: BTreeSet<String> = dead(trial).await.into_iter().map(|letter| letter.body).collect();
        assert_eq!(bodies, ["a", "b", "c"].map(str::to_owned).into());
    }
}

/// Listing respects the limit.
pub async fn gives_at_most_as_many_as_asked(trial: &Trial) {
    for body in ["a", "b", "c"] {
        bury(trial, body, "no").await;
    }
    assert_eq!(trial.queue.dead(2).await.unwrap().len(), 2);
    assert_eq!(trial.queue.dead(0).await.unwrap(), []);
}

/// A dead letter can be sent again.
pub async fn is_revived(trial: &Trial) {
    bury(trial, "a", "no").await;
    let id = only(trial).await.id;
    assert_eq!(trial.queue.revive(&[id]).await.unwrap(), 1);
    assert_eq!(dead(trial).await, []);
    let delivery = trial.one(LONG).await;
    assert_eq!(delivery.body, "a");
    trial.acknowledge(&delivery).await;
    assert_eq!(dead(trial).await, []);
}

/// Only the named ones, more than some queues take per request.
pub async fn is_revived_by_name(trial: &Trial) {
    let bodies: Vec<String> = (0..30).map(|number| number.to_string()).collect();
    trial.send(&bodies.iter().map(String::as_str).collect::<Vec<_>>()).await;
    for delivery in trial.receive(100, LONG).await {
        trial.queue.bury(&delivery, "no").await.unwrap();
    }
    let even = |body: &str| body.parse::<u32>().unwrap() % 2 == 0;
    let (wanted, others): (Vec<DeadLetter>, Vec<DeadLetter>) =
        dead(trial).await.into_iter().partition(|letter| even(&letter.body));
    assert_eq!((wanted.len(), others.len()), (15, 15));
    let ids: Vec<String> = wanted.into_iter().map(|letter| letter.id).collect();
    assert_eq!(trial.queue.revive(&ids).await.unwrap(), 15);
    let left: BTreeSet<String> = dead(trial).await.into_iter().map(|letter| letter.body).collect();
    assert_eq!(left, others.into_iter().map(|letter| letter.body).collect());
    let sent = bodies.into_iter().filter(|body| even(body)).map(|body| (body, 1)).collect();
    assert_eq!(trial.everything().await, sent);
}

/// Missing dead letters are not counted.
pub async fn is_revived_once(trial: &Trial) {
    bury(trial, "a", "no").await;
    let id = only(trial).await.id;
    let ids = [id.clone(), id.clone(), "nobody".to_owned()];
    assert_eq!(trial.queue.revive(&ids).await.unwrap(), 1);
    assert_eq!(trial.queue.revive(&[id]).await.unwrap(), 0);
    assert_eq!(trial.queue.revive(&[]).await.unwrap(), 0);
    trial.one(LONG).await;
    trial.nothing().await;
}

/// A revived message has all attempts again.
pub async fn resets_attempts(trial: &Trial) {
    trial.send(&["a"]).await;
    for _ in 0..2 {
        for attempts in 1..=MAX_ATTEMPTS {
            assert_eq!(trial.one(Duration::ZERO).await.attempts, attempts);
        }
        trial.nothing().await;
        let id = only(trial).await.id;
        assert_eq!(trial.queue.revive(&[id]).await.unwrap(), 1);
    }
}

/// No IDs are accepted.
pub async fn of_nothing_is_empty(trial: &Trial) {
    trial.send(&["a"]).await;
    assert_eq!(dead(trial).await, []);
}

/// More than the port allows is refused.
pub async fn refuses_too_many(trial: &Trial) {
    refused(trial.queue.dead(MAX_MESSAGES + 1).await, "too_many_messages");
    let ids = vec!["1".to_owned(); MAX_MESSAGES + 1];
    refused(trial.queue.revive(&ids).await, "too_many_messages");
}
