//! Partial updates keep derived keys, constraints, lifecycles and limits right.

use expect_test::expect;
use hansang_core::plan::{Change, Part, Path};
use hansang_core::write::{self, Current, Planned, Update};
use hansang_core::{CoreCode, Error, ErrorKind, Item, Model, Name, Value};
use serde_json::json;

use crate::writes::{BLOG, moment, ready, show_writes, stored};
use crate::{fields, model};

fn set(name: &str, value: impl Into<Value>) -> (Path, Change) {
    (path(name), Change::Set(value.into()))
}

fn path(name: &str) -> Path {
    (&Name::from(name)).into()
}

fn part(name: &str) -> Path {
    Path { inside: vec![Part::Element(0)], ..path(name) }
}

fn key() -> Item {
    fields(json!({"blogId": "b1", "postId": "01JD3Q0V8B5X9K2M4N6P7R8S9T"}))
}

fn plan(model: &Model, changes: Vec<(Path, Change)>, current: Current<'_>) -> Result<Planned, Error> {
    let update = Update { key: key(), changes, expected_version: None };
    write::update(model, model.entity("Post").unwrap(), update, current, &moment())
}

fn refused(changes: Vec<(Path, Change)>) -> Error {
    plan(&model(BLOG), changes, Current::Unknown).unwrap_err()
}

