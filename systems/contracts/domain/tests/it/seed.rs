//! Seeding: outcomes, order, repetition, and outages.

mod examples;
mod order;

use std::path::Path;
use std::sync::Arc;

use hansang_contracts::{
    ContractFile, ContractRegistry, FileContract, SeedOutcome, SeedReport, Seeded, Status, StoreRegistry,
    YamlRegistry, deprecate, read_directory, register, seed,
};
use hansang_testkit::faults::{Faults, Faulty};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::grounds::{change_set, clock, db, embedded, item, new, reference};

/// A registry on the embedded store.
struct World {
    registry: StoreRegistry,
    _directory: TempDir,
}

impl World {
    async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { registry: StoreRegistry::new(db(embedded(&directory)).await), _directory: directory }
    }

    async fn seed(&self, files: &[ContractFile]) -> SeedReport {
        seeded(&self.registry, files).await
    }
}

/// Seeds, and checks that a dry run before it had the same outcome and wrote nothing.
async fn seeded(registry: &dyn ContractRegistry, files: &[ContractFile]) -> SeedReport {
    let before = everything(registry).await;
    let mut told = Vec::new();
    let predicted = seed(registry, files, "kim", true, &mut |seeded| told.push(seeded.clone())).await;
    assert_eq!(everything(registry).await, before, "a dry run wrote something");
    assert_eq!(told.len(), files.len());
    let report = seed(registry, files, "kim", false, &mut |_| {}).await;
    assert_eq!(predicted, report);
    report
}

/// Every version with its checksum and its status.
async fn everything(registry: &dyn ContractRegistry) -> Vec<(String, String, Status)> {
    let (mut all, mut from) = (Vec::new(), None);
    loop {
        let page = registry.walk(from.as_deref()).await.unwrap();
        for found in page.found {
            let header = &found.contract.unwrap().header;
            all.push((header.reference.to_string(), header.checksum.clone(), header.status));
        }
        match page.next {
            Some(next) => from = Some(next),
            None => break,
        }
    }
    all.sort();
    all
}

/// A file with a contract.
fn file(name: &str, status: Status, spec: Json) -> ContractFile {
    let reference = reference(name);
    ContractFile {
        path: format!("{name}.yaml").into(),
        reference: Some(reference.clone()),
        contract: Ok(FileContract {
            reference,
            status,
            spec: item(spec),
            checksum: None,
            created_at: None,
            created_by: None,
            status_changed: None,
            history: Vec::new(),
        }),
    }
}

fn names(list: &[Seeded]) -> Vec<String> {
    list.iter().map(|seeded| seeded.reference.as_ref().unwrap().to_string()).collect()
}

fn only(list: &[Seeded]) -> String {
    assert_eq!(list.len(), 1, "{list:?}");
    list[0].message.as_ref().map(ToString::to_string).unwrap_or_default()
}

/// R22, R23
#[tokio::test]
async fn existing_versions_are_skipped_and_seeding_can_be_repeated() {
    let world = World::new().await;
    let files = [
        file("CHANGESET:a:1.0.0", Status::Active, change_set()),
        file("CHANGESET:a:1.1.0", Status::Draft, json!({})),
        file("CHANGESET:b:1.0.0", Status::Deprecated, change_set()),
    ];
    let first = world.seed(&files).await;
    assert_eq!((first.uploaded.len(), first.succeeded()), (3, true), "{first:?}");
    let stored = everything(&world.registry).await;
    let statuses: Vec<Status> = stored.iter().map(|(_, _, status)| *status).collect();
    assert_eq!(statuses, [Status::Active, Status::Draft, Status::Deprecated]);
    let header = world.registry.fetch(&reference("CHANGESET:a:1.0.0")).await.unwrap().header.clone();
    assert_eq!(header.created_by.as_deref(), Some("kim"));
    let again = world.seed(&files).await;
    assert_eq!((again.skipped.len(), again.succeeded()), (3, true), "{again:?}");
    assert!(again.skipped.iter().all(|seeded| seeded.message.is_none()), "{again:?}");
    assert_eq!(everything(&world.registry).await, stored);
}

#[tokio::test]
async fn a_different_status_is_reported_and_unchanged() {
    let world = World::new().await;
    let files = [file("CHANGESET:a:1.0.0", Status::Active, change_set())];
    world.seed(&files).await;
    deprecate(&world.registry, &reference("CHANGESET:a:1.0.0"), "lee").await.unwrap();
    let again = world.seed(&files).await;
    assert!(again.succeeded());
    assert!(only(&again.skipped).contains("is DEPRECATED, but ACTIVE in the file"), "{again:?}");
    assert_eq!(everything(&world.registry).await[0].2, Status::Deprecated);
}

#[tokio::test]
async fn a_different_spec_is_a_conflict_and_unchanged() {
    let world = World::new().await;
    world.seed(&[file("CHANGESET:a:1.0.0", Status::Active, change_set())]).await;
    let before = everything(&world.registry).await;
    let mut changed = change_set();
    changed["marker"] = json!("changed");
    let report = world.seed(&[file("CHANGESET:a:1.0.0", Status::Active, changed)]).await;
    assert!(!report.succeeded());
    assert!(only(&report.conflicts).contains("give the file a new version"), "{report:?}");
    assert_eq!(everything(&world.registry).await, before);
}

