//! Slips in YAML itself.

use expect_test::expect;

use super::change;

#[test]
fn a_template_without_quotes_inside_braces() {
    change(
        r#"SK: "ORDER#{orderId}""#,
        "SK: ORDER#{orderId}",
        expect![[r#"
            error[HS0003]: a `,` or `}` is missing before this
              --> model.yaml:9:51
               |
             9 |     key: { PK: "CUSTOMER#{customerId}", SK: ORDER#{orderId} }
               |                                                   ^
               = help: put templates in quotes, as in `PK: "USER#{id}"`, and a `,` between fields

        "#]],
    );
}

#[test]
fn a_template_without_quotes_behind_a_name() {
    change(
        r#"    key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}" }"#,
        "    key:\n      PK: {customerId}\n      SK: ORDER",
        expect![[r#"
            error[HS0010]: this must be text, not a map
               --> model.yaml:10:11
                |
             10 |       PK: {customerId}
                |           ^^^^^^^^^^^^
                = help: write one value; a template needs quotes, as in `"{id}"`

        "#]],
    );
}

#[test]
fn a_tab() {
    change(
        "    attributes:\n",
        "\tattributes:\n",
        expect![[r#"
            error[HS0003]: a tab cannot indent a line
               --> model.yaml:12:2
                |
             12 |  attributes:
                |  ^
                = help: use spaces

        "#]],
    );
}

#[test]
fn a_line_that_is_not_lined_up() {
    change(
        "      orderId: ulid",
        "     orderId: ulid",
        expect![[r#"
            error[HS0003]: this is indented neither like the lines before it nor below them
               --> model.yaml:14:6
                |
             14 |      orderId: ulid
                |      ^
                = help: line it up with the field it belongs beside

        "#]],
    );
}

#[test]
fn a_backslash_in_double_quotes() {
    change(
        "customerId: string",
        r#"customerId: { type: string, pattern: "\d+" }"#,
        expect![[r#"
            error[HS0003]: this text has a backslash that has no meaning in double quotes
               --> model.yaml:13:44
                |
             13 |       customerId: { type: string, pattern: "\d+" }
                |                                            ^
                = help: use single quotes, as in `pattern: '\d+'`, or write the backslash twice

        "#]],
    );
}

#[test]
fn a_bracket_that_is_never_closed() {
    change(
        "given: [customerId] }",
        "given: [customerId }",
        expect![[r#"
            error[HS0003]: this `[` is closed by a `}`
               --> model.yaml:19:45
                |
             19 |   ordersOfCustomer: { entity: Order, given: [customerId }
                |                                             ^
                = help: close it with `]`

        "#]],
    );
}

#[test]
fn a_quote_that_is_never_closed() {
    change(
        r#""ORDER#{orderId}" }"#,
        r#""ORDER#{orderId} }"#,
        expect![[r#"
            error[HS0003]: a text in quotes has ended before this
               --> model.yaml:11:24
                |
             11 |       GSI1: { GSI1PK: "STATUS#{status}", GSI1SK: "{placedAt}" }
                |                        ^
                = help: put all of the text inside the quotes, or close a quote that was opened further up

        "#]],
    );
}

#[test]
fn a_colon_that_is_missing() {
    change(
        "  Order:\n",
        "  Order\n",
        expect![[r#"
            error[HS0003]: a `:` is not allowed here
              --> model.yaml:9:8
               |
             9 |     key: { PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}" }
               |        ^
               = help: check that the line before ends with `:` or is complete, and put text with `: ` in quotes

        "#]],
    );
}

#[test]
fn a_second_colon() {
    change(
        "name: Shop",
        "name: Shop: EU",
        expect![[r#"
            error[HS0003]: a `:` is not allowed here
              --> model.yaml:3:13
               |
             3 |   name: Shop: EU
               |             ^
               = help: check that the line before ends with `:` or is complete, and put text with `: ` in quotes

        "#]],
    );
}

#[test]
fn a_character_that_starts_no_text() {
    change(
        "orderId: ulid",
        "orderId: @ulid",
        expect![[r#"
            error[HS0003]: a text cannot start with this character
               --> model.yaml:14:16
                |
             14 |       orderId: @ulid
                |                ^
                = help: put the text in quotes

        "#]],
    );
}

#[test]
fn a_key_that_stands_twice() {
    change(
        "      total: integer",
        "      total: integer\n      status: string",
        expect![[r#"
            error[HS0007]: `status` is repeated here, first in line 15
               --> model.yaml:18:7
                |
             18 |       status: string
                |       ^^^^^^
                = help: keep one of the two, or rename one

        "#]],
    );
}

#[test]
fn an_anchor_and_its_aliases_are_one_mistake() {
    change(
        "      customerId: string\n",
        "      customerId: &text string\n      note: *text\n      memo: *text\n",
        expect![[r#"
            error[HS0005]: `&text` is an anchor, and the model language has none
               --> model.yaml:13:19
                |
             13 |       customerId: &text string
                |                   ^^^^^
                = help: write the value out wherever `*text` is used; a text that starts with `&` needs quotes

        "#]],
    );
}

#[test]
fn an_alias_of_nothing_and_a_tag() {
    change(
        "      placedAt: timestamp\n      total: integer",
        "      placedAt: *time\n      total: !!int 5",
        expect![[r#"
            error[HS0005]: `*time` is an alias, and the model language has none
               --> model.yaml:16:17
                |
             16 |       placedAt: *time
                |                 ^^^^^
                = help: write the value out; a text that starts with `*` needs quotes

            error[HS0005]: this is a tag, and the model language has none
               --> model.yaml:17:14
                |
             17 |       total: !!int 5
                |              ^^^^^
                = help: remove it; a text that starts with `!` needs quotes

        "#]],
    );
}
