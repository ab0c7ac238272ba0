//! Contracts are registered after their references.

use hansang_contracts::{ContractFile, Status, register};
use serde_json::{Value as Json, json};

use super::{World, file, names, only};
use crate::grounds::new;

/// A schema that refers to other schemas.
fn schema(name: &str, status: Status, named: &[&str]) -> ContractFile {
    file(&format!("ENTITY_SCHEMA:{name}"), status, naming(named))
}

fn naming(named: &[&str]) -> Json {
    json!({ "fields": [], "schemaRefs": named })
}

#[tokio::test]
async fn references_come_first() {
    let world = World::new().await;
    let files = [
        schema("a:1.0.0", Status::Active, &["c@^1", "b@1.0.0"]),
        schema("b:1.0.0", Status::Deprecated, &["c@1.0.0"]),
        schema("c:1.0.0", Status::Active, &[]),
        schema("c:1.1.0", Status::Active, &["d@1.0.0"]),
        schema("d:1.0.0", Status::Active, &[]),
    ];
    let report = world.seed(&files).await;
    let order: Vec<String> =
        names(&report.uploaded).iter().map(|name| name.replace("ENTITY_SCHEMA:", "")).collect();
    assert_eq!(order, ["c:1.0.0", "b:1.0.0", "d:1.0.0", "c:1.1.0", "a:1.0.0"]);
    let warned = report.uploaded.last().unwrap().message.as_ref().unwrap().to_string();
    assert!(warned.contains("ENTITY_SCHEMA:b:1.0.0"), "{warned}");
}

#[tokio::test]
async fn references_that_do_not_exist_are_reported() {
    let world = World::new().await;
    register(&world.registry, new("ENTITY_SCHEMA:there:1.0.0", Status::Active, naming(&[]))).await.unwrap();
    let files = [
        schema("a:1.0.0", Status::Active, &["there@^1"]),
        schema("b:1.0.0", Status::Active, &["nowhere@1.0.0"]),
        schema("c:1.0.0", Status::Active, &["b@1.0.0"]),
        schema("d:1.0.0", Status::Draft, &["nowhere@1.0.0"]),
        schema("e:1.0.0", Status::Active, &["d@1.0.0"]),
    ];
    let report = world.seed(&files).await;
    assert_eq!(names(&report.uploaded), ["ENTITY_SCHEMA:a:1.0.0", "ENTITY_SCHEMA:d:1.0.0"]);
    let told: Vec<(String, String)> = names(&report.errors)
        .into_iter()
        .zip(report.errors.iter().map(|seeded| seeded.message.as_ref().unwrap().to_string()))
        .collect();
    for ((name, message), (expected, part)) in told.iter().zip([
        ("ENTITY_SCHEMA:b:1.0.0", "ENTITY_SCHEMA:nowhere:1.0.0"),
        ("ENTITY_SCHEMA:c:1.0.0", "ENTITY_SCHEMA:b:1.0.0"),
        ("ENTITY_SCHEMA:e:1.0.0", "ENTITY_SCHEMA:d:1.0.0"),
    ]) {
        assert!(name == expected && message.contains(part), "{name}: {message}");
    }
    assert_eq!(told.len(), 3);
    assert!(!report.outage);
}

#[tokio::test]
async fn a_cycle_cannot_be_registered() {
    let world = World::new().await;
    let files = [
        schema("a:1.0.0", Status::Active, &["b@1.0.0"]),
        schema("b:1.0.0", Status::Active, &["a@1.0.0"]),
        schema("free:1.0.0", Status::Active, &[]),
        schema("waits:1.0.0", Status::Active, &["a@1.0.0"]),
    ];
    let report = world.seed(&files).await;
    assert_eq!(names(&report.uploaded), ["ENTITY_SCHEMA:free:1.0.0"]);
    for (position, seeded) in report.errors.iter().enumerate() {
        let message = seeded.message.as_ref().unwrap().to_string();
        assert_eq!(message.contains("cycle"), position < 2, "{message}");
        assert!(message.contains("ENTITY_SCHEMA:a:1.0.0"), "{message}");
    }
    assert_eq!(report.errors.len(), 3);
    let alone = World::new().await.seed(&[schema("s:1.0.0", Status::Active, &["s@1.0.0"])]).await;
    assert!(only(&alone.errors).contains("cycle"), "{alone:?}");
}

/// Ranges can be resolved even if the versions of two contracts refer to each other.
#[tokio::test]
async fn a_range_is_satisfied_by_the_version_that_can_be_first() {
    let files = [
        schema("a:1.1.0", Status::Active, &["b@^1"]),
        schema("b:1.0.0", Status::Active, &["a@^1"]),
        schema("a:1.0.0", Status::Active, &[]),
        schema("draft:1.0.0", Status::Draft, &["draft@1.0.0"]),
    ];
    let report = World::new().await.seed(&files).await;
    let expected =
        ["a:1.0.0", "b:1.0.0", "a:1.1.0", "draft:1.0.0"].map(|name| format!("ENTITY_SCHEMA:{name}"));
    assert_eq!(names(&report.uploaded), expected, "{report:?}");
}
