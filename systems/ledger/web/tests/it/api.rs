//! The API, as programs use it. Every response is compared with the description.

mod entries;
mod files;
mod plans;
mod refusals;
mod reports;
mod together;
mod who;

use std::sync::Arc;

use axum::body::Body;
use axum::http::Method;
use hansang_ledger::Ledger;
use hansang_ledger_web::LedgerSystem;
use hansang_testserver::{On, Response, Server, ok, settings};
use serde_json::{Value as Json, json};

const API: &str = "/api/ledger";

async fn start(on: On) -> Server {
    Server::of_system(on, Arc::new(LedgerSystem), settings()).await
}

fn ledger(server: &Server) -> Ledger {
    Ledger::new(server.db(hansang_ledger::MODEL))
}

async fn get(server: &Server, path: &str) -> Json {
    ok(server.get(&format!("{API}/{path}")).await)
}

async fn send(server: &Server, method: Method, path: &str, body: Json) -> Response {
    server.send(method, &format!("{API}/{path}"), body).await
}

/// A request of the editor without a body.
async fn order(server: &Server, method: Method, path: &str) -> Response {
    server.call(method, &format!("{API}/{path}"), &server.editor, None, &[]).await
}

/// Uploads a file.
async fn upload(server: &Server, path: &str, bytes: impl Into<Body>) -> Response {
    let bearer = format!("Bearer {}", server.editor);
    let headers = [("authorization", &*bearer), ("content-type", "application/octet-stream")];
    server.raw(Method::POST, &format!("{API}/{path}"), &headers, bytes.into()).await
}

/// A line of food.
fn food(date: &str, text: &str, amount: i64) -> Json {
    json!({ "kind": "LIVING_EXPENSE", "name": "식비", "date": date, "text": text, "amount": amount })
}

/// Adds a line.
async fn add(server: &Server, line: Json) -> Json {
    let added = send(server, Method::POST, "lines", line).await;
    assert_eq!(added.status, 201, "{added:?}");
    added.json()
}

/// No month differs from its lines.
async fn is_right(server: &Server) {
    let check = ok(send(server, Method::POST, "recalculate", json!({ "check": true })).await);
    assert_eq!(check["problems"], json!([]), "{check}");
}

/// A part of a path.
fn part(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
