//! Plans of access patterns.

use expect_test::{Expect, expect};
use hansang_core::plan::Step;
use hansang_core::read::{self, ReadOptions};
use hansang_core::{Code, CoreCode, ErrorKind, Model, request};
use serde_json::{Value as Json, json};

use crate::{fields, model, show};

const SHOP: &str = r##"
model: shop
table:
  name: Shop
  key: { pk: PK, sk: SK }
  timestamps: millis
  created: createdAt
  indexes:
    GSI1: { pk: GSI1PK, sk: GSI1SK }
    byScore: { pk: region, sk: score }
    month-index: { pk: month, sk: PK }
entities:
  Customer:
    key: { PK: "CUSTOMER#{customerId}", SK: PROFILE }
    attributes: { customerId: string, email: email, region: string, score: integer }
    unique: { email: [email] }
  Order:
    key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}" }
    index:
      GSI1: { GSI1PK: "STATUS#{status}", GSI1SK: "AT#{placedAt}#{orderId}" }
    attributes:
      customerId: string
      orderId: ulid
      status: { enum: [OPEN, PAID] }
      placedAt: timestamp?
  Line:
    key: { PK: "ORDER#{orderId}", SK: "LINE#{number:04}" }
    attributes: { orderId: ulid, number: integer, sku: string }
  Total:
    key: { PK: "TOTAL#{month}", SK: "{region}" }
    attributes: { month: { type: month, separator: "." }, region: string }
  Tax:
    key: { PK: "TAX#{month}", SK: RATE }
    attributes: { month: { type: month, separator: "." }, rate: number }
patterns:
  customer: { entity: Customer, given: [customerId], consistent: true }
  customerByEmail: { entity: Customer, unique: email }
  customerWithOrders: { entities: [Customer, Order], given: [customerId] }
  orders: { entity: Order, given: [customerId], order: newest, page: 20 }
  ordersByStatus: { entity: Order, index: GSI1, given: [status], range: placedAt }
  ordersOfAnyStatus: { entity: Order, index: GSI1, over: status }
  lines: { entity: Line, given: [orderId], range: number }
  ranking: { entity: Customer, index: byScore, given: [region], range: score, order: descending }
  scored: { entity: Customer, index: byScore, given: [region, score] }
  totals: { entity: Total, over: month, max: 24 }
  months: { entities: [Total, Tax], index: month-index, over: month, max: 24, order: newest }
  monthReport: { entities: [Total, Tax], given: [month] }
"##;

fn steps(
    model: &Model,
    pattern: &str,
    arguments: Json,
    options: &ReadOptions,
) -> Result<Vec<Step>, hansang_core::Error> {
    let pattern = model.pattern(pattern).unwrap();
    let arguments = read::arguments(pattern, fields(arguments))?;
    Ok(read::plan(model, pattern, &arguments, options)?.steps)
}

fn check(pattern: &str, arguments: Json, expect: Expect) {
    let model = model(SHOP);
    let steps = steps(&model, pattern, arguments, &ReadOptions::default()).unwrap();
    let shown: String =
        steps.iter().map(|step| show(&request::of_step(&model.table, "Shop", step))).collect();
    expect.assert_eq(&shown);
}

