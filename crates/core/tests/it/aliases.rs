//! Reserved words of DynamoDB never reach an expression: every name in one is an alias.

use hansang_core::plan::{Change, Path};
use hansang_core::read::{self, ReadOptions};
use hansang_core::request::{self, Request};
use hansang_core::write::{self, Current, Planned, Update};
use hansang_core::{Model, Name};
use serde_json::json;

use crate::writes::moment;
use crate::{fields, model, requests};

/// Attributes, keys and an index that are all reserved words.
const RESERVED: &str = r##"
model: words
table:
  name: Words
  key: { pk: HASH, sk: RANGE }
  type: Type
  updated: Timestamp
  indexes:
    status_date: { pk: status, sk: date }
entities:
  Word:
    key: { HASH: "W#{name}", RANGE: "{value}" }
    version: counter
    attributes:
      name: string
      value: string
      status: { lifecycle: { new: [open], open: [close] } , default: new }
      date: string
      size: { type: integer, min: 0, max: 9, default: 0 }
      comment: string?
      items: { list: string, optional: true, length: [0, 5] }
      roles: { set: string, optional: true }
patterns:
  words: { entity: Word, given: [name], range: value }
  byStatus: { entity: Word, index: status_date, given: [status], range: date }
"##;

/// Words of the expression grammar, which are not aliases.
const GRAMMAR: &[&str] = &[
    "AND",
    "OR",
    "NOT",
    "IN",
    "BETWEEN",
    "SET",
    "REMOVE",
    "ADD",
    "DELETE",
    "attribute_exists",
    "attribute_not_exists",
    "begins_with",
    "contains",
    "size",
    "if_not_exists",
    "list_append",
];

/// Checks every expression of a request, and returns their number.
fn check(request: &Request) -> usize {
    let body = request.body.as_object().unwrap();
    let expressions = body.iter().filter(|(field, _)| field.ends_with("Expression"));
    expressions
        .map(|(field, text)| {
            for word in text.as_str().unwrap().split(|c: char| !(c.is_alphanumeric() || "#:_".contains(c))) {
                let alias = word.starts_with(['#', ':']);
                assert!(
                    word.is_empty() || alias || GRAMMAR.contains(&word),
                    "{field} has a bare `{word}`: {text}"
                );
            }
        })
        .count()
}

fn read(model: &Model, pattern: &str, arguments: serde_json::Value) -> usize {
    let pattern = model.pattern(pattern).unwrap();
    let arguments = read::arguments(pattern, fields(arguments)).unwrap();
    let options =
        ReadOptions { fields: Some(vec!["comment".into(), "roles".into()]), ..ReadOptions::default() };
    let plan = read::plan(model, pattern, &arguments, &options).unwrap();
    check(&request::of_step(&model.table, "Words", &plan.steps[0]))
}

/// Cs1
#[test]
fn no_reserved_word_reaches_an_expression() {
    let model = model(RESERVED);
    let entity = model.entity("Word").unwrap();
    assert_eq!(read(&model, "words", json!({"name": "a", "from": "b", "to": "c"})), 2);
    assert_eq!(read(&model, "byStatus", json!({"status": "open", "from": "2026"})), 2);
    let create =
        write::create(&model, entity, fields(json!({"name": "a", "value": "b", "date": "c"})), &moment());
    assert_eq!(check(&requests::of_writes(&model.table, "Words", &create.unwrap())), 1);
    let path = |name: &str| Path::from(&Name::from(name));
    let changes = vec![
        (path("status"), Change::Set("open".into())),
        (path("size"), Change::Add(1.into())),
        (path("comment"), Change::Remove),
        (path("items"), Change::Append(vec!["x".into()])),
        (path("roles"), Change::DeleteMembers(hansang_core::Value::L(vec!["x".into()]))),
    ];
    let update =
        Update { key: fields(json!({"name": "a", "value": "b"})), changes, expected_version: Some(1) };
    let planned = write::update(&model, entity, update, Current::Unknown, &moment()).unwrap();
    let Planned::Ready(writes) = planned else { panic!("nothing has to be read first") };
    assert_eq!(check(&requests::of_writes(&model.table, "Words", &writes)), 2);
}
