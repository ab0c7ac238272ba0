//! Access patterns of every kind.

use hansang_core::db::{Ask, Listing};
use hansang_core::plan::{Action, Guards, Key, Write};
use hansang_core::{ErrorKind, Name, Value};
use serde_json::{Value as Json, json};

use super::{BLOG, LEDGER, World, code, fields, shown};

async fn ask(world: &World, pattern: &str, given: Json, ask: Ask) -> Listing {
    world.db.query(pattern, fields(given), ask).await.unwrap()
}

async fn column(world: &World, pattern: &str, given: Json, field: &str) -> Vec<String> {
    let page = ask(world, pattern, given, Ask::default()).await;
    assert_eq!((page.next, page.previous), (None, None));
    page.records.iter().map(|record| shown(record)[field].to_string().trim_matches('"').to_owned()).collect()
}

async fn blog() -> World {
    let world = World::of(BLOG).await;
    world.create("Blog", json!({"blogId": "b", "title": "B"})).await.unwrap();
    for (number, author) in ["kim", "lee", "kim"].into_iter().enumerate() {
        let published = format!("2026-0{}-01T00:00:00Z", number + 1);
        let post = json!({"blogId": "b", "postId": format!("p{number}"), "slug": format!("s{number}"),
            "author": author, "title": format!("T{number}"), "publishedAt": published});
        world.create("Post", post).await.unwrap();
    }
    world.create("Setting", json!({"blogId": "b", "name": "theme", "value": 1})).await.unwrap();
    world.create("Setting", json!({"blogId": "b", "name": "language", "value": "ko"})).await.unwrap();
    world
}

#[tokio::test]
async fn a_whole_key_finds_one_item_or_none() {
    let world = blog().await;
    assert_eq!(column(&world, "post", json!({"blogId": "b", "postId": "p1"}), "slug").await, ["s1"]);
    assert_eq!(column(&world, "post", json!({"blogId": "b", "postId": "p9"}), "slug").await, [""; 0]);
}

#[tokio::test]
async fn a_partition_is_ordered_and_filtered_by_entity() {
    let world = blog().await;
    assert_eq!(column(&world, "posts", json!({"blogId": "b"}), "postId").await, ["p2", "p1", "p0"]);
    let page =
        ask(&world, "everything", json!({"blogId": "b"}), Ask { limit: Some(9), ..Ask::default() }).await;
    let entities: Vec<&str> = page.records.iter().map(|record| &*record.entity.name).collect();
    assert_eq!(entities, ["Blog", "Post", "Post", "Post", "Setting", "Setting"]);
    assert_eq!(
        shown(&page.records[4]),
        json!({"Type": "Setting", "blogId": "b", "name": "language", "value": "ko"})
    );
}

#[tokio::test]
async fn an_index_finds_by_other_fields_and_ranges_narrow_it() {
    let world = blog().await;
    assert_eq!(column(&world, "ofAuthor", json!({"author": "kim"}), "postId").await, ["p2", "p0"]);
    let given = json!({"author": "kim", "from": "2026-02-01T00:00:00Z"});
    assert_eq!(column(&world, "ofAuthor", given, "postId").await, ["p2"]);
    let error = world
        .db
        .query("ofAuthor", fields(json!({"author": "kim"})), Ask { consistent: Some(true), ..Ask::default() })
        .await;
    assert_eq!(code(error), "no_strong_read_on_index");
}

#[tokio::test]
async fn a_projected_index_gives_partial_records() {
    let world = blog().await;
    let ids = ask(&world, "idsOfAuthor", json!({"author": "kim"}), Ask::default()).await;
    assert!(ids.records.iter().all(|record| record.partial));
    assert_eq!(shown(&ids.records[0]), json!({"author": "kim", "blogId": "b", "postId": "p0"}));
    let drafts = ask(&world, "inState", json!({"state": "draft"}), Ask::default()).await;
    assert_eq!(
        shown(&drafts.records[1]),
        json!({"blogId": "b", "postId": "p1", "slug": "s1", "state": "draft", "title": "T1"})
    );
}

