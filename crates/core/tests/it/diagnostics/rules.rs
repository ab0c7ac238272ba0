//! Mistakes in rules, defaults and generated values.

use expect_test::expect;

use super::change;

#[test]
fn rules_that_do_not_fit() {
    change(
        "total: integer",
        "total: { type: integer, length: [1, 9] }",
        expect![[r#"
        error[HS0021]: `length` is for text, binary, lists, maps and sets
           --> model.yaml:17:31
            |
         17 |       total: { type: integer, length: [1, 9] }
            |                               ^^^^^^
            = help: remove it; for numbers there is `min` and `max`

    "#]],
    );
    change(
        "customerId: string",
        "customerId: { type: string, min: 1 }",
        expect![[r#"
        error[HS0021]: `min` is for numbers
           --> model.yaml:13:35
            |
         13 |       customerId: { type: string, min: 1 }
            |                                   ^^^
            = help: remove it; for text, lists, maps and sets there is `length: [1, 200]`

    "#]],
    );
    change(
        "orderId: ulid",
        "orderId: { type: ulid, pattern: x }",
        expect![[r#"
        error[HS0021]: `pattern` is for text
           --> model.yaml:14:30
            |
         14 |       orderId: { type: ulid, pattern: x }
            |                              ^^^^^^^
            = help: remove it, or change the type

    "#]],
    );
    change(
        "total: integer",
        "total: { type: integer, precision: millis }",
        expect![[r#"
        error[HS0021]: `precision` is for a timestamp
           --> model.yaml:17:31
            |
         17 |       total: { type: integer, precision: millis }
            |                               ^^^^^^^^^
            = help: remove it, or change the type

    "#]],
    );
}

#[test]
fn rules_that_accept_nothing() {
    change(
        "total: integer",
        "total: { type: integer, min: 10, max: 1 }",
        expect![[r#"
        error[HS0021]: `min` is above `max`: nothing would be accepted
           --> model.yaml:17:31
            |
         17 |       total: { type: integer, min: 10, max: 1 }
            |                               ^^^
            = help: swap the two: `min: 1, max: 10`

    "#]],
    );
    change(
        "customerId: string",
        "customerId: { type: string, length: [9, 1] }",
        expect![[r#"
            error[HS0021]: the minimum length is above the maximum: nothing would be accepted
               --> model.yaml:13:43
                |
             13 |       customerId: { type: string, length: [9, 1] }
                |                                           ^^^^^^
                = help: swap the two: `length: [1, 9]`

        "#]],
    );
}

#[test]
fn a_rule_of_the_wrong_shape() {
    change(
        "total: integer",
        "total: { type: integer, min: none }",
        expect![[r#"
        error[HS0021]: `min` must be a number
           --> model.yaml:17:36
            |
         17 |       total: { type: integer, min: none }
            |                                    ^^^^
            = help: write `min: 0`

    "#]],
    );
    change(
        "customerId: string",
        "customerId: { type: string, length: [1, many] }",
        expect![[r#"
        error[HS0010]: this must be a whole number, zero or more, not `many`
           --> model.yaml:13:47
            |
         13 |       customerId: { type: string, length: [1, many] }
            |                                               ^^^^
            = help: write digits such as `20`, without quotes

    "#]],
    );
    change(
        "customerId: string",
        r#"customerId: { type: string, optional: "true" }"#,
        expect![[r#"
            error[HS0010]: this must be `true` or `false`, not the text "true"
               --> model.yaml:13:45
                |
             13 |       customerId: { type: string, optional: "true" }
                |                                             ^^^^^^
                = help: write `true`

        "#]],
    );
}

#[test]
fn a_regular_expression_that_is_none() {
    change(
        "customerId: string",
        r#"customerId: { type: string, pattern: "[a-z" }"#,
        expect![[r#"
        error[HS0021]: this is not a regular expression: unclosed character class
           --> model.yaml:13:44
            |
         13 |       customerId: { type: string, pattern: "[a-z" }
            |                                            ^^^^^^
            = help: check brackets and backslashes; look-around and back-references do not exist

    "#]],
    );
    change(
        "customerId: string",
        r#"customerId: { type: string, pattern: "a)|(b" }"#,
        expect![[r#"
        error[HS0021]: this is not a regular expression: unopened group
           --> model.yaml:13:44
            |
         13 |       customerId: { type: string, pattern: "a)|(b" }
            |                                            ^^^^^^^
            = help: check brackets and backslashes; look-around and back-references do not exist

    "#]],
    );
    change(
        "customerId: string",
        r#"customerId: { type: string, pattern: '\w{1,500}' }"#,
        expect![[r#"
        error[HS0021]: this regular expression becomes too large
           --> model.yaml:13:44
            |
         13 |       customerId: { type: string, pattern: '\w{1,500}' }
            |                                            ^^^^^^^^^^^
            = help: repeat less: `length` limits how long a text is, and costs nothing

    "#]],
    );
}

#[test]
fn a_default_that_breaks_the_rules() {
    change(
        "total: integer",
        "total: { type: integer, min: 1, default: 0 }",
        expect![[r#"
        error[HS0022]: the default of `total` must be at least 1
           --> model.yaml:17:48
            |
         17 |       total: { type: integer, min: 1, default: 0 }
            |                                                ^
            = help: write a default that the rules accept

    "#]],
    );
    change(
        "{ enum: [open, paid] }",
        "{ enum: [open, paid], default: opened }",
        expect![[r#"
        error[HS0022]: the default of `status` must be one of open, paid
           --> model.yaml:15:46
            |
         15 |       status: { enum: [open, paid], default: opened }
            |                                              ^^^^^^
            = help: write a default that the rules accept

    "#]],
    );
    change(
        "orderId: ulid",
        "orderId: { type: ulid, generated: ulid, default: x }",
        expect![[r#"
        error[HS0022]: the default of `orderId` would never be used: it is generated
           --> model.yaml:14:56
            |
         14 |       orderId: { type: ulid, generated: ulid, default: x }
            |                                                        ^
            = help: keep one of `default` and `generated`

    "#]],
    );
}

#[test]
fn a_default_that_no_key_can_hold() {
    change(
        "customerId: string",
        r#"customerId: { type: string, default: "a#b" }"#,
        expect![[r#"
            error[HS0022]: the default of `customerId` is part of a key and must not contain `#`
               --> model.yaml:13:44
                |
             13 |       customerId: { type: string, default: "a#b" }
                |                                            ^^^^^
                = help: write a default that can be part of a key

        "#]],
    );
}

#[test]
fn a_generated_value_of_another_type() {
    change(
        "total: integer",
        "total: { type: integer, generated: now }",
        expect![[r#"
        error[HS0025]: `now` does not make a whole number
           --> model.yaml:17:42
            |
         17 |       total: { type: integer, generated: now }
            |                                          ^^^
            = help: `now` makes a `timestamp`

    "#]],
    );
    change(
        "customerId: string",
        "customerId: { type: string, generated: ksuid }",
        expect![[r#"
            error[HS0012]: `generated` cannot be `ksuid`
               --> model.yaml:13:46
                |
             13 |       customerId: { type: string, generated: ksuid }
                |                                              ^^^^^
                = help: write one of `ulid`, `uuid` and `now`

        "#]],
    );
}

#[test]
fn a_derived_attribute_with_rules() {
    change(
        "total: integer",
        r#"label: { template: "{status}", default: x }"#,
        expect![[r#"
            error[HS0021]: `default` is for attributes that are given
               --> model.yaml:17:38
                |
             17 |       label: { template: "{status}", default: x }
                |                                      ^^^^^^^
                = help: remove it: the value is made from the template, and is absent if a field is

        "#]],
    );
}
