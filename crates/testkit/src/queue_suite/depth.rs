//! Depth of a queue.

use super::{LONG, Trial};

async fn counted(trial: &Trial) -> (u64, u64, u64) {
    let depth = trial.queue.depth().await.unwrap();
    (depth.visible, depth.hidden, depth.dead)
}

/// The depth of an empty queue is zero.
pub async fn of_nothing_is_nothing(trial: &Trial) {
    assert_eq!(counted(trial).await, (0, 0, 0));
    assert_eq!(trial.queue.depth().await.unwrap().oldest, None);
}

/// Each message is counted once.
pub async fn counts_visible_hidden_and_dead_messages(trial: &Trial) {
    trial.send(&["a", "b", "c", "d", "e", "f"]).await;
    assert_eq!(counted(trial).await, (6, 0, 0));
    trial.send_later("late", LONG).await;
    assert_eq!(counted(trial).await, (6, 1, 0));
    let deliveries = trial.receive(2, LONG).await;
    assert_eq!(counted(trial).await, (4, 3, 0));
    trial.queue.bury(&deliveries[0], "no").await.unwrap();
    assert_eq!(counted(trial).await, (4, 2, 1));
}

/// Acknowledged messages are not counted.
pub async fn falls_with_acknowledgements(trial: &Trial) {
    trial.send(&["a", "b"]).await;
    let delivery = trial.receive(1, LONG).await.remove(0);
    trial.acknowledge(&delivery).await;
    assert_eq!(counted(trial).await, (1, 0, 0));
}
