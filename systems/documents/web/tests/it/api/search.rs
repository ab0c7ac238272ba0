//! Search, marks, questions, and progress as it happens.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use axum::http::Method;
use hansang_documents_adapters::TextIndex;
use hansang_testserver::{On, ok, on_each_store, refusal};
use serde_json::{Value as Json, json};

use super::{API, all, id, start};

/// Segments of a project are found by parts of Korean words, until their text changes or they are deleted.
async fn segments_are_found(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let sent = ground.upload(&project, "계약.txt", "text").await;
    ground.process(&["임대차계약서를 작성한다", "The weather is fine"]).await;
    let search = format!("projects/{project}/search");
    let found = ok(ground.see(&format!("{search}?q=%EA%B3%84%EC%95%BD")).await);
    assert_eq!((&found["total"], all(&found, "document_name")), (&json!(1), vec!["계약.txt"]));
    assert_eq!(found["items"][0]["highlights"], json!([[3, 5]]));
    assert_eq!(refusal(&ground.see(&format!("{search}?q=.")).await).0, 400);
    let path = format!("projects/{project}/documents/{}", id(&sent["document"], "document_id"));
    let text = json!({ "content": "매매" });
    ok(ground.make(Method::PUT, &format!("{path}/segments/0/text"), text).await);
    assert_eq!(ok(ground.see(&format!("{search}?q=%EA%B3%84%EC%95%BD")).await)["items"], json!([]));
    assert_eq!(ok(ground.see(&format!("{search}?q=weath")).await)["total"], 1);
    assert_eq!(ground.order(Method::DELETE, &path).await.status, 204);
    assert_eq!(ok(ground.see(&format!("{search}?q=weath")).await)["items"], json!([]));
}

/// Words are marked on the page image by the boxes of their lines.
async fn words_are_marked(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let sent = ground.upload(&project, "a.txt", "text").await;
    let prepare = ground.claim("prepare").await;
    ok(ground.under(&prepare, "complete", json!({})).await);
    let parse = ground.claim("parse").await;
    let block = json!({ "text": "가나다라 마바사", "left": 1000, "top": 500, "width": 4000, "height": 200 });
    let line = json!({ "segment_index": 0, "content": "가나다라 마바사", "blocks": [block] }).to_string();
    ok(ground.write(&parse, &line).await);
    let path = format!("workflows/{}/segments/0/marks", id(&sent["workflow"], "workflow_id"));
    let marks = ok(ground.see(&format!("{path}?q=%EB%8B%A4%EB%9D%BC")).await);
    assert_eq!((id(&marks["items"][0], "text"), &marks["items"][0]["top"]), ("다라", &json!(500)));
}

/// Without a language model, a question is answered with the passages that fit best.
async fn questions_are_answered_with_passages(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    ground.upload(&project, "계약.txt", "text").await;
    ground.process(&["임대차 기간은 이 년이다", "보증금은 천만 원이다"]).await;
    let sessions = format!("{API}/projects/{project}/sessions");
    let call =
        async |path: &str, body| ok(ground.call(Method::POST, path, &ground.viewer, Some(body), &[]).await);
    let session = call(&sessions, json!({ "session_name": "s" })).await;
    let ask = format!("{sessions}/{}/ask", id(&session, "session_id"));
    let answered = call(&ask, json!({ "question": "보증금은 얼마인가?" })).await;
    let answer = &answered["answer"];
    assert_eq!((id(answer, "role"), &answer["citations"][0]["segment_index"]), ("assistant", &json!(1)));
    assert_eq!(id(answer, "content"), "가장 가까운 부분:");
    let nothing = call(&ask, json!({ "question": "xyzzy?" })).await;
    assert_eq!(id(&nothing["answer"], "content"), "Nothing in the documents fits this question.");
    let messages = format!("{sessions}/{}/messages", id(&session, "session_id"));
    let messages = ok(ground.get(&messages).await);
    assert_eq!(all(&messages, "role"), ["user", "assistant", "user", "assistant"]);
    let foreign =
        ground.call(Method::POST, &ask, &ground.editor, Some(json!({ "question": "a" })), &[]).await;
    assert_eq!(refusal(&foreign), (404, "session_unknown".to_owned()));
}

