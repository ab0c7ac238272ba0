//! Posts: written, published, read.

use std::time::Duration;

use axum::http::Method;
use hansang_testserver::{On, ok, on_each_store, refusal};
use serde_json::{Value as Json, json};

use super::{API, edit, publish, send, start, visit, write};

/// C21, C22: a visitor reads what is published, and nothing else.
async fn a_post_is_written_published_and_taken_back(on: On) {
    let server = start(on).await;
    let written = write(&server, "p1", "새 소식").await;
    assert_eq!(
        (&written["state"], &written["standing"], &written["revision"]),
        (&json!("draft"), &json!("draft"), &json!(1))
    );
    assert_eq!(written["authorId"], written["authorId"].as_str().unwrap());
    assert_eq!(refusal(&visit(&server, "posts/p1").await), (404, "post_unknown".to_owned()));
    let published = ok(edit(&server, Method::POST, "posts/p1/publish", 1, Some(json!({}))).await);
    assert_eq!((&published["standing"], &published["text"]["slug"]), (&json!("visible"), &json!("새-소식")));
    let post = ok(visit(&server, "posts/p1").await);
    assert!(post["html"].as_str().unwrap().contains("<strong>새 소식</strong>"), "{post}");
    assert_eq!(post["excerpt"], "새 소식 본문");
    assert_eq!(ok(visit(&server, "posts?category=news").await)["items"][0]["id"], "p1");
    // An edit stands beside the published text.
    let text = json!({ "title": "고친 소식", "contents": "고친 본문" });
    let saved = ok(edit(&server, Method::PUT, "posts/p1", 2, Some(text)).await);
    assert_eq!(
        (&saved["text"]["title"], &saved["published"]["title"]),
        (&json!("고친 소식"), &json!("새 소식"))
    );
    assert_eq!(ok(visit(&server, "posts/p1").await)["title"], "새 소식");
    ok(edit(&server, Method::POST, "posts/p1/unpublish", 3, None).await);
    assert_eq!(visit(&server, "posts/p1").await.status, 404);
    assert_eq!(ok(visit(&server, "posts").await)["items"], json!([]));
}

/// An editor's program asks whether something has changed.
async fn an_unchanged_post_is_not_sent_again(on: On) {
    let server = start(on).await;
    write(&server, "p1", "글").await;
    let path = format!("{API}/edit/posts/p1");
    let read = async |tag: &str| {
        server.call(Method::GET, &path, &server.editor, None, &[("if-none-match", tag)]).await
    };
    for known in ["\"1\"", "W/\"1\"", "\"7\", \"1\"", "*"] {
        let same = read(known).await;
        assert_eq!((same.status, &*same.text, same.header("etag")), (304, "", "\"1\""), "{known}");
    }
    let newer = read("\"0\"").await;
    assert_eq!((newer.status, newer.header("etag")), (200, "\"1\""));
}

