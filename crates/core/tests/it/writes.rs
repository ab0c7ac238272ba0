//! Plans of creates.

use expect_test::{Expect, expect};
use hansang_core::plan::{Action, Write};
use hansang_core::write::{self, Moment, Planned};
use hansang_core::{CoreCode, ErrorKind, Model};
use serde_json::{Value as Json, json};

use crate::{fields, model, requests, show};

pub(crate) const BLOG: &str = r##"
model: blog
table:
  name: Blog
  key: { pk: PK, sk: SK }
  type: Type
  created: createdAt
  updated: updatedAt
  indexes:
    GSI1: { pk: GSI1PK, sk: GSI1SK }
entities:
  Post:
    key: { PK: "BLOG#{blogId}", SK: "POST#{postId}" }
    index:
      GSI1: { GSI1PK: "AUTHOR#{author}", GSI1SK: "{publishedAt}#{postId}" }
    version: rev
    attributes:
      blogId: string
      postId: { type: ulid, generated: ulid }
      slug: { type: string, pattern: "[a-z-]+" }
      author: string
      title: { type: string, length: [1, 20] }
      origin: { type: string?, immutable: true }
      state: { lifecycle: { draft: [live], live: [gone], gone: [] } , default: draft }
      publishedAt: timestamp?
      likes: { type: integer, min: 0, default: 0 }
      tags: { set: string, optional: true }
      notes: { list: string, optional: true, length: [0, 3] }
      extra: map?
      link: { template: "LINK#{blogId}#{slug}" }
    unique:
      slug: { fields: [slug], within: [blogId] }
      postId: [postId]
  Setting:
    key: { PK: "BLOG#{blogId}", SK: "SETTING#{name}" }
    timestamps: false
    attributes:
      blogId: { type: string, stored: false }
      name: { enum: [theme, language], stored: false }
      value: any
  Blog:
    key: { PK: "BLOG#{blogId}", SK: META }
    attributes: { blogId: string, title: string, owner: { type: string, immutable: true } }
"##;

pub(crate) fn moment() -> Moment {
    Moment {
        now: "2026-11-15T09:00:00.5Z".parse().unwrap(),
        random: 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef,
    }
}

pub(crate) fn show_writes(model: &Model, writes: &[Write]) -> String {
    show(&requests::of_writes(&model.table, "Blog", writes))
}

pub(crate) fn ready(planned: Planned) -> Vec<Write> {
    match planned {
        Planned::Ready(writes) => writes,
        Planned::ReadFirst(get) => panic!("wants to read {get:?}"),
    }
}

/// A post as it is stored.
pub(crate) fn stored(model: &Model) -> hansang_core::Item {
    let post = json!({
        "blogId": "b1", "postId": "01JD3Q0V8B5X9K2M4N6P7R8S9T", "slug": "hello", "author": "kim",
        "title": "Hello", "origin": "import",
    });
    let entity = model.entity("Post").unwrap();
    let writes = write::create(model, entity, fields(post), &moment()).unwrap();
    match &writes[0].action {
        Action::Put(item) => item.clone(),
        other => panic!("{other:?}"),
    }
}

fn check_create(entity: &str, given: Json, expect: Expect) {
    let model = model(BLOG);
    let writes = write::create(&model, model.entity(entity).unwrap(), fields(given), &moment()).unwrap();
    expect.assert_eq(&show_writes(&model, &writes));
}

