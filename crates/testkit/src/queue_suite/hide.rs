//! Changing the visibility timeout of messages.

use std::time::Duration;

use hansang_core::queue::{MAX_HIDDEN, MAX_MESSAGES, Receipt};

use super::{LONG, SECOND, Trial, refused, strange_receipt};

/// A receiver can extend the time.
pub async fn gives_more_time(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(SECOND).await;
    trial.hide(&delivery, LONG).await;
    trial.pass(SECOND).await;
    trial.nothing().await;
}

/// The time starts with the call.
pub async fn gives_less_time(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(LONG).await;
    trial.hide(&delivery, SECOND).await;
    trial.nothing().await;
    trial.pass(SECOND).await;
    assert_eq!(trial.one(LONG).await.id, delivery.id);
}

/// Zero makes a message visible at once.
pub async fn shows_a_message_at_once(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(LONG).await;
    trial.hide(&delivery, Duration::ZERO).await;
    assert_eq!(trial.one(LONG).await.id, delivery.id);
}

/// A returned message keeps its number of attempts.
pub async fn counts_the_next_attempt(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(LONG).await;
    trial.hide(&delivery, Duration::ZERO).await;
    assert_eq!(trial.one(LONG).await.attempts, 2);
}

/// A waiting receiver gets a returned message.
pub async fn wakes_a_waiting_receiver(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(LONG).await;
    let back = trial.hide(&delivery, Duration::ZERO);
    let (received, ()) = tokio::join!(trial.queue.receive(10, LONG, LONG), back);
    assert_eq!(received.unwrap().remove(0).id, delivery.id);
}

/// Each message has its own time, for more messages than some queues take per request.
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

/// A stale receipt has no effect.
pub async fn ignores_stale_receipts(trial: &Trial) {
    trial.send(&["a"]).await;
    let slow = trial.one(SECOND).await;
    trial.pass(SECOND).await;
    let current = trial.one(LONG).await;
    assert_eq!(current.id, slow.id);
    trial.hide(&slow, Duration::ZERO).await;
    trial.nothing().await;
}

/// Hiding an acknowledged message is no error and does not restore it.
pub async fn ignores_acknowledged_messages(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(LONG).await;
    trial.acknowledge(&delivery).await;
    trial.hide(&delivery, Duration::ZERO).await;
    trial.queue.hide(&[(strange_receipt(), Duration::ZERO)]).await.unwrap();
    trial.queue.hide(&[]).await.unwrap();
    trial.nothing().await;
}

/// The receipt stays valid after an extension.
pub async fn keeps_the_receipt(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(LONG).await;
    trial.hide(&delivery, SECOND).await;
    trial.acknowledge(&delivery).await;
    trial.pass(SECOND).await;
    trial.nothing().await;
}

/// Too long a time or too many messages are refused.
pub async fn refuses_invalid_input(trial: &Trial) {
    let long = (strange_receipt(), MAX_HIDDEN + SECOND);
    refused(trial.queue.hide(&[long]).await, "time_too_long");
    let many = vec![(strange_receipt(), SECOND); MAX_MESSAGES + 1];
    refused(trial.queue.hide(&many).await, "too_many_messages");
}
