//! Transactions of several operations, and their errors.

use hansang_core::db::Operation;
use hansang_core::plan::{Action, Change, Comparison, Condition, Guard, Guards, Key, Operand, Reason, Write};
use hansang_core::write::Update;
use hansang_core::{Error, ErrorKind, Item, Message, Name, Value, codes};
use serde_json::{Value as Json, json};

use super::{BLOG, LEDGER, World, fields, path, set};

codes! {
    enum BlogCode {
        BlogHasPosts = "blog_has_posts",
        NotLive = "not_live",
    }
}

fn create(entity: &str, given: Json) -> Operation {
    Operation::Create { entity: entity.into(), fields: fields(given), guards: Vec::new() }
}

fn update(entity: &str, update: Update) -> Operation {
    Operation::Update { entity: entity.into(), update, guards: Vec::new() }
}

fn add(key: Json, name: &str, number: i64) -> Update {
    let changes = vec![(path(name), Change::Add(number.into()))];
    Update { key: fields(key), changes, expected_version: None }
}

fn post(id: &str, slug: &str) -> Json {
    json!({"blogId": "b", "postId": id, "slug": slug, "author": "kim", "title": "T"})
}

async fn blog() -> World {
    let world = World::of(BLOG).await;
    world.create("Blog", json!({"blogId": "b", "title": "B"})).await.unwrap();
    world
}

#[tokio::test]
async fn a_transaction_returns_the_items() {
    let world = blog().await;
    for id in ["1", "2", "3"] {
        world.create("Post", post(id, id)).await.unwrap();
    }
    let key = |id: &str| fields(json!({"blogId": "b", "postId": id}));
    let raw = Item::from([(Name::from("PK"), Value::from("X")), (Name::from("SK"), Value::from("Y"))]);
    let records = world
        .db
        .transact(vec![
            create("Post", post("4", "four")),
            update("Blog", add(json!({"blogId": "b"}), "posts", 1)),
            update("Post", set(json!({"blogId": "b", "postId": "1"}), json!({"slug": "one"}))),
            Operation::Put {
                entity: "Setting".into(),
                fields: fields(json!({"blogId": "b", "name": "theme", "value": 1})),
                expected_version: None,
                guards: Vec::new(),
            },
            Operation::Delete {
                entity: "Post".into(),
                key: key("2"),
                expected_version: None,
                guards: Vec::new(),
            },
            Operation::Relocate {
                entity: "Post".into(),
                key: key("3"),
                changes: fields(json!({"blogId": "c"})),
                expected_version: Some(1),
                guards: Vec::new(),
            },
            Operation::Write(Write {
                key: Key { pk: "X".to_owned(), sk: "Y".to_owned() },
                action: Action::Put(raw),
                guards: Guards::default(),
            }),
        ])
        .await
        .unwrap();
    let entities: Vec<Option<&str>> =
        records.iter().map(|record| record.as_ref().map(|record| &*record.entity.name)).collect();
    assert_eq!(
        entities,
        [Some("Post"), Some("Blog"), Some("Post"), Some("Setting"), None, Some("Post"), None]
    );
    for (record, key) in [
        (&records[0], json!({"blogId": "b", "postId": "4"})),
        (&records[2], json!({"blogId": "b", "postId": "1"})),
        (&records[5], json!({"blogId": "c", "postId": "3"})),
    ] {
        assert_eq!(&world.get("Post", key).await, record);
    }
    assert_eq!(world.get("Blog", json!({"blogId": "b"})).await, records[1]);
    assert_eq!(records[1].as_ref().unwrap().fields["posts"], Value::from(1));
    assert_eq!(world.get("Post", json!({"blogId": "b", "postId": "2"})).await, None);
}

/// The error names its operation, and no other operation happened.
#[tokio::test]
async fn one_failed_operation_stops_all() {
    let world = blog().await;
    world.create("Post", post("1", "a")).await.unwrap();
    let key = json!({"blogId": "b", "postId": "1"});
    let stale = Update { expected_version: Some(9), ..set(key.clone(), json!({"title": "New"})) };
    for (operation, code) in [
        (create("Post", post("1", "x")), "already_exists"),
        (create("Post", post("2", "a")), "not_unique"),
        (create("Post", json!({"blogId": "b"})), "invalid_fields"),
        (update("Post", set(json!({"blogId": "b", "postId": "7"}), json!({"title": "X"}))), "not_found"),
        (update("Post", set(key.clone(), json!({"state": "gone"}))), "wrong_state"),
        (update("Post", add(key.clone(), "likes", -1)), "rule_broken"),
        (update("Post", stale), "changed_meanwhile"),
        (create("Visits", json!({})), "unknown_entity"),
    ] {
        let others =
            [create("Post", post("8", "h")), update("Blog", add(json!({"blogId": "b"}), "posts", 1))];
        let operations = others.into_iter().chain([operation]).collect();
        let refusal = world.db.transact(operations).await.unwrap_err();
        assert_eq!((refusal.operation, refusal.error.code.as_str()), (Some(2), code));
    }
    assert_eq!(world.get("Post", json!({"blogId": "b", "postId": "8"})).await, None);
    assert_eq!(world.get("Blog", json!({"blogId": "b"})).await.unwrap().fields["posts"], Value::from(0));
}

