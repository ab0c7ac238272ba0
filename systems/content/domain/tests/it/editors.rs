//! Several editors at once, on a store with injected faults.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use hansang_content::{
    Addressed, Content, ContentCode, NewCategory, NewPost, PostFilter, PostVersion, Publication, Save,
    Search, VersionEvent, categories, create_category, create_post, delete_category, delete_post,
    discard_draft, find_category, find_post, move_post, post_by_slug, posts, publish_post, published,
    restore_version, save_post, unpublish_post, version, versions, visible_post, working,
};
use hansang_core::db::{Ask, Clock};
use hansang_core::plan::Scan;
use hansang_core::write::Moment;
use hansang_core::{CoreCode, Error, ErrorKind, Item, Store, Value, name};
use hansang_testkit::faults::{Faults, Faulty};
use hansang_testkit::memory::Memory;

use crate::grounds::{at, check_items, content, text};

const CATEGORIES: [&str; 3] = ["a", "b", "c"];
const POSTS: usize = 4;
const EDITORS: u64 = 4;
const STEPS: usize = 40;
const SEEDS: u64 = 20;

/// What an editor was told.
#[derive(Default)]
struct Told {
    /// The versions that are saved: post, revision and title.
    saved: Vec<(String, i64, String)>,
    /// The texts that a restored version or a discarded draft has replaced: post and title. Some were saved by themselves.
    replaced: Vec<(String, String)>,
}

fn clock(start: u64) -> Clock {
    let (count, seconds) = (AtomicU64::new(start << 32), AtomicI64::new(0));
    Clock::new(move || {
        let random = u128::from(count.fetch_add(1, Ordering::Relaxed));
        Moment { now: at(seconds.fetch_add(1, Ordering::Relaxed) / 7), random }
    })
}

/// One editor: saves, also without a version, restores, discards, publishes, takes back and moves posts, creates and deletes
/// own ones, and creates and tries to delete categories.
async fn edit(content: Content, ids: Vec<String>, seed: u64) -> Told {
    let mut chance = fastrand::Rng::with_seed(seed);
    let by = format!("e{seed}");
    let mut told = Told::default();
    let mut own = Vec::new();
    let search = Search::new();
    for step in 0..STEPS {
        let id = &ids[chance.usize(..ids.len())];
        let Ok(now) = working(&content, id).await else { continue };
        let revision = now.post.revision;
        let now_title = now.text().title.clone();
        let result: Result<(), Error> = match chance.u32(..12) {
            0 => publish_post(&content, &by, id, Publication::default(), revision).await.map(drop),
            1 => unpublish_post(&content, &by, id, revision).await.map(drop),
            2 => move_post(&content, id, CATEGORIES[chance.usize(..CATEGORIES.len())]).await.map(drop),
            3 => delete_category(&content, CATEGORIES[chance.usize(..CATEGORIES.len())]).await,
            4 => {
                let result = discard_draft(&content, &by, id, revision).await;
                if result.is_ok() {
                    told.replaced.push((id.clone(), now_title));
                }
                result.map(drop)
            }
            5 => {
                let first =
                    versions(&content, id, Ask::default()).await.map(|page| page.versions.into_iter().last());
                let Ok(Some(first)) = first else { continue };
                let result = restore_version(&content, &by, id, first.revision, revision).await;
                if result.is_ok() {
                    told.replaced.push((id.clone(), now_title));
                }
                result.map(drop)
            }
            6 => {
                let save = Save { text: text(&format!("{by} {step} by itself")), revision, keep: false };
                save_post(&content, &by, id, &save).await.map(drop)
            }
            7 => {
                let category_id = CATEGORIES[chance.usize(..CATEGORIES.len())].to_owned();
                let text = text("같은 제목");
                let new = NewPost { category_id, author_id: by.clone(), text, ..NewPost::default() };
                create_post(&content, &by, new).await.map(|post| own.push(post.id))
            }
            8 => {
                let Some(id) = own.pop() else { continue };
                let Ok(post) = find_post(&content, &id).await else { continue };
                delete_post(&content, &id, post.revision).await
            }
            9 => {
                let (title, slug) = ("같은 분류".to_owned(), Some("같은-분류".to_owned()));
                create_category(&content, NewCategory { title, slug, ..NewCategory::default() })
                    .await
                    .map(drop)
            }
            _ => {
                let title = format!("{by} {step}");
                let save = Save { text: text(&title), revision, keep: true };
                let result = save_post(&content, &by, id, &save).await;
                if result.is_ok() {
                    told.saved.push((id.clone(), revision + 1, title));
                }
                result.map(drop)
            }
        };
        if let Err(error) = result {
            let expected = matches!(error.kind, ErrorKind::Unavailable | ErrorKind::Precondition)
                || error.code == ContentCode::CategoryHasPosts
                || error.code == ContentCode::CategoryUnknown
                || error.code == ContentCode::NoDraft
                || error.code == ContentCode::PostUnknown
                || error.code == CoreCode::NotUnique
                || error.code == CoreCode::Contended;
            assert!(expected, "{error:?}");
        }
        if chance.bool()
            && let Ok(seen) = visible_post(&content, id).await
        {
            assert!(seen.is_published(), "a visitor saw a draft: {seen:?}");
        }
        if let Ok(Addressed::Post(seen)) = post_by_slug(&content, "같은-제목").await {
            assert!(seen.is_published(), "a visitor saw a draft: {seen:?}");
        }
        if let Ok(found) = search.find(&content, "e1", 0, 10).await {
            assert!(
                found.hits.iter().all(|hit| hit.post.is_published()),
                "a visitor found a draft: {found:?}"
            );
        }
        tokio::task::yield_now().await;
    }
    told
}

