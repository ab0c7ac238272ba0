//! What managers keep: banners, the company, users, webhooks, reply templates, preview links.

use std::time::Duration;

use axum::body::Body;
use axum::http::Method;
use hansang_testserver::{On, Server, has, lacks, ok, on_each_store, refusal};
use serde_json::{Value as Json, json};

use super::{API, edit, send, start, visit, write};

/// A change by the administrator of a revision.
async fn manage(
    server: &Server,
    method: Method,
    path: &str,
    revision: Option<i64>,
    body: Json,
) -> hansang_testserver::Response {
    let tag = revision.map(|revision| format!("\"{revision}\"")).unwrap_or_default();
    let headers: Vec<(&str, &str)> = revision.map(|_| ("if-match", &*tag)).into_iter().collect();
    server.call(method, &format!("{API}/{path}"), &server.admin, Some(body), &headers).await
}

/// C10, C23: banners in order, each in its period; a cache ends where one appears.
async fn banners_are_shown_in_their_periods(on: On) {
    let server = start(on).await;
    let now: jiff::Timestamp = write(&server, "p", "t").await["createdAt"].as_str().unwrap().parse().unwrap();
    let banner = |title: &str, from: u64| json!({ "title": title, "imgUri": "/media/a.png", "publishAt": now + Duration::from_secs(from) });
    let one = ok(send(&server, Method::POST, "banners", banner("one", 0)).await);
    let two = ok(send(&server, Method::POST, "banners", banner("two", 8)).await);
    assert_eq!((&one["visible"], &two["visible"]), (&json!(true), &json!(false)));
    let listed = visit(&server, "banners").await;
    let age: u64 = listed.header("cache-control").strip_prefix("public, max-age=").unwrap().parse().unwrap();
    assert!(age <= 8, "{age}");
    assert_eq!(ok(listed)["items"].as_array().unwrap().len(), 1);
    server.later(Duration::from_secs(8));
    let ids = json!({ "ids": [two["id"], one["id"]] });
    ok(send(&server, Method::POST, "edit/banners/order", ids).await);
    let items = ok(visit(&server, "banners").await)["items"].clone();
    assert_eq!((&items[0]["title"], &items[1]["title"]), (&json!("two"), &json!("one")));
    let path = format!("banners/{}", one["id"].as_str().unwrap());
    let wrong = json!({ "title": "", "imgUri": "javascript:alert(1)" });
    let wrong = edit(&server, Method::PUT, &path, 1, Some(wrong)).await;
    assert_eq!(wrong.json()["errors"].as_array().unwrap().len(), 2, "{wrong:?}");
    assert_eq!(edit(&server, Method::DELETE, &path, 7, None).await.status, 412);
}

/// C11, C24: the company is saved by administrators, and nobody overwrites another one's change.
async fn the_company_is_saved_once(on: On) {
    let server = start(on).await;
    let company = |name: &str| json!({ "name": name, "email": "contact@example.com" });
    assert_eq!(ok(visit(&server, "company").await)["revision"], 0);
    ok(manage(&server, Method::PUT, "company", Some(0), company("한상푸드")).await);
    let stale = manage(&server, Method::PUT, "company", Some(0), company("other")).await;
    assert_eq!(stale.status, 412);
    assert_eq!(ok(visit(&server, "company").await)["name"], "한상푸드");
}

/// C7, C19: the authors of posts.
async fn users_are_kept(on: On) {
    let server = start(on).await;
    let user = json!({ "id": "u001", "displayName": "김대연", "role": "admin" });
    ok(manage(&server, Method::POST, "users", None, user.clone()).await);
    assert_eq!(manage(&server, Method::POST, "users", None, user).await.status, 409);
    let renamed = json!({ "displayName": "김대연", "role": "editor", "desc": "편집장" });
    assert_eq!(ok(manage(&server, Method::PUT, "users/u001", Some(1), renamed).await)["role"], "editor");
    assert_eq!(ok(server.get(&format!("{API}/users")).await)["items"][0]["desc"], "편집장");
}

