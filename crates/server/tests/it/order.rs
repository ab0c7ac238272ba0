//! The whole chain, in the order of `App`.

use axum::http::Method;
use hansang_server::Settings;

use hansang_testserver::On;
use hansang_testserver::running;
use hansang_testserver::{SHOP, Server, settings};

/// The whole server on a real socket, with non-default settings.
async fn app(settings: Settings) -> (Server, running::Server) {
    let server = Server::with(On::Embedded, &[SHOP], Settings { metrics_open: true, ..settings }).await;
    let running = running::Server::start(server.app.router()).await;
    (server, running)
}

/// Every layer rejects with a problem that has an id and the headers.
#[tokio::test]
async fn every_rejection_is_a_problem_with_headers() {
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
        assert!(asked < 1000, "no request was rejected");
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

/// Health checks and metrics respond when all slots are taken.
#[tokio::test]
async fn health_and_metrics_need_no_slot() {
    let (server, full) = app(Settings { max_requests: 0, ..settings() }).await;
    for _ in 0..3 {
        assert_eq!(full.get("/api/openapi.json").await.problem()["code"], "overloaded");
        for path in ["/health/live", "/health/ready", "/metrics"] {
            assert_eq!(full.get(path).await.status, 200, "{path}");
        }
    }
    let text = server.call(Method::GET, "/metrics", "", None, &[]).await.text;
    // One more is the test's own request for the description.
    assert!(text.contains("\nhansang_http_shed_total 4\n"), "{text}");
    assert!(text.contains("{method=\"GET\",route=\"/health/ready\",class=\"2xx\"} 3\n"), "{text}");
}
