//! Ways to break a real model file.

use expect_test::{Expect, expect};
use hansang_core::diagnostic::render;

use super::{changed, problems};

/// Makes one change in the content model and compares the diagnostics. Each problem is rendered with the
/// marked part of its line alone, so that the file may grow without changing these tests.
fn content(from: &str, to: &str, expect: Expect) {
    let model = changed(&model(), from, to);
    let mut said = String::new();
    for mut problem in problems(&model) {
        let line = model.lines().nth(problem.span.line - 1).expect("a line of the file");
        let line: String = line.chars().take(problem.span.column - 1 + problem.span.length).collect();
        problem.span.line = 1;
        said += &render("content.yaml", &line, &[problem]);
    }
    expect.assert_eq(&said);
}

/// The file without alignment, so that changes of the alignment do not change these tests.
fn model() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/content.yaml");
    let text = std::fs::read_to_string(path).expect("the file");
    let mut model = String::new();
    for line in text.lines() {
        let words = line.trim_start();
        let indent = &line[..line.len() - words.len()];
        model += indent;
        model += &words.split_whitespace().collect::<Vec<_>>().join(" ");
        model.push('\n');
    }
    model
}

#[test]
fn the_file_itself_compiles() {
    assert_eq!(problems(&model()), []);
}

#[test]
fn a_key_of_a_renamed_attribute() {
    content(
        "USER#{id}",
        "USER#{userId}",
        expect![[r#"
            error[HS0031]: `User` has no attribute `userId`
              --> content.yaml:1:22
               |
             1 |     key: { PK: "USER#{userId}
               |                      ^^^^^^^^
               = help: add `userId: string` to the attributes of `User`, or use one that it has: `id`, `displayName`, `role`, `Type` and `CreatedAt`

        "#]],
    );
}

#[test]
fn a_post_that_could_be_a_category() {
    content(
        r#"SK: "POST#{id}""#,
        "SK: METADATA",
        expect![[r#"
            error[HS0040]: an item of `Post` can have the same key as one of `Category`: `CATEGORY#{categoryId}` / `METADATA` and `CATEGORY#{id}` / `METADATA`
              --> content.yaml:1:10
               |
             1 |     key: { PK: "CATEGORY#{categoryId}", SK: METADATA }
               |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
               = help: start one of the keys with a text of its own, such as `POST#`

        "#]],
    );
}

#[test]
fn an_index_on_a_misspelt_attribute_is_one_mistake() {
    content(
        "sk: CreatedAt }",
        "sk: CreateAt }",
        expect![[r#"
            error[HS0051]: no entity is in the index `Type_CreatedAt`: none has `CreateAt`
              --> content.yaml:1:37
               |
             1 |     Type_CreatedAt: { pk: Type, sk: CreateAt
               |                                     ^^^^^^^^
               = help: did you mean `CreatedAt`?

        "#]],
    );
}

#[test]
fn a_unique_constraint_on_a_misspelt_attribute() {
    content(
        "slug: [slug]",
        "slug: [slgu]",
        expect![[r#"
            error[HS0031]: `Category` has no attribute `slgu`
              --> content.yaml:1:14
               |
             1 |       slug: [slgu
               |              ^^^^
               = help: did you mean `slug`?

        "#]],
    );
}

#[test]
fn posts_of_a_category_without_the_category() {
    content(
        "postsInCategory: { entity: Post, given: [categoryId]",
        "postsInCategory: { entity: Post",
        expect![[r#"
            error[HS0052]: without `categoryId` the partition `CATEGORY#{categoryId}` is not known: this would be a Scan
              --> content.yaml:1:3
               |
             1 |   postsInCategory
               |   ^^^^^^^^^^^^^^^
               = help: add `categoryId` to `given`, or `index: Type_CreatedAt`, which has all of them

        "#]],
    );
}

#[test]
fn an_enum_without_brackets() {
    content(
        "[admin, editor, viewer]",
        "admin, editor, viewer",
        expect![[r#"
            error[HS0010]: more than one value needs brackets
              --> content.yaml:1:21
               |
             1 |       role: { enum: admin
               |                     ^^^^^
               = help: write `enum: [admin, editor, viewer]`

        "#]],
    );
}

#[test]
fn a_type_of_another_language() {
    content(
        "seenAt: { type: timestamp,",
        "seenAt: { type: datetime,",
        expect![[r#"
            error[HS0020]: there is no type `datetime`
              --> content.yaml:1:23
               |
             1 |       seenAt: { type: datetime
               |                       ^^^^^^^^
               = help: did you mean `timestamp`?

        "#]],
    );
}

#[test]
fn an_order_of_another_language() {
    content(
        "posts: { entity: Post, index: Type_CreatedAt, order: newest",
        "posts: { entity: Post, index: Type_CreatedAt, order: latest",
        expect![[r#"
            error[HS0012]: `order` cannot be `latest`
              --> content.yaml:1:56
               |
             1 |   posts: { entity: Post, index: Type_CreatedAt, order: latest
               |                                                        ^^^^^^
               = help: did you mean `newest`?

        "#]],
    );
}

#[test]
fn a_ttl_that_is_an_address() {
    content(
        "attribute: expiresAt",
        "attribute: url",
        expect![[r#"
            error[HS0027]: `url` is the TTL attribute and must hold epoch seconds
              --> content.yaml:1:7
               |
             1 |       url
               |       ^^^
               = help: write `url: integer?`

        "#]],
    );
}

#[test]
fn an_attribute_that_the_table_writes() {
    content(
        "displayName: { type: string,",
        "CreatedAt: timestamp\n      displayName: { type: string,",
        expect![[r#"
            error[HS0023]: `CreatedAt` is the table's `created` and is written by Hansang
              --> content.yaml:1:7
               |
             1 |       CreatedAt
               |       ^^^^^^^^^
               = help: remove it here: every item has it anyway

        "#]],
    );
}

#[test]
fn an_optional_attribute_in_the_key() {
    content(
        "categoryId: { type: string,",
        "categoryId: { type: string?,",
        expect![[r#"
            error[HS0035]: `categoryId` is optional, but without it there is no key
              --> content.yaml:1:26
               |
             1 |     key: { PK: "CATEGORY#{categoryId}
               |                          ^^^^^^^^^^^^
               = help: remove the `?` or `optional: true`; only keys of indexes may be absent

        "#]],
    );
}

#[test]
fn a_lookup_by_a_constraint_that_does_not_exist() {
    content(
        "unique: id",
        "unique: postId",
        expect![[r#"
            error[HS0057]: `Post` has no unique constraint `postId`
              --> content.yaml:1:37
               |
             1 |   postById: { entity: Post, unique: postId
               |                                     ^^^^^^
               = help: add `unique: { postId: [attribute] }` to `Post`; it has `id`

        "#]],
    );
}

#[test]
fn arguments_without_brackets() {
    content(
        "given: [categoryId, id]",
        "given: categoryId, id",
        expect![[r#"
            error[HS0010]: more than one value needs brackets
              --> content.yaml:1:32
               |
             1 |   post: { entity: Post, given: categoryId
               |                                ^^^^^^^^^^
               = help: write `given: [categoryId, id]`

        "#]],
    );
}

#[test]
fn an_entity_that_is_indented_too_little() {
    content(
        "  Banner:\n",
        " Banner:\n",
        expect![[r#"
            error[HS0003]: this is indented neither like the lines before it nor below them
              --> content.yaml:1:2
               |
             1 |  B
               |  ^
               = help: line it up with the field it belongs beside

        "#]],
    );
}
