//! A server on a real socket, and clients that say exactly what they want.

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

/// Settings under which nothing ends by itself.
pub fn patient() -> Listening {
    let hour = Duration::from_secs(3600);
    Listening {
        header_read_timeout: hour,
        handshake_timeout: hour,
        write_timeout: hour,
        max_connections: 100,
        grace: hour,
    }
}

/// As short as a wait can be that a test has to sit out.
pub const BLINK: Duration = Duration::from_millis(50);

/// No test waits longer than this for something that has to come.
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

    /// Tells it to stop; the handle gives how it ended.
    pub fn stop(self) -> JoinHandle<Ended> {
        self.stop.send(()).unwrap();
        self.task
    }

    pub async fn connect(&self) -> TcpStream {
        soon(TcpStream::connect(self.address)).await.unwrap()
    }

    /// One request on a connection of its own.
    pub async fn send(&self, text: &str) -> Answer {
        let mut stream = self.connect().await;
        stream.write_all(text.as_bytes()).await.unwrap();
        answer(&mut stream).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n")).await
    }
}

/// A response of HTTP/1, as it was sent.
pub struct Answer {
    pub status: u16,
    head: String,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The body as a problem, which has to say the status and to be one.
    pub fn problem(&self) -> Json {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{}", self.body);
        let problem: Json = serde_json::from_str(&self.body).unwrap();
        assert_eq!(problem["status"], self.status);
        assert_eq!(problem["type"], "about:blank");
        problem
    }
}

/// Reads one response, up to the end of its body by its length, or of the connection.
pub async fn answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        bytes.push(soon(stream.read_u8()).await.expect("the connection was closed before an answer"));
    }
    let head = String::from_utf8(bytes).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let mut answer = Answer { status, head, body: String::new() };
    let length = answer.header("content-length").map(|length| length.parse().unwrap());
    let mut body = vec![0; length.unwrap_or(0)];
    match length {
        Some(_) => drop(soon(stream.read_exact(&mut body)).await.unwrap()),
        None => drop(soon(stream.read_to_end(&mut body)).await.unwrap()),
    }
    answer.body = String::from_utf8(body).unwrap();
    answer
}

/// Waits until the other end closes the connection; gives what it said before.
pub async fn closed(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset is an end too.
    let _ = soon(stream.read_to_end(&mut bytes)).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A client for HTTP/1 and 2 that nothing in the environment changes.
pub fn client() -> reqwest::ClientBuilder {
    reqwest::Client::builder().no_proxy()
}
