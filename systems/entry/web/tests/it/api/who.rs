//! Permissions, user ids, and operations that no role may call.

use axum::http::Method;
use hansang_core::{CoreCode, Error, Message};
use hansang_entry::{Entrant, Gate};
use serde_json::json;

use super::{EVENTS, REQUESTS, entered, everything, first_come, guests, lottery, own};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::{ok, refusal};

hansang_testserver::on_each_store! {
    requests_of_other_users_are_not_found,
    who_enters_is_who_asks,
    entering_is_audited,
}

/// Es25
async fn requests_of_other_users_are_not_found(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 5).await;
    let [ann, bob] = guests(&server).await;
    let id = entered(&server, "concert", &ann).await;
    let missing = own(&server, "01JZZZZZZZZZZZZZZZZZZZZZZZ", &bob).await;
    assert_eq!(refusal(&missing), (404, "request_unknown".to_owned()));
    // Even administrators see only their own requests here; operators have their own route.
    for who in [&bob, &server.editor, &server.admin] {
        for path in [format!("{REQUESTS}/{id}"), format!("{REQUESTS}/{id}/live")] {
            let answer = server.call(Method::GET, &path, who, None, &[]).await;
            assert_eq!(refusal(&answer), refusal(&missing), "{path}");
            assert_eq!(answer.json()["detail"], missing.json()["detail"]);
        }
    }
    for strange in ["x", "a%23b", "%01", &"x".repeat(500)] {
        assert_eq!(refusal(&own(&server, strange, &ann).await), refusal(&missing), "{strange}");
    }
    let listed = ok(server.call(Method::GET, REQUESTS, &bob, None, &[]).await);
    assert_eq!(listed["items"], json!([]));
}

/// Es25
async fn who_enters_is_who_asks(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 5).await;
    let [ann] = guests(&server).await;
    let path = format!("{EVENTS}/concert/entries");
    let before = everything(&server).await;
    let named = server.call(Method::POST, &format!("{path}?userId=bob"), &ann, None, &[]).await;
    assert_eq!(refusal(&named), (400, "unknown_parameter".to_owned()));
    assert_eq!(everything(&server).await, before);
    let body = Some(json!({ "userId": "bob" }));
    let headers = [("user-id", "bob"), ("x-user", "bob")];
    let taken = ok(server.call(Method::POST, &path, &ann, body, &headers).await);
    let id = taken["requestId"].as_str().unwrap();
    let session = ok(server.call(Method::GET, "/api/access/session", &ann, None, &[]).await);
    let seen = ok(server.get(&format!("/api/entry/operator/requests/{id}")).await);
    assert_eq!(seen["userId"], session["id"], "the same id as in the audit log");
}

#[tokio::test]
async fn all_users_may_enter_and_only_operators_operate() {
    let server = Server::entry(On::Embedded).await;
    first_come(&server, "concert", 5).await;
    let [ann] = guests(&server).await;
    let id = entered(&server, "concert", &ann).await;
    let event = format!("{EVENTS}/concert");
    let anybodys = [EVENTS.to_owned(), event.clone(), REQUESTS.to_owned(), format!("{REQUESTS}/{id}")];
    for path in &anybodys {
        assert_eq!(server.call(Method::GET, path, &ann, None, &[]).await.status, 200, "{path}");
    }
    let viewers = [
        format!("{event}/board"),
        format!("{event}/board/live"),
        format!("{event}/requests"),
        format!("/api/entry/operator/requests/{id}"),
        "/api/entry/dead-letters".to_owned(),
    ];
    let missing = (403, "role_missing".to_owned());
    for path in &viewers {
        assert_eq!(refusal(&server.call(Method::GET, path, &ann, None, &[]).await), missing, "{path}");
    }
    let editors = [
        (Method::POST, EVENTS.to_owned()),
        (Method::PUT, format!("{event}/places")),
        (Method::POST, format!("{event}/pause")),
        (Method::POST, format!("{event}/resume")),
        (Method::POST, format!("{event}/close")),
        (Method::POST, format!("{event}/announce")),
        (Method::POST, format!("{event}/draw")),
        (Method::POST, format!("{REQUESTS}/{id}/redrive")),
        (Method::POST, "/api/entry/dead-letters/redrive".to_owned()),
    ];
    let before = everything(&server).await;
    for (method, path) in &editors {
        for who in [&ann, &server.viewer] {
            let answer = server.call(method.clone(), path, who, Some(json!({})), &[]).await;
            assert_eq!(refusal(&answer), missing, "{method} {path}");
        }
    }
    let reads = anybodys.iter().chain(&viewers).map(|path| (Method::GET, path.clone()));
    let enter = (Method::POST, format!("{event}/entries"));
    for (method, path) in reads.chain(editors).chain([enter]) {
        let answer = server.call(method.clone(), &path, "", Some(json!({})), &[]).await;
        assert_eq!(refusal(&answer), (401, "not_signed_in".to_owned()), "{method} {path}");
    }
    assert_eq!(everything(&server).await, before);
}

