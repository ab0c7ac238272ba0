//! Entering, and the results.

use std::sync::Arc;

use axum::http::Method;
use expect_test::expect;
use hansang_core::Queue as _;
use hansang_embedded::{Embedded, Options, QueueSettings};
use hansang_entry::{QUEUE, Worker, work};
use serde_json::json;
use tokio::sync::oneshot;

use super::{
    EVENTS, HOUR, REQUESTS, Stream, decide_all, enter, entered, entry, everything, first_come, guests, own,
};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::running::soon;
use hansang_testserver::{ok, refusal};

hansang_testserver::on_each_store! {
    an_entry_is_taken_at_once_and_decided_later,
    a_second_entry_returns_the_first_request,
    one_of_two_concurrent_entries_gets_the_last_seat,
    own_requests_are_listed_newest_first,
}

/// Es23, Es24
async fn an_entry_is_taken_at_once_and_decided_later(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 1).await;
    let [ann] = guests(&server).await;
    let taken = enter(&server, "concert", &ann).await;
    assert_eq!((taken.status, taken.header("retry-after")), (202, "1"));
    let id = taken.json()["requestId"].as_str().unwrap().to_owned();
    assert_eq!(taken.json(), json!({ "requestId": id, "duplicate": false }));
    assert_eq!(taken.header("location"), format!("{REQUESTS}/{id}"));

    let waiting = own(&server, &id, &ann).await;
    assert_eq!((waiting.json()["status"].as_str(), waiting.header("retry-after")), (Some("QUEUED"), "1"));
    server.later(HOUR / 60);
    assert_eq!(own(&server, &id, &ann).await.header("retry-after"), "6", "the poll interval grows");

    decide_all(&server, "concert").await;
    let decided = own(&server, &id, &ann).await;
    assert_eq!(decided.header("retry-after"), "", "a final request has no `Retry-After`");
    expect![[r#"
        200
        {
          "requestId": "…",
          "eventId": "concert",
          "eventType": "FIRST_COME",
          "status": "SUCCEEDED",
          "requestedAt": "…",
          "queuedAt": "…",
          "startedAt": "…",
          "finishedAt": "…",
          "resultCode": "SUCCESS"
        }"#]]
    .assert_eq(&decided.shown());
    assert_eq!(decided.json()["finishedAt"].as_str().unwrap().len(), "2026-11-16T00:00:00.000Z".len());
}

/// E17
async fn a_second_entry_returns_the_first_request(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 5).await;
    let [ann] = guests(&server).await;
    let id = entered(&server, "concert", &ann).await;
    let before = everything(&server).await;
    for _ in 0..2 {
        let again = enter(&server, "concert", &ann).await;
        assert_eq!((again.status, again.json()), (202, json!({ "requestId": id, "duplicate": true })));
    }
    assert_eq!(everything(&server).await, before, "a second entry writes nothing");
    // The first request is returned for as long as it exists.
    ok(super::operate(&server, "concert", "close").await);
    let again = enter(&server, "concert", &ann).await;
    assert_eq!((again.status, again.json()), (202, json!({ "requestId": id, "duplicate": true })));
}

async fn one_of_two_concurrent_entries_gets_the_last_seat(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 1).await;
    let [ann, bob] = guests(&server).await;
    let (of_ann, of_bob) = tokio::join!(entered(&server, "concert", &ann), entered(&server, "concert", &bob));
    assert_ne!(of_ann, of_bob);
    decide_all(&server, "concert").await;
    let (of_ann, of_bob) = tokio::join!(own(&server, &of_ann, &ann), own(&server, &of_bob, &bob));
    let mut results = [of_ann, of_bob].map(|one| one.json()["resultCode"].as_str().unwrap().to_owned());
    results.sort();
    assert_eq!(results, ["REJECTED_CAPACITY", "SUCCESS"]);
}

async fn own_requests_are_listed_newest_first(on: On) {
    let server = Server::entry(on).await;
    let [ann, bob] = guests(&server).await;
    let mut ids = Vec::new();
    for event in ["a", "b", "c"] {
        first_come(&server, event, 5).await;
        ids.insert(0, entered(&server, event, &ann).await);
        entered(&server, event, &bob).await;
    }
    let page = async |query: &str| {
        ok(server.call(Method::GET, &format!("{REQUESTS}{query}"), &ann, None, &[]).await)
    };
    let first = page("?limit=2").await;
    let next = page(&format!("?limit=2&cursor={}", first["next"].as_str().unwrap())).await;
    let pages = [&first, &next].map(|page| page["items"].as_array().unwrap().clone());
    let listed: Vec<_> = pages.iter().flatten().map(|one| one["requestId"].as_str().unwrap()).collect();
    assert_eq!(listed, ids);
    assert!(next["next"].is_null());
}

