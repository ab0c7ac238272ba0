//! Scheduled publishing, in the time of an editor in Seoul and across a restart of the server.

use std::sync::Arc;
use std::time::Duration;

use hansang_content::{
    Content, MODEL, NewCategory, NewPost, PostText, create_category, create_post, find_post,
};
use hansang_content_web::ContentSystem;
use hansang_server::{Settings, System};
use hansang_testserver::{On, Server, Visitor, has, lacks, on_each_store, settings};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::open;

const HOUR: Duration = Duration::from_secs(3600);

/// Cs29: a time that is typed in Seoul is stored as it is in UTC; the post, its lists and feeds appear then, also if the server
/// was restarted in between, and go at its end.
async fn a_post_appears_at_its_time_in_seoul(on: On) {
    let system: Arc<dyn System> = Arc::new(ContentSystem);
    let settings = Settings { time_zone: Some(TimeZone::get("Asia/Seoul").unwrap()), ..settings() };
    let mut server = Server::of_system(on, system.clone(), settings).await;
    let content = Content::new(server.db(MODEL));
    let news =
        NewCategory { id: Some("news".to_owned()), title: "소식".to_owned(), ..NewCategory::default() };
    create_category(&content, news).await.unwrap();
    let text =
        PostText {
            title: "신제품 발표".to_owned(), contents: "내용".to_owned(), ..PostText::default()
        };
    let new =
        NewPost { category_id: "news".to_owned(), author_id: "ann".to_owned(), text, ..NewPost::default() };
    let id = create_post(&content, "ann", new).await.unwrap().id;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let path = format!("/console/content/posts/{id}");
    has(&editor.get(&path).await, &["시간대: Asia/Seoul"]);
    // The clock of the test begins at 2026-11-16 00:00 UTC, 09:00 in Seoul.
    let fields = [
        ("title", "신제품 발표"),
        ("base.title", "신제품 발표"),
        ("contents", "내용"),
        ("base.contents", "내용"),
        ("format", "markdown"),
        ("base.format", "markdown"),
        ("revision", "1"),
        ("publishAt", "2026-11-16T18:00"),
        ("expiresAt", "2026-11-17T00:30"),
        ("do", "publish"),
    ];
    let scheduled = editor.post(&path, &fields).await;
    assert_eq!(scheduled.header("location"), format!("{path}?done=scheduled"), "{}", scheduled.text);
    let post = find_post(&content, &id).await.unwrap();
    let at = |text: &str| -> Timestamp { text.parse().unwrap() };
    assert_eq!(post.publish_at, Some(at("2026-11-16T09:00:00Z")));
    assert_eq!(post.expires_at, Some(at("2026-11-16T15:30:00Z").as_second()));
    has(&editor.get(&path).await, &["value=\"2026-11-16T18:00", "value=\"2026-11-17T00:30"]);

    let everywhere = [
        "/site",
        "/site/posts",
        "/site/categories/news",
        "/site/feed.xml",
        "/site/atom.xml",
        "/site/sitemap.xml",
    ];
    let seen = async |server: &Server, is_seen: bool| {
        for page in everywhere {
            let shown = open(server, page, "ko").await;
            let what = if page.ends_with("sitemap.xml") { "/posts/" } else { "신제품 발표" };
            if is_seen { has(&shown, &[what]) } else { lacks(&shown, &[what]) }
        }
        let status = open(server, "/site/posts/신제품-발표", "ko").await.status;
        assert_eq!(status, if is_seen { 200 } else { 404 });
    };
    seen(&server, false).await;
    server.later(9 * HOUR - Duration::from_secs(5));
    seen(&server, false).await;
    // Caches end at the time, also those of feeds.
    for page in ["/site", "/site/feed.xml"] {
        let control = open(&server, page, "ko").await.header("cache-control").to_owned();
        let age: u64 = control.strip_prefix("public, max-age=").unwrap().parse().unwrap();
        assert!(age <= 5, "{page}: {age}");
    }
    // The server is restarted: nothing that it had in memory is needed.
    let own = server.db(MODEL);
    server.serve(&system, own, &[], &[7; 32]).await;
    seen(&server, false).await;
    server.later(Duration::from_secs(5));
    seen(&server, true).await;
    let own = server.db(MODEL);
    server.serve(&system, own, &[], &[7; 32]).await;
    seen(&server, true).await;
    server.later(6 * HOUR + HOUR / 2);
    seen(&server, false).await;
}

on_each_store!(a_post_appears_at_its_time_in_seoul);
