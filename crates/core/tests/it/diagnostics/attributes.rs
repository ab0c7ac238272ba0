//! Mistakes in attributes: their names and types.

use expect_test::expect;

use super::change;

#[test]
fn types_of_other_languages() {
    change(
        "total: integer",
        "total: int",
        expect![[r#"
        error[HS0020]: there is no type `int`
           --> model.yaml:17:14
            |
         17 |       total: int
            |              ^^^
            = help: did you mean `integer`?

    "#]],
    );
    change(
        "total: integer",
        "total: strng",
        expect![[r#"
        error[HS0020]: there is no type `strng`
           --> model.yaml:17:14
            |
         17 |       total: strng
            |              ^^^^^
            = help: did you mean `string`?

    "#]],
    );
    change(
        "total: integer",
        "total: string[]",
        expect![[r#"
        error[HS0020]: there is no type `string[]`
           --> model.yaml:17:14
            |
         17 |       total: string[]
            |              ^^^^^^^^
            = help: write `{ list: string }`

    "#]],
    );
    change(
        "total: integer",
        "total: money",
        expect![[r#"
            error[HS0020]: there is no type `money`
               --> model.yaml:17:14
                |
             17 |       total: money
                |              ^^^^^
                = help: the types are `string`, `number`, `integer`, `bool`, `timestamp`, `month`, `ulid`, `uuid`, `semver`, `binary`, `markdown`, `email`, `url`, `list`, `map` and `any`, and `{ enum: … }`, `{ lifecycle: … }`, `{ set: … }`

        "#]],
    );
}

#[test]
fn an_enum_with_type_and_values() {
    change(
        "{ enum: [open, paid] }",
        "{ type: enum, values: [open, paid] }",
        expect![[r#"
            error[HS0008]: `values` is not a field of the attribute `status`
               --> model.yaml:15:29
                |
             15 |       status: { type: enum, values: [open, paid] }
                |                             ^^^^^^
                = help: did you mean `enum`?

        "#]],
    );
    change(
        "{ enum: [open, paid] }",
        "{ type: enum, enum: [open, paid] }",
        expect![[r#"
        error[HS0021]: `status` has more than one type: `type` and `enum`
           --> model.yaml:15:29
            |
         15 |       status: { type: enum, enum: [open, paid] }
            |                             ^^^^
            = help: remove `type`: `enum` says it already

    "#]],
    );
    change(
        "{ enum: [open, paid] }",
        "[open, paid]",
        expect![[r#"
        error[HS0010]: the type of `status` must be a word or a map, not a list
           --> model.yaml:15:15
            |
         15 |       status: [open, paid]
            |               ^^^^^^^^^^^^
            = help: write `{ list: string }` for a list of texts, `{ enum: [A, B] }` for one of some texts

    "#]],
    );
    change(
        "{ enum: [open, paid] }",
        "{ enum: open }",
        expect![[r#"
        error[HS0010]: this must be a list, not `open`
           --> model.yaml:15:23
            |
         15 |       status: { enum: open }
            |                       ^^^^
            = help: write `[open]`

    "#]],
    );
    change(
        "{ enum: [open, paid] }",
        "{ enum: [open, open] }",
        expect![[r#"
            error[HS0007]: `open` is repeated in this list
               --> model.yaml:15:30
                |
             15 |       status: { enum: [open, open] }
                |                              ^^^^
                = help: keep one of the two

        "#]],
    );
}

#[test]
fn an_attribute_without_a_type() {
    change(
        "total: integer",
        "total:",
        expect![[r#"
            error[HS0009]: `total` has no type
               --> model.yaml:17:7
                |
             17 |       total:
                |       ^^^^^
                = help: write `total: string`, or `total: string?` if an item can do without it

        "#]],
    );
    change(
        "total: integer",
        "total: { min: 0 }",
        expect![[r#"
        error[HS0009]: `total` has no type
           --> model.yaml:17:14
            |
         17 |       total: { min: 0 }
            |              ^^^^^^^^^^
            = help: write `type: string`, or one of `enum`, `lifecycle`, `list`, `map`, `set`, `template`

    "#]],
    );
}

#[test]
fn required_is_not_a_word() {
    change(
        "total: integer",
        "total: { type: integer, required: true }",
        expect![[r#"
            error[HS0008]: `required` is not a field of the attribute `total`
               --> model.yaml:17:31
                |
             17 |       total: { type: integer, required: true }
                |                               ^^^^^^^^
                = help: remove it: an attribute is required unless it is `optional`

        "#]],
    );
}

#[test]
fn names_that_the_table_writes() {
    change(
        "total: integer",
        "PK: string",
        expect![[r#"
        error[HS0023]: `PK` is the partition key and is written by Hansang
           --> model.yaml:17:7
            |
         17 |       PK: string
            |       ^^
            = help: remove it here: every item has it anyway

    "#]],
    );
    change(
        "total: integer",
        "total: integer\n    version: SK",
        expect![[r#"
        error[HS0028]: `SK` is the sort key; the version counts the writes of an item
           --> model.yaml:18:14
            |
         18 |     version: SK
            |              ^^
            = help: choose a name of its own, such as `version: rev`

    "#]],
    );
}

#[test]
fn an_attribute_that_is_stored_nowhere() {
    change(
        "total: integer",
        "total: { type: integer, stored: false }",
        expect![[r#"
        error[HS0026]: `total` is neither stored nor part of the key, so it would be lost
           --> model.yaml:17:7
            |
         17 |       total: { type: integer, stored: false }
            |       ^^^^^
            = help: remove `stored: false`, or add it to the key

    "#]],
    );
}

#[test]
fn an_element_type_that_does_not_exist() {
    change(
        "total: integer",
        "lines: { list: { of: string } }",
        expect![[r#"
        error[HS0010]: `of` is not a type
           --> model.yaml:17:24
            |
         17 |       lines: { list: { of: string } }
            |                        ^^
            = help: write a type such as `string`, `{ enum: [A, B] }` or `{ list: string }`; rules are for attributes

    "#]],
    );
    change(
        "total: integer",
        "lines: { list: { lifecycle: { NEW: [DONE] } } }",
        expect![[r#"
            error[HS0024]: a lifecycle is for an attribute of its own: transitions inside a list are not checked
               --> model.yaml:17:24
                |
             17 |       lines: { list: { lifecycle: { NEW: [DONE] } } }
                |                        ^^^^^^^^^
                = help: write `{ enum: [A, B] }`

        "#]],
    );
    change(
        "total: integer",
        "lines: { list: { type: string, length: [1, 9] } }",
        expect![[r#"
        error[HS0010]: the type of an element is one word or has one field
           --> model.yaml:17:22
            |
         17 |       lines: { list: { type: string, length: [1, 9] } }
            |                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            = help: write a type such as `string`, `{ enum: [A, B] }` or `{ list: string }`; rules are for attributes

    "#]],
    );
    change(
        "total: integer",
        "lines: { set: text }",
        expect![[r#"
        error[HS0012]: `set` cannot be `text`
           --> model.yaml:17:21
            |
         17 |       lines: { set: text }
            |                     ^^^^
            = help: did you mean `string`?

    "#]],
    );
}

#[test]
fn two_versions_of_the_truth() {
    change(
        "    attributes:",
        "    version: total\n    attributes:",
        expect![[r#"
        error[HS0028]: `total` is an attribute already; the version counts the writes of an item
           --> model.yaml:12:14
            |
         12 |     version: total
            |              ^^^^^
            = help: remove it from the attributes, or choose another name

    "#]],
    );
}
