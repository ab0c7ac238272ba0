//! Everything together, in the order that `App` gives it.

use axum::http::Method;
use hansang_server::Settings;

use hansang_testserver::On;
use hansang_testserver::running;
use hansang_testserver::{SHOP, Server, settings};

/// The product on a real socket, with other settings than usual.
async fn app(settings: Settings) -> (Server, running::Server) {
    let server = Server::with(On::Embedded, &[SHOP], Settings { metrics_open: true, ..settings }).await;
    let running = running::Server::start(server.app.router()).await;
    (server, running)
}

/// Whoever says no, it is a problem with an id and the headers.
#[tokio::test]
async fn every_refusal_is_whole() {
    let (_server, usual) = app(Settings { max_body: 10, ..settings() }).await;
    let large = "POST /api/shop/entities/Item HTTP/1.1\r\nhost: here\r\ncontent-length: 11\r\n\r\n";
    let wrong = |path: &str| format!("DELETE {path} HTTP/1.1\r\nhost: here\r\n\r\n");
    let mut refusals = vec![
        (401, usual.send(&large.replace("11", "0")).await),
        (404, usual.get("/nowhere").await),
        (405, usual.send(&wrong("/api/openapi.json")).await),
        (405, usual.send(&wrong("/metrics")).await),
        (405, usual.send(&wrong("/health/live")).await),
        (413, usual.send(large).await),
    ];
    let one = std::num::NonZeroU32::MIN;
    let (_server, slow) = app(Settings { rates: (one, one), ..settings() }).await;
    for asked in 0.. {
        let answer = slow.get("/api/openapi.json").await;
        if answer.status != 200 {
            refusals.push((429, answer));
            break;
        }
        assert!(asked < 1000, "nobody is ever refused");
    }
    let (_server, full) = app(Settings { max_requests: 0, ..settings() }).await;
    refusals.push((503, full.get("/api/openapi.json").await));
    for (status, answer) in refusals {
        assert_eq!(answer.status, status, "{}", answer.body);
        let id = answer.header("x-trace-id");
        assert!(id.is_some() && answer.problem()["traceId"].as_str() == id, "{}", answer.body);
        assert!(answer.header("content-security-policy").is_some());
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
}

/// A balancer, and whoever watches, must get through when nobody else does.
#[tokio::test]
async fn health_and_numbers_need_no_place() {
    let (server, full) = app(Settings { max_requests: 0, ..settings() }).await;
    for _ in 0..3 {
        assert_eq!(full.get("/api/openapi.json").await.problem()["code"], "overloaded");
        for path in ["/health/live", "/health/ready", "/metrics"] {
            assert_eq!(full.get(path).await.status, 200, "{path}");
        }
    }
    let text = server.call(Method::GET, "/metrics", "", None, &[]).await.text;
    // One more is the test's own: it asked for the description.
    assert!(text.contains("\nhansang_http_shed_total 4\n"), "{text}");
    assert!(text.contains("{method=\"GET\",route=\"/health/ready\",class=\"2xx\"} 3\n"), "{text}");
}