/// Settled: no text is lost or silently overwritten.
async fn a_stale_edit_gets_both_texts(on: On) {
    let server = start(on).await;
    write(&server, "p1", "처음").await;
    let mine = json!({ "title": "나중", "contents": "나중 본문" });
    ok(edit(&server, Method::PUT, "posts/p1", 1, Some(json!({ "title": "먼저", "contents": "먼저 본문" })))
        .await);
    let stale = edit(&server, Method::PUT, "posts/p1", 1, Some(mine.clone())).await;
    assert_eq!(refusal_of(&stale.json()), (412, "post_changed"));
    let problem = stale.json();
    assert_eq!((&problem["current"]["text"]["title"], &problem["sent"]), (&json!("먼저"), &mine));
    assert_eq!(problem["current"]["revision"], 2);
    assert_eq!(problem["merged"]["conflicts"][0]["field"], "title");
    let unsaid = send(&server, Method::PUT, "posts/p1", mine).await;
    assert_eq!(refusal(&unsaid), (428, "revision_required".to_owned()));
    let invalid = json!({ "title": " ", "contents": "x", "slug": "Not a slug" });
    let invalid = edit(&server, Method::PUT, "posts/p1", 2, Some(invalid)).await.json();
    let fields: Vec<&str> =
        invalid["errors"].as_array().unwrap().iter().map(|error| error["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["title", "slug"]);
}

fn refusal_of(problem: &Json) -> (i64, &str) {
    (problem["status"].as_i64().unwrap(), problem["code"].as_str().unwrap())
}

/// Settled: old addresses lead to the post.
async fn an_old_slug_leads_to_the_new_one(on: On) {
    let server = start(on).await;
    publish(&server, "p1", "Old name").await;
    let text = json!({ "title": "Old name", "contents": "x", "slug": "새-주소" });
    ok(edit(&server, Method::PUT, "posts/p1", 2, Some(text)).await);
    ok(edit(&server, Method::POST, "posts/p1/publish", 3, Some(json!({}))).await);
    let moved = visit(&server, "posts/by-slug/old-name").await;
    assert_eq!(moved.status, 308);
    let to = moved.header("location").to_owned();
    let post = server.call(Method::GET, &to, "", None, &[]).await;
    assert_eq!(ok(post)["id"], "p1");
    assert_eq!(visit(&server, "posts/by-slug/never").await.status, 404);
}

/// C5, settled: what is visible is decided when it is read, and caches end there.
async fn caches_end_when_a_post_is_due(on: On) {
    let server = start(on).await;
    write(&server, "p1", "Due").await;
    let now: jiff::Timestamp =
        ok(server.get(&format!("{API}/edit/posts/p1")).await)["createdAt"].as_str().unwrap().parse().unwrap();
    let period =
        json!({ "publishAt": now + Duration::from_secs(5), "expiresAt": now + Duration::from_secs(60) });
    ok(edit(&server, Method::POST, "posts/p1/publish", 1, Some(period)).await);
    let empty = visit(&server, "posts").await;
    let control = empty.header("cache-control").to_owned();
    let age: u64 = control.strip_prefix("public, max-age=").unwrap().parse().unwrap();
    assert!(age <= 5, "{control}");
    assert_eq!(ok(empty)["items"], json!([]));
    server.later(Duration::from_secs(5));
    let shown = visit(&server, "posts").await;
    assert_eq!(shown.header("cache-control"), "public, max-age=9");
    let tag = shown.header("etag").to_owned();
    assert_eq!(ok(shown)["items"][0]["id"], "p1");
    let same = server.call(Method::GET, &format!("{API}/posts"), "", None, &[("if-none-match", &tag)]).await;
    assert_eq!((same.status, &*same.text), (304, ""));
    server.later(Duration::from_secs(60));
    assert_eq!(ok(visit(&server, "posts").await)["items"], json!([]));
    assert_eq!(visit(&server, "posts/p1").await.status, 404);
}

/// Settled: history, restore, discard, move, delete.
async fn history_moves_and_deletes(on: On) {
    let server = start(on).await;
    ok(send(&server, Method::POST, "categories", json!({ "id": "products", "title": "Products" })).await);
    publish(&server, "p1", "One").await;
    ok(edit(&server, Method::PUT, "posts/p1", 2, Some(json!({ "title": "Two", "contents": "2" }))).await);
    let versions = ok(server.get(&format!("{API}/posts/p1/versions")).await);
    let events: Vec<&str> =
        versions["items"].as_array().unwrap().iter().map(|one| one["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["saved", "published", "saved"]);
    ok(edit(&server, Method::POST, "posts/p1/discard", 3, None).await);
    let restored = ok(edit(&server, Method::POST, "posts/p1/versions/3/restore", 4, None).await);
    assert_eq!(restored["text"]["title"], "Two");
    assert_eq!(ok(server.get(&format!("{API}/posts/p1/versions/1")).await)["text"]["title"], "One");
    let moved = ok(send(&server, Method::POST, "posts/p1/move", json!({ "categoryId": "products" })).await);
    assert_eq!(moved["categoryId"], "products");
    let full =
        server.call(Method::DELETE, &format!("{API}/categories/products"), &server.editor, None, &[]).await;
    assert_eq!(refusal(&full), (409, "category_has_posts".to_owned()));
    let revision = moved["revision"].as_i64().unwrap();
    assert_eq!(edit(&server, Method::DELETE, "posts/p1", revision, None).await.status, 204);
    let gone =
        server.call(Method::DELETE, &format!("{API}/categories/products"), &server.editor, None, &[]).await;
    assert_eq!(gone.status, 204);
}

on_each_store!(
    a_post_is_written_published_and_taken_back,
    an_unchanged_post_is_not_sent_again,
    a_stale_edit_gets_both_texts,
    an_old_slug_leads_to_the_new_one,
    caches_end_when_a_post_is_due,
    history_moves_and_deletes,
);
