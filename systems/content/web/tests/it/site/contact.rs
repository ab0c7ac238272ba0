//! The contact form, without scripts.

use axum::body::Body;
use axum::http::Method;
use hansang_testserver::{On, Response, Server, has, lacks, ok, on_each_store};

use super::{example, open};

const FIELDS: [(&str, &str); 8] = [
    ("name", "홍길동"),
    ("email", "hong@example.com"),
    ("company", "길동상사"),
    ("title", "팀장"),
    ("referral", "검색"),
    ("subject", "단체 주문 <문의>"),
    ("message", "매주 50개를 주문하고 싶습니다."),
    ("consent", "2026-11"),
];

async fn send(server: &Server, fields: &[(&str, &str)]) -> Response {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields);
    let headers = [("content-type", "application/x-www-form-urlencoded"), ("accept-language", "ko")];
    server.page(Method::POST, "/site/contact", &headers, Body::from(form.finish())).await
}

/// C12: a sent form leads to its receipt, and is in the inbox.
async fn a_form_is_sent(on: On) {
    let server = example(on).await;
    has(&open(&server, "/site/contact", "ko").await, &["문의하기", "문의 내용을 수집", "name=\"message\""]);
    let sent = send(&server, &FIELDS).await;
    assert_eq!(sent.status, 303, "{sent:?}");
    let to = sent.header("location").to_owned();
    let id = to.strip_prefix("/site/contact/received/").unwrap();
    has(&open(&server, &to, "ko").await, &["문의를 접수했습니다", id]);
    let token = server.editor.clone();
    let path = format!("/api/content/inquiries/{id}");
    let inquiry = ok(server.call(Method::GET, &path, &token, None, &[]).await);
    assert_eq!((&inquiry["subject"], &inquiry["spam"]), (&"단체 주문 <문의>".into(), &false.into()));
    assert_eq!(open(&server, "/site/contact/received/never", "ko").await.status, 404);
}

/// A form with mistakes is shown again with what was entered: nothing is lost, and no success is pretended.
async fn mistakes_are_shown_at_their_fields(on: On) {
    let server = example(on).await;
    let mut fields = FIELDS;
    (fields[1].1, fields[7].1) = ("hong@", "");
    let refused = send(&server, &fields).await;
    assert_eq!(refused.status, 400);
    has(
        &refused,
        &[
            "아직 보내지 않았습니다",
            "id=\"email-error\"",
            "id=\"consent-error\"",
            "매주 50개를 주문",
            "단체 주문 &lt;문의&gt;",
        ],
    );
    lacks(&refused, &["id=\"name-error\"", "접수 번호"]);
    let foreign = [("content-type", "application/x-www-form-urlencoded"), ("sec-fetch-site", "cross-site")];
    let foreign = server.page(Method::POST, "/site/contact", &foreign, Body::from("name=x")).await;
    assert_eq!(foreign.status, 403);
}

/// Cs14: a consent to an older text does not count: the form comes back with the new text, and nothing is
/// stored.
async fn an_outdated_consent_is_asked_again(on: On) {
    let server = example(on).await;
    let mut fields = FIELDS;
    fields[7].1 = "2020-01";
    let refused = send(&server, &fields).await;
    assert_eq!(refused.status, 400);
    has(&refused, &["매주 50개를 주문", "value=\"2026-11\" required", "동의 문구가 바뀌었습니다"]);
    lacks(&refused, &["required checked"]);
    fields[7].1 = "2026-11";
    assert_eq!(send(&server, &fields).await.status, 303);
}

/// Cs9: a double click stores one inquiry and leads to its receipt twice.
async fn a_double_click_is_one_inquiry(on: On) {
    let server = example(on).await;
    let page = open(&server, "/site/contact", "ko").await;
    let form = page.text.split("name=\"form\" value=\"").nth(1).unwrap()[..26].to_owned();
    let other = open(&server, "/site/contact", "ko").await;
    lacks(&other, &[&form]);
    let fields = [&FIELDS[..], &[("form", &*form)]].concat();
    let (one, two) = (send(&server, &fields).await, send(&server, &fields).await);
    assert_eq!((one.status, one.header("location")), (303, two.header("location")));
    // A form that comes back with mistakes is the same form.
    let mut wrong = fields.clone();
    wrong[1].1 = "hong@";
    has(&send(&server, &wrong).await, &[&format!("name=\"form\" value=\"{form}\"")]);
}

/// A flood is told to wait, with what was entered.
async fn a_flood_is_told_to_wait(on: On) {
    let server = example(on).await;
    let mut statuses = Vec::new();
    for _ in 0..8 {
        statuses.push(send(&server, &FIELDS).await.status);
    }
    assert_eq!(statuses[0], 303);
    assert!(statuses.contains(&429), "{statuses:?}");
    let told = send(&server, &FIELDS).await;
    has(&told, &["role=\"alert\"", "매주 50개를 주문"]);
}

on_each_store!(
    a_form_is_sent,
    mistakes_are_shown_at_their_fields,
    an_outdated_consent_is_asked_again,
    a_double_click_is_one_inquiry,
    a_flood_is_told_to_wait,
);