#[tokio::test]
async fn some_fields_of_a_pattern_are_partial_records() {
    let world = blog().await;
    let wanted = |names: &[&str]| Ask {
        fields: Some(names.iter().map(ToString::to_string).collect()),
        ..Ask::default()
    };
    let page = ask(&world, "posts", json!({"blogId": "b"}), wanted(&["title"])).await;
    assert!(page.records[0].partial);
    assert_eq!(shown(&page.records[0]), json!({"blogId": "b", "postId": "p2", "title": "T2"}));
    let page = ask(&world, "postBySlug", json!({"blogId": "b", "slug": "s0"}), wanted(&["title"])).await;
    assert_eq!(shown(&page.records[0]), json!({"blogId": "b", "postId": "p0", "title": "T0"}));
    let error =
        world.db.query("posts", fields(json!({"blogId": "b"})), wanted(&["colour"])).await.unwrap_err();
    assert_eq!(error.violations[0].attribute, "colour");
}

#[tokio::test]
async fn a_lookup_goes_through_the_pointer_to_the_item() {
    let world = blog().await;
    let given = |slug: &str| json!({"blogId": "b", "slug": slug});
    assert_eq!(column(&world, "postBySlug", given("s1"), "postId").await, ["p1"]);
    assert_eq!(column(&world, "postBySlug", given("s9"), "postId").await, [""; 0]);
    world.update("Post", json!({"blogId": "b", "postId": "p1"}), json!({"slug": "s9"})).await.unwrap();
    assert_eq!(column(&world, "postBySlug", given("s9"), "postId").await, ["p1"]);
    assert_eq!(column(&world, "postBySlug", given("s1"), "postId").await, [""; 0]);
}

/// A pointer whose owner is gone or has another value finds nothing.
#[tokio::test]
async fn a_dangling_pointer_finds_nothing() {
    let world = blog().await;
    let table = world.db.table();
    for (slug, owner) in [("gone", "POST#p7"), ("other", "POST#p1")] {
        let key = Key { pk: format!("UNIQUE#Post#slug#b#{slug}"), sk: "UNIQUE".to_owned() };
        let item = hansang_core::unique::pointer_item(&table.pk, &table.sk, key.pk.clone(), "BLOG#b", owner);
        let write = Write { key, action: Action::Put(item), guards: Guards::default() };
        world.db.store().write(table, write).await.unwrap();
        let found = column(&world, "postBySlug", json!({"blogId": "b", "slug": slug}), "postId").await;
        assert_eq!(found, [""; 0]);
    }
}

#[tokio::test]
async fn a_fan_out_runs_over_its_values_in_order() {
    let world = World::of(LEDGER).await;
    for (month, amount) in [("2026.03", 3), ("2025.12", 12), ("2026.01", 1)] {
        let expense = json!({"yearMonth": month, "category": "food", "amount": amount});
        world.create("LivingExpense", expense).await.unwrap();
        let income =
            json!({"yearMonth": month, "name": "Mina", "incomeType": "wage", "amount": 100 + amount});
        world.create("Income", income).await.unwrap();
    }
    let period = json!({"from": "2025.12", "to": "2026.02"});
    assert_eq!(column(&world, "period", period, "amount").await, ["112", "12", "101", "1"]);
    let expenses = column(&world, "monthExpenses", json!({"yearMonth": "2026.03"}), "amount").await;
    assert_eq!(expenses, ["3"]);
    world.create("CodeList", json!({"codeType": "NAME", "codes": ["Mina"]})).await.unwrap();
    world.create("CodeList", json!({"codeType": "YEAR_MONTH", "codes": []})).await.unwrap();
    assert_eq!(column(&world, "codeLists", json!({}), "codeType").await, ["YEAR_MONTH", "NAME"]);
    let long =
        world.db.query("period", fields(json!({"from": "2000.01", "to": "2026.02"})), Ask::default()).await;
    assert_eq!(code(long), "range_too_long");
}

#[tokio::test]
async fn arguments_that_are_wrong_are_all_named() {
    let world = blog().await;
    let error = world.db.query("posts", fields(json!({"blog": "b"})), Ask::default()).await.unwrap_err();
    let named: Vec<&str> = error.violations.iter().map(|one| &*one.attribute).collect();
    assert_eq!((error.kind, named), (ErrorKind::Invalid, vec!["blogId", "blog"]));
    let none = Ask { limit: Some(0), ..Ask::default() };
    assert_eq!(
        code(world.db.query("posts", fields(json!({"blogId": "b"})), none).await),
        "invalid_page_size"
    );
}

