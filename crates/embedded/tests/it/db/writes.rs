//! Single writes on the bundled models.

use hansang_core::ErrorKind;
use hansang_core::db::GetOptions;
use hansang_core::plan::Change;
use hansang_core::write::Update;
use serde_json::json;

use super::{BLOG, CONTENT, CONTRACTS, DOCUMENTS, LEDGER, World, code, fields, path, set, shown};

#[tokio::test]
async fn a_created_item_can_be_read() {
    let world = World::of(CONTENT).await;
    let category = world.create("Category", json!({"title": "회사 소식", "slug": "news"})).await.unwrap();
    let id = category.text("id").unwrap().to_owned();
    assert_eq!(
        shown(&category),
        json!({"CreatedAt": "2027-01-15T08:00:00Z", "Type": "Category", "UpdatedAt": "2027-01-15T08:00:00Z",
            "id": id, "slug": "news", "title": "회사 소식"})
    );
    assert_eq!(world.get("Category", json!({"id": id})).await, Some(category));
    assert_eq!(world.get("Category", json!({"id": "other"})).await, None);
}

/// The error names every invalid field, and nothing is written.
#[tokio::test]
async fn invalid_fields_are_refused() {
    let world = World::of(CONTENT).await;
    let error = world.create("Category", json!({"id": "a", "slug": "", "titel": "x"})).await.unwrap_err();
    let named: Vec<&str> = error.violations.iter().map(|one| &*one.attribute).collect();
    assert_eq!((error.kind, named), (ErrorKind::Invalid, vec!["slug", "titel", "title"]));
    assert_eq!(world.get("Category", json!({"id": "a"})).await, None);
}

#[tokio::test]
async fn unknown_names_get_a_suggestion() {
    let world = World::of(CONTENT).await;
    let error = world.create("Categori", json!({})).await.unwrap_err();
    assert_eq!((error.kind, error.code.as_str()), (ErrorKind::NotFound, "unknown_entity"));
    assert_eq!(error.message, "the model `content` has no entity `Categori`: did you mean `Category`?");
    let error = world.db.query("postInCategory", fields(json!({})), Default::default()).await.unwrap_err();
    assert_eq!(error.code, "unknown_pattern");
}

#[tokio::test]
async fn create_never_overwrites() {
    let world = World::of(CONTENT).await;
    let user = json!({"id": "u1", "displayName": "Kim", "role": "admin"});
    world.create("User", user.clone()).await.unwrap();
    let error = world.create("User", user).await.unwrap_err();
    assert_eq!((error.kind, error.code.as_str()), (ErrorKind::Conflict, "already_exists"));
    assert_eq!(error.message, "this User already exists");
}

/// Other programs may write items without pointers. Such items can be changed, moved and deleted.
#[tokio::test]
async fn an_item_without_its_pointer_can_be_written() {
    let world = World::of(CONTENT).await;
    let foreign = |id: &str| {
        fields(
            json!({"PK": "CATEGORY#a", "SK": format!("POST#{id}"), "Type": "Post", "id": id, "categoryId": "a",
            "authorId": "u", "title": "T", "contents": "", "CreatedAt": "2025-11-12T05:00:00Z"}),
        )
    };
    let items = vec![foreign("1"), foreign("2")];
    world.db.store().batch_put(world.db.table(), items).await.unwrap();
    let by_id = async |id: &str| {
        let page = world.db.query("postById", fields(json!({"id": id})), Default::default()).await.unwrap();
        page.records.first().and_then(|post| post.text("categoryId")).map(str::to_owned)
    };
    let key = |id: &str| json!({"categoryId": "a", "id": id});
    world.update("Post", key("1"), json!({"title": "U"})).await.unwrap();
    assert_eq!(by_id("1").await, None);
    world.db.delete("Post", fields(key("1")), None).await.unwrap();
    assert!(world.get("Post", key("1")).await.is_none());
    // After the move it has its pointer.
    world.db.relocate("Post", fields(key("2")), fields(json!({"categoryId": "b"})), None).await.unwrap();
    assert_eq!(by_id("2").await.as_deref(), Some("b"));
    let same = json!({"id": "2", "categoryId": "c", "authorId": "u", "title": "T", "contents": ""});
    assert_eq!(world.create("Post", same).await.unwrap_err().code, "not_unique");
}