/// Webhooks never show their secret, and a test is a delivery that waits.
async fn webhooks_keep_their_secret(on: On) {
    let server = start(on).await;
    let hook = json!({
        "url": "https://hooks.example.com/site", "secret": "a long enough secret", "events": ["post.published"], "active": true,
    });
    let made = ok(manage(&server, Method::POST, "webhooks", None, hook).await);
    assert!(!made.to_string().contains("long enough"), "{made}");
    let id = made["id"].as_str().unwrap();
    let tested =
        ok(server.call(Method::POST, &format!("{API}/webhooks/{id}/test"), &server.admin, None, &[]).await);
    assert_eq!((&tested["event"], &tested["state"]), (&json!("test"), &json!("pending")));
    let path = format!("{API}/webhooks/{id}/deliveries");
    assert_eq!(
        ok(server.call(Method::GET, &path, &server.admin, None, &[]).await)["items"][0]["id"],
        tested["id"]
    );
    let wrong = json!({ "url": "file:///etc/passwd", "secret": "short", "events": [], "active": true });
    assert_eq!(manage(&server, Method::POST, "webhooks", None, wrong).await.status, 400);
}

/// A private link shows the edited text until its time, or until it is revoked.
async fn a_preview_link_ends(on: On) {
    let server = start(on).await;
    write(&server, "p1", "비밀 초안").await;
    let link = ok(send(&server, Method::POST, "posts/p1/preview", json!({ "hours": 1 })).await);
    let path = link["path"].as_str().unwrap();
    let open = || server.page(Method::GET, path, &[], Body::empty());
    let shown = open().await;
    has(&shown, &["비밀 초안", "noindex", "미리 보기"]);
    lacks(&shown, &["canonical"]);
    assert_eq!(shown.header("cache-control"), "no-store");
    server.later(Duration::from_secs(3600));
    assert_eq!(open().await.status, 404);
    let link = ok(send(&server, Method::POST, "posts/p1/preview", json!({ "hours": 1 })).await);
    let revoke = format!("{API}/posts/p1/preview/revoke");
    assert_eq!(ok(server.call(Method::POST, &revoke, &server.editor, None, &[]).await)["count"], 1);
    let path = link["path"].as_str().unwrap();
    assert_eq!(server.page(Method::GET, path, &[], Body::empty()).await.status, 404);
    let never = server.page(Method::GET, "/site/preview/none/none", &[], Body::empty()).await;
    assert_eq!(never.status, 404);
}

/// Settled: a person's data is erased on request; templates fill in what a visitor wrote.
async fn templates_and_erasure(on: On) {
    let server = start(on).await;
    let template = json!({ "title": "접수", "body": "{name}님, 감사합니다." });
    let made = ok(send(&server, Method::POST, "reply-templates", template).await);
    let path = format!("reply-templates/{}", made["id"].as_str().unwrap());
    let changed =
        edit(&server, Method::PUT, &path, 1, Some(json!({ "title": "접수 안내", "body": "x" }))).await;
    assert_eq!(ok(changed)["title"], "접수 안내");
    let inquiry = super::inquiries::inquiry();
    ok(server.call(Method::POST, &format!("{API}/inquiries"), "", Some(inquiry), &[]).await);
    let erased =
        manage(&server, Method::POST, "people/erase", None, json!({ "email": "HONG@example.com" })).await;
    assert_eq!(ok(erased)["count"], 1);
    let left = server.call(Method::GET, &format!("{API}/inquiries"), &server.editor, None, &[]).await;
    assert_eq!(ok(left)["items"], json!([]));
    assert_eq!(refusal(&edit(&server, Method::DELETE, &path, 1, None).await).0, 412);
}

on_each_store!(
    banners_are_shown_in_their_periods,
    the_company_is_saved_once,
    users_are_kept,
    webhooks_keep_their_secret,
    a_preview_link_ends,
    templates_and_erasure,
);
