//! Mistakes in the model itself and its table.

use expect_test::expect;

use super::{SHOP, change, check};

#[test]
fn a_misspelt_section_is_still_read() {
    change(
        "entities:",
        "entites:",
        expect![[r#"
        error[HS0008]: `entites` is not a field of the model
          --> model.yaml:7:1
           |
         7 | entites:
           | ^^^^^^^
           = help: did you mean `entities`?

    "#]],
    );
}

#[test]
fn the_words_of_dynamodb() {
    change(
        "{ pk: PK, sk: SK }",
        "{ hashKey: PK, rangeKey: SK }",
        expect![[r#"
        error[HS0008]: `hashKey` is not a field of the table's key
          --> model.yaml:4:10
           |
         4 |   key: { hashKey: PK, rangeKey: SK }
           |          ^^^^^^^
           = help: did you mean `pk`?

        error[HS0008]: `rangeKey` is not a field of the table's key
          --> model.yaml:4:23
           |
         4 |   key: { hashKey: PK, rangeKey: SK }
           |                       ^^^^^^^^
           = help: did you mean `sk`?

    "#]],
    );
}

#[test]
fn a_table_without_a_key() {
    change(
        "  key: { pk: PK, sk: SK }\n",
        "",
        expect![[r#"
        error[HS0009]: the table has no `key`
          --> model.yaml:2:1
           |
         2 | table:
           | ^^^^^
           = help: write `key: { pk: PK, sk: SK }`

    "#]],
    );
}

#[test]
fn a_model_without_a_table() {
    check(
        "model: shop\nentities:\n  Order:\n    key: { PK: a, SK: b }\n",
        expect![[r#"
        error[HS0009]: the model has no `table`
          --> model.yaml:1:1
           |
         1 | model: shop
           | ^
           = help: write `table:` with `name`, `key` and `indexes`

    "#]],
    );
}

#[test]
fn names_are_repaired() {
    change(
        "model: shop",
        "model: My Shop",
        expect![[r#"
        error[HS0011]: `My Shop` cannot be the name of a model
          --> model.yaml:1:8
           |
         1 | model: My Shop
           |        ^^^^^^^
           = help: write `my-shop`: use lower-case letters, digits and hyphens, at most 40

    "#]],
    );
    check(
        &SHOP.replace("Order", "order_item"),
        expect![[r#"
            error[HS0011]: `order_item` cannot be the name of an entity
              --> model.yaml:8:3
               |
             8 |   order_item:
               |   ^^^^^^^^^^
               = help: write `OrderItem`: start with a capital and use letters and digits, at most 60

        "#]],
    );
    change(
        "ordersOfCustomer:",
        "Orders-of-customer:",
        expect![[r#"
        error[HS0011]: `Orders-of-customer` cannot be the name of a pattern
           --> model.yaml:19:3
            |
         19 |   Orders-of-customer: { entity: Order, given: [customerId] }
            |   ^^^^^^^^^^^^^^^^^^
            = help: write `ordersOfCustomer`: start with a small letter and use letters and digits, at most 60

    "#]],
    );
}

#[test]
fn names_that_cannot_be_repaired() {
    change(
        "name: Shop",
        "name: Go",
        expect![[r#"
        error[HS0011]: `Go` cannot be the name of a table
          --> model.yaml:3:9
           |
         3 |   name: Go
           |         ^^
           = help: use 3 to 200 letters, digits, `_`, `.`, `-`, and `{env}` if you like

    "#]],
    );
    change(
        "      total: integer",
        r#"      "": integer"#,
        expect![[r#"
        error[HS0010]: a key must be a name
           --> model.yaml:17:7
            |
         17 |       "": integer
            |       ^^
            = help: write `name: value`; text that starts with `{`, `[` or `?` needs quotes

    "#]],
    );
}

#[test]
fn a_delimiter_of_two_characters() {
    change(
        "  key: { pk",
        "  delimiter: \"::\"\n  key: { pk",
        expect![[r#"
            error[HS0012]: `::` cannot be the delimiter
              --> model.yaml:4:14
               |
             4 |   delimiter: "::"
               |              ^^^^
               = help: use one character such as `#`, `|` or `/`

        "#]],
    );
}

#[test]
fn one_attribute_with_two_jobs() {
    change(
        "  name: Shop",
        "  name: Shop\n  type: PK\n  created: At\n  updated: At",
        expect![[r#"
        error[HS0014]: `PK` is the partition key already and cannot be `type` too
          --> model.yaml:4:9
           |
         4 |   type: PK
           |         ^^
           = help: give each its own attribute name

        error[HS0014]: `At` is `created` already and cannot be `updated` too
          --> model.yaml:6:12
           |
         6 |   updated: At
           |            ^^
           = help: give each its own attribute name

    "#]],
    );
    change(
        "sk: GSI1SK }",
        "sk: GSI1PK }",
        expect![[r#"
            error[HS0014]: `GSI1PK` is both keys of the index `GSI1`
              --> model.yaml:6:29
               |
             6 |     GSI1: { pk: GSI1PK, sk: GSI1PK }
               |                             ^^^^^^
               = help: give the sort key another attribute, or leave `sk` out

        "#]],
    );
}

#[test]
fn a_ttl_that_no_entity_has() {
    change(
        "  name: Shop",
        "  name: Shop\n  ttl: { attribute: expiresAt }",
        expect![[r#"
        error[HS0027]: no entity has the TTL attribute `expiresAt`, so nothing would ever expire
          --> model.yaml:4:8
           |
         4 |   ttl: { attribute: expiresAt }
           |        ^^^^^^^^^^^^^^^^^^^^^^^^
           = help: add `expiresAt: integer?` to an entity, or remove `ttl`

    "#]],
    );
}

#[test]
fn a_ttl_that_is_not_a_number() {
    change(
        "  name: Shop",
        "  name: Shop\n  ttl: placedAt",
        expect![[r#"
        error[HS0027]: `placedAt` is the TTL attribute and must hold epoch seconds
           --> model.yaml:17:7
            |
         17 |       placedAt: timestamp
            |       ^^^^^^^^
            = help: write `placedAt: integer?`

    "#]],
    );
}

#[test]
fn an_index_that_is_broken_is_complained_about_once() {
    change(
        "GSI1: { pk: GSI1PK, sk: GSI1SK }",
        "GSI1: { sk: GSI1SK }",
        expect![[r#"
            error[HS0009]: the index `GSI1` has no `pk`
              --> model.yaml:6:11
               |
             6 |     GSI1: { sk: GSI1SK }
               |           ^^^^^^^^^^^^^^
               = help: write `{ pk: GSI1PK, sk: GSI1SK }`

        "#]],
    );
}

#[test]
fn a_projection() {
    change(
        "sk: GSI1SK }",
        "sk: GSI1SK, projection: KEYS_ONLY }",
        expect![[r#"
            error[HS0008]: `projection` is not a field of the index `GSI1`
              --> model.yaml:6:37
               |
             6 |     GSI1: { pk: GSI1PK, sk: GSI1SK, projection: KEYS_ONLY }
               |                                     ^^^^^^^^^^
               = help: did you mean `project`?

            error[HS0012]: `project` cannot be `KEYS_ONLY`
              --> model.yaml:6:49
               |
             6 |     GSI1: { pk: GSI1PK, sk: GSI1SK, projection: KEYS_ONLY }
               |                                                 ^^^^^^^^^
               = help: did you mean `keys`?

        "#]],
    );
    change(
        "sk: GSI1SK }",
        "sk: GSI1SK, project: [totl] }",
        expect![[r#"
        error[HS0031]: no entity has an attribute `totl`
          --> model.yaml:6:47
           |
         6 |     GSI1: { pk: GSI1PK, sk: GSI1SK, project: [totl] }
           |                                               ^^^^
           = help: did you mean `total`?

    "#]],
    );
    change(
        "sk: GSI1SK }",
        "sk: GSI1SK, project: [] }",
        expect![[r#"
            error[HS0021]: a projection cannot be empty
              --> model.yaml:6:46
               |
             6 |     GSI1: { pk: GSI1PK, sk: GSI1SK, project: [] }
               |                                              ^^
               = help: write `project: keys`, or name the attributes that are needed

        "#]],
    );
}

#[test]
fn a_schema_version_of_two_numbers() {
    change(
        "model: shop",
        "model: shop\nversion: 1.0",
        expect![[r#"
        error[HS0012]: `1.0` is not a version of the schema
          --> model.yaml:2:10
           |
         2 | version: 1.0
           |          ^^^
           = help: write three numbers, such as `version: 1.0.0`

    "#]],
    );
}

#[test]
fn yes_is_not_true() {
    change(
        "  name: Shop",
        "  name: Shop\n  streams: yes",
        expect![[r#"
            error[HS0010]: this must be `true` or `false`, not `yes`
              --> model.yaml:4:12
               |
             4 |   streams: yes
               |            ^^^
               = help: write `true`

        "#]],
    );
}

#[test]
fn a_section_that_is_empty() {
    change(
        "  ordersOfCustomer: { entity: Order, given: [customerId] }\n  ordersByStatus: { entity: Order, index: GSI1, given: [status], range: placedAt }\n",
        "",
        expect![[r#"
            error[HS0010]: `patterns` must be a map of names and values, not nothing
               --> model.yaml:18:1
                |
             18 | patterns:
                | ^^^^^^^^
                = help: write its fields below it, indented, each as `name: value`

        "#]],
    );
    change(
        "table:\n",
        "table: Shop\nx:\n",
        expect![[r#"
            error[HS0010]: the table must be a map of names and values, not `Shop`
              --> model.yaml:2:8
               |
             2 | table: Shop
               |        ^^^^
               = help: write its fields below it, indented, each as `name: value`

            error[HS0008]: `x` is not a field of the model
              --> model.yaml:3:1
               |
             3 | x:
               | ^
               = help: the model can have `model`, `version`, `title`, `doc`, `table`, `entities` and `patterns`

        "#]],
    );
}

#[test]
fn too_many_indexes() {
    let indexes: String = (2..=21).map(|n| format!("    GSI{n}: {{ pk: GSI{n}PK }}\n")).collect();
    change(
        "entities:\n",
        &format!("{indexes}entities:\n"),
        expect![[r#"
        error[HS0013]: the table has 21 indexes; DynamoDB allows 20
           --> model.yaml:26:5
            |
         26 |     GSI21: { pk: GSI21PK }
            |     ^^^^^
            = help: let entities share indexes: that is what GSI1PK and GSI1SK are for

    "#]],
    );
}
