//! Migration from the old tables: dirt of every kind, changes between runs, and what the new system does with the items.

use std::collections::BTreeMap;
use std::sync::Arc;

use hansang_content::migrate::{
    Finding, FindingKind, LegacyTable, LegacyTables, Options, PAGE, Report, Source, Verified, migrate, verify,
};
use hansang_content::{
    Addressed, Content, ContentCode, Format, Publication, Save, delete_category, delete_post, find_category,
    find_inquiry, find_post, move_post, post_by_slug, publish_post, published, purge, save_post, version,
    visible_post,
};
use hansang_core::db::Ask;
use hansang_core::value::{item_size, to_item};
use hansang_core::{Item, Store, Value, name};
use jiff::SignedDuration;
use serde_json::json;

use crate::grounds::{Ground, On, on_each_store, retitle};
use crate::inquiries::Scripted;

mod rows;
mod worlds;

use rows::{Pages, dump, options, problems, row};

async fn run(content: &Content, source: &mut dyn Source) -> (Report, Vec<Finding>) {
    let mut findings = Vec::new();
    let report =
        migrate(content, source, &options(false), &mut |finding| findings.push(finding.clone())).await;
    (report.unwrap(), findings)
}

async fn check(
    content: &Content,
    source: &mut dyn Source,
) -> (BTreeMap<LegacyTable, Verified>, Vec<Finding>) {
    let mut findings = Vec::new();
    let verified =
        verify(content, source, &options(false), &mut |finding| findings.push(finding.clone())).await;
    (verified.unwrap(), findings)
}

fn of<'f>(findings: &'f [Finding], id: &str) -> Vec<(FindingKind, &'f str, &'f str)> {
    let text = |text: &'f Option<String>| text.as_deref().unwrap_or_default();
    findings
        .iter()
        .filter(|one| one.id == id)
        .map(|one| (one.kind, text(&one.attribute), text(&one.now)))
        .collect()
}

/// Cs14, Cs20: a moved inquiry is deleted when its retention period ends. One whose period has ended is in the report, and one
/// without a date stays.
async fn moved_inquiries_have_a_retention_period(ground: Ground) {
    let content = &ground.content;
    let inquiry =
        |id: &str, created: &str| row(json!({ "inquiryId": id, "subject": "문의", "createdAt": created }));
    let inquiries = vec![
        inquiry("recent", "2025-12-31T12:00:00.5+00:00"),
        inquiry("old", "2020-01-01T00:00:00Z"),
        inquiry("undated", ""),
    ];
    let mut source = Pages::new(BTreeMap::from([(LegacyTable::Inquiries, inquiries)]));
    let days =
        |days: i64| Options { retention: Some(SignedDuration::from_hours(24 * days)), ..options(false) };
    let moved = async |source: &mut Pages, options: Options| {
        let mut findings = Vec::new();
        let report = migrate(content, source, &options, &mut |one| findings.push(one.clone())).await.unwrap();
        (report.tables[&LegacyTable::Inquiries].clone(), findings)
    };
    let (counts, findings) = moved(&mut source, days(10)).await;
    assert_eq!((counts.created, counts.unmapped), (3, 0), "{findings:#?}");
    assert_eq!(of(&findings, "old"), [(FindingKind::RetentionEnded, "purgeAt", "2020-01-11T00:00:00Z")]);
    assert!(of(&findings, "recent").is_empty());
    let recent = find_inquiry(content, "recent").await.unwrap();
    assert_eq!(recent.purge_at, Some("2026-01-10T12:00:00Z".parse().unwrap()));
    // Another period of another run is no difference, and a changed row gets a new plan instead of the old one.
    source.change(LegacyTable::Inquiries, "recent", json!({ "createdAt": "2026-01-01T00:00:00Z" }));
    let (counts, _) = moved(&mut source, days(20)).await;
    assert_eq!((counts.updated, counts.unchanged), (1, 2));
    let mut wrong = Vec::new();
    let verified = verify(content, &mut source, &days(30), &mut |one| wrong.push(one.clone())).await.unwrap();
    assert_eq!(verified[&LegacyTable::Inquiries].wrong, 0, "{wrong:#?}");

    assert_eq!(purge(content, &Scripted::default()).await.unwrap().inquiries, 1);
    assert!(find_inquiry(content, "old").await.is_err());
    ground.pass(10 * 86_400);
    assert_eq!(purge(content, &Scripted::default()).await.unwrap().inquiries, 0, "its first plan is gone");
    ground.pass(10 * 86_400);
    assert_eq!(purge(content, &Scripted::default()).await.unwrap().inquiries, 1);
    assert!(find_inquiry(content, "recent").await.is_err());
    assert!(find_inquiry(content, "undated").await.unwrap().purge_at.is_none());
}

