//! The audit continues after a failure, and stops at an outage.

use std::sync::Arc;

use hansang_contracts::{Audit, ContractError, Status, StoreRegistry, YamlRegistry, audit, register};
use hansang_core::Value;
use hansang_core::plan::{Get, Key};
use hansang_testkit::faults::{Faults, Faulty};
use serde_json::json;

use crate::grounds::{change_set, clock, db, embedded, item, new};

/// The failures with their locations.
fn failures(found: &Audit) -> Vec<(String, &'static str)> {
    let kind = |error: &ContractError| match error {
        ContractError::Corrupted { .. } => "corrupted",
        ContractError::Integrity { .. } => "integrity",
        ContractError::Refused(error) => error.code.as_str(),
        other => panic!("{other:?}"),
    };
    let mut all: Vec<_> =
        found.failures.iter().map(|failure| (failure.location.clone(), kind(&failure.error))).collect();
    all.sort();
    all
}

#[tokio::test]
async fn every_file_is_audited() {
    let directory = tempfile::tempdir().unwrap();
    let header = "kind: CHANGESET\nid: a\nversion: 1.0.";
    let right = "identity: {entityKeyFormat: x}\n";
    for number in 0..250 {
        let text = match number {
            17 => format!("{header}{number}\npayload: {{}}\n"),
            117 => format!("{header}{number}\n{right}checksum: sha256:00\n"),
            217 => "kind: CHANGESET\n".to_owned(),
            218 | 219 => format!("{header}218\n{right}"),
            _ => format!("{header}{number}\n{right}"),
        };
        std::fs::write(directory.path().join(format!("{number:03}.yaml")), text).unwrap();
    }
    let registry = YamlRegistry::open(directory.path().to_owned(), clock()).unwrap();
    let mut progress = Vec::new();
    let found =
        audit(&registry, &mut |audit| progress.push((audit.checked, audit.failures.len()))).await.unwrap();
    assert_eq!(progress, [(100, 1), (200, 2), (250, 5)]);
    let expected = [
        ("017.yaml", "corrupted"),
        ("117.yaml", "integrity"),
        ("217.yaml", "contract_unreadable"),
        ("218.yaml", "corrupted"),
        ("219.yaml", "corrupted"),
    ];
    assert_eq!(failures(&found), expected.map(|(location, kind)| (location.to_owned(), kind)));
}

#[tokio::test]
async fn every_item_of_a_table_is_audited() {
    let directory = tempfile::tempdir().unwrap();
    let db = db(embedded(&directory)).await;
    let registry = StoreRegistry::new(db.clone());
    for number in 0..230 {
        let name = format!("CHANGESET:a:1.0.{number}");
        register(&registry, new(&name, Status::Active, change_set())).await.unwrap();
    }
    let spoil = async |version: &str, name: &str, value: Option<Value>| {
        let key = Key { pk: "CHANGESET#a".to_owned(), sk: version.to_owned() };
        let get = Get { key, consistent: true, fields: None };
        let mut item = db.store().get(db.table(), &get).await.unwrap().unwrap();
        item.remove(name);
        item.extend(value.map(|value| (name.into(), value)));
        db.store().batch_put(db.table(), vec![item]).await.unwrap();
    };
    spoil("1.0.7", "spec", Some(Value::M(item(json!({ "identity": { "entityKeyFormat": "y" } }))))).await;
    spoil("1.0.8", "spec", Some(7.into())).await;
    spoil("1.0.9", "kind", None).await;
    spoil("1.0.10", "checksum", None).await;
    let stray = item(json!({ "PK": "nobody", "SK": "knows", "kind": "CHANGESET" }));
    db.store().batch_put(db.table(), vec![stray]).await.unwrap();
    let found = audit(&registry, &mut |_| {}).await.unwrap();
    assert_eq!(found.checked, 231);
    let expected = [
        ("CHANGESET#a / 1.0.10", "integrity"),
        ("CHANGESET#a / 1.0.7", "integrity"),
        ("CHANGESET#a / 1.0.8", "corrupted"),
        ("CHANGESET#a / 1.0.9", "corrupted"),
        ("nobody / knows", "contract_unreadable"),
    ];
    assert_eq!(failures(&found), expected.map(|(location, kind)| (location.to_owned(), kind)));
}

#[tokio::test]
async fn an_audit_fails_on_an_outage() {
    let directory = tempfile::tempdir().unwrap();
    let store = embedded(&directory);
    let registry = StoreRegistry::new(db(store.clone()).await);
    register(&registry, new("CHANGESET:a:1.0.0", Status::Active, change_set())).await.unwrap();
    let faults = Faults { timeout_before: 1.0, ..Faults::default() };
    let dead = StoreRegistry::new(db(Arc::new(Faulty::new(store, faults, 1))).await);
    let ended = audit(&dead, &mut |_| {}).await;
    assert!(matches!(ended, Err(ContractError::Unavailable(_))), "{ended:?}");
}
