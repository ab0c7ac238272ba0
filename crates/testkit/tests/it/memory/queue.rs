//! The conformance suite of queues, and tests with virtual time.

use std::sync::Arc;
use std::time::Duration;

use hansang_core::Queue as _;
use hansang_core::queue::{Delivery, Message, TOO_OFTEN};
use hansang_testkit::memory::MemoryQueue;
use hansang_testkit::queue_suite::{MAX_ATTEMPTS, SECOND, Trial};
use hansang_testkit::world::run;
use jiff::Timestamp;
use tokio::time::Instant;

hansang_testkit::queue_conformance!(trial().await);

/// Virtual time advances when all tasks wait.
async fn trial() -> Trial {
    tokio::time::pause();
    Trial::new(queue(MAX_ATTEMPTS), Box::new(|time| Box::pin(tokio::time::sleep(time))), None).await
}

const HOUR: Duration = Duration::from_secs(3600);

/// A queue with the time of the runtime.
fn queue(max_attempts: u32) -> Arc<MemoryQueue> {
    let start = Instant::now();
    let now = Arc::new(move || Timestamp::from_second(1_800_000_000).unwrap() + start.elapsed());
    Arc::new(MemoryQueue::new(now, max_attempts))
}

async fn send(queue: &MemoryQueue, body: &str, delay: Duration) {
    let message = Message { body: body.to_owned(), delay };
    queue.send(vec![message]).await.into_iter().for_each(|answer| answer.unwrap());
}

fn bodies(deliveries: &[Delivery]) -> Vec<&str> {
    deliveries.iter().map(|delivery| delivery.body.as_str()).collect()
}

/// Waiting ends exactly when a message becomes visible.
#[test]
fn a_waiting_receiver_gets_a_message_that_becomes_visible() {
    run(async {
        let (queue, start) = (queue(3), Instant::now());
        send(&queue, "late", 10 * SECOND).await;
        let found = queue.receive(10, HOUR, 30 * SECOND).await.unwrap();
        assert_eq!((bodies(&found), start.elapsed()), (vec!["late"], 10 * SECOND));
        let found = queue.receive(10, HOUR, 30 * SECOND).await.unwrap();
        assert_eq!((found[0].attempts, start.elapsed()), (2, 40 * SECOND));
        queue.acknowledge(&[found[0].receipt.clone()]).await.unwrap();
        assert_eq!(queue.receive(10, HOUR, SECOND).await.unwrap(), []);
        assert_eq!(start.elapsed(), 40 * SECOND + HOUR);
    });
}

#[test]
fn a_waiting_receiver_gets_a_sent_shown_or_revived_message() {
    run(async {
        let (queue, start) = (queue(2), Instant::now());
        let waiting = |queue: &Arc<MemoryQueue>| {
            let queue = queue.clone();
            tokio::spawn(async move { queue.receive(1, HOUR, HOUR).await.unwrap().remove(0) })
        };
        let receiver = waiting(&queue);
        tokio::time::sleep(SECOND).await;
        send(&queue, "sent", Duration::ZERO).await;
        let sent = receiver.await.unwrap();
        let receiver = waiting(&queue);
        tokio::time::sleep(SECOND).await;
        queue.hide(&[(sent.receipt, Duration::ZERO)]).await.unwrap();
        let shown = receiver.await.unwrap();
        assert_eq!(shown.attempts, 2);
        queue.bury(&shown, "because").await.unwrap();
        let receiver = waiting(&queue);
        tokio::time::sleep(SECOND).await;
        assert_eq!(queue.revive(&[shown.id.clone(), shown.id.clone(), "other".to_owned()]).await.unwrap(), 1);
        let revived = receiver.await.unwrap();
        assert_eq!((&revived.body, revived.attempts), (&"sent".to_owned(), 1));
        assert_eq!(start.elapsed(), 3 * SECOND);
        queue.acknowledge(&[shown.receipt]).await.unwrap();
        assert_eq!(queue.depth().await.unwrap().hidden, 1, "a receipt from before the revival is of no use");
    });
}

/// A message becomes a dead letter when it would be visible again, not while it is hidden.
#[test]
fn the_last_delivery_may_still_be_acknowledged() {
    run(async {
        let queue = queue(2);
        for body in ["dealt with", "never"] {
            send(&queue, body, Duration::ZERO).await;
        }
        queue.receive(2, Duration::ZERO, SECOND).await.unwrap();
        let last = queue.receive(2, HOUR, SECOND).await.unwrap();
        assert_eq!(bodies(&last), ["dealt with", "never"]);
        assert_eq!(queue.depth().await.unwrap().dead, 0);
        queue.acknowledge(&[last[0].receipt.clone()]).await.unwrap();
        assert_eq!(queue.receive(2, HOUR, SECOND).await.unwrap(), []);
        let dead = queue.dead(10).await.unwrap();
        assert_eq!((dead.len(), dead[0].body.as_str()), (1, "never"));
        assert_eq!(dead[0].reason.as_deref(), Some(TOO_OFTEN));
    });
}
