//! Expiry: an item is hidden from the second of its TTL, before a sweep removes it.

use hansang_core::ErrorKind;
use hansang_core::db::{Ask, GetOptions, Operation};
use hansang_core::plan::{Get, Key};
use serde_json::{Value as Json, json};

use super::{BEGIN, BLOG, CONTENT, ENTRY, World, code, fields, set};

fn post(id: &str, slug: &str, ttl: Option<i64>) -> Json {
    let mut post = json!({"blogId": "b", "postId": id, "slug": slug, "author": "kim", "title": "T",
        "publishedAt": "2026-01-01T00:00:00Z"});
    if let Some(ttl) = ttl {
        post["ttl"] = json!(ttl);
    }
    post
}

fn key(id: &str) -> Json {
    json!({"blogId": "b", "postId": id})
}

/// Number of items that each kind of read finds for the post `1` with the slug `a`.
async fn seen(world: &World) -> Vec<usize> {
    let mut counts = Vec::new();
    for (pattern, given) in [
        ("post", key("1")),
        ("postBySlug", json!({"blogId": "b", "slug": "a"})),
        ("posts", json!({"blogId": "b"})),
        ("ofAuthor", json!({"author": "kim"})),
        ("idsOfAuthor", json!({"author": "kim"})),
        ("inState", json!({"state": "draft"})),
    ] {
        for wanted in [None, Some(vec!["slug".to_owned()])] {
            let ask = Ask { fields: wanted, ..Ask::default() };
            counts.push(world.db.query(pattern, fields(given.clone()), ask).await.unwrap().records.len());
        }
    }
    for wanted in [None, Some(vec!["title".to_owned()])] {
        let options = GetOptions { consistent: true, fields: wanted };
        counts.push(usize::from(world.db.get("Post", &fields(key("1")), &options).await.unwrap().is_some()));
        let found = world.db.batch_get("Post", &[fields(key("1"))], &options).await.unwrap();
        counts.push(found.into_iter().flatten().count());
    }
    counts
}

#[tokio::test]
async fn an_expired_item_is_hidden_at_once_from_every_read() {
    let world = World::of(BLOG).await;
    world.create("Post", post("1", "a", Some(BEGIN + 10))).await.unwrap();
    world.pass(9);
    assert!(seen(&world).await.iter().all(|count| *count == 1));
    world.pass(1);
    assert!(seen(&world).await.iter().all(|count| *count == 0));
    // The store still has the item: it is hidden without a sweep.
    let stored = Key { pk: "BLOG#b".to_owned(), sk: "POST#1".to_owned() };
    let get = Get { key: stored, consistent: true, fields: None };
    assert!(world.db.store().get(world.db.table(), &get).await.unwrap().is_some());
}

#[tokio::test]
async fn writes_treat_an_expired_item_as_missing() {
    let world = World::of(BLOG).await;
    world.create("Post", post("1", "a", Some(BEGIN + 10))).await.unwrap();
    world.pass(10);
    let missing = world.update("Post", key("1"), json!({"title": "New"})).await.unwrap_err();
    assert_eq!((missing.kind, missing.code.as_str()), (ErrorKind::NotFound, "not_found"));
    assert_eq!(code(world.update("Post", key("1"), json!({"slug": "b"})).await), "not_found");
    assert_eq!(code(world.update("Post", key("1"), json!({"ttl": BEGIN + 99})).await), "not_found");
    assert_eq!(code(world.db.delete("Post", fields(key("1")), None).await), "not_found");
    let elsewhere = fields(json!({"blogId": "c"}));
    assert_eq!(code(world.db.relocate("Post", fields(key("1")), elsewhere, None).await), "not_found");
    assert_eq!(code(world.db.put("Post", fields(post("1", "a", None)), Some(1)).await), "not_found");
    let check = Operation::Check { entity: "Post".into(), key: fields(key("1")), guards: Vec::new() };
    assert_eq!(world.db.transact(vec![check]).await.unwrap_err().error.code, "not_found");
}