#[test]
fn a_whole_key_is_a_get() {
    check(
        "customer",
        json!({"customerId": "c1"}),
        expect![[r#"
            GetItem {
              "TableName": "Shop",
              "Key": { "PK": { "S": "CUSTOMER#c1" }, "SK": { "S": "PROFILE" } },
              "ConsistentRead": true
            }
        "#]],
    );
}

#[test]
fn a_unique_constraint_is_read_through_its_pointer() {
    check(
        "customerByEmail",
        json!({"email": "a#b@example.com"}),
        expect![[r#"
            GetItem {
              "TableName": "Shop",
              "Key": { "PK": { "S": "UNIQUE#Customer#email#a%23b@example.com" }, "SK": { "S": "UNIQUE" } }
            }
        "#]],
    );
}

#[test]
fn entities_of_one_partition_come_in_one_query() {
    check(
        "customerWithOrders",
        json!({"customerId": "c1"}),
        expect![[r##"
            Query {
              "TableName": "Shop",
              "KeyConditionExpression": "#PK = :pk",
              "ExpressionAttributeNames": { "#PK": "PK" },
              "ExpressionAttributeValues": { ":pk": { "S": "CUSTOMER#c1" } },
              "ScanIndexForward": true,
              "Limit": 50
            }
        "##]],
    );
}

#[test]
fn the_known_start_of_the_sort_key_narrows_a_query() {
    check(
        "orders",
        json!({"customerId": "c1"}),
        expect![[r##"
            Query {
              "TableName": "Shop",
              "KeyConditionExpression": "#PK = :pk AND begins_with(#SK, :prefix)",
              "ExpressionAttributeNames": { "#PK": "PK", "#SK": "SK" },
              "ExpressionAttributeValues": { ":pk": { "S": "CUSTOMER#c1" }, ":prefix": { "S": "ORDER#" } },
              "ScanIndexForward": false,
              "Limit": 20
            }
        "##]],
    );
}

#[test]
fn a_range_ends_behind_every_key_with_the_last_value() {
    let (from, to) = ("2026-01-01T00:00:00Z", "2026-01-31T23:59:59.999Z");
    check(
        "ordersByStatus",
        json!({"status": "OPEN", "from": from, "to": to}),
        expect![[r##"
            Query {
              "TableName": "Shop",
              "IndexName": "GSI1",
              "KeyConditionExpression": "#GSI1PK = :pk AND #GSI1SK BETWEEN :from AND :to",
              "ExpressionAttributeNames": { "#GSI1PK": "GSI1PK", "#GSI1SK": "GSI1SK" },
              "ExpressionAttributeValues": {
                ":from": { "S": "AT#2026-01-01T00:00:00.000Z" },
                ":pk": { "S": "STATUS#OPEN" },
                ":to": { "S": "AT#2026-01-31T23:59:59.999Z#\udbff\udfff" }
              },
              "ScanIndexForward": true,
              "Limit": 50
            }
        "##]],
    );
}

#[test]
fn a_range_can_be_open_at_either_end() {
    check(
        "ordersByStatus",
        json!({"status": "OPEN", "from": "2026-01-01T00:00:00Z"}),
        expect![[r##"
            Query {
              "TableName": "Shop",
              "IndexName": "GSI1",
              "KeyConditionExpression": "#GSI1PK = :pk AND #GSI1SK BETWEEN :from AND :to",
              "ExpressionAttributeNames": { "#GSI1PK": "GSI1PK", "#GSI1SK": "GSI1SK" },
              "ExpressionAttributeValues": {
                ":from": { "S": "AT#2026-01-01T00:00:00.000Z" },
                ":pk": { "S": "STATUS#OPEN" },
                ":to": { "S": "AT#\udbff\udfff" }
              },
              "ScanIndexForward": true,
              "Limit": 50
            }
        "##]],
    );
    check(
        "ordersByStatus",
        json!({"status": "OPEN", "to": "2026-01-01T00:00:00Z"}),
        expect![[r##"
            Query {
              "TableName": "Shop",
              "IndexName": "GSI1",
              "KeyConditionExpression": "#GSI1PK = :pk AND #GSI1SK BETWEEN :from AND :to",
              "ExpressionAttributeNames": { "#GSI1PK": "GSI1PK", "#GSI1SK": "GSI1SK" },
              "ExpressionAttributeValues": {
                ":from": { "S": "AT#" },
                ":pk": { "S": "STATUS#OPEN" },
                ":to": { "S": "AT#2026-01-01T00:00:00.000Z#\udbff\udfff" }
              },
              "ScanIndexForward": true,
              "Limit": 50
            }
        "##]],
    );
    check(
        "ordersByStatus",
        json!({"status": "OPEN"}),
        expect![[r##"
            Query {
              "TableName": "Shop",
              "IndexName": "GSI1",
              "KeyConditionExpression": "#GSI1PK = :pk AND begins_with(#GSI1SK, :prefix)",
              "ExpressionAttributeNames": { "#GSI1PK": "GSI1PK", "#GSI1SK": "GSI1SK" },
              "ExpressionAttributeValues": { ":pk": { "S": "STATUS#OPEN" }, ":prefix": { "S": "AT#" } },
              "ScanIndexForward": true,
              "Limit": 50
            }
        "##]],
    );
}

#[test]
fn padded_numbers_are_ranges_of_text_and_index_numbers_of_numbers() {
    check(
        "lines",
        json!({"orderId": "01JD3Q0V8B5X9K2M4N6P7R8S9T", "from": 2, "to": 10}),
        expect![[r##"
            Query {
              "TableName": "Shop",
              "KeyConditionExpression": "#PK = :pk AND #SK BETWEEN :from AND :to",
              "ExpressionAttributeNames": { "#PK": "PK", "#SK": "SK" },
              "ExpressionAttributeValues": {
                ":from": { "S": "LINE#0002" },
                ":pk": { "S": "ORDER#01JD3Q0V8B5X9K2M4N6P7R8S9T" },
                ":to": { "S": "LINE#0010" }
              },
              "ScanIndexForward": true,
              "Limit": 50
            }
        "##]],
    );
    check(
        "ranking",
        json!({"region": "KR", "from": 100}),
        expect![[r##"
            Query {
              "TableName": "Shop",
              "IndexName": "byScore",
              "KeyConditionExpression": "#region = :pk AND #score >= :from",
              "ExpressionAttributeNames": { "#region": "region", "#score": "score" },
              "ExpressionAttributeValues": { ":from": { "N": "100" }, ":pk": { "S": "KR" } },
              "ScanIndexForward": false,
              "Limit": 50
            }
        "##]],
    );
    check(
        "scored",
        json!({"region": "KR", "score": 100}),
        expect![[r##"
            Query {
              "TableName": "Shop",
              "IndexName": "byScore",
              "KeyConditionExpression": "#region = :pk AND #score = :sk",
              "ExpressionAttributeNames": { "#region": "region", "#score": "score" },
              "ExpressionAttributeValues": { ":pk": { "S": "KR" }, ":sk": { "N": "100" } },
              "ScanIndexForward": true,
              "Limit": 50
            }
        "##]],
    );
}

/// A period is one query a month, merged in order.
#[test]
fn a_period_is_one_read_a_month() {
    check(
        "totals",
        json!({"from": "2025.12", "to": "2026.01"}),
        expect![[r##"
            Query {
              "TableName": "Shop",
              "KeyConditionExpression": "#PK = :pk",
              "ExpressionAttributeNames": { "#PK": "PK" },
              "ExpressionAttributeValues": { ":pk": { "S": "TOTAL#2025.12" } },
              "ScanIndexForward": true,
              "Limit": 50
            }
            Query {
              "TableName": "Shop",
              "KeyConditionExpression": "#PK = :pk",
              "ExpressionAttributeNames": { "#PK": "PK" },
              "ExpressionAttributeValues": { ":pk": { "S": "TOTAL#2026.01" } },
              "ScanIndexForward": true,
              "Limit": 50
            }
        "##]],
    );
    let model = model(SHOP);
    let arguments = json!({"from": "2025.11", "to": "2026.02"});
    let steps = steps(&model, "months", arguments, &ReadOptions::default()).unwrap();
    let months: Vec<String> = steps
        .iter()
        .map(|step| match step {
            Step::Query(query) => format!("{:?} {}", query.pk.1, query.descending),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        months,
        [r#"S("2026.02") true"#, r#"S("2026.01") true"#, r#"S("2025.12") true"#, r#"S("2025.11") true"#]
    );
}

/// Ls3: `PK = a OR PK = b` is two reads.
#[test]
fn entities_of_several_partitions_are_one_read_each() {
    check(
        "monthReport",
        json!({"month": "2026.01"}),
        expect![[r##"
            Query {
              "TableName": "Shop",
              "KeyConditionExpression": "#PK = :pk",
              "ExpressionAttributeNames": { "#PK": "PK" },
              "ExpressionAttributeValues": { ":pk": { "S": "TOTAL#2026.01" } },
              "ScanIndexForward": true,
              "Limit": 50
            }
            GetItem {
              "TableName": "Shop",
              "Key": { "PK": { "S": "TAX#2026.01" }, "SK": { "S": "RATE" } }
            }
        "##]],
    );
}

#[test]
fn a_closed_list_is_fanned_out_without_arguments() {
    let steps = steps(&model(SHOP), "ordersOfAnyStatus", json!({}), &ReadOptions::default()).unwrap();
    assert_eq!(steps.len(), 2);
}

#[test]
fn options_change_page_order_consistency_and_fields() {
    let model = model(SHOP);
    let options = ReadOptions {
        limit: Some(3),
        descending: Some(false),
        consistent: Some(true),
        fields: Some(vec!["status".into()]),
        position: None,
    };
    let steps = steps(&model, "orders", json!({"customerId": "c1"}), &options).unwrap();
    expect![[r##"
        Query {
          "TableName": "Shop",
          "KeyConditionExpression": "#PK = :pk AND begins_with(#SK, :prefix)",
          "ProjectionExpression": "#PK, #SK, #status",
          "ExpressionAttributeNames": { "#PK": "PK", "#SK": "SK", "#status": "status" },
          "ExpressionAttributeValues": { ":pk": { "S": "CUSTOMER#c1" }, ":prefix": { "S": "ORDER#" } },
          "ScanIndexForward": true,
          "Limit": 3,
          "ConsistentRead": true
        }
    "##]]
    .assert_eq(&show(&request::of_step(&model.table, "Shop", &steps[0])));
}

fn refused(pattern: &str, arguments: Json, options: &ReadOptions) -> (ErrorKind, Code, String) {
    let error = steps(&model(SHOP), pattern, arguments, options).unwrap_err();
    (error.kind, error.code, error.message.to_string())
}

#[test]
fn wrong_arguments_are_all_named() {
    let (_, code, message) =
        refused("ordersByStatus", json!({"status": "LOST", "form": "x"}), &ReadOptions::default());
    assert_eq!(code, CoreCode::InvalidFields);
    expect!["`status` must be one of OPEN, PAID; `form` is not an argument of `ordersByStatus`"]
        .assert_eq(&message);
    let (_, _, message) = refused("orders", json!({}), &ReadOptions::default());
    assert_eq!(message, "`customerId` is required");
}

/// Es13, Ls17: a `#` in a value never reaches a key.
#[test]
fn an_argument_cannot_leave_its_segment_of_the_key() {
    for value in ["a#b", "", "a\u{0}", "a\n", "\u{10FFFF}"] {
        let (kind, code, message) = refused("orders", json!({"customerId": value}), &ReadOptions::default());
        assert_eq!((kind, code), (ErrorKind::Invalid, CoreCode::InvalidFields.into()));
        assert!(message.contains("is part of a key and must not"), "{message}");
    }
}

/// Ls2: the range of a fan-out has a limit.
#[test]
fn ranges_that_are_wrong_say_so() {
    let default = ReadOptions::default();
    let both = |from: &str, to: &str| json!({"from": from, "to": to});
    assert_eq!(refused("totals", both("2026.02", "2026.01"), &default).1, CoreCode::InvalidRange);
    assert_eq!(refused("totals", both("2020.01", "2022.01"), &default).1, CoreCode::RangeTooLong);
    assert!(steps(&model(SHOP), "totals", both("2020.01", "2021.12"), &default).is_ok());
    let backwards = json!({"orderId": "01JD3Q0V8B5X9K2M4N6P7R8S9T", "from": 10, "to": 2});
    assert_eq!(refused("lines", backwards, &default).1, CoreCode::InvalidRange);
    assert_eq!(
        refused("ranking", json!({"region": "KR", "from": 2, "to": 1}), &default).1,
        CoreCode::InvalidRange
    );
    let wide = json!({"orderId": "01JD3Q0V8B5X9K2M4N6P7R8S9T", "from": 10_000});
    assert_eq!(refused("lines", wide, &default).1, CoreCode::InvalidFields);
}

/// C34, C35: strong reads on request, rejected on an index.
#[test]
fn strong_reads_are_on_request_and_not_on_an_index() {
    let model = model(SHOP);
    let strong = ReadOptions { consistent: Some(true), ..ReadOptions::default() };
    let consistent =
        |options: &ReadOptions| match &steps(&model, "orders", json!({"customerId": "c"}), options).unwrap()
            [0]
        {
            Step::Query(query) => query.consistent,
            other => panic!("{other:?}"),
        };
    assert!(!consistent(&ReadOptions::default()));
    assert!(consistent(&strong));
    let (kind, code, _) = refused("ordersByStatus", json!({"status": "OPEN"}), &strong);
    assert_eq!((kind, code), (ErrorKind::Invalid, CoreCode::NoStrongReadOnIndex.into()));
}

#[test]
fn page_sizes_and_fields_have_bounds() {
    let page = |limit| ReadOptions { limit: Some(limit), ..ReadOptions::default() };
    for limit in [0, 1001] {
        assert_eq!(refused("orders", json!({"customerId": "c"}), &page(limit)).1, CoreCode::InvalidPageSize);
    }
    let unknown = ReadOptions { fields: Some(vec!["stauts".into()]), ..ReadOptions::default() };
    assert_eq!(refused("orders", json!({"customerId": "c"}), &unknown).1, CoreCode::InvalidFields);
}