/// C36, C38, C39, Cs2, Cs18, Cs19, Cs20, Cs25, Cs26: rows of every dirt come over; what could not be kept as it was is in the report.
async fn dirty_rows_come_over(ground: Ground) {
    let content = &ground.content;
    let mut source = Pages::new(rows::dirty());
    let (report, findings) = run(content, &mut source).await;
    assert_eq!(problems(content).await, [""; 0]);
    let counts = |table| report.tables[&table].clone();
    assert_eq!(
        (counts(LegacyTable::Posts).read, counts(LegacyTable::Posts).unmapped),
        (14, 4),
        "{findings:#?}"
    );

    let category = find_category(content, "c1").await.unwrap();
    let kept = (
        &*category.title,
        category.desc.as_deref(),
        category.slug.as_deref(),
        category.order,
        category.posts,
    );
    assert_eq!(kept, ("공지", Some("알림"), Some("notice_board"), Some(3), 6));
    let twin = find_category(content, "c2").await.unwrap();
    assert_eq!(twin.slug.as_deref(), Some("notice_board-c2"));
    assert_eq!(of(&findings, "c2"), [(FindingKind::Slug, "slug", "notice_board-c2")]);
    assert_eq!(find_category(content, "c3").await.unwrap().slug.as_deref(), Some("보도-자료"));
    assert_eq!(of(&findings, "c3"), [(FindingKind::Slug, "slug", "보도-자료")]);

    let post = find_post(content, "p1").await.unwrap();
    assert_eq!((&*post.category_id, &*post.text.title, post.text.format), ("c1", "첫 글", Format::Markdown));
    let times = (post.created_at.to_string(), post.updated_at.to_string(), post.published_at().to_string());
    let expected = ("2025-11-12T05:00:00Z", "2025-11-12T06:00:00Z", "2025-11-12T05:00:00Z");
    assert_eq!((&*times.0, &*times.1, &*times.2), expected);
    let author = content.db.get("User", &key(&post.author_id), &Default::default()).await.unwrap().unwrap();
    assert_eq!((author.text("displayName"), author.text("role")), (Some("김대연"), Some("viewer")));
    for (id, category, format) in [
        ("p2", "c1", Format::Text),
        ("p3", "c3", Format::Json),
        ("p4", "c1", Format::Text),
        ("p5", "uncategorized", Format::Text),
    ] {
        let post = find_post(content, id).await.unwrap();
        assert_eq!((&*post.category_id, post.text.format), (category, format), "{id}");
    }
    let invented = find_post(content, "p6").await.unwrap();
    assert_eq!(find_category(content, &invented.category_id).await.unwrap().title, "사라진 분류");
    assert_eq!(find_post(content, "p5").await.unwrap().text.title, "(제목 없음)");
    assert_eq!(find_post(content, "p4").await.unwrap().author_id, "");
    assert_eq!(find_post(content, "p7").await.unwrap().created_at.as_second(), 0);
    assert!(of(&findings, "p7").contains(&(FindingKind::KeptAside, "createdAt", "")), "{findings:#?}");
    assert!(!find_post(content, "p8").await.unwrap().is_published(), "a draft stays one");
    let kept = content.db.get("Post", &post_key("c1", "p9"), &Default::default()).await.unwrap().unwrap();
    let expected =
        Item::from([(name!("thumbnailUrl"), "javascript:alert(1)".into()), (name!("views"), 7.into())]);
    assert_eq!(kept.fields["legacy"], Value::M(expected));

    let corp = content.db.get("CorpInfo", &Item::new(), &Default::default()).await.unwrap().unwrap();
    assert_eq!((corp.text("ceo"), corp.text("id")), (Some("새 대표"), Some("corp-info")));
    assert!(findings.iter().any(|one| one.kind == FindingKind::Superseded), "{findings:#?}");
    let inquiry = find_inquiry(content, "i1").await.unwrap();
    assert_eq!((&*inquiry.name, &*inquiry.company, inquiry.status.name()), ("홍길동", "", "in_progress"));
    assert_eq!(find_inquiry(content, "i2").await.unwrap().status.name(), "new");
    // A report outlives the inquiry, so it has no values of visitors.
    let values =
        findings.iter().filter(|one| one.table == LegacyTable::Inquiries && one.is_loss().eq(&false));
    assert!(values.clone().count() > 0 && values.clone().all(|one| one.was.is_none()), "{findings:#?}");
    assert_eq!(counts(LegacyTable::Inquiries).unknown, BTreeMap::from([("phone".to_owned(), 1)]));

    let mut lost: Vec<&str> = findings.iter().filter(|one| one.is_loss()).map(|one| &*one.id).collect();
    lost.sort();
    assert_eq!(lost, ["bad#id", "export.json:12", "p1", "x".repeat(65).as_str()], "{findings:#?}");
    let (verified, differences) = check(content, &mut source).await;
    assert_eq!(verified[&LegacyTable::Posts].faithful, 10, "{differences:#?}");
    assert_eq!(verified[&LegacyTable::Posts].sum, report.tables[&LegacyTable::Posts].sum);
    let wrong = differences.iter().filter(|one| one.kind != FindingKind::NotMapped);
    assert_eq!(wrong.map(|one| (one.kind, &*one.id)).collect::<Vec<_>>(), [(FindingKind::Duplicate, "p1")]);
}

