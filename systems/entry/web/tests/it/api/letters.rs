//! Dead letters.

use std::time::Duration;

use axum::http::Method;
use hansang_core::queue::Message;
use serde_json::json;

use super::{entry, everything, failed, first_come, guests, own};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::{ok, refusal};

hansang_testserver::on_each_store! {
    dead_letters_are_seen_with_their_requests_and_sent_again,
}

const LETTERS: &str = "/api/entry/dead-letters";
const REDRIVE: &str = "/api/entry/dead-letters/redrive";

/// Es30
async fn dead_letters_are_seen_with_their_requests_and_sent_again(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 1).await;
    let [ann] = guests(&server).await;
    let id = failed(&server, "concert", &ann).await;
    let queue = &entry(&server).queue;
    queue.send(vec![Message::new("not ours")]).await.remove(0).unwrap();
    for delivery in queue.receive(10, Duration::ZERO, Duration::from_secs(60)).await.unwrap() {
        queue.bury(&delivery, "undecided").await.unwrap();
    }
    let mut letters = ok(server.get(LETTERS).await)["items"].as_array().unwrap().clone();
    letters.sort_by_key(|letter| letter["body"] == "not ours");
    assert_eq!((letters.len(), &letters[0]["request"]["requestId"]), (2, &json!(id)));
    assert_eq!((&letters[1]["body"], letters[1].get("request")), (&json!("not ours"), None));
    assert!(letters.iter().all(|letter| letter["reason"] == "it could not be decided"));
    assert_eq!(ok(server.get(&format!("{LETTERS}?limit=1")).await)["items"].as_array().unwrap().len(), 1);

    let redrive = async |ids: &[&str]| ok(server.send(Method::POST, REDRIVE, json!({ "ids": ids })).await);
    assert_eq!(redrive(&["nothing"]).await, json!({ "redriven": 0 }));
    assert_eq!(
        own(&server, &id, &ann).await.json()["status"],
        "FAILED_FINAL",
        "an unknown id redrives nothing"
    );
    assert_eq!(redrive(&[letters[0]["id"].as_str().unwrap()]).await, json!({ "redriven": 1 }));
    assert_eq!(own(&server, &id, &ann).await.json()["status"], "QUEUED");
    assert_eq!(ok(server.get(LETTERS).await)["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn invalid_requests_for_dead_letters_are_rejected() {
    let server = Server::entry(On::Embedded).await;
    for (query, code) in [
        ("limit=0", "invalid_page_size"),
        ("limit=1001", "invalid_page_size"),
        ("limit=x", "invalid_parameter"),
        ("cursor=x", "unknown_parameter"),
    ] {
        let answer = server.get(&format!("{LETTERS}?{query}")).await;
        assert_eq!(refusal(&answer), (400, code.to_owned()), "{query}");
    }
    let before = everything(&server).await;
    let many = vec!["x"; 1001];
    for (body, code) in [
        (json!({}), "invalid_body"),
        (json!({ "ids": "x" }), "invalid_body"),
        (json!({ "ids": [1] }), "invalid_body"),
        (json!({ "ids": [], "all": true }), "invalid_body"),
        (json!({ "ids": many }), "too_many_messages"),
    ] {
        let answer = server.send(Method::POST, REDRIVE, body).await;
        assert_eq!(refusal(&answer), (400, code.to_owned()));
    }
    assert_eq!(everything(&server).await, before);
}
