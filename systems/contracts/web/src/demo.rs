//! Example contracts.

use hansang_command::Failure;
use hansang_contracts::{ContractFile, SeedReport, StoreRegistry, seed};
use hansang_core::Db;

macro_rules! examples {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../examples/contracts/", $name)))),*]
    };
}

/// The files with contracts.
const CONTRACTS: &[(&str, &str)] = examples![
    "changeset.v1-next.yaml",
    "changeset.v1.yaml",
    "entity-brand.v1.yaml",
    "entity-product.v1.yaml",
    "inverted-index.v1.yaml",
    "join-spec.v1.yaml",
    "ruleset-product.v1.1.yaml",
    "ruleset-product.v1.yaml",
    "sink-rule-archive.v1.yaml",
    "sink-rule-opensearch.v1.yaml",
    "view-product-detail.v1.yaml",
    "view-product-search.v1.yaml",
];

/// Registers the examples in the table, even if a directory is served: its files belong to the user.
pub(crate) async fn fill(db: &Db) -> Result<(), Failure> {
    let files = CONTRACTS.iter().map(|(name, text)| ContractFile::read(name.into(), text));
    let files: Vec<ContractFile> = files.collect();
    let registry = StoreRegistry::new(db.clone());
    let SeedReport { conflicts, errors, .. } = seed(&registry, &files, "demo", false, &mut |_| ()).await;
    match conflicts.into_iter().chain(errors).next() {
        None => Ok(()),
        Some(wrong) => {
            let why = wrong.message.map(|message| message.to_string()).unwrap_or_default();
            let path = wrong.path.display();
            Err(Failure::Message { text: format!("the example {path} cannot be registered: {why}"), code: 1 })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_example_is_shown() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/contracts");
        let names = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        assert_eq!(CONTRACTS.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
    }
}
