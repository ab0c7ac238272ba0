//! Slow and greedy clients over real sockets: none of them takes the slots of others.

use std::net::SocketAddr;
use std::time::Duration;

use axum::http::Request;
use hansang_server::Settings;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

use hansang_testserver::running::{self, RawResponse, answer, patient, soon};
use hansang_testserver::{On, SHOP, Server, settings};

/// A server on a socket, with its data.
async fn served(settings: Settings) -> (Server, running::Server) {
    let server = Server::with(On::Embedded, &[SHOP], settings).await;
    let settings = hansang_http::listen::Listening { max_connections: 1000, ..patient() };
    let running = running::Server::with(server.app.router(), None, settings).await;
    (server, running)
}

/// A connection from one of the addresses of this machine.
async fn from(host: u8, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, host], 0))).unwrap();
    soon(socket.connect(to)).await.unwrap()
}

async fn get(host: u8, to: SocketAddr, path: &str) -> RawResponse {
    let mut stream = from(host, to).await;
    let request = format!("GET {path} HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    answer(&mut stream).await
}

/// Sends a head that announces a body, and returns the status that the server gives before the body: 100 says that it
/// waits for one.
async fn announce(stream: &mut TcpStream, head: &str) -> u16 {
    let request = format!("{head}\r\nhost: here\r\nexpect: 100-continue\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    status(stream).await
}

/// Reads the head of a response.
async fn status(stream: &mut TcpStream) -> u16 {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(soon(stream.read_u8()).await.unwrap());
    }
    String::from_utf8(head).unwrap()[9..12].parse().unwrap()
}

/// Windows of zero let a client receive heads and never a byte of a body. The stream is reset at its deadline.
#[tokio::test]
async fn a_closed_window_holds_a_slot_until_the_deadline() {
    let request_time = Duration::from_secs(1);
    let (_data, server) = served(Settings { request_time, ..settings() }).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        let stream = from(1, server.address).await;
        let (client, connection) = h2::client::Builder::new()
            .initial_window_size(0)
            .handshake::<_, bytes::Bytes>(stream)
            .await
            .unwrap();
        tokio::spawn(connection);
        let mut client = client.ready().await.unwrap();
        for _ in 0..32 {
            let request = Request::get("http://here/console/sign-in").body(()).unwrap();
            client = client.ready().await.unwrap();
            held.push(client.send_request(request, true).unwrap().0);
        }
    }
    let mut bodies = Vec::new();
    for response in held {
        let response = soon(response).await.unwrap();
        match response.status().as_u16() {
            200 => bodies.push(response.into_body()),
            // An address has a quarter of the slots.
            status => assert_eq!(status, 429),
        }
    }
    assert!(bodies.len() >= 16, "{}", bodies.len());
    // Other clients are served all the time.
    assert_eq!(get(2, server.address, "/console/sign-in").await.status, 200);
    for mut body in bodies {
        let reset = soon(body.data()).await.unwrap().unwrap_err();
        assert!(reset.is_reset(), "{reset}");
    }
    assert_eq!(get(1, server.address, "/console/sign-in").await.status, 200);
}

/// Bodies are read before a slot is taken.
#[tokio::test]
async fn slow_bodies_take_no_slot() {
    let (_data, server) = served(Settings { max_requests: 4, ..settings() }).await;
    let mut slow = Vec::new();
    for _ in 0..12 {
        let mut stream = from(1, server.address).await;
        let head = "POST /console/sign-in HTTP/1.1\r\ncontent-length: 500000";
        assert_eq!(announce(&mut stream, head).await, 100);
        stream.write_all(b"login=").await.unwrap();
        slow.push(stream);
    }
    for host in [1, 2] {
        assert_eq!(get(host, server.address, "/console/sign-in").await.status, 200);
    }
}

/// The memory for bodies is limited too, with a quarter for one address.
#[tokio::test]
async fn bodies_share_a_budget() {
    let max_body = 64 * 1024 * 1024;
    let (_data, server) = served(Settings { max_body, ..settings() }).await;
    let mut stream = from(1, server.address).await;
    let head = format!("POST /console/sign-in HTTP/1.1\r\ncontent-length: {max_body}");
    assert_eq!(announce(&mut stream, &head).await, 100);
    // All but the last byte: the whole share of the address.
    let chunk = vec![b'x'; 1024 * 1024];
    for _ in 0..63 {
        stream.write_all(&chunk).await.unwrap();
    }
    stream.write_all(&chunk[1..]).await.unwrap();
    let refused = loop {
        let mut second = from(1, server.address).await;
        let head = "POST /console/sign-in HTTP/1.1\r\ncontent-length: 200000";
        assert_eq!(announce(&mut second, head).await, 100);
        second.write_all(&chunk[..200_000]).await.unwrap();
        let answer = answer(&mut second).await;
        // The second body is read, and is not a valid sign-in form, until the first one has filled the share.
        if answer.status == 429 {
            break answer;
        }
        assert_eq!(answer.status, 401);
    };
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(get(1, server.address, "/console/sign-in").await.status, 200);
}

/// The streams of an account are limited, whether idle imports or pages that follow changes.
#[tokio::test]
async fn streams_are_limited_by_account() {
    let (data, server) = served(Settings { max_requests: 512, ..settings() }).await;
    let import = |token: &str| {
        format!(
            "POST /api/shop/import HTTP/1.1\r\nauthorization: Bearer {token}\r\ntransfer-encoding: chunked"
        )
    };
    let mut silent = Vec::new();
    for _ in 0..32 {
        let mut stream = from(1, server.address).await;
        assert_eq!(announce(&mut stream, &import(&data.editor)).await, 100);
        silent.push(stream);
    }
    let mut stream = from(1, server.address).await;
    assert_eq!(announce(&mut stream, &import(&data.editor)).await, 429);
    // Another account has its own limit.
    let mut stream = from(1, server.address).await;
    assert_eq!(announce(&mut stream, &import(&data.admin)).await, 100);

    let follow = async || {
        let mut stream = from(1, server.address).await;
        let head =
            format!("GET /console/live HTTP/1.1\r\nhost: here\r\nauthorization: Bearer {}\r\n", data.viewer);
        stream.write_all(format!("{head}accept: text/event-stream\r\n\r\n").as_bytes()).await.unwrap();
        (status(&mut stream).await, stream)
    };
    let mut pages = Vec::new();
    for _ in 0..32 {
        let (status, stream) = follow().await;
        assert_eq!(status, 200);
        pages.push(stream);
    }
    assert_eq!(follow().await.0, 429);
    pages.pop();
    // The server notices the end of a stream a moment later.
    soon(async { while follow().await.0 != 200 {} }).await;
}
