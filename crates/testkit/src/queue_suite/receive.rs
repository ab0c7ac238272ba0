//! Receiving messages.

use std::time::Duration;

use hansang_core::queue::{MAX_HIDDEN, MAX_MESSAGES};

use super::{LONG, SECOND, Trial, refused};

/// Nothing is an answer, and no error.
pub async fn gives_nothing_when_there_is_nothing(trial: &Trial) {
    trial.nothing().await;
}

/// Fewer than there are, if fewer are wanted.
pub async fn gives_at_most_as_many_as_asked(trial: &Trial) {
    trial.send(&["a", "b", "c", "d"]).await;
    assert_eq!(trial.receive(3, LONG).await.len(), 3);
    assert_eq!(trial.receive(3, LONG).await.len(), 1);
}

/// Who wants none gets none, and hides none.
pub async fn gives_nothing_to_who_wants_none(trial: &Trial) {
    trial.send(&["a"]).await;
    assert_eq!(trial.receive(0, LONG).await, []);
    assert_eq!(trial.one(LONG).await.attempts, 1);
}

/// Whatever a queue gives at once, callers need not know.
pub async fn gives_more_than_ten(trial: &Trial) {
    let bodies: Vec<String> = (0..55).map(|number| number.to_string()).collect();
    trial.send(&bodies.iter().map(String::as_str).collect::<Vec<_>>()).await;
    assert_eq!(trial.receive(50, LONG).await.len(), 50);
    assert_eq!(trial.receive(50, LONG).await.len(), 5);
}

/// Who has received a message has it alone.
pub async fn hides_a_message_from_others(trial: &Trial) {
    trial.send(&["a", "b"]).await;
    let first = trial.receive(1, LONG).await;
    let second = trial.receive(10, LONG).await;
    assert_eq!((first.len(), second.len()), (1, 1));
    assert_ne!(first[0].id, second[0].id);
    trial.nothing().await;
}

/// The same message, when whoever had it did not say anything.
pub async fn shows_a_message_again_after_its_time(trial: &Trial) {
    trial.send(&["a"]).await;
    let first = trial.one(SECOND).await;
    trial.nothing().await;
    trial.pass(SECOND).await;
    let second = trial.one(LONG).await;
    assert_eq!((&first.id, &first.body), (&second.id, &second.body));
}

/// Each message has its own time.
pub async fn shows_each_message_again_after_its_own_time(trial: &Trial) {
    trial.send(&["a", "b"]).await;
    let long = trial.receive(1, LONG).await.remove(0);
    let short = trial.one(SECOND).await;
    trial.pass(SECOND).await;
    assert_eq!(trial.one(LONG).await.id, short.id);
    assert_ne!(long.id, short.id);
}

/// The first delivery is number one.
pub async fn counts_attempts(trial: &Trial) {
    trial.send(&["a"]).await;
    for attempts in 1..=super::MAX_ATTEMPTS {
        assert_eq!(trial.one(Duration::ZERO).await.attempts, attempts);
    }
}

/// A receipt is of one delivery.
pub async fn gives_each_delivery_its_own_receipt(trial: &Trial) {
    trial.send(&["a"]).await;
    let first = trial.one(Duration::ZERO).await;
    let second = trial.one(LONG).await;
    assert_eq!(first.id, second.id);
    assert_ne!(first.receipt, second.receipt);
}

/// Who waits is there when a message comes.
pub async fn waits_for_a_message(trial: &Trial) {
    let (received, ()) = tokio::join!(trial.queue.receive(10, LONG, LONG), trial.send(&["a"]));
    assert_eq!(received.unwrap().remove(0).body, "a");
}

/// Who waits is there when the time of a message has come.
pub async fn waits_for_a_message_that_becomes_due(trial: &Trial) {
    trial.send_later("a", SECOND).await;
    let (received, ()) = tokio::join!(trial.queue.receive(10, LONG, LONG), trial.pass(SECOND));
    assert_eq!(received.unwrap().remove(0).body, "a");
}

/// Waiting ends without a message too.
pub async fn waits_no_longer_than_asked(trial: &Trial) {
    assert_eq!(trial.queue.receive(10, SECOND, LONG).await.unwrap(), []);
}

/// Many wait, and one gets it.
pub async fn gives_a_message_to_one_of_those_who_wait(trial: &Trial) {
    let wait = || trial.queue.receive(10, SECOND, LONG);
    let (a, b, c, ()) = tokio::join!(wait(), wait(), wait(), trial.send(&["a"]));
    let got: usize = [a, b, c].into_iter().map(|received| received.unwrap().len()).sum();
    assert_eq!(got, 1);
}

/// Too many, waited for too long, or hidden for too long.
pub async fn refuses_what_breaks_a_rule(trial: &Trial) {
    let queue = &trial.queue;
    refused(queue.receive(MAX_MESSAGES + 1, Duration::ZERO, LONG).await, "too_many_messages");
    refused(queue.receive(1, MAX_HIDDEN + SECOND, LONG).await, "time_too_long");
    refused(queue.receive(1, Duration::ZERO, MAX_HIDDEN + SECOND).await, "time_too_long");
    trial.send(&["a"]).await;
    assert_eq!(trial.receive(MAX_MESSAGES, MAX_HIDDEN).await.len(), 1);
}