/// Records are read like those of any model, and written only by the operations.
#[tokio::test]
async fn only_the_verbs_write() {
    let server = Server::entry(On::Embedded).await;
    first_come(&server, "concert", 5).await;
    let record = "/api/entry/entities/Event/concert";
    assert_eq!(ok(server.get(record).await)["title"], "Concert");
    for (method, path) in [
        (Method::POST, "/api/entry/entities/Event"),
        (Method::PUT, record),
        (Method::PATCH, record),
        (Method::DELETE, record),
        (Method::POST, "/api/entry/transactions"),
        (Method::POST, "/api/entry/import"),
    ] {
        let answer = server.call(method.clone(), path, &server.admin, Some(json!({})), &[]).await;
        assert!([404, 405].contains(&answer.status), "{method} {path}: {answer:?}");
    }
}

/// A user who knew the seed before the cut-off could choose a request that wins.
#[tokio::test]
async fn the_seed_of_a_draw_is_never_returned() {
    let server = Server::entry(On::Embedded).await;
    lottery(&server, "raffle", 1).await;
    let stored = everything(&server).await.0;
    let seed = stored["EVENT#raffle / SEED"]["seed"]["S"].as_str().unwrap().to_owned();
    for path in ["/api/entry/entities/DrawSeed/raffle", "/api/entry/patterns/drawSeed?eventId=raffle"] {
        let answer = server.call(Method::GET, path, &server.admin, None, &[]).await;
        assert_eq!(answer.status, 404, "{path}");
    }
    for path in [
        "/api/entry/export",
        "/api/entry/export?format=records",
        "/api/entry/patterns/event?eventId=raffle",
        "/api/entry/events",
        "/api/entry/events/raffle",
        "/api/entry/events/raffle/board",
        "/api/openapi.json",
    ] {
        let answer = server.call(Method::GET, path, &server.admin, None, &[]).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(!answer.text.contains(&seed), "{path}");
    }
    let exported = server.get("/api/entry/export").await.text;
    assert_eq!(exported.lines().count(), stored.len() - 1, "everything except the secret is exported");
    assert!(!server.document.to_string().contains("DrawSeed"));
}

async fn entering_is_audited(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 5).await;
    let [ann, bob] = guests(&server).await;
    let id = entered(&server, "concert", &ann).await;
    // A second entry writes nothing.
    assert_eq!(entered(&server, "concert", &ann).await, id);
    ok(super::operate(&server, "concert", "pause").await);
    assert_eq!(refusal(&super::enter(&server, "concert", &bob).await), (409, "event_paused".to_owned()));
    let log = server.call(Method::GET, "/api/access/audit?system=entry", &server.admin, None, &[]).await;
    let log = ok(log)["items"].as_array().unwrap().clone();
    let mut seen: Vec<_> = log
        .iter()
        .map(|one| ["operation", "outcome", "subject"].map(|name| one[name].as_str().unwrap().to_owned()))
        .collect();
    seen.sort_unstable();
    let expected = [
        ["event.create", "DONE", "concert"],
        ["event.enter", "DONE", "concert"],
        ["event.enter", "REFUSED", "concert"],
        ["event.pause", "DONE", "concert"],
    ];
    assert_eq!(seen, expected);
    let entry = log.iter().find(|one| one["operation"] == "event.enter" && one["outcome"] == "DONE").unwrap();
    let session = ok(server.call(Method::GET, "/api/access/session", &ann, None, &[]).await);
    assert_eq!(entry["actor"], session["id"]);
    let keys: Vec<_> = entry["keys"].as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect();
    assert!(keys.contains(&&*format!("REQ#{id} / META")), "{keys:?}");
    assert!(keys.iter().any(|key| key.starts_with("IDEMP#concert#")), "{keys:?}");
    let metrics = server.call(Method::GET, "/metrics", &server.admin, None, &[]).await.text;
    assert!(metrics.contains("event.enter"), "it is counted: {metrics}");
}

/// An entry that cannot be logged is not accepted, and the next attempt is.
#[tokio::test]
async fn an_entry_and_its_audit_entry_are_one_transaction() {
    let server = Server::entry(On::Embedded).await;
    first_come(&server, "concert", 5).await;
    let [ann] = guests(&server).await;
    let before = everything(&server).await;
    let no_log = || Error::unavailable(CoreCode::Throttled, Message::raw("the log cannot be written"));
    let db = server.entry.db.alongside_keys(move |_| Err(no_log()));
    let entrant = Entrant { user_id: "ann".to_owned(), db };
    let error = Gate::new(server.entry.clone()).submit_entrant("concert", entrant).await.unwrap_err();
    assert_eq!(error.code, CoreCode::Throttled);
    assert_eq!(everything(&server).await, before);
    entered(&server, "concert", &ann).await;
}
