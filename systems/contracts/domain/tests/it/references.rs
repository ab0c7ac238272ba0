//! The check that references are served, on every registry.

use std::sync::Arc;

use hansang_contracts::references::{Reference, check, references};
use hansang_contracts::{ContractCode, ContractError, ContractRegistry, Status, StoreRegistry, register};
use hansang_core::cursor::CursorKey;
use hansang_core::{Db, Error};
use hansang_testkit::faults::{Faults, Faulty};
use serde_json::{Value as Json, json};

use crate::grounds::{
    Ground, Spoil, change_set, clock, db, embedded, item, new, on_each_registry, reference,
};

fn named(spec: Json) -> Vec<Reference> {
    references(&"OTHER".parse().unwrap(), &item(spec)).unwrap()
}

/// Change sets, one of each kind: `a` is served, `b` is deprecated from 2.0.0 on, `c` is a draft.
async fn fill(registry: &dyn ContractRegistry) {
    for (name, status) in [
        ("CHANGESET:a:1.0.0", Status::Active),
        ("CHANGESET:a:1.2.0", Status::Deprecated),
        ("CHANGESET:b:1.0.0", Status::Active),
        ("CHANGESET:b:2.0.0", Status::Deprecated),
        ("CHANGESET:b:2.1.0", Status::Draft),
        ("CHANGESET:c:1.0.0", Status::Draft),
    ] {
        register(registry, new(name, status, change_set())).await.unwrap();
    }
}

async fn served_references_pass_and_deprecated_ones_warn(ground: Ground) {
    let registry = &*ground.registry;
    fill(registry).await;
    let spec = json!({
        "list": { "changeSetRefs": ["a@1.0.0", "a@^1", "b@1.0.0", "b@>=1"] },
        "one": { "changeSetRef": "b@2.0.0" },
        "other": { "changeSetRef": "b@~2" },
    });
    assert_eq!(
        check(registry, &named(spec)).await.unwrap(),
        [
            "`one.changeSetRef` refers to CHANGESET:b:2.0.0, which is deprecated",
            "`other.changeSetRef` refers to CHANGESET:b:~2, which is deprecated",
        ]
    );
    assert_eq!(check(registry, &[]).await.unwrap(), [""; 0]);
}

async fn all_references_that_are_not_served_are_reported_at_once(ground: Ground) {
    let registry = &*ground.registry;
    fill(registry).await;
    let refs = ["a@1.0.0", "a@1.1.0", "a@^2", "c@1.0.0", "c@*", "b@~2.1", "RULESET:a:1.0.0", "nobody@^1"];
    let Err(ContractError::Refused(error)) = check(registry, &named(json!({ "changeSetRefs": refs }))).await
    else {
        panic!("not refused")
    };
    assert_eq!(error.code, ContractCode::ReferenceMissing);
    let told: Vec<String> = error.violations.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "`changeSetRefs[1]` refers to CHANGESET:a:1.1.0, which does not exist: register it first",
            "`changeSetRefs[2]` refers to CHANGESET:a:^2, which does not exist: register it first",
            "`changeSetRefs[3]` refers to CHANGESET:c:1.0.0, which has only drafts: promote one first",
            "`changeSetRefs[4]` refers to CHANGESET:c:*, which has only drafts: promote one first",
            "`changeSetRefs[5]` refers to CHANGESET:b:~2.1, which has only drafts: promote one first",
            "`changeSetRefs[6]` refers to RULESET:a:1.0.0, which does not exist: register it first",
            "`changeSetRefs[7]` refers to CHANGESET:nobody:^1, which does not exist: register it first",
        ]
    );
    assert_eq!(error.message.to_string(), told.join("; "));
}

async fn a_reference_to_a_corrupted_version_fails(ground: Ground) {
    let registry = &*ground.registry;
    fill(registry).await;
    ground.spoil(&reference("CHANGESET:a:1.0.0"), Spoil::Spec).await;
    ground.spoil(&reference("CHANGESET:b:1.0.0"), Spoil::Meaning).await;
    for (name, code) in [("a@1.0.0", "contract_integrity"), ("b@1.0.0", "contract_corrupted")] {
        let error =
            check(registry, &named(json!({ "changeSetRefs": ["nobody@1.0.0", name] }))).await.unwrap_err();
        assert_eq!(Error::from(error).code, code, "{name}");
    }
}

on_each_registry!(
    served_references_pass_and_deprecated_ones_warn,
    all_references_that_are_not_served_are_reported_at_once,
    a_reference_to_a_corrupted_version_fails,
);

#[tokio::test]
async fn each_contract_is_read_once() {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(Faulty::new(embedded(&directory), Faults::default(), 0));
    let registry = StoreRegistry::new(db(store.clone()).await);
    fill(&registry).await;
    let refs = ["a@1.0.0", "a@1.0.0", "CHANGESET:a:1.0.0", "b@^1", "b@>=1", "b@^1", "b@1.0.0", "b@1.0.0"];
    let before = store.calls();
    check(&registry, &named(json!({ "changeSetRefs": refs }))).await.unwrap();
    // `a` and `b` in one version each, the versions of `b`, and the other names of their kind.
    assert_eq!(store.calls() - before, 4);
}

#[tokio::test]
async fn an_outage_is_not_a_missing_contract() {
    let directory = tempfile::tempdir().unwrap();
    let store = embedded(&directory);
    let there = db(store.clone()).await;
    let down = Arc::new(Faulty::new(store, Faults { throttle: 1.0, ..Faults::default() }, 0));
    let db = Db::new(there.model().clone(), None, down, clock(), CursorKey::new(&[7; 32]));
    for name in ["a@1.0.0", "a@^1"] {
        let outcome = check(&StoreRegistry::new(db.clone()), &named(json!({ "changeSetRef": name }))).await;
        assert!(matches!(outcome, Err(ContractError::Unavailable(_))), "{name}: {outcome:?}");
    }
}
