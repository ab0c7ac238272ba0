//! Plans of entities that expire: an expired item counts as absent, and so do its pointers.

use expect_test::expect;
use hansang_core::plan::{Change, Part, Path};
use hansang_core::write::{self, Current, Update};
use hansang_core::{ErrorKind, Item, Model, Name};
use serde_json::json;

use crate::writes::{moment, ready, show_writes};
use crate::{fields, model};

const NOTES: &str = r##"
model: notes
table:
  name: Notes
  key: { pk: PK, sk: SK }
  updated: updatedAt
  ttl: ttl
  indexes:
    GSI1: { pk: GSI1PK, sk: GSI1SK }
entities:
  Note:
    key: { PK: "NOTE#{id}", SK: META }
    index:
      GSI1: { GSI1PK: NOTES, GSI1SK: "{updatedAt}#{id}" }
    attributes:
      id: string
      slug: string
      text: string?
      tags: { set: string }
      sizes: { map: integer, default: {} }
      lines: { list: string, default: [], length: [0, 2] }
      ttl: integer?
    unique:
      slug: [slug]
"##;

fn plan(model: &Model, changes: Vec<(Path, Change)>, current: Current<'_>) -> Result<String, String> {
    let update = Update { key: fields(json!({"id": "1"})), changes, expected_version: None };
    let planned = write::update(model, model.entity("Note").unwrap(), update, current, &moment());
    planned.map(|planned| show_writes(model, &ready(planned))).map_err(|error| error.message.to_string())
}

fn path(name: &str) -> Path {
    (&Name::from(name)).into()
}

fn stored(ttl: i64) -> Item {
    let mut item = fields(
        json!({"PK": "NOTE#1", "SK": "META", "id": "1", "slug": "a", "sizes": {}, "lines": [],
        "GSI1PK": "NOTES", "GSI1SK": "2026-11-15T08:00:00Z#1", "updatedAt": "2026-11-15T08:00:00Z", "ttl": ttl}),
    );
    item.insert(Name::from("tags"), hansang_core::Value::Ss(["x".to_owned()].into()));
    item
}

const FAR: i64 = 4_000_000_000;

