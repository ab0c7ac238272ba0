//! Concurrent writers: conditions decide and nothing is lost.

use std::collections::BTreeSet;

use hansang_core::plan::Change;
use hansang_core::write::Update;
use hansang_core::{Error, Record};
use serde_json::json;
use tokio::task::JoinSet;

use super::{BLOG, CONTENT, World, fields, path, set};

async fn all(tasks: JoinSet<Result<Record, Error>>) -> Vec<Result<Record, Error>> {
    tasks.join_all().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_creates_of_a_unique_value_have_one_winner() {
    let world = World::of(CONTENT).await;
    let mut tasks = JoinSet::new();
    for number in 0..32 {
        let db = world.db.clone();
        let category = fields(json!({"id": format!("c{number}"), "title": "T", "slug": "news"}));
        tasks.spawn(async move { db.create("Category", category).await });
    }
    let (won, lost): (Vec<_>, Vec<_>) = all(tasks).await.into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (1, 31));
    assert!(lost.into_iter().all(|result| result.unwrap_err().code == "not_unique"));
    let winner = won.into_iter().next().unwrap().unwrap();
    let found = world.db.query("categoryBySlug", fields(json!({"slug": "news"})), Default::default()).await;
    assert_eq!(found.unwrap().records, [winner]);
}

/// An index key has two fields, which two kinds of writers change. Each update reads first.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn updates_that_read_first_leave_no_stale_key() {
    let world = World::of(BLOG).await;
    world.create("Pair", json!({"id": "p", "left": "l", "right": "r"})).await.unwrap();
    let mut tasks = JoinSet::new();
    for number in 0..16 {
        let db = world.db.clone();
        let field = if number % 2 == 0 { "left" } else { "right" };
        let mut update = set(json!({"id": "p"}), json!({field: format!("v{number}")}));
        update.changes.push((path("count"), Change::Add(1.into())));
        tasks.spawn(async move { db.update("Pair", update).await });
    }
    let results = all(tasks).await;
    let done = results.iter().filter(|result| result.is_ok()).count();
    let pair = world.get("Pair", json!({"id": "p"})).await.unwrap();
    // Every acknowledged update was done once, and no other.
    assert_eq!(pair.fields["count"].as_number().unwrap().to_i64(), i64::try_from(done).ok());
    // Each failed attempt means that another update succeeded, so sixteen attempts are enough.
    assert_eq!(done, 16, "{results:?}");
    let left = json!({"left": pair.text("left").unwrap()});
    let found = world.db.query("pairs", fields(left), Default::default()).await.unwrap();
    assert_eq!(found.records, [pair]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn swapped_unique_values_have_one_owner() {
    let world = World::of(BLOG).await;
    for number in 0..8 {
        let id = number.to_string();
        let post =
            json!({"blogId": "b", "postId": id, "slug": format!("s{id}"), "author": "k", "title": "T"});
        world.create("Post", post).await.unwrap();
    }
    let mut tasks = JoinSet::new();
    for number in 0..64 {
        let db = world.db.clone();
        let key = json!({"blogId": "b", "postId": (number % 8).to_string()});
        let update = set(key, json!({"slug": format!("s{}", (number * 5 + number / 8) % 12)}));
        tasks.spawn(async move { db.update("Post", update).await });
    }
    for refused in all(tasks).await.into_iter().filter_map(Result::err) {
        assert!(["not_unique", "changed_meanwhile"].contains(&refused.code.as_str()), "{refused:?}");
    }
    let posts = world.db.query("posts", fields(json!({"blogId": "b"})), Default::default()).await.unwrap();
    let slugs: BTreeSet<&str> = posts.records.iter().map(|post| post.text("slug").unwrap()).collect();
    assert_eq!((posts.records.len(), slugs.len()), (8, 8));
    for post in &posts.records {
        let slug = json!({"blogId": "b", "slug": post.text("slug").unwrap()});
        let found = world.db.query("postBySlug", fields(slug), Default::default()).await.unwrap();
        assert_eq!(found.records, std::slice::from_ref(post));
    }
    for free in (0..12).map(|number| format!("s{number}")).filter(|slug| !slugs.contains(&**slug)) {
        let id = format!("new-{free}");
        let post = json!({"blogId": "b", "postId": id, "slug": free, "author": "k", "title": "T"});
        world.create("Post", post).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_write_increments_the_version() {
    let world = World::of(BLOG).await;
    let post = json!({"blogId": "b", "postId": "1", "slug": "s", "author": "k", "title": "T"});
    world.create("Post", post).await.unwrap();
    let mut tasks = JoinSet::new();
    for _ in 0..32 {
        let db = world.db.clone();
        tasks.spawn(async move {
            let key = fields(json!({"blogId": "b", "postId": "1"}));
            let changes = vec![(path("likes"), Change::Add(1.into()))];
            db.update("Post", Update { key, changes, expected_version: None }).await
        });
    }
    let versions: BTreeSet<Option<i64>> =
        all(tasks).await.into_iter().map(|result| result.unwrap().version()).collect();
    assert_eq!(versions.len(), 32);
    let post = world.get("Post", json!({"blogId": "b", "postId": "1"})).await.unwrap();
    assert_eq!(post.version(), Some(33));
    assert_eq!(post.fields["likes"].as_number().unwrap().to_i64(), Some(32));
}
