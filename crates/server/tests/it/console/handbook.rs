//! The API reference: search, examples, and the forms that send requests.

use axum::body::Body;
use axum::http::Method;
use hansang_testserver::{On, SHOP, Server, Visitor, has, lacks, settings};

#[tokio::test]
async fn operations_are_searched_and_have_examples() {
    let server = Server::with(On::Embedded, &[SHOP], settings()).await;
    let away = Visitor::signed_out(&server);
    let found = away.get("/api/docs?q=post+shop/ENTITIES").await;
    has(&found, &["<code>POST /api/shop/entities/", "href=\"/api/docs/shop#shop."]);
    lacks(&found, &["<nav aria-label=\"Console\""]);
    has(&away.get("/api/docs?q=nothing-like-it").await, &["No operation matches."]);
    let part = away.get("/api/docs/shop").await;
    has(
        &part,
        &[
            "data-filter=\".operation\"",
            "curl -X POST &quot;$HANSANG_URL/api/shop/entities/",
            "requests.request(",
            "await fetch(process.env.HANSANG_URL",
            "data-csrf=\"\"",
        ],
    );
    // The search of a system works without scripts: what does not match is there, but hidden.
    let narrowed = away.get("/api/docs/shop?q=itemsOfShelf").await;
    has(
        &narrowed,
        &[
            "value=\"itemsOfShelf\"",
            "<details class=\"operation\" id=\"shop.itemsOfShelf\"",
            "<details hidden class=\"operation\"",
        ],
    );
    has(&away.get("/api/docs/shop?q=nothing-like-it").await, &["No operation matches."]);
    // An operation that takes lines of text has a body to try, of its own type.
    has(&part, &["data-media=\"application/json\"", "data-media=\"application/x-ndjson\"", "--data-binary"]);
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let part = editor.get("/api/docs/shop").await;
    has(
        &part,
        &["<nav aria-label=\"콘솔\"", &format!("data-csrf=\"{}\"", editor.csrf), "data-try=\"POST\"", "예제"],
    );
    let script = part.text.split("<script src=\"/assets/handbook.js").nth(1).unwrap();
    let script = format!("/assets/handbook.js{}", script.split('"').next().unwrap());
    assert_eq!(away.get(&script).await.status, 200);
}

#[tokio::test]
async fn an_unknown_part_is_a_page_with_the_navigation() {
    let server = Server::with(On::Embedded, &[SHOP], settings()).await;
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    for path in ["/api/docs/nothing", "/api/docs/shop/nothing"] {
        let missing = viewer.get(path).await;
        assert_eq!(
            (missing.status, missing.header("content-type")),
            (404, "text/html; charset=utf-8"),
            "{path}"
        );
        has(&missing, &["Not found", "<nav aria-label=\"Console\""]);
    }
    // A program that asks for JSON gets a problem.
    let asked = [("accept", "application/json")];
    let problem = server.page(Method::GET, "/api/docs/nothing", &asked, Body::empty()).await;
    assert_eq!((problem.status, problem.header("content-type")), (404, "application/problem+json"));
}
