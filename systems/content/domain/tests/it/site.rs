//! Banners, the company, users, categories, and posts as editors list them.

use std::collections::BTreeSet;
use std::time::Duration;

use hansang_content::{
    Addressed, BannerText, ContentCode, CorpInfo, Event, NewMedia, NewPost, PostFilter, PostText,
    Publication, Save, Standing, UserText, WebhookText, banners, begin_media, categories, change_banner,
    change_category, change_user, corp_info, create_banner, create_post, create_preview, create_template,
    create_user, create_webhook, delete_banner, delete_post, delete_user, find_banner, find_post,
    finish_media, next_change, order_banners, order_categories, post_by_slug, posts, publish_post, published,
    relist_all, save_corp_info, save_post, seen_editing, submit, test_webhook, unpublish_post, users,
    visible_banners,
};
use hansang_core::db::Ask;
use hansang_core::plan::Scan;
use hansang_core::{Item, Value};

use crate::grounds::{Ground, at, check_items, on_each_store, retitle, text};
use crate::inquiries::inquiry;

fn banner(title: &str) -> BannerText {
    BannerText { title: title.to_owned(), img_uri: "/media/x/1024.jpg".to_owned(), ..BannerText::default() }
}

/// C5, C10, C23: banners are in order, and each is shown in its period, decided when it is read.
async fn banners_are_shown_in_order_and_period(ground: Ground) {
    let content = &ground.content;
    let one = create_banner(content, &banner("하나")).await.unwrap();
    let period =
        BannerText { publish_at: Some(at(100)), expires_at: Some(at(200).as_second()), ..banner("둘") };
    let two = create_banner(content, &period).await.unwrap();
    assert_eq!((one.order, two.order), (Some(0), Some(1)));
    order_banners(content, &[two.id.clone(), one.id.clone()]).await.unwrap();
    let titles = async || -> Vec<String> {
        visible_banners(content).await.unwrap().into_iter().map(|banner| banner.text.title).collect()
    };
    for (second, shown, next) in
        [(0, vec!["하나"], Some(100)), (100, vec!["둘", "하나"], Some(200)), (200, vec!["하나"], None)]
    {
        ground.pass(second - content.now().duration_since(at(0)).as_secs());
        assert_eq!(titles().await, shown, "after {second} s");
        assert_eq!(next_change(content).await.unwrap(), next.map(at), "after {second} s");
    }
    assert_eq!(banners(content).await.unwrap().len(), 2, "editors see all");
    let unknown = order_banners(content, &[one.id.clone(), "none".to_owned()]).await.unwrap_err();
    assert_eq!(unknown.code, ContentCode::BannerUnknown);
    assert!(order_banners(content, &[one.id.clone(), one.id.clone()]).await.is_err(), "twice");
}

/// A stale change of a banner is refused; wrong fields are reported at once.
async fn banners_are_changed_and_deleted(ground: Ground) {
    let content = &ground.content;
    let one = create_banner(content, &banner("하나")).await.unwrap();
    let changed = change_banner(content, &one.id, &banner("둘"), one.revision).await.unwrap();
    let stale = change_banner(content, &one.id, &banner("셋"), one.revision).await.unwrap_err();
    assert_eq!(stale.code, ContentCode::Changed);
    assert_eq!(find_banner(content, &one.id).await.unwrap().text.title, "둘");
    let wrong = BannerText {
        img_uri: "javascript:alert(1)".to_owned(),
        btn1_url: Some("//evil.example".to_owned()),
        publish_at: Some(at(100)),
        expires_at: Some(at(50).as_second()),
        ..banner(" ")
    };
    let refused = create_banner(content, &wrong).await.unwrap_err();
    let fields: Vec<&str> = refused.violations.iter().map(|problem| &*problem.attribute).collect();
    assert_eq!(fields, ["title", "imgUri", "btn1Url", "expiresAt"]);
    assert!(delete_banner(content, &one.id, one.revision).await.is_err());
    delete_banner(content, &one.id, changed.revision).await.unwrap();
    assert_eq!(find_banner(content, &one.id).await.unwrap_err().code, ContentCode::BannerUnknown);
}

