//! History of an item as fields of the model.

use std::sync::Arc;

use hansang_core::cursor::CursorKey;
use hansang_core::db::{Changed, Changes, Image};
use hansang_core::plan::{Get, Key};
use hansang_core::value::json::{item_to_plain, to_plain};
use hansang_core::{Db, Value};
use serde_json::{Value as Json, json};

use super::{BEGIN, BLOG, CONTENT, LEDGER, World, code, fields};

/// The blog model with a change feed.
fn blog() -> String {
    let ttl = "  ttl: ttl\n";
    assert!(BLOG.contains(ttl));
    BLOG.replacen(ttl, "  ttl: ttl\n  streams: true\n", 1)
}

fn post() -> Json {
    json!({"blogId": "b", "postId": "1", "slug": "a", "author": "kim", "title": "T"})
}

fn key() -> Json {
    json!({"blogId": "b", "postId": "1"})
}

async fn history(db: &Db, entity: &str, key: Json) -> Changes {
    db.history(entity, &fields(key), 100).await.unwrap().unwrap()
}

/// Changed fields: name, before, after.
fn differences(change: &Changed) -> Json {
    let shown = |value: &Option<Value>| value.as_ref().map_or(Json::Null, to_plain);
    change
        .fields
        .iter()
        .map(|field| json!([&*field.name, shown(&field.before), shown(&field.after)]))
        .collect()
}

fn shown(image: &Option<Image>) -> Json {
    image.as_ref().map_or(Json::Null, |image| item_to_plain(&image.record.fields))
}

/// The same model with one text replaced, on the same store.
fn changed_model(world: &World, replaced: &[(&str, &str)]) -> Db {
    let mut model = blog();
    for (old, new) in replaced {
        assert!(model.contains(old), "{old}");
        model = model.replacen(old, new, 1);
    }
    let model = Arc::new(hansang_core::compile(model.as_bytes()).unwrap());
    let (store, clock) = (world.db.store().clone(), world.db.clock().clone());
    Db::new(model, None, store, clock, CursorKey::new(&[7; 32]))
}

#[tokio::test]
async fn an_entry_shows_the_fields_before() {
    let world = World::of(LEDGER).await;
    let key = json!({"yearMonth": "2026.07", "category": "식비"});
    let mut entry = key.clone();
    entry["amount"] = json!(300_000);
    world.create("LivingExpense", entry.clone()).await.unwrap();
    entry["category"] = json!("교통비");
    world.create("LivingExpense", entry).await.unwrap();
    world.pass(60);
    world.update("LivingExpense", key.clone(), json!({"amount": 280_000})).await.unwrap();
    world.pass(60);
    world.db.delete("LivingExpense", fields(key.clone()), None).await.unwrap();

    let told = history(&world.db, "LivingExpense", key.clone()).await;
    assert!(told.whole);
    let [deleted, updated, created] = &told.changes[..] else { panic!("{told:?}") };
    assert_eq!([deleted, updated, created].map(|one| one.at.as_second() - BEGIN), [120, 60, 0]);
    let (first, second) = ("2027-01-15T08:00:00Z", "2027-01-15T08:01:00Z");
    let one = json!({"yearMonth": "2026.07", "category": "식비", "amount": 300_000,
        "createdAt": first, "updatedAt": first});
    let two = json!({"yearMonth": "2026.07", "category": "식비", "amount": 280_000,
        "createdAt": first, "updatedAt": second});
    assert_eq!([&created.before, &created.after].map(shown), [Json::Null, one.clone()]);
    assert_eq!([&updated.before, &updated.after].map(shown), [one, two.clone()]);
    assert_eq!([&deleted.before, &deleted.after].map(shown), [two, Json::Null]);
    assert_eq!(differences(updated), json!([["amount", 300_000, 280_000], ["updatedAt", first, second]]));
    assert_eq!(
        differences(deleted),
        json!([
            ["amount", 280_000, null],
            ["category", "식비", null],
            ["createdAt", first, null],
            ["updatedAt", second, null],
            ["yearMonth", "2026.07", null]
        ])
    );
    assert_eq!(created.fields.len(), 5);
    assert!(created.fields.iter().all(|field| field.before.is_none() && field.after.is_some()));
    let images = told.changes.iter().flat_map(|change| [&change.before, &change.after]).flatten();
    assert!(images.into_iter().all(|image| image.violations.is_empty() && !image.record.partial));

    let newest = world.db.history("LivingExpense", &fields(key), 1).await.unwrap().unwrap();
    assert_eq!((newest.changes.as_slice(), newest.whole), (&told.changes[..1], false));
}

/// C4: a model without streams has no history, which differs from an empty one.
#[tokio::test]
async fn a_model_without_streams_has_no_history() {
    let world = World::of(CONTENT).await;
    let user = json!({"id": "u1", "displayName": "Kim", "role": "admin"});
    world.create("User", user).await.unwrap();
    assert_eq!(world.db.history("User", &fields(json!({"id": "u1"})), 10).await.unwrap(), None);
}