#[tokio::test]
async fn a_unique_value_is_taken_and_released() {
    let world = World::of(CONTENT).await;
    world.create("Category", json!({"id": "a", "title": "A", "slug": "news"})).await.unwrap();
    let other = json!({"id": "b", "title": "B", "slug": "news"});
    let error = world.create("Category", other.clone()).await.unwrap_err();
    assert_eq!((error.kind, error.code.as_str()), (ErrorKind::Conflict, "not_unique"));
    assert_eq!(error.message, "another Category already has this slug");
    assert_eq!(error.violations[0].attribute, "slug");
    world.db.delete("Category", fields(json!({"id": "a"})), None).await.unwrap();
    world.create("Category", other).await.unwrap();
}

#[tokio::test]
async fn put_replaces_and_keeps_created_fields() {
    let world = World::of(CONTENT).await;
    let first = json!({"id": "c", "title": "One", "desc": "text", "slug": "one"});
    let created = world.db.put("Category", fields(first), None).await.unwrap();
    world.pass(60);
    let second = world.db.put("Category", fields(json!({"id": "c", "title": "Two"})), None).await.unwrap();
    assert_eq!(second.text("slug"), Some("one"));
    assert_eq!(second.text("desc"), None);
    assert_eq!(second.text("CreatedAt"), created.text("CreatedAt"));
    assert_eq!(second.text("UpdatedAt"), Some("2027-01-15T08:01:00Z"));
    assert_eq!(world.get("Category", json!({"id": "c"})).await, Some(second));
    let renamed = json!({"id": "c", "title": "Two", "slug": "two"});
    let error = world.db.put("Category", fields(renamed), None).await.unwrap_err();
    assert_eq!(error.message, "`slug` cannot be changed once it is set");
}

#[tokio::test]
async fn an_update_changes_what_it_names_and_never_creates() {
    let world = World::of(DOCUMENTS).await;
    let missing =
        world.update("Project", json!({"project_id": "p"}), json!({"name": "X"})).await.unwrap_err();
    assert_eq!((missing.kind, missing.code.as_str()), (ErrorKind::NotFound, "not_found"));
    assert_eq!(missing.message, "there is no such Project");
    let created = json!({"project_id": "p", "name": "One", "created_by": "kim", "color": "#00ff00"});
    world.create("Project", created).await.unwrap();
    world.pass(1);
    let updated = world
        .update("Project", json!({"project_id": "p"}), json!({"name": "Two", "color": null}))
        .await
        .unwrap();
    assert_eq!((updated.text("name"), updated.text("color")), (Some("Two"), None));
    assert_eq!(updated.text("updated_at"), Some("2027-01-15T08:00:01.000Z"));
    assert_eq!(world.get("Project", json!({"project_id": "p"})).await, Some(updated));
}

#[tokio::test]
async fn a_lifecycle_allows_only_its_moves() {
    let world = World::of(DOCUMENTS).await;
    let document = json!({"project_id": "p", "document_id": "d", "name": "a.pdf",
        "file_type": "application/pdf", "file_size": 1});
    let key = json!({"project_id": "p", "document_id": "d"});
    world.create("Document", document).await.unwrap();
    let error = world.update("Document", key.clone(), json!({"status": "completed"})).await.unwrap_err();
    assert_eq!((error.kind, error.code.as_str()), (ErrorKind::Conflict, "wrong_state"));
    assert_eq!(
        error.message,
        "`status` of this Document can become completed only from in_progress or reanalyzing"
    );
    for state in ["in_progress", "completed", "reanalyzing"] {
        let moved = world.update("Document", key.clone(), json!({"status": state})).await.unwrap();
        assert_eq!(moved.text("status"), Some(state));
    }
}

