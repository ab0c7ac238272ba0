//! Tests of the file registry only: edits, names, crashes, and several processes.

mod edits;
mod names;
mod writes;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hansang_contracts::{Contract, ContractError, YamlRegistry};
use tempfile::TempDir;

use crate::grounds::{clock, reference};

/// A directory of contracts and its registry.
struct Files {
    directory: TempDir,
    registry: YamlRegistry,
}

const NAME: &str = "CHANGESET:a:1.0.0";

/// A change set as written by hand.
const WRITTEN: &str = "kind: ChangeSetContract\nid: a\nversion: 1.0.0\n\nidentity: { entityKeyFormat: x }\n";

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let registry = YamlRegistry::open(directory.path().to_owned(), clock()).unwrap();
        let new = Self { directory, registry };
        for (name, text) in files {
            new.write(name, text);
        }
        new
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    async fn fetch(&self, name: &str) -> Result<Arc<Contract>, ContractError> {
        use hansang_contracts::ContractRegistry as _;
        self.registry.fetch(&reference(name)).await
    }

    /// Every file in the directory, including hidden ones.
    fn names(&self) -> Vec<String> {
        fn add(directory: &Path, root: &Path, names: &mut Vec<String>) {
            for entry in std::fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    add(&path, root, names);
                } else {
                    names.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        let mut names = Vec::new();
        add(self.directory.path(), self.directory.path(), &mut names);
        names.sort();
        names
    }
}

/// The reason of a `Corrupted` error.
fn corrupted<T: std::fmt::Debug>(outcome: Result<T, ContractError>) -> String {
    match outcome {
        Err(ContractError::Corrupted { reason, .. }) => reason.to_string(),
        other => panic!("not corrupted: {other:?}"),
    }
}