#[tokio::test]
async fn the_key_is_given_as_for_get() {
    let world = World::of(&blog()).await;
    let ask = async |entity: &str, key: Json| world.db.history(entity, &fields(key), 10).await;
    assert_eq!(code(ask("Pots", key()).await), "unknown_entity");
    assert_eq!(code(ask("Post", json!({"blogId": "b"})).await), "invalid_fields");
    // A key is rendered as it is stored, and a field that only the key holds is returned.
    let visit = json!({"month": "2026-07", "day": 3, "number": 7, "page": "/"});
    world.create("Visit", visit).await.unwrap();
    let key_of_visit = json!({"month": "2026-07", "day": 3, "number": 7});
    assert_eq!(history(&world.db, "Visit", key_of_visit).await.changes.len(), 1);
    let setting = json!({"blogId": "b", "name": "theme", "value": "dark"});
    world.create("Setting", setting.clone()).await.unwrap();
    let told = history(&world.db, "Setting", json!({"blogId": "b", "name": "theme"})).await;
    assert_eq!(shown(&told.changes[0].after)["name"], "theme");
    assert_eq!(shown(&told.changes[0].after)["blogId"], "b");
    assert_eq!(history(&world.db, "Post", key()).await, Changes { changes: Vec::new(), whole: true });
}

#[tokio::test]
async fn added_and_removed_fields_are_changes() {
    let world = World::of(&blog()).await;
    world.create("Post", post()).await.unwrap();
    world.update("Post", key(), json!({"price": 12.5, "tags": ["x"]})).await.unwrap();
    world.update("Post", key(), json!({"price": null})).await.unwrap();
    let told = history(&world.db, "Post", key()).await;
    assert_eq!(differences(&told.changes[0]), json!([["price", 12.5, null], ["rev", 2, 3]]));
    assert_eq!(
        differences(&told.changes[1]),
        json!([["price", null, 12.5], ["rev", 1, 2], ["tags", null, ["x"]]])
    );
}

#[tokio::test]
async fn history_survives_a_model_change() {
    let world = World::of(&blog()).await;
    let mut long = post();
    long["title"] = json!("A long title");
    long["origin"] = json!("paper");
    world.create("Post", long).await.unwrap();
    world.update("Post", key(), json!({"title": "Short"})).await.unwrap();
    let then = history(&world.db, "Post", key()).await;

    // Shorter titles, one attribute removed, a required one added, and a new index.
    let today = changed_model(
        &world,
        &[
            ("title: { type: string, length: [1, 20] }", "title: { type: string, length: [1, 5] }"),
            ("      origin: { type: string?, immutable: true }\n", "      mood: string\n"),
            ("    byAuthor:", "    GSI2: { pk: GSI2PK, sk: GSI2SK }\n    byAuthor:"),
            (
                "    version: rev\n",
                "      GSI2: { GSI2PK: \"SLUG#{slug}\", GSI2SK: \"{postId}\" }\n    version: rev\n",
            ),
        ],
    );
    let now = history(&today, "Post", key()).await;
    assert_eq!(now.changes.len(), 2);
    for (then, now) in then.changes.iter().zip(&now.changes) {
        assert_eq!((&then.fields, then.at), (&now.fields, now.at));
        assert_eq!([&then.before, &then.after].map(shown), [&now.before, &now.after].map(shown));
    }
    let wrong = |image: &Option<Image>| -> Vec<String> {
        image.iter().flat_map(|image| &image.violations).map(|one| one.attribute.clone()).collect()
    };
    assert_eq!(wrong(&now.changes[0].before), ["mood", "origin", "title"]);
    assert_eq!(wrong(&now.changes[0].after), ["mood", "origin"]);
}

#[tokio::test]
async fn a_field_of_the_key_is_known_after_it_became_stored() {
    let world = World::of(&blog()).await;
    world.create("Setting", json!({"blogId": "b", "name": "theme", "value": "dark"})).await.unwrap();
    let today = changed_model(&world, &[("blogId: { type: string, stored: false }", "blogId: string")]);
    let told = history(&today, "Setting", json!({"blogId": "b", "name": "theme"})).await;
    let after = told.changes[0].after.as_ref().unwrap();
    assert_eq!((after.record.text("blogId"), after.violations.as_slice()), (Some("b"), &[][..]));
}

#[tokio::test]
async fn a_change_of_index_keys_alone_changes_no_field() {
    let world = World::of(&blog()).await;
    world.create("Pair", json!({"id": "1", "left": "l", "right": "r"})).await.unwrap();
    // A backfill of a new index: the same fields with another key attribute.
    let (store, key) = (world.db.store(), Key { pk: "PAIR#1".to_owned(), sk: "META".to_owned() });
    let get = Get { key, consistent: true, fields: None };
    let mut item = store.get(world.db.table(), &get).await.unwrap().unwrap();
    item.insert("GSI1PK".into(), "PAIR#other".into());
    store.batch_put(world.db.table(), vec![item]).await.unwrap();
    let told = history(&world.db, "Pair", json!({"id": "1"})).await;
    assert_eq!(told.changes.len(), 2);
    assert_eq!(told.changes[0].fields, []);
    assert_eq!(told.changes[0].before, told.changes[0].after);
}

#[tokio::test]
async fn a_moved_item_leaves_its_history_at_the_old_key() {
    let world = World::of(&blog()).await;
    world.create("Post", post()).await.unwrap();
    world.db.relocate("Post", fields(key()), fields(json!({"blogId": "c"})), None).await.unwrap();
    let there = history(&world.db, "Post", key()).await;
    assert_eq!(there.changes.len(), 2);
    assert!(there.changes[0].after.is_none());
    let here = history(&world.db, "Post", json!({"blogId": "c", "postId": "1"})).await;
    assert_eq!(here.changes.len(), 1);
    assert!(here.changes[0].before.is_none());
}
