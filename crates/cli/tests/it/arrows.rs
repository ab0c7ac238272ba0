//! The dependency arrows of ARCHITECTURE.md, checked against every Cargo.toml.

use std::process::Command;

use serde_json::Value as Json;

use crate::root;

/// What each crate may depend on, of ours. A crate that is not listed fails the test: whoever adds
/// one decides where it stands.
const ARROWS: &[(&str, &[&str])] = &[
    ("hansang-core", &[]),
    ("hansang-embedded", &["hansang-core"]),
    ("hansang-aws", &["hansang-core"]),
    ("hansang-remote", &["hansang-core"]),
    ("hansang-testkit", &["hansang-core"]),
    ("hansang-contracts", &["hansang-core"]),
    ("hansang-entry", &["hansang-core"]),
    ("hansang-server", &["hansang-core", "hansang-contracts", "hansang-entry"]),
    (
        "hansang",
        &[
            "hansang-core",
            "hansang-embedded",
            "hansang-aws",
            "hansang-remote",
            "hansang-server",
            "hansang-contracts",
            "hansang-entry",
        ],
    ),
    (
        "hansang-bench",
        &["hansang-core", "hansang-embedded", "hansang-aws", "hansang-contracts", "hansang-entry"],
    ),
];

/// Crates that core must never see, in any version: no I/O, no runtime, no cloud, no HTTP.
const NOT_IN_CORE: &[&str] = &[
    "tokio",
    "async-std",
    "hyper",
    "axum",
    "reqwest",
    "aws-config",
    "aws-sdk-dynamodb",
    "aws-sdk-sqs",
    "redis",
    "fjall",
];

fn metadata() -> Json {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn packages() -> Vec<Json> {
    metadata()["packages"].as_array().unwrap().clone()
}

/// The names of a package's dependencies that are compiled into it.
fn dependencies(package: &Json) -> Vec<&str> {
    let all = package["dependencies"].as_array().unwrap();
    all.iter().filter(|one| one["kind"] != "dev").map(|one| one["name"].as_str().unwrap()).collect()
}

#[test]
fn crates_depend_only_along_the_arrows() {
    let packages = packages();
    let ours: Vec<&str> = packages.iter().map(|package| package["name"].as_str().unwrap()).collect();
    for package in &packages {
        let name = package["name"].as_str().unwrap();
        let (_, allowed) = ARROWS
            .iter()
            .find(|(known, _)| *known == name)
            .unwrap_or_else(|| panic!("{name} has no place in ARROWS"));
        for dependency in dependencies(package).into_iter().filter(|dependency| ours.contains(dependency)) {
            assert!(allowed.contains(&dependency), "{name} must not depend on {dependency}");
        }
    }
}

#[test]
fn core_has_no_io() {
    let packages = packages();
    let core = packages.iter().find(|package| package["name"] == "hansang-core").unwrap();
    for dependency in dependencies(core) {
        assert!(!NOT_IN_CORE.contains(&dependency), "core must not depend on {dependency}");
    }
}

/// `cargo run` in README names no binary, so there must be one to run.
#[test]
fn cargo_run_has_one_binary() {
    let metadata = metadata();
    let default = metadata["workspace_default_members"].as_array().unwrap();
    let packages =
        metadata["packages"].as_array().unwrap().iter().filter(|package| default.contains(&package["id"]));
    let targets = packages.flat_map(|package| package["targets"].as_array().unwrap());
    let binaries: Vec<&Json> =
        targets.filter(|target| target["kind"][0] == "bin").map(|target| &target["name"]).collect();
    assert_eq!(binaries, ["hansang"]);
}
