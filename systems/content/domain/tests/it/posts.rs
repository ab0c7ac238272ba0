//! Creating, saving, restoring, moving and deleting posts.

use hansang_content::{
    ContentCode, Format, NewPost, PostText, Save, VersionEvent, create_post, delete_post, discard_draft,
    find_category, find_post, move_post, published, restore_version, save_post, versions, visible_post,
    working,
};
use hansang_core::CoreCode;
use hansang_core::db::Ask;

use crate::grounds::{Ground, on_each_store, retitle, text};

/// C9, C14: a post is created in an existing category, once, and is not visible.
async fn a_post_is_created(ground: Ground) {
    let content = &ground.content;
    let post = ground.post("첫 글").await;
    assert_eq!((post.revision, post.is_published(), &*post.category_id), (1, false, "news"));
    assert!(visible_post(content, &post.id).await.is_err());
    let again = NewPost {
        id: Some(post.id.clone()),
        category_id: "products".to_owned(),
        author_id: "ann".to_owned(),
        text: text("other"),
    };
    let refused = create_post(content, "ann", again.clone()).await.unwrap_err();
    assert_eq!(refused.code, CoreCode::NotUnique, "{refused:?}");
    let nowhere = NewPost { id: None, category_id: "nowhere".to_owned(), ..again };
    let refused = create_post(content, "ann", nowhere).await.unwrap_err();
    assert_eq!(refused.code, ContentCode::CategoryUnknown);
    assert_eq!(find_category(content, "products").await.unwrap().posts, 0);
}

/// Every problem of a text is reported at once, and nothing is written.
async fn a_wrong_text_is_refused(ground: Ground) {
    let post = ground.post("글").await;
    let wrong = PostText { slug: Some("A B".to_owned()), contents: "x".repeat(300_001), ..text(" ") };
    let save = Save { text: wrong, revision: 1, keep: true };
    let refused = save_post(&ground.content, "ann", &post.id, &save).await.unwrap_err();
    let fields: Vec<&str> = refused.violations.iter().map(|problem| &*problem.attribute).collect();
    assert_eq!(fields, ["title", "contents", "slug"]);
    assert_eq!(working(&ground.content, &post.id).await.unwrap().post, post);
}

/// Editing a published post does not change what visitors see.
async fn an_edit_of_a_published_post_is_a_draft(ground: Ground) {
    let content = &ground.content;
    let post = ground.published("소식").await;
    let edited = retitle(content, &post, "고친 소식").await;
    assert_eq!(visible_post(content, &post.id).await.unwrap().text.title, "소식");
    let now = working(content, &post.id).await.unwrap();
    assert_eq!((&*now.text().title, now.draft.is_some()), ("고친 소식", true));
    let discarded = discard_draft(content, "ann", &post.id, edited.revision).await.unwrap();
    assert_eq!((&*discarded.text().title, discarded.draft.is_none()), ("소식", true));
    let refused = discard_draft(content, "ann", &post.id, discarded.post.revision).await.unwrap_err();
    assert_eq!(refused.code, ContentCode::NoDraft);
}

/// A stale save is refused, and the text of the other editor stays.
async fn a_stale_save_is_refused(ground: Ground) {
    let content = &ground.content;
    let post = ground.post("글").await;
    retitle(content, &post, "글 2").await;
    let stale = Save { text: text("다른 글"), revision: post.revision, keep: true };
    let refused = save_post(content, "bob", &post.id, &stale).await.unwrap_err();
    assert_eq!(refused.code, ContentCode::PostChanged);
    assert_eq!(find_post(content, &post.id).await.unwrap().text.title, "글 2");
}

/// Saved texts are kept, also through publishing, and can be restored.
async fn versions_are_kept_and_restored(ground: Ground) {
    let content = &ground.content;
    let post = ground.post("하나").await;
    let post = retitle(content, &post, "둘").await;
    let silent = Save { text: text("저절로"), revision: post.revision, keep: false };
    let saved = save_post(content, "ann", &post.id, &silent).await.unwrap();
    let page = versions(content, &post.id, Ask::default()).await.unwrap();
    let titles: Vec<&str> = page.versions.iter().map(|version| &*version.text.title).collect();
    assert_eq!(titles, ["둘", "하나"]);
    let restored = restore_version(content, "bob", &post.id, 1, saved.post.revision).await.unwrap();
    assert_eq!(restored.text().title, "하나");
    let page = versions(content, &post.id, Ask::default()).await.unwrap();
    assert_eq!((page.versions[0].event, &*page.versions[0].by), (VersionEvent::Restored, "bob"));
    // The text that an editor had saved by itself is in the history now; one that is there already is not there twice.
    assert_eq!((&*page.versions[1].text.title, page.versions[1].event), ("저절로", VersionEvent::Saved));
    let again = restore_version(content, "bob", &post.id, 1, restored.post.revision).await.unwrap();
    assert_eq!(versions(content, &post.id, Ask::default()).await.unwrap().versions.len(), 5);
    let stale = restore_version(content, "bob", &post.id, 1, restored.post.revision).await.unwrap_err();
    assert_eq!(stale.code, ContentCode::PostChanged);
    let restored = again;
    let unknown = restore_version(content, "bob", &post.id, 99, restored.post.revision).await.unwrap_err();
    assert_eq!(unknown.code, ContentCode::VersionUnknown);
}

