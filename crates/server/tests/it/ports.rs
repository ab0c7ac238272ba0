//! Who may use the ports of a server, and what of them. What they do is tried where they are used:
//! in `crates/remote`.

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

/// A server that lends the table of its shop.
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

/// Nobody gets in by the back door of a server that was not told to have one.
#[tokio::test]
async fn nothing_is_lent_unless_it_is_said() {
    let server = Server::start(On::Embedded).await;
    for path in [GET, "/api/server/ports/queue/depth"] {
        let answer = call(&server, path, &server.admin, one()).await;
        assert_eq!((answer.status, &answer.json()["code"]), (404, &json!("no_such_path")));
    }
}

/// The way goes past every rule of every system, so it is for those who may do everything.
#[tokio::test]
async fn only_an_administrator_of_every_system_may() {
    let server = lending().await;
    for (token, status) in [("", 401), (&*server.viewer, 403), (&*server.editor, 403), (&*server.admin, 200)]
    {
        for path in [GET, "/api/server/ports/queue/depth"] {
            let body = if path == GET { one() } else { json!({ "on": "entry", "arguments": [] }) };
            assert_eq!(call(&server, path, token, body).await.status, status, "{path}");
        }
    }
}

/// Plans are made by Hansang alone: whoever reads the API's description does not learn of this.
#[tokio::test]
async fn it_is_no_part_of_the_description() {
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

/// What cannot be a call says so, and never reaches the store.
#[tokio::test]
async fn what_is_no_call_is_refused() {
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
