//! Limits on requests, bodies and responses.

use crate::layers::{at_most, body_up_to, by_address, idle_up_to, traced, within};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::http::Request;
use axum::routing::{get, post};
use futures_util::{StreamExt as _, stream};
use hansang_http::limits::{Limiter, Rate};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::Notify;
use tower::ServiceExt as _;

use hansang_testserver::running::{BLINK, Server, answer, closed, soon};

fn echo() -> Router {
    Router::new().route("/", post(async |body: Bytes| body))
}

#[tokio::test]
async fn requests_beyond_the_slots_are_rejected() {
    let (began, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let held = (began.clone(), go_on.clone());
    let router = Router::new().route("/", get(async || "hello")).route(
        "/held",
        get(async move || {
            held.0.notify_one();
            held.1.notified().await;
        }),
    );
    let server = Server::start(traced(at_most(router, 1))).await;
    let mut first = server.connect().await;
    first.write_all(b"GET /held HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n").await.unwrap();
    soon(began.notified()).await;
    let refused = server.get("/").await;
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    assert_eq!(refused.problem()["code"], "overloaded");
    go_on.notify_one();
    assert_eq!(answer(&mut first).await.status, 200);
    closed(&mut first).await;
    assert_eq!(server.get("/").await.status, 200);
}

/// A response holds its slot until it has been sent.
#[tokio::test]
async fn a_slot_is_held_to_the_last_byte() {
    let (sender, receiver) = tokio::sync::mpsc::channel::<Bytes>(1);
    let receiver = Arc::new(std::sync::Mutex::new(Some(receiver)));
    let router = Router::new().route("/", get(async || "hello")).route(
        "/stream",
        get(async move || {
            let receiver = receiver.lock().unwrap().take().unwrap();
            Body::from_stream(stream::unfold(receiver, async |mut receiver| {
                let chunk = receiver.recv().await?;
                Some((Ok::<_, Infallible>(chunk), receiver))
            }))
        }),
    );
    let server = Server::start(at_most(router, 1)).await;
    let mut first = server.connect().await;
    first.write_all(b"GET /stream HTTP/1.0\r\n\r\n").await.unwrap();
    sender.send(Bytes::from_static(b"begun ")).await.unwrap();
    soon(first.readable()).await.unwrap();
    assert_eq!(server.get("/").await.status, 503);
    sender.send(Bytes::from_static(b"done")).await.unwrap();
    drop(sender);
    assert_eq!(answer(&mut first).await.body, "begun done");
    assert_eq!(server.get("/").await.status, 200);
}

#[tokio::test]
async fn large_bodies_are_refused() {
    let server = Server::start(traced(body_up_to(echo(), 10))).await;
    let head = "POST / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n";
    let exact = server.send(&format!("{head}content-length: 10\r\n\r\n0123456789")).await;
    assert_eq!((exact.status, &*exact.body), (200, "0123456789"));
    for large in [
        // With `Content-Length`: rejected before a byte of it was sent.
        "content-length: 11\r\n\r\n",
        "content-length: 99999999999999\r\nexpect: 100-continue\r\n\r\n",
        // Without `Content-Length`.
        "transfer-encoding: chunked\r\n\r\n8\r\n01234567\r\n3\r\n890\r\n0\r\n\r\n",
        // Without an end.
        "transfer-encoding: chunked\r\n\r\nffffffff\r\n0123456789abcdef",
    ] {
        let refused = server.send(&format!("{head}{large}")).await;
        assert_eq!(refused.status, 413, "{large}");
        assert_eq!(refused.problem()["code"], "body_too_large");
    }
}

/// axum's own limit of 2 MB must not apply.
#[tokio::test]
async fn bodies_may_be_larger_than_the_default_of_axum() {
    let server = Server::start(body_up_to(echo(), 4 << 20)).await;
    let body = "x".repeat(3 << 20);
    let request =
        hansang_testserver::running::client().build().unwrap().post(server.url("/")).body(body.clone());
    assert_eq!(soon(request.send()).await.unwrap().text().await.unwrap(), body);
}

#[tokio::test]
async fn an_endless_body_times_out() {
    let server = Server::start(traced(within(echo(), BLINK))).await;
    let half = "POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 10\r\n\r\n01234";
    let mut stream = server.connect().await;
    stream.write_all(half.as_bytes()).await.unwrap();
    let refused = answer(&mut stream).await;
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    assert_eq!(refused.problem()["code"], "took_too_long");
    // The rest of the body must not be parsed as the next request.
    closed(&mut stream).await;
}

#[tokio::test]
async fn an_endless_response_is_aborted() {
    let endless = get(async || {
        let first = stream::once(async { Ok::<_, Infallible>(Bytes::from_static(b"begun")) });
        Body::from_stream(first.chain(stream::pending()))
    });
    let server = Server::start(within(Router::new().route("/", endless), BLINK)).await;
    let mut stream = server.connect().await;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n").await.unwrap();
    let said = closed(&mut stream).await;
    assert!(said.contains("begun") && !said.ends_with("0\r\n\r\n"), "{said}");
}

/// A body has a minimum rate, whatever time the request has.
#[tokio::test(start_paused = true)]
async fn a_stalled_body_is_rejected() {
    let router = body_up_to(echo(), 1_000_000);
    let ask = async |chunks: usize, pause: u64| {
        let chunks = stream::iter(0..chunks).then(move |_| async move {
            tokio::time::sleep(Duration::from_secs(pause)).await;
            Ok::<_, Infallible>(Bytes::from_static(&[b'x'; 2048]))
        });
        let body = Body::from_stream(chunks);
        let start = tokio::time::Instant::now();
        let response = router.clone().oneshot(Request::post("/").body(body).unwrap()).await.unwrap();
        (response.status().as_u16(), start.elapsed().as_secs())
    };
    assert_eq!(ask(12, 2).await, (200, 24), "slow, but not too slow");
    assert_eq!(ask(100, 4).await, (408, 7), "2 KiB within 5 + 2 seconds");
    assert_eq!(ask(1, 3600).await, (408, 5));
}

/// A streamed body may be slow, but not idle.
#[tokio::test]
async fn an_idle_stream_is_aborted() {
    let router = idle_up_to(echo(), BLINK);
    let server = Server::start(traced(router)).await;
    let begun = "POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n";
    let refused = server.send(begun).await;
    assert_eq!((refused.status, &refused.problem()["code"]), (408, &"body_too_slow".into()));
    assert_eq!(server.send(&format!("{begun}0\r\n\r\n")).await.body, "abc");
}

#[tokio::test(start_paused = true)]
async fn requests_within_the_limits_succeed() {
    let router = Router::new().route(
        "/",
        get(async || {
            tokio::time::sleep(Duration::from_secs(9)).await;
            "in time"
        }),
    );
    let request = Request::get("/").body(Body::empty()).unwrap();
    let response = within(router, Duration::from_secs(10)).oneshot(request).await.unwrap();
    assert_eq!(axum::body::to_bytes(response.into_body(), 99).await.unwrap(), "in time");
}

fn two_a_minute() -> Arc<Limiter> {
    let two = NonZeroU32::new(2).unwrap();
    Arc::new(Limiter::new(Rate { per_minute: two, burst: two }))
}

#[tokio::test]
async fn requests_beyond_the_rate_are_rejected() {
    let router = by_address(Router::new().route("/", get(async || "hello")), two_a_minute());
    let server = Server::start(traced(router)).await;
    for _ in 0..2 {
        assert_eq!(server.get("/").await.status, 200);
    }
    let refused = server.get("/").await;
    assert_eq!((refused.status, &refused.problem()["code"]), (429, &"too_many_requests".into()));
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=30).contains(&wait), "{wait}");
}

#[tokio::test]
async fn ipv6_is_limited_by_network() {
    let router = by_address(Router::new().route("/", get(async || "hello")), two_a_minute());
    let ask = async |address: &str| {
        let peer: SocketAddr = address.parse().unwrap();
        let request = Request::get("/").extension(ConnectInfo(peer)).body(Body::empty()).unwrap();
        router.clone().oneshot(request).await.unwrap().status().as_u16()
    };
    assert_eq!(ask("[2001:db8::1]:1000").await, 200);
    assert_eq!(ask("[2001:db8::ffff:1]:1000").await, 200);
    assert_eq!(ask("[2001:db8::abcd]:2000").await, 429);
    assert_eq!(ask("[2001:db8:0:1::1]:1000").await, 200);
    assert_eq!(ask("192.0.2.1:1000").await, 200);
}
