//! Health checks of a balancer.

use crate::layers::traced;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hansang_core::{CoreCode, Error, Message};
use hansang_http::health::{Draining, Probe, with_health};
use tower::ServiceExt as _;

use hansang_testserver::running::Server;

fn router(probe: Probe, draining: &Draining) -> Router {
    traced(with_health(Router::new(), probe, draining.clone()))
}

async fn ask(router: &Router, path: &str) -> (u16, String) {
    let response = router.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let body = axum::body::to_bytes(response.into_body(), 10_000).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

/// A probe writes to the store, so it runs at most once a second however often it is asked for.
#[tokio::test(start_paused = true)]
async fn readiness_is_the_result_of_the_last_probe() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    let probe: Probe = Arc::new(move || {
        let first = counter.fetch_add(1, Ordering::Relaxed) == 0;
        Box::pin(async move {
            first.then_some(()).ok_or_else(|| {
                Error::unavailable(CoreCode::StoreUnavailable, Message::raw("10.0.0.7 is down"))
            })
        })
    });
    let router = router(probe, &Draining::default());
    for _ in 0..3 {
        assert_eq!(ask(&router, "/health/ready").await.0, 200);
    }
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    tokio::time::advance(std::time::Duration::from_secs(1)).await;
    for _ in 0..3 {
        let (status, problem) = ask(&router, "/health/ready").await;
        assert_eq!(status, 503);
        assert!(problem.contains("not_ready") && !problem.contains("10.0.0.7"), "{problem}");
    }
    assert_eq!(ask(&router, "/health/live").await.0, 200);
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_stopping_server_is_not_ready() {
    let draining = Draining::default();
    let server = Server::start(router(Arc::new(|| Box::pin(async { Ok(()) })), &draining)).await;
    assert_eq!(server.get("/health/ready").await.status, 200);
    draining.begin();
    assert_eq!(server.get("/health/ready").await.problem()["code"], "stopping");
    assert_eq!(server.get("/health/live").await.status, 200);
}

/// It is not repeated either: a store that hangs gets one write, not one for each check.
#[tokio::test(start_paused = true)]
async fn a_hanging_probe_times_out() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    let probe: Probe = Arc::new(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        Box::pin(std::future::pending())
    });
    let router = router(probe, &Draining::default());
    let start = tokio::time::Instant::now();
    let (one, two) = tokio::join!(ask(&router, "/health/ready"), ask(&router, "/health/ready"));
    assert_eq!((one.0, two.0), (503, 503));
    assert_eq!(start.elapsed().as_secs(), 2);
    assert_eq!(ask(&router, "/health/ready").await.0, 503);
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}
