//! Mistakes in model files, and the text of their diagnostics.

use expect_test::Expect;
use hansang_core::diagnostic::render;
use hansang_core::{Diagnostic, compile};

mod attributes;
mod content;
mod indexes;
mod keys;
mod lifecycles;
mod patterns;
mod reads;
mod rules;
mod slips;
mod syntax;
mod table;
mod together;

/// A model without a mistake, for the tests to make one in.
const SHOP: &str = r#"model: shop
table:
  name: Shop
  key: { pk: PK, sk: SK }
  indexes:
    GSI1: { pk: GSI1PK, sk: GSI1SK }
entities:
  Order:
    key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}" }
    index:
      GSI1: { GSI1PK: "STATUS#{status}", GSI1SK: "{placedAt}" }
    attributes:
      customerId: string
      orderId: ulid
      status: { enum: [open, paid] }
      placedAt: timestamp
      total: integer
patterns:
  ordersOfCustomer: { entity: Order, given: [customerId] }
  ordersByStatus: { entity: Order, index: GSI1, given: [status], range: placedAt }
"#;

/// Compiles a model and compares the diagnostics.
fn check(model: &str, expect: Expect) {
    expect.assert_eq(&render("model.yaml", model, &problems(model)));
}

/// Makes one change in [`SHOP`] and compares the diagnostics.
fn change(from: &str, to: &str, expect: Expect) {
    check(&changed(SHOP, from, to), expect);
}

fn changed(model: &str, from: &str, to: &str) -> String {
    assert_eq!(model.matches(from).count(), 1, "`{from}` is not exactly once in the model");
    model.replace(from, to)
}

fn problems(model: &str) -> Vec<Diagnostic> {
    compile(model.as_bytes()).err().unwrap_or_default()
}

#[test]
fn the_model_of_these_tests_compiles() {
    assert_eq!(problems(SHOP), []);
}