/// Migrated posts are posts: they are listed, found by their address, edited, moved, taken back and deleted.
async fn verbs_work_on_migrated_posts(ground: Ground) {
    let content = &ground.content;
    run(content, &mut Pages::new(rows::dirty())).await;
    let page = published(content, Some("c1"), Ask::default()).await.unwrap();
    let ids: Vec<&str> = page.posts.iter().map(|post| &*post.id).collect();
    assert_eq!(ids, ["p9", "p4", "p2", "p1", "p7"]);
    let Addressed::Post(found) = post_by_slug(content, "첫-글").await.unwrap() else { panic!("moved") };
    assert_eq!(found.id, "p1");
    // The old text is the first version: an edit does not lose it.
    let edited = retitle(content, &found, "고친 글").await;
    publish_post(content, "ann", "p1", Publication::default(), edited.revision).await.unwrap();
    assert_eq!(version(content, "p1", 0).await.unwrap().text.title, "첫 글");
    move_post(content, "p2", "c3").await.unwrap();
    assert_eq!(find_category(content, "c3").await.unwrap().posts, 3);
    let long = find_post(content, "p9").await.unwrap();
    assert!(long.text.title.chars().count() > 200);
    let save = Save { text: long.text.clone(), revision: 0, keep: true };
    assert_eq!(save_post(content, "ann", "p9", &save).await.unwrap_err().violations[0].attribute, "title");
    delete_post(content, "p9", 0).await.unwrap();
    assert_eq!(visible_post(content, "p9").await.unwrap_err().code, ContentCode::PostUnknown);
    assert_eq!(delete_category(content, "c1").await.unwrap_err().code, ContentCode::CategoryHasPosts);
    assert_eq!(problems(content).await, [""; 0]);
}

/// Cs22, C40, C41: a second run takes only what has changed, and overwrites no edit.
async fn a_second_run_takes_what_has_changed(ground: Ground) {
    let content = &ground.content;
    let mut source = Pages::new(rows::dirty());
    let (first, _) = run(content, &mut source).await;
    let (again, _) = run(content, &mut source).await;
    assert_ne!(first.migration, again.migration);
    for (table, counts) in &again.tables {
        let before = &first.tables[table];
        assert_eq!(counts.created + counts.updated, 0, "{table}");
        assert_eq!((counts.unmapped, &counts.sum), (before.unmapped, &before.sum), "{table}");
    }

    let edited = find_post(content, "p2").await.unwrap();
    retitle(content, &edited, "여기서 고침").await;
    delete_post(content, "p4", 0).await.unwrap();
    for (id, change) in [
        ("p1", json!({ "title": "바뀐 글", "category": "보도 자료" })),
        ("p2", json!({ "title": "원본도 바뀜" })),
        ("p4", json!({ "title": "지운 글" })),
        ("p6", json!({ "updatedAt": "2025-12-01T00:00:00Z" })),
    ] {
        source.change(LegacyTable::Posts, id, change);
    }
    source.change(LegacyTable::Categories, "c1", json!({ "description": "새 설명" }));
    source.add(LegacyTable::Posts, row(json!({ "postId": "p99", "category": "공지", "title": "새 글" })));
    let (third, findings) = run(content, &mut source).await;
    let counts = &third.tables[&LegacyTable::Posts];
    assert_eq!((counts.created, counts.updated, counts.kept), (1, 2, 2), "{findings:#?}");
    let moved = find_post(content, "p1").await.unwrap();
    assert_eq!(
        (&*moved.category_id, &*moved.text.title, moved.text.slug.as_deref()),
        ("c3", "바뀐 글", Some("첫-글"))
    );
    assert_eq!(find_category(content, "c1").await.unwrap().desc.as_deref(), Some("새 설명"));
    assert_eq!(find_post(content, "p2").await.unwrap().text.title, edited.text.title);
    assert_eq!(find_post(content, "p4").await.unwrap_err().code, ContentCode::PostUnknown);
    assert_eq!(of(&findings, "p2"), [(FindingKind::EditedHere, "", "")]);
    assert_eq!(of(&findings, "p4"), [(FindingKind::DeletedHere, "", "")]);
    let (_, differences) = check(content, &mut source).await;
    assert!(!differences.iter().any(|one| one.kind == FindingKind::WrongCount), "{differences:#?}");
    assert_eq!(problems(content).await, [""; 0]);

    let records = content.db.query("migrations", Item::new(), Ask::default()).await.unwrap().records;
    let states: Vec<_> =
        records.iter().map(|record| (record.text("state"), record.text("schemaVersion"))).collect();
    assert_eq!(states, [(Some("done"), Some("1.0.0")); 3]);
}

