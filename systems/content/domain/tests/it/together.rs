//! Previews, presence, stale saves, and search.

use std::time::Duration;

use hansang_content::{
    ContentCode, NewPost, PostText, Publication, Save, Search, create_post, create_preview, delete_post,
    editors_of, left_editing, previewed_post, publish_post, reconcile, revoke_previews, save_post,
    seen_editing, unpublish_post,
};

use crate::grounds::{Ground, at, on_each_store, retitle, text};

const HOUR: Duration = Duration::from_secs(3600);

/// A link shows the edited text until it expires or is revoked; the store does not hold its token.
async fn a_preview_shows_the_draft(ground: Ground) {
    let content = &ground.content;
    let post = ground.published("소식").await;
    let link = create_preview(content, "ann", &post.id, HOUR).await.unwrap();
    retitle(content, &post, "고친 소식").await;
    let seen = previewed_post(content, &post.id, &link.token).await.unwrap();
    assert_eq!((&*seen.text.title, &*seen.post.text.title), ("고친 소식", "소식"));
    for (id, token) in [(&*post.id, "0"), ("other", &*link.token), ("a#b", &*link.token), (&*post.id, "")] {
        let refused = previewed_post(content, id, token).await.unwrap_err();
        assert_eq!(refused.code, ContentCode::PreviewUnknown, "{id} {token}");
    }
    let other = create_preview(content, "ann", &post.id, HOUR).await.unwrap();
    assert_ne!(other.token, link.token);
    ground.pass(3600);
    assert!(previewed_post(content, &post.id, &link.token).await.is_err(), "expired");
    let fresh = create_preview(content, "ann", &post.id, HOUR).await.unwrap();
    assert_eq!(revoke_previews(content, &post.id).await.unwrap(), 1, "expired links are gone");
    assert!(previewed_post(content, &post.id, &fresh.token).await.is_err(), "revoked");
    let unknown = create_preview(content, "ann", "none", HOUR).await.unwrap_err();
    assert_eq!(unknown.code, ContentCode::PostUnknown);
}

/// Two editors of a post see each other while their pages are open.
async fn editors_see_each_other(ground: Ground) {
    let content = &ground.content;
    assert!(seen_editing(content, "p", "ann").await.unwrap().is_empty());
    ground.pass(20);
    let others = seen_editing(content, "p", "bob").await.unwrap();
    assert_eq!((&*others[0].by, others[0].seen_at), ("ann", at(0)));
    ground.pass(41);
    let present = async || -> Vec<String> {
        editors_of(content, "p").await.unwrap().into_iter().map(|editor| editor.by).collect()
    };
    assert_eq!(present().await, ["bob"], "ann was not seen for a minute");
    left_editing(content, "p", "bob").await.unwrap();
    left_editing(content, "p", "bob").await.unwrap();
    assert!(present().await.is_empty());
}

/// A stale save gets both texts, and one that has what does not collide.
async fn a_stale_save_is_merged(ground: Ground) {
    let content = &ground.content;
    let with = |contents: &str| PostText { contents: contents.to_owned(), ..text("글") };
    let base = with("하나\n\n둘\n\n셋");
    let new = NewPost {
        category_id: "news".to_owned(),
        author_id: "ann".to_owned(),
        text: base.clone(),
        ..NewPost::default()
    };
    let post = create_post(content, "ann", new).await.unwrap();
    let save = |text: PostText, revision| Save { text, revision, keep: true };
    save_post(content, "bob", &post.id, &save(with("하나\n\n둘\n\n셋\n\n넷"), 1)).await.unwrap();
    let mine = with("하나!\n\n둘\n\n셋");
    let stale = save_post(content, "ann", &post.id, &save(mine.clone(), 1)).await.unwrap_err();
    assert_eq!(stale.code, ContentCode::PostChanged);
    let both = reconcile(content, &post.id, &base, &mine).await.unwrap();
    assert_eq!(both.theirs.text().contents, "하나\n\n둘\n\n셋\n\n넷");
    assert_eq!((&*both.merge.text.contents, both.merge.conflicts.len()), ("하나!\n\n둘\n\n셋\n\n넷", 0));
    let saved = save_post(content, "ann", &post.id, &save(both.merge.text, both.theirs.post.revision)).await;
    assert_eq!(saved.unwrap().text().contents, "하나!\n\n둘\n\n셋\n\n넷");
}

/// Search finds what visitors see now, in Korean too, and follows changes of other processes within seconds.
async fn visitors_find_what_they_see(ground: Ground) {
    let content = &ground.content;
    let search = Search::new();
    let post = ground.published("사업보고서 공개").await;
    ground.published("다른 소식").await;
    let draft = ground.post("보고 초안").await;
    let found = async |query: &str| -> Vec<String> {
        let hits = search.find(content, query, 0, 10).await.unwrap();
        hits.hits.into_iter().map(|hit| hit.post.text.title).collect()
    };
    assert_eq!(found("보고").await, ["사업보고서 공개"], "no draft");
    let hits = search.find(content, "보고서", 0, 10).await.unwrap();
    let marked: Vec<&str> =
        hits.hits[0].title.iter().filter(|piece| piece.marked).map(|piece| &*piece.text).collect();
    assert_eq!(marked, ["보고서"]);
    // An edit is not found before it is published.
    let edited = retitle(content, &post, "결산 자료").await;
    ground.pass(6);
    assert!(found("결산").await.is_empty());
    publish_post(content, "ann", &post.id, Publication::default(), edited.revision).await.unwrap();
    let period = Publication { publish_at: Some(at(100)), expires_at: Some(at(200)) };
    publish_post(content, "ann", &draft.id, period, 1).await.unwrap();
    ground.pass(6);
    assert_eq!(found("결산").await, ["결산 자료"]);
    assert!(found("보고").await.is_empty(), "the old text is gone, and the new post is not shown yet");
    ground.pass(90);
    assert_eq!(found("보고").await, ["보고 초안"]);
    ground.pass(100);
    assert!(found("보고").await.is_empty(), "it has expired");
    // A post that is taken back or deleted is gone at once, whatever the index says.
    let now = hansang_content::find_post(content, &post.id).await.unwrap();
    let taken = unpublish_post(content, "ann", &post.id, now.revision).await.unwrap();
    assert!(found("결산").await.is_empty());
    delete_post(content, &post.id, taken.post.revision).await.unwrap();
    ground.pass(6);
    assert!(found("결산").await.is_empty() && found("!?").await.is_empty());
}

/// Hits come in pages.
async fn hits_are_paged(ground: Ground) {
    let search = Search::new();
    for number in 0..5 {
        ground.published(&format!("소식 {number}")).await;
        ground.pass(1);
    }
    let (mut seen, mut skip) = (Vec::new(), 0);
    loop {
        let page = search.find(&ground.content, "소식", skip, 2).await.unwrap();
        seen.extend(page.hits.into_iter().map(|hit| hit.post.text.title));
        skip += 2;
        if !page.more {
            break;
        }
    }
    assert_eq!(seen, ["소식 4", "소식 3", "소식 2", "소식 1", "소식 0"]);
}

on_each_store!(
    a_preview_shows_the_draft,
    editors_see_each_other,
    a_stale_save_is_merged,
    visitors_find_what_they_see,
    hits_are_paged,
);
