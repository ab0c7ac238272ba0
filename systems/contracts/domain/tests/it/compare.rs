//! Comparison of two registries in both directions.

use std::sync::Arc;

use expect_test::expect;
use hansang_contracts::{
    ContractError, ContractRegistry, Status, StoreRegistry, YamlRegistry, compare, deprecate, register,
};
use hansang_testkit::faults::{Faults, Faulty};
use tempfile::TempDir;

use crate::grounds::{change_set, clock, db, embedded, new, reference};

/// The same contracts in files, without authors, and in a table.
struct Both {
    files: TempDir,
    _table: TempDir,
    yaml: YamlRegistry,
    store: StoreRegistry,
}

impl Both {
    async fn new() -> Self {
        let (files, table) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let yaml = YamlRegistry::open(files.path().to_owned(), clock()).unwrap();
        let store = StoreRegistry::new(db(embedded(&table)).await);
        let both = Self { files, _table: table, yaml, store };
        for id in ["a", "b", "c", "d"] {
            both.write(id, "");
            register(&both.store, new(&format!("CHANGESET:{id}:1.0.0"), Status::Active, change_set()))
                .await
                .unwrap();
        }
        both
    }

    fn write(&self, id: &str, more: &str) {
        let spec = "identity: {entityKeyFormat: '{entityType}#{entityId}'}\npayload: {externalizationPolicy: {thresholdBytes: 102400}}\nfanout: {enabled: true}\nmarker: original\n";
        let text = format!("kind: ChangeSetContract\nid: {id}\nversion: 1.0.0\n{spec}{more}");
        std::fs::write(self.files.path().join(format!("{id}.yaml")), text).unwrap();
    }

    async fn told(&self) -> String {
        let found = compare(&self.yaml, &self.store).await.unwrap();
        assert!(found.iter().map(|one| (&one.reference, &one.location)).is_sorted());
        let name = |reference: &Option<hansang_contracts::ContractRef>| {
            reference.as_ref().map_or("?".to_owned(), ToString::to_string)
        };
        found
            .iter()
            .map(|one| format!("{} ({}): {}\n", name(&one.reference), one.location, one.message))
            .collect()
    }
}

#[tokio::test]
async fn equal_registries_have_no_differences() {
    let both = Both::new().await;
    assert_eq!(both.told().await, "");
    assert_eq!(compare(&both.store, &both.yaml).await.unwrap(), []);
    assert_eq!(compare(&both.store, &both.store).await.unwrap(), []);
}

#[tokio::test]
async fn every_difference_is_reported() {
    let both = Both::new().await;
    both.write("a", "more: 1\n");
    both.write("b", "status: DRAFT\ncreatedAt: 2025-01-01T00:00:00Z\ncreatedBy: lee\n");
    both.write("c", "checksum: sha256:00\n");
    std::fs::remove_file(both.files.path().join("d.yaml")).unwrap();
    both.write("e", "");
    std::fs::write(both.files.path().join("odd.yaml"), "[]").unwrap();
    expect![[r#"
        ? (odd.yaml): the first registry cannot read it: odd.yaml has no readable contract: a contract must be a map with `kind`, `id` and `version`
        CHANGESET:a:1.0.0 (a.yaml): its checksum is sha256:7ca3cc666bd7729ce71e4b7631b81aa066c265a7eaa591a9ca6f6500d1ca02df in the first registry and sha256:c309edc817a6c6b47b2297c357a00888e522e89103e0c4da0e4728d21c4d4d2c in the second
        CHANGESET:b:1.0.0 (b.yaml): its createdAt is 2025-01-01T00:00:00Z in the first registry and 2026-11-16T00:00:20Z in the second
        CHANGESET:b:1.0.0 (b.yaml): its createdBy is lee in the first registry and kim in the second
        CHANGESET:b:1.0.0 (b.yaml): its status is DRAFT in the first registry and ACTIVE in the second
        CHANGESET:c:1.0.0 (c.yaml): the first registry says: the contract CHANGESET:c:1.0.0 is not what was registered: its checksum is sha256:c309edc817a6c6b47b2297c357a00888e522e89103e0c4da0e4728d21c4d4d2c, and sha256:00 was registered; the second has it
        CHANGESET:d:1.0.0 (CHANGESET#d / 1.0.0): only the second registry has it
        CHANGESET:e:1.0.0 (e.yaml): only the first registry has it
    "#]].assert_eq(&both.told().await);
}

#[tokio::test]
async fn the_same_failure_in_both_is_no_difference() {
    let both = Both::new().await;
    let name = reference("CHANGESET:a:1.0.0");
    both.write("a", "checksum: sha256:00\n");
    assert!(matches!(both.yaml.fetch(&name).await, Err(ContractError::Integrity { .. })));
    let twin = YamlRegistry::open(both.files.path().to_owned(), clock()).unwrap();
    assert_eq!(compare(&both.yaml, &twin).await.unwrap(), []);
    deprecate(&both.store, &reference("CHANGESET:b:1.0.0"), "lee").await.unwrap();
    assert_eq!(compare(&both.yaml, &both.store).await.unwrap().len(), 2);
}

#[tokio::test]
async fn all_pages_are_compared() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let open = |directory: &TempDir| YamlRegistry::open(directory.path().to_owned(), clock()).unwrap();
    let (here, there) = (open(&one), open(&other));
    for number in 0..250 {
        let text = |more: i32| format!("kind: THING\nid: a\nversion: 1.0.{number}\nmore: {more}\n");
        std::fs::write(one.path().join(format!("{number}.yaml")), text(0)).unwrap();
        std::fs::write(other.path().join(format!("x{}.yaml", 999 - number)), text(i32::from(number == 249)))
            .unwrap();
    }
    let found = compare(&here, &there).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].reference, Some(reference("THING:a:1.0.249")));
}

#[tokio::test]
async fn a_comparison_fails_on_an_outage_of_either() {
    let both = Both::new().await;
    let faults = Faults { timeout_before: 1.0, ..Faults::default() };
    let table = tempfile::tempdir().unwrap();
    let dead = StoreRegistry::new(db(Arc::new(Faulty::new(embedded(&table), faults, 1))).await);
    let (dead, yaml): (&dyn ContractRegistry, &dyn ContractRegistry) = (&dead, &both.yaml);
    for (one, other) in [(yaml, dead), (dead, yaml)] {
        let ended = compare(one, other).await;
        assert!(matches!(ended, Err(ContractError::Unavailable(_))), "{ended:?}");
    }
}
