//! Registration.

use std::sync::Arc;

use hansang_contracts::checksum::checksum;
use hansang_contracts::{ContractCode, ContractError, Status, register};
use hansang_core::Error;
use hansang_core::code::Code;
use serde_json::json;

use crate::grounds::{Ground, change_set, item, new, on_each_registry, reference};

const NAME: &str = "CHANGESET:changeset.v1:1.0.0";

fn code(error: ContractError) -> Code {
    Error::from(error).code
}

/// R3, R6
async fn a_version_is_returned_as_registered(ground: Ground) {
    let made = register(&*ground.registry, new(NAME, Status::Active, change_set())).await.unwrap();
    assert!(made.created && made.warnings.is_empty());
    let found = ground.registry.load(&reference(NAME)).await.unwrap();
    assert_eq!(found.header, made.header);
    assert_eq!(found.spec, item(change_set()));
    assert_eq!(found.header.checksum, checksum(&item(change_set())).unwrap());
    assert_eq!((found.header.status, found.header.created_by.as_deref()), (Status::Active, Some("kim")));
    assert!(found.header.created_at.is_some() && found.header.status_changed.is_none());
}

/// R10, Rs3
async fn another_spec_for_a_version_is_rejected_and_changes_nothing(ground: Ground) {
    let made = register(&*ground.registry, new(NAME, Status::Active, change_set())).await.unwrap();
    let same = register(&*ground.registry, new(NAME, Status::Active, change_set())).await.unwrap();
    assert!(!same.created);
    assert_eq!(same.header, made.header);
    let mut other = change_set();
    other["fanout"]["enabled"] = json!(false);
    let rejected = register(&*ground.registry, new(NAME, Status::Draft, other)).await.unwrap_err();
    assert_eq!(code(rejected), ContractCode::VersionExists);
    assert_eq!(ground.registry.load(&reference(NAME)).await.unwrap().spec, item(change_set()));
}

/// Rs14, Rs16
async fn specs_that_cannot_be_stored_are_rejected(ground: Ground) {
    let mut anonymous = new(NAME, Status::Draft, change_set());
    anonymous.created_by.clear();
    let rejected = Error::from(register(&*ground.registry, anonymous).await.unwrap_err());
    assert_eq!(rejected.violations[0].attribute, "createdBy");
    let large = json!({ "text": "x".repeat(400 * 1024) });
    let rejected = register(&*ground.registry, new(NAME, Status::Draft, large)).await.unwrap_err();
    assert_eq!(code(rejected), ContractCode::SpecTooLarge);
    let inexact =
        item(json!({ "n": serde_json::from_str::<serde_json::Value>("9007199254740993").unwrap() }));
    let inexact = hansang_contracts::NewContract { spec: inexact, ..new(NAME, Status::Draft, json!({})) };
    assert_eq!(code(register(&*ground.registry, inexact).await.unwrap_err()), ContractCode::InvalidSpec);
    let missing = ground.registry.fetch(&reference(NAME)).await.unwrap_err();
    assert_eq!(missing, ContractError::NotFound(reference(NAME)));
}

/// Rs20: served specs must be valid; a draft may be unfinished.
async fn only_a_draft_may_be_unfinished(ground: Ground) {
    let unfinished = json!({ "payload": {} });
    let rejected =
        register(&*ground.registry, new(NAME, Status::Active, unfinished.clone())).await.unwrap_err();
    let rejected = Error::from(rejected);
    assert!(
        rejected.violations.iter().any(|one| one.attribute == "spec.identity"),
        "{:?}",
        rejected.violations
    );
    assert!(register(&*ground.registry, new(NAME, Status::Draft, unfinished)).await.unwrap().created);
}

async fn concurrent_registrations_of_the_same_content_make_one_version(ground: Ground) {
    let attempts = (0..16).map(|_| {
        let registry = Arc::clone(&ground.registry);
        tokio::spawn(async move { register(&*registry, new(NAME, Status::Active, change_set())).await })
    });
    let mut created = 0;
    for attempt in attempts.collect::<Vec<_>>() {
        created += usize::from(attempt.await.unwrap().unwrap().created);
    }
    assert_eq!(created, 1);
    assert_eq!(ground.registry.versions(&reference(NAME).kind, "changeset.v1").await.unwrap().len(), 1);
}

async fn one_of_many_concurrent_specs_wins(ground: Ground) {
    let spec = |number: u32| json!({ "number": number });
    let attempts = (0..16).map(|number| {
        let registry = Arc::clone(&ground.registry);
        let new = new("OTHER:o:1.0.0", Status::Active, spec(number));
        (number, tokio::spawn(async move { register(&*registry, new).await }))
    });
    let mut winners = Vec::new();
    for (number, attempt) in attempts.collect::<Vec<_>>() {
        match attempt.await.unwrap() {
            Ok(made) => {
                assert!(made.created);
                winners.push(number);
            }
            Err(error) => assert_eq!(code(error), ContractCode::VersionExists),
        }
    }
    assert_eq!(winners.len(), 1);
    let stored = ground.registry.load(&reference("OTHER:o:1.0.0")).await.unwrap();
    assert_eq!(stored.spec, item(spec(winners[0])));
}

on_each_registry!(
    a_version_is_returned_as_registered,
    another_spec_for_a_version_is_rejected_and_changes_nothing,
    specs_that_cannot_be_stored_are_rejected,
    only_a_draft_may_be_unfinished,
    concurrent_registrations_of_the_same_content_make_one_version,
    one_of_many_concurrent_specs_wins,
);
