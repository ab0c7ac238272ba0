//! Feeds, the map of the site and the rules for crawlers.

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

on_each_store!(feeds_and_the_map_list_what_is_published, the_address_of_the_site_is_set);
