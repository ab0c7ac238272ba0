//! Contracts are registered after their references.

use hansang_contracts::{ContractFile, Status, register};
use serde_json::{Value as Json, json};

use super::{World, file, names, only};
use crate::grounds::new;

/// A view that refers to other views.
fn view(name: &str, status: Status, named: &[&str]) -> ContractFile {
    file(&format!("VIEW_DEFINITION:{name}"), status, naming(named))
}

fn naming(named: &[&str]) -> Json {
    json!({ "requiredSlices": ["A"], "viewRefs": named })
}

#[tokio::test]
async fn references_come_first() {
    let world = World::new().await;
    let files = [
        view("a:1.0.0", Status::Active, &["c@^1", "b@1.0.0"]),
        view("b:1.0.0", Status::Deprecated, &["c@1.0.0"]),
        view("c:1.0.0", Status::Active, &[]),
        view("c:1.1.0", Status::Active, &["d@1.0.0"]),
        view("d:1.0.0", Status::Active, &[]),
    ];
    let report = world.seed(&files).await;
    let order: Vec<String> =
        names(&report.uploaded).iter().map(|name| name.replace("VIEW_DEFINITION:", "")).collect();
    assert_eq!(order, ["c:1.0.0", "b:1.0.0", "d:1.0.0", "c:1.1.0", "a:1.0.0"]);
    let warned = report.uploaded.last().unwrap().message.as_ref().unwrap().to_string();
    assert!(warned.contains("VIEW_DEFINITION:b:1.0.0"), "{warned}");
}

#[tokio::test]
async fn references_that_do_not_exist_are_reported() {
    let world = World::new().await;
    register(&world.registry, new("VIEW_DEFINITION:there:1.0.0", Status::Active, naming(&[]))).await.unwrap();
    let files = [
        view("a:1.0.0", Status::Active, &["there@^1"]),
        view("b:1.0.0", Status::Active, &["nowhere@1.0.0"]),
        view("c:1.0.0", Status::Active, &["b@1.0.0"]),
        view("d:1.0.0", Status::Draft, &["nowhere@1.0.0"]),
        view("e:1.0.0", Status::Active, &["d@1.0.0"]),
    ];
    let report = world.seed(&files).await;
    assert_eq!(names(&report.uploaded), ["VIEW_DEFINITION:a:1.0.0", "VIEW_DEFINITION:d:1.0.0"]);
    let told: Vec<(String, String)> = names(&report.errors)
        .into_iter()
        .zip(report.errors.iter().map(|seeded| seeded.message.as_ref().unwrap().to_string()))
        .collect();
    for ((name, message), (expected, part)) in told.iter().zip([
        ("VIEW_DEFINITION:b:1.0.0", "VIEW_DEFINITION:nowhere:1.0.0"),
        ("VIEW_DEFINITION:c:1.0.0", "VIEW_DEFINITION:b:1.0.0"),
        ("VIEW_DEFINITION:e:1.0.0", "VIEW_DEFINITION:d:1.0.0"),
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
        view("a:1.0.0", Status::Active, &["b@1.0.0"]),
        view("b:1.0.0", Status::Active, &["a@1.0.0"]),
        view("free:1.0.0", Status::Active, &[]),
        view("waits:1.0.0", Status::Active, &["a@1.0.0"]),
    ];
    let report = world.seed(&files).await;
    assert_eq!(names(&report.uploaded), ["VIEW_DEFINITION:free:1.0.0"]);
    for (position, seeded) in report.errors.iter().enumerate() {
        let message = seeded.message.as_ref().unwrap().to_string();
        assert_eq!(message.contains("cycle"), position < 2, "{message}");
        assert!(message.contains("VIEW_DEFINITION:a:1.0.0"), "{message}");
    }
    assert_eq!(report.errors.len(), 3);
    let alone = World::new().await.seed(&[view("s:1.0.0", Status::Active, &["s@1.0.0"])]).await;
    assert!(only(&alone.errors).contains("cycle"), "{alone:?}");
}

/// Ranges can be resolved even if the versions of two contracts refer to each other.
#[tokio::test]
async fn a_range_is_satisfied_by_the_version_that_can_be_first() {
    let files = [
        view("a:1.1.0", Status::Active, &["b@^1"]),
        view("b:1.0.0", Status::Active, &["a@^1"]),
        view("a:1.0.0", Status::Active, &[]),
        view("draft:1.0.0", Status::Draft, &["draft@1.0.0"]),
    ];
    let report = World::new().await.seed(&files).await;
    let expected =
        ["a:1.0.0", "b:1.0.0", "a:1.1.0", "draft:1.0.0"].map(|name| format!("VIEW_DEFINITION:{name}"));
    assert_eq!(names(&report.uploaded), expected, "{report:?}");
}
