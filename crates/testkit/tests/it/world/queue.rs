//! Hazards of messages.

use std::time::Duration;

use hansang_core::QueueError;
use hansang_core::queue::{Delivery, Message, Queue};
use hansang_core::store::Unavailable;
use hansang_testkit::world::{Event, Fault, Hazards, run};

use super::{MILLI, SECOND, Scene, scene};

const LONG: Duration = Duration::from_secs(600);

async fn receive(queue: &dyn Queue, most: usize) -> Vec<Delivery> {
    queue.receive(most, Duration::ZERO, LONG).await.unwrap()
}

fn bodies(deliveries: &[Delivery]) -> Vec<&str> {
    deliveries.iter().map(|delivery| delivery.body.as_str()).collect()
}

/// Result of a send, and the number of messages by then and a second later.
async fn send_under(hazards: Hazards) -> (Result<(), QueueError>, u64, u64) {
    let Scene { world, queue, .. } = scene(1, Hazards { latency: (MILLI, 10 * MILLI), ..hazards }).await;
    let mut answers = world.process(1).queue.send(vec![Message::new("x")]).await;
    let at_once = queue.depth().await.unwrap().visible;
    tokio::time::sleep(SECOND).await;
    (answers.remove(0), at_once, queue.depth().await.unwrap().visible)
}

fn is_unknown<T>(answer: &Result<T, QueueError>) -> bool {
    matches!(answer, Err(QueueError::Unavailable(Unavailable { outcome_unknown: true, .. })))
}

#[test]
fn a_message_with_a_lost_response_is_sent_never_at_once_or_late() {
    run(async {
        let (answer, at_once, later) = send_under(Hazards::default()).await;
        assert!(answer.is_ok() && (at_once, later) == (1, 1), "{answer:?}");
        let (answer, at_once, later) = send_under(Hazards { throttle: 1.0, ..Hazards::default() }).await;
        assert!(matches!(answer, Err(QueueError::Throttled)) && (at_once, later) == (0, 0), "{answer:?}");
        let (answer, at_once, later) =
            send_under(Hazards { timeout_before: 1.0, ..Hazards::default() }).await;
        assert!(is_unknown(&answer) && (at_once, later) == (0, 0), "{answer:?}");
        let (answer, at_once, later) = send_under(Hazards { timeout_after: 1.0, ..Hazards::default() }).await;
        assert!(is_unknown(&answer) && (at_once, later) == (1, 1), "{answer:?}");
        let (answer, at_once, later) = send_under(Hazards { timeout_late: 1.0, ..Hazards::default() }).await;
        assert!(is_unknown(&answer) && (at_once, later) == (0, 1), "{answer:?}");
    });
}

/// Each message of a batch has its own result.
#[test]
fn messages_of_a_batch_fail_independently() {
    run(async {
        let Scene { world, queue, .. } = scene(4, Hazards { throttle: 0.5, ..Hazards::default() }).await;
        let names: Vec<String> = (0..40).map(|n| format!("{n:02}")).collect();
        let messages = names.iter().map(Message::new).chain([Message::new("")]).collect();
        let mut answers = world.process(1).queue.send(messages).await;
        assert!(answers.pop().unwrap().is_err(), "an empty message is rejected");
        let accepted: Vec<&str> = names
            .iter()
            .zip(&answers)
            .filter(|(_, answer)| answer.is_ok())
            .map(|(name, _)| name.as_str())
            .collect();
        assert!((5..35).contains(&accepted.len()), "{accepted:?}");
        assert_eq!(bodies(&receive(&*queue, 100).await), accepted);
    });
}

/// Messages of a lost response are hidden from others.
#[test]
fn messages_with_a_lost_delivery_become_visible_again() {
    run(async {
        let Scene { world, queue, .. } = scene(1, Hazards { timeout_after: 1.0, ..Hazards::default() }).await;
        queue.send(vec![Message::new("x")]).await.remove(0).unwrap();
        let answer = world.process(1).queue.receive(1, Duration::ZERO, SECOND).await;
        assert!(is_unknown(&answer), "{answer:?}");
        assert_eq!(receive(&*queue, 1).await, []);
        tokio::time::sleep(SECOND).await;
        assert_eq!(receive(&*queue, 1).await[0].attempts, 2);
    });
}

