//! Nothing typed is lost: forms that are shown again after an expired session or a change of language without scripts.

use axum::http::Method;
use hansang_server::Settings;
use serde_json::json;

use hansang_testserver::{On, SHOP, Server, Visitor, has, lacks, settings};

/// A shop whose items have every kind of field with rows, a reference and a time of expiry.
fn shop() -> String {
    let more = "      words:  { map: { list: string }, optional: true }\n      due:    timestamp?\n      month:  month?\n      flags:  { map: bool, optional: true }\n      code:   {";
    SHOP.replace("      code:   {", more)
}

/// On one store: forms do not depend on it.
#[tokio::test]
async fn every_form_keeps_what_was_typed() {
    let server = Server::with(On::Embedded, &[&shop()], settings()).await;
    let body = json!({ "shelf": "a", "number": 7, "name": "before", "ttl": 4_000_000_000_i64, "words": { "a": ["b"] } });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", body).await.status, 201);
    let grants = json!({ "login": "other", "name": "Other", "password": "long enough pw", "grants": {} });
    let made = server.call(Method::POST, "/api/access/accounts", &server.admin, Some(grants), &[]).await;
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    for page in [
        "/console/systems/shop/entities/Item/new",
        "/console/systems/shop/entities/Opening/new",
        "/console/systems/shop/entities/Item/change?shelf=a&number=7",
        "/console/systems/shop/import",
        "/console/settings",
        "/console/settings/tokens",
        "/console/settings/accounts/new",
        &format!("/console/settings/accounts/{id}"),
    ] {
        assert!(admin.keeps_typed(page).await > 0, "{page} has no fields");
    }
}

/// Pages of visitors who are not signed in answer a change of language themselves.
#[tokio::test]
async fn sign_in_keeps_its_fields_over_a_change_of_language() {
    let server = Server::start(On::Embedded).await;
    let away = Visitor::signed_out(&server);
    has(
        &away.get("/console/sign-in").await,
        &["formaction=\"/console/sign-in\"", "value=\"ko\" lang=\"ko\""],
    );
    let typed = [
        ("login", "kim"),
        ("password", "hunter2"),
        (".language", "ko"),
        ("next", "/console/settings"),
        (".page", "/console/systems/shop/entities/Item/new"),
        ("kept.shelf", "aisle"),
    ];
    let again = away.post("/console/sign-in", &typed).await;
    assert_eq!(again.status, 200, "{}", again.text);
    has(
        &again,
        &[
            "로그인</h1>",
            "value=\"kim\"",
            "name=\"kept.shelf\" value=\"aisle\"",
            "value=\"/console/settings\"",
        ],
    );
    lacks(&again, &["hunter2"]);
    assert!(again.header("set-cookie").contains("=ko;"), "{}", again.header("set-cookie"));
    let set_up =
        away.post("/set-up", &[("login", "first"), ("name", "Kim"), (".language", "ko"), ("key", "k")]).await;
    has(&set_up, &["첫 관리자를 만듭니다", "value=\"first\"", "value=\"Kim\"", "name=\"key\" value=\"k\""]);
}

/// A large form can be signed in with, if its page takes it.
#[tokio::test]
async fn large_forms_survive_an_expired_session() {
    let server = Server::with(On::Embedded, &[SHOP], Settings { max_body: 16 * 1024, ..settings() }).await;
    let text = format!("$entity,hours\nOpening,{}\n", "9-18 ".repeat(8 * 1024));
    let expired = Visitor { cookie: "hansang_session=gone".to_owned(), ..Visitor::signed_out(&server) };
    let refused = expired.post("/console/systems/shop/import", &[("text", &text)]).await;
    assert_eq!(refused.status, 401, "{}", refused.text);
    has(&refused, &["name=\"kept.text\""]);
    let sent = [
        (".page", "/console/systems/shop/import"),
        ("kept.text", &*text),
        ("login", "editor"),
        ("password", "correct horse"),
    ];
    let back = Visitor::signed_out(&server).post("/console/sign-in", &sent).await;
    assert_eq!(back.status, 200, "{}", back.text);
    has(&back, &["name=\"text\" value=\"$entity,hours"]);
}

/// A time of expiry is stored in seconds since the epoch, and shown and entered as a time.
#[tokio::test]
async fn times_of_expiry_are_times() {
    let server = Server::with(On::Embedded, &[SHOP], settings()).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let new = "/console/systems/shop/entities/Item/new";
    has(&editor.get(new).await, &["name=\"ttl\" type=\"datetime-local\"", "Time zone: UTC"]);
    let item = [("shelf", "a"), ("number", "7"), ("name", "Milk"), ("ttl", "2096-10-02T07:06:40")];
    assert_eq!(editor.post(new, &item).await.status, 303);
    let stored = server.get("/api/shop/entities/Item/a/7").await.json();
    assert_eq!(stored["ttl"], 4_000_000_000_i64);
    for page in [
        "/console/systems/shop/entities/Item/record?shelf=a&number=7",
        "/console/systems/shop/entities/Item/views/itemsOfShelf?shelf=a",
    ] {
        let shown = editor.get(page).await;
        has(&shown, &["datetime=\"2096-10-02T07:06:40Z\""]);
        lacks(&shown, &["4,000,000,000"]);
    }
    let change = "/console/systems/shop/entities/Item/change?shelf=a&number=7";
    has(&editor.get(change).await, &["value=\"2096-10-02T07:06:40\""]);
}
