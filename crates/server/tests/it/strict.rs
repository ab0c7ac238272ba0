//! Findings of Schemathesis: requests that were accepted or rejected against the description, or that failed.

use axum::http::Method;
use serde_json::{Value as Json, json};

use hansang_testserver::On;
use hansang_testserver::Server;
use hansang_testserver::{ok, refusal};

hansang_testserver::on_each_store! {
    a_sum_stays_within_64_bits,
    errors_of_the_stored_state_are_conflicts,
}

const ITEMS: &str = "/api/shop/entities/Item";
const ITEM: &str = "/api/shop/entities/Item/a/1";

fn item() -> Json {
    json!({ "shelf": "a", "number": 1, "name": "one" })
}

/// A number beyond 64 bits would make the record unreadable.
async fn a_sum_stays_within_64_bits(on: On) {
    let server = Server::start(on).await;
    ok(server.send(Method::POST, ITEMS, item()).await);
    let added = server.send(Method::PATCH, ITEM, json!({ "stock": { "$add": i64::MAX } })).await;
    assert_eq!(refusal(&added), (409, "rule_broken".to_owned()));
    let added = server.send(Method::PATCH, ITEM, json!({ "stock": { "$add": i64::MAX - 10 } })).await;
    assert_eq!(ok(added)["stock"], i64::MAX);
    assert_eq!(ok(server.get(ITEM).await)["stock"], i64::MAX);
}

async fn errors_of_the_stored_state_are_conflicts(on: On) {
    let server = Server::start(on).await;
    let live = json!({ "name": "one", "state": "live" });
    let put = server.send(Method::PUT, ITEM, live.clone()).await;
    assert_eq!(refusal(&put), (409, "rule_broken".to_owned()));
    ok(server.send(Method::POST, ITEMS, item()).await);
    assert_eq!(ok(server.send(Method::PUT, ITEM, live).await)["state"], "live");
}

#[tokio::test]
async fn versions_are_written_in_one_way_and_contradict_nothing() {
    let server = Server::start(On::Embedded).await;
    ok(server.send(Method::POST, ITEMS, item()).await);
    for (headers, status) in [
        (vec![("if-match", "\"+1\"")], 400),
        (vec![("if-match", "\"-1\"")], 400),
        (vec![("if-match", "\"x\""), ("if-none-match", "*")], 400),
        (vec![("if-match", "\"1\""), ("if-none-match", "*")], 412),
        (vec![("if-match", "\"1\"")], 200),
    ] {
        let body = json!({ "name": "two" });
        let answer = server.call(Method::PUT, ITEM, &server.editor, Some(body), &headers).await;
        assert_eq!(answer.status, status, "{headers:?}: {answer:?}");
    }
}

#[tokio::test]
async fn a_transaction_is_exactly_as_described() {
    let server = Server::start(On::Embedded).await;
    let key = json!({ "shelf": "a", "number": 1 });
    for (operation, status) in [
        (
            json!({ "create": { "entity": "Item", "fields": { "$entity": "Item", "shelf": "a", "number": 1, "name": "one" } } }),
            200,
        ),
        (json!({ "create": { "entity": "Item", "fields": { "$entity": "Opening" } } }), 400),
        (json!({ "check": { "entity": "Item", "key": { "shelf": "a", "number": 1, "name": "one" } } }), 400),
        (json!({ "check": { "entity": "Opening", "key": { "more": 1 } } }), 400),
        (json!({ "relocate": { "entity": "Item", "key": key } }), 400),
        (json!({ "update": { "entity": "Item", "key": key } }), 400),
        (json!({ "delete": { "entity": "Item", "key": key, "changes": {} } }), 400),
        (json!({ "delete": { "entity": "Item", "key": key, "version": null } }), 400),
        (json!({ "delete": { "entity": "Item", "key": key, "version": 1.5 } }), 400),
        (json!({ "delete": { "entity": "Item", "key": key, "version": 2.0 } }), 412),
        (json!({ "delete": { "entity": "Item", "key": key, "version": 1.0 } }), 200),
    ] {
        let body = json!({ "operations": [operation] });
        let answer = server.send(Method::POST, "/api/shop/transactions", body.clone()).await;
        assert_eq!(answer.status, status, "{body}: {answer:?}");
    }
    for body in [
        json!({ "entity": "Item", "keys": [], "fields": null }),
        json!({ "entity": "Opening", "keys": [{ "more": 1 }] }),
    ] {
        let answer = server.send(Method::POST, "/api/shop/batch-get", body.clone()).await;
        assert_eq!(answer.status, 400, "{body}: {answer:?}");
    }
}

#[tokio::test]
async fn a_wrong_set_up_link_is_described() {
    let server = Server::empty(On::Embedded).await;
    let body = json!({ "secret": "wrong", "login": "me", "name": "Me", "password": "long enough" });
    let answer = server.call(Method::POST, "/api/access/set-up", "", Some(body), &[]).await;
    assert_eq!(refusal(&answer), (401, "invalid_set_up_link".to_owned()));
}
