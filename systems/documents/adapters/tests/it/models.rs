//! A language model over HTTP.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use hansang_documents_adapters::{LanguageModel, ModelSettings, Passage, ask};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// A server that gives every request the same response, and keeps the requests. Without a response it never answers.
async fn server(response: Option<String>) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = format!("http://{}/v1/", listener.local_addr().unwrap());
    let requests = Arc::new(Mutex::new(Vec::new()));
    let kept = requests.clone();
    tokio::spawn(async move {
        let mut waiting = Vec::new();
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            while !is_whole(&request) {
                let mut part = [0; 4096];
                let count = socket.read(&mut part).await.unwrap();
                request.extend_from_slice(&part[..count]);
            }
            kept.lock().unwrap().push(String::from_utf8(request).unwrap());
            match &response {
                Some(response) => {
                    // The client may have gone before the end.
                    let _ = socket.write_all(response.as_bytes()).await;
                }
                None => waiting.push(socket),
            }
        }
    });
    (address, requests)
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head
        .lines()
        .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse::<usize>().ok());
    body.len() >= length.unwrap()
}

fn ok(content: &str) -> Option<String> {
    let body = serde_json::json!({ "choices": [{ "message": { "role": "assistant", "content": content } }] })
        .to_string();
    Some(answer(200, &body))
}

fn answer(status: u16, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn model(address: &str) -> LanguageModel {
    LanguageModel::new(ModelSettings {
        address: address.to_owned(),
        key: Some("secret".to_owned()),
        model: "small".to_owned(),
        seconds: 1,
    })
    .unwrap()
}

fn passages() -> Vec<Passage> {
    ["첫 문단", "둘째 문단", "third", "fourth"]
        .iter()
        .zip(0..)
        .map(|(text, segment_index)| Passage {
            document_id: "d".to_owned(),
            document_name: "보고서.pdf".to_owned(),
            segment_index,
            text: (*text).to_owned(),
        })
        .collect()
}

#[tokio::test]
async fn answers_cite_the_passages_they_are_made_of() {
    let (address, requests) = server(ok("둘째 문단에 있습니다 [2].")).await;
    let answer = ask(Some(&model(&address)), "어디에 있습니까?", &passages()).await.unwrap();
    assert_eq!((answer.text.as_deref(), answer.cited), (Some("둘째 문단에 있습니다 [2]."), vec![1]));
    let request = requests.lock().unwrap()[0].clone();
    assert!(request.starts_with("POST /v1/chat/completions "), "{request}");
    assert!(request.contains("Bearer secret") && request.contains("\"model\":\"small\""));
    assert!(request.contains("[2] 보고서.pdf (part 2)") && request.contains("어디에 있습니까?"));
    // No passage: nothing to ask about.
    let answer = ask(Some(&model(&address)), "?", &[]).await.unwrap();
    assert_eq!((answer.text, answer.cited.len()), (None, 0));
    assert_eq!(requests.lock().unwrap().len(), 1);
}

/// Without a model, the answer is the best passages.
#[tokio::test]
async fn without_a_model_the_best_passages_are_the_answer() {
    let answer = ask(None, "?", &passages()).await.unwrap();
    assert_eq!((answer.text, answer.cited), (None, vec![0, 1, 2]));
}

#[tokio::test]
async fn summaries_follow_the_instructions_of_the_reader() {
    let (address, requests) = server(ok(" A summary. ")).await;
    let text = "x".repeat(100_000);
    let summary = model(&address).summarise(&text, Some("For lawyers")).await.unwrap();
    assert_eq!(summary, "A summary.");
    let request = requests.lock().unwrap()[0].clone();
    assert!(request.contains("For lawyers"));
    assert!(request.len() < 30_000, "{}", request.len());
}

#[tokio::test]
async fn a_model_that_fails_is_a_precise_error() {
    let large = format!("{{\"choices\":[],\"x\":\"{}\"}}", "x".repeat(2_000_000));
    let cases = [
        (Some(answer(401, "{}")), "model_refused"),
        (Some(answer(200, "<html>")), "model_answer_invalid"),
        (Some(answer(200, "{\"choices\":[]}")), "model_answer_invalid"),
        (Some(answer(200, &large)), "model_answer_invalid"),
        (ok("  "), "model_answer_invalid"),
        (Some(answer(302, "").replace("connection", "location: /other\r\nconnection")), "model_refused"),
        (Some("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{".to_owned()), "model_unavailable"),
        (None, "model_slow"),
    ];
    for (response, code) in cases {
        let (address, _) = server(response.clone()).await;
        let error = model(&address).summarise("text", None).await.unwrap_err();
        assert_eq!(error.code.as_str(), code, "{response:?}");
        assert!(!format!("{error:?}").contains("secret"));
    }
    let error = model("http://127.0.0.1:1/").summarise("text", None).await.unwrap_err();
    assert_eq!(error.code.as_str(), "model_unavailable");
    let bad = |address: &str| {
        LanguageModel::new(ModelSettings {
            address: address.into(),
            key: None,
            model: "m".into(),
            seconds: 1,
        })
    };
    assert!(bad("nowhere").is_err() && bad("file:///etc").is_err());
}