/// A draft that is discarded stays in the history, by whom it was written.
async fn a_discarded_draft_can_be_restored(ground: Ground) {
    let content = &ground.content;
    let post = ground.published("소식").await;
    let silent = Save { text: text("저절로"), revision: post.revision, keep: false };
    let saved = save_post(content, "ann", &post.id, &silent).await.unwrap();
    let discarded = discard_draft(content, "bob", &post.id, saved.post.revision).await.unwrap();
    let kept = versions(content, &post.id, Ask::default()).await.unwrap().versions;
    assert_eq!((&*kept[0].text.title, &*kept[0].by), ("저절로", "ann"));
    let restored =
        restore_version(content, "bob", &post.id, kept[0].revision, discarded.post.revision).await.unwrap();
    assert_eq!((&*restored.text().title, &*restored.post.text.title), ("저절로", "소식"));
}

/// A document of an editor is one when it is saved.
async fn a_json_text_is_a_document(ground: Ground) {
    let content = &ground.content;
    let post = ground.post("글").await;
    let json = |contents: &str| Save {
        text: PostText { contents: contents.to_owned(), format: Format::Json, ..text("글") },
        revision: 1,
        keep: true,
    };
    for wrong in ["", "# 제목", "{}", "[]", "{\"type\":\"doc\"}"] {
        let refused = save_post(content, "ann", &post.id, &json(wrong)).await.unwrap_err();
        assert_eq!(&*refused.violations[0].attribute, "contents", "{wrong}");
    }
    save_post(content, "ann", &post.id, &json(r#"{"type":"doc","content":[]}"#)).await.unwrap();
}

/// A moved post keeps its id and its time of creation, and is in one category at any time.
async fn a_post_moves_to_another_category(ground: Ground) {
    let content = &ground.content;
    let post = ground.published("소식").await;
    ground.pass(60);
    let moved = move_post(content, &post.id, "products").await.unwrap();
    assert_eq!(
        (&*moved.category_id, moved.created_at, &moved.text),
        ("products", post.created_at, &post.text)
    );
    assert_eq!(find_post(content, &post.id).await.unwrap().category_id, "products");
    let of =
        async |category: &str| published(content, Some(category), Ask::default()).await.unwrap().posts.len();
    assert_eq!((of("news").await, of("products").await), (0, 1));
    assert_eq!(published(content, None, Ask::default()).await.unwrap().posts.len(), 1);
    let counted = async |id: &str| find_category(content, id).await.unwrap().posts;
    assert_eq!((counted("news").await, counted("products").await), (0, 1));
    assert_eq!(move_post(content, &post.id, "products").await.unwrap().revision, moved.revision);
    let refused = move_post(content, &post.id, "nowhere").await.unwrap_err();
    assert_eq!(refused.code, ContentCode::CategoryUnknown, "{refused:?}");
}

/// A deleted post is gone from every list; its slug is free again.
async fn a_post_is_deleted(ground: Ground) {
    let content = &ground.content;
    let post = ground.published("소식").await;
    let edited = retitle(content, &post, "고친").await;
    assert_eq!(delete_post(content, &post.id, 1).await.unwrap_err().code, ContentCode::PostChanged);
    delete_post(content, &post.id, edited.revision).await.unwrap();
    assert_eq!(find_post(content, &post.id).await.unwrap_err().code, ContentCode::PostUnknown);
    assert!(published(content, None, Ask::default()).await.unwrap().posts.is_empty());
    assert_eq!(find_category(content, "news").await.unwrap().posts, 0);
    assert_eq!(ground.published("소식").await.text.slug.as_deref(), Some("소식"));
}

on_each_store!(
    a_post_is_created,
    a_wrong_text_is_refused,
    an_edit_of_a_published_post_is_a_draft,
    a_stale_save_is_refused,
    versions_are_kept_and_restored,
    a_discarded_draft_can_be_restored,
    a_json_text_is_a_document,
    a_post_moves_to_another_category,
    a_post_is_deleted,
);
