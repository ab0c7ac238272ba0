//! Waiting for messages holds no request slot and ends with the server.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use hansang_core::queue::{DeadLetter, Delivery, Depth, Message, QueueError, Receipt};
use hansang_core::wire::{QueueCall, QueueResponse, Wire, split};
use hansang_core::{Queue, Store as _};
use hansang_embedded::QueueSettings;
use hansang_testkit::plans::get;
use hansang_testkit::table;
use serde_json::json;

use crate::lending::Lending;

const MINUTE: Duration = Duration::from_secs(60);

/// A queue without messages that waits longer than asked.
#[derive(Debug)]
struct Silent;

/// Starts to wait for messages. Returns after the response headers.
async fn waiting(lending: &Lending) -> reqwest::Response {
    let (method, arguments) = split(&QueueCall::Receive(10, MINUTE, MINUTE));
    let url = lending.url.join(&format!("/api/server/ports/queue/{method}")).unwrap();
    let response = lending.client.post(url).json(&json!({ "on": "q", "arguments": arguments }));
    response.send().await.unwrap().error_for_status().unwrap()
}

async fn received(response: reqwest::Response) -> Vec<Delivery> {
    let json = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
    match Result::<QueueResponse, QueueError>::from_json(&json).unwrap() {
        Ok(QueueResponse::Deliveries(deliveries)) => deliveries,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_waiting_receiver_holds_no_slot() {
    let lending = Lending::with_max_requests(1).await;
    let queue = lending.store.queue("q", QueueSettings { max_attempts: 3 });
    lending.add("q", queue.clone());
    queue.ensure().await.unwrap();
    let waits = waiting(&lending).await;
    // The only slot is free: this request is not rejected.
    let table = table::described();
    lending.ensure(&table).await.unwrap();
    assert_eq!(lending.lender.store().get(&table, &get("p", "s")).await.unwrap(), None);
    for sent in lending.lender.queue("q").send(vec![Message::new("hello")]).await {
        sent.unwrap();
    }
    let bodies: Vec<String> = received(waits).await.into_iter().map(|delivery| delivery.body).collect();
    assert_eq!(bodies, ["hello"]);
}

/// [`Silent`] never responds, so only the end of the server ends this.
#[tokio::test]
async fn waiting_ends_with_the_server() {
    let lending = Lending::start().await;
    lending.add("q", Arc::new(Silent));
    let before = waiting(&lending).await;
    lending.app.drain();
    assert_eq!(received(before).await, []);
    assert_eq!(received(waiting(&lending).await).await, [], "nor does a new one wait");
}

#[async_trait]
impl Queue for Silent {
    async fn ensure(&self) -> Result<(), QueueError> {
        Ok(())
    }

    async fn send(&self, messages: Vec<Message>) -> Vec<Result<(), QueueError>> {
        messages.iter().map(|_| Err(QueueError::Throttled)).collect()
    }

    async fn receive(&self, _: usize, _: Duration, _: Duration) -> Result<Vec<Delivery>, QueueError> {
        std::future::pending().await
    }

    async fn acknowledge(&self, _: &[Receipt]) -> Result<(), QueueError> {
        Ok(())
    }

    async fn hide(&self, _: &[(Receipt, Duration)]) -> Result<(), QueueError> {
        Ok(())
    }

    async fn bury(&self, _: &Delivery, _: &str) -> Result<(), QueueError> {
        Ok(())
    }

    async fn dead(&self, _: usize) -> Result<Vec<DeadLetter>, QueueError> {
        Ok(Vec::new())
    }

    async fn revive(&self, _: &[String]) -> Result<usize, QueueError> {
        Ok(0)
    }

    async fn depth(&self) -> Result<Depth, QueueError> {
        Ok(Depth::default())
    }
}
