//! Categories.

use hansang_content::{
    ContentCode, NewCategory, create_category, delete_category, delete_post, find_category, move_post,
};
use hansang_core::{CoreCode, Item, Value, name};

use crate::grounds::{Ground, on_each_store};

fn named(title: &str, slug: Option<&str>) -> NewCategory {
    NewCategory { title: title.to_owned(), slug: slug.map(str::to_owned), ..NewCategory::default() }
}

/// C8: a slug is made of the title, is unique, and has letters of any script.
async fn slugs_of_categories_are_unique(ground: Ground) {
    let content = &ground.content;
    assert_eq!(find_category(content, "news").await.unwrap().slug.as_deref(), Some("회사-소식"));
    let refused = create_category(content, named("회사 소식", None)).await.unwrap_err();
    assert_eq!(refused.code, CoreCode::NotUnique);
    for wrong in [named("!!", None), named("a", Some("A B"))] {
        let refused = create_category(content, wrong).await.unwrap_err();
        assert_eq!(refused.violations[0].attribute, "slug");
    }
}

/// Cs6: a category with posts is not deleted, also if another program wrote the post.
async fn a_category_with_posts_stays(ground: Ground) {
    let content = &ground.content;
    let post = ground.post("글").await;
    let refused = delete_category(content, "news").await.unwrap_err();
    assert_eq!(refused.code, ContentCode::CategoryHasPosts);
    move_post(content, &post.id, "products").await.unwrap();
    delete_category(content, "news").await.unwrap();
    assert_eq!(delete_category(content, "news").await.unwrap_err().code, ContentCode::CategoryUnknown);
    delete_post(content, &post.id, 2).await.unwrap();

    let fields =
        [("id", "old"), ("categoryId", "products"), ("authorId", "x"), ("title", "t"), ("contents", "c")];
    let fields: Item = fields.into_iter().map(|(name, value)| (name.into(), Value::from(value))).collect();
    content.db.create("Post", fields).await.unwrap();
    let refused = delete_category(content, "products").await.unwrap_err();
    assert_eq!(refused.code, ContentCode::CategoryHasPosts);
    // A post without a revision can be edited, moved and deleted.
    let category = create_category(content, named("다른 곳", None)).await.unwrap();
    assert_eq!(move_post(content, "old", &category.id).await.unwrap().revision, 1);
    delete_post(content, "old", 1).await.unwrap();
    delete_category(content, "products").await.unwrap();
    let key = Item::from([(name!("id"), Value::from("products"))]);
    assert!(content.db.stored("Category", &key).await.unwrap().is_none());
}

on_each_store!(slugs_of_categories_are_unique, a_category_with_posts_stays);