#[tokio::test]
async fn entries_of_an_account_are_rate_limited() {
    let mut server = Server::entry(On::Embedded).await;
    first_come(&server, "concert", 5).await;
    server.reopen(&[("rate-entries", "1")], &[]).await;
    let [ann, bob] = guests(&server).await;
    // The rate limit comes before any read, so the event need not exist.
    let mut refused = enter(&server, "nowhere", &ann).await;
    assert_eq!(refusal(&refused), (404, "event_unknown".to_owned()));
    // A slow machine may need more than a second for each.
    for _ in 0..100 {
        refused = enter(&server, "nowhere", &ann).await;
        if refused.status == 429 {
            break;
        }
    }
    assert_eq!(refusal(&refused), (429, "too_many_requests".to_owned()));
    assert_eq!(refused.header("retry-after"), "1");
    assert_eq!(enter(&server, "concert", &bob).await.status, 202, "others may");
    assert_eq!(own(&server, "nothing", &ann).await.status, 404, "other operations are not limited");
}

#[tokio::test]
async fn a_token_is_for_one_user_one_event_and_one_minute() {
    let mut server = Server::entry(On::Embedded).await;
    for event in ["concert", "play"] {
        first_come(&server, event, 5).await;
    }
    let [ann, bob] = guests(&server).await;
    let issue = async |server: &Server, event: &str, who: &str| {
        server.call(Method::POST, &format!("{EVENTS}/{event}/token"), who, None, &[]).await
    };
    assert_eq!(refusal(&issue(&server, "concert", &ann).await), (409, "entry_tokens_off".to_owned()));
    server.reopen(&[("rate-entries", "1000"), ("entry-tokens", "true")], b"secret").await;
    assert_eq!(refusal(&issue(&server, "nowhere", &ann).await), (404, "event_unknown".to_owned()));
    let issued = ok(issue(&server, "concert", &ann).await);
    let token = issued["token"].as_str().unwrap();
    let enter = async |event: &str, who: &str, token: &str| {
        let path = format!("{EVENTS}/{event}/entries");
        server.call(Method::POST, &path, who, None, &[("entry-token", token)]).await
    };
    let before = everything(&server).await;
    let refused = (403, "entry_token_invalid".to_owned());
    assert_eq!(refusal(&super::enter(&server, "concert", &ann).await), refused);
    for (event, who, token) in
        [("concert", &ann, "x.y"), ("concert", &ann, ""), ("concert", &bob, token), ("play", &ann, token)]
    {
        assert_eq!(refusal(&enter(event, who, token).await), refused, "{event} {token}");
    }
    assert_eq!(everything(&server).await, before);
    assert_eq!(enter("concert", &ann, token).await.status, 202);
    let of_bob = ok(issue(&server, "concert", &bob).await);
    server.later(HOUR / 60);
    assert_eq!(refusal(&enter("concert", &bob, of_bob["token"].as_str().unwrap()).await), refused);
}

/// A standalone server: the queue is in its directory, and the worker in its process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_decides_entries() {
    let mut server = Server::entry(On::Embedded).await;
    let directory = tempfile::tempdir().unwrap();
    let clock = entry(&server).db.clock().clone();
    let options = Options::new(Arc::new(move || clock.moment().now));
    let store = Embedded::open(directory.path(), options).unwrap();
    let queue = store.queue(QUEUE, QueueSettings { max_attempts: 50 });
    queue.ensure().await.unwrap();
    server.use_queue(queue).await;
    first_come(&server, "concert", 1).await;
    let [ann] = guests(&server).await;
    let id = entered(&server, "concert", &ann).await;
    let mut steps = Stream::open(&server, &format!("{REQUESTS}/{id}/live"), &ann).await;
    let (stop, stopped) = oneshot::channel();
    let entry = entry(&server).clone();
    let worker = tokio::spawn(async move {
        work(&entry, &Worker::named("test"), async { drop(stopped.await) }).await;
    });
    let mut last = steps.next("status").await.unwrap();
    while let Some(step) = steps.next("status").await {
        last = step;
    }
    assert_eq!((&last["status"], &last["resultCode"]), (&json!("SUCCEEDED"), &json!("SUCCESS")));
    stop.send(()).unwrap();
    soon(worker).await.unwrap();
}
