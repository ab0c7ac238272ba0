//! Shutdown: running requests may finish, new ones are refused, and the grace period is limited.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use hansang_http::listen::{Ended, Listening};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::sync::Notify;

use hansang_testserver::running::{BLINK, Server, answer, client, closed, patient, soon};

/// A handler that signals its start and waits for a signal to go on.
#[derive(Clone, Default)]
struct Held {
    began: Arc<Notify>,
    go_on: Arc<Notify>,
}

impl Held {
    fn router(&self) -> Router {
        let held = self.clone();
        Router::new().route("/", get(async || "hello")).route(
            "/held",
            get(async move || {
                held.began.notify_one();
                held.go_on.notified().await;
                "finished"
            }),
        )
    }
}

async fn refused(address: std::net::SocketAddr) {
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_running_request_finishes_and_a_new_connection_is_refused() {
    let held = Held::default();
    let server = Server::start(held.router()).await;
    let address = server.address;
    let mut stream = server.connect().await;
    stream.write_all(b"GET /held HTTP/1.1\r\nhost: here\r\n\r\n").await.unwrap();
    soon(held.began.notified()).await;
    let ended = server.stop();
    soon(refused(address)).await;
    held.go_on.notify_one();
    let last = answer(&mut stream).await;
    assert_eq!((last.status, &*last.body), (200, "finished"));
    assert_eq!(last.header("connection"), Some("close"));
    closed(&mut stream).await;
    assert_eq!(soon(ended).await.unwrap(), Ended { cut_off: 0 });
}

#[tokio::test]
async fn a_running_request_of_http2_finishes() {
    let held = Held::default();
    let server = Server::start(held.router()).await;
    let (address, url) = (server.address, server.url("/held"));
    let client = client().http2_prior_knowledge().build().unwrap();
    let request = tokio::spawn(client.get(url).send());
    soon(held.began.notified()).await;
    let ended = server.stop();
    soon(refused(address)).await;
    held.go_on.notify_one();
    assert_eq!(soon(request).await.unwrap().unwrap().text().await.unwrap(), "finished");
    assert_eq!(soon(ended).await.unwrap(), Ended { cut_off: 0 });
}

#[tokio::test]
async fn the_grace_period_is_limited() {
    let held = Held::default();
    let server = Server::with(held.router(), None, Listening { grace: BLINK, ..patient() }).await;
    let mut stream = server.connect().await;
    stream.write_all(b"GET /held HTTP/1.1\r\nhost: here\r\n\r\n").await.unwrap();
    soon(held.began.notified()).await;
    assert_eq!(soon(server.stop()).await.unwrap(), Ended { cut_off: 1 });
    assert_eq!(closed(&mut stream).await, "");
}

/// Neither idle connections nor those without a first byte delay the shutdown.
#[tokio::test]
async fn idle_connections_do_not_delay_shutdown() {
    let server = Server::start(Held::default().router()).await;
    let mut idle = server.connect().await;
    idle.write_all(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n").await.unwrap();
    assert_eq!(answer(&mut idle).await.body, "hello");
    let mut silent = server.connect().await;
    // Once this is answered, the idle connection has been accepted too.
    assert_eq!(server.get("/").await.status, 200);
    assert_eq!(soon(server.stop()).await.unwrap(), Ended { cut_off: 0 });
    closed(&mut idle).await;
    closed(&mut silent).await;
}