#[tokio::test]
async fn a_cursor_belongs_to_its_query() {
    let world = blog().await;
    let one = Ask { limit: Some(1), ..Ask::default() };
    let page = ask(&world, "posts", json!({"blogId": "b"}), one.clone()).await;
    let with = |cursor: &Option<String>| Ask { cursor: cursor.clone(), ..one.clone() };
    let error = world.db.query("posts", fields(json!({"blogId": "c"})), with(&page.next)).await;
    assert_eq!(code(error), "invalid_cursor");
    let turned = Ask { descending: Some(false), ..with(&page.next) };
    assert_eq!(code(world.db.query("posts", fields(json!({"blogId": "b"})), turned).await), "invalid_cursor");
    let made_up = with(&Some("AQAAAAAA".to_owned()));
    assert_eq!(
        code(world.db.query("posts", fields(json!({"blogId": "b"})), made_up).await),
        "invalid_cursor"
    );
}

/// A page continues where the last one ended, even if the item there is gone.
#[tokio::test]
async fn pages_survive_deletions_between_them() {
    let world = blog().await;
    let given = || json!({"blogId": "b"});
    let one = |cursor: Option<String>| Ask { limit: Some(1), cursor, ..Ask::default() };
    let delete = async |id: &str| {
        world.db.delete("Post", fields(json!({"blogId": "b", "postId": id})), None).await.unwrap();
    };
    let first = ask(&world, "posts", given(), one(None)).await;
    assert_eq!(first.records[0].text("postId"), Some("p2"));
    delete("p2").await;
    let second = ask(&world, "posts", given(), one(first.next)).await;
    assert_eq!(second.records[0].text("postId"), Some("p1"));
    // All earlier items are gone: the page is empty, and the next one is the first.
    let before = ask(&world, "posts", given(), one(second.previous)).await;
    assert_eq!((before.records.len(), before.previous), (0, None));
    let again = ask(&world, "posts", given(), one(before.next)).await;
    assert_eq!((again.records[0].text("postId"), again.previous), (Some("p1"), None));
    // All later items are gone: the previous page is the last one.
    delete("p0").await;
    let behind = ask(&world, "posts", given(), one(again.next)).await;
    assert_eq!((behind.records.len(), behind.next), (0, None));
    let back = ask(&world, "posts", given(), one(behind.previous)).await;
    assert_eq!(back.records[0].text("postId"), Some("p1"));
}

/// Items of no entity are set apart; an item that breaks a rule is returned with its problem.
#[tokio::test]
async fn items_outside_the_model_are_returned_with_their_problems() {
    let world = blog().await;
    let table = world.db.table();
    let put = async |pk: &str, sk: &str, more: Json| {
        let key = Key { pk: pk.to_owned(), sk: sk.to_owned() };
        let mut item = fields(more);
        item.insert(Name::from("PK"), Value::from(pk));
        item.insert(Name::from("SK"), Value::from(sk));
        let write = Write { key, action: Action::Put(item), guards: Guards::default() };
        world.db.store().write(table, write).await.unwrap();
    };
    put("BLOG#b", "ZZZ#1", json!({"any": 1})).await;
    put("BLOG#b", "AAA", json!({})).await;
    let page =
        ask(&world, "everything", json!({"blogId": "b"}), Ask { limit: Some(9), ..Ask::default() }).await;
    assert_eq!((page.records.len(), page.strays.len(), page.next), (6, 2, None));
    let first =
        ask(&world, "everything", json!({"blogId": "b"}), Ask { limit: Some(1), ..Ask::default() }).await;
    assert_eq!((first.records.len(), first.strays.len(), first.next.is_some()), (0, 1, true));
    put("BLOG#b", "POST#p0", json!({"blogId": "b", "postId": "p0", "likes": -1})).await;
    let page = world.db.query("posts", fields(json!({"blogId": "b"})), Ask::default()).await.unwrap();
    let post = page.records.iter().find(|record| record.text("postId") == Some("p0")).unwrap();
    assert!(post.problems.iter().any(|one| one.to_string() == "`likes` must be at least 0"));
    assert_eq!(code(post.sound(world.db.model()).map(|_| ())), "not_of_this_model");
    let key = fields(json!({"blogId": "b", "postId": "p0"}));
    let read = world.db.get("Post", &key, &Default::default()).await.unwrap().unwrap();
    assert_eq!((&read, &read.problems), (post, &post.problems));
}
