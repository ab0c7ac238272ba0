//! Notifications of changes, and that open streams block nothing.

use axum::body::{Body, BodyDataStream};
use axum::http::{Method, Request};
use futures_util::StreamExt as _;
use hansang_server::Settings;
use serde_json::json;
use tower::ServiceExt as _;

use hansang_testserver::On;
use hansang_testserver::Visitor;
use hansang_testserver::running::soon;
use hansang_testserver::{SHOP, Server, settings};

/// The stream of a visitor.
async fn news(visitor: &Visitor<'_>) -> BodyDataStream {
    let request = Request::get("/console/live").header("cookie", &visitor.cookie);
    let request = request.header("accept-language", visitor.language);
    let request = request.header("accept", "text/event-stream").body(Body::empty()).unwrap();
    let response = visitor.server.app.router().oneshot(request).await.unwrap();
    assert_eq!(
        (response.status().as_u16(), &response.headers()["content-type"]),
        (200, &"text/event-stream".parse().unwrap())
    );
    response.into_body().into_data_stream()
}

#[tokio::test]
async fn changes_are_sent_until_the_server_stops() {
    let server = Server::with(On::Embedded, &[SHOP], Settings { max_requests: 1, ..settings() }).await;
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let mut news = news(&visitor).await;
    // An open page holds no slot.
    let body = json!({ "shelf": "a", "number": 1, "name": "x" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", body).await.status, 201);
    let told = soon(news.next()).await.unwrap().unwrap();
    let told = String::from_utf8(told.to_vec()).unwrap();
    assert!(told.starts_with("event: change\n") && told.contains("\"entities\":[\"Item\"]"), "{told}");
    server.app.drain();
    assert!(soon(news.next()).await.is_none(), "an open page would keep the server from stopping");
}

#[tokio::test]
async fn changes_of_other_systems_are_not_sent() {
    let server = Server::start(On::Embedded).await;
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let mut news = news(&visitor).await;
    // Signing in is a change of the system of accounts, which the viewer may not read.
    Visitor::sign_in(&server, "admin", "en").await;
    let grants = json!({ "login": "other", "name": "Other", "password": "long enough pw", "grants": {} });
    let made = server.call(Method::POST, "/api/access/accounts", &server.admin, Some(grants), &[]).await;
    assert_eq!(made.status, 201);
    let body = json!({ "hours": "9-18" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Opening", body).await.status, 201);
    let told = soon(news.next()).await.unwrap().unwrap();
    assert!(String::from_utf8(told.to_vec()).unwrap().contains("\"entities\":[\"Opening\"]"));
    assert_eq!(Visitor::signed_out(&server).get("/console/live").await.status, 303);
}

/// A change says in the language of the reader what was changed, whatever the operation is called: an import names the
/// entities of its lines.
#[tokio::test]
async fn changes_are_told_in_words() {
    let server = Server::with(On::Embedded, &[SHOP], settings()).await;
    let visitor = Visitor::sign_in(&server, "viewer", "ko").await;
    let mut news = news(&visitor).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let lines = "{\"$entity\":\"Opening\",\"hours\":\"9-18\"}";
    let import = "/console/systems/shop/import";
    assert_eq!(editor.post(import, &[("text", lines), ("confirm", "yes")]).await.status, 303);
    let told = String::from_utf8(soon(news.next()).await.unwrap().unwrap().to_vec()).unwrap();
    assert!(told.contains("\"entities\":[\"Opening\"]") && told.contains("최근 변경: "), "{told}");
    assert!(!told.contains("operation") && !told.contains("import"), "{told}");
}
