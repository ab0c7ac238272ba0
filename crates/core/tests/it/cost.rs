//! The costs of reads on DynamoDB.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use hansang_core::read::{self, ReadOptions};
use hansang_core::value::{Item, Name, Value, item_size};
use hansang_core::{Pattern, cost};

use crate::model;

const SHOP: &str = r#"
model: shop
table:
  name: Shop
  key: { pk: PK, sk: SK }
  indexes:
    GSI1: { pk: GSI1PK, sk: GSI1SK }
    KEYS: { pk: GSI1PK, sk: SK, project: keys }
    SOME: { pk: kind, sk: SK, project: [title] }
entities:
  Order:
    key: { PK: "C#{customer}", SK: "O#{month}#{number:06}" }
    index:
      GSI1: { GSI1PK: "K#{kind}", GSI1SK: "{month}" }
    attributes:
      customer: { type: ulid, stored: false }
      month: month
      number: { type: integer, max: 999999 }
      kind: { enum: [ab, abcd] }
      title: { type: string, length: [0, 100] }
      text: { type: markdown, length: [0, 10000] }
  Customer:
    key: { PK: "C#{customer}", SK: META }
    attributes: { customer: ulid, email: email }
    unique: { email: [email] }
  Gift:
    key: { PK: "G#{customer}", SK: "G#{number:06}" }
    attributes: { customer: ulid, number: integer }
  Voucher:
    key: { PK: "V#{customer}", SK: META }
    attributes: { customer: ulid }
patterns:
  order: { entity: Order, given: [customer, month, number] }
  customer: { entity: Customer, given: [customer] }
  orders: { entity: Order, given: [customer] }
  both: { entities: [Customer, Order], given: [customer], page: 1 }
  months: { entity: Order, given: [customer], over: month, max: 24 }
  byKind: { entity: Order, index: GSI1, given: [kind] }
  keysByKind: { entity: Order, index: KEYS, given: [kind] }
  someByKind: { entity: Order, index: SOME, given: [kind] }
  everything: { entities: [Order, Gift, Voucher], given: [customer] }
  byEmail: { entity: Customer, unique: email }
"#;

const STRONG: bool = true;
const EVENTUAL: bool = false;

/// Arguments for any pattern of the shop; a fan-out runs from the start of 2025 to here.
fn arguments(pattern: &Pattern, to: &str) -> Item {
    let mut all: Item = [
        ("customer", "01JD3Q0V8B5X9K2M4N6P7R8S9T"),
        ("month", "2025-01"),
        ("kind", "ab"),
        ("email", "a@b.kr"),
        ("from", "2025-01"),
        ("to", to),
    ]
    .map(|(name, value)| (Name::from(name), Value::from(value)))
    .into();
    all.insert("number".into(), 7.into());
    let wanted = read::parameters(pattern);
    let given = all.into_iter().filter(|(name, _)| wanted.iter().any(|one| *one.name == **name)).collect();
    read::arguments(pattern, given).expect("arguments that fit")
}

fn explain(pattern: &str, consistent: bool, item_size: Option<usize>) -> String {
    let model = model(SHOP);
    let pattern = model.pattern(pattern).expect("a pattern of the shop");
    let arguments = arguments(pattern, "2025-12");
    let options = ReadOptions { consistent: consistent.then_some(true), ..ReadOptions::default() };
    let plan = read::plan(&model, pattern, &arguments, &options).expect("a plan");
    let cost = cost::read_units(&model, &plan, item_size);
    assert!(cost.explanation().ends_with(&format!("= {cost}")), "{cost:?}");
    cost.explanation()
}

fn check(reads: &[(&str, bool, Option<usize>)], explanations: Expect) {
    let lines = reads.iter().map(|(pattern, consistent, size)| explain(pattern, *consistent, *size));
    explanations.assert_eq(&lines.map(|line| line + "\n").collect::<String>());
}