/// No saved text is lost, a post is in one category, slugs are unique, categories with posts stay, lists show what is
/// published.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn editors_at_once_lose_nothing() {
    let (mut acknowledged, mut replaced, mut looks) = (0, 0, 0);
    for seed in 0..SEEDS {
        let memory = Arc::new(Memory::new());
        let calm = content(memory.clone(), clock(0));
        calm.db.ensure_table().await.unwrap();
        for id in CATEGORIES {
            let new = NewCategory { id: Some(id.to_owned()), title: id.to_owned(), ..NewCategory::default() };
            create_category(&calm, new).await.unwrap();
        }
        let mut ids = Vec::new();
        for number in 0..POSTS {
            let new = NewPost {
                category_id: CATEGORIES[number % 2].to_owned(),
                author_id: "ann".to_owned(),
                text: text("같은 제목"),
                ..NewPost::default()
            };
            ids.push(create_post(&calm, "ann", new).await.unwrap().id);
        }
        let faults = Faults {
            throttle: 0.02,
            conflict: 0.02,
            timeout_before: 0.02,
            timeout_after: 0.02,
            ..Faults::default()
        };
        let editors: Vec<_> = (1..=EDITORS)
            .map(|editor| {
                let store: Arc<dyn Store> = Arc::new(Faulty::new(memory.clone(), faults, seed * 10 + editor));
                let content = content(store, clock(editor));
                tokio::spawn(edit(content, ids.clone(), seed * 100 + editor))
            })
            .collect();
        // Everything that was published is in the past of this clock.
        let later = Clock::new(|| Moment { now: at(1_000_000), random: 0 });
        let later = content(memory.clone(), later);
        let done = Arc::new(AtomicBool::new(false));
        let observer = tokio::spawn(observe(later.clone(), done.clone(), seed));
        for editor in editors {
            let told = editor.await.unwrap();
            for (id, title) in told.replaced {
                let kept = all_versions(&calm, &id).await;
                assert!(kept.contains(&title), "seed {seed}: {title} of {id} is lost: {kept:?}");
                replaced += 1;
            }
            for (id, revision, title) in told.saved {
                assert_eq!(version(&calm, &id, revision).await.unwrap().text.title, title, "seed {seed}");
                acknowledged += 1;
            }
        }
        done.store(true, Ordering::Relaxed);
        looks += observer.await.unwrap();
        check(&later, seed).await;
    }
    assert!(looks > SEEDS as usize * 5, "{looks}");
    assert!(acknowledged > SEEDS * 10 && replaced > SEEDS, "{acknowledged} {replaced}");
}

/// Looks at the stored items, and at what visitors see, while others edit. Returns the number of looks.
async fn observe(content: Content, done: Arc<AtomicBool>, seed: u64) -> usize {
    let mut looks = 0;
    while !done.load(Ordering::Relaxed) {
        let scan = Scan { index: None, limit: 10_000, start: None, consistent: true };
        let page = content.db.store().scan(content.db.table(), &scan).await.unwrap();
        assert!(page.next.is_none(), "one read is one state");
        check_state(&page.items, seed);
        let ask = Ask { limit: Some(100), ..Ask::default() };
        for post in published(&content, None, ask).await.unwrap().posts {
            assert!(post.is_published(), "seed {seed}: a visitor saw a draft: {post:?}");
            let of_post =
                versions(&content, &post.id, Ask { limit: Some(500), ..Ask::default() }).await.unwrap();
            let was_published =
                |one: &PostVersion| one.event == VersionEvent::Published && one.text == post.text;
            assert!(of_post.versions.iter().any(was_published), "seed {seed}: a draft was shown: {post:?}");
        }
        looks += 1;
        tokio::task::yield_now().await;
    }
    looks
}

