//! Migrations that are cut off at random points, on a store with injected faults, with changes between the runs.

use std::collections::{BTreeMap, BTreeSet};
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use hansang_content::migrate::{Finding, FindingKind, LegacyTable, Options, Report, Row, migrate, verify};
use hansang_content::{Content, find_post};
use hansang_core::db::{Ask, Clock};
use hansang_core::write::Moment;
use hansang_core::{Item, Value, name};
use hansang_testkit::faults::{Faults, Faulty};
use hansang_testkit::memory::Memory;
use serde_json::{Value as Json, json};

use super::rows::{Pages, options, problems, row};
use crate::grounds::{at, content, retitle};

const SEEDS: u64 = 20;
const POSTS: usize = 60;

fn clock() -> Clock {
    let (count, seconds) = (AtomicU64::new(1), AtomicI64::new(0));
    Clock::new(move || {
        let random = u128::from(count.fetch_add(1, Ordering::Relaxed));
        Moment { now: at(seconds.fetch_add(1, Ordering::Relaxed) / 9), random }
    })
}

/// One of these, or nothing.
fn one(chance: &mut fastrand::Rng, values: &[Json]) -> Json {
    values[chance.usize(..values.len())].clone()
}

fn post(chance: &mut fastrand::Rng, id: &str) -> Row {
    let times = [json!("2025-11-12T05:00:00.123456+00:00"), json!("어제"), json!(null), json!(1_762_923_600)];
    let categories =
        [json!("news"), json!("소식"), json!("없는 분류"), json!(null), json!("c0"), json!("NEWS")];
    let contents = [
        json!("# 제목"),
        json!("본문\n둘째"),
        json!(null),
        json!({ "type": "doc", "content": [] }),
        json!(3),
    ];
    let names = [json!("김대연"), json!("Kim"), json!(null), json!("")];
    let slugs = [json!("하나"), json!(null), json!("A b"), json!(null), json!(null)];
    row(json!({
        "postId": id,
        "category": one(chance, &categories),
        "title": one(chance, &[json!("같은 제목"), json!(format!("글 {id}")), json!(null), json!("긴 ".repeat(150))]),
        "content": one(chance, &contents),
        "author": one(chance, &names),
        "slug": one(chance, &slugs),
        "state": one(chance, &[json!(null), json!(null), json!("draft"), json!("archived")]),
        "thumbnailUrl": one(chance, &[json!("https://example.com/a.png"), json!("data:x"), json!(null)]),
        "createdAt": one(chance, &times),
        "updatedAt": one(chance, &times),
        "extra": chance.u32(..3),
    }))
}

fn source(chance: &mut fastrand::Rng) -> Pages {
    let categories = (0..4).map(|number| {
        let slugs = [json!("news"), json!("소식"), json!(null), json!("news")];
        let slug = one(chance, &slugs);
        row(json!({ "categoryId": format!("c{number}"), "name": one(chance, &slugs), "slug": slug, "order": "x" }))
    });
    let categories: Vec<Row> = categories.collect();
    let corp = (0..3)
        .map(|year| row(json!({ "corpMetaId": year, "updatedAt": format!("202{year}-01-01") })))
        .collect();
    let mut posts: Vec<Row> = (0..POSTS).map(|number| post(chance, &format!("p{number}"))).collect();
    // More categories in a page than the counts of one step.
    let is_wide = chance.u32(..4) == 0;
    if is_wide {
        let wide = |number: u32| {
            row(
                json!({ "postId": format!("w{number}"), "category": format!("분류 {}", number % 110), "title": "글" }),
            )
        };
        posts.extend((0..200).map(wide));
    }
    // Two rows with one id, rows without one, and one that no key can hold.
    for id in ["p3", "", "a#b"] {
        posts.insert(chance.usize(..posts.len()), post(chance, id));
    }
    let inquiries = (0..20).map(|number| {
        row(json!({ "inquiryId": number, "status": one(chance, &[json!("done"), json!("?")]) }))
    });
    let tables = BTreeMap::from([
        (LegacyTable::Categories, categories),
        (LegacyTable::Corp, corp),
        (LegacyTable::Inquiries, inquiries.collect()),
        (LegacyTable::Posts, posts),
    ]);
    let page = if is_wide { 300 } else { 1 + chance.usize(..20) };
    Pages { page, ..Pages::new(tables) }
}

