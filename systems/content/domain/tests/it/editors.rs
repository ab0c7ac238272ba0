//! Several editors at once, on a store with injected faults.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use hansang_content::{
    Content, ContentCode, NewCategory, NewPost, Publication, Save, Search, create_category, create_post,
    delete_category, find_category, find_post, move_post, publish_post, published, save_post, unpublish_post,
    version, visible_post, working,
};
use hansang_core::db::{Ask, Clock};
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

/// The versions that an editor was told are saved: post, revision and title.
type Saved = Vec<(String, i64, String)>;

fn clock(start: u64) -> Clock {
    let (count, seconds) = (AtomicU64::new(start << 32), AtomicI64::new(0));
    Clock::new(move || {
        let random = u128::from(count.fetch_add(1, Ordering::Relaxed));
        Moment { now: at(seconds.fetch_add(1, Ordering::Relaxed) / 7), random }
    })
}

/// One editor: saves, publishes, takes back, moves, and tries to delete categories.
async fn edit(content: Content, ids: Vec<String>, seed: u64) -> Saved {
    let mut chance = fastrand::Rng::with_seed(seed);
    let by = format!("e{seed}");
    let mut saved = Saved::new();
    let search = Search::new();
    for step in 0..STEPS {
        let id = &ids[chance.usize(..ids.len())];
        let Ok(now) = working(&content, id).await else { continue };
        let revision = now.post.revision;
        let result: Result<(), Error> = match chance.u32(..6) {
            0 => publish_post(&content, &by, id, Publication::default(), revision).await.map(drop),
            1 => unpublish_post(&content, &by, id, revision).await.map(drop),
            2 => move_post(&content, id, CATEGORIES[chance.usize(..CATEGORIES.len())]).await.map(drop),
            3 => delete_category(&content, CATEGORIES[chance.usize(..CATEGORIES.len())]).await,
            _ => {
                let title = format!("{by} {step}");
                let save = Save { text: text(&title), revision, keep: true };
                let result = save_post(&content, &by, id, &save).await;
                if result.is_ok() {
                    saved.push((id.clone(), revision + 1, title));
                }
                result.map(drop)
            }
        };
        if let Err(error) = result {
            let expected = matches!(error.kind, ErrorKind::Unavailable | ErrorKind::Precondition)
                || error.code == ContentCode::CategoryHasPosts
                || error.code == ContentCode::CategoryUnknown
                || error.code == CoreCode::Contended;
            assert!(expected, "{error:?}");
        }
        if chance.bool()
            && let Ok(seen) = visible_post(&content, id).await
        {
            assert!(seen.is_published(), "a visitor saw a draft: {seen:?}");
        }
        if let Ok(found) = search.find(&content, "e1", 0, 10).await {
            assert!(found.hits.iter().all(|hit| hit.post.is_published()), "a visitor found a draft: {found:?}");
        }
        tokio::task::yield_now().await;
    }
    saved
}

/// No saved text is lost, a post is in one category, slugs are unique, categories with posts stay, lists show what is
/// published.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn editors_at_once_lose_nothing() {
    let mut acknowledged = 0;
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
        for editor in editors {
            for (id, revision, title) in editor.await.unwrap() {
                assert_eq!(version(&calm, &id, revision).await.unwrap().text.title, title, "seed {seed}");
                acknowledged += 1;
            }
        }
        // Everything that was published is in the past of this clock.
        let later = Clock::new(|| Moment { now: at(1_000_000), random: 0 });
        check(&content(memory, later), &ids, seed).await;
    }
    assert!(acknowledged > SEEDS * 20, "{acknowledged}");
}

async fn check(content: &Content, ids: &[String], seed: u64) {
    check_items(content).await;
    let mut of_category: BTreeMap<String, i64> = BTreeMap::new();
    let mut slugs = BTreeSet::new();
    let mut live = BTreeSet::new();
    for id in ids {
        let post = find_post(content, id).await.unwrap();
        *of_category.entry(post.category_id.clone()).or_default() += 1;
        if post.is_published() {
            assert!(slugs.insert(post.text.slug.clone().unwrap()), "seed {seed}: a slug twice");
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
