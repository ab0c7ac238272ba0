//! What must not run, and what is too large, on the way to visitors.

use axum::http::Method;
use hansang_content::{
    Content, CorpInfo, Format, MODEL, NewCategory, NewPost, PostText, Publication, UserText, create_category,
    create_post, create_user, publish_post, save_corp_info,
};
use hansang_testserver::{On, Server, Visitor, has, on_each_store, settings};
use serde_json::json;

use super::open;

const SCRIPT: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";

/// Settled: script in contents, titles, names and authors runs nowhere: not on pages, in data for search engines, feeds, maps or
/// results of a search.
async fn nothing_that_was_written_runs(on: On) {
    let system = std::sync::Arc::new(hansang_content_web::ContentSystem);
    let server = Server::of_system(on, system, settings()).await;
    let content = Content::new(server.db(MODEL));
    let company = CorpInfo {
        name: Some(format!("회사{SCRIPT}")),
        ceo: Some(SCRIPT.to_owned()),
        email: Some("a@example.com".to_owned()),
        ..CorpInfo::default()
    };
    save_corp_info(&content, &company).await.unwrap();
    let user = UserText { display_name: format!("이{SCRIPT}"), ..UserText::default() };
    create_user(&content, Some("writer".to_owned()), &user).await.unwrap();
    let (id, title) = (Some("news".to_owned()), format!("분류{SCRIPT}"));
    let category = NewCategory { id, title, slug: Some("news".to_owned()), ..NewCategory::default() };
    create_category(&content, category).await.unwrap();
    let json = json!({ "type": "doc", "content": [
        { "type": "paragraph", "content": [{ "type": "text", "text": SCRIPT, "marks": [
            { "type": "link", "attrs": { "href": "javascript:alert(3)" } },
        ] }] },
        { "type": "image", "attrs": { "src": "javascript:alert(4)", "alt": SCRIPT, "onerror": "alert(5)" } },
    ] });
    for (slug, format, contents) in [
        ("markdown", Format::Markdown, format!("{SCRIPT}\n\n[x](javascript:alert(3))")),
        ("json", Format::Json, json.to_string()),
        ("text", Format::Text, SCRIPT.to_owned()),
    ] {
        let text = PostText {
            title: format!("소식 {slug} {SCRIPT}"),
            contents,
            format,
            slug: Some(slug.to_owned()),
            ..PostText::default()
        };
        let new = NewPost {
            category_id: "news".to_owned(),
            author_id: "writer".to_owned(),
            text,
            ..NewPost::default()
        };
        let post = create_post(&content, "writer", new).await.unwrap();
        publish_post(&content, "writer", &post.id, Publication::default(), 1).await.unwrap();
    }
    let pages = ["", "/posts", "/categories/news", "/posts/markdown", "/posts/json", "/posts/text", "/about"];
    let programs = ["/feed.xml", "/atom.xml", "/sitemap.xml", "/search?q=alert"];
    for page in pages.iter().chain(&programs) {
        let shown = open(&server, &format!("/site{page}"), "ko").await;
        assert_eq!(shown.status, 200, "{page}");
        let text = shown.text.to_lowercase();
        for danger in [
            "<script>",
            "<img src=x",
            "onerror=\"",
            "href=\"javascript:",
            "src=\"javascript:",
        ] {
            assert!(!text.contains(danger), "{danger} is in {page}: {}", shown.text);
        }
        // Data for search engines cannot end its element.
        for data in shown.text.split("<script type=\"application/ld+json\">").skip(1) {
            let (data, _) = data.split_once("</script>").unwrap();
            let json: serde_json::Value = serde_json::from_str(data).unwrap();
            assert!(json.is_array() || json.is_object(), "{page}");
        }
    }
    has(&open(&server, "/site/posts/json", "ko").await, &["소식 json", "BlogPosting"]);
}

/// Settled: a post of 5 MB is refused before it is read, through the API and on pages, and nothing is lost.
async fn a_huge_post_is_refused(on: On) {
    let server = super::example(on).await;
    let huge = "한".repeat(5 << 20).chars().take((5 << 20) / 3).collect::<String>();
    let post = json!({ "id": "huge", "categoryId": "news", "title": "큰 글", "contents": huge });
    let refused = server.send(Method::POST, "/api/content/posts", post).await;
    assert_eq!((refused.status, refused.code()), (413, "body_too_large".to_owned()));
    let large =
        json!({ "id": "large", "categoryId": "news", "title": "큰 글", "contents": "a".repeat(300_001) });
    let refused = server.send(Method::POST, "/api/content/posts", large).await;
    assert_eq!((refused.status, &refused.json()["errors"][0]["field"]), (400, &json!("contents")));
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let page = editor.post("/console/content/posts/p001", &[("contents", &huge), ("do", "save")]).await;
    assert_eq!(page.status, 413);
    assert_eq!(server.get("/api/content/posts/huge").await.status, 404);
}

on_each_store!(nothing_that_was_written_runs, a_huge_post_is_refused);
