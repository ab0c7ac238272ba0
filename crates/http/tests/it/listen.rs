//! Connections: timeouts, limits and client addresses.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::routing::get;
use futures_util::stream;
use hansang_http::listen::Listening;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::{Notify, oneshot};

use hansang_testserver::running::{BLINK, Server, answer, closed, patient, soon};

fn hello() -> Router {
    Router::new().route("/", get(async || "hello"))
}

fn hasty() -> Listening {
    Listening { header_read_timeout: BLINK, ..patient() }
}

/// Each of these holds a connection open without ever sending a request.
#[tokio::test]
async fn slow_clients_are_cut_off() {
    let server = Server::with(hello(), None, hasty()).await;
    for start in [
        "",
        "G",
        "GET / HTTP/1.1\r\nhost: here\r\n",
        "PRI * HTTP/2.0\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\r\n",
    ] {
        let mut stream = server.connect().await;
        stream.write_all(start.as_bytes()).await.unwrap();
        let said = closed(&mut stream).await;
        assert!(!said.contains("200 OK"), "{start:?}: {said}");
    }
    assert_eq!(server.get("/").await.status, 200);
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let server = Server::with(hello(), None, hasty()).await;
    let mut stream = server.connect().await;
    for _ in 0..2 {
        stream.write_all(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n").await.unwrap();
        assert_eq!(answer(&mut stream).await.body, "hello");
    }
    closed(&mut stream).await;
}

/// The timeout is for heads: a handler may take longer.
#[tokio::test]
async fn a_slow_handler_is_not_a_slow_client() {
    let slow = get(async || {
        tokio::time::sleep(4 * BLINK).await;
        "at last"
    });
    let server = Server::with(Router::new().route("/", slow), None, hasty()).await;
    assert_eq!(server.get("/").await.body, "at last");
}

#[tokio::test]
async fn requests_carry_their_client_address() {
    let who = get(async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.to_string());
    let server = Server::start(Router::new().route("/", who)).await;
    let mut stream = server.connect().await;
    let ours = stream.local_addr().unwrap().to_string();
    stream.write_all(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n").await.unwrap();
    assert_eq!(answer(&mut stream).await.body, ours);
}

#[tokio::test]
async fn plain_http2_is_understood() {
    let server = Server::start(hello()).await;
    let client = hansang_testserver::running::client().http2_prior_knowledge().build().unwrap();
    let response = soon(client.get(server.url("/")).send()).await.unwrap();
    assert_eq!(response.version(), reqwest::Version::HTTP_2);
    assert_eq!(response.text().await.unwrap(), "hello");
}

#[tokio::test]
async fn a_connection_beyond_the_limit_waits() {
    let release = Arc::new(Notify::new());
    let held = release.clone();
    let router = hello().route("/held", get(async move || held.notified().await));
    let server = Server::with(router, None, Listening { max_connections: 1, ..patient() }).await;
    let mut first = server.connect().await;
    first.write_all(b"GET /held HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n").await.unwrap();
    let mut second = server.connect().await;
    second.write_all(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n").await.unwrap();
    let early = tokio::time::timeout(2 * BLINK, second.readable()).await;
    assert!(early.is_err(), "the second was answered while the first had the only place");
    release.notify_one();
    assert_eq!(answer(&mut first).await.status, 200);
    assert_eq!(answer(&mut second).await.body, "hello");
}

/// A connection beyond the limit of its address is closed; other addresses are not affected.
#[tokio::test]
async fn connections_per_address_are_limited() {
    let settings = Listening { max_connections_of_address: Some(2), ..patient() };
    let server = Server::with(hello(), None, settings).await;
    let (first, mut second) = (server.connect().await, server.connect().await);
    assert_eq!(closed(&mut server.connect().await).await, "");
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let mut other = soon(socket.connect(server.address)).await.unwrap();
    for stream in [&mut second, &mut other] {
        stream.write_all(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n").await.unwrap();
        assert_eq!(answer(stream).await.body, "hello");
    }
    drop(first);
    // The server notices the closed connection a moment later.
    soon(async {
        loop {
            let mut stream = server.connect().await;
            let request = b"GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n";
            if stream.write_all(request).await.is_ok() && closed(&mut stream).await.ends_with("hello") {
                return;
            }
        }
    })
    .await;
}

/// Sends a signal on drop.
struct Dropped(Option<oneshot::Sender<()>>);

impl Drop for Dropped {
    fn drop(&mut self) {
        let _ = self.0.take().unwrap().send(());
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_is_cut_off() {
    let (sender, dropped) = oneshot::channel();
    let guard = Arc::new(std::sync::Mutex::new(Some(Dropped(Some(sender)))));
    let endless = get(async move || {
        let guard = guard.lock().unwrap().take();
        let chunk = Bytes::from(vec![b'x'; 64 * 1024]);
        Body::from_stream(stream::repeat_with(move || {
            let _ = &guard;
            Ok::<_, Infallible>(chunk.clone())
        }))
    });
    let settings = Listening { write_timeout: BLINK, ..patient() };
    let server = Server::with(Router::new().route("/", endless), None, settings).await;
    let mut stream = server.connect().await;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n").await.unwrap();
    soon(dropped).await.unwrap();
    drop(stream);
}