#[tokio::test]
async fn transaction_limits_are_enforced() {
    let world = World::of(LEDGER).await;
    let expense = |category: usize| {
        create(
            "LivingExpense",
            json!({"yearMonth": "2026.11", "category": format!("c{category}"), "amount": 1}),
        )
    };
    let refusal = world.db.transact((0..101).map(expense).collect()).await.unwrap_err();
    assert_eq!((refusal.operation, refusal.error.code.as_str()), (None, "transaction_too_large"));
    let refusal = world.db.transact(vec![expense(1), expense(1)]).await.unwrap_err();
    assert_eq!((refusal.operation, refusal.error.code.as_str()), (None, "transaction_repeats_item"));
    assert_eq!(world.db.transact((0..100).map(expense).collect()).await.unwrap().len(), 100);
    assert_eq!(world.db.transact(Vec::new()).await.unwrap(), []);
}

fn no_posts() -> Guard {
    let condition =
        Condition::Compare(Operand::Path(path("posts")), Comparison::Equal, Operand::Value(Value::from(0)));
    let error = Error::conflict(BlogCode::BlogHasPosts, Message::raw("delete the posts of this blog first"));
    Guard { condition, otherwise: Reason::Other(error) }
}

/// A guard brings the error of its system.
#[tokio::test]
async fn a_guard_returns_its_own_error() {
    let world = blog().await;
    world.update("Blog", json!({"blogId": "b"}), json!({"posts": 2})).await.unwrap();
    let key = || fields(json!({"blogId": "b"}));
    let delete =
        |guards| Operation::Delete { entity: "Blog".into(), key: key(), expected_version: None, guards };
    let refusal = world.db.transact(vec![delete(vec![no_posts()])]).await.unwrap_err();
    assert_eq!((refusal.error.kind, refusal.error.code.as_str()), (ErrorKind::Conflict, "blog_has_posts"));
    assert_eq!(refusal.error.message, "delete the posts of this blog first");
    // Conditions of the model come first.
    let nowhere = fields(json!({"blogId": "x"}));
    let other = Operation::Delete {
        entity: "Blog".into(),
        key: nowhere,
        expected_version: None,
        guards: vec![no_posts()],
    };
    assert_eq!(world.db.transact(vec![other]).await.unwrap_err().error.code, "not_found");
    world.update("Blog", json!({"blogId": "b"}), json!({"posts": 0})).await.unwrap();
    world.db.transact(vec![delete(vec![no_posts()])]).await.unwrap();
}

#[tokio::test]
async fn a_check_writes_nothing_and_stops_the_rest() {
    let world = blog().await;
    let check = |blog: &str, guards: Vec<Guard>| Operation::Check {
        entity: "Blog".into(),
        key: fields(json!({"blogId": blog})),
        guards,
    };
    let missing = world.db.transact(vec![create("Post", post("1", "a")), check("x", Vec::new())]).await;
    let missing = missing.unwrap_err();
    assert_eq!(
        (missing.operation, missing.error.message.to_string()),
        (Some(1), "there is no such Blog".to_owned())
    );
    let records = world.db.transact(vec![create("Post", post("1", "a")), check("b", vec![no_posts()])]).await;
    assert_eq!(records.unwrap().iter().map(Option::is_some).collect::<Vec<_>>(), [true, false]);
    world.update("Blog", json!({"blogId": "b"}), json!({"posts": 1})).await.unwrap();
    let alone = world.db.transact(vec![check("b", vec![no_posts()])]).await.unwrap_err();
    assert_eq!(alone.error.code, "blog_has_posts");
}

/// Guards of a move are checked on the item at its old key.
#[tokio::test]
async fn a_guard_of_a_move_sees_the_moved_item() {
    let world = blog().await;
    world.create("Post", post("1", "a")).await.unwrap();
    let live = Guard {
        condition: Condition::unchanged(&Name::from("state"), Some(&Value::from("live"))),
        otherwise: Reason::Other(Error::conflict(
            BlogCode::NotLive,
            Message::raw("only what is live can move"),
        )),
    };
    let relocate = || Operation::Relocate {
        entity: "Post".into(),
        key: fields(json!({"blogId": "b", "postId": "1"})),
        changes: fields(json!({"blogId": "c"})),
        expected_version: None,
        guards: vec![live.clone()],
    };
    assert_eq!(world.db.transact(vec![relocate()]).await.unwrap_err().error.code, "not_live");
    world.update("Post", json!({"blogId": "b", "postId": "1"}), json!({"state": "live"})).await.unwrap();
    assert!(world.db.transact(vec![relocate()]).await.unwrap()[0].is_some());
}
