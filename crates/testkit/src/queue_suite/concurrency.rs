//! Concurrent senders and receivers.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hansang_core::queue::{Message, Receipt};
use tokio::task::JoinSet;

use super::{LONG, Trial};

const SENDERS: usize = 6;
const EACH: usize = 50;

fn body(sender: usize, number: usize) -> String {
    format!("{sender}/{number}")
}

/// Sends all messages from many tasks, in batches of various sizes.
fn start_senders(trial: &Trial) -> JoinSet<()> {
    let mut senders = JoinSet::new();
    for sender in 0..SENDERS {
        let queue = trial.queue.clone();
        senders.spawn(async move {
            let numbers: Vec<usize> = (0..EACH).collect();
            for some in numbers.chunks(sender * 3 + 1) {
                let messages = some.iter().map(|number| Message::new(body(sender, *number))).collect();
                for answer in queue.send(messages).await {
                    answer.unwrap();
                }
            }
        });
    }
    senders
}

/// Concurrent senders and receivers, some of which return messages: each message is acknowledged in the end.
pub async fn loses_nothing(trial: &Trial) {
    let mut senders = start_senders(trial);
    let mut receivers = JoinSet::new();
    for receiver in 0..4 {
        let queue = trial.queue.clone();
        receivers.spawn(async move {
            let mut done = Vec::new();
            loop {
                // Longer than this test takes, so that no message becomes visible again.
                let deliveries = queue.receive(7 + receiver, Duration::from_secs(2), LONG).await.unwrap();
                if deliveries.is_empty() {
                    return done;
                }
                let (back, fine): (Vec<_>, Vec<_>) =
                    deliveries.into_iter().partition(|one| one.attempts == 1 && one.body.ends_with('3'));
                let receipts: Vec<Receipt> = fine.iter().map(|one| one.receipt.clone()).collect();
                queue.acknowledge(&receipts).await.unwrap();
                done.extend(fine.into_iter().map(|one| one.body));
                let back: Vec<_> = back.into_iter().map(|one| (one.receipt, Duration::ZERO)).collect();
                queue.hide(&back).await.unwrap();
            }
        });
    }
    while let Some(sent) = senders.join_next().await {
        sent.unwrap();
    }
    let mut done = BTreeSet::new();
    while let Some(bodies) = receivers.join_next().await {
        done.extend(bodies.unwrap());
    }
    let all = (0..SENDERS).flat_map(|sender| (0..EACH).map(move |number| body(sender, number))).collect();
    assert_eq!(done, all);
}

/// A hidden message has one receiver.
pub async fn gives_each_message_to_one_at_a_time(trial: &Trial) {
    let mut senders = start_senders(trial);
    while let Some(sent) = senders.join_next().await {
        sent.unwrap();
    }
    let got = std::sync::Arc::new(AtomicUsize::new(0));
    let mut receivers = JoinSet::new();
    for _ in 0..4 {
        let (queue, got) = (trial.queue.clone(), got.clone());
        receivers.spawn(async move {
            loop {
                let deliveries = queue.receive(10, Duration::ZERO, LONG).await.unwrap();
                if deliveries.is_empty() {
                    return;
                }
                assert!(deliveries.iter().all(|delivery| delivery.attempts == 1), "{deliveries:?}");
                got.fetch_add(deliveries.len(), Ordering::Relaxed);
            }
        });
    }
    while let Some(received) = receivers.join_next().await {
        received.unwrap();
    }
    assert_eq!(got.load(Ordering::Relaxed), SENDERS * EACH);
}
