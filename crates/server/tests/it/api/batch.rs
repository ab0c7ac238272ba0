use axum::http::Method;
use expect_test::expect;
use serde_json::{Value as Json, json};

use hansang_testserver::On;
use hansang_testserver::Server;
use hansang_testserver::{ok, refusal};

hansang_testserver::on_each_store! {
    many_are_read_in_the_order_of_their_keys,
    a_transaction_is_atomic,
    a_wrong_transaction_is_explained,
}

const TRANSACTIONS: &str = "/api/shop/transactions";

fn item(number: u32) -> Json {
    json!({ "shelf": "a", "number": number, "name": format!("item {number}") })
}

async fn many_are_read_in_the_order_of_their_keys(on: On) {
    let server = Server::start(on).await;
    for number in [1, 3] {
        server.send(Method::POST, "/api/shop/entities/Item", item(number)).await;
    }
    let keys: Vec<Json> = [3, 2, 1].iter().map(|number| json!({ "shelf": "a", "number": number })).collect();
    let body = json!({ "entity": "Item", "keys": keys, "fields": ["name"], "consistent": true });
    let answer = server.call(Method::POST, "/api/shop/batch-get", &server.viewer, Some(body), &[]).await;
    expect![[r#"
        200
        {
          "items": [
            {
              "$entity": "Item",
              "name": "item 3",
              "number": 3,
              "shelf": "a"
            },
            null,
            {
              "$entity": "Item",
              "name": "item 1",
              "number": 1,
              "shelf": "a"
            }
          ]
        }"#]]
    .assert_eq(&answer.shown());
    for (body, status) in [
        (json!({ "entity": "Item" }), 400),
        (json!({ "entity": "Item", "keys": [{ "shelf": "a" }] }), 400),
        (json!({ "entity": "Itme", "keys": [] }), 404),
        (json!({ "entity": "Item", "keys": vec![json!({ "shelf": "a", "number": 1 }); 101] }), 400),
        (json!({ "entity": "Item", "keys": [], "more": 1 }), 400),
        (json!({ "entity": "Item", "keys": [], "fields": ["unknown"] }), 400),
    ] {
        let answer = server.call(Method::POST, "/api/shop/batch-get", &server.viewer, Some(body), &[]).await;
        assert_eq!(answer.status, status, "{answer:?}");
    }
}

async fn a_transaction_is_atomic(on: On) {
    let server = Server::start(on).await;
    let steps = json!({ "operations": [
        { "create": { "entity": "Item", "fields": item(1) } },
        { "put": { "entity": "Item", "fields": item(2) } },
        { "put": { "entity": "Opening", "fields": { "hours": "9-5" } } },
    ] });
    let done = ok(server.send(Method::POST, TRANSACTIONS, steps).await);
    assert_eq!(done["items"][1]["version"], 1);

    let key = |number: u32| json!({ "shelf": "a", "number": number });
    let steps = json!({ "operations": [
        { "update": { "entity": "Item", "key": key(1), "changes": { "stock": { "$add": -1 } }, "version": 1 } },
        { "relocate": { "entity": "Item", "key": key(2), "changes": { "shelf": "b" } } },
        { "check": { "entity": "Opening", "key": {} } },
    ] });
    let done = server.send(Method::POST, TRANSACTIONS, steps).await;
    expect![[r#"
        200
        {
          "items": [
            {
              "$entity": "Item",
              "createdAt": "…",
              "name": "item 1",
              "number": 1,
              "price": 0,
              "shelf": "a",
              "state": "draft",
              "stock": 9,
              "updatedAt": "…",
              "version": 2
            },
            {
              "$entity": "Item",
              "createdAt": "…",
              "name": "item 2",
              "number": 2,
              "price": 0,
              "shelf": "b",
              "state": "draft",
              "stock": 10,
              "updatedAt": "…",
              "version": 2
            },
            null
          ]
        }"#]]
    .assert_eq(&done.shown());

    let steps = json!({ "operations": [
        { "delete": { "entity": "Opening", "key": {} } },
        { "create": { "entity": "Item", "fields": item(1) } },
    ] });
    let refused = server.send(Method::POST, TRANSACTIONS, steps).await;
    expect![[r#"
        409
        {
          "type": "about:blank",
          "title": "Conflict",
          "status": 409,
          "code": "already_exists",
          "detail": "operation 1 (counted from 0) failed, so nothing was written: this Item already exists",
          "traceId": "…",
          "errors": [
            {
              "field": "operations[1]",
              "message": "this Item already exists"
            }
          ]
        }"#]]
    .assert_eq(&refused.shown());
    assert_eq!(server.get("/api/shop/entities/Opening/-").await.status, 200);

    let stale = json!({ "operations": [{ "delete": { "entity": "Item", "key": key(1), "version": 1 } }] });
    assert_eq!(server.send(Method::POST, TRANSACTIONS, stale).await.status, 412);
}

async fn a_wrong_transaction_is_explained(on: On) {
    let server = Server::start(on).await;
    let many: Vec<Json> =
        (0..101).map(|n| json!({ "create": { "entity": "Item", "fields": item(n) } })).collect();
    for operations in [
        json!([]),
        json!([{}]),
        json!([{ "upsert": {} }]),
        json!([{ "create": { "entity": "Item" } }]),
        json!([{ "create": { "entity": "Item", "fields": item(1), "version": 1 } }]),
        json!([{ "check": { "entity": "Item", "key": { "shelf": "a", "number": 1 }, "version": 1 } }]),
        json!([{ "delete": { "entity": "Item", "key": { "shelf": "a", "number": 1 }, "changes": { "a": 1 } } }]),
        json!([{ "put": { "entity": "Item", "fields": item(1) } }, { "put": { "entity": "Item", "fields": item(1) } }]),
        Json::Array(many),
    ] {
        let answer = server.send(Method::POST, TRANSACTIONS, json!({ "operations": operations })).await;
        assert_eq!(answer.status, 400, "{operations}: {answer:?}");
    }
    let unknown = json!({ "operations": [{ "create": { "entity": "Itme", "fields": {} } }] });
    assert_eq!(
        refusal(&server.send(Method::POST, TRANSACTIONS, unknown).await),
        (404, "unknown_entity".to_owned())
    );
}
