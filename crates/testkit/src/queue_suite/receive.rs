//! Receiving messages.

use std::time::Duration;

use hansang_core::queue::{MAX_HIDDEN, MAX_MESSAGES};

use super::{LONG, SECOND, Trial, refused};

/// An empty queue gives no messages and no error.
pub async fn gives_nothing_when_there_is_nothing(trial: &Trial) {
    trial.nothing().await;
}

/// Receiving respects the limit.
pub async fn gives_at_most_as_many_as_asked(trial: &Trial) {
    trial.send(&["a", "b", "c", "d"]).await;
    assert_eq!(trial.receive(3, LONG).await.len(), 3);
    assert_eq!(trial.receive(3, LONG).await.len(), 1);
}

/// A limit of zero receives and hides nothing.
pub async fn gives_nothing_for_a_limit_of_zero(trial: &Trial) {
    trial.send(&["a"]).await;
    assert_eq!(trial.receive(0, LONG).await, []);
    assert_eq!(trial.one(LONG).await.attempts, 1);
}

/// More messages than some queues give per request.
pub async fn gives_more_than_ten(trial: &Trial) {
    let bodies: Vec<String> = (0..55).map(|number| number.to_string()).collect();
    trial.send(&bodies.iter().map(String::as_str).collect::<Vec<_>>()).await;
    assert_eq!(trial.receive(50, LONG).await.len(), 50);
    assert_eq!(trial.receive(50, LONG).await.len(), 5);
}

/// A received message is hidden from others.
pub async fn hides_a_message_from_others(trial: &Trial) {
    trial.send(&["a", "b"]).await;
    let first = trial.receive(1, LONG).await;
    let second = trial.receive(10, LONG).await;
    assert_eq!((first.len(), second.len()), (1, 1));
    assert_ne!(first[0].id, second[0].id);
    trial.nothing().await;
}

/// A message is delivered again after the visibility timeout.
pub async fn shows_a_message_again_after_its_time(trial: &Trial) {
    trial.send(&["a"]).await;
    let first = trial.one(SECOND).await;
    trial.nothing().await;
    trial.pass(SECOND).await;
    let second = trial.one(LONG).await;
    assert_eq!((&first.id, &first.body), (&second.id, &second.body));
}

/// Each message has its own timeout.
pub async fn shows_each_message_again_after_its_own_time(trial: &Trial) {
    trial.send(&["a", "b"]).await;
    let long = trial.receive(1, LONG).await.remove(0);
    let short = trial.one(SECOND).await;
    trial.pass(SECOND).await;
    assert_eq!(trial.one(LONG).await.id, short.id);
    assert_ne!(long.id, short.id);
}

/// Attempts count from one.
pub async fn counts_attempts(trial: &Trial) {
    trial.send(&["a"]).await;
    for attempts in 1..=super::MAX_ATTEMPTS {
        assert_eq!(trial.one(Duration::ZERO).await.attempts, attempts);
    }
}

/// Each delivery has its own receipt.
pub async fn gives_each_delivery_its_own_receipt(trial: &Trial) {
    trial.send(&["a"]).await;
    let first = trial.one(Duration::ZERO).await;
    let second = trial.one(LONG).await;
    assert_eq!(first.id, second.id);
    assert_ne!(first.receipt, second.receipt);
}

/// A waiting receiver gets a new message.
pub async fn waits_for_a_message(trial: &Trial) {
    let (received, ()) = tokio::join!(trial.queue.receive(10, LONG, LONG), trial.send(&["a"]));
    assert_eq!(received.unwrap().remove(0).body, "a");
}

/// A waiting receiver gets a message that becomes visible.
pub async fn waits_for_a_message_that_becomes_due(trial: &Trial) {
    trial.send_later("a", SECOND).await;
    let (received, ()) = tokio::join!(trial.queue.receive(10, LONG, LONG), trial.pass(SECOND));
    assert_eq!(received.unwrap().remove(0).body, "a");
}

/// Waiting ends without a message too.
pub async fn waits_no_longer_than_asked(trial: &Trial) {
    assert_eq!(trial.queue.receive(10, SECOND, LONG).await.unwrap(), []);
}

/// One of many waiting receivers gets a message.
pub async fn gives_a_message_to_one_of_many_receivers(trial: &Trial) {
    let wait = || trial.queue.receive(10, SECOND, LONG);
    let (a, b, c, ()) = tokio::join!(wait(), wait(), wait(), trial.send(&["a"]));
    let got: usize = [a, b, c].into_iter().map(|received| received.unwrap().len()).sum();
    assert_eq!(got, 1);
}

/// Too large a limit, wait or timeout is refused.
pub async fn refuses_invalid_input(trial: &Trial) {
    let queue = &trial.queue;
    refused(queue.receive(MAX_MESSAGES + 1, Duration::ZERO, LONG).await, "too_many_messages");
    refused(queue.receive(1, MAX_HIDDEN + SECOND, LONG).await, "time_too_long");
    refused(queue.receive(1, Duration::ZERO, MAX_HIDDEN + SECOND).await, "time_too_long");
    trial.send(&["a"]).await;
    assert_eq!(trial.receive(MAX_MESSAGES, MAX_HIDDEN).await.len(), 1);
}
