//! What a balancer sees.

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

#[tokio::test]
async fn ready_is_what_the_probe_says() {
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
    let server = Server::start(router(probe, &Draining::default())).await;
    assert_eq!(server.get("/health/ready").await.status, 200);
    let down = server.get("/health/ready").await;
    assert_eq!((down.status, &down.problem()["code"]), (503, &"not_ready".into()));
    assert!(!down.body.contains("10.0.0.7"), "{}", down.body);
    assert_eq!(server.get("/health/live").await.status, 200);
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_server_that_stops_is_not_ready() {
    let draining = Draining::default();
    let server = Server::start(router(Arc::new(|| Box::pin(async { Ok(()) })), &draining)).await;
    assert_eq!(server.get("/health/ready").await.status, 200);
    draining.begin();
    assert_eq!(server.get("/health/ready").await.problem()["code"], "stopping");
    assert_eq!(server.get("/health/live").await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_hangs_is_not_waited_for() {
    let router = router(Arc::new(|| Box::pin(std::future::pending())), &Draining::default());
    let ask = async || {
        let request = Request::get("/health/ready").body(Body::empty()).unwrap();
        router.clone().oneshot(request).await.unwrap().status().as_u16()
    };
    let start = tokio::time::Instant::now();
    assert_eq!(tokio::join!(ask(), ask()), (503, 503));
    assert_eq!(start.elapsed().as_secs(), 2);
}
