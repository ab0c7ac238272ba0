//! Import accepts only items that fit the model.

use hansang_core::db::Ask;
use hansang_core::plan::Scan;
use hansang_core::value::json::item_from_typed;
use hansang_core::{Item, Value};
use serde_json::{Value as Json, json};

use super::{ACCESS, BEGIN, BLOG, CONTENT, CONTRACTS, DOCUMENTS, ENTRY, LEDGER, World, fields, shown};

async fn stored(world: &World) -> Vec<Item> {
    let scan = Scan { index: None, limit: 1000, start: None, consistent: true };
    world.db.store().scan(world.db.table(), &scan).await.unwrap().items
}

/// An export with its pointers imports into another installation.
#[tokio::test]
async fn an_export_can_be_imported() {
    let old = World::of(BLOG).await;
    for number in 0..40 {
        let post = json!({"blogId": "b", "postId": format!("{number:02}"), "slug": format!("s{number}"),
            "author": "kim", "title": "T", "ttl": BEGIN + 100});
        old.create("Post", post).await.unwrap();
    }
    let items = stored(&old).await;
    let new = World::of(BLOG).await;
    let imported = new.db.import(items.clone()).await.unwrap();
    assert_eq!((imported.stored, imported.refused.len()), (80, 0));
    assert_eq!(stored(&new).await, items);
    let given = fields(json!({"blogId": "b", "slug": "s7"}));
    let found = new.db.query("postBySlug", given, Ask::default()).await.unwrap();
    assert_eq!(shown(&found.records[0])["postId"], "07");
    // A second import changes nothing.
    assert_eq!(new.db.import(items.clone()).await.unwrap().stored, 80);
    assert_eq!(stored(&new).await, items);
}

/// Example items of the design documents.
#[tokio::test]
async fn example_items_of_the_designs_are_imported() {
    for (model, name) in [
        (CONTENT, "content"),
        (LEDGER, "ledger"),
        (ENTRY, "entry"),
        (DOCUMENTS, "documents"),
        (CONTRACTS, "contracts"),
        (ACCESS, "access"),
    ] {
        let world = World::of(model).await;
        let path = format!("{}/../core/tests/fixtures/items/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let examples: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let examples = examples.as_array().unwrap();
        let items: Vec<Item> = examples
            .iter()
            .map(|example| {
                let entity = world.db.entity(example["entity"].as_str().unwrap()).unwrap();
                let exact = |(name, value): (hansang_core::Name, Value)| match entity.attribute(&name) {
                    Some(attribute) => (name, attribute.kind.coerce(value).unwrap()),
                    None => (name, value),
                };
                fields(example["item"].clone()).into_iter().map(exact).collect()
            })
            .collect();
        // Some examples are one item at two times.
        for item in items {
            let imported = world.db.import(vec![item]).await.unwrap();
            assert_eq!((imported.stored, imported.refused), (1, Vec::new()), "{name}");
        }
    }
}

#[tokio::test]
async fn items_that_do_not_fit_are_refused_with_a_reason() {
    let world = World::of(BLOG).await;
    let text = |text: &str| json!({"S": text});
    let blog = |pk: &str| {
        json!({"PK": text(pk), "SK": text("META"), "Type": text("Blog"), "blogId": text("b"), "title": text("B"),
            "posts": {"N": "0"}, "createdAt": text("2026-01-01T00:00:00Z")})
    };
    let pointer = |owner: &str| json!({"PK": text("UNIQUE#Post#slug#b#a"), "SK": text("UNIQUE"), "ownerPK": text(owner), "ownerSK": text("POST#1")});
    let mut foreign = pointer("BLOG#b");
    foreign["more"] = text("x");
    let mut expiring = pointer("BLOG#b");
    expiring["ttl"] = json!({"N": "1800000100"});
    let items: Vec<Item> = [
        blog("BLOG#b"),
        blog("BLOG#c"),
        json!({"PK": text("NEWS#1"), "SK": text("META")}),
        json!({"PK": text("BLOG#b")}),
        blog("BLOG#b"),
        pointer("NEWS#b"),
        foreign,
        expiring,
    ]
    .iter()
    .map(|item| item_from_typed(item).unwrap())
    .collect();
    let imported = world.db.import(items).await.unwrap();
    let messages: Vec<_> =
        imported.refused.iter().map(|refused| (refused.index, refused.error.message.to_string())).collect();
    let refused: Vec<(usize, &str)> = messages.iter().map(|(index, message)| (*index, &**message)).collect();
    assert_eq!(
        refused,
        [
            (1, "`PK` should be `BLOG#b`"),
            (2, "`PK` and `SK` (`NEWS#1` / `META`) match no entity"),
            (3, "the key attribute `SK` is missing"),
            (4, "an earlier item has the same key: keep one of them"),
            (5, "`ownerPK` and `ownerSK` are not the key of Post"),
            (6, "`more` is not an attribute of a pointer"),
        ]
    );
    assert_eq!(imported.refused[0].key.as_ref().unwrap().pk, "BLOG#c");
    assert_eq!((imported.stored, stored(&world).await.len()), (2, 2));
}
