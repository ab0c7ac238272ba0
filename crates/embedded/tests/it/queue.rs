//! The conformance suite of queues, and tests of this queue alone.

use std::collections::BTreeSet;
use std::path::Path;
use std::slice;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use hansang_core::queue::{MAX_MESSAGES, Message, Queue as _};
use hansang_embedded::{Embedded, EmbeddedQueue, QueueSettings};
use hansang_testkit::queue_suite::{self, MAX_ATTEMPTS, Trial, refused};
use jiff::Timestamp;

use crate::{NOON, TestClock};

async fn trial() -> Trial {
    let directory = tempfile::tempdir().unwrap();
    let clock = TestClock::at(NOON);
    let store = Embedded::open(directory.path(), clock.options()).unwrap();
    let queue = store.queue(&queue_suite::name(), QueueSettings { max_attempts: MAX_ATTEMPTS });
    let pass = Box::new(move |time: Duration| {
        clock.forward(i64::try_from(time.as_secs()).unwrap());
        Box::pin(async {}) as _
    });
    Trial::new(queue, pass, Some(Box::new(directory))).await
}

mod conformance {
    use super::trial;

    hansang_testkit::queue_conformance!(trial().await);
}

const LONG: Duration = Duration::from_secs(600);
const NOW: Duration = Duration::ZERO;

/// Creates a queue.
async fn queue(directory: &Path, clock: &TestClock, name: &str) -> Arc<EmbeddedQueue> {
    let store = Embedded::open(directory, clock.options()).unwrap();
    let queue = store.queue(name, QueueSettings { max_attempts: MAX_ATTEMPTS });
    queue.ensure().await.unwrap();
    queue
}

async fn send(queue: &EmbeddedQueue, body: &str) {
    assert!(queue.send(vec![Message::new(body)]).await[0].is_ok());
}

async fn receive(queue: &EmbeddedQueue, hidden: Duration) -> Vec<(String, u32)> {
    let deliveries = queue.receive(100, NOW, hidden).await.unwrap();
    deliveries.into_iter().map(|delivery| (delivery.body, delivery.attempts)).collect()
}

fn got(body: &str, attempts: u32) -> (String, u32) {
    (body.to_owned(), attempts)
}

#[tokio::test]
async fn messages_survive_a_restart() {
    let (directory, clock) = (tempfile::tempdir().unwrap(), TestClock::at(NOON));
    let first = queue(directory.path(), &clock, "q").await;
    for body in ["done", "dead", "mute", "taken"] {
        send(&first, body).await;
    }
    first.send(vec![Message { body: "late".to_owned(), delay: LONG }]).await.remove(0).unwrap();
    let deliveries = first.receive(4, NOW, LONG).await.unwrap();
    first.acknowledge(slice::from_ref(&deliveries[0].receipt)).await.unwrap();
    first.bury(&deliveries[1], "it is no JSON").await.unwrap();
    first.bury(&deliveries[2], "").await.unwrap();
    send(&first, "fresh").await;
    let (depth, dead) = (first.depth().await.unwrap(), first.dead(10).await.unwrap());
    assert_eq!((depth.visible, depth.hidden, depth.dead), (1, 2, 2));
    drop(first);

    let second = queue(directory.path(), &clock, "q").await;
    assert_eq!(second.depth().await.unwrap(), depth);
    assert_eq!(second.dead(10).await.unwrap(), dead);
    assert_eq!(receive(&second, LONG).await, [got("fresh", 1)]);
    clock.forward(600);
    let mut again = receive(&second, LONG).await;
    again.sort();
    assert_eq!(again, [got("fresh", 2), got("late", 1), got("taken", 2)]);
}

#[tokio::test]
async fn a_message_that_crashes_its_process_becomes_a_dead_letter() {
    let (directory, clock) = (tempfile::tempdir().unwrap(), TestClock::at(NOON));
    send(&*queue(directory.path(), &clock, "q").await, "poison").await;
    for attempts in 1..=MAX_ATTEMPTS {
        let queue = queue(directory.path(), &clock, "q").await;
        assert_eq!(receive(&queue, LONG).await, [got("poison", attempts)]);
        clock.forward(600);
    }
    let queue = queue(directory.path(), &clock, "q").await;
    assert_eq!(receive(&queue, LONG).await, []);
    assert_eq!(queue.dead(10).await.unwrap().remove(0).body, "poison");
}

