//! The examples can be used as a seed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hansang_contracts::{
    ContractRegistry as _, Known, Status, YamlRegistry, audit, compare, latest, read_directory,
};

use super::{World, everything};
use crate::grounds::{clock, reference};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/contracts")
}

/// R25
#[tokio::test]
async fn a_registry_seeded_with_the_examples_equals_the_files() {
    let world = World::new().await;
    let files = read_directory(&examples()).unwrap();
    let report = world.seed(&files).await;
    assert_eq!((report.uploaded.len(), report.succeeded()), (files.len(), true), "{report:?}");
    assert_eq!(world.seed(&files).await.skipped.len(), files.len());
    let yaml = YamlRegistry::open(examples(), clock()).unwrap();
    for registry in [&yaml as &dyn hansang_contracts::ContractRegistry, &world.registry] {
        let found = audit(registry, &mut |_| {}).await.unwrap();
        assert_eq!((found.checked, found.failures), (files.len() as u64, vec![]));
    }
    assert_eq!(compare(&yaml, &world.registry).await.unwrap(), []);
    assert_eq!(everything(&yaml).await, everything(&world.registry).await);
    let (kind, id) = (reference("RULESET:ruleset.product.v1:1.0.0").kind, "ruleset.product.v1");
    for registry in [&yaml as &dyn hansang_contracts::ContractRegistry, &world.registry] {
        let newest = latest(registry, &kind, id, None, false).await.unwrap();
        assert_eq!(newest.header.reference.version.to_string(), "1.1.0");
        let referrers = registry.referrers(&kind, id).await.unwrap();
        let from: Vec<String> = referrers.iter().map(|one| one.from.to_string()).collect();
        let views =
            ["VIEW_DEFINITION:view.product.detail.v1:1.0.0", "VIEW_DEFINITION:view.product.search.v1:1.0.0"];
        assert_eq!(from, views);
    }
}

#[tokio::test]
async fn the_examples_cover_every_kind_every_status_and_both_spellings() {
    let yaml = YamlRegistry::open(examples(), clock()).unwrap();
    let kinds: BTreeSet<String> = yaml.kinds().await.unwrap().iter().map(ToString::to_string).collect();
    // The document describes no spec of this kind.
    let described = Known::all().filter(|known| *known != Known::IndexValueCanonicalizer);
    assert_eq!(kinds, described.map(|known| known.name().to_owned()).collect());
    let statuses: BTreeSet<Status> =
        everything(&yaml).await.into_iter().map(|(_, _, status)| status).collect();
    assert_eq!(statuses.len(), 3);
    let spellings: BTreeSet<bool> = read_directory(&examples())
        .unwrap()
        .iter()
        .map(|file| std::fs::read_to_string(&file.path).unwrap().contains("Contract\nid:"))
        .collect();
    assert_eq!(spellings.len(), 2);
}
