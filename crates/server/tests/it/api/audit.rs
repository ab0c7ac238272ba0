//! What the audit log says: the keys that were written, what was refused, and that nothing stays open.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request};
use futures_util::StreamExt as _;
use hansang_access::AccountChange;
use hansang_server::Settings;
use hansang_testserver::running::soon;
use hansang_testserver::{On, SHOP, Server, Visitor, ok, refusal, settings};
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};
use tokio::sync::Notify;
use tower::ServiceExt as _;

hansang_testserver::on_each_store! {
    entries_name_the_keys_that_were_written,
    an_import_is_named_by_its_counts_and_hash,
    refused_attempts_are_in_the_log,
    what_a_handler_refuses_is_in_the_log_once,
    what_a_token_creates_names_the_token,
    work_ends_when_its_client_hangs_up,
    a_token_acts_in_its_own_systems_only,
    a_stream_ends_when_its_account_is_disabled,
    several_hosts_are_refused,
}

/// The entries of a system, newest first.
async fn log(server: &Server, system: &str) -> Vec<Json> {
    let path = format!("/api/access/audit?system={system}");
    let log = ok(server.call(Method::GET, &path, &server.admin, None, &[]).await);
    log["items"].as_array().unwrap().clone()
}

async fn entries_name_the_keys_that_were_written(on: On) {
    let server = Server::start(on).await;
    let item = json!({ "shelf": "a", "number": 1, "name": "one", "code": "x" });
    ok(server.send(Method::POST, "/api/shop/entities/Item", item).await);
    ok(server.send(Method::PATCH, "/api/shop/entities/Item/a/1", json!({ "name": "two" })).await);
    let create =
        json!({ "create": { "entity": "Item", "fields": { "shelf": "b", "number": 2, "name": "b" } } });
    let put = json!({ "put": { "entity": "Opening", "fields": { "hours": "9-5" } } });
    let both = json!({ "operations": [create, put] });
    ok(server.send(Method::POST, "/api/shop/transactions", both).await);
    let keys: Vec<Json> = log(&server, "shop").await.iter().map(|entry| entry["keys"].clone()).collect();
    assert_eq!(keys[0], json!(["SHELF#b / ITEM#0002", "SHOP / OPENING"]));
    assert_eq!(keys[1], json!(["SHELF#a / ITEM#0001"]));
    let created = keys[2].as_array().unwrap();
    assert_eq!((created.len(), &created[0]), (2, &json!("SHELF#a / ITEM#0001")), "the second is the pointer");
    // Keys of accounts contain hashes of secrets.
    assert!(log(&server, "access").await.iter().all(|entry| entry["keys"] == json!([])));
}

async fn an_import_is_named_by_its_counts_and_hash(on: On) {
    let server = Server::start(on).await;
    let lines =
        "{\"$entity\":\"Item\",\"shelf\":\"a\",\"number\":1,\"name\":\"one\"}\n{\"$entity\":\"Item\"}\n";
    let token = format!("Bearer {}", server.editor);
    let headers = [("authorization", &*token), ("content-type", "application/x-ndjson")];
    ok(server.raw(Method::POST, "/api/shop/import?format=records", &headers, lines.into()).await);
    let entry = &log(&server, "shop").await[0];
    let hash: String = Sha256::digest(lines).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(entry["detail"], json!(format!("stored 1, refused 1, sha256 {hash}")));
    assert_eq!(entry["keys"], json!(["SHELF#a / ITEM#0001"]));
}

async fn refused_attempts_are_in_the_log(on: On) {
    let server = Server::start(on).await;
    let body = Some(json!({ "hours": "9-5" }));
    let path = "/api/shop/entities/Opening/-";
    let refused = server.call(Method::PUT, path, &server.viewer, body, &[]).await;
    assert_eq!(refusal(&refused), (403, "role_missing".to_owned()));
    let accounts = server.call(Method::GET, "/api/access/accounts", &server.viewer, None, &[]).await;
    assert_eq!(accounts.status, 403);
    let shown = |entry: &Json| ["actorName", "operation", "outcome", "code"].map(|name| entry[name].clone());
    assert_eq!(shown(&log(&server, "shop").await[0]), ["viewer", "Opening.put", "REFUSED", "role_missing"]);
    let attempt = &log(&server, "access").await[0];
    assert_eq!(shown(attempt), ["viewer", "listAccounts", "REFUSED", "role_missing"]);
}