/// Runs until a run ends by itself. Before that, the source fails after some reads, or the process dies in a pause, which
/// is in the middle of a step.
async fn run(content: &Content, source: &Pages, chance: &mut fastrand::Rng) -> (Report, Vec<Finding>, usize) {
    for cut in 0.. {
        let mut source = source.clone();
        let patient = cut > 12;
        source.reads = if patient || chance.bool() { usize::MAX } else { chance.usize(1..12) };
        let dies_in = if patient { u64::MAX } else { chance.u64(1..8) };
        let (dead, died) = (Arc::new(tokio::sync::Notify::new()), AtomicU64::new(0));
        let killer = dead.clone();
        let pause = Arc::new(move |_| {
            let dies = died.fetch_add(1, Ordering::Relaxed) + 1 == dies_in;
            let killer = killer.clone();
            let pause: futures_util::future::BoxFuture<'static, ()> = Box::pin(async move {
                if dies {
                    killer.notify_one();
                    pending::<()>().await;
                }
                tokio::task::yield_now().await;
            });
            pause
        });
        let mut findings = Vec::new();
        let options = Options { pause, ..options(false) };
        let mut told = |finding: &Finding| findings.push(finding.clone());
        let ended = tokio::select! {
            biased;
            () = dead.notified() => None,
            ended = migrate(content, &mut source, &options, &mut told) => ended.ok(),
        };
        if let Some(report) = ended {
            return (report, findings, cut);
        }
    }
    unreachable!("the loop has no end")
}

/// Every row is here as it says, or in the report; nothing else changed.
async fn check(content: &Content, source: &Pages, report: &Report, findings: &[Finding], seed: u64) {
    let told: BTreeSet<&str> = findings.iter().map(|finding| &*finding.id).collect();
    let mut differences = Vec::new();
    let mut unread = source.clone();
    let verified =
        verify(content, &mut unread, &options(false), &mut |one| differences.push(one.clone())).await;
    for (table, counts) in verified.unwrap() {
        let ran = &report.tables[&table];
        assert_eq!((counts.rows, &counts.sum), (ran.read, &ran.sum), "seed {seed}: {table}");
        let parts = ran.created + ran.updated + ran.unchanged + ran.kept + ran.unmapped;
        assert_eq!(parts, ran.read, "seed {seed}: {table}: {ran:?}");
        assert_eq!(counts.faithful + counts.changed_here + counts.wrong, counts.rows, "seed {seed}: {table}");
    }
    for difference in &differences {
        assert_ne!(difference.kind, FindingKind::WrongCount, "seed {seed}: {difference:?}");
        // The report tells of it only if its row has changed as well.
        if difference.kind == FindingKind::EditedHere {
            continue;
        }
        let is_told = told.contains(&*difference.id);
        assert!(is_told, "seed {seed}: {difference:?} is not in the report {findings:#?}");
    }
    let lost = findings.iter().filter(|finding| finding.is_loss()).count() as u64;
    let unmapped: u64 = report.tables.values().map(|counts| counts.unmapped).sum();
    assert_eq!(lost, unmapped, "seed {seed}: {findings:#?}");
    assert_eq!(problems(content).await, [""; 0], "seed {seed}");
}

/// Cs22, Cs23, Cs26, Cs27: cut off anywhere, twice, with changes between: nothing is lost, and no edit is overwritten.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_that_is_cut_off_loses_nothing() {
    let mut cuts = 0;
    for seed in 0..SEEDS {
        let mut chance = fastrand::Rng::with_seed(seed);
        let memory = Arc::new(Memory::new());
        let faults = Faults {
            throttle: 0.02,
            conflict: 0.05,
            timeout_before: 0.02,
            timeout_after: 0.05,
            index_lag: 0.0,
        };
        let faulty = Arc::new(Faulty::new(memory.clone(), faults, seed));
        let (calm, stormy) = (content(memory, clock()), content(faulty, clock()));
        calm.db.ensure_table().await.unwrap();
        let mut source = source(&mut chance);
        let (report, findings, cut) = run(&stormy, &source, &mut chance).await;
        check(&calm, &source, &report, &findings, seed).await;
        cuts += cut;

        // Changes on both sides.
        let mut edited = BTreeSet::new();
        for number in 0..POSTS {
            let id = format!("p{number}");
            if chance.u32(..5) == 0 && id != "p3" {
                source.change(
                    LegacyTable::Posts,
                    &id,
                    json!({ "title": "원본에서 고침", "category": "소식" }),
                );
            }
            if chance.u32(..8) == 0
                && let Ok(found) = find_post(&calm, &id).await
            {
                retitle(&calm, &found, "여기서 고침").await;
                edited.insert(id);
            }
        }
        let added = post(&mut chance, "added");
        source.add(LegacyTable::Posts, added);
        let (report, findings, cut) = run(&stormy, &source, &mut chance).await;
        cuts += cut;
        for id in edited {
            let key = Item::from([(name!("id"), Value::from(id.as_str()))]);
            let draft = calm.db.get("Draft", &key, &Default::default()).await.unwrap();
            let title = draft.as_ref().and_then(|draft| draft.text("title")).map(str::to_owned);
            let title = match title {
                Some(title) => title,
                None => find_post(&calm, &id).await.unwrap().text.title,
            };
            assert_eq!(title, "여기서 고침", "seed {seed}: {id}");
        }
        check(&calm, &source, &report, &findings, seed).await;
        let records = calm.db.query("migrations", Item::new(), Ask::default()).await.unwrap().records;
        assert!(records.iter().all(|record| record.text("state") == Some("done")), "seed {seed}");
    }
    assert!(cuts > SEEDS as usize, "only {cuts} runs were cut off");
}
