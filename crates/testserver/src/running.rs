//! A server on a real socket, and raw clients.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use hansang_http::listen::{Ended, Listening, Tls, serve};
use serde_json::Value as Json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A server that runs until it is told to stop.
pub struct Server {
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<Ended>,
}

/// Settings without effective timeouts.
pub fn patient() -> Listening {
    let hour = Duration::from_secs(3600);
    Listening {
        header_read_timeout: hour,
        handshake_timeout: hour,
        write_timeout: hour,
        max_connections: 100,
        max_connections_of_address: None,
        grace: hour,
    }
}

/// The shortest timeout that a test waits for.
pub const BLINK: Duration = Duration::from_millis(50);

/// The maximum time that a test waits for an expected event.
pub async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.expect("it never came")
}

impl Server {
    pub async fn start(router: Router) -> Self {
        Self::with(router, None, patient()).await
    }

    pub async fn with(router: Router, tls: Option<Tls>, settings: Listening) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let shutdown = async move { stopped.await.unwrap_or(()) };
        let task = tokio::spawn(serve(listener, tls, router, settings, shutdown));
        Self { address, stop, task }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Stops the server; the handle returns its outcome.
    pub fn stop(self) -> JoinHandle<Ended> {
        self.stop.send(()).unwrap();
        self.task
    }

    pub async fn connect(&self) -> TcpStream {
        soon(TcpStream::connect(self.address)).await.unwrap()
    }

    /// One request on a connection of its own.
    pub async fn send(&self, text: &str) -> RawResponse {
        let mut stream = self.connect().await;
        stream.write_all(text.as_bytes()).await.unwrap();
        answer(&mut stream).await
    }

    pub async fn get(&self, path: &str) -> RawResponse {
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n")).await
    }
}

/// A raw response of HTTP/1.
pub struct RawResponse {
    pub status: u16,
    head: String,
    pub body: String,
}

impl RawResponse {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The body as a problem, whose status must match.
    pub fn problem(&self) -> Json {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{}", self.body);
        let problem: Json = serde_json::from_str(&self.body).unwrap();
        assert_eq!(problem["status"], self.status);
        assert_eq!(problem["type"], "about:blank");
        problem
    }
}

/// Reads one response, to the end of its body by its length, or to the end of the connection.
pub async fn answer(stream: &mut TcpStream) -> RawResponse {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        bytes.push(soon(stream.read_u8()).await.expect("the connection was closed before an answer"));
    }
    let head = String::from_utf8(bytes).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let mut answer = RawResponse { status, head, body: String::new() };
    let length = answer.header("content-length").map(|length| length.parse().unwrap());
    let mut body = vec![0; length.unwrap_or(0)];
    match length {
        Some(_) => drop(soon(stream.read_exact(&mut body)).await.unwrap()),
        None => drop(soon(stream.read_to_end(&mut body)).await.unwrap()),
    }
    answer.body = String::from_utf8(body).unwrap();
    answer
}

/// Waits until the peer closes the connection; returns the bytes before.
pub async fn closed(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset counts as closed.
    let _ = soon(stream.read_to_end(&mut bytes)).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A client for HTTP/1 and 2 that ignores the environment.
pub fn client() -> reqwest::ClientBuilder {
    reqwest::Client::builder().no_proxy()
}
