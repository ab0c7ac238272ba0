//! Feeds, the map of the site and the rules for crawlers.

use std::time::Duration;

use hansang_content::{Content, MODEL, PostText, Publication, Save, publish_post, published, save_post};
use hansang_core::db::Ask;
use hansang_testserver::{On, has, in_order, lacks, on_each_store};

use super::{example, open, with};

async fn feeds_and_the_map_list_what_is_published(on: On) {
    let server = example(on).await;
    let rss = open(&server, "/site/feed.xml", "ko").await;
    assert_eq!(rss.header("content-type"), "application/rss+xml; charset=utf-8");
    in_order(
        &rss,
        &[
            "<title>한상푸드</title>",
            "청주에 두 번째 조리장이",
            "<pubDate>",
            "+0900</pubDate>",
            "연말연시 배송 안내",
        ],
    );
    lacks(&rss, &["봄 식단을 미리", "급식 안전"]);
    let atom = open(&server, "/site/atom.xml", "ko").await;
    has(&atom, &["<id>http://www.example.com/site/posts/p010</id>", "&lt;table&gt;"]);
    let map = open(&server, "/site/sitemap.xml", "ko").await;
    has(
        &map,
        &[
            "<loc>http://www.example.com/site</loc>",
            "/site/posts/nine-side-dishes-one-box</loc>",
            "/site/categories/news",
        ],
    );
    assert_eq!(map.text.matches("<lastmod>").count(), 10);
    has(
        &open(&server, "/site/robots.txt", "ko").await,
        &["Sitemap: http://www.example.com/site/sitemap.xml", "Disallow: /console"],
    );
    // Crawlers look at the root alone.
    let root = open(&server, "/robots.txt", "ko").await;
    has(&root, &["Sitemap: http://www.example.com/site/sitemap.xml", "Disallow: /site/search"]);
    let whole = with(on, &[("content-site", "/")]).await;
    has(&open(&whole, "/robots.txt", "ko").await, &["Sitemap: http://www.example.com/sitemap.xml"]);
}

/// The address of the site does not come from what a client says its host is.
async fn the_address_of_the_site_is_set(on: On) {
    let server = with(on, &[("content-address", "https://hansang.example")]).await;
    has(&open(&server, "/site/feed.xml", "ko").await, &["<link>https://hansang.example/site</link>"]);
}

/// A draft that is saved changes no date that readers and search engines see; its publication does.
async fn a_draft_changes_no_date(on: On) {
    let server = example(on).await;
    let content = Content::new(server.db(MODEL));
    let newest = published(&content, None, Ask { limit: Some(1), ..Ask::default() }).await.unwrap();
    let post = newest.posts[0].clone();
    let page = format!("/site/posts/{}", post.text.slug.as_deref().unwrap());
    let dates = async || {
        let mut dates = Vec::new();
        for path in ["/site/atom.xml", "/site/sitemap.xml", &page] {
            let text = open(&server, path, "ko").await.text;
            let is_date = |part: &&str| {
                ["updated>", "lastmod>", "\"dateModified\""].iter().any(|name| part.starts_with(name))
            };
            dates.extend(text.split(['<', ',']).filter(is_date).map(str::to_owned));
        }
        dates
    };
    let hour = Duration::from_secs(3600);
    server.later(hour);
    let before = dates().await;
    assert!(before.iter().any(|date| date.starts_with("\"dateModified\"")), "{before:?}");
    let text = PostText { contents: "고치는 중".to_owned(), ..post.text.clone() };
    let save = Save { text, revision: post.revision, keep: true };
    let saved = save_post(&content, "ann", &post.id, &save).await.unwrap();
    server.later(hour);
    assert_eq!(dates().await, before);
    publish_post(&content, "ann", &post.id, Publication::default(), saved.post.revision).await.unwrap();
    server.later(hour);
    let after = dates().await;
    let changed = after.iter().zip(&before).filter(|(after, before)| after != before).count();
    // The feed, its entry, the map and the page.
    assert_eq!((after.len(), changed), (before.len(), 4), "{before:?} {after:?}");
}

on_each_store!(
    feeds_and_the_map_list_what_is_published,
    the_address_of_the_site_is_set,
    a_draft_changes_no_date,
);
