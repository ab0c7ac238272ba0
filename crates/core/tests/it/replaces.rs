//! Plans that put, delete and move stored items.

use expect_test::expect;
use hansang_core::plan::{Action, Guards, Key, MAX_TRANSACTION_BYTES, Write};
use hansang_core::store::check;
use hansang_core::value::item_size;
use hansang_core::write::{self, Current, Moment, Planned};
use hansang_core::{CoreCode, ErrorKind, Item, Name, Table, Value};
use serde_json::{Value as Json, json};

use crate::writes::{BLOG, moment, ready, show_writes, stored};
use crate::{fields, item, model};

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
                "ConditionExpression": "attribute_not_exists(#PK) OR (#ownerPK = :ownerPK AND #ownerSK = :ownerSK)",
                "ExpressionAttributeNames": { "#PK": "PK", "#ownerPK": "ownerPK", "#ownerSK": "ownerSK" },
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
    assert_eq!(put(json!({"origin": "other"})).message, "`origin` cannot be changed once it is set");
    let kept = json!({"blogId": "b1", "slug": "hello", "author": "kim", "title": "New", "postId": "01JD3Q0V8B5X9K2M4N6P7R8S9T"});
    let writes =
        write::put(&model, model.entity("Post").unwrap(), fields(kept), Current::Item(&stored), &moment());
    let Action::Put(item) = &ready(writes.unwrap())[0].action else { panic!("a put") };
    assert_eq!((item["origin"].as_str(), item["state"].as_str()), (Some("import"), Some("draft")));
    let error = put(json!({"state": "gone"}));
    assert_eq!((error.kind, error.code), (ErrorKind::Conflict, CoreCode::WrongState.into()));
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
    let delete =
        |current: Current<'_>, version| write::delete(&model, entity, &key, current, version, &moment());
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
                "ConditionExpression": "attribute_not_exists(#PK) OR (#ownerPK = :ownerPK AND #ownerSK = :ownerSK)",
                "ExpressionAttributeNames": { "#PK": "PK", "#ownerPK": "ownerPK", "#ownerSK": "ownerSK" },
                "ExpressionAttributeValues": { ":ownerPK": { "S": "BLOG#b1" }, ":ownerSK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } }
              }
            },
            {
              "Delete": {
                "TableName": "Blog",
                "Key": { "PK": { "S": "UNIQUE#Post#postId#01JD3Q0V8B5X9K2M4N6P7R8S9T" }, "SK": { "S": "UNIQUE" } },
                "ConditionExpression": "attribute_not_exists(#PK) OR (#ownerPK = :ownerPK AND #ownerSK = :ownerSK)",
                "ExpressionAttributeNames": { "#PK": "PK", "#ownerPK": "ownerPK", "#ownerSK": "ownerSK" },
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
    let writes = ready(write::delete(&model, entity, &key, Current::Unknown, None, &moment()).unwrap());
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
        write::delete(&model, entity, &key, Current::Unknown, Some(1), &moment()).unwrap_err().code,
        CoreCode::NoVersion
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
                "ConditionExpression": "attribute_not_exists(#PK) OR (#ownerPK = :ownerPK AND #ownerSK = :ownerSK)",
                "ExpressionAttributeNames": { "#PK": "PK", "#ownerPK": "ownerPK", "#ownerSK": "ownerSK" },
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
                "ConditionExpression": "attribute_not_exists(#PK) OR (#ownerPK = :ownerPK AND #ownerSK = :ownerSK)",
                "ExpressionAttributeNames": { "#PK": "PK", "#ownerPK": "ownerPK", "#ownerSK": "ownerSK" },
                "ExpressionAttributeValues": { ":ownerPK": { "S": "BLOG#b1" }, ":ownerSK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } }
              }
            }
          ]
        }
    "##]]
    .assert_eq(&show_writes(&model, &writes));
    // A move has the limits of a put.
    for (change, says) in [
        (json!({"blogId": "b2", "state": "gone"}), "`state` of this Post can become gone only from live"),
        (json!({"blogId": "b2", "origin": "web"}), "`origin` cannot be changed once it is set"),
    ] {
        let refused = write::relocate(&model, entity, &stored, fields(change), &later).unwrap_err();
        assert_eq!((refused.kind, &*refused.message.to_string()), (ErrorKind::Conflict, says));
    }
    let same = write::relocate(&model, entity, &stored, fields(json!({"blogId": "b1"})), &later).unwrap_err();
    assert_eq!(same.code, CoreCode::SameKey);
}

#[test]
fn a_transaction_has_limits() {
    let model = model(BLOG);
    let entity = model.entity("Blog").unwrap();
    let create = |id: String| {
        write::create(&model, entity, fields(json!({"blogId": id, "title": "x", "owner": "k"})), &moment())
    };
    let checked = |table: &Table, writes: &[Write]| {
        check::transaction(writes.iter().map(|write| (table, write))).map_err(|error| error.code)
    };
    let many = |count: usize| (0..count).flat_map(|id| create(format!("b{id}")).unwrap()).collect::<Vec<_>>();
    assert_eq!(checked(&model.table, &many(100)), Ok(()));
    assert_eq!(checked(&model.table, &many(101)), Err(CoreCode::TransactionTooLarge.into()));
    let once = create("b".into()).unwrap();
    assert_eq!(
        checked(&model.table, &[once.clone(), once.clone()].concat()),
        Err(CoreCode::TransactionRepeatsItem.into())
    );
    // The same key is another item in another table.
    let other = Table { name: "Other".to_owned(), ..model.table.clone() };
    let both = [(&model.table, &once[0]), (&other, &once[0])];
    assert_eq!(check::transaction(both.into_iter()), Ok(()));
}

#[test]
fn a_transaction_stores_four_megabytes_at_most() {
    let model = model(BLOG);
    let row = |id: usize, bytes: usize| {
        let texts = [("PK", "p".to_owned()), ("SK", format!("{id:02}")), ("x", "x".repeat(bytes))];
        Item::from(texts.map(|(name, text)| (Name::from(name), Value::from(text))))
    };
    let put = |id: usize, bytes: usize| {
        let key = Key { pk: "p".to_owned(), sk: format!("{id:02}") };
        Write { key, action: Action::Put(row(id, bytes)), guards: Guards::default() }
    };
    let each = MAX_TRANSACTION_BYTES / 16 - item_size(&row(0, 0));
    let mut writes: Vec<Write> = (0..16).map(|id| put(id, each)).collect();
    let checked = |writes: &[Write]| check::transaction(writes.iter().map(|write| (&model.table, write)));
    assert_eq!(checked(&writes), Ok(()));
    writes[15] = put(15, each + 1);
    assert_eq!(checked(&writes).unwrap_err().code, CoreCode::TransactionTooLarge);
}