#[test]
fn a_message_comes_twice_though_it_was_acknowledged() {
    run(async {
        let hazards = Hazards { duplicate: 1.0, delay: (0.0, SECOND), ..Hazards::default() };
        let Scene { world, queue, .. } = scene(1, hazards).await;
        queue.send(vec![Message::new("x")]).await.remove(0).unwrap();
        let (one, two) = (world.process(1).queue, world.process(2).queue);
        let first = receive(&*one, 10).await;
        assert_eq!(bodies(&first), ["x"]);
        one.acknowledge(&[first[0].receipt.clone()]).await.unwrap();
        tokio::time::sleep(SECOND).await;
        assert_eq!(receive(&*two, 10).await, first, "another process has the copy");
        assert_eq!(receive(&*one, 10).await, [], "there is no copy of a copy");
        assert_eq!(queue.depth().await.unwrap(), hansang_core::queue::Depth::default());
    });
}

#[test]
fn messages_are_late_and_reordered_and_none_is_lost() {
    run(async {
        let hazards = Hazards { delay: (0.5, 10 * SECOND), ..Hazards::default() };
        let Scene { world, .. } = scene(3, hazards).await;
        let queue = world.process(1).queue;
        let names: Vec<String> = (0..40).map(|n| format!("{n:02}")).collect();
        for name in &names {
            queue.send(vec![Message::new(name)]).await.remove(0).unwrap();
        }
        let at_once = receive(&*queue, 100).await;
        assert!((5..35).contains(&at_once.len()), "some are late: {}", at_once.len());
        tokio::time::sleep(10 * SECOND).await;
        let late = receive(&*queue, 100).await;
        let mut all: Vec<&str> = [bodies(&at_once), bodies(&late)].concat();
        assert!(!all.is_sorted());
        all.sort_unstable();
        assert_eq!(all, names);
        assert!(at_once.iter().chain(&late).all(|delivery| delivery.attempts == 1), "it costs no attempt");
        let delays = world
            .trace()
            .into_iter()
            .filter(|step| matches!(step.event, Event::Fault { fault: Fault::Delay(_), .. }));
        assert_eq!(delays.count(), late.len());
    });
}

#[test]
fn messages_received_at_once_come_in_any_order() {
    run(async {
        let Scene { world, queue, .. } =
            scene(3, Hazards { delay: (1.0, Duration::ZERO), ..Hazards::default() }).await;
        let names: Vec<String> = (0..40).map(|n| format!("{n:02}")).collect();
        queue.send(names.iter().map(Message::new).collect()).await;
        let found = receive(&*world.process(1).queue, 100).await;
        let mut found = bodies(&found);
        assert!(!found.is_sorted());
        found.sort_unstable();
        assert_eq!(found, names);
    });
}

/// All other methods reach the queue.
#[test]
fn without_hazards_it_is_the_queue_beneath() {
    run(async {
        let Scene { world, queue, .. } = scene(1, Hazards::default()).await;
        let distant = world.process(1).queue;
        distant.send(vec![Message::new("x")]).await.remove(0).unwrap();
        let found = receive(&*distant, 1).await.remove(0);
        distant.hide(&[(found.receipt, Duration::ZERO)]).await.unwrap();
        let found = receive(&*distant, 1).await.remove(0);
        assert_eq!(found.attempts, 2);
        distant.bury(&found, "because").await.unwrap();
        assert_eq!(distant.dead(10).await.unwrap(), queue.dead(10).await.unwrap());
        assert_eq!(distant.depth().await.unwrap().dead, 1);
        assert_eq!(distant.revive(&[found.id]).await.unwrap(), 1);
        assert_eq!(distant.depth().await.unwrap(), queue.depth().await.unwrap());
        assert_eq!(queue.depth().await.unwrap().visible, 1);
    });
}
