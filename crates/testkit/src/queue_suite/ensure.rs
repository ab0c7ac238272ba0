//! Creating a queue.

use super::{LONG, Trial};

/// An existing queue is not changed.
pub async fn can_be_repeated(trial: &Trial) {
    trial.queue.ensure().await.unwrap();
    trial.queue.ensure().await.unwrap();
    trial.send(&["a"]).await;
    assert_eq!(trial.one(LONG).await.body, "a");
}

/// Messages stay in the queue.
pub async fn keeps_messages(trial: &Trial) {
    trial.send(&["a", "b"]).await;
    let first = trial.receive(1, LONG).await.remove(0);
    trial.queue.ensure().await.unwrap();
    assert_ne!(trial.one(LONG).await.body, first.body);
    trial.acknowledge(&first).await;
}