/// C6: create never overwrites, and every item carries its type and times.
#[test]
fn create_fills_in_what_the_model_says_and_never_overwrites() {
    check_create(
        "Blog",
        json!({"blogId": "b1", "title": "한상", "owner": "kim"}),
        expect![[r##"
            PutItem {
              "TableName": "Blog",
              "Item": {
                "PK": { "S": "BLOG#b1" },
                "SK": { "S": "META" },
                "Type": { "S": "Blog" },
                "blogId": { "S": "b1" },
                "createdAt": { "S": "2026-11-15T09:00:00Z" },
                "owner": { "S": "kim" },
                "title": { "S": "한상" },
                "updatedAt": { "S": "2026-11-15T09:00:00Z" }
              },
              "ConditionExpression": "attribute_not_exists(#PK)",
              "ExpressionAttributeNames": { "#PK": "PK" }
            }
        "##]],
    );
}

/// Cs7: a unique value has a pointer item in the same transaction.
#[test]
fn create_takes_its_unique_values_in_the_same_transaction() {
    let post = json!({"blogId": "b1", "slug": "hello", "author": "kim", "title": "Hello",
        "publishedAt": "2026-11-15T18:00:00+09:00", "tags": ["b", "a"]});
    check_create(
        "Post",
        post,
        expect![[r##"
            TransactWriteItems {
              "TransactItems": [
                {
                  "Put": {
                    "TableName": "Blog",
                    "Item": {
                      "GSI1PK": { "S": "AUTHOR#kim" },
                      "GSI1SK": { "S": "2026-11-15T09:00:00Z#01M7F6YN3M6A4AMV4818A2RHV2" },
                      "PK": { "S": "BLOG#b1" },
                      "SK": { "S": "POST#01M7F6YN3M6A4AMV4818A2RHV2" },
                      "Type": { "S": "Post" },
                      "author": { "S": "kim" },
                      "blogId": { "S": "b1" },
                      "createdAt": { "S": "2026-11-15T09:00:00Z" },
                      "likes": { "N": "0" },
                      "link": { "S": "LINK#b1#hello" },
                      "postId": { "S": "01M7F6YN3M6A4AMV4818A2RHV2" },
                      "publishedAt": { "S": "2026-11-15T09:00:00Z" },
                      "rev": { "N": "1" },
                      "slug": { "S": "hello" },
                      "state": { "S": "draft" },
                      "tags": { "SS": ["a", "b"] },
                      "title": { "S": "Hello" },
                      "updatedAt": { "S": "2026-11-15T09:00:00Z" }
                    },
                    "ConditionExpression": "attribute_not_exists(#PK)",
                    "ExpressionAttributeNames": { "#PK": "PK" }
                  }
                },
                {
                  "Put": {
                    "TableName": "Blog",
                    "Item": {
                      "PK": { "S": "UNIQUE#Post#slug#b1#hello" },
                      "SK": { "S": "UNIQUE" },
                      "ownerPK": { "S": "BLOG#b1" },
                      "ownerSK": { "S": "POST#01M7F6YN3M6A4AMV4818A2RHV2" }
                    },
                    "ConditionExpression": "attribute_not_exists(#PK)",
                    "ExpressionAttributeNames": { "#PK": "PK" }
                  }
                },
                {
                  "Put": {
                    "TableName": "Blog",
                    "Item": {
                      "PK": { "S": "UNIQUE#Post#postId#01M7F6YN3M6A4AMV4818A2RHV2" },
                      "SK": { "S": "UNIQUE" },
                      "ownerPK": { "S": "BLOG#b1" },
                      "ownerSK": { "S": "POST#01M7F6YN3M6A4AMV4818A2RHV2" }
                    },
                    "ConditionExpression": "attribute_not_exists(#PK)",
                    "ExpressionAttributeNames": { "#PK": "PK" }
                  }
                }
              ]
            }
        "##]],
    );
}

#[test]
fn fields_of_the_key_alone_are_not_stored_twice() {
    check_create(
        "Setting",
        json!({"blogId": "b1", "name": "theme", "value": {"dark": true}}),
        expect![[r##"
            PutItem {
              "TableName": "Blog",
              "Item": {
                "PK": { "S": "BLOG#b1" },
                "SK": { "S": "SETTING#theme" },
                "Type": { "S": "Setting" },
                "value": { "M": { "dark": { "BOOL": true } } }
              },
              "ConditionExpression": "attribute_not_exists(#PK)",
              "ExpressionAttributeNames": { "#PK": "PK" }
            }
        "##]],
    );
}

/// Half an index key is never written.
#[test]
fn an_index_key_comes_whole_or_not_at_all() {
    let stored = stored(&model(BLOG));
    assert!(!stored.contains_key("GSI1PK") && !stored.contains_key("GSI1SK"));
}

fn refused(given: Json) -> hansang_core::Error {
    let model = model(BLOG);
    write::create(&model, model.entity("Post").unwrap(), fields(given), &moment()).unwrap_err()
}

#[test]
fn every_field_that_is_wrong_is_named() {
    let error = refused(json!({"blogId": 5, "slug": "No!", "titel": "x", "rev": 3, "likes": -1}));
    assert_eq!((error.kind, error.code), (ErrorKind::Invalid, CoreCode::InvalidFields.into()));
    let shown: Vec<String> = error.violations.iter().map(ToString::to_string).collect();
    expect![[r#"
        `author` is required
        `blogId` must be text
        `likes` must be at least 0
        `rev` is written by Hansang and cannot be given
        `slug` must match the pattern [a-z-]+
        `titel` is not an attribute of Post
        `title` is required"#]]
    .assert_eq(&shown.join("\n"));
    let error = refused(json!({"blogId": "b", "slug": "a"}));
    expect!["`author` is required; `title` is required"].assert_eq(&error.message.to_string());
}

/// Es13: a `#` is rejected where it would make a key ambiguous.
#[test]
fn a_delimiter_in_a_key_field_is_refused() {
    let error = refused(json!({"blogId": "b#1", "slug": "a", "author": "kim", "title": "x"}));
    assert_eq!(error.message, "`blogId` is part of a key and must not contain `#`");
}

#[test]
fn an_item_starts_in_an_initial_state() {
    let error = refused(json!({"blogId": "b", "slug": "a", "author": "kim", "title": "x", "state": "live"}));
    assert_eq!(error.message, "`state` must start as draft");
}

/// Rs16: items over 400 KB are rejected early.
#[test]
fn an_item_that_is_too_large_is_refused() {
    let large = "x".repeat(410 * 1024);
    let error =
        refused(json!({"blogId": "b", "slug": "a", "author": "kim", "title": "x", "extra": {"big": large}}));
    assert_eq!(error.code, CoreCode::ItemTooLarge);
}

#[test]
fn keys_that_are_too_long_are_refused() {
    let long = "x".repeat(2100);
    let post = |blog: &str, slug: &str| json!({"blogId": blog, "slug": slug, "author": "kim", "title": "x"});
    assert_eq!(refused(post(&long, "a")).code, CoreCode::KeyTooLong);
    let error = refused(post("b", &long));
    assert_eq!(error.code, CoreCode::KeyTooLong);
    assert!(error.message.to_string().starts_with("a unique value is too long"), "{}", error.message);
}

#[test]
fn identifiers_of_one_write_differ() {
    let model = model(
        "model: two\ntable: { name: Two, key: { pk: PK, sk: SK } }\nentities:\n  Pair:\n    key: { PK: \"{a}\", SK: \"{b}\" }\n    attributes: { a: { type: ulid, generated: ulid }, b: { type: ulid, generated: ulid }, c: { type: uuid, generated: uuid } }\n",
    );
    let writes = write::create(&model, model.entity("Pair").unwrap(), fields(json!({})), &moment()).unwrap();
    assert_ne!(writes[0].key.pk, writes[0].key.sk);
}
