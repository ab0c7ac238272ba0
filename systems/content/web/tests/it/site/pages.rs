//! Pages for visitors.

use std::time::Duration;

use axum::body::Body;
use axum::http::Method;
use hansang_testserver::{On, has, in_order, lacks, on_each_store};

use super::{example, open, with};

/// C21–C24: the site shows what is published, newest first, and no draft.
async fn the_site_shows_what_is_published(on: On) {
    let server = example(on).await;
    let home = open(&server, "/site", "ko").await;
    assert_eq!(home.status, 200);
    in_order(
        &home,
        &[
            "점심에도 한 상을 차립니다",
            "청주에 두 번째 조리장이",
            "연말연시 배송 안내",
            "새 도시락 상자, 아홉칸",
        ],
    );
    has(&home, &["한상푸드", "사업자등록번호", "000-00-00000", "<html lang=\"ko\">"]);
    lacks(&home, &["급식 안전 평가", "봄 식단을 미리", "자주 묻는 질문"]);
    assert!(home.text.len() < 60_000, "{}", home.text.len());
    let list = open(&server, "/site/categories/products", "ko").await;
    in_order(&list, &["새 도시락 상자, 아홉칸", "Nine side dishes", "정오에 68도인 국", "3년을 기다린 된장"]);
    let post = open(&server, "/site/posts/nine-side-dishes-one-box", "en").await;
    has(
        &post,
        &[
            "<strong>nine side dishes</strong>",
            "박세나",
            "Read next",
            "min read",
            "application/ld+json",
            "BlogPosting",
        ],
    );
    has(
        &post,
        &[
            "<link rel=\"canonical\" href=\"http://www.example.com/site/posts/nine-side-dishes-one-box\">",
            "og:image",
        ],
    );
    for path in [
        "/site/posts/p012",
        "/site/posts/p011",
        "/site/posts/never",
        "/site/nowhere/at/all",
        "/site/categories/none",
    ] {
        let missing = open(&server, path, "ko").await;
        assert_eq!(missing.status, 404, "{path}");
        has(&missing, &["페이지를 찾을 수 없습니다", "noindex", "한상푸드"]);
    }
    has(&open(&server, "/site/about", "en").await, &["About us", "김하나", "hello@hansang.example"]);
}

/// Settled: `/posts/{id}` is a link people share, and old slugs lead to the post.
async fn other_addresses_lead_to_the_post(on: On) {
    let server = example(on).await;
    let by_id = open(&server, "/site/posts/p004", "en").await;
    assert_eq!((by_id.status, by_id.header("location")), (308, "/site/posts/nine-side-dishes-one-box"));
}

/// Settled: a post appears and a cache ends exactly at its time.
async fn a_post_appears_at_its_time(on: On) {
    let server = example(on).await;
    let before = open(&server, "/site", "ko").await;
    assert_eq!(before.header("cache-control"), "public, max-age=9");
    server.later(Duration::from_secs(50 * 3600 - 4));
    let soon = open(&server, "/site", "ko").await;
    let age: u64 = soon.header("cache-control").strip_prefix("public, max-age=").unwrap().parse().unwrap();
    assert!(age < 4, "{age}");
    lacks(&soon, &["봄 식단을 미리"]);
    server.later(Duration::from_secs(4));
    has(&open(&server, "/site", "ko").await, &["봄 식단을 미리"]);
}

/// The language of a browser, and a choice that stays.
async fn a_visitor_chooses_the_language(on: On) {
    let server = example(on).await;
    has(&open(&server, "/site", "fr").await, &["<html lang=\"ko\">"]);
    has(&open(&server, "/site", "en-US").await, &["<html lang=\"en\">", "Contact us"]);
    let chosen = open(&server, "/site/about?lang=en", "ko").await;
    has(&chosen, &["<html lang=\"en\">"]);
    assert_eq!(chosen.header("cache-control"), "private, no-cache");
    let cookie = chosen.header("set-cookie").split(';').next().unwrap().to_owned();
    let headers = [("cookie", &*cookie), ("accept-language", "ko")];
    let kept = server.page(Method::GET, "/site", &headers, Body::empty()).await;
    has(&kept, &["<html lang=\"en\">"]);
    assert_eq!(kept.headers.get_all("vary").iter().count(), 2);
}

/// Words are found in what is published, also inside of Korean ones.
async fn visitors_search(on: On) {
    let server = example(on).await;
    let found = open(&server, "/site/search?q=%EC%A1%B0%EB%A6%AC%EC%9E%A5", "ko").await;
    has(&found, &["<mark>조리장</mark>", "청주에 두 번째 조리장이 문을 열었습니다"]);
    let draft = open(&server, "/site/search?q=%EC%B5%9C%EC%9A%B0%EC%88%98", "ko").await;
    has(&draft, &["찾은 글이 없습니다"]);
    has(&open(&server, "/site/search?q=%3Cscript%3E", "ko").await, &["value=\"&lt;script&gt;\""]);
    let results = server.call(Method::GET, "/api/content/search?q=side+dishes", "", None, &[]).await;
    assert_eq!(hansang_testserver::ok(results)["items"][0]["post"]["slug"], "nine-side-dishes-one-box");
}

/// A page is compressed, and sent once.
async fn an_unchanged_page_is_not_sent_again(on: On) {
    let server = example(on).await;
    let first = open(&server, "/site", "ko").await;
    let tag = first.header("etag").to_owned();
    let headers = [("accept-language", "ko"), ("host", "www.example.com"), ("if-none-match", &*tag)];
    let again = server.page(Method::GET, "/site", &headers, Body::empty()).await;
    assert_eq!((again.status, again.text.len()), (304, 0));
    let policy = first.header("content-security-policy");
    assert!(
        policy.contains("script-src 'self'") && policy.contains("img-src 'self' data: https:"),
        "{policy}"
    );
}

/// The site may be at the root, with an address of its own.
async fn the_site_may_be_at_the_root(on: On) {
    let server = with(on, &[("content-site", "/"), ("content-address", "https://hansang.example")]).await;
    let home = open(&server, "/", "ko").await;
    has(&home, &["한상푸드", "href=\"/posts/"]);
    assert_eq!(open(&server, "/nowhere", "ko").await.status, 404);
    assert_eq!(server.get("/api/content/posts/none").await.code(), "post_unknown");
}

on_each_store!(
    the_site_shows_what_is_published,
    other_addresses_lead_to_the_post,
    a_post_appears_at_its_time,
    a_visitor_chooses_the_language,
    an_unchanged_page_is_not_sent_again,
    visitors_search,
    the_site_may_be_at_the_root,
);
