//! The conformance suite of queues on a local SQS server, and tests of the adapter.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use hansang_aws::{Settings, Sqs};
use hansang_core::queue::{Delivery, Message, Queue as _, QueueError};
use hansang_testkit::endpoints::sqs;
use hansang_testkit::queue_suite::{self, MAX_ATTEMPTS, Trial, refused};
use serde_json::json;

use crate::endpoints::settings;
use crate::proxy::{Fault, Proxy};

async fn trial() -> Trial {
    let queue = Sqs::connect(settings(sqs()), &queue_suite::name(), MAX_ATTEMPTS).await.unwrap();
    // The server uses the real clock: a little more than the timeout.
    let pass = Box::new(|time: Duration| Box::pin(tokio::time::sleep(time + Duration::from_millis(50))) as _);
    Trial::new(Arc::new(queue), pass, None).await
}

mod conformance {
    use super::trial;

    hansang_testkit::queue_conformance!(trial().await, except [
        send::keeps_text_beyond_the_basic_plane:
            "This server looks at halves of such characters, and refuses each of them.",
    ]);
}

const LONG: Duration = Duration::from_secs(60);
const NOW: Duration = Duration::ZERO;

/// Creates a queue behind a proxy.
async fn behind(proxy: &Proxy) -> Sqs {
    let queue = Sqs::connect(proxy.settings(), &queue_suite::name(), MAX_ATTEMPTS).await.unwrap();
    queue.ensure().await.unwrap();
    queue
}

async fn send(queue: &Sqs, body: &str) -> Result<(), QueueError> {
    queue.send(vec![Message::new(body)]).await.remove(0)
}

async fn receive(queue: &Sqs) -> Vec<Delivery> {
    queue.receive(10, NOW, LONG).await.unwrap()
}

fn left(entries: &[(usize, bool, &str)]) -> Fault {
    let failed: Vec<_> = entries
        .iter()
        .map(|(id, fault, code)| {
            json!({ "Id": id.to_string(), "SenderFault": fault, "Code": code, "Message": "spoiled" })
        })
        .collect();
    Fault::Respond(200, json!({ "Successful": [], "Failed": failed }))
}

#[tokio::test]
async fn throttling_is_waited_out_and_reported_when_it_stays() {
    let proxy = Proxy::before(sqs()).await;
    let queue = behind(&proxy).await;
    proxy.inject([
        Fault::error(400, "ThrottlingException"),
        Fault::error(403, "RequestThrottled"),
        Fault::error(500, "InternalError"),
    ]);
    send(&queue, "a").await.unwrap();
    assert_eq!(proxy.seen().len(), 4);
    proxy.inject(vec![Fault::error(400, "ThrottlingException"); 9]);
    let error = send(&queue, "b").await.unwrap_err();
    assert!(matches!(error, QueueError::Throttled), "{error:?}");
    assert_eq!(proxy.seen().len(), 4);
    proxy.inject([]);
    assert_eq!(receive(&queue).await.len(), 1);
}

#[tokio::test]
async fn failed_entries_are_retried() {
    let proxy = Proxy::before(sqs()).await;
    let queue = behind(&proxy).await;
    proxy.inject([left(&[(0, false, "InternalError"), (1, false, "ThrottlingException")])]);
    let results = queue.send(vec![Message::new("a"), Message::new("b")]).await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    let deliveries = receive(&queue).await;
    assert_eq!(deliveries.len(), 2);
    proxy.inject([left(&[(0, false, "InternalError")])]);
    queue.acknowledge(&[deliveries[0].receipt.clone()]).await.unwrap();
    assert_eq!(proxy.seen().len(), 2);
}

