//! Differences between two versions of a model, and their migrations.

use expect_test::{Expect, expect};
use hansang_core::diff::{Difference, Severity, diff, render, worst};

use crate::model;

mod attributes;
mod entities;
mod indexes;
mod kinds;
mod patterns;
mod stored;
mod table;

const SHOP: &str = r#"
model: shop
version: 1.0.0
table:
  name: Shop
  key: { pk: PK, sk: SK }
  type: Type
  created: CreatedAt
  ttl: { attribute: expiresAt, enabled: false }
  indexes:
    GSI1: { pk: GSI1PK, sk: GSI1SK }
    Type_CreatedAt: { pk: Type, sk: CreatedAt }
entities:
  Order:
    key: { PK: "CUSTOMER#{customer}", SK: "ORDER#{placedAt}#{number:06}" }
    index:
      GSI1: { GSI1PK: "STATUS#{status}", GSI1SK: "{placedAt}#{number:06}" }
    attributes:
      customer: string
      placedAt: timestamp
      number: { type: integer, min: 0, max: 999999 }
      status: { lifecycle: { OPEN: [PAID, CANCELLED], PAID: [SHIPPED], CANCELLED: [], SHIPPED: [] } }
      total: { type: number, min: 0 }
      note: { type: string?, length: [0, 200] }
      channel: { enum: [web, shop], default: web }
      label: { template: "{number:06}" }
      expiresAt: integer?
  Customer:
    key: { PK: "CUSTOMER#{customer}", SK: META }
    attributes:
      customer: string
      email: email
      name: { type: string, length: [1, 80] }
      code: { type: string, generated: ulid }
    unique:
      email: [email]
patterns:
  customer: { entity: Customer, given: [customer] }
  customerByEmail: { entity: Customer, unique: email }
  orders: { entity: Order, given: [customer], order: newest }
  ordersByStatus: { entity: Order, index: GSI1, given: [status], range: placedAt }
  newest: { entity: Order, index: Type_CreatedAt, order: newest }
"#;

/// The shop with some of its text replaced.
fn shop(edits: &[(&str, &str)]) -> String {
    edits.iter().fold(SHOP.to_owned(), |source, (from, to)| {
        assert!(source.contains(from), "the shop has no {from}");
        source.replace(from, to)
    })
}

fn check(old: &str, new: &str, differences: Expect) {
    let found = diff(&model(old), &model(new));
    let lines =
        found.iter().map(|Difference { location, what, need }| format!("{location}: {what}\n    {need}\n"));
    differences.assert_eq(&lines.collect::<String>());
}

#[test]
fn identical_models_have_no_difference() {
    check(SHOP, SHOP, expect![[r#""#]]);
    assert_eq!(worst(&[]), Severity::Nothing);
    expect![[r#"
        The two versions mean the same: nothing to do.
    "#]]
    .assert_eq(&render(&[]));
}

#[test]
fn words_for_people_and_the_order_of_the_file_are_not_compared() {
    let new = shop(&[
        ("  Customer:\n", "  Customer:\n    doc: Who buys.\n"),
        ("enum: [web, shop]", "enum: [shop, web]"),
        (
            "    GSI1: { pk: GSI1PK, sk: GSI1SK }\n    Type_CreatedAt: { pk: Type, sk: CreatedAt }\n",
            "    Type_CreatedAt: { pk: Type, sk: CreatedAt }\n    GSI1: { pk: GSI1PK, sk: GSI1SK }\n",
        ),
    ]);
    check(SHOP, &new, expect![[r#""#]]);
}

/// The output of the command line.
#[test]
fn differences_are_shown_in_groups_with_what_to_do() {
    let new = shop(&[
        ("ORDER#{placedAt}", "O#{placedAt}"),
        ("{ pk: Type, sk: CreatedAt }", "{ pk: Type, sk: CreatedAt, project: keys }"),
        ("GSI1PK: \"STATUS#{status}\"", "GSI1PK: \"ORDERS#{status}\""),
        ("length: [1, 80]", "length: [1, 60]"),
        ("  orders:", "  ordersOfCustomer:"),
        ("      email: email\n", "      email: email\n      phone: string?\n"),
    ]);
    let differences = diff(&model(SHOP), &model(&new));
    assert_eq!(worst(&differences), Severity::Rebuild);
    let severities: Vec<Severity> = differences.iter().map(|difference| difference.need.severity()).collect();
    assert!(severities.is_sorted_by(|a, b| a >= b), "{severities:?}");
    expect![[r#"
        Rebuild (1): copy these items to their new keys, switch over, then delete the old ones
          Order.SK: The template is now `O#{placedAt}#{number:06}`; it was `ORDER#{placedAt}#{number:06}`.
            → Order: An item cannot change its key: each has to be written under the new one, and the old one deleted.

        Reindex (1): make these indexes anew
          index Type_CreatedAt: It now carries the keys only; it was all attributes.
            → An index is never changed in place. Add one under a new name, let it fill, move the patterns, then remove this one.

        Breaking (1): change the callers together with the model
          pattern ordersOfCustomer: The pattern was called `orders`.
            → Callers use the old name.

        Check (1): verify the stored items before the new model is used
          Customer.name: The greatest length is now 60; it was 80.
            → Customer: A stored value may break the rule.

        Backfill (1): run `hansang table backfill` with the new model
          Order.GSI1PK: The template is now `ORDERS#{status}`; it was `STATUS#{status}`.
            → Order: Stored items have the old key in `GSI1` until then.

        Safe (1): nothing to do
          Customer.phone: The attribute is new and optional.
    "#]].assert_eq(&render(&differences));
}

/// Reading the models of the repository against themselves finds nothing.
#[test]
fn every_model_is_the_same_as_itself() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        assert_eq!(diff(&model(&source), &model(&source)), [], "{}", path.display());
    }
}