#[tokio::test]
async fn a_sum_stays_within_its_bounds() {
    let world = World::of(BLOG).await;
    world.create("Blog", json!({"blogId": "b", "title": "B"})).await.unwrap();
    let add = |number: i64| Update {
        key: fields(json!({"blogId": "b"})),
        changes: vec![(path("posts"), Change::Add(number.into()))],
        expected_version: None,
    };
    assert_eq!(shown(&world.db.update("Blog", add(2)).await.unwrap())["posts"], 2);
    let error = world.db.update("Blog", add(-3)).await.unwrap_err();
    assert_eq!((error.kind, error.code.as_str()), (ErrorKind::Conflict, "rule_broken"));
    assert_eq!(error.message, "`posts` must be at least 0");
}

fn post(id: &str, slug: &str) -> serde_json::Value {
    json!({"blogId": "b", "postId": id, "slug": slug, "author": "kim", "title": "T"})
}

#[tokio::test]
async fn a_stale_version_is_refused() {
    let world = World::of(BLOG).await;
    let key = json!({"blogId": "b", "postId": "1"});
    let first = world.create("Post", post("1", "a")).await.unwrap();
    assert_eq!(first.version(), Some(1));
    let at =
        |version| Update { expected_version: Some(version), ..set(key.clone(), json!({"title": "New"})) };
    assert_eq!(world.db.update("Post", at(1)).await.unwrap().version(), Some(2));
    let late = world.db.update("Post", at(1)).await.unwrap_err();
    assert_eq!((late.kind, late.code.as_str()), (ErrorKind::Precondition, "changed_meanwhile"));
    assert_eq!(late.message, "this Post was changed in the meantime: read it again");
    // The same for plans that read first and for the other verbs.
    let slug = Update { expected_version: Some(1), ..set(key.clone(), json!({"slug": "b"})) };
    assert_eq!(code(world.db.update("Post", slug).await), "changed_meanwhile");
    assert_eq!(code(world.db.put("Post", fields(post("1", "b")), Some(1)).await), "changed_meanwhile");
    assert_eq!(code(world.db.delete("Post", fields(key.clone()), Some(1)).await), "changed_meanwhile");
    let elsewhere = fields(json!({"blogId": "c"}));
    let moved = world.db.relocate("Post", fields(key.clone()), elsewhere, Some(1)).await;
    assert_eq!(code(moved), "changed_meanwhile");
    assert_eq!(world.db.put("Post", fields(post("1", "b")), Some(2)).await.unwrap().version(), Some(3));
    world.db.delete("Post", fields(key), Some(3)).await.unwrap();
    assert_eq!(code(world.db.put("Post", fields(post("1", "b")), Some(3)).await), "not_found");
}

#[tokio::test]
async fn an_entity_without_a_version_expects_none() {
    let world = World::of(LEDGER).await;
    let income = json!({"yearMonth": "2026.11", "name": "Mina", "incomeType": "wage", "amount": 10});
    let key = json!({"yearMonth": "2026.11", "name": "Mina", "incomeType": "wage"});
    world.create("Income", income.clone()).await.unwrap();
    assert_eq!(code(world.db.put("Income", fields(income), Some(1)).await), "no_version");
    assert_eq!(code(world.db.delete("Income", fields(key), Some(1)).await), "no_version");
}

#[tokio::test]
async fn a_deleted_item_is_gone() {
    let world = World::of(LEDGER).await;
    let key = json!({"yearMonth": "2026.11", "category": "food"});
    assert_eq!(code(world.db.delete("LivingExpense", fields(key.clone()), None).await), "not_found");
    let expense = json!({"yearMonth": "2026.11", "category": "food", "amount": 1});
    world.create("LivingExpense", expense).await.unwrap();
    world.db.delete("LivingExpense", fields(key.clone()), None).await.unwrap();
    assert_eq!(world.get("LivingExpense", key).await, None);
}

