//! Growth of a design: another order and another relation are one line of the model each.

use expect_test::expect;

use super::{compile, describe, examples, index_key, key, source};

/// The new order is one line under `indexes` and one under `patterns`.
#[test]
fn another_order_is_another_index() {
    let index = "    Type_CreatedAt: { pk: Type, sk: CreatedAt }\n";
    let added = format!("{index}    AuthorId_CreatedAt: {{ pk: authorId, sk: CreatedAt }}\n");
    let wider = source("content").replace(index, &added)
        + "  postsOfAuthor: { entity: Post, index: AuthorId_CreatedAt, given: [authorId], order: newest }\n";
    let model = compile("content.yaml with another index", &wider);
    let post = [("authorId", "u001"), ("CreatedAt", "2025-11-12T05:00:00Z")];
    assert_eq!(
        index_key(&model, "Post", "AuthorId_CreatedAt", &post).as_deref(),
        Some("u001 / 2025-11-12T05:00:00Z")
    );
    let in_it = model.entities.iter().filter(|entity| entity.in_index(1).is_some());
    assert_eq!(in_it.map(|entity| &*entity.name).collect::<Vec<_>>(), ["Post"]);
    let text = describe::patterns(&model);
    let (_, text) = text.split_once("postsOfAuthor").unwrap();
    expect![[r#"
        (authorId): Post, last first
          query AuthorId_CreatedAt {authorId} / *
    "#]]
    .assert_eq(text);
    // The examples of the document are in the new index without a change.
    for example in examples::examples(&model) {
        examples::fields(&model, &example.item);
    }
}

/// C33
#[test]
fn a_sort_key_holds_a_relation() {
    let model = compile(
        "bookmarks.yaml",
        r#"
model: bookmarks
table: { name: Bookmarks, key: { pk: PK, sk: SK } }
entities:
  Bookmark:
    key: { PK: "CATEGORY#{categoryId}", SK: "USER#{userId}#POST#{postId}" }
    attributes: { categoryId: string, userId: string, postId: string }
patterns:
  bookmark: { entity: Bookmark, given: [categoryId, userId, postId] }
  bookmarksOfUser: { entity: Bookmark, given: [categoryId, userId] }
  bookmarks: { entity: Bookmark, given: [categoryId] }
"#,
    );
    let given = [("categoryId", "c001"), ("userId", "u001"), ("postId", "p001")];
    assert_eq!(key(&model, "Bookmark", &given), "CATEGORY#c001 / USER#u001#POST#p001");
    expect![[r#"
        bookmark(categoryId, userId, postId): Bookmark
          get CATEGORY#{categoryId} / USER#{userId}#POST#{postId}
        bookmarksOfUser(categoryId, userId): Bookmark
          query CATEGORY#{categoryId} / USER#{userId}#POST#*
        bookmarks(categoryId): Bookmark
          query CATEGORY#{categoryId} / USER#*
    "#]]
    .assert_eq(&describe::patterns(&model));
}
