//! Access to the ports of a server. `crates/remote` tests what they do.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::Method;
use hansang_core::compile;
use hansang_server::Lent;
use serde_json::{Value as Json, json};

use hansang_testserver::On;
use hansang_testserver::Response;
use hansang_testserver::{SHOP, Server};

const GET: &str = "/api/server/ports/store/get";

/// A server that lends its table `shop`.
async fn lending() -> Server {
    let mut server = Server::start(On::Embedded).await;
    let shop = compile(SHOP.as_bytes()).unwrap().table.in_env(None);
    let lent = Lent { store: server.store.clone(), tables: vec![shop.into()], queues: BTreeMap::new() };
    server.app.lend(lent);
    server.load(&[SHOP]).await;
    server
}

fn one() -> Json {
    let get = json!({ "key": { "pk": "SHELF#a", "sk": "ITEM#0001" }, "consistent": true });
    json!({ "on": "Shop", "arguments": [get] })
}

async fn call(server: &Server, path: &str, token: &str, body: Json) -> Response {
    server.call(Method::POST, path, token, Some(body), &[]).await
}

/// Ports are not served unless they are enabled.
#[tokio::test]
async fn ports_are_disabled_by_default() {
    let server = Server::start(On::Embedded).await;
    for path in [GET, "/api/server/ports/queue/depth"] {
        let answer = call(&server, path, &server.admin, one()).await;
        assert_eq!((answer.status, &answer.json()["code"]), (404, &json!("no_such_path")));
    }
}

/// Ports bypass the rules of all systems, so they need the administrator's role of every system.
#[tokio::test]
async fn ports_need_an_administrator_of_every_system() {
    let server = lending().await;
    for (token, status) in [("", 401), (&*server.viewer, 403), (&*server.editor, 403), (&*server.admin, 200)]
    {
        for path in [GET, "/api/server/ports/queue/depth"] {
            let body = if path == GET { one() } else { json!({ "on": "entry", "arguments": [] }) };
            assert_eq!(call(&server, path, token, body).await.status, status, "{path}");
        }
    }
}

/// Only Hansang creates plans, so the API's description does not contain the ports.
#[tokio::test]
async fn ports_are_not_in_the_description() {
    let server = lending().await;
    let paths = server.document["paths"].as_object().unwrap();
    assert!(paths.keys().all(|path| !path.contains("/ports/")));
}

#[tokio::test]
async fn a_call_is_answered_by_the_store() {
    let server = lending().await;
    let answer = call(&server, GET, &server.admin, one()).await;
    assert_eq!(answer.json(), json!({ "ok": [{ "item": [null] }] }));
    let item = json!({ "shelf": "a", "number": 1, "name": "n" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", item).await.status, 201);
    let answer = call(&server, GET, &server.admin, one()).await;
    assert_eq!(answer.json()["ok"][0]["item"][0]["name"], json!({ "S": "n" }));
    let accounts = json!({ "on": "HansangAccess", "arguments": one()["arguments"] });
    let answer = call(&server, GET, &server.admin, accounts).await;
    assert_eq!(answer.json()["error"][0]["invalid"][0]["code"], "unknown_table");
}

/// An invalid call is rejected before it reaches the store.
#[tokio::test]
async fn invalid_calls_are_rejected() {
    let server = lending().await;
    let bearer = format!("Bearer {}", server.admin);
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    for (path, body, status, code) in [
        ("/api/server/ports/store/drop-table", one().to_string(), 400, "malformed_call"),
        (GET, json!({ "arguments": one()["arguments"] }).to_string(), 400, "malformed_call"),
        (GET, json!({ "on": "Shop" }).to_string(), 400, "malformed_call"),
        (GET, json!({ "on": "Shop", "arguments": [{ "key": 1 }] }).to_string(), 400, "malformed_call"),
        (GET, "{".to_owned(), 400, "malformed_json"),
        (GET, " ".repeat(17 * 1024 * 1024), 413, "body_too_large"),
    ] {
        let answer = server.raw(Method::POST, path, &headers, Body::from(body)).await;
        assert_eq!((answer.status, &answer.json()["code"]), (status, &json!(code)), "{path}");
    }
    let plain = [("authorization", bearer.as_str())];
    let answer = server.raw(Method::POST, GET, &plain, Body::from(one().to_string())).await;
    assert_eq!(answer.status, 415);
    assert_eq!(server.call(Method::GET, GET, &server.admin, None, &[]).await.status, 405);
}
