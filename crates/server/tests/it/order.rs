//! Everything together, in the order that `lib.rs` gives.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::routing::{get, post};
use hansang_server::headers::secured;
use hansang_server::health::{Draining, with_health};
use hansang_server::limits::{Limiter, Rate, at_most, body_up_to, by_address, within};
use hansang_server::metrics::{Metrics, measured, with_metrics};
use hansang_server::problem::for_unknown;
use hansang_server::trace::traced;
use jiff::Timestamp;

use crate::running::Server;

fn router(at_once: usize, burst: u32) -> Router {
    let metrics = Metrics::new(Timestamp::UNIX_EPOCH);
    let one = NonZeroU32::new(1).unwrap();
    let limiter = Limiter::new(Rate { per_minute: one, burst: NonZeroU32::new(burst).unwrap() });
    let routes = for_unknown(
        Router::new()
            .route("/", get(async || "hello"))
            .route("/panic", get(async || -> String { panic!("on purpose") }))
            .route("/echo", post(async |body: Bytes| body)),
    );
    let limited = within(body_up_to(routes, 10), Duration::from_secs(60));
    let limited = by_address(at_most(limited, at_once), Arc::new(limiter));
    let probe = Arc::new(|| -> futures_util::future::BoxFuture<_> { Box::pin(async { Ok(()) }) });
    let complete = with_metrics(with_health(limited, probe, Draining::default()), metrics.clone());
    secured(measured(traced(complete), metrics), false)
}

/// Whoever says no, it is a problem with an id and the headers.
#[tokio::test]
async fn every_refusal_is_whole() {
    let server = Server::start(router(10, 5)).await;
    let large = "POST /echo HTTP/1.1\r\nhost: here\r\ncontent-length: 11\r\n\r\n";
    let wrong = "DELETE / HTTP/1.1\r\nhost: here\r\n\r\n";
    let mut refusals = vec![
        (404, server.get("/nowhere").await),
        (405, server.send(wrong).await),
        (413, server.send(large).await),
        (500, server.get("/panic").await),
    ];
    assert_eq!(server.get("/").await.status, 200);
    refusals.push((429, server.get("/").await));
    refusals.push((405, server.send(&wrong.replace('/', "/metrics").replace("HTTP/metrics", "HTTP/")).await));
    let full = Server::start(router(0, 5)).await;
    refusals.push((503, full.get("/").await));
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
async fn health_and_numbers_have_no_limit() {
    let server = Server::start(router(0, 1)).await;
    for _ in 0..3 {
        assert!([503, 429].contains(&server.get("/").await.status));
        for path in ["/health/live", "/health/ready", "/metrics"] {
            assert_eq!(server.get(path).await.status, 200, "{path}");
        }
    }
    let text = server.get("/metrics").await.body;
    assert!(text.contains("\nhansang_http_shed_total 1\n"), "{text}");
    assert!(text.contains("\nhansang_http_rate_limited_total 2\n"), "{text}");
    assert!(text.contains("{method=\"GET\",route=\"/health/ready\",class=\"2xx\"} 3\n"), "{text}");
}