/// C11, C24: there is one company; a stale save is refused.
async fn the_company_is_saved(ground: Ground) {
    let content = &ground.content;
    let empty = corp_info(content).await.unwrap();
    assert_eq!(empty, CorpInfo::default());
    let info = |email: &str, revision| CorpInfo {
        name: Some("한상".to_owned()),
        email: Some(email.to_owned()),
        fax: Some(" ".to_owned()),
        revision,
        ..CorpInfo::default()
    };
    let saved = save_corp_info(content, &info("a@example.com", 0)).await.unwrap();
    assert_eq!((saved.revision, &saved.fax), (1, &None));
    let stale = save_corp_info(content, &info("b@example.com", 0)).await.unwrap_err();
    assert_eq!(stale.code, ContentCode::Changed);
    assert_eq!(save_corp_info(content, &info("b@example.com", 1)).await.unwrap().revision, 2);
    assert!(save_corp_info(content, &info("not an address", 2)).await.is_err());
}

/// C7, C19: authors are changed and deleted, and their posts stay readable.
async fn users_come_and_go(ground: Ground) {
    let content = &ground.content;
    let named = |name: &str| UserText { display_name: name.to_owned(), ..UserText::default() };
    let ann = create_user(content, Some("ann".to_owned()), &named("안")).await.unwrap();
    assert!(create_user(content, Some("ann".to_owned()), &named("둘")).await.is_err());
    let post = ground.published("글").await;
    let changed = change_user(content, "ann", &named("안나"), ann.revision).await.unwrap();
    assert_eq!(users(content).await.unwrap(), [changed.clone()]);
    assert_eq!(delete_user(content, "ann", 1).await.unwrap_err().code, ContentCode::Changed);
    delete_user(content, "ann", changed.revision).await.unwrap();
    assert_eq!(find_post(content, &post.id).await.unwrap().author_id, "ann");
}

/// C8: the menu is put in order in one transaction.
async fn categories_are_changed_and_put_in_order(ground: Ground) {
    let content = &ground.content;
    let ids = async || -> Vec<String> {
        categories(content).await.unwrap().into_iter().map(|one| one.id).collect()
    };
    assert_eq!(ids().await, ["news", "products"]);
    order_categories(content, &["products".to_owned(), "news".to_owned()]).await.unwrap();
    assert_eq!(ids().await, ["products", "news"]);
    let unknown = order_categories(content, &["news".to_owned(), "none".to_owned()]).await.unwrap_err();
    assert_eq!(unknown.code, ContentCode::CategoryUnknown);
    assert_eq!(ids().await, ["products", "news"], "nothing was written");
    let news = categories(content).await.unwrap().remove(1);
    let changed = change_category(content, "news", "새 소식", Some("설명"), news.revision).await.unwrap();
    assert_eq!((&*changed.title, &changed.slug), ("새 소식", &news.slug));
    let stale = change_category(content, "news", "다른", None, news.revision).await.unwrap_err();
    assert_eq!(stale.code, ContentCode::Changed);
}

/// Editors see posts in every state.
async fn editors_list_posts_in_every_state(ground: Ground) {
    let content = &ground.content;
    let draft = ground.post("초안").await;
    ground.pass(1);
    let later = ground.post("예약").await;
    let at_100 = Publication { publish_at: Some(at(100)), ..Publication::default() };
    publish_post(content, "ann", &later.id, at_100, 1).await.unwrap();
    ground.pass(1);
    let seen = ground.published("게시").await;
    retitle(content, &seen, "고친").await;
    let list = async |standing, category: Option<&str>| -> Vec<(String, bool)> {
        let filter = PostFilter { category_id: category.map(str::to_owned), standing };
        let page = posts(content, &filter, Ask::default()).await.unwrap();
        page.posts.into_iter().map(|one| (one.post.id, one.has_draft)).collect()
    };
    let all = [(seen.id.clone(), true), (later.id.clone(), false), (draft.id.clone(), false)];
    assert_eq!(list(None, None).await, all);
    assert_eq!(list(None, Some("news")).await, all);
    assert!(list(None, Some("products")).await.is_empty());
    for (standing, id) in
        [(Standing::Draft, &draft.id), (Standing::Scheduled, &later.id), (Standing::Visible, &seen.id)]
    {
        assert_eq!(list(Some(standing), None).await.len(), 1);
        assert_eq!(&list(Some(standing), None).await[0].0, id);
    }
}

