//! Inquiries: sent by visitors, answered by managers.

use axum::http::Method;
use hansang_testserver::{On, Server, ok, on_each_store, refusal};
use serde_json::{Value as Json, json};

use super::{API, send, start};

pub(crate) fn inquiry() -> Json {
    json!({
        "name": "홍길동", "email": "hong@example.com", "company": "길동상사", "title": "팀장", "referral": "검색",
        "subject": "협업 문의", "message": "협업 관련해서 문의드립니다.", "consentVersion": "2026-11",
    })
}

async fn submit(server: &Server, body: Json) -> hansang_testserver::Response {
    server.call(Method::POST, &format!("{API}/inquiries"), "", Some(body), &[]).await
}

/// C12, C13: a visitor's message is stored with its notification, and answered by a manager.
async fn an_inquiry_is_sent_and_answered(on: On) {
    let server = start(on).await;
    let company = json!({ "email": "contact@example.com" });
    let path = format!("{API}/company");
    ok(server.call(Method::PUT, &path, &server.admin, Some(company), &[("if-match", "\"0\"")]).await);
    let id = ok(submit(&server, inquiry()).await)["id"].as_str().unwrap().to_owned();
    let read = || async {
        ok(server.call(Method::GET, &format!("{API}/inquiries/{id}"), &server.editor, None, &[]).await)
    };
    let thread = read().await;
    assert_eq!(
        (&thread["status"], &thread["spam"], &thread["consentVersion"]),
        (&json!("new"), &json!(false), &json!("2026-11"))
    );
    assert_eq!(
        (&thread["mails"][0]["kind"], &thread["mails"][0]["subject"]),
        (&json!("notification"), &json!("[FM-web 문의] 협업 문의"))
    );
    let reply = json!({ "message": "안녕하세요, 곧 연락드리겠습니다." });
    ok(send(&server, Method::POST, &format!("inquiries/{id}/reply"), reply).await);
    assert_eq!(read().await["mails"][1]["subject"], "[FM-web 답변] 협업 문의");
    let done =
        ok(send(&server, Method::POST, &format!("inquiries/{id}/status"), json!({ "status": "done" })).await);
    assert_eq!(done["status"], "done");
    let again = ok(send(
        &server,
        Method::POST,
        &format!("inquiries/{id}/status"),
        json!({ "status": "in_progress" }),
    )
    .await);
    assert_eq!(again["status"], "in_progress");
    let path = format!("{API}/inquiries/{id}");
    assert_eq!(server.call(Method::DELETE, &path, &server.editor, None, &[]).await.status, 403);
    assert_eq!(server.call(Method::DELETE, &path, &server.admin, None, &[]).await.status, 204);
    assert_eq!(server.call(Method::GET, &path, &server.editor, None, &[]).await.status, 404);
}

/// C12: every part is required, and every problem is told at once.
async fn a_wrong_inquiry_is_refused_at_its_fields(on: On) {
    let server = start(on).await;
    let empty = submit(&server, json!({})).await.json();
    let fields: Vec<&str> =
        empty["errors"].as_array().unwrap().iter().map(|error| error["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["name", "email", "company", "title", "referral", "subject", "message", "consent"]);
    let mut split = inquiry();
    split["subject"] = "a\r\nBcc: everyone@example.com".into();
    assert_eq!(submit(&server, split).await.json()["errors"][0]["field"], "subject");
}

/// Settled: spam is kept where a manager sees it, and one address cannot flood.
async fn spam_is_kept_and_a_flood_is_told(on: On) {
    let server = start(on).await;
    let mut trapped = inquiry();
    trapped["website"] = "https://spam.example".into();
    let id = ok(submit(&server, trapped).await)["id"].as_str().unwrap().to_owned();
    let listed = ok(server.call(Method::GET, &format!("{API}/inquiries"), &server.editor, None, &[]).await);
    assert_eq!((&listed["items"][0]["id"], &listed["items"][0]["spam"]), (&json!(id), &json!(true)));
    let path = format!("inquiries/{id}/release");
    let released = server.call(Method::POST, &format!("{API}/{path}"), &server.editor, None, &[]).await;
    assert_eq!(ok(released)["spam"], false);
    let mut last = 201;
    for _ in 0..6 {
        last = submit(&server, inquiry()).await.status;
    }
    let flooded = submit(&server, inquiry()).await;
    assert!(last == 429 || flooded.status == 429, "{last}");
    assert_eq!(refusal(&submit(&server, inquiry()).await).0, 429);
}

on_each_store!(
    an_inquiry_is_sent_and_answered,
    a_wrong_inquiry_is_refused_at_its_fields,
    spam_is_kept_and_a_flood_is_told,
);
