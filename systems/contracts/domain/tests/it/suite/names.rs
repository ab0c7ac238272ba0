//! Referrers.

use hansang_contracts::references::references;
use hansang_contracts::{Kind, Status, register};
use serde_json::json;

use crate::grounds::{Ground, item, new, on_each_registry, reference};

fn index() -> serde_json::Value {
    json!({
        "keySpec": { "pkPattern": "INV#{refType}", "skPattern": "{targetId}", "padWidth": 12, "separator": "#" },
        "guards": { "maxTargetsPerRef": 500 },
    })
}

fn join(version: &str) -> serde_json::Value {
    json!({
        "constraints": { "maxJoinDepth": 1 },
        "fanout": { "invertedIndex": { "maxFanout": 10, "contractRef": { "id": "index.v1", "version": version } } },
    })
}

async fn referrers_are_listed(ground: Ground) {
    let registry = &*ground.registry;
    register(registry, new("INVERTED_INDEX:index.v1:1.0.0", Status::Active, index())).await.unwrap();
    for (name, wanted) in
        [("JOIN_SPEC:b:1.0.0", "^1.0"), ("JOIN_SPEC:a:1.10.0", "1.0.0"), ("JOIN_SPEC:a:1.9.0", "1.0.0")]
    {
        register(registry, new(name, Status::Active, join(wanted))).await.unwrap();
    }
    let kind: Kind = "INVERTED_INDEX".parse().unwrap();
    let found = registry.referrers(&kind, "index.v1").await.unwrap();
    let found: Vec<(String, Vec<String>)> =
        found.into_iter().map(|one| (one.from.to_string(), one.wanted)).collect();
    let expected =
        [("JOIN_SPEC:a:1.9.0", "1.0.0"), ("JOIN_SPEC:a:1.10.0", "1.0.0"), ("JOIN_SPEC:b:1.0.0", "^1.0")];
    assert_eq!(found, expected.map(|(from, wanted)| (from.to_owned(), vec![wanted.to_owned()])));
    assert!(registry.referrers(&kind, "nobody").await.unwrap().is_empty());
    let contract = registry.load(&reference("JOIN_SPEC:b:1.0.0")).await.unwrap();
    let named = references(&contract.header.reference.kind, &contract.spec).unwrap();
    assert_eq!((named.len(), &*named[0].id, named[0].wanted.to_string()), (1, "index.v1", "^1.0".to_owned()));
}

/// A rejected registration stores nothing, not even references.
async fn a_rejected_version_is_not_a_referrer(ground: Ground) {
    let registry = &*ground.registry;
    register(registry, new("JOIN_SPEC:a:1.0.0", Status::Draft, join("1.0.0"))).await.unwrap();
    register(registry, new("JOIN_SPEC:a:1.0.0", Status::Draft, join("2.0.0"))).await.unwrap_err();
    let found = registry.referrers(&"INVERTED_INDEX".parse().unwrap(), "index.v1").await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].wanted, ["1.0.0"]);
    let many: Vec<_> =
        (0..120).map(|number| json!({ "id": format!("i{number}"), "version": "1.0.0" })).collect();
    let many = json!({ "invertedIndexRefs": many });
    assert_eq!(references(&"OTHER".parse().unwrap(), &item(many)).unwrap().len(), 120);
}

on_each_registry!(referrers_are_listed, a_rejected_version_is_not_a_referrer);
