//! Patterns that cannot be read.

use expect_test::expect;

use super::change;

#[test]
fn a_pattern_that_would_need_a_scan() {
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order }",
        expect![[r#"
            error[HS0052]: without `customerId` the partition `CUSTOMER#{customerId}` is not known: this would be a Scan
               --> model.yaml:19:3
                |
             19 |   ordersOfCustomer: { entity: Order }
                |   ^^^^^^^^^^^^^^^^
                = help: add `customerId` to `given`, or an index whose partition key is given

        "#]],
    );
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order, given: [orderId] }",
        expect![[r#"
            error[HS0052]: without `customerId` the partition `CUSTOMER#{customerId}` is not known: this would be a Scan
               --> model.yaml:19:45
                |
             19 |   ordersOfCustomer: { entity: Order, given: [orderId] }
                |                                             ^^^^^^^^^
                = help: add `customerId` to `given`, or an index whose partition key is given

        "#]],
    );
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order, given: [status] }",
        expect![[r#"
            error[HS0052]: without `customerId` the partition `CUSTOMER#{customerId}` is not known: this would be a Scan
               --> model.yaml:19:45
                |
             19 |   ordersOfCustomer: { entity: Order, given: [status] }
                |                                             ^^^^^^^^
                = help: add `index: GSI1`, whose partition key is given

        "#]],
    );
}

#[test]
fn something_given_that_is_of_no_use() {
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order, given: [customerId, total] }",
        expect![[r#"
            error[HS0053]: `total` is not part of the key of `Order`: `CUSTOMER#{customerId}` / `ORDER#{orderId}`
               --> model.yaml:19:58
                |
             19 |   ordersOfCustomer: { entity: Order, given: [customerId, total] }
                |                                                          ^^^^^
                = help: remove it from `given`, or use an index whose key has it

        "#]],
    );
    change(
        "{ entity: Order, index: GSI1, given: [status], range: placedAt }",
        "{ entity: Order, index: GSI1, given: [status, customerId] }",
        expect![[r#"
            error[HS0053]: `customerId` is not part of the key of `Order`: `STATUS#{status}` / `{placedAt}`
               --> model.yaml:20:65
                |
             20 |   ordersByStatus: { entity: Order, index: GSI1, given: [status, customerId] }
                |                                                                 ^^^^^^^^^^
                = help: remove it from `given`, or use an index whose key has it

        "#]],
    );
}

#[test]
fn a_range_that_does_not_follow_the_key() {
    change(
        "{ entity: Order, index: GSI1, given: [status], range: placedAt }",
        "{ entity: Order, index: GSI1, given: [status], range: total }",
        expect![[r#"
            error[HS0054]: `total` is not the next field of the sort key `{placedAt}`
               --> model.yaml:20:73
                |
             20 |   ordersByStatus: { entity: Order, index: GSI1, given: [status], range: total }
                |                                                                         ^^^^^
                = help: write `range: placedAt`, or use an index that sorts by `total`

        "#]],
    );
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order, given: [customerId, orderId], range: total }",
        expect![[r#"
            error[HS0054]: all of the sort key `ORDER#{orderId}` is given, so `total` has nothing to narrow
               --> model.yaml:19:75
                |
             19 |   ordersOfCustomer: { entity: Order, given: [customerId, orderId], range: total }
                |                                                                           ^^^^^
                = help: remove `range`

        "#]],
    );
}

#[test]
fn a_fan_out_without_a_bound() {
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order, over: customerId }",
        expect![[r#"
            error[HS0055]: `customerId` is text, whose values cannot be listed
               --> model.yaml:19:44
                |
             19 |   ordersOfCustomer: { entity: Order, over: customerId }
                |                                            ^^^^^^^^^^
                = help: fan out over a month or an enum

        "#]],
    );
    change(
        "{ entity: Order, given: [customerId] }",
        "{ entity: Order, given: [customerId], max: 10 }",
        expect![[r#"
            error[HS0021]: `max` limits `over`, which is missing
               --> model.yaml:19:64
                |
             19 |   ordersOfCustomer: { entity: Order, given: [customerId], max: 10 }
                |                                                                ^^
                = help: add `over: attribute`; for the number of items there is `page`

        "#]],
    );
    change(
        "{ entity: Order, index: GSI1, given: [status], range: placedAt }",
        "{ entity: Order, index: GSI1, over: status, max: 0 }",
        expect![[r#"
            error[HS0055]: a fan-out cannot have 0 values
               --> model.yaml:20:68
                |
             20 |   ordersByStatus: { entity: Order, index: GSI1, over: status, max: 0 }
                |                                                                    ^
                = help: write a `max` from 1 to 1000

        "#]],
    );
    change(
        "{ entity: Order, index: GSI1, given: [status], range: placedAt }",
        "{ entity: Order, index: GSI1, over: status, given: [status] }",
        expect![[r#"
            error[HS0053]: `status` is given, so there is nothing to fan out over
               --> model.yaml:20:55
                |
             20 |   ordersByStatus: { entity: Order, index: GSI1, over: status, given: [status] }
                |                                                       ^^^^^^
                = help: remove it from `given`, or remove `over`

        "#]],
    );
    change(
        "{ entity: Order, index: GSI1, given: [status], range: placedAt }",
        r#"{ entity: Order, index: GSI1, over: status, max: "2", range: placedAt }"#,
        expect![[r#"
            error[HS0010]: this must be a whole number, zero or more, not the text "2"
               --> model.yaml:20:68
                |
             20 |   ordersByStatus: { entity: Order, index: GSI1, over: status, max: "2", range: placedAt }
                |                                                                    ^^^
                = help: write digits such as `20`, without quotes

            error[HS0054]: `range` and `over` cannot be combined
               --> model.yaml:20:80
                |
             20 |   ordersByStatus: { entity: Order, index: GSI1, over: status, max: "2", range: placedAt }
                |                                                                                ^^^^^^^^
                = help: keep one of the two: both are narrowed by `from` and `to`

        "#]],
    );
}

#[test]
fn a_strong_read_on_an_index() {
    change(
        "{ entity: Order, index: GSI1, given: [status], range: placedAt }",
        "{ entity: Order, index: GSI1, given: [status], consistent: true }",
        expect![[r#"
            error[HS0056]: an index has no strongly consistent reads
               --> model.yaml:20:78
                |
             20 |   ordersByStatus: { entity: Order, index: GSI1, given: [status], consistent: true }
                |                                                                              ^^^^
                = help: read the table instead, or leave `consistent` out

        "#]],
    );
}

#[test]
fn an_argument_of_two_types() {
    change(
        "patterns:",
        r#"  Note:
    key: { PK: "CUSTOMER#{customerId}", SK: NOTE }
    attributes: { customerId: ulid }
patterns:
  all: { entities: [Order, Note], given: [customerId] }"#,
        expect![[r#"
            error[HS0058]: `customerId` is text in `Order` and a ULID such as 01JD3Q0V8B5X9K2M4N6P7R8S9T in `Note`
               --> model.yaml:22:43
                |
             22 |   all: { entities: [Order, Note], given: [customerId] }
                |                                           ^^^^^^^^^^
                = help: give it one type in all entities of the pattern

        "#]],
    );
}
