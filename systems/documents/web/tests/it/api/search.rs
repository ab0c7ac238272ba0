//! Search, marks, questions, and progress as it happens.

use axum::http::Method;
use hansang_testserver::{On, ok, on_each_store, refusal};
use serde_json::json;

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

on_each_store!(segments_are_found, words_are_marked, questions_are_answered_with_passages);