/// A refusal that has an entry of its own gets no second one.
async fn what_a_handler_refuses_is_in_the_log_once(on: On) {
    let server = Server::start(on).await;
    let body = Some(json!({ "old": "correct horse", "new": "battery staple" }));
    let refused = server.call(Method::PUT, "/api/access/password", &server.editor, body, &[]).await;
    assert_eq!(refusal(&refused), (403, "session_needed".to_owned()), "{refused:?}");
    let of_editor = |entry: &&Json| entry["actorName"] == "editor" && entry["outcome"] == "REFUSED";
    let entries: Vec<Json> = log(&server, "access").await.iter().filter(of_editor).cloned().collect();
    assert_eq!((entries.len(), &entries[0]["code"]), (1, &json!("session_needed")), "{entries:?}");
}

/// Records created with an administrator's token are in the log with the id of the token.
async fn what_a_token_creates_names_the_token(on: On) {
    let server = Server::start(on).await;
    let tokens = ok(server.call(Method::GET, "/api/access/tokens", &server.admin, None, &[]).await);
    let token = tokens["items"][0]["id"].as_str().unwrap().to_owned();
    let account = json!({ "login": "park", "name": "Park", "password": "a long password", "grants": {} });
    ok(server.call(Method::POST, "/api/access/accounts", &server.admin, Some(account), &[]).await);
    let log = log(&server, "access").await;
    let entry = log.iter().find(|entry| entry["operation"] == "createAccount").unwrap();
    assert_eq!((&entry["via"], &entry["viaId"]), (&json!("token"), &json!(token)), "{entry}");
}

/// A client that hangs up in the middle leaves no entry `STARTED`.
async fn work_ends_when_its_client_hangs_up(on: On) {
    let server = Server::start(on).await;
    let (begun, body) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (signal, gate) = (begun.clone(), body.clone());
    // The body tells when it is read, and ends when the client is gone.
    let chunks = futures_util::stream::once(async move {
        signal.notify_one();
        gate.notified().await;
        Ok::<_, std::io::Error>("{\"$entity\":\"Item\",\"shelf\":\"a\",\"number\":1,\"name\":\"one\"}\n")
    });
    let request = Request::post("/api/shop/import?format=records")
        .header("authorization", format!("Bearer {}", server.editor))
        .header("content-type", "application/x-ndjson")
        .body(Body::from_stream(chunks))
        .unwrap();
    let mut answer = Box::pin(server.app.router().oneshot(request));
    tokio::select! {
        _ = &mut answer => unreachable!("the body has not ended"),
        () = soon(begun.notified()) => {}
    }
    drop(answer);
    body.notify_one();
    let outcome = soon(async {
        loop {
            match log(&server, "shop").await.first().map(|entry| entry["outcome"].clone()) {
                Some(outcome) if outcome != "STARTED" => return outcome,
                _ => tokio::task::yield_now().await,
            }
        }
    });
    assert_eq!(outcome.await, "DONE");
    assert_eq!(ok(server.get("/api/shop/entities/Item/a/1").await)["name"], "one");
}

async fn a_token_acts_in_its_own_systems_only(on: On) {
    let server = Server::with(on, &[SHOP], settings()).await;
    let answer = server.call(Method::GET, "/api/access/tokens", &server.viewer, None, &[]).await;
    assert_eq!(answer.status, 403, "{}", answer.text);
    let bearer = format!("Bearer {}", server.viewer);
    let form = [("authorization", &*bearer), ("content-type", "application/x-www-form-urlencoded")];
    let page = server.page(Method::GET, "/console/settings/tokens", &form[..1], Body::empty()).await;
    assert_eq!(page.status, 403);
    let answer = server.page(Method::POST, "/console/settings", &form, Body::empty()).await;
    assert_eq!(answer.status, 403, "a page of no system of the token");
}

async fn a_stream_ends_when_its_account_is_disabled(on: On) {
    let server = Server::with(on, &[SHOP], Settings { ..settings() }).await;
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let request = Request::get("/console/live").header("cookie", &visitor.cookie);
    let request = request.header("accept", "text/event-stream").body(Body::empty()).unwrap();
    let response = server.app.router().oneshot(request).await.unwrap();
    let mut events = response.into_body().into_data_stream();
    let account = server.access.account_by_login("viewer").await.unwrap().unwrap();
    let disabled = AccountChange { disabled: Some(true), ..AccountChange::default() };
    server.access.change_account(&account.id, disabled).await.unwrap();
    server.later(Duration::from_secs(5));
    let ended = async { while events.next().await.is_some() {} };
    soon(ended).await;
}

async fn several_hosts_are_refused(on: On) {
    let server = Server::start(on).await;
    let hosts = [("host", "one.example"), ("host", "two.example")];
    let answer = server.raw(Method::GET, "/api/openapi.json", &hosts, Body::empty()).await;
    assert_eq!(refusal(&answer), (400, "several_hosts".to_owned()));
}
