//! Publishing, scheduling, expiry, order and addresses.

use hansang_content::{
    Addressed, ContentCode, PostText, Publication, Purged, Save, next_change, post_by_slug, publish_post,
    published, purge, save_post, unpublish_post, visible_post, working,
};
use hansang_core::db::Ask;
use hansang_core::{Item, Value, name};

use crate::grounds::{Ground, at, on_each_store, retitle, text};
use crate::inquiries::Scripted;

async fn titles(ground: &Ground) -> Vec<String> {
    let page = published(&ground.content, None, Ask::default()).await.unwrap();
    page.posts.into_iter().map(|post| post.text.title).collect()
}

/// Newest first is by publishing time: an old draft that is published today is first.
async fn the_newest_publication_is_first(ground: Ground) {
    let old = ground.post("오래된 초안").await;
    ground.pass(60);
    ground.published("어제 소식").await;
    ground.pass(60);
    publish_post(&ground.content, "ann", &old.id, Publication::default(), 1).await.unwrap();
    assert_eq!(titles(&ground).await, ["오래된 초안", "어제 소식"]);
    // Publishing an edit keeps the time of publishing.
    ground.pass(60);
    let news = published(&ground.content, None, Ask::default()).await.unwrap().posts.remove(1);
    let edited = retitle(&ground.content, &news, "고친 소식").await;
    publish_post(&ground.content, "ann", &news.id, Publication::default(), edited.revision).await.unwrap();
    assert_eq!(titles(&ground).await, ["오래된 초안", "고친 소식"]);
    assert!(working(&ground.content, &news.id).await.unwrap().draft.is_none());
}

/// A scheduled post appears at its time and disappears at its end, without a job.
async fn a_post_is_shown_in_its_period(ground: Ground) {
    let content = &ground.content;
    let post = ground.post("예약").await;
    let wrong = Publication { publish_at: Some(at(100)), expires_at: Some(at(100)) };
    let refused = publish_post(content, "ann", &post.id, wrong, 1).await.unwrap_err();
    assert_eq!(refused.code, ContentCode::PublicationInvalid);
    let period = Publication { publish_at: Some(at(100)), expires_at: Some(at(200)) };
    publish_post(content, "ann", &post.id, period, 1).await.unwrap();
    for (second, visible) in [(0, false), (99, false), (100, true), (199, true), (200, false)] {
        ground.pass(second - content.now().duration_since(at(0)).as_secs());
        assert_eq!(visible_post(content, &post.id).await.is_ok(), visible, "after {second} s");
        assert_eq!(titles(&ground).await.len(), usize::from(visible), "after {second} s");
        let next = [100, 200].into_iter().find(|change| *change > second).map(at);
        assert_eq!(next_change(content).await.unwrap(), next, "after {second} s");
    }
}

/// A post that is taken back is not visible, and its edited text is not lost.
async fn a_post_is_taken_back(ground: Ground) {
    let content = &ground.content;
    let post = ground.published("소식").await;
    let edited = retitle(content, &post, "고친 소식").await;
    let taken = unpublish_post(content, "ann", &post.id, edited.revision).await.unwrap();
    assert_eq!((taken.post.is_published(), &*taken.text().title), (false, "고친 소식"));
    assert!(visible_post(content, &post.id).await.is_err());
    assert!(titles(&ground).await.is_empty());
    let again =
        publish_post(content, "ann", &post.id, Publication::default(), taken.post.revision).await.unwrap();
    assert_eq!(again.text.slug.as_deref(), Some("소식"), "the address stays");
    assert_eq!(titles(&ground).await, ["고친 소식"]);
}

/// Slugs are unique; a changed one leads to the post; a title that is taken gets a number.
async fn addresses_lead_to_their_posts(ground: Ground) {
    let content = &ground.content;
    let one = ground.published("회사 소식").await;
    let two = ground.published("회사 소식").await;
    assert_eq!(
        (one.text.slug.as_deref(), two.text.slug.as_deref()),
        (Some("회사-소식"), Some("회사-소식-2"))
    );
    let slugged = |slug: &str| PostText { slug: Some(slug.to_owned()), ..text("회사 소식") };
    let save = Save { text: slugged("회사-소식"), revision: two.revision, keep: true };
    let saved = save_post(content, "ann", &two.id, &save).await.unwrap();
    let refused = publish_post(content, "ann", &two.id, Publication::default(), saved.post.revision).await;
    assert_eq!(refused.unwrap_err().code, ContentCode::SlugTaken);

    let save = Save { text: slugged("새-주소"), revision: one.revision, keep: true };
    let saved = save_post(content, "ann", &one.id, &save).await.unwrap();
    publish_post(content, "ann", &one.id, Publication::default(), saved.post.revision).await.unwrap();
    let found = post_by_slug(content, "회사-소식").await.unwrap();
    assert_eq!(found, Addressed::Moved("새-주소".to_owned()));
    let Addressed::Post(found) = post_by_slug(content, "새-주소").await.unwrap() else { panic!("moved") };
    assert_eq!(found.id, one.id);
    assert_eq!(post_by_slug(content, "없는-글").await.unwrap_err().code, ContentCode::PostUnknown);
    let draft = ground.post("초안").await;
    assert!(post_by_slug(content, "초안").await.is_err(), "{draft:?}");
}