#[tokio::test]
async fn invalid_files_are_reported_and_the_others_uploaded() {
    let world = World::new().await;
    let directory = tempfile::tempdir().unwrap();
    let right = "identity: {entityKeyFormat: x}\n";
    let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
    write("a.yaml", &format!("kind: CHANGESET\nid: a\nversion: 1.0.0\n{right}"));
    write("b.yaml", &format!("kind: CHANGESET\nid: b\nversion: 1.0.0\nstatus: SOMETIMES\n{right}"));
    write("c.yaml", "kind: [\n");
    write("d.yaml", &format!("kind: CHANGESET\nid: d\nversion: 1.0.0\nchecksum: sha256:00\n{right}"));
    write("e.yaml", "kind: CHANGESET\nid: e\nversion: 1.0.0\nidentity: {entityKeyFormat: 7}\n");
    write("f.yaml", &format!("kind: CHANGESET\nid: f\nversion: 1.0.0\n{right}"));
    write("g.yaml", &format!("kind: ChangeSet\nid: f\nversion: 1.0.0\n{right}"));
    write("h.yaml", &format!("kind: CHANGESET\nid: h\nversion: 1.0.0\n{right}rate: 0.1234567890123456789\n"));
    let files = read_directory(directory.path()).unwrap();
    let report = world.seed(&files).await;
    assert_eq!(names(&report.uploaded), ["CHANGESET:a:1.0.0"]);
    let told: Vec<(&str, String)> = report
        .errors
        .iter()
        .map(|seeded| {
            (seeded.path.file_name().unwrap().to_str().unwrap(), seeded.message.as_ref().unwrap().to_string())
        })
        .collect();
    let expected = [
        ("b.yaml", "DRAFT, ACTIVE or DEPRECATED"),
        ("c.yaml", "line"),
        ("d.yaml", "the file has sha256:00"),
        ("f.yaml", "in several files"),
        ("g.yaml", "in several files"),
        ("h.yaml", "write it as text"),
        ("e.yaml", "identity.entityKeyFormat"),
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for ((name, message), (expected, part)) in told.iter().zip(expected) {
        assert!(*name == expected && message.contains(part), "{name}: {message}");
    }
    assert!(report.errors.iter().any(|seeded| seeded.reference.is_none()));
}

/// Rs14
#[tokio::test]
async fn an_author_is_required() {
    let world = World::new().await;
    let files = [file("CHANGESET:a:1.0.0", Status::Active, change_set())];
    for invalid_author in ["", &"x".repeat(129)] {
        let report = seed(&world.registry, &files, invalid_author, false, &mut |_| {}).await;
        assert!(only(&report.errors).contains("createdBy"), "{report:?}");
    }
    assert!(everything(&world.registry).await.is_empty());
}

#[tokio::test]
async fn seeding_again_finishes_after_an_outage() {
    let directory = tempfile::tempdir().unwrap();
    let store = embedded(&directory);
    let calm = StoreRegistry::new(db(store.clone()).await);
    let files: Vec<ContractFile> = (0..40)
        .map(|number| file(&format!("CHANGESET:c{number}:1.0.0"), Status::Active, change_set()))
        .collect();
    let mut outages = 0;
    for seed_of_faults in 0..200 {
        let faults = Faults { throttle: 0.1, timeout_before: 0.1, timeout_after: 0.1, ..Faults::default() };
        let faulty = Faulty::new(store.clone(), faults, seed_of_faults);
        let registry = StoreRegistry::new(db(Arc::new(faulty)).await);
        let stored = everything(&calm).await.len();
        let report = seed(&registry, &files, "kim", false, &mut |_| {}).await;
        assert!(report.conflicts.is_empty(), "{report:?}");
        assert_eq!(report.outage, !report.errors.is_empty(), "{report:?}");
        outages += report.errors.len();
        assert!(everything(&calm).await.len() >= stored);
        if report.succeeded() {
            break;
        }
    }
    assert!(outages > 0);
    assert_eq!(everything(&calm).await.len(), 40);
}

#[tokio::test]
async fn a_registry_of_files_can_be_seeded() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let open = |path: &Path| YamlRegistry::open(path.to_owned(), clock()).unwrap();
    let source = open(from.path());
    for name in ["CHANGESET:a:1.0.0", "CHANGESET:a:1.10.0", "CHANGESET:b c:1.0.0"] {
        register(&source, new(name, Status::Active, change_set())).await.unwrap();
    }
    let target = open(to.path());
    let files = read_directory(from.path()).unwrap();
    let report = seeded(&target, &files).await;
    assert_eq!((report.uploaded.len(), report.succeeded()), (3, true), "{report:?}");
    assert_eq!(everything(&target).await, everything(&source).await);
    assert_eq!(seeded(&target, &files).await.skipped.len(), 3);
}

/// While the first file is uploaded, another writer adds the second contract to the directory.
#[tokio::test]
async fn another_writer_may_be_faster() {
    let naming = json!({ "slices": ["A"], "changeSetRef": "b@1.0.0" });
    let files = [
        file("CHANGESET:b:1.0.0", Status::Active, change_set()),
        file("THING:v:1.0.0", Status::Active, naming),
    ];
    for (slices, outcome) in [("[A]", SeedOutcome::Skipped), ("[A, B]", SeedOutcome::Conflict)] {
        let directory = tempfile::tempdir().unwrap();
        let registry = YamlRegistry::open(directory.path().to_owned(), clock()).unwrap();
        let text = format!("kind: THING\nid: v\nversion: 1.0.0\nslices: {slices}\nchangeSetRef: b@1.0.0\n");
        let mut told = Vec::new();
        let report = seed(&registry, &files, "kim", false, &mut |seeded| {
            std::fs::write(directory.path().join("v.yaml"), &text).unwrap();
            told.push(seeded.outcome);
        })
        .await;
        assert_eq!(told, [SeedOutcome::Uploaded, outcome], "{report:?}");
        assert_eq!(everything(&registry).await.len(), 2);
    }
}
