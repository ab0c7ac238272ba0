//! Typed structs through the same verbs.

use std::collections::{BTreeMap, BTreeSet};

use hansang_core::db::{Ask, GetOptions, Typed};
use hansang_core::number::Number;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::{BLOG, ENTRY, LEDGER, World, code, fields, set, shown};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Post {
    blog_id: String,
    post_id: Option<String>,
    slug: String,
    author: String,
    title: String,
    state: Option<String>,
    published_at: Option<String>,
    likes: Option<i64>,
    price: Option<Number>,
    tags: Option<BTreeSet<String>>,
    rev: Option<i64>,
    created_at: Option<String>,
}

impl Typed for Post {
    const ENTITY: &'static str = "Post";
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct AccumulatedAssets {
    year_month: String,
    cash_accumulated: i64,
    investment_accumulated: i64,
    short_savings_balances: BTreeMap<String, i64>,
}

impl Typed for AccumulatedAssets {
    const ENTITY: &'static str = "AccumulatedAssets";
}

fn post(slug: &str) -> Post {
    Post {
        blog_id: "b".to_owned(),
        slug: slug.to_owned(),
        author: "kim".to_owned(),
        title: "T".to_owned(),
        price: Some("12345678901234567890.123456789012345678".parse().unwrap()),
        tags: Some(["b", "a"].map(str::to_owned).into()),
        ..Post::default()
    }
}

fn key_of(post: &Post) -> Json {
    json!({"blogId": post.blog_id, "postId": post.post_id})
}

#[tokio::test]
async fn typed_and_dynamic_records_are_the_same() {
    let world = World::of(BLOG).await;
    let posts = world.db.of::<Post>();
    let created = posts.create(&post("a")).await.unwrap();
    assert_eq!((created.rev, created.likes, created.state.as_deref()), (Some(1), Some(0), Some("draft")));
    assert_eq!(created.price, post("a").price);
    let key = key_of(&created);
    let record = world.get("Post", key.clone()).await.unwrap();
    assert_eq!(record.typed::<Post>().unwrap(), created);
    assert_eq!(shown(&record)["price"].to_string(), "12345678901234567890.123456789012345678");
    // `None` is left out and not stored as null.
    assert!(!record.fields.contains_key("publishedAt"));
    assert_eq!(posts.get(&key, true).await.unwrap(), Some(created.clone()));
    // The value itself can be the key.
    assert_eq!(posts.batch_get(&[&created], false).await.unwrap(), [Some(created)]);
}

#[tokio::test]
async fn a_value_can_be_read_changed_and_put() {
    let world = World::of(BLOG).await;
    let posts = world.db.of::<Post>();
    let mut value = posts.create(&post("a")).await.unwrap();
    value.title = "Better".to_owned();
    value.tags = None;
    let version = value.rev;
    let put = posts.put(&value, version).await.unwrap();
    assert_eq!((put.rev, put.title.as_str(), &put.tags), (Some(2), "Better", &None));
    assert_eq!(put.created_at, value.created_at);
    assert_eq!(code(posts.put(&value, version).await), "changed_meanwhile");
    let updated = posts.update(set(key_of(&put), json!({"state": "live"}))).await.unwrap();
    assert_eq!(updated.state.as_deref(), Some("live"));
    let moved = posts.relocate(&key_of(&put), &json!({"blogId": "c"}), None).await.unwrap();
    assert_eq!((moved.blog_id.as_str(), moved.rev), ("c", Some(4)));
    posts.delete(&moved, Some(4)).await.unwrap();
    assert_eq!(posts.get(&moved, true).await.unwrap(), None);
}

#[tokio::test]
async fn pages_of_structs_are_pages_of_records() {
    let world = World::of(BLOG).await;
    let posts = world.db.of::<Post>();
    for slug in ["a", "b", "c"] {
        posts.create(&post(slug)).await.unwrap();
    }
    let ask = Ask { limit: Some(2), ..Ask::default() };
    let typed = posts.query("posts", &json!({"blogId": "b"}), ask.clone()).await.unwrap();
    let dynamic = world.db.query("posts", fields(json!({"blogId": "b"})), ask).await.unwrap();
    let same: Vec<Post> = dynamic.records.iter().map(|record| record.typed().unwrap()).collect();
    assert_eq!((typed.items, typed.next, typed.previous), (same, dynamic.next, dynamic.previous));
    let mixed = posts.query("everything", &json!({"blogId": "b"}), Ask::default()).await.unwrap_err();
    assert_eq!(mixed.message, "`everything` also returns Blog: query it as records");
}

#[tokio::test]
async fn maps_and_names_of_a_real_model_fit() {
    let world = World::of(LEDGER).await;
    let assets = AccumulatedAssets {
        year_month: "2026.11".to_owned(),
        cash_accumulated: -5,
        investment_accumulated: 7,
        short_savings_balances: BTreeMap::from([("여행".to_owned(), 30)]),
    };
    let all = world.db.of::<AccumulatedAssets>();
    assert_eq!(all.create(&assets).await.unwrap(), assets);
    assert_eq!(all.get(&json!({"yearMonth": "2026.11"}), true).await.unwrap(), Some(assets));
}

#[tokio::test]
async fn a_type_that_does_not_fit_is_an_error() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Event {
        nothing: bool,
    }
    impl Typed for Event {
        const ENTITY: &'static str = "Event";
    }
    let world = World::of(ENTRY).await;
    let event = json!({"eventId": "e", "title": "T", "eventType": "LOTTERY",
        "opensAt": "2026-01-01T00:00:00.000Z", "closesAt": "2026-01-02T00:00:00.000Z"});
    world.create("Event", event).await.unwrap();
    let events = world.db.of::<Event>();
    assert_eq!(code(events.create(&Event { nothing: true }).await), "invalid_fields");
    let error = events.get(&json!({"eventId": "e"}), false).await.unwrap_err();
    assert_eq!(error.code, "not_of_this_type");
    assert!(error.source.is_some());
}

/// Servers await the futures on any thread.
#[test]
fn futures_are_send() {
    fn send<T: Send>(_: T) {}
    fn all(db: &hansang_core::Db, key: &hansang_core::Item) {
        send(db.get("Post", key, &GetOptions::default()));
        send(db.query("posts", key.clone(), Ask::default()));
        send(db.transact(Vec::new()));
        send(db.import(Vec::new()));
        send(db.of::<Post>().get(&json!({}), false));
        send(db.of::<Post>().query("posts", &json!({}), Ask::default()));
    }
    let _ = all;
}