/// A post that another program published is visible but not listed, until it is repaired.
async fn unlisted_posts_are_listed(ground: Ground) {
    let content = &ground.content;
    let fields =
        [("id", "old"), ("categoryId", "news"), ("authorId", "x"), ("title", "옛 글"), ("contents", "c")];
    let fields: Item = fields.into_iter().map(|(name, value)| (name.into(), Value::from(value))).collect();
    content.db.create("Post", fields).await.unwrap();
    assert!(published(content, None, Ask::default()).await.unwrap().posts.is_empty());
    assert_eq!(relist_all(content).await.unwrap().listed, 1);
    let listed = published(content, Some("news"), Ask::default()).await.unwrap().posts;
    assert_eq!((&*listed[0].id, listed[0].publish_at), ("old", Some(at(0))));
    assert!(post_by_slug(content, "옛-글").await.is_ok());
    assert_eq!(relist_all(content).await.unwrap().listed, 0);
    let taken = unpublish_post(content, "ann", "old", listed[0].revision).await.unwrap();
    assert!(!taken.post.is_published());
}

/// C21, C22, C30, Cs4: a post that a program put into the table as document 000 has it is found by its id and listed.
async fn a_raw_post_becomes_a_whole_one(ground: Ground) {
    let content = &ground.content;
    let item = |id: &str, more: &[(&str, &str)]| -> Item {
        let (sk, created) = (format!("POST#{id}"), "2025-11-12T05:00:00Z");
        let fields = [
            ("PK", "CATEGORY#news"),
            ("SK", &*sk),
            ("Type", "Post"),
            ("id", id),
            ("categoryId", "news"),
            ("authorId", "u001"),
            ("title", "첫 글"),
            ("contents", "본문"),
            ("CreatedAt", created),
            ("UpdatedAt", created),
        ];
        let fields = fields.iter().chain(more);
        fields.map(|(name, value)| ((*name).into(), Value::from(*value))).collect()
    };
    let items =
        vec![item("p001", &[]), item("p002", &[("slug", "mine"), ("publishAt", "2025-11-13T05:00:00Z")])];
    content.db.store().batch_put(content.db.table(), items).await.unwrap();
    assert!(find_post(content, "p001").await.is_err(), "nothing leads from the id to the post");
    let sum = relist_all(content).await.unwrap();
    assert_eq!((sum.posts, sum.identified, sum.listed, sum.unreadable), (2, 2, 2, 0));
    let listed = published(content, Some("news"), Ask::default()).await.unwrap().posts;
    let shown: Vec<_> = listed.iter().map(|post| (&*post.id, post.text.slug.as_deref())).collect();
    assert_eq!(shown, [("p002", Some("mine")), ("p001", Some("첫-글"))]);
    assert_eq!(listed[1].publish_at, Some("2025-11-12T05:00:00Z".parse().unwrap()));
    for slug in ["mine", "첫-글"] {
        assert!(matches!(post_by_slug(content, slug).await, Ok(Addressed::Post(_))), "{slug}");
    }
    let again = relist_all(content).await.unwrap();
    assert_eq!((again.posts, again.identified, again.listed), (2, 0, 0));
    let post = find_post(content, "p001").await.unwrap();
    unpublish_post(content, "ann", "p001", post.revision).await.unwrap();
    assert_eq!(relist_all(content).await.unwrap().listed, 0, "a draft is not listed");
}

