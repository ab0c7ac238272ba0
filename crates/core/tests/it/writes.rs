//! Creating, putting, moving and deleting become plans.

use expect_test::{Expect, expect};
use hansang_core::plan::{self, Action, Write};
use hansang_core::write::{self, Current, Moment, Planned};
use hansang_core::{ErrorKind, Model, request};
use serde_json::{Value as Json, json};

use crate::{fields, item, model, show};

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
    show(&request::of_writes(&model.table, "Blog", writes))
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

/// C14, C6: create never overwrites, and every item carries its type and times.
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

/// Cs7: a unique value is kept by an item, in the same transaction.
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
fn what_only_the_key_holds_is_not_stored_twice() {
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

/// E10: half an index key is never written.
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
    assert_eq!((error.kind, error.code), (ErrorKind::Invalid, "invalid_fields"));
    let shown: Vec<String> = error.violations.iter().map(ToString::to_string).collect();
    expect![[r#"
        `blogId` must be text
        `likes` must be at least 0
        `rev` is written by Hansang and cannot be given
        `slug` must match the pattern [a-z-]+
        `titel` is not an attribute of Post"#]]
    .assert_eq(&shown.join("\n"));
    let error = refused(json!({"blogId": "b", "slug": "a"}));
    expect!["`author` is required; `title` is required"].assert_eq(&error.message);
}

/// Es13: a `#` is refused where it would make a key ambiguous.
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

/// Rs16: items over 400 KB are refused early.
#[test]
fn an_item_that_is_too_large_is_refused() {
    let large = "x".repeat(410 * 1024);
    let error =
        refused(json!({"blogId": "b", "slug": "a", "author": "kim", "title": "x", "extra": {"big": large}}));
    assert_eq!(error.code, "item_too_large");
}

#[test]
fn keys_that_are_too_long_are_refused() {
    let long = "x".repeat(2100);
    let post = |blog: &str, slug: &str| json!({"blogId": blog, "slug": slug, "author": "kim", "title": "x"});
    assert_eq!(refused(post(&long, "a")).code, "key_too_long");
    let error = refused(post("b", &long));
    assert_eq!(error.code, "key_too_long");
    assert!(error.message.starts_with("a unique value is too long"), "{}", error.message);
}

#[test]
fn put_reads_first_and_is_conditional_on_what_it_read() {
    let model = model(BLOG);
    let entity = model.entity("Post").unwrap();
    let next = json!({"blogId": "b1", "postId": "01JD3Q0V8B5X9K2M4N6P7R8S9T", "slug": "hi", "author": "lee",
        "title": "Hi", "origin": "import", "state": "live", "publishedAt": "2026-01-01T00:00:00Z"});
    let put = |current: Current<'_>| write::put(&model, entity, fields(next.clone()), current, &moment());
    assert!(matches!(put(Current::Unknown).unwrap(), Planned::ReadFirst(get) if get.consistent));
    assert_eq!(put(Current::Absent).unwrap_err().message, "`state` must start as draft");
    let stored = stored(&model);
    expect![[r##"
        TransactWriteItems {
          "TransactItems": [
            {
              "Put": {
                "TableName": "Blog",
                "Item": {
                  "GSI1PK": { "S": "AUTHOR#lee" },
                  "GSI1SK": { "S": "2026-01-01T00:00:00Z#01JD3Q0V8B5X9K2M4N6P7R8S9T" },
                  "PK": { "S": "BLOG#b1" },
                  "SK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" },
                  "Type": { "S": "Post" },
                  "author": { "S": "lee" },
                  "blogId": { "S": "b1" },
                  "createdAt": { "S": "2026-11-15T09:00:00Z" },
                  "likes": { "N": "0" },
                  "link": { "S": "LINK#b1#hi" },
                  "origin": { "S": "import" },
                  "postId": { "S": "01JD3Q0V8B5X9K2M4N6P7R8S9T" },
                  "publishedAt": { "S": "2026-01-01T00:00:00Z" },
                  "rev": { "N": "2" },
                  "slug": { "S": "hi" },
                  "state": { "S": "live" },
                  "title": { "S": "Hi" },
                  "updatedAt": { "S": "2026-11-15T09:00:00Z" }
                },
                "ConditionExpression": "attribute_exists(#PK) AND #rev = :rev",
                "ExpressionAttributeNames": { "#PK": "PK", "#rev": "rev" },
                "ExpressionAttributeValues": { ":rev": { "N": "1" } }
              }
            },
            {
              "Delete": {
                "TableName": "Blog",
                "Key": { "PK": { "S": "UNIQUE#Post#slug#b1#hello" }, "SK": { "S": "UNIQUE" } },
                "ConditionExpression": "#ownerPK = :ownerPK AND #ownerSK = :ownerSK",
                "ExpressionAttributeNames": { "#ownerPK": "ownerPK", "#ownerSK": "ownerSK" },
                "ExpressionAttributeValues": { ":ownerPK": { "S": "BLOG#b1" }, ":ownerSK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } }
              }
            },
            {
              "Put": {
                "TableName": "Blog",
                "Item": {
                  "PK": { "S": "UNIQUE#Post#slug#b1#hi" },
                  "SK": { "S": "UNIQUE" },
                  "ownerPK": { "S": "BLOG#b1" },
                  "ownerSK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" }
                },
                "ConditionExpression": "attribute_not_exists(#PK)",
                "ExpressionAttributeNames": { "#PK": "PK" }
              }
            }
          ]
        }
    "##]]
    .assert_eq(&show_writes(&model, &ready(put(Current::Item(&stored)).unwrap())));
}

#[test]
fn put_keeps_what_is_immutable_and_follows_the_lifecycle() {
    let model = model(BLOG);
    let stored = stored(&model);
    let put = |change: Json| {
        let mut next = json!({"blogId": "b1", "postId": "01JD3Q0V8B5X9K2M4N6P7R8S9T", "slug": "hello",
            "author": "kim", "title": "Hello", "origin": "import"});
        next.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let entity = model.entity("Post").unwrap();
        write::put(&model, entity, fields(next), Current::Item(&stored), &moment()).unwrap_err()
    };
    assert_eq!(put(json!({"origin": "other"})).message, "`origin` can never change");
    let kept = json!({"blogId": "b1", "slug": "hello", "author": "kim", "title": "New", "postId": "01JD3Q0V8B5X9K2M4N6P7R8S9T"});
    let writes =
        write::put(&model, model.entity("Post").unwrap(), fields(kept), Current::Item(&stored), &moment());
    let Action::Put(item) = &ready(writes.unwrap())[0].action else { panic!("a put") };
    assert_eq!((item["origin"].as_str(), item["state"].as_str()), (Some("import"), Some("draft")));
    let error = put(json!({"state": "gone"}));
    assert_eq!((error.kind, error.code), (ErrorKind::Conflict, "wrong_state"));
    assert_eq!(error.message, "`state` of this Post can become gone only from live");
}

#[test]
fn put_without_a_version_guards_what_cannot_change() {
    let model = model(BLOG);
    let entity = model.entity("Blog").unwrap();
    let stored = item(
        entity,
        json!({"PK": "BLOG#b1", "SK": "META", "Type": "Blog", "blogId": "b1", "title": "Old",
        "owner": "kim", "createdAt": "2020-01-01T00:00:00Z", "updatedAt": "2020-01-01T00:00:00Z"}),
    );
    let next = fields(json!({"blogId": "b1", "title": "New", "owner": "kim"}));
    let writes = ready(write::put(&model, entity, next, Current::Item(&stored), &moment()).unwrap());
    expect![[r##"
        PutItem {
          "TableName": "Blog",
          "Item": {
            "PK": { "S": "BLOG#b1" },
            "SK": { "S": "META" },
            "Type": { "S": "Blog" },
            "blogId": { "S": "b1" },
            "createdAt": { "S": "2020-01-01T00:00:00Z" },
            "owner": { "S": "kim" },
            "title": { "S": "New" },
            "updatedAt": { "S": "2026-11-15T09:00:00Z" }
          },
          "ConditionExpression": "attribute_exists(#PK) AND #owner = :owner AND #createdAt = :createdAt",
          "ExpressionAttributeNames": { "#PK": "PK", "#createdAt": "createdAt", "#owner": "owner" },
          "ExpressionAttributeValues": { ":createdAt": { "S": "2020-01-01T00:00:00Z" }, ":owner": { "S": "kim" } }
        }
    "##]]
    .assert_eq(&show_writes(&model, &writes));
}

#[test]
fn delete_gives_unique_values_back() {
    let model = model(BLOG);
    let entity = model.entity("Post").unwrap();
    let key = fields(json!({"blogId": "b1", "postId": "01JD3Q0V8B5X9K2M4N6P7R8S9T"}));
    let delete = |current: Current<'_>, version| write::delete(&model, entity, &key, current, version);
    assert!(matches!(delete(Current::Unknown, None).unwrap(), Planned::ReadFirst(_)));
    assert_eq!(delete(Current::Absent, None).unwrap_err().kind, ErrorKind::NotFound);
    let stored = stored(&model);
    expect![[r##"
        TransactWriteItems {
          "TransactItems": [
            {
              "Delete": {
                "TableName": "Blog",
                "Key": { "PK": { "S": "BLOG#b1" }, "SK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } },
                "ConditionExpression": "attribute_exists(#PK) AND #rev = :rev AND #slug = :slug",
                "ExpressionAttributeNames": { "#PK": "PK", "#rev": "rev", "#slug": "slug" },
                "ExpressionAttributeValues": { ":rev": { "N": "1" }, ":slug": { "S": "hello" } }
              }
            },
            {
              "Delete": {
                "TableName": "Blog",
                "Key": { "PK": { "S": "UNIQUE#Post#slug#b1#hello" }, "SK": { "S": "UNIQUE" } },
                "ConditionExpression": "#ownerPK = :ownerPK AND #ownerSK = :ownerSK",
                "ExpressionAttributeNames": { "#ownerPK": "ownerPK", "#ownerSK": "ownerSK" },
                "ExpressionAttributeValues": { ":ownerPK": { "S": "BLOG#b1" }, ":ownerSK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } }
              }
            },
            {
              "Delete": {
                "TableName": "Blog",
                "Key": { "PK": { "S": "UNIQUE#Post#postId#01JD3Q0V8B5X9K2M4N6P7R8S9T" }, "SK": { "S": "UNIQUE" } },
                "ConditionExpression": "#ownerPK = :ownerPK AND #ownerSK = :ownerSK",
                "ExpressionAttributeNames": { "#ownerPK": "ownerPK", "#ownerSK": "ownerSK" },
                "ExpressionAttributeValues": { ":ownerPK": { "S": "BLOG#b1" }, ":ownerSK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } }
              }
            }
          ]
        }
    "##]]
    .assert_eq(&show_writes(&model, &ready(delete(Current::Item(&stored), Some(1)).unwrap())));
}

#[test]
fn delete_without_constraints_is_one_conditional_write() {
    let model = model(BLOG);
    let key = fields(json!({"blogId": "b1"}));
    let entity = model.entity("Blog").unwrap();
    let writes = ready(write::delete(&model, entity, &key, Current::Unknown, None).unwrap());
    expect![[r##"
        DeleteItem {
          "TableName": "Blog",
          "Key": { "PK": { "S": "BLOG#b1" }, "SK": { "S": "META" } },
          "ConditionExpression": "attribute_exists(#PK)",
          "ExpressionAttributeNames": { "#PK": "PK" }
        }
    "##]]
    .assert_eq(&show_writes(&model, &writes));
    assert_eq!(
        write::delete(&model, entity, &key, Current::Unknown, Some(1)).unwrap_err().code,
        "no_version"
    );
}

/// Cs5: moving an item is one transaction; ids and the time of creation are kept.
#[test]
fn a_move_is_a_delete_and_a_put_in_one_transaction() {
    let model = model(BLOG);
    let entity = model.entity("Post").unwrap();
    let stored = stored(&model);
    let later = Moment { now: "2027-01-01T00:00:00Z".parse().unwrap(), random: 0 };
    let writes = write::relocate(&model, entity, &stored, fields(json!({"blogId": "b2"})), &later).unwrap();
    expect![[r##"
        TransactWriteItems {
          "TransactItems": [
            {
              "Put": {
                "TableName": "Blog",
                "Item": {
                  "PK": { "S": "BLOG#b2" },
                  "SK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" },
                  "Type": { "S": "Post" },
                  "author": { "S": "kim" },
                  "blogId": { "S": "b2" },
                  "createdAt": { "S": "2026-11-15T09:00:00Z" },
                  "likes": { "N": "0" },
                  "link": { "S": "LINK#b2#hello" },
                  "origin": { "S": "import" },
                  "postId": { "S": "01JD3Q0V8B5X9K2M4N6P7R8S9T" },
                  "rev": { "N": "2" },
                  "slug": { "S": "hello" },
                  "state": { "S": "draft" },
                  "title": { "S": "Hello" },
                  "updatedAt": { "S": "2027-01-01T00:00:00Z" }
                },
                "ConditionExpression": "attribute_not_exists(#PK)",
                "ExpressionAttributeNames": { "#PK": "PK" }
              }
            },
            {
              "Delete": {
                "TableName": "Blog",
                "Key": { "PK": { "S": "BLOG#b1" }, "SK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } },
                "ConditionExpression": "attribute_exists(#PK) AND #rev = :rev",
                "ExpressionAttributeNames": { "#PK": "PK", "#rev": "rev" },
                "ExpressionAttributeValues": { ":rev": { "N": "1" } }
              }
            },
            {
              "Delete": {
                "TableName": "Blog",
                "Key": { "PK": { "S": "UNIQUE#Post#slug#b1#hello" }, "SK": { "S": "UNIQUE" } },
                "ConditionExpression": "#ownerPK = :ownerPK AND #ownerSK = :ownerSK",
                "ExpressionAttributeNames": { "#ownerPK": "ownerPK", "#ownerSK": "ownerSK" },
                "ExpressionAttributeValues": { ":ownerPK": { "S": "BLOG#b1" }, ":ownerSK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } }
              }
            },
            {
              "Put": {
                "TableName": "Blog",
                "Item": {
                  "PK": { "S": "UNIQUE#Post#slug#b2#hello" },
                  "SK": { "S": "UNIQUE" },
                  "ownerPK": { "S": "BLOG#b2" },
                  "ownerSK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" }
                },
                "ConditionExpression": "attribute_not_exists(#PK)",
                "ExpressionAttributeNames": { "#PK": "PK" }
              }
            },
            {
              "Put": {
                "TableName": "Blog",
                "Item": {
                  "PK": { "S": "UNIQUE#Post#postId#01JD3Q0V8B5X9K2M4N6P7R8S9T" },
                  "SK": { "S": "UNIQUE" },
                  "ownerPK": { "S": "BLOG#b2" },
                  "ownerSK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" }
                },
                "ConditionExpression": "#ownerPK = :ownerPK AND #ownerSK = :ownerSK",
                "ExpressionAttributeNames": { "#ownerPK": "ownerPK", "#ownerSK": "ownerSK" },
                "ExpressionAttributeValues": { ":ownerPK": { "S": "BLOG#b1" }, ":ownerSK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } }
              }
            }
          ]
        }
    "##]]
    .assert_eq(&show_writes(&model, &writes));
    let same = write::relocate(&model, entity, &stored, fields(json!({"blogId": "b1"})), &later).unwrap_err();
    assert_eq!(same.code, "same_key");
}

#[test]
fn a_transaction_has_limits() {
    let model = model(BLOG);
    let entity = model.entity("Blog").unwrap();
    let create = |id: String| {
        write::create(&model, entity, fields(json!({"blogId": id, "title": "x", "owner": "k"})), &moment())
    };
    let plans = |count: usize| (0..count).map(|id| create(format!("b{id}")).unwrap()).collect::<Vec<_>>();
    assert_eq!(plan::transaction(plans(100)).unwrap().len(), 100);
    assert_eq!(plan::transaction(plans(101)).unwrap_err().code, "transaction_too_large");
    let twice = vec![create("b".into()).unwrap(), create("b".into()).unwrap()];
    assert_eq!(plan::transaction(twice).unwrap_err().code, "transaction_repeats_item");
}

#[test]
fn identifiers_of_one_write_differ() {
    let model = model(
        "model: two\ntable: { name: Two, key: { pk: PK, sk: SK } }\nentities:\n  Pair:\n    key: { PK: \"{a}\", SK: \"{b}\" }\n    attributes: { a: { type: ulid, generated: ulid }, b: { type: ulid, generated: ulid }, c: { type: uuid, generated: uuid } }\n",
    );
    let writes = write::create(&model, model.entity("Pair").unwrap(), fields(json!({})), &moment()).unwrap();
    assert_ne!(writes[0].key.pk, writes[0].key.sk);
}
