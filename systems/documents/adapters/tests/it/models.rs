//! A language model over HTTP.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use hansang_documents_adapters::{Asked, LanguageModel, ModelSettings, Passage, Turn, ask};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// A server that gives every request the same response, and keeps the requests. Without a response it never answers.
pub(crate) async fn server(response: Option<String>) -> (String, Arc<Mutex<Vec<String>>>) {
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

pub(crate) fn ok(content: &str) -> Option<String> {
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

pub(crate) fn model(address: &str) -> LanguageModel {
    LanguageModel::new(ModelSettings {
        address: address.to_owned(),
        key: Some("secret".to_owned()),
        model: "small".to_owned(),
        seconds: 1,
    })
    .unwrap()
}

fn asked(question: &str) -> Asked<'_> {
    Asked { question, ..Asked::default() }
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
    let answer = ask(Some(&model(&address)), &asked("어디에 있습니까?"), &passages()).await;
    assert_eq!((answer.text.as_deref(), answer.cited), (Some("둘째 문단에 있습니다 [2]."), vec![1]));
    let request = requests.lock().unwrap()[0].clone();
    assert!(request.starts_with("POST /v1/chat/completions "), "{request}");
    assert!(request.contains("Bearer secret") && request.contains("\"model\":\"small\""));
    assert!(request.contains("[2] 보고서.pdf (part 2)") && request.contains("어디에 있습니까?"));
    // No passage: nothing to ask about.
    let answer = ask(Some(&model(&address)), &asked("?"), &[]).await;
    assert_eq!((answer.text, answer.cited.len()), (None, 0));
    assert_eq!(requests.lock().unwrap().len(), 1);
}

/// Without a model, the answer is the best passages.
#[tokio::test]
async fn without_a_model_the_best_passages_are_the_answer() {
    let answer = ask(None, &asked("?"), &passages()).await;
    assert_eq!((answer.text, answer.cited, answer.problem), (None, vec![0, 1, 2], None));
}

/// A model that fails leaves the best passages, and the problem.
#[tokio::test]
async fn a_model_that_fails_leaves_the_passages() {
    let (address, _) = server(Some(answer(500, "{}"))).await;
    let answer = ask(Some(&model(&address)), &asked("?"), &passages()).await;
    assert_eq!((answer.text, answer.cited), (None, vec![0, 1, 2]));
    assert_eq!(answer.problem.unwrap().code.as_str(), "model_refused");
}

/// The agent's instructions are part of the system prompt, and earlier messages come before the question: the last ones, as
/// many as there is room for.
#[tokio::test]
async fn agents_and_earlier_messages_are_given_to_the_model() {
    let (address, requests) = server(ok("Yes [1].")).await;
    let mut earlier = vec![Turn { of_model: false, text: "x".repeat(9000) }];
    let mut said = |of_model, text: &str| earlier.push(Turn { of_model, text: text.to_owned() });
    said(false, "Who is the tenant?");
    said(true, "Kim [1].");
    let long = "y".repeat(50_000);
    for (instructions, expected) in [("Answer as a lawyer.", "Answer as a lawyer."), (&*long, "yyyy")] {
        let asked = Asked { question: "And the rent?", instructions: Some(instructions), earlier: &earlier };
        ask(Some(&model(&address)), &asked, &passages()).await;
        let request = requests.lock().unwrap().pop().unwrap();
        let body = request.split_once("\r\n\r\n").unwrap().1;
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        let messages: Vec<(&str, &str)> = body["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["role"].as_str().unwrap(), one["content"].as_str().unwrap()))
            .collect();
        assert_eq!(messages.len(), 4, "what is too long is left out: {messages:?}");
        assert!(messages[0].0 == "system" && messages[0].1.contains(expected), "{messages:?}");
        assert!(messages[0].1.len() < 6000, "instructions are bounded");
        assert_eq!(messages[1..3], [("user", "Who is the tenant?"), ("assistant", "Kim [1].")]);
        assert!(messages[3].0 == "user" && messages[3].1.ends_with("Question: And the rent?"));
    }
}

#[tokio::test]
async fn summaries_follow_the_instructions_of_the_reader() {
    let (address, requests) = server(ok(" A summary. ")).await;
    let text = "x".repeat(100_000);
    let summary = model(&address).summarise(&text, &["For lawyers", "In verse"]).await.unwrap();
    assert_eq!(summary, "A summary.");
    let request = requests.lock().unwrap()[0].clone();
    assert!(request.contains("For lawyers") && request.contains("In verse"));
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
        let error = model(&address).summarise("text", &[]).await.unwrap_err();
        assert_eq!(error.code.as_str(), code, "{response:?}");
        assert!(!format!("{error:?}").contains("secret"));
    }
    let error = model("http://127.0.0.1:1/").summarise("text", &[]).await.unwrap_err();
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