/// Cs24: a dry run finds the same, counts the same and writes nothing.
async fn a_dry_run_writes_nothing(ground: Ground) {
    let content = &ground.content;
    let mut source = Pages::new(rows::dirty());
    let before = dump(content).await;
    let mut findings = Vec::new();
    let told = &mut |finding: &Finding| findings.push(finding.clone());
    let dry = migrate(content, &mut source, &options(true), told).await.unwrap();
    assert_eq!(dump(content).await, before);
    let (real, mut reported) = run(content, &mut source).await;
    assert_eq!(dry.tables, real.tables);
    reported.sort_by_key(|finding| format!("{finding:?}"));
    findings.sort_by_key(|finding| format!("{finding:?}"));
    assert_eq!(findings, reported);
}

/// An item that was here before is not overwritten, and a person is told.
async fn what_was_here_before_stays(ground: Ground) {
    let content = &ground.content;
    let here = ground.post("여기 글").await;
    let post = row(json!({ "postId": here.id, "category": "news", "title": "옛 글", "content": "" }));
    let mut source = Pages::new(BTreeMap::from([(LegacyTable::Posts, vec![post])]));
    let (report, findings) = run(content, &mut source).await;
    assert!(!report.is_complete());
    assert_eq!(of(&findings, &here.id), [(FindingKind::TakenHere, "", "")]);
    assert_eq!(find_post(content, &here.id).await.unwrap(), here);
}

/// A page whose findings are more than fit into an item is moved all the same, and every finding is told.
async fn findings_of_any_size_are_kept(ground: Ground) {
    let odd = "\u{1f600}".repeat(300);
    let rows = (0..PAGE).map(|number| {
        row(json!({
            "postId": format!("p{number}"), "title": "글", "content": "본문", "slug": odd, "thumbnailUrl": format!("javascript:{odd}"),
            "createdAt": odd, "updatedAt": odd, "published": odd, "state": odd, "views": 1,
        }))
    });
    let source = Pages::new(BTreeMap::from([(LegacyTable::Posts, rows.collect())]));
    let (report, findings) = run(&ground.content, &mut Pages { page: PAGE, ..source }).await;
    let counts = &report.tables[&LegacyTable::Posts];
    assert_eq!((counts.created, counts.unmapped), (PAGE as u64, 0));
    assert_eq!(
        counts.unknown,
        BTreeMap::from([("views".to_owned(), PAGE as u64)]),
        "the others have findings"
    );
    let told: usize = findings.iter().map(|one| item_size(&to_item(one).unwrap())).sum();
    assert!(told > 4 * 1024 * 1024, "{told} bytes: more than fit into a transaction");
    for number in 0..PAGE {
        let of_row = of(&findings, &format!("p{number}"));
        assert!(of_row.contains(&(FindingKind::KeptAside, "thumbnailUrl", "")), "{of_row:?}");
    }
}

on_each_store!(
    findings_of_any_size_are_kept,
    dirty_rows_come_over,
    verbs_work_on_migrated_posts,
    a_second_run_takes_what_has_changed,
    a_dry_run_writes_nothing,
    what_was_here_before_stays,
    moved_inquiries_have_a_retention_period,
);

/// Cs21, Cs27: real tables, with keys of one attribute and of two, are read page by page and never written.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_are_only_read() {
    let ground = Ground::new(On::Embedded).await;
    let (database, store) = crate::grounds::dynamodb_with_database().await;
    rows::tables(&database, 300);
    let before = rows::all_rows(&database);
    let names = rows::NAMES.map(|(table, name, _)| (table, name.to_owned()));
    let store: Arc<dyn Store> = Arc::new(store);
    let mut source = LegacyTables::new(store, names.into());
    let (report, findings) = run(&ground.content, &mut source).await;
    let posts = &report.tables[&LegacyTable::Posts];
    // Keys make an id unique and not empty in a table, so less can be wrong than in a file.
    assert_eq!((posts.read, posts.created), (312, 309), "{findings:#?}");
    let (verified, differences) = check(&ground.content, &mut source).await;
    assert_eq!(verified[&LegacyTable::Posts].faithful, 309, "{differences:#?}");
    assert_eq!(rows::all_rows(&database), before);
}

fn key(id: &str) -> Item {
    Item::from([(name!("id"), id.into())])
}

fn post_key(category: &str, id: &str) -> Item {
    Item::from([(name!("categoryId"), category.into()), (name!("id"), id.into())])
}
