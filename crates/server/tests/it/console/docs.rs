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
