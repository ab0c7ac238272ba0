//! The list of behaviours is complete.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hansang_testkit::{cache_suite, files_suite, queue_suite, suite::BEHAVIOURS};

/// Behaviours in the files of a suite, as `topic::name`.
fn declared(suite: &str) -> BTreeSet<String> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(suite);
    let mut names = BTreeSet::new();
    for file in fs::read_dir(suite).unwrap() {
        let path = file.unwrap().path();
        let topic = path.file_stem().unwrap().to_str().unwrap().to_owned();
        for line in fs::read_to_string(&path).unwrap().lines() {
            if let Some(rest) = line.trim_start().strip_prefix("pub async fn ") {
                let name = rest.split('(').next().unwrap();
                assert!(names.insert(format!("{topic}::{name}")), "{topic}::{name} is there twice");
            }
        }
    }
    names
}

#[test]
fn every_behaviour_is_listed_once() {
    fn listed<B>(behaviours: &[(&str, B)]) -> BTreeSet<String> {
        let listed: BTreeSet<String> = behaviours.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(listed.len(), behaviours.len(), "one is listed twice");
        listed
    }
    assert_eq!(listed(BEHAVIOURS), declared("suite"));
    assert_eq!(listed(queue_suite::BEHAVIOURS), declared("queue_suite"));
    assert_eq!(listed(cache_suite::BEHAVIOURS), declared("cache_suite"));
    assert_eq!(listed(files_suite::BEHAVIOURS), declared("files_suite"));
}

#[test]
fn there_are_at_least_150_behaviours() {
    assert!(BEHAVIOURS.len() >= 150, "only {}", BEHAVIOURS.len());
}
