//! Events over HTTP.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::{Method, Request};
use futures_util::StreamExt as _;
use hansang_access::{Grants, NewAccount, NewToken, Origin, Secret};
use hansang_core::db::Operation;
use hansang_core::plan::{Change, Path, Scan};
use hansang_core::value::json::item_to_typed;
use hansang_core::write::Update;
use hansang_entry::{Decided, Entry, decide};
use serde_json::{Value as Json, json};
use tower::ServiceExt as _;

use crate::server::Server;
use hansang_testserver::running::soon;
use hansang_testserver::{Response, ok};

mod batches;
mod damaged;
mod enter;
mod follow;
mod letters;
mod lottery;
mod operate;
mod refusals;
mod who;

const EVENTS: &str = "/api/entry/events";
const REQUESTS: &str = "/api/entry/requests";
const HOUR: Duration = Duration::from_secs(3600);

fn entry(server: &Server) -> &Entry {
    &server.entry
}

/// A time this many seconds from now.
fn from_now(server: &Server, seconds: i64) -> String {
    let now = entry(server).db.clock().moment().now;
    (now + jiff::SignedDuration::from_secs(seconds)).to_string()
}

/// Creates an event that is open for an hour and has no settle window.
async fn first_come(server: &Server, id: &str, places: i64) -> Json {
    let body = json!({
        "eventId": id, "title": "Concert", "eventType": "FIRST_COME", "capacityTotal": places,
        "opensAt": from_now(server, -60), "closesAt": from_now(server, 3600), "settleSeconds": 0,
    });
    ok(server.send(Method::POST, EVENTS, body).await)
}

/// Creates a lottery that collects entries for an hour.
async fn lottery(server: &Server, id: &str, winners: i64) -> Json {
    let body = json!({
        "eventId": id, "title": "Raffle", "eventType": "LOTTERY", "winners": winners,
        "opensAt": from_now(server, -60), "lotteryCutoffAt": from_now(server, 3600),
        "closesAt": from_now(server, 7200), "settleSeconds": 0,
    });
    ok(server.send(Method::POST, EVENTS, body).await)
}

async fn enter(server: &Server, event: &str, token: &str) -> Response {
    server.call(Method::POST, &format!("{EVENTS}/{event}/entries"), token, None, &[]).await
}

/// Enters an event, and returns the id of the request.
async fn entered(server: &Server, event: &str, token: &str) -> String {
    let answer = ok(enter(server, event, token).await);
    answer["requestId"].as_str().unwrap().to_owned()
}

async fn own(server: &Server, request: &str, token: &str) -> Response {
    server.call(Method::GET, &format!("{REQUESTS}/{request}"), token, None, &[]).await
}

async fn operate(server: &Server, event: &str, verb: &str) -> Response {
    server.call(Method::POST, &format!("{EVENTS}/{event}/{verb}"), &server.editor, None, &[]).await
}

/// Decides everything that is due.
async fn decide_all(server: &Server, event: &str) {
    let moment = entry(server).db.clock().moment();
    let owner = format!("test-{}", moment.random);
    while decide(entry(server), event, &owner, &[]).await.unwrap() == Decided::More {}
}

/// Accounts without roles, each with a token, like those of participants.
async fn guests<const N: usize>(server: &Server) -> [String; N] {
    let origin = Origin { address: [127, 0, 0, 1].into(), trace: "test".to_owned() };
    let mut tokens = Vec::new();
    for number in 0..N {
        let login = format!("guest-{number}");
        let password = || Secret::new("correct horse");
        let (name, grants) = (login.clone(), Grants::default());
        let new = NewAccount { login: login.clone(), name, password: password(), grants };
        server.access.create_account(new).await.unwrap();
        let signed_in = server.access.sign_in(&login, "correct horse", &origin).await.unwrap();
        let expires = entry(server).db.clock().moment().now + Duration::from_secs(20 * 3600);
        let new = NewToken { name: login, grants: Grants::default(), expires };
        let created = server.access.create_token(&signed_in.identity, new).await.unwrap();
        tokens.push(created.secret.expose().to_owned());
    }
    tokens.try_into().unwrap()
}

/// All stored items, and the number of messages in the queue.
async fn everything(server: &Server) -> (BTreeMap<String, Json>, [u64; 3]) {
    let Entry { db, queue, .. } = entry(server);
    let mut items = BTreeMap::new();
    let mut start = None;
    loop {
        let scan = Scan { index: None, limit: 500, start, consistent: true };
        let page = db.store().scan(db.table(), &scan).await.unwrap();
        for item in &page.items {
            let key = ["PK", "SK"].map(|name| item[name].as_str().unwrap().to_owned());
            items.insert(key.join(" / "), item_to_typed(item));
        }
        start = page.next;
        if start.is_none() {
            break;
        }
    }
    let depth = queue.depth().await.unwrap();
    (items, [depth.visible, depth.hidden, depth.dead])
}

/// Changes the stored status of a request.
async fn put_to(server: &Server, request: &str, changes: &[(&str, &str)]) {
    let key = [("requestId".into(), request.into())].into_iter().collect();
    let change = |(name, value): &(&str, &str)| {
        (Path { root: (*name).into(), inside: Vec::new() }, Change::Set((*value).into()))
    };
    let changes = changes.iter().map(change).collect();
    let update = Update { key, changes, expected_version: None };
    let update = Operation::Update { entity: "Request".into(), update, guards: Vec::new() };
    entry(server).db.commit(vec![update]).await.unwrap();
}

/// A request that no worker could decide.
async fn failed(server: &Server, event: &str, token: &str) -> String {
    let id = entered(server, event, token).await;
    put_to(server, &id, &[("status", "PROCESSING")]).await;
    let end = [
        ("status", "FAILED_FINAL"),
        ("resultCode", "FAILED_WORKER"),
        ("failureClass", "NON_RETRYABLE"),
        ("errorCode", "FAILED_WORKER"),
        ("errorMessage", "undecided"),
    ];
    put_to(server, &id, &end).await;
    id
}

/// A stream of server-sent events.
struct Stream(BodyDataStream);

impl Stream {
    async fn open(server: &Server, path: &str, token: &str) -> Self {
        let request = Request::get(path).header("authorization", format!("Bearer {token}"));
        let request = request.body(Body::empty()).unwrap();
        let response = server.app.router().oneshot(request).await.unwrap();
        let media = response.headers()["content-type"].to_str().unwrap();
        assert_eq!((response.status().as_u16(), media), (200, "text/event-stream"));
        Self(response.into_body().into_data_stream())
    }

    /// The data of the next event, which must have this name; `None` at the end.
    async fn next(&mut self, name: &str) -> Option<Json> {
        let bytes = soon(self.0.next()).await?.unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let data = text.strip_prefix(&format!("event: {name}\ndata: ")).unwrap_or_else(|| panic!("{text}"));
        Some(serde_json::from_str(data.trim()).unwrap())
    }
}
