//! Versions that cannot be trusted are never returned, and each cause has its own error.

use hansang_contracts::{ContractError, Status, audit, register};
use serde_json::json;

use crate::grounds::{Ground, Spoil, change_set, new, on_each_registry, reference};

const NAME: &str = "CHANGESET:changeset.v1:1.0.0";

async fn with_contract(ground: &Ground) {
    register(&*ground.registry, new(NAME, Status::Active, change_set())).await.unwrap();
    ground.registry.load(&reference(NAME)).await.unwrap();
}

/// R12
async fn a_missing_version_is_not_found(ground: Ground) {
    with_contract(&ground).await;
    for name in ["CHANGESET:changeset.v1:1.0.1", "CHANGESET:changeset.v2:1.0.0", "RULESET:changeset.v1:1.0.0"]
    {
        let error = ground.registry.load(&reference(name)).await.unwrap_err();
        assert_eq!(error, ContractError::NotFound(reference(name)));
    }
}

/// R13
async fn a_version_that_does_not_decode_is_corrupted(ground: Ground) {
    let other = "CHANGESET:changeset.v2:1.0.0";
    register(&*ground.registry, new(other, Status::Active, change_set())).await.unwrap();
    with_contract(&ground).await;
    for (name, spoil) in [(NAME, Spoil::Meaning), (other, Spoil::NoSpec)] {
        ground.spoil(&reference(name), spoil).await;
        let error = ground.registry.load(&reference(name)).await.unwrap_err();
        let ContractError::Corrupted { reference: of, reason } = &error else {
            panic!("{spoil:?}: {error:?}")
        };
        assert!(*of == reference(name) && !reason.to_string().is_empty(), "{error:?}");
    }
}

/// R14
async fn a_changed_spec_fails_the_integrity_check(ground: Ground) {
    with_contract(&ground).await;
    ground.spoil(&reference(NAME), Spoil::Spec).await;
    let error = ground.registry.load(&reference(NAME)).await.unwrap_err();
    assert!(
        matches!(&error, ContractError::Integrity { reference: of, .. } if *of == reference(NAME)),
        "{error:?}"
    );
}

/// Rs10
async fn decoding_comes_before_the_checksum(ground: Ground) {
    with_contract(&ground).await;
    ground.spoil(&reference(NAME), Spoil::MeaningAndChecksum).await;
    let error = ground.registry.load(&reference(NAME)).await.unwrap_err();
    assert!(matches!(error, ContractError::Corrupted { .. }), "{error:?}");
}

async fn an_invalid_status_is_corrupted(ground: Ground) {
    with_contract(&ground).await;
    ground.spoil(&reference(NAME), Spoil::Status).await;
    let error = ground.registry.load(&reference(NAME)).await.unwrap_err();
    assert!(matches!(error, ContractError::Corrupted { .. }), "{error:?}");
}

/// R15: a corrupted version is never replaced, not even by registering it again.
async fn a_corrupted_version_stays_an_error(ground: Ground) {
    with_contract(&ground).await;
    let older = "CHANGESET:changeset.v1:0.9.0";
    register(&*ground.registry, new(older, Status::Active, change_set())).await.unwrap();
    ground.spoil(&reference(NAME), Spoil::Spec).await;
    let (kind, id) = (reference(NAME).kind, "changeset.v1");
    let latest = hansang_contracts::latest(&*ground.registry, &kind, id, None, false).await;
    assert!(matches!(latest, Err(ContractError::Integrity { .. })), "{latest:?}");
    let again = register(&*ground.registry, new(NAME, Status::Active, change_set())).await;
    assert!(matches!(again, Err(ContractError::Integrity { .. })), "{again:?}");
    let naming =
        json!({ "constraints": { "maxJoinDepth": 1 }, "changeSetRef": { "id": id, "version": "1.0.0" } });
    let naming = register(&*ground.registry, new("JOIN_SPEC:j:1.0.0", Status::Active, naming)).await;
    assert!(naming.is_err(), "{naming:?}");
}

/// Rs22
async fn an_audit_lists_every_failure(ground: Ground) {
    with_contract(&ground).await;
    for version in ["1.1.0", "1.2.0", "1.3.0"] {
        let name = format!("CHANGESET:changeset.v1:{version}");
        register(&*ground.registry, new(&name, Status::Active, change_set())).await.unwrap();
    }
    ground.spoil(&reference(NAME), Spoil::Spec).await;
    ground.spoil(&reference("CHANGESET:changeset.v1:1.1.0"), Spoil::Meaning).await;
    ground.spoil(&reference("CHANGESET:changeset.v1:1.2.0"), Spoil::NoSpec).await;
    let found = audit(&*ground.registry, &mut |_| {}).await.unwrap();
    assert_eq!(found.checked, 4);
    let mut kinds: Vec<(&str, String)> = found
        .failures
        .iter()
        .map(|failure| match &failure.error {
            ContractError::Integrity { reference, .. } => ("integrity", reference.version.to_string()),
            ContractError::Corrupted { reference, .. } => ("corrupted", reference.version.to_string()),
            other => panic!("{other:?}"),
        })
        .collect();
    kinds.sort_by(|one, other| one.1.cmp(&other.1));
    let expected = [("integrity", "1.0.0"), ("corrupted", "1.1.0"), ("corrupted", "1.2.0")];
    assert_eq!(kinds, expected.map(|(kind, version)| (kind, version.to_owned())));
}

on_each_registry!(
    a_missing_version_is_not_found,
    a_version_that_does_not_decode_is_corrupted,
    a_changed_spec_fails_the_integrity_check,
    decoding_comes_before_the_checksum,
    an_invalid_status_is_corrupted,
    a_corrupted_version_stays_an_error,
    an_audit_lists_every_failure,
);
