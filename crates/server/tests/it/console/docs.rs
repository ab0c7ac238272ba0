//! The documentation in the console.

use hansang_testserver::{On, SHOP, Server, Visitor, has, lacks, settings};

#[tokio::test]
async fn documents_are_pages_and_their_headings_are_found() {
    let server = Server::with(On::Embedded, &[SHOP], settings()).await;
    let anonymous = Visitor::signed_out(&server);
    assert_eq!(anonymous.get("/console/docs").await.status, 303);
    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    let list = viewer.get("/console/docs").await;
    has(
        &list,
        &["<h1>도움말</h1>", "href=\"/console/docs/model\">모델 언어</a>", "href=\"/console/docs/serve\""],
    );
    for name in ["console", "model", "serve", "security", "stores", "systems"] {
        let page = viewer.get(&format!("/console/docs/{name}")).await;
        assert_eq!(page.status, 200, "{name}");
        has(&page, &["<article class=\"card document\" lang=\"en\"><h1 id=", "영어로만"]);
        lacks(&page, &["<img src=\"screenshots", ".md\"", "```"]);
        // Every anchor of the page exists.
        for link in page.text.split("href=\"#").skip(1) {
            let id = link.split('"').next().unwrap();
            assert!(page.text.contains(&format!("id=\"{id}\"")), "{name}: #{id}");
        }
    }
    assert_eq!(viewer.get("/console/docs/nowhere").await.status, 404);
    let found = viewer.get("/console/search?q=key%20templates").await;
    has(
        &found,
        &["<h2>도움말</h2>", "href=\"/console/docs/model#key-templates\" lang=\"en\">Key templates</a>"],
    );
    has(
        &viewer.get("/console/search?q=%EC%84%9C%EB%B2%84%20%EC%9A%B4%EC%98%81").await,
        &["/console/docs/serve"],
    );
}

#[tokio::test]
async fn korean_words_find_chapters_of_the_english_documentation() {
    let server = Server::with(On::Embedded, &[SHOP], settings()).await;
    let search = |text: &str| {
        let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        format!("/console/search?q={encoded}")
    };
    let korean = Visitor::sign_in(&server, "viewer", "ko").await;
    for (text, id, title) in [
        ("색인", "model#index", "인덱스"),
        ("백업", "stores#tables", "테이블 명령"),
        ("백필", "stores#tables", "테이블 명령"),
        ("로그인", "serve#access-control", "접근 제어"),
        ("쿼터", "serve#operations", "운영"),
        // With or without spaces.
        ("파티션키", "model#key-templates", "키 템플릿"),
        ("낙관적 잠금", "model#version-and-timestamps", "버전과 시각"),
        ("접 근 패턴", "model#patterns", "접근 패턴"),
    ] {
        let found = korean.get(&search(text)).await;
        // The title is in the language of the page; its chapter is in English, as the result says.
        has(&found, &[&format!("href=\"/console/docs/{id}\">{title}</a>"), " · 영어 문서</span>"]);
        let page = korean.get(&format!("/console/docs/{}", id.split('#').next().unwrap())).await;
        has(&page, &[&format!("id=\"{}\"", id.split('#').nth(1).unwrap())]);
    }
    // A document by a word that is not in its title.
    has(&korean.get(&search("플러그인")).await, &["href=\"/console/docs/systems\">시스템 만들기</a>"]);
    lacks(&korean.get(&search("없는말")).await, &["/console/docs/"]);
    // Words of two entries are not one word.
    lacks(&korean.get(&search("인증권한")).await, &["/console/docs/"]);
    // The same word finds the English heading for a visitor who reads English.
    let english = Visitor::sign_in(&server, "editor", "en").await;
    has(
        &english.get(&search("백업")).await,
        &["href=\"/console/docs/stores#tables\" lang=\"en\">Tables</a>"],
    );
}