#[test]
fn create_takes_the_place_of_what_has_expired() {
    let model = model(NOTES);
    let note = fields(json!({"id": "1", "slug": "a", "tags": ["x"], "ttl": FAR}));
    let writes = write::create(&model, model.entity("Note").unwrap(), note, &moment()).unwrap();
    let shown = show_writes(&model, &writes);
    let conditions = shown.matches("attribute_not_exists(#PK) OR #ttl <= :ttl").count();
    assert_eq!(conditions, 2, "{shown}");
    assert_eq!(shown.matches(r#""ttl": { "N": "4000000000" }"#).count(), 2, "{shown}");
}

#[test]
fn an_update_needs_an_item_that_has_not_expired() {
    let model = model(NOTES);
    let shown = plan(&model, vec![(path("text"), Change::Set("new".into()))], Current::Unknown).unwrap();
    expect![[r##"
        UpdateItem {
          "TableName": "Blog",
          "Key": { "PK": { "S": "NOTE#1" }, "SK": { "S": "META" } },
          "UpdateExpression": "SET #text = :text, #updatedAt = :updatedAt, #GSI1PK = :GSI1PK, #GSI1SK = :GSI1SK",
          "ConditionExpression": "attribute_exists(#PK) AND (attribute_not_exists(#ttl) OR #ttl > :ttl)",
          "ExpressionAttributeNames": {
            "#GSI1PK": "GSI1PK",
            "#GSI1SK": "GSI1SK",
            "#PK": "PK",
            "#text": "text",
            "#ttl": "ttl",
            "#updatedAt": "updatedAt"
          },
          "ExpressionAttributeValues": {
            ":GSI1PK": { "S": "NOTES" },
            ":GSI1SK": { "S": "2026-11-15T09:00:00Z#1" },
            ":text": { "S": "new" },
            ":ttl": { "N": "1794733200" },
            ":updatedAt": { "S": "2026-11-15T09:00:00Z" }
          }
        }
    "##]]
    .assert_eq(&shown);
}

/// Pointers get the new expiry of the item, and both are guarded by the values that were read.
#[test]
fn an_update_of_the_end_takes_the_pointers_along() {
    let model = model(NOTES);
    let shown = plan(&model, vec![(path("ttl"), Change::Set((FAR + 1).into()))], Current::Item(&stored(FAR)));
    let shown = shown.unwrap();
    assert!(shown.contains("UNIQUE#Note#slug#a"), "{shown}");
    assert_eq!(shown.matches("4000000001").count(), 2, "{shown}");
    assert!(shown.contains("#slug = :slug") && shown.contains("#ttl = :ttl"), "{shown}");
    let refused = plan(&model, vec![(path("ttl"), Change::Add(5.into()))], Current::Unknown).unwrap_err();
    assert_eq!(refused, "`ttl` is part of an index key or constraint: set it to a value instead");
}

#[test]
fn an_expired_item_cannot_be_changed() {
    let model = model(NOTES);
    let gone = stored(1);
    let entity = model.entity("Note").unwrap();
    let error = plan(&model, vec![(path("slug"), Change::Set("b".into()))], Current::Item(&gone));
    assert_eq!(error.unwrap_err(), "there is no such Note");
    let key = fields(json!({"id": "1"}));
    let error = write::delete(&model, entity, &key, Current::Item(&gone), None, &moment()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound);
    let error = write::relocate(&model, entity, &gone, fields(json!({"id": "2"})), &moment()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound);
    let again = fields(json!({"id": "1", "slug": "a", "tags": ["x"]}));
    let writes = ready(write::put(&model, entity, again, Current::Item(&gone), &moment()).unwrap());
    assert_eq!(writes.len(), 2, "a put is a create and takes its pointer anew");
}

/// An unchanged value is still guarded and written: another item may have it by then.
#[test]
fn an_update_to_the_same_value_relies_on_what_it_read() {
    let model = model(NOTES);
    let shown = plan(&model, vec![(path("slug"), Change::Set("a".into()))], Current::Item(&stored(FAR)));
    let shown = shown.unwrap();
    assert!(shown.contains("AND #slug = :slug"), "{shown}");
}

/// A version changes with every write, and so does its index key.
#[test]
fn a_version_in_an_index_key_is_read_and_guarded() {
    let source = NOTES
        .replace("    attributes:\n", "    version: rev\n    attributes:\n")
        .replace("{updatedAt}#{id}", "{rev:06}");
    let model = model(&source);
    let mut note = stored(FAR);
    note.insert(Name::from("rev"), 4.into());
    let shown = plan(&model, vec![(path("text"), Change::Set("x".into()))], Current::Item(&note)).unwrap();
    assert!(shown.contains(r#"":GSI1SK": { "S": "000005" }"#), "{shown}");
    assert!(shown.contains("AND #rev = :rev2"), "{shown}");
}

#[test]
fn parts_of_an_attribute_keep_its_rules() {
    let model = model(NOTES);
    let inside = |name: &str, part: Part| Path { inside: vec![part], ..path(name) };
    let member = |name: &str| inside(name, Part::Member(Name::from("a")));
    let refused =
        |path: Path, change: Change| plan(&model, vec![(path, change)], Current::Unknown).unwrap_err();
    let set = |value: &str| Change::Set(value.into());
    assert_eq!(refused(member("sizes"), set("x")), "`sizes` at `sizes.a` must be a whole number");
    assert_eq!(refused(inside("sizes", Part::Element(0)), set("1")), "`sizes` is a map: name its members");
    assert_eq!(refused(member("lines"), set("x")), "`lines` is a list: number its elements");
    assert_eq!(refused(member("text"), set("x")), "`text` has no parts: replace the whole value");
    assert_eq!(
        refused(inside("lines", Part::Element(0)), set("x")),
        "`lines` has a maximum length: replace the whole value"
    );
    let three = Change::Append(vec!["a".into(), "b".into(), "c".into()]);
    assert_eq!(refused(path("lines"), three), "`lines` must have at most 2 elements");
    assert!(plan(&model, vec![(member("sizes"), Change::Add(1.into()))], Current::Unknown).is_ok());
    let lost = Change::DeleteMembers(hansang_core::Value::L(vec!["x".into()]));
    let shown = plan(&model, vec![(path("tags"), lost)], Current::Unknown).unwrap();
    assert!(shown.contains("size(#tags) >= :tags2"), "{shown}");
}
