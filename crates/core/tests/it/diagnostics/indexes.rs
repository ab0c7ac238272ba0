//! Mistakes in indexes and unique constraints.

use expect_test::expect;

use super::{SHOP, change, changed, check};

#[test]
fn times_of_two_widths_in_one_partition() {
    change(
        "patterns:",
        r#"  Refund:
    key: { PK: "REFUND#{id}", SK: META }
    index:
      GSI1: { GSI1PK: "STATUS#{status}", GSI1SK: "{at}" }
    attributes:
      id: ulid
      status: { enum: [open, paid] }
      at: { type: timestamp, precision: millis }
patterns:"#,
        expect![[r#"
            error[HS0038]: in `GSI1SK` the values of `Refund` (`{at}`) and `Order` (`{placedAt}`) are not equally wide, so they do not sort together
               --> model.yaml:21:50
                |
             21 |       GSI1: { GSI1PK: "STATUS#{status}", GSI1SK: "{at}" }
                |                                                  ^^^^^^
                = help: give both the same `precision`, `separator` or padding, or a text of their own before it

        "#]],
    );
}

#[test]
fn an_index_key_of_two_types() {
    change(
        "patterns:",
        "  Refund:\n    key: { PK: \"REFUND#{GSI1PK:06}\", SK: META }\n    attributes: { GSI1PK: integer }\npatterns:",
        expect![[r#"
            error[HS0043]: `GSI1PK` is a key of an index, and a number in `Refund` but text in `Order`
               --> model.yaml:20:27
                |
             20 |     attributes: { GSI1PK: integer }
                |                           ^^^^^^^
                = help: give it one type, or give one of the two another name

        "#]],
    );
}

#[test]
fn half_of_an_index_key() {
    change(
        r#", GSI1SK: "{placedAt}" }"#,
        " }",
        expect![[r#"
        error[HS0042]: the index `GSI1` also needs `GSI1SK`
           --> model.yaml:11:7
            |
         11 |       GSI1: { GSI1PK: "STATUS#{status}" }
            |       ^^^^
            = help: add `GSI1SK: "…"`: without it no item is in the index

    "#]],
    );
}

#[test]
fn an_index_that_does_not_exist() {
    change(
        "      GSI1: { GSI1PK",
        "      GSI2: { GSI1PK",
        expect![[r#"
        error[HS0041]: there is no index `GSI2`
           --> model.yaml:11:7
            |
         11 |       GSI2: { GSI1PK: "STATUS#{status}", GSI1SK: "{placedAt}" }
            |       ^^^^
            = help: did you mean `GSI1`?

    "#]],
    );
}

#[test]
fn an_index_key_that_is_an_attribute_already() {
    change(
        "total: integer",
        "GSI1PK: string",
        expect![[r#"
        error[HS0023]: `GSI1PK` is an attribute of its own already
           --> model.yaml:11:23
            |
         11 |       GSI1: { GSI1PK: "STATUS#{status}", GSI1SK: "{placedAt}" }
            |                       ^^^^^^^^^^^^^^^^^
            = help: leave it out here: the index uses the attribute as it is

    "#]],
    );
}

#[test]
fn a_unique_constraint() {
    change(
        "    attributes:\n",
        "    unique: { total: [totl] }\n    attributes:\n",
        expect![[r#"
            error[HS0031]: `Order` has no attribute `totl`
               --> model.yaml:12:23
                |
             12 |     unique: { total: [totl] }
                |                       ^^^^
                = help: did you mean `total`?

        "#]],
    );
    change(
        "    attributes:\n",
        "    unique: { total: [] }\n    attributes:\n",
        expect![[r#"
        error[HS0044]: `total` names no attribute
           --> model.yaml:12:22
            |
         12 |     unique: { total: [] }
            |                      ^^
            = help: write `total: [attribute]`

    "#]],
    );
    change(
        "    attributes:\n",
        "    unique: { total: { fields: [total], within: [total] } }\n    attributes:\n",
        expect![[r#"
            error[HS0044]: `total` is in `within` already
               --> model.yaml:12:33
                |
             12 |     unique: { total: { fields: [total], within: [total] } }
                |                                 ^^^^^
                = help: keep it in one of `fields` and `within`

        "#]],
    );
    change(
        "    attributes:\n",
        "    unique: [total]\n    attributes:\n",
        expect![[r#"
            error[HS0010]: each unique constraint has a name, so `unique` must be a map
               --> model.yaml:12:13
                |
             12 |     unique: [total]
                |             ^^^^^^^
                = help: write `unique: { slug: [slug] }`

        "#]],
    );
    change(
        "      total: integer",
        "      total: { template: \"T#{status}\" }\n    unique: { total: [total] }",
        expect![[r#"
            error[HS0044]: `total` is written by Hansang and cannot be kept unique
               --> model.yaml:18:23
                |
             18 |     unique: { total: [total] }
                |                       ^^^^^
                = help: use an attribute that is given

        "#]],
    );
    check(
        &changed(
            &changed(SHOP, "customerId: string", "customerId: { type: string, stored: false }"),
            "total: integer",
            "total: integer\n    unique: { customer: [customerId] }",
        ),
        expect![[r#"
            error[HS0044]: `customerId` is only in the key, and a constraint needs it stored
               --> model.yaml:18:26
                |
             18 |     unique: { customer: [customerId] }
                |                          ^^^^^^^^^^
                = help: remove its `stored: false`

        "#]],
    );
    change(
        "total: integer",
        "total: bool\n    unique: { total: [total] }",
        expect![[r#"
        error[HS0044]: `total` is true or false, which cannot be kept unique
           --> model.yaml:18:23
            |
         18 |     unique: { total: [total] }
            |                       ^^^^^
            = help: use text, an identifier, a time, an enum or an integer

    "#]],
    );
}
