//! Security headers.

use crate::layers::{secured, traced};
use axum::http::header::CACHE_CONTROL;
use axum::response::IntoResponse as _;
use axum::routing::get;
use axum::{Extension, Router};
use hansang_http::headers::PublicPage;
use hansang_http::problem::for_unknown;

use hansang_testserver::running::Server;

fn router(tls: bool) -> Router {
    let routes = Router::new()
        .route("/", get(async || "hello"))
        .route("/asset", get(async || ([(CACHE_CONTROL, "public, max-age=60")], "body")));
    secured(traced(for_unknown(routes)), tls)
}

#[tokio::test]
async fn every_response_has_security_headers() {
    let server = Server::start(router(false)).await;
    for path in ["/", "/asset", "/nowhere"] {
        let answer = server.get(path).await;
        let policy = answer.header("content-security-policy").unwrap();
        for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "script-src 'self'"] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("cross-origin-opener-policy"), Some("same-origin"));
        assert!(answer.header("permissions-policy").unwrap().contains("camera=()"));
        assert_eq!(answer.header("strict-transport-security"), None);
    }
}

/// A public page may show pictures of other sites, and runs no script of theirs.
#[tokio::test]
async fn a_public_page_may_show_pictures() {
    let page = || async { Extension(PublicPage).into_response() };
    let server = Server::start(secured(Router::new().route("/", get(page)), false)).await;
    let answer = server.get("/").await;
    let policy = answer.header("content-security-policy").unwrap();
    assert!(
        policy.contains("img-src 'self' data: https:") && policy.contains("script-src 'self';"),
        "{policy}"
    );
}

#[tokio::test]
async fn hsts_is_sent_over_https_only() {
    let server = Server::start(router(true)).await;
    assert_eq!(server.get("/").await.header("strict-transport-security"), Some("max-age=63072000"));
}

#[tokio::test]
async fn responses_default_to_no_store() {
    let server = Server::start(router(false)).await;
    assert_eq!(server.get("/").await.header("cache-control"), Some("no-store"));
    assert_eq!(server.get("/nowhere").await.header("cache-control"), Some("no-store"));
    assert_eq!(server.get("/asset").await.header("cache-control"), Some("public, max-age=60"));
}

#[tokio::test]
async fn unknown_paths_are_problems() {
    let server = Server::start(router(false)).await;
    assert_eq!(server.get("/nowhere").await.problem()["code"], "no_such_path");
    let wrong = server.send("DELETE / HTTP/1.1\r\nhost: here\r\n\r\n").await;
    assert_eq!((wrong.status, wrong.header("allow")), (405, Some("GET,HEAD")));
    assert_eq!(wrong.problem()["code"], "method_not_allowed");
}