#[tokio::test]
async fn a_moved_item_is_at_its_new_key_only() {
    let world = World::of(CONTENT).await;
    let post = json!({"id": "p", "categoryId": "a", "authorId": "u", "title": "T", "contents": "x"});
    let created = world.create("Post", post).await.unwrap();
    world.pass(5);
    let key = fields(json!({"categoryId": "a", "id": "p"}));
    let change = || fields(json!({"categoryId": "b"}));
    let moved = world.db.relocate("Post", key.clone(), change(), None).await.unwrap();
    assert_eq!(moved.text("CreatedAt"), created.text("CreatedAt"));
    assert_eq!(world.get("Post", json!({"categoryId": "a", "id": "p"})).await, None);
    assert_eq!(world.get("Post", json!({"categoryId": "b", "id": "p"})).await, Some(moved.clone()));
    // Its links point to the new key.
    let found = world.db.query("postById", fields(json!({"id": "p"})), Default::default()).await.unwrap();
    assert_eq!(found.records, [moved]);
    assert_eq!(code(world.db.relocate("Post", key, change(), None).await), "not_found");
}

#[tokio::test]
async fn an_index_follows_its_item() {
    let world = World::of(CONTRACTS).await;
    let contract = |version: &str| {
        json!({"kind": "RULE", "id": "r", "version": version, "status": "DRAFT", "spec": {"a": 1},
            "checksum": "0".repeat(64), "createdBy": "kim"})
    };
    world.create("Contract", contract("1.0.0")).await.unwrap();
    world.create("Contract", contract("1.1.0")).await.unwrap();
    let key = json!({"kind": "RULE", "id": "r", "version": "1.0.0"});
    world.update("Contract", key, json!({"status": "ACTIVE"})).await.unwrap();
    for (status, version) in [("ACTIVE", "1.0.0"), ("DRAFT", "1.1.0")] {
        let given = fields(json!({"kind": "RULE", "status": status}));
        let page = world.db.query("contractsOfKind", given, Default::default()).await.unwrap();
        assert_eq!(page.records.len(), 1);
        assert_eq!(page.records[0].text("version"), Some(version));
    }
}

#[tokio::test]
async fn some_fields_of_an_item_are_a_partial_record() {
    let world = World::of(BLOG).await;
    world.create("Post", post("1", "a")).await.unwrap();
    world.create("Setting", json!({"blogId": "b", "name": "theme", "value": {"dark": true}})).await.unwrap();
    let key = fields(json!({"blogId": "b", "postId": "1"}));
    let options = GetOptions { consistent: true, fields: Some(vec!["title".to_owned()]) };
    let record = world.db.get("Post", &key, &options).await.unwrap().unwrap();
    assert!(record.partial);
    assert_eq!(shown(&record), json!({"blogId": "b", "postId": "1", "title": "T"}));
    let key = fields(json!({"blogId": "b", "name": "theme"}));
    let options = GetOptions { consistent: true, fields: Some(vec!["name".to_owned()]) };
    let record = world.db.get("Setting", &key, &options).await.unwrap().unwrap();
    assert_eq!(shown(&record), json!({"blogId": "b", "name": "theme"}));
    let options = GetOptions { consistent: true, fields: Some(vec!["colour".to_owned()]) };
    let error = world.db.get("Setting", &key, &options).await.unwrap_err();
    assert_eq!(error.message, "`colour` is not an attribute of Setting");
}

#[tokio::test]
async fn a_batch_comes_in_the_order_of_its_keys() {
    let world = World::of(BLOG).await;
    for number in 0..130 {
        world.create("Post", post(&format!("{number:03}"), &format!("s{number}"))).await.unwrap();
    }
    let key = |id: &str| fields(json!({"blogId": "b", "postId": id}));
    let mut keys: Vec<_> = (0..130).rev().map(|number| key(&format!("{number:03}"))).collect();
    keys.push(key("nowhere"));
    keys.push(key("007"));
    let found = world.db.batch_get("Post", &keys, &GetOptions::default()).await.unwrap();
    let ids: Vec<Option<&str>> =
        found.iter().map(|record| record.as_ref().and_then(|record| record.text("postId"))).collect();
    assert_eq!(ids.len(), 132);
    assert_eq!((ids[0], ids[129], ids[130], ids[131]), (Some("129"), Some("000"), None, Some("007")));
}