/// Pages of a list follow each other.
async fn lists_are_paged(ground: Ground) {
    for number in 0..5 {
        ground.published(&format!("글 {number}")).await;
        ground.pass(1);
    }
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let ask = Ask { limit: Some(2), cursor, ..Ask::default() };
        let page = published(&ground.content, Some("news"), ask).await.unwrap();
        seen.extend(page.posts.into_iter().map(|post| post.text.title));
        // A reader takes some time.
        ground.pass(1);
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(seen, ["글 4", "글 3", "글 2", "글 1", "글 0"]);
}

/// Drafts change nothing that visitors, feeds and search engines see: the time of the text is that of its publication.
async fn a_draft_does_not_change_the_time_of_the_text(ground: Ground) {
    let content = &ground.content;
    let post = ground.published("소식").await;
    assert_eq!((post.text_at, post.text_at()), (Some(at(0)), at(0)));
    ground.pass(60);
    let edited = retitle(content, &post, "고친 소식").await;
    let seen = visible_post(content, &post.id).await.unwrap();
    assert_eq!((seen.text_at(), seen.updated_at), (at(0), at(60)));
    // Another end is no other text; the edit is.
    let ends = Publication { publish_at: None, expires_at: Some(at(9000)) };
    let updated = publish_post(content, "ann", &post.id, ends, edited.revision).await.unwrap();
    assert_eq!(updated.text_at(), at(60));
    ground.pass(60);
    let ends = Publication { publish_at: None, expires_at: Some(at(9999)) };
    let updated = publish_post(content, "ann", &post.id, ends, updated.revision).await.unwrap();
    assert_eq!(updated.text_at(), at(60));
    // A scheduled text is new when visitors get it.
    let later = ground.post("예약").await;
    let at_500 = Publication { publish_at: Some(at(500)), expires_at: None };
    assert_eq!(publish_post(content, "ann", &later.id, at_500, 1).await.unwrap().text_at(), at(500));
}

/// Posts that have ended do not take the places of others in a list, and the next purge takes them out of it.
async fn ended_posts_leave_no_gaps(ground: Ground) {
    let content = &ground.content;
    for number in 0..3 {
        ground.published(&format!("글 {number}")).await;
        ground.pass(1);
    }
    let mut ended = Vec::new();
    for number in 0..7 {
        let post = ground.post(&format!("공지 {number}")).await;
        let period = Publication { publish_at: None, expires_at: Some(at(100)) };
        ended.push(publish_post(content, "ann", &post.id, period, 1).await.unwrap());
        ground.pass(1);
    }
    ground.pass(100);
    let page = async |cursor| {
        let ask = Ask { limit: Some(2), cursor, ..Ask::default() };
        let page = published(content, None, ask).await.unwrap();
        (page.posts.into_iter().map(|post| post.text.title).collect::<Vec<_>>(), page.next)
    };
    let two_pages = async || {
        let (first, next) = page(None).await;
        let (second, end) = page(Some(next.expect("a third post"))).await;
        assert_eq!((first, second, end), (vec!["글 2".into(), "글 1".into()], vec!["글 0".to_owned()], None));
    };
    let positions = async || {
        let all = Item::from([(name!("scope"), Value::from("ALL"))]);
        content.db.query("livePosts", all, Ask::default()).await.unwrap().records.len()
    };
    two_pages().await;
    assert_eq!(positions().await, 10);
    let mailer = Scripted::default();
    assert_eq!(purge(content, &mailer).await.unwrap().posts, 7);
    assert_eq!((positions().await, purge(content, &mailer).await.unwrap()), (3, Purged::default()));
    two_pages().await;
    // One that is published again is listed again.
    publish_post(content, "ann", &ended[0].id, Publication::default(), ended[0].revision).await.unwrap();
    assert_eq!(positions().await, 4);
    assert!(titles(&ground).await.contains(&"공지 0".to_owned()));
}

/// A post has one time of publishing: a later one for what visitors see would hide it, which is refused with the way out.
async fn a_later_time_hides_no_visible_post(ground: Ground) {
    let content = &ground.content;
    let post = ground.published("소식").await;
    let edited = retitle(content, &post, "다음 주 소식").await;
    let later = Publication { publish_at: Some(at(1000)), expires_at: None };
    let refused = publish_post(content, "ann", &post.id, later, edited.revision).await.unwrap_err();
    assert_eq!(refused.violations[0].attribute, "publishAt");
    assert_eq!(titles(&ground).await, ["소식"]);
    assert_eq!(working(content, &post.id).await.unwrap().text().title, "다음 주 소식", "the draft is kept");
    // As the message says: taken back first, it can be scheduled.
    let taken = unpublish_post(content, "ann", &post.id, edited.revision).await.unwrap();
    publish_post(content, "ann", &post.id, later, taken.post.revision).await.unwrap();
    assert!(titles(&ground).await.is_empty());
    ground.pass(1000);
    assert_eq!(titles(&ground).await, ["다음 주 소식"]);
}

on_each_store!(
    the_newest_publication_is_first,
    a_post_is_shown_in_its_period,
    a_post_is_taken_back,
    addresses_lead_to_their_posts,
    lists_are_paged,
    a_draft_does_not_change_the_time_of_the_text,
    ended_posts_leave_no_gaps,
    a_later_time_hides_no_visible_post,
);
