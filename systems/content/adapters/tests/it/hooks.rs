//! Webhooks over real connections.

use std::net::Ipv4Addr;

use hansang_content::{
    Caller as _, Event, HookCall, MailState, Ports, WebhookText, create_webhook, deliver, sign, test_webhook,
    webhook_deliveries,
};
use hansang_content_adapters::HttpCaller;
use hansang_core::db::Ask;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::grounds::{Ground, Unused};

/// Answers one request with these bytes. Returns the address, and later the request.
async fn server(answer: &'static str) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = format!("http://{}/hook", listener.local_addr().unwrap());
    let request = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        loop {
            let text = String::from_utf8_lossy(&request).into_owned();
            if let Some((head, body)) = text.split_once("\r\n\r\n") {
                let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
                if body.len() == length.unwrap().parse::<usize>().unwrap() {
                    stream.write_all(answer.as_bytes()).await.unwrap();
                    return text;
                }
            }
            let mut piece = [0; 1024];
            let read = stream.read(&mut piece).await.unwrap();
            assert!(read > 0, "the request ended early: {text}");
            request.extend_from_slice(&piece[..read]);
        }
    });
    (address, request)
}

const NO_CONTENT: &str = "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";

/// A call has the signature of its body, its id and its event; the answer decides its state.
#[tokio::test]
async fn a_webhook_is_called_with_a_signature() {
    let ground = Ground::new().await;
    let content = &ground.content;
    let caller = HttpCaller::new(true).unwrap();
    let ports = Ports { mailer: &Unused, caller: &caller, files: &Unused };
    let failed = "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    for (answer, state, status) in [(NO_CONTENT, MailState::Sent, 204), (failed, MailState::Failed, 500)] {
        let (url, request) = server(answer).await;
        let secret = "0123456789abcdef".to_owned();
        let text = WebhookText { url, secret, events: vec![Event::PostPublished], active: true };
        let made = create_webhook(content, &text).await.unwrap();
        let test = test_webhook(content, &made.id).await.unwrap();
        deliver(content, ports).await.unwrap();
        let request = request.await.unwrap();
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        let signature = sign("0123456789abcdef", content.now().as_second(), body);
        for line in [
            "POST /hook HTTP/1.1".to_owned(),
            "hansang-event: test".to_owned(),
            format!("hansang-delivery: {}", test.id),
            format!("hansang-signature: {signature}"),
        ] {
            assert!(head.lines().any(|one| one == line), "{line} is missing in {head}");
        }
        let page = webhook_deliveries(content, &made.id, Ask::default()).await.unwrap();
        assert_eq!((page.deliveries[0].state, page.deliveries[0].status), (state, Some(status)));
    }
}

fn call(url: &str) -> HookCall {
    HookCall {
        url: url.to_owned(),
        id: "d".to_owned(),
        event: "test".to_owned(),
        signature: "t=0,v1=0".to_owned(),
        body: "{}".to_owned(),
    }
}

/// Addresses inside the network are not called, by whatever name.
#[tokio::test]
async fn the_network_cannot_be_reached() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let caller = HttpCaller::new(false).unwrap();
    for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "169.254.169.254"] {
        let answer = caller.call(&call(&format!("https://{host}:{port}/"))).await;
        assert_eq!(answer.status, None, "{host}");
        assert!(answer.error.contains("inside the network"), "{host}: {}", answer.error);
    }
    let answer = caller.call(&call("http://example.com/")).await;
    assert_eq!(answer.error, "only https is called");
    assert_eq!(caller.call(&call("nonsense")).await.error, "the address cannot be read");
}

/// A redirect is an answer and is not followed.
#[tokio::test]
async fn redirects_are_not_followed() {
    let redirect = "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let (url, request) = server(redirect).await;
    let answer = HttpCaller::new(true).unwrap().call(&call(&url)).await;
    assert_eq!((answer.status, answer.is_accepted()), (Some(307), false));
    request.await.unwrap();
}