#[test]
fn an_update_touches_only_what_changes() {
    let model = model(BLOG);
    let update = Update { key: key(), changes: vec![set("title", "New")], expected_version: Some(4) };
    let planned = write::update(&model, model.entity("Post").unwrap(), update, Current::Unknown, &moment());
    expect![[r##"
        UpdateItem {
          "TableName": "Blog",
          "Key": { "PK": { "S": "BLOG#b1" }, "SK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } },
          "UpdateExpression": "SET #title = :title, #updatedAt = :updatedAt ADD #rev :rev",
          "ConditionExpression": "attribute_exists(#PK) AND #rev = :rev2",
          "ExpressionAttributeNames": { "#PK": "PK", "#rev": "rev", "#title": "title", "#updatedAt": "updatedAt" },
          "ExpressionAttributeValues": {
            ":rev": { "N": "1" },
            ":rev2": { "N": "4" },
            ":title": { "S": "New" },
            ":updatedAt": { "S": "2026-11-15T09:00:00Z" }
          }
        }
    "##]]
    .assert_eq(&show_writes(&model, &ready(planned.unwrap())));
}

/// A lifecycle transition is a condition of the write, not a read before it.
#[test]
fn a_lifecycle_move_is_a_condition() {
    let model = model(BLOG);
    let writes = ready(plan(&model, vec![set("state", "live")], Current::Unknown).unwrap());
    expect![[r##"
        UpdateItem {
          "TableName": "Blog",
          "Key": { "PK": { "S": "BLOG#b1" }, "SK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } },
          "UpdateExpression": "SET #state = :state, #updatedAt = :updatedAt ADD #rev :rev",
          "ConditionExpression": "attribute_exists(#PK) AND #state IN (:state2)",
          "ExpressionAttributeNames": { "#PK": "PK", "#rev": "rev", "#state": "state", "#updatedAt": "updatedAt" },
          "ExpressionAttributeValues": {
            ":rev": { "N": "1" },
            ":state": { "S": "live" },
            ":state2": { "S": "draft" },
            ":updatedAt": { "S": "2026-11-15T09:00:00Z" }
          }
        }
    "##]]
    .assert_eq(&show_writes(&model, &writes));
    let error = writes[0].guards.last().unwrap().otherwise.error();
    assert_eq!((error.kind, error.code), (ErrorKind::Conflict, CoreCode::WrongState.into()));
    assert_eq!(error.message, "`state` of this Post can become live only from draft");
    assert_eq!(
        refused(vec![set("state", "draft")]).message,
        "`state` cannot become draft again: no state leads to it"
    );
}

#[test]
fn an_index_key_made_of_other_fields_is_read_first_and_guarded() {
    let model = model(BLOG);
    let change = || vec![set("publishedAt", "2026-02-01T00:00:00Z")];
    assert!(
        matches!(plan(&model, change(), Current::Unknown).unwrap(), Planned::ReadFirst(get) if get.consistent)
    );
    assert_eq!(plan(&model, change(), Current::Absent).unwrap_err().kind, ErrorKind::NotFound);
    let stored = stored(&model);
    expect![[r##"
        UpdateItem {
          "TableName": "Blog",
          "Key": { "PK": { "S": "BLOG#b1" }, "SK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } },
          "UpdateExpression": "SET #publishedAt = :publishedAt, #updatedAt = :updatedAt, #GSI1PK = :GSI1PK, #GSI1SK = :GSI1SK ADD #rev :rev",
          "ConditionExpression": "attribute_exists(#PK) AND #author = :author",
          "ExpressionAttributeNames": {
            "#GSI1PK": "GSI1PK",
            "#GSI1SK": "GSI1SK",
            "#PK": "PK",
            "#author": "author",
            "#publishedAt": "publishedAt",
            "#rev": "rev",
            "#updatedAt": "updatedAt"
          },
          "ExpressionAttributeValues": {
            ":GSI1PK": { "S": "AUTHOR#kim" },
            ":GSI1SK": { "S": "2026-02-01T00:00:00Z#01JD3Q0V8B5X9K2M4N6P7R8S9T" },
            ":author": { "S": "kim" },
            ":publishedAt": { "S": "2026-02-01T00:00:00Z" },
            ":rev": { "N": "1" },
            ":updatedAt": { "S": "2026-11-15T09:00:00Z" }
          }
        }
    "##]]
        .assert_eq(&show_writes(&model, &ready(plan(&model, change(), Current::Item(&stored)).unwrap())));
}

#[test]
fn an_index_key_whose_fields_all_change_needs_no_read() {
    let model = model(BLOG);
    let changes = vec![set("publishedAt", "2026-02-01T00:00:00Z"), set("author", "lee")];
    expect![[r##"
        UpdateItem {
          "TableName": "Blog",
          "Key": { "PK": { "S": "BLOG#b1" }, "SK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } },
          "UpdateExpression": "SET #publishedAt = :publishedAt, #author = :author, #updatedAt = :updatedAt, #GSI1PK = :GSI1PK, #GSI1SK = :GSI1SK ADD #rev :rev",
          "ConditionExpression": "attribute_exists(#PK)",
          "ExpressionAttributeNames": {
            "#GSI1PK": "GSI1PK",
            "#GSI1SK": "GSI1SK",
            "#PK": "PK",
            "#author": "author",
            "#publishedAt": "publishedAt",
            "#rev": "rev",
            "#updatedAt": "updatedAt"
          },
          "ExpressionAttributeValues": {
            ":GSI1PK": { "S": "AUTHOR#lee" },
            ":GSI1SK": { "S": "2026-02-01T00:00:00Z#01JD3Q0V8B5X9K2M4N6P7R8S9T" },
            ":author": { "S": "lee" },
            ":publishedAt": { "S": "2026-02-01T00:00:00Z" },
            ":rev": { "N": "1" },
            ":updatedAt": { "S": "2026-11-15T09:00:00Z" }
          }
        }
    "##]].assert_eq(&show_writes(&model, &ready(plan(&model, changes, Current::Unknown).unwrap())));
}

#[test]
fn the_key_is_made_exact_and_nothing_else_is_taken_from_it() {
    let model = model(BLOG);
    let entity = model.entity("Post").unwrap();
    let plan = |key: Item, changes: Vec<(Path, Change)>| {
        let update = Update { key, changes, expected_version: None };
        write::update(&model, entity, update, Current::Unknown, &moment()).unwrap()
    };
    let loose = fields(json!({"blogId": "b1", "postId": "01jd3q0v8b5x9k2m4n6p7r8s9t"}));
    let changes = || vec![set("publishedAt", "2026-02-01T00:00:00Z"), set("author", "lee")];
    assert_eq!(plan(loose, changes()), plan(key(), changes()));
    let mut more = key();
    more.insert(Name::from("author"), Value::from("somebody"));
    let planned = plan(more, vec![set("publishedAt", "2026-02-01T00:00:00Z")]);
    assert!(matches!(planned, Planned::ReadFirst(_)), "the author comes from the item, not from the caller");
}

/// Known immutable fields save the read; the write is guarded by them.
#[test]
fn known_immutable_fields_save_a_read() {
    let model = model(
        r#"
model: queue
table:
  name: Queue
  key: { pk: PK, sk: SK }
  indexes:
    GSI1: { pk: GSI1PK, sk: GSI1SK }
entities:
  Job:
    key: { PK: "JOB#{jobId}", SK: META }
    index:
      GSI1: { GSI1PK: "OWNER#{owner}", GSI1SK: "AT#{queuedAt}" }
    attributes:
      jobId: string
      owner: { type: string, immutable: true }
      queuedAt: timestamp?
patterns:
  jobs: { entity: Job, index: GSI1, given: [owner] }
"#,
    );
    let plan = |key: serde_json::Value| {
        let changes = vec![set("queuedAt", "2026-02-01T00:00:00Z")];
        let update = Update { key: fields(key), changes, expected_version: None };
        write::update(&model, model.entity("Job").unwrap(), update, Current::Unknown, &moment())
    };
    assert!(matches!(plan(json!({"jobId": "j1"})), Ok(Planned::ReadFirst(_))));
    let wrong = plan(json!({"jobId": "j1", "owner": 7})).unwrap_err();
    assert_eq!(wrong.message, "`owner` must be text");
    expect![[r##"
        UpdateItem {
          "TableName": "Blog",
          "Key": { "PK": { "S": "JOB#j1" }, "SK": { "S": "META" } },
          "UpdateExpression": "SET #queuedAt = :queuedAt, #GSI1PK = :GSI1PK, #GSI1SK = :GSI1SK",
          "ConditionExpression": "attribute_exists(#PK) AND #owner = :owner",
          "ExpressionAttributeNames": {
            "#GSI1PK": "GSI1PK",
            "#GSI1SK": "GSI1SK",
            "#PK": "PK",
            "#owner": "owner",
            "#queuedAt": "queuedAt"
          },
          "ExpressionAttributeValues": {
            ":GSI1PK": { "S": "OWNER#kim" },
            ":GSI1SK": { "S": "AT#2026-02-01T00:00:00Z" },
            ":owner": { "S": "kim" },
            ":queuedAt": { "S": "2026-02-01T00:00:00Z" }
          }
        }
    "##]]
    .assert_eq(&show_writes(&model, &ready(plan(json!({"jobId": "j1", "owner": "kim"})).unwrap())));
}

#[test]
fn an_index_key_goes_when_its_field_goes() {
    let model = model(BLOG);
    let mut stored = stored(&model);
    for (name, value) in [
        ("publishedAt", "2026-02-01T00:00:00Z"),
        ("GSI1PK", "AUTHOR#kim"),
        ("GSI1SK", "2026-02-01T00:00:00Z#01JD3Q0V8B5X9K2M4N6P7R8S9T"),
    ] {
        stored.insert(Name::from(name), Value::from(value));
    }
    let changes = vec![(path("publishedAt"), Change::Remove)];
    expect![[r##"
        UpdateItem {
          "TableName": "Blog",
          "Key": { "PK": { "S": "BLOG#b1" }, "SK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } },
          "UpdateExpression": "SET #updatedAt = :updatedAt REMOVE #publishedAt, #GSI1PK, #GSI1SK ADD #rev :rev",
          "ConditionExpression": "attribute_exists(#PK) AND #author = :author",
          "ExpressionAttributeNames": {
            "#GSI1PK": "GSI1PK",
            "#GSI1SK": "GSI1SK",
            "#PK": "PK",
            "#author": "author",
            "#publishedAt": "publishedAt",
            "#rev": "rev",
            "#updatedAt": "updatedAt"
          },
          "ExpressionAttributeValues": { ":author": { "S": "kim" }, ":rev": { "N": "1" }, ":updatedAt": { "S": "2026-11-15T09:00:00Z" } }
        }
    "##]]
        .assert_eq(&show_writes(&model, &ready(plan(&model, changes, Current::Item(&stored)).unwrap())));
}

/// Cs7
#[test]
fn a_unique_value_is_swapped_in_the_same_transaction() {
    let model = model(BLOG);
    let stored = stored(&model);
    let changes = vec![set("slug", "hi")];
    expect![[r##"
        TransactWriteItems {
          "TransactItems": [
            {
              "Update": {
                "TableName": "Blog",
                "Key": { "PK": { "S": "BLOG#b1" }, "SK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } },
                "UpdateExpression": "SET #slug = :slug, #updatedAt = :updatedAt, #link = :link ADD #rev :rev",
                "ConditionExpression": "attribute_exists(#PK) AND #slug = :slug2",
                "ExpressionAttributeNames": { "#PK": "PK", "#link": "link", "#rev": "rev", "#slug": "slug", "#updatedAt": "updatedAt" },
                "ExpressionAttributeValues": {
                  ":link": { "S": "LINK#b1#hi" },
                  ":rev": { "N": "1" },
                  ":slug": { "S": "hi" },
                  ":slug2": { "S": "hello" },
                  ":updatedAt": { "S": "2026-11-15T09:00:00Z" }
                }
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
    .assert_eq(&show_writes(&model, &ready(plan(&model, changes, Current::Item(&stored)).unwrap())));
    let same = ready(plan(&model, vec![set("slug", "hello")], Current::Item(&stored)).unwrap());
    assert_eq!(same.len(), 1, "the same value keeps its pointer");
}

/// "add" adds atomically, and limits hold under it.
#[test]
fn sums_and_lengths_keep_their_limits_by_conditions() {
    let model = model(BLOG);
    let changes = vec![
        (path("likes"), Change::Add((-1).into())),
        (path("notes"), Change::Append(vec!["a".into(), "b".into()])),
        (path("tags"), Change::AddMembers(Value::L(vec!["x".into()]))),
    ];
    expect![[r##"
        UpdateItem {
          "TableName": "Blog",
          "Key": { "PK": { "S": "BLOG#b1" }, "SK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } },
          "UpdateExpression": "SET #notes = list_append(if_not_exists(#notes, :none), :notes), #updatedAt = :updatedAt ADD #likes :likes, #tags :tags, #rev :rev",
          "ConditionExpression": "attribute_exists(#PK) AND #likes >= :likes2 AND (attribute_not_exists(#notes) OR size(#notes) <= :notes2)",
          "ExpressionAttributeNames": {
            "#PK": "PK",
            "#likes": "likes",
            "#notes": "notes",
            "#rev": "rev",
            "#tags": "tags",
            "#updatedAt": "updatedAt"
          },
          "ExpressionAttributeValues": {
            ":likes": { "N": "-1" },
            ":likes2": { "N": "1" },
            ":none": { "L": [] },
            ":notes": { "L": [{ "S": "a" }, { "S": "b" }] },
            ":notes2": { "N": "1" },
            ":rev": { "N": "1" },
            ":tags": { "SS": ["x"] },
            ":updatedAt": { "S": "2026-11-15T09:00:00Z" }
          }
        }
    "##]].assert_eq(&show_writes(&model, &ready(plan(&model, changes, Current::Unknown).unwrap())));
}

#[test]
fn every_kind_of_change_has_its_clause() {
    let model = model(BLOG);
    let inside =
        Path { root: Name::from("extra"), inside: vec![Part::Member(Name::from("a-b")), Part::Element(2)] };
    let changes = vec![
        (inside, Change::Set(5.into())),
        set("origin", "once"),
        (path("title"), Change::SetIfAbsent("x".into())),
        (path("tags"), Change::DeleteMembers(Value::L(vec!["x".into()]))),
    ];
    expect![[r##"
        UpdateItem {
          "TableName": "Blog",
          "Key": { "PK": { "S": "BLOG#b1" }, "SK": { "S": "POST#01JD3Q0V8B5X9K2M4N6P7R8S9T" } },
          "UpdateExpression": "SET #extra.#n[2] = :extra, #origin = :origin, #title = if_not_exists(#title, :title), #updatedAt = :updatedAt ADD #rev :rev DELETE #tags :tags",
          "ConditionExpression": "attribute_exists(#PK) AND attribute_not_exists(#origin)",
          "ExpressionAttributeNames": {
            "#PK": "PK",
            "#extra": "extra",
            "#n": "a-b",
            "#origin": "origin",
            "#rev": "rev",
            "#tags": "tags",
            "#title": "title",
            "#updatedAt": "updatedAt"
          },
          "ExpressionAttributeValues": {
            ":extra": { "N": "5" },
            ":origin": { "S": "once" },
            ":rev": { "N": "1" },
            ":tags": { "SS": ["x"] },
            ":title": { "S": "x" },
            ":updatedAt": { "S": "2026-11-15T09:00:00Z" }
          }
        }
    "##]].assert_eq(&show_writes(&model, &ready(plan(&model, changes, Current::Unknown).unwrap())));
}

#[test]
fn invalid_changes_name_the_alternative() {
    for (changes, message) in [
        (
            vec![set("blogId", "b2")],
            "`blogId` is part of the key and cannot be changed: move the item instead",
        ),
        (vec![set("rev", 9)], "`rev` is written by Hansang and cannot be given"),
        (
            vec![set("createdAt", "2026-01-01T00:00:00Z")],
            "`createdAt` is written by Hansang and cannot be given",
        ),
        (vec![set("link", "x")], "`link` is written by Hansang and cannot be given"),
        (vec![set("nope", "x")], "`nope` is not an attribute of Post"),
        (vec![set("title", "")], "`title` must not be empty"),
        (vec![(path("origin"), Change::Remove)], "`origin` cannot be changed once it is set"),
        (vec![(path("title"), Change::Remove)], "`title` is required and cannot be removed"),
        (
            vec![(path("author"), Change::SetIfAbsent("x".into()))],
            "`author` is part of an index key or constraint: set it to a value instead",
        ),
        (vec![(path("title"), Change::Append(vec![]))], "`title` is not a list"),
        (vec![(path("title"), Change::Add(1.into()))], "`title` is text and cannot be changed this way"),
        (vec![(path("likes"), Change::Add("0.5".parse().unwrap()))], "`likes` must be a whole number"),
        (vec![set("title", "a"), set("title", "b")], "`title` is changed twice: change it once"),
        (vec![(part("title"), Change::Remove)], "`title` has no parts: replace the whole value"),
        (vec![], "name at least one field to change"),
    ] {
        assert_eq!(refused(changes).message, message);
    }
}

const COUNTED: &str = r#"
model: counted
table: { name: Counted, key: { pk: PK, sk: SK } }
entities:
  Post:
    key: { PK: "{blogId}", SK: "{postId}" }
    attributes: { blogId: string, postId: ulid, counts: { map: integer } }
"#;

#[test]
fn a_sum_stays_a_whole_number_inside_a_map_too() {
    let change = (Path { inside: vec![Part::Member("x".into())], ..path("counts") }, Change::Add(1.into()));
    let writes = ready(plan(&model(COUNTED), vec![change], Current::Unknown).unwrap());
    let reasons =
        writes[0].guards.iter().map(|guard| guard.otherwise.error().message.to_string()).collect::<Vec<_>>();
    expect!["there is no such Post; `counts` must be at most 9223372036854775807"]
        .assert_eq(&reasons.join("; "));
}
