//! Guesses at passwords and set-up links by clients that are not signed in.

use std::time::Duration;

use axum::body::Body;
use axum::http::Method;
use serde_json::json;

use hansang_access::Paging;
use hansang_testserver::{On, Response, Server};

hansang_testserver::on_each_store! {
    rejected_set_up_links_leave_no_entry,
    a_known_device_signs_in_although_the_login_is_limited,
}

/// Unauthenticated clients can send any number of links, so they are limited by address and leave no entry.
async fn rejected_set_up_links_leave_no_entry(on: On) {
    let server = Server::start(on).await;
    let day = jiff::tz::TimeZone::UTC.to_datetime(server.access.now()).date();
    let entries = async || {
        let page = server.access.audit_of_day(day, Paging { limit: Some(100), cursor: None }).await.unwrap();
        page.items.len()
    };
    let before = entries().await;
    let link = json!({ "secret": "guess", "login": "x", "name": "x", "password": "long enough pw" });
    let mut statuses = Vec::new();
    for _ in 0..22 {
        let sent = server.call(Method::POST, "/api/access/set-up", "", Some(link.clone()), &[]).await;
        statuses.push(sent.status);
    }
    assert_eq!((statuses[0], statuses[19], statuses[20], statuses[21]), (401, 401, 429, 429));
    assert_eq!(entries().await, before);
}

async fn sign_in(server: &Server, password: &str, cookie: &str) -> Response {
    let form = format!("login=viewer&password={password}");
    let headers = [("content-type", "application/x-www-form-urlencoded"), ("cookie", cookie)];
    server.page(Method::POST, "/console/sign-in", &headers, Body::from(form)).await
}

async fn a_known_device_signs_in_although_the_login_is_limited(on: On) {
    let server = Server::start(on).await;
    let first = sign_in(&server, "correct+horse", "").await;
    let cookies: Vec<&str> =
        first.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    let device = cookies.iter().find(|cookie| cookie.starts_with("hansang_device=")).unwrap();
    assert!(device.contains("HttpOnly; SameSite=Lax") && device.contains("Max-Age=31536000"), "{device}");
    let device = device.split(';').next().unwrap();
    for _ in 0..5 {
        assert_eq!(sign_in(&server, "wrong", "").await.status, 401);
    }
    let limited = sign_in(&server, "correct+horse", "").await;
    assert_eq!((limited.status, limited.header("retry-after")), (429, "2"));
    server.later(Duration::from_secs(2));
    assert_eq!(sign_in(&server, "wrong", "").await.status, 401);
    let limited = sign_in(&server, "correct+horse", "").await;
    assert_eq!((limited.status, limited.header("retry-after")), (429, "4"), "the true time");
    assert_eq!(sign_in(&server, "correct+horse", device).await.status, 303);
}