#[tokio::test]
async fn failed_entries_are_reported_by_position() {
    let proxy = Proxy::before(sqs()).await;
    let queue = behind(&proxy).await;
    proxy.inject([left(&[(1, true, "InvalidMessageContents"), (2, true, "Strange")])]);
    let mut results = queue.send(["a", "b", "c", "d"].map(Message::new).into()).await;
    assert_eq!(results.len(), 4);
    assert!(results[0].is_ok() && results[3].is_ok(), "{results:?}");
    assert!(matches!(&results[2], Err(QueueError::Unavailable(_))), "{results:?}");
    refused(results.remove(1), "message_invalid");
    assert_eq!(proxy.seen().len(), 1);
    proxy.inject(vec![left(&[(0, false, "InternalError")]); 9]);
    let error = queue.acknowledge(&[queue_suite::strange_receipt()]).await.unwrap_err();
    assert!(matches!(error, QueueError::Unavailable(_)), "{error:?}");
    assert_eq!(proxy.seen().len(), 4);
}

#[tokio::test]
async fn a_lost_response_may_duplicate_a_message() {
    let proxy = Proxy::before(sqs()).await;
    let queue = behind(&proxy).await;
    proxy.inject([Fault::LoseResponse]);
    send(&queue, "a").await.unwrap();
    let bodies: Vec<String> = receive(&queue).await.into_iter().map(|delivery| delivery.body).collect();
    assert_eq!(bodies, ["a", "a"]);
    proxy.inject(vec![Fault::LoseResponse; 9]);
    let QueueError::Unavailable(error) = send(&queue, "b").await.unwrap_err() else { panic!() };
    assert!(error.outcome_unknown, "{error:?}");
    assert!(error.source.is_some());
}

#[tokio::test]
async fn an_unreachable_endpoint_has_a_known_outcome() {
    // A port that was just closed has no listener.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let queue = Sqs::connect(settings(&format!("http://{address}")), "q", 3).await.unwrap();
    let QueueError::Unavailable(error) = send(&queue, "a").await.unwrap_err() else { panic!() };
    assert!(!error.outcome_unknown, "{error:?}");
    assert!(error.message.to_string().contains(&address.to_string()), "{}", error.message);
}

#[tokio::test]
async fn waiting_is_not_cut_short_by_the_limit_of_an_attempt() {
    let attempt_timeout = Some(Duration::from_millis(500));
    let settings = Settings { attempt_timeout, attempts: Some(1), ..settings(sqs()) };
    let queue = Sqs::connect(settings, &queue_suite::name(), 3).await.unwrap();
    queue.ensure().await.unwrap();
    assert_eq!(queue.receive(1, Duration::from_secs(2), LONG).await.unwrap(), []);
}

#[tokio::test]
async fn an_existing_queue_is_brought_up_to_the_settings() {
    let name = queue_suite::name();
    let once = Sqs::connect(settings(sqs()), &name, 1).await.unwrap();
    once.ensure().await.unwrap();
    send(&once, "a").await.unwrap();
    let twice = Sqs::connect(settings(sqs()), &name, 2).await.unwrap();
    twice.ensure().await.unwrap();
    for attempts in 1..=2 {
        assert_eq!(twice.receive(1, NOW, NOW).await.unwrap()[0].attempts, attempts);
    }
    assert_eq!(receive(&twice).await, []);
    assert_eq!(twice.dead(1).await.unwrap()[0].body, "a");
}

#[tokio::test]
async fn an_existing_queue_is_found() {
    let name = queue_suite::name();
    let late = Sqs::connect(settings(sqs()), &name, 3).await.unwrap();
    refused(send(&late, "a").await, "unknown_queue");
    refused(late.receive(1, NOW, LONG).await, "unknown_queue");
    refused(late.depth().await, "unknown_queue");
    Sqs::connect(settings(sqs()), &name, 3).await.unwrap().ensure().await.unwrap();
    send(&late, "a").await.unwrap();
    assert_eq!(receive(&late).await[0].body, "a");
    refused(Sqs::connect(settings(sqs()), "no name", 3).await, "queue_name_invalid");
}