#[tokio::test]
async fn create_and_put_replace_an_expired_item() {
    for put in [false, true] {
        let world = World::of(BLOG).await;
        let first = post("1", "a", Some(BEGIN + 10));
        world.create("Post", first.clone()).await.unwrap();
        world.update("Post", key("1"), json!({"state": "live"})).await.unwrap();
        assert_eq!(code(world.create("Post", first).await), "already_exists");
        world.pass(10);
        let again = fields(post("1", "a", None));
        let record = if put {
            world.db.put("Post", again, None).await.unwrap()
        } else {
            world.db.create("Post", again).await.unwrap()
        };
        assert_eq!((record.version(), record.text("state")), (Some(1), Some("draft")));
        assert_eq!(record.text("createdAt"), Some("2027-01-15T08:00:10Z"));
        assert!(seen(&world).await.iter().all(|count| *count == 1));
    }
}

/// A unique value is free from the second in which its owner expires.
#[tokio::test]
async fn a_unique_value_expires_with_its_owner() {
    let world = World::of(BLOG).await;
    world.create("Post", post("1", "a", Some(BEGIN + 10))).await.unwrap();
    assert_eq!(code(world.create("Post", post("2", "a", None)).await), "not_unique");
    world.pass(10);
    world.create("Post", post("2", "a", None)).await.unwrap();
    // A later expiry keeps the value taken: the pointer follows every change.
    world.create("Post", post("3", "c", Some(BEGIN + 20))).await.unwrap();
    world.update("Post", key("3"), json!({"ttl": BEGIN + 30})).await.unwrap();
    world.pass(10);
    assert_eq!(code(world.create("Post", post("4", "c", None)).await), "not_unique");
    world.update("Post", key("3"), json!({"ttl": null})).await.unwrap();
    world.pass(10);
    assert_eq!(code(world.create("Post", post("4", "c", None)).await), "not_unique");
    let put = post("3", "c", Some(BEGIN + 40));
    world.db.put("Post", fields(put), None).await.unwrap();
    world.pass(10);
    world.create("Post", post("4", "c", None)).await.unwrap();
    let found =
        world.db.query("postBySlug", fields(json!({"blogId": "b", "slug": "c"})), Ask::default()).await;
    assert_eq!(found.unwrap().records[0].text("postId"), Some("4"));
}

#[tokio::test]
async fn a_moved_item_keeps_its_expiry() {
    let world = World::of(BLOG).await;
    world.create("Post", post("1", "a", Some(BEGIN + 10))).await.unwrap();
    let moved =
        world.db.relocate("Post", fields(key("1")), fields(json!({"blogId": "c"})), None).await.unwrap();
    assert_eq!(moved.text("blogId"), Some("c"));
    world.pass(10);
    assert_eq!(world.get("Post", json!({"blogId": "c", "postId": "1"})).await, None);
    let same = json!({"blogId": "c", "postId": "2", "slug": "a", "author": "kim", "title": "T"});
    world.create("Post", same).await.unwrap();
}

/// The lock of an event is free again after it expired.
#[tokio::test]
async fn a_lock_can_be_taken_again_when_it_has_expired() {
    let world = World::of(ENTRY).await;
    let lock =
        |request: &str, ttl: i64| json!({"eventId": "e", "userId": "u", "requestId": request, "ttl": ttl});
    let (one, two) = ("01JD3Q0V8B5X9K2M4N6P7R8S9T", "01JD3Q0V8B5X9K2M4N6P7R8S9V");
    world.create("IdempotencyLock", lock(one, BEGIN + 5)).await.unwrap();
    assert_eq!(code(world.create("IdempotencyLock", lock(two, BEGIN + 50)).await), "already_exists");
    world.pass(5);
    let taken = world.create("IdempotencyLock", lock(two, BEGIN + 50)).await.unwrap();
    assert_eq!(taken.text("requestId"), Some(two));
}

/// Nothing expires while TTL is only reserved.
#[tokio::test]
async fn nothing_expires_while_ttl_is_off() {
    let world = World::of(CONTENT).await;
    let banner =
        json!({"id": "b", "title": "T", "imgUri": "https://a.example/b.png", "expiresAt": BEGIN - 1});
    let created = world.create("Banner", banner).await.unwrap();
    assert_eq!(world.get("Banner", json!({"id": "b"})).await, Some(created));
    world.db.update("Banner", set(json!({"id": "b"}), json!({"title": "U"}))).await.unwrap();
}
