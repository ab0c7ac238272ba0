//! Acknowledging messages.

use std::time::Duration;

use hansang_core::queue::{MAX_MESSAGES, Receipt};

use super::{LONG, SECOND, Trial, refused, strange_receipt};

/// An acknowledged message is not delivered again.
pub async fn removes_a_message(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(SECOND).await;
    trial.acknowledge(&delivery).await;
    trial.pass(SECOND).await;
    trial.nothing().await;
}

/// More receipts than some queues take per request.
pub async fn removes_many_messages(trial: &Trial) {
    let bodies: Vec<String> = (0..25).map(|number| number.to_string()).collect();
    trial.send(&bodies.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let deliveries = trial.receive(100, SECOND).await;
    assert_eq!(deliveries.len(), 25);
    let receipts: Vec<Receipt> = deliveries.into_iter().map(|delivery| delivery.receipt).collect();
    trial.queue.acknowledge(&receipts).await.unwrap();
    trial.pass(SECOND).await;
    trial.nothing().await;
}

/// Other messages are delivered again.
pub async fn removes_only_the_named_messages(trial: &Trial) {
    trial.send(&["a", "b"]).await;
    let deliveries = trial.receive(10, SECOND).await;
    assert_eq!(deliveries.len(), 2);
    trial.acknowledge(&deliveries[0]).await;
    trial.pass(SECOND).await;
    assert_eq!(trial.one(LONG).await.id, deliveries[1].id);
}

/// Acknowledging twice, in one call or two, has no further effect.
pub async fn can_be_repeated(trial: &Trial) {
    trial.send(&["a", "b"]).await;
    let delivery = trial.receive(1, LONG).await.remove(0);
    let receipts = [delivery.receipt.clone(), delivery.receipt.clone()];
    trial.queue.acknowledge(&receipts).await.unwrap();
    trial.acknowledge(&delivery).await;
    assert_ne!(trial.one(LONG).await.id, delivery.id);
}

/// An unknown receipt is no error.
pub async fn ignores_unknown_receipts(trial: &Trial) {
    trial.send(&["a"]).await;
    let delivery = trial.one(Duration::ZERO).await;
    trial.queue.acknowledge(&[strange_receipt()]).await.unwrap();
    assert_eq!(trial.one(LONG).await.id, delivery.id);
}

/// A stale receipt does not affect the current receiver.
pub async fn ignores_stale_receipts(trial: &Trial) {
    trial.send(&["a"]).await;
    let slow = trial.one(SECOND).await;
    trial.pass(SECOND).await;
    let current = trial.one(LONG).await;
    trial.acknowledge(&slow).await;
    trial.hide(&current, Duration::ZERO).await;
    let again = trial.one(LONG).await;
    assert_eq!((again.id, again.attempts), (current.id, 3));
}

/// No receipts are accepted.
pub async fn takes_nothing(trial: &Trial) {
    trial.queue.acknowledge(&[]).await.unwrap();
}

/// More receipts than the port allows are refused.
pub async fn refuses_too_many(trial: &Trial) {
    let receipts = vec![strange_receipt(); MAX_MESSAGES + 1];
    refused(trial.queue.acknowledge(&receipts).await, "too_many_messages");
}