/// C34, C35: an eventually consistent read costs half of a strongly consistent one.
#[test]
fn a_get_is_rounded_up_to_four_kilobytes() {
    check(
        &[
            ("order", EVENTUAL, Some(1)),
            ("order", EVENTUAL, Some(4096)),
            ("order", EVENTUAL, Some(4097)),
            ("order", STRONG, Some(4097)),
            ("order", STRONG, Some(0)),
            ("order", EVENTUAL, None),
            ("customer", EVENTUAL, None),
        ],
        expect![[r#"
            Get: 1 item × 1 byte → 1 × 4 KB × ½ (eventually consistent) = 0.5 read units
            Get: 1 item × 4096 bytes → 1 × 4 KB × ½ (eventually consistent) = 0.5 read units
            Get: 1 item × 4097 bytes → 2 × 4 KB × ½ (eventually consistent) = 1 read unit
            Get: 1 item × 4097 bytes → 2 × 4 KB × 1 (strongly consistent) = 2 read units
            Get: 1 item × 0 bytes → 1 × 4 KB × 1 (strongly consistent) = 1 read unit
            Get: 1 item × 1169 bytes → 1 × 4 KB × ½ (eventually consistent) = 0.5 read units
            Get: 1 item × 99 bytes → 1 × 4 KB × ½ (eventually consistent) = 0.5 read units
        "#]],
    );
}

#[test]
fn a_query_is_rounded_up_once_for_all_its_items() {
    check(
        &[("orders", EVENTUAL, Some(412)), ("orders", STRONG, Some(412)), ("both", EVENTUAL, None)],
        expect![[r#"
            Query: 50 items × 412 bytes = 20.1 KB → 6 × 4 KB × ½ (eventually consistent) = 3 read units
            Query: 50 items × 412 bytes = 20.1 KB → 6 × 4 KB × 1 (strongly consistent) = 6 read units
            Query: 1 item × 1169 bytes = 1.1 KB → 1 × 4 KB × ½ (eventually consistent) = 0.5 read units
        "#]],
    );
}

#[test]
fn a_page_of_large_items_takes_several_responses() {
    check(
        &[("orders", STRONG, Some(100_000))],
        expect![[r#"
        Query: 50 items × 100000 bytes = 4.8 MB in 5 responses → 1225 × 4 KB × 1 (strongly consistent) = 1225 read units
    "#]],
    );
}

#[test]
fn an_index_that_carries_less_costs_less() {
    check(
        &[("byKind", EVENTUAL, None), ("someByKind", EVENTUAL, None), ("keysByKind", EVENTUAL, None)],
        expect![[r#"
            Query: 50 items × 1169 bytes = 57.1 KB → 15 × 4 KB × ½ (eventually consistent) = 7.5 read units
            Query: 50 items × 84 bytes = 4.1 KB → 2 × 4 KB × ½ (eventually consistent) = 1 read unit
            Query: 50 items × 59 bytes = 2.9 KB → 1 × 4 KB × ½ (eventually consistent) = 0.5 read units
        "#]],
    );
}

#[test]
fn a_lookup_is_two_gets() {
    check(
        &[("byEmail", EVENTUAL, None), ("byEmail", STRONG, Some(5000))],
        expect![[r#"
        Lookup: pointer + 1 item × 99 bytes → 2 × 4 KB × ½ (eventually consistent) = 1 read unit
        Lookup: pointer + 1 item × 5000 bytes → 3 × 4 KB × 1 (strongly consistent) = 3 read units
    "#]],
    );
}

#[test]
fn a_fan_out_is_the_sum_of_its_steps() {
    check(
        &[("months", EVENTUAL, Some(412)), ("everything", STRONG, Some(412))],
        expect![[r#"
        12 × (Query: 50 items × 412 bytes = 20.1 KB → 6 × 4 KB × ½ (eventually consistent)) = 36 read units
        2 × (Query: 50 items × 412 bytes = 20.1 KB → 6 × 4 KB × 1 (strongly consistent)) + (Get: 1 item × 412 bytes → 1 × 4 KB × 1 (strongly consistent)) = 13 read units
    "#]],
    );
}

fn size(attributes: &str, size: Expect) {
    let source = format!(
        "model: one\ntable: {{ name: One, key: {{ pk: PK, sk: SK }} }}\n\
         entities: {{ One: {{ key: {{ PK: K, SK: K }}, attributes: {attributes} }} }}\n"
    );
    let model = model(&source);
    // Without `PK`, `SK` and their values.
    size.assert_eq(&(cost::typical_size(&model.entities[0]) - 6).to_string());
}

#[test]
fn the_size_of_an_item_follows_from_names_types_and_rules() {
    size("{ a: string }", expect!["25"]);
    size("{ abcdef: string }", expect!["30"]);
    size("{ a: { type: string, length: [10, 20] } }", expect!["21"]);
    size("{ a: { type: string, length: 64 } }", expect!["65"]);
    size("{ a: { type: string, length: [0, 300000] } }", expect!["1025"]);
    size("{ a: { type: string, generated: ulid, length: [1, 64] } }", expect!["27"]);
    size("{ a: integer }", expect!["6"]);
    size("{ a: { type: integer, max: 1000000 } }", expect!["6"]);
    size("{ a: bool, b: timestamp, c: month, d: uuid, e: semver }", expect!["75"]);
    size("{ a: { enum: [x, xyz] } }", expect!["3"]);
    size("{ a: { list: bool } }", expect!["12"]);
    size("{ a: { list: bool, length: [0, 20] } }", expect!["12"]);
    size("{ a: { map: bool } }", expect!["60"]);
    size("{ a: { set: number } }", expect!["21"]);
    size("{ a: { type: binary, length: 300000 } }", expect!["300001"]);
    size("{ a: { type: binary, length: 900000 } }", expect!["409594"]);
}

/// The estimate is of the order of the largest item that the documents give as an example of each entity.
#[test]
fn the_sizes_of_the_content_model_are_likely() {
    let model = model(include_str!("../../../../models/content.yaml"));
    let examples: serde_json::Value =
        serde_json::from_str(include_str!("../fixtures/items/content.json")).unwrap();
    let mut sizes = BTreeMap::new();
    for example in examples.as_array().unwrap() {
        let item = hansang_core::value::json::item_from_plain(&example["item"]).unwrap();
        let size = sizes.entry(example["entity"].as_str().unwrap()).or_insert(0);
        *size = item_size(&item).max(*size);
    }
    for (name, size) in sizes {
        let typical = cost::typical_size(model.entity(name).unwrap());
        assert!((size..10 * size).contains(&typical), "{name}: {size}, estimated as {typical}");
    }
}

/// The maximum cost of a pattern is the cost of its longest plan.
#[test]
fn a_pattern_costs_what_its_plan_costs() {
    let model = model(SHOP);
    for pattern in &model.patterns {
        let arguments = arguments(pattern, "2026-12");
        let plan = read::plan(&model, pattern, &arguments, &ReadOptions::default()).unwrap();
        assert_eq!(
            cost::of_pattern(&model, pattern),
            cost::read_units(&model, &plan, None),
            "{}",
            pattern.name
        );
    }
}