#[tokio::test]
async fn queues_are_separate_and_handles_share_one() {
    let (directory, clock) = (tempfile::tempdir().unwrap(), TestClock::at(NOON));
    let store = Embedded::open(directory.path(), clock.options()).unwrap();
    let settings = QueueSettings { max_attempts: MAX_ATTEMPTS };
    let [a, same, b] = ["a", "a", "b"].map(|name| store.queue(name, settings));
    a.ensure().await.unwrap();
    b.ensure().await.unwrap();
    send(&a, "to a").await;
    assert_eq!(receive(&b, LONG).await, []);
    let (received, ()) = tokio::join!(b.receive(1, LONG, LONG), send(&b, "to b"));
    assert_eq!(received.unwrap()[0].body, "to b");
    assert_eq!(receive(&same, LONG).await, [got("to a", 1)]);
}

#[tokio::test]
async fn a_missing_queue_is_refused_with_help() {
    let directory = tempfile::tempdir().unwrap();
    let store = Embedded::open(directory.path(), TestClock::at(NOON).options()).unwrap();
    let queue = |name: &str| store.queue(name, QueueSettings { max_attempts: MAX_ATTEMPTS });
    let nowhere = queue("nowhere");
    refused(nowhere.send(vec![Message::new("a")]).await.remove(0), "unknown_queue");
    refused(nowhere.receive(1, LONG, LONG).await, "unknown_queue");
    refused(nowhere.depth().await, "unknown_queue");
    refused(queue("no name").ensure().await, "queue_name_invalid");
}

#[tokio::test]
async fn messages_of_a_dropped_receiver_are_visible_at_once() {
    let (directory, clock) = (tempfile::tempdir().unwrap(), TestClock::at(NOON));
    let queue = queue(directory.path(), &clock, "q").await;
    send(&queue, "a").await;
    let mut given_up = queue.receive(1, NOW, LONG);
    // Polled once: the request is sent, and the receiver is dropped before the reply.
    assert!(std::future::poll_fn(|context| Poll::Ready(given_up.as_mut().poll(context).is_pending())).await);
    drop(given_up);
    let delivery = queue.receive(1, LONG, LONG).await.unwrap().remove(0);
    assert_eq!((delivery.body.as_str(), delivery.attempts), ("a", 2));
}

#[tokio::test]
async fn the_oldest_message_is_first_and_depth_has_its_age() {
    let (directory, clock) = (tempfile::tempdir().unwrap(), TestClock::at(NOON));
    let queue = queue(directory.path(), &clock, "q").await;
    for body in ["a", "b", "c"] {
        send(&queue, body).await;
        clock.forward(1);
    }
    assert_eq!(queue.depth().await.unwrap().oldest, Some(Timestamp::from_second(NOON).unwrap()));
    assert_eq!(receive(&queue, LONG).await, [got("a", 1), got("b", 1), got("c", 1)]);
}

#[tokio::test]
async fn thousands_of_messages_are_delivered_in_order() {
    let (directory, clock) = (tempfile::tempdir().unwrap(), TestClock::at(NOON));
    let queue = queue(directory.path(), &clock, "q").await;
    for _ in 0..20 {
        assert!(queue.send(vec![Message::new("x"); MAX_MESSAGES]).await.iter().all(Result::is_ok));
    }
    let mut ids = BTreeSet::new();
    for _ in 0..20 {
        let deliveries = queue.receive(MAX_MESSAGES, NOW, LONG).await.unwrap();
        ids.extend(deliveries.into_iter().map(|delivery| delivery.id));
    }
    assert_eq!(ids.len(), 20 * MAX_MESSAGES);
    assert_eq!(receive(&queue, LONG).await, []);
    assert_eq!(queue.depth().await.unwrap().hidden, 20 * MAX_MESSAGES as u64);
}
