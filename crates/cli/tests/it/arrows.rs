//! The dependency arrows of ARCHITECTURE.md, checked against every Cargo.toml.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

use crate::root;

/// The crates of the workspace that each crate may depend on. A crate that is missing here fails the test.
const ARROWS: &[(&str, &[&str])] = &[
    ("hansang-core", &[]),
    ("hansang-embedded", &["hansang-core"]),
    ("hansang-aws", &["hansang-core"]),
    ("hansang-remote", &["hansang-core"]),
    ("hansang-valkey", &["hansang-core"]),
    ("hansang-testkit", &["hansang-core"]),
    ("hansang-access", &["hansang-core"]),
    ("hansang-http", &["hansang-core", "hansang-access"]),
    ("hansang-ui", &["hansang-core", "hansang-access", "hansang-http"]),
    ("hansang-command", &["hansang-core", "hansang-remote"]),
    ("hansang-server", PARTS),
    ("hansang-content", &["hansang-core"]),
    ("hansang-content-web", WEB),
    ("hansang-content-adapters", &["hansang-core", "hansang-content"]),
    ("hansang-contracts", &["hansang-core"]),
    ("hansang-contracts-web", WEB),
    ("hansang-documents", &["hansang-core"]),
    ("hansang-documents-adapters", &["hansang-core", "hansang-documents"]),
    ("hansang-documents-web", WEB),
    ("hansang-entry", &["hansang-core"]),
    ("hansang-entry-web", WEB),
    ("hansang-ledger", &["hansang-core"]),
    ("hansang-ledger-web", WEB),
    ("hansang-testserver", TEST_SERVER),
    ("hansang", PROGRAM),
    (
        "hansang-bench",
        &[
            "hansang-core",
            "hansang-embedded",
            "hansang-aws",
            "hansang-valkey",
            "hansang-contracts",
            "hansang-documents",
            "hansang-documents-adapters",
            "hansang-entry",
            "hansang-ledger",
        ],
    ),
];

/// The crates of a server.
const PARTS: &[&str] = &["hansang-core", "hansang-access", "hansang-http", "hansang-ui", "hansang-command"];

/// A system's web crate depends on the server and its own domain; its store is injected.
const WEB: &[&str] = &[
    "hansang-core",
    "hansang-access",
    "hansang-http",
    "hansang-ui",
    "hansang-command",
    "hansang-server",
    "hansang-content",
    "hansang-content-adapters",
    "hansang-contracts",
    "hansang-documents",
    "hansang-documents-adapters",
    "hansang-entry",
    "hansang-ledger",
];

const TEST_SERVER: &[&str] = &[
    "hansang-core",
    "hansang-access",
    "hansang-http",
    "hansang-command",
    "hansang-server",
    "hansang-embedded",
    "hansang-aws",
    "hansang-testkit",
];

/// The program selects stores and systems, and depends on no system's domain.
const PROGRAM: &[&str] = &[
    "hansang-core",
    "hansang-embedded",
    "hansang-aws",
    "hansang-remote",
    "hansang-access",
    "hansang-http",
    "hansang-command",
    "hansang-server",
    "hansang-content-web",
    "hansang-contracts-web",
    "hansang-documents-web",
    "hansang-entry-web",
    "hansang-ledger-web",
    "hansang-valkey",
];

/// The systems that come with Hansang.
const SYSTEMS: [&str; 5] = ["content", "ledger", "entry", "documents", "contracts"];

/// The only file of `crates/` that may name systems.
const LIST: &str = "crates/cli/src/systems.rs";

/// Crates that core must not depend on: no I/O, no runtime, no cloud, no HTTP.
const NOT_IN_CORE: &[&str] = &[
    "tokio",
    "async-std",
    "hyper",
    "axum",
    "reqwest",
    "aws-config",
    "aws-sdk-dynamodb",
    "aws-sdk-s3",
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

/// The normal dependencies of a package.
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
            .unwrap_or_else(|| panic!("{name} is missing in ARROWS"));
        for dependency in dependencies(package).into_iter().filter(|dependency| ours.contains(dependency)) {
            assert!(allowed.contains(&dependency), "{name} must not depend on {dependency}");
            let system = SYSTEMS.iter().find(|system| name == format!("hansang-{system}-web"));
            let other = SYSTEMS.iter().any(|other| dependency == format!("hansang-{other}"));
            let own = system.is_some_and(|system| dependency == format!("hansang-{system}"));
            assert!(system.is_none() || own || !other, "{name} must not depend on another system");
        }
    }
}

#[test]
fn only_one_list_names_the_systems() {
    let mut files = Vec::new();
    for member in fs::read_dir(root().join("crates")).unwrap() {
        let member = member.unwrap().path();
        for part in ["src", "templates"] {
            sources(&member.join(part), &mut files);
        }
    }
    assert!(files.len() > 300, "only {} files were found: the search is broken", files.len());
    for file in files {
        let name = file.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&file).unwrap();
        let product = text.split("#[cfg(test)]").next().unwrap();
        for system in SYSTEMS {
            let named = [
                format!("hansang_{system}"),
                format!("{system}::"),
                format!("models/{system}"),
                format!("/api/{system}"),
                format!("/console/{system}"),
            ];
            for part in named {
                let finds = product.contains(&part);
                assert!(name == LIST || !finds, "{name} names a system: `{part}` belongs into {LIST} alone");
            }
        }
    }
    let list = fs::read_to_string(root().join(LIST)).unwrap();
    assert!(list.contains("hansang_entry_web") && list.contains("hansang_contracts_web"));
}

/// The sources and templates below a folder, without its tests.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.file_stem().is_some_and(|stem| stem != "tests") {
            files.push(path);
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
