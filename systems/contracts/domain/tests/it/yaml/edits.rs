//! Edits of files while a server runs.

use std::fs::File;
use std::time::{Duration, SystemTime};

use hansang_contracts::{ContractError, ContractRegistry as _};
use hansang_core::Value;

use super::{Files, NAME, WRITTEN};
use crate::grounds::{clock, reference};

fn set_time(files: &Files, name: &str, time: SystemTime) {
    File::options().write(true).open(files.path(name)).unwrap().set_modified(time).unwrap();
}

async fn marker(files: &Files) -> String {
    let contract = files.fetch(NAME).await.unwrap();
    contract.spec.get("marker").and_then(Value::as_str).unwrap().to_owned()
}

/// A change set with a marker.
fn marked(marker: &str) -> String {
    format!("{WRITTEN}marker: {marker}\n")
}

#[tokio::test]
async fn an_edit_is_visible_at_once() {
    let files = Files::new(&[]);
    assert!(matches!(files.fetch(NAME).await, Err(ContractError::NotFound(_))));
    files.write("a.yaml", &marked("one"));
    assert_eq!(marker(&files).await, "one");
    // The same length, and possibly within the same tick of the file system's clock.
    files.write("a.yaml", &marked("two"));
    assert_eq!(marker(&files).await, "two");
    std::fs::rename(files.path("a.yaml"), files.path("b.yaml")).unwrap();
    assert_eq!(marker(&files).await, "two");
    std::fs::remove_file(files.path("b.yaml")).unwrap();
    assert!(matches!(files.fetch(NAME).await, Err(ContractError::NotFound(_))));
}

#[tokio::test]
async fn an_unchanged_file_is_not_read_again() {
    let long_ago = SystemTime::from(clock().moment().now) - Duration::from_secs(3600);
    let files = Files::new(&[("a.yaml", &marked("one"))]);
    set_time(&files, "a.yaml", long_ago);
    assert_eq!(marker(&files).await, "one");
    files.write("a.yaml", &marked("two"));
    set_time(&files, "a.yaml", long_ago);
    // The stamp is unchanged, so the cached text is used.
    assert_eq!(marker(&files).await, "one");
    set_time(&files, "a.yaml", long_ago + Duration::from_secs(1));
    assert_eq!(marker(&files).await, "two");
    files.write("a.yaml", &marked("three"));
    set_time(&files, "a.yaml", long_ago + Duration::from_secs(1));
    assert_eq!(marker(&files).await, "three");
}

#[tokio::test]
async fn a_recently_changed_file_is_read_again() {
    let now = SystemTime::from(clock().moment().now);
    let files = Files::new(&[("a.yaml", &marked("one"))]);
    set_time(&files, "a.yaml", now);
    assert_eq!(marker(&files).await, "one");
    files.write("a.yaml", &marked("two"));
    set_time(&files, "a.yaml", now);
    assert_eq!(marker(&files).await, "two");
}

#[tokio::test]
async fn referrers_follow_edits() {
    let files = Files::new(&[
        ("a.yaml", WRITTEN),
        (
            "v.yaml",
            "kind: VIEW_DEFINITION\nid: v\nversion: 1.0.0\nrequiredSlices: [A]\nchangeSetRef: a@^1\nmore: {changeSetRefs: [a@1.0.0, a@^1, b@1.0.0]}\n",
        ),
    ]);
    let kind = reference(NAME).kind;
    let found = files.registry.referrers(&kind, "a").await.unwrap();
    let told: Vec<(String, Vec<String>)> =
        found.into_iter().map(|one| (one.from.to_string(), one.wanted)).collect();
    assert_eq!(told, [("VIEW_DEFINITION:v:1.0.0".to_owned(), vec!["^1".to_owned(), "1.0.0".to_owned()])]);
    std::fs::remove_file(files.path("v.yaml")).unwrap();
    assert!(files.registry.referrers(&kind, "a").await.unwrap().is_empty());
}
