//! Hiding messages for longer or shorter.

use std::time::Duration;

use hansang_core::queue::{MAX_HIDDEN, MAX_MESSAGES, Receipt};

use super::{LONG, SECOND, Trial, refused, strange_receipt};

/// Who needs more time gets it.
pub async fn gives_more_time(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(SECOND).await;
    trial.hide(&delivery, LONG).await;
    trial.pass(SECOND).await;
    trial.nothing().await;
}

/// Time counts from when it is said.
pub async fn gives_less_time(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(LONG).await;
    trial.hide(&delivery, SECOND).await;
    trial.nothing().await;
    trial.pass(SECOND).await;
    assert_eq!(trial.one(LONG).await.id, delivery.id);
}

/// No time at all is now.
pub async fn shows_a_message_at_once(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(LONG).await;
    trial.hide(&delivery, Duration::ZERO).await;
    assert_eq!(trial.one(LONG).await.id, delivery.id);
}

/// Giving a message back does not undo its delivery.
pub async fn counts_the_next_attempt(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(LONG).await;
    trial.hide(&delivery, Duration::ZERO).await;
    assert_eq!(trial.one(LONG).await.attempts, 2);
}

/// Who waits is there when a message is given back.
pub async fn wakes_who_waits(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(LONG).await;
    let back = trial.hide(&delivery, Duration::ZERO);
    let (received, ()) = tokio::join!(trial.queue.receive(10, LONG, LONG), back);
    assert_eq!(received.unwrap().remove(0).id, delivery.id);
}

/// Each with its own time, more at once than some queues take in one request.
pub async fn takes_many_messages(trial: &Trial) {
    let bodies: Vec<String> = (0..24).map(|number| number.to_string()).collect();
    trial.send(&bodies.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let deliveries = trial.receive(100, LONG).await;
    assert_eq!(deliveries.len(), 24);
    let times: Vec<(Receipt, Duration)> = (0_u64..)
        .zip(deliveries)
        .map(|(number, delivery)| (delivery.receipt, Duration::from_secs(number % 2 * 60)))
        .collect();
    trial.queue.hide(&times).await.unwrap();
    assert_eq!(trial.receive(100, LONG).await.len(), 12);
}

/// Who was too slow has no say any more.
pub async fn leaves_a_message_to_who_has_it_now(trial: &Trial) {
    trial.send(&["a"]).await;
    let slow = trial.one(SECOND).await;
    trial.pass(SECOND).await;
    let current = trial.one(LONG).await;
    assert_eq!(current.id, slow.id);
    trial.hide(&slow, Duration::ZERO).await;
    trial.nothing().await;
}

/// A message that was acknowledged stays away, and hiding it is no error.
pub async fn ignores_what_is_gone(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(LONG).await;
    trial.acknowledge(&delivery).await;
    trial.hide(&delivery, Duration::ZERO).await;
    trial.queue.hide(&[(strange_receipt(), Duration::ZERO)]).await.unwrap();
    trial.queue.hide(&[]).await.unwrap();
    trial.nothing().await;
}

/// Who has asked for more time can acknowledge with the receipt they have.
pub async fn keeps_the_receipt(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(LONG).await;
    trial.hide(&delivery, SECOND).await;
    trial.acknowledge(&delivery).await;
    trial.pass(SECOND).await;
    trial.nothing().await;
}

/// Hidden for too long, or too many at once.
pub async fn refuses_what_breaks_a_rule(trial: &Trial) {
    let long = (strange_receipt(), MAX_HIDDEN + SECOND);
    refused(trial.queue.hide(&[long]).await, "time_too_long");
    let many = vec![(strange_receipt(), SECOND); MAX_MESSAGES + 1];
    refused(trial.queue.hide(&many).await, "too_many_messages");
}