/// C6: items of every kind have their type and times, also those that other tests do not write.
async fn every_item_has_a_type_and_times(ground: Ground) {
    let content = &ground.content;
    let post = ground.published("소식").await;
    retitle(content, &post, "고친 소식").await;
    create_banner(content, &banner("하나")).await.unwrap();
    create_preview(content, "ann", &post.id, Duration::from_secs(60)).await.unwrap();
    seen_editing(content, &post.id, "ann").await.unwrap();
    create_template(content, "견적", "{name}님").await.unwrap();
    let hook = WebhookText {
        url: "https://hooks.example.com/a".to_owned(),
        secret: "a secret of 16 or more".to_owned(),
        events: vec![Event::PostPublished],
        active: true,
    };
    let hook = create_webhook(content, &hook).await.unwrap();
    test_webhook(content, &hook.id).await.unwrap();
    let user = UserText { display_name: "이작가".to_owned(), ..UserText::default() };
    create_user(content, None, &user).await.unwrap();
    save_corp_info(content, &CorpInfo { email: Some("a@example.com".to_owned()), ..CorpInfo::default() })
        .await
        .unwrap();
    submit(content, &inquiry()).await.unwrap();
    let picture = NewMedia {
        filename: "a.png".to_owned(),
        content_type: "image/png".to_owned(),
        size: 1,
        pixels: Some((1, 1)),
        alt: None,
        variants: Vec::new(),
    };
    let media = begin_media(content, "ann", &picture).await.unwrap();
    finish_media(content, &media.id).await.unwrap();
    let shows = PostText { thumbnail_url: Some(media.path()), ..text("그림") };
    let new = NewPost {
        category_id: "news".to_owned(),
        author_id: "ann".to_owned(),
        text: shows,
        ..NewPost::default()
    };
    create_post(content, "ann", new).await.unwrap();
    check_items(content).await;
    let scan = Scan { index: None, limit: 1000, start: None, consistent: true };
    let items = content.db.store().scan(content.db.table(), &scan).await.unwrap().items;
    let kinds: BTreeSet<&str> = items.iter().filter_map(|item| item.get("Type")?.as_str()).collect();
    for kind in [
        "Banner",
        "Category",
        "ContactInquiry",
        "CorpInfo",
        "Draft",
        "InquiryMail",
        "LivePost",
        "Media",
        "MediaUse",
        "Outbox",
        "Post",
        "PostChange",
        "PostEditor",
        "PostSlug",
        "PostVersion",
        "Preview",
        "ReplyTemplate",
        "User",
        "Webhook",
        "WebhookDelivery",
    ] {
        assert!(kinds.contains(kind), "{kind} is not among {kinds:?}");
    }
}

/// C2: the name of the table comes from the model, with the environment behind it.
#[test]
fn the_table_has_its_environment() {
    let model = hansang_core::compile(hansang_content::MODEL.as_bytes()).unwrap();
    assert_eq!(
        (&*model.table.in_env(None).name, &*model.table.in_env(Some("dev")).name),
        ("FMWebAppTable", "FMWebAppTable-dev")
    );
}

/// The addresses of a deleted post are free: also that of an unpublished one, and those that redirected to it.
async fn addresses_of_deleted_posts_are_free(ground: Ground) {
    let content = &ground.content;
    let post = ground.published("소식").await;
    let moved = PostText { slug: Some("새-소식".to_owned()), ..text("소식") };
    let save = Save { text: moved, revision: post.revision, keep: true };
    let saved = save_post(content, "ann", &post.id, &save).await.unwrap();
    let post =
        publish_post(content, "ann", &post.id, Publication::default(), saved.post.revision).await.unwrap();
    let taken = unpublish_post(content, "ann", &post.id, post.revision).await.unwrap();
    delete_post(content, &post.id, taken.post.revision).await.unwrap();
    assert_eq!(ground.published("소식").await.text.slug.as_deref(), Some("소식"));
    assert_eq!(ground.published("새 소식").await.text.slug.as_deref(), Some("새-소식"));
    // A draft that wanted the address of another post frees nothing of it.
    let draft = create_post(
        content,
        "ann",
        NewPost {
            category_id: "news".to_owned(),
            author_id: "ann".to_owned(),
            text: PostText { slug: Some("소식".to_owned()), ..text("다른 글") },
            ..NewPost::default()
        },
    );
    let draft = draft.await.unwrap();
    delete_post(content, &draft.id, 1).await.unwrap();
    assert!(post_by_slug(content, "소식").await.is_ok());
}

on_each_store!(
    banners_are_shown_in_order_and_period,
    banners_are_changed_and_deleted,
    the_company_is_saved,
    users_come_and_go,
    categories_are_changed_and_put_in_order,
    editors_list_posts_in_every_state,
    unlisted_posts_are_listed,
    a_raw_post_becomes_a_whole_one,
    every_item_has_a_type_and_times,
    addresses_of_deleted_posts_are_free,
);