/// Deleted documents and projects are out of the server's index before the response.
async fn deleted_text_leaves_the_index(on: On) {
    let ground = start(on).await;
    let mut projects = Vec::new();
    for name in ["a.txt", "b.txt"] {
        let project = ground.project("p").await;
        let sent = ground.upload(&project, name, "text").await;
        ground.process(&["The weather is fine"]).await;
        assert_eq!(ok(ground.see(&format!("projects/{project}/search?q=weath")).await)["total"], 1);
        projects.push((project, id(&sent["document"], "document_id").to_owned()));
    }
    let held = || {
        // A copy: the server has the index itself.
        let copy = tempfile::tempdir().unwrap();
        for file in std::fs::read_dir(ground.directory().join("index")).unwrap().map(Result::unwrap) {
            if !file.file_name().to_string_lossy().contains("lock") {
                std::fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
            }
        }
        TextIndex::open(copy.path()).unwrap().projects().unwrap()
    };
    let (first, second) = (&projects[0], &projects[1]);
    assert_eq!(held().len(), 2);
    let document = format!("projects/{}/documents/{}", first.0, first.1);
    assert_eq!(ground.order(Method::DELETE, &document).await.status, 204);
    assert_eq!(held().into_iter().collect::<Vec<_>>(), [&*second.0]);
    assert_eq!(ground.order(Method::DELETE, &format!("projects/{}", second.0)).await.status, 204);
    assert!(held().is_empty());
}

/// A server that gives every question the same answer, and keeps the questions. Its address.
async fn language_model(answer: &'static str) -> (String, Arc<Mutex<Vec<Json>>>) {
    let asked: Arc<Mutex<Vec<Json>>> = Arc::default();
    let kept = asked.clone();
    let answer = axum::routing::post(async move |axum::Json(question): axum::Json<Json>| {
        kept.lock().unwrap().push(question);
        axum::Json(json!({ "choices": [{ "message": { "content": answer } }] }))
    });
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let app = axum::Router::new().route("/v1/chat/completions", answer);
    tokio::spawn(async move { axum::serve(listener, app).await });
    (address, asked)
}

/// D26: the agent of a conversation and its earlier messages are given to the language model. When the model fails, the
/// question is kept, and answered with the passages and a notice.
async fn agents_answer_in_conversations(on: On) {
    let mut ground = start(on).await;
    let (address, asked) = language_model("천만 원입니다 [1].").await;
    let model = [("documents-answers-url", &*address), ("documents-answers-model", "small")];
    ground.restart(&model).await;
    let project = ground.project("p").await;
    ground.upload(&project, "계약.txt", "text").await;
    ground.process(&["보증금은 천만 원이다"]).await;
    let agent = json!({ "name": "변호사", "content": "변호사처럼 답한다." });
    let agent = ok(ground.make(Method::POST, &format!("projects/{project}/agents"), agent).await);
    let agent_id = id(&agent, "agent_id");
    let new = json!({ "session_name": "s", "agent_id": agent_id });
    let session = ok(ground.make(Method::POST, &format!("projects/{project}/sessions"), new).await);
    let ask = format!("projects/{project}/sessions/{}/ask", id(&session, "session_id"));
    for question in ["보증금은 얼마인가?", "보증금은 누가 내나?"] {
        let answered = ok(ground.make(Method::POST, &ask, json!({ "question": question })).await);
        assert_eq!(id(&answered["answer"], "content"), "천만 원입니다 [1].");
        assert_eq!(answered["answer"]["citations"].as_array().unwrap().len(), 1);
    }
    let second = asked.lock().unwrap()[1]["messages"].clone();
    let text = |at: usize| second[at]["content"].as_str().unwrap();
    assert!(text(0).contains("변호사처럼 답한다."), "{second:#}");
    assert_eq!((text(1), text(2)), ("보증금은 얼마인가?", "천만 원입니다 [1]."));
    assert!(
        text(3).contains("보증금은 천만 원이다") && text(3).contains("보증금은 누가 내나?"),
        "{second:#}"
    );
    // An agent that is gone answers no more; the conversation goes on.
    let path = format!("projects/{project}/agents/{agent_id}");
    assert_eq!(ground.order(Method::DELETE, &path).await.status, 204);
    ok(ground.make(Method::POST, &ask, json!({ "question": "보증금은?" })).await);
    assert!(!asked.lock().unwrap()[2]["messages"][0]["content"].as_str().unwrap().contains("변호사"));

    // A port that nothing listens on.
    let free = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = format!("http://{}/v1", free.local_addr().unwrap());
    drop(free);
    ground.restart(&[("documents-answers-url", &*address), ("documents-answers-model", "small")]).await;
    let answered = ok(ground.make(Method::POST, &ask, json!({ "question": "보증금 반환은?" })).await);
    assert_eq!(id(&answered["question"], "content"), "보증금 반환은?");
    assert!(
        id(&answered["answer"], "content").starts_with("지금은 언어 모델이 답하지 않습니다."),
        "{answered:#}"
    );
    assert_eq!(answered["answer"]["citations"][0]["quote"], "보증금은 천만 원이다");
}

on_each_store!(
    deleted_text_leaves_the_index,
    agents_answer_in_conversations,
    segments_are_found,
    words_are_marked,
    questions_are_answered_with_passages,
);