/// In every state a post is in one category, which is there and counts it, and no address names two published posts.
fn check_state(items: &[Item], seed: u64) {
    let text =
        |item: &Item, name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let of = |entity: &'static str| items.iter().filter(move |item| text(item, "Type") == entity);
    let (mut ids, mut slugs) = (BTreeSet::new(), BTreeSet::new());
    let mut counts: BTreeMap<String, i64> = BTreeMap::new();
    for post in of("Post") {
        assert!(ids.insert(text(post, "id")), "seed {seed}: a post in two categories: {post:?}");
        *counts.entry(text(post, "categoryId")).or_default() += 1;
        if text(post, "state") == "published" {
            assert!(slugs.insert(text(post, "slug")), "seed {seed}: a slug twice: {post:?}");
        }
    }
    for category in of("Category") {
        let counted = category.get("posts").and_then(Value::as_number).and_then(|posts| posts.to_i64());
        let posts = counts.remove(&text(category, "id")).unwrap_or_default();
        assert_eq!(counted.unwrap_or_default(), posts, "seed {seed}: {category:?}");
    }
    assert!(counts.is_empty(), "seed {seed}: posts of a category that is gone: {counts:?}");
}

/// The titles of all versions of a post.
async fn all_versions(content: &Content, id: &str) -> BTreeSet<String> {
    let (mut titles, mut cursor) = (BTreeSet::new(), None);
    loop {
        let page = versions(content, id, Ask { cursor, ..Ask::default() }).await.unwrap();
        titles.extend(page.versions.into_iter().map(|version| version.text.title));
        cursor = page.next;
        if cursor.is_none() {
            return titles;
        }
    }
}

async fn check(content: &Content, seed: u64) {
    check_items(content).await;
    let ask = Ask { limit: Some(1000), ..Ask::default() };
    let all = posts(content, &PostFilter::default(), ask).await.unwrap();
    assert!(all.next.is_none() && all.posts.len() >= POSTS, "seed {seed}");
    let ids: Vec<String> = all.posts.into_iter().map(|one| one.post.id).collect();
    let named = categories(content).await.unwrap();
    let twins = named.iter().filter(|category| category.slug.as_deref() == Some("같은-분류")).count();
    assert!(twins <= 1, "seed {seed}: a slug of categories twice");
    let mut of_category: BTreeMap<String, i64> = BTreeMap::new();
    let mut slugs = BTreeSet::new();
    let mut live = BTreeSet::new();
    for id in &ids {
        let post = find_post(content, id).await.unwrap();
        *of_category.entry(post.category_id.clone()).or_default() += 1;
        if post.is_published() {
            let slug = post.text.slug.clone().unwrap();
            let found = post_by_slug(content, &slug).await.unwrap();
            assert_eq!(found, Addressed::Post(Box::new(post.clone())), "seed {seed}");
            assert!(slugs.insert(slug), "seed {seed}: a slug twice");
            live.insert((post.category_id.clone(), id.clone()));
        }
        // The post is found in its own category and in no other one.
        for category in CATEGORIES {
            let key =
                Item::from([(name!("categoryId"), Value::from(category)), (name!("id"), id.as_str().into())]);
            let there = content.db.stored("Post", &key).await.unwrap().is_some();
            assert_eq!(there, category == post.category_id, "seed {seed}: {id} in {category}");
        }
    }
    for (category, count) in &of_category {
        assert_eq!(find_category(content, category).await.unwrap().posts, *count, "seed {seed}");
    }
    let listed = async |category: Option<&str>| -> BTreeSet<(String, String)> {
        let ask = Ask { limit: Some(100), ..Ask::default() };
        let page = published(content, category, ask).await.unwrap();
        page.posts.into_iter().map(|post| (post.category_id, post.id)).collect()
    };
    assert_eq!(listed(None).await, live, "seed {seed}");
    for category in CATEGORIES {
        let own: BTreeSet<_> = live.iter().filter(|(of, _)| of == category).cloned().collect();
        assert_eq!(listed(Some(category)).await, own, "seed {seed}: {category}");
    }
}
