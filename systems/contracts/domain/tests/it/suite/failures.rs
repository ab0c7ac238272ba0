//! What cannot be trusted is never given out, and each cause has its own error.

use hansang_contracts::{ContractError, Status, audit, register};
use serde_json::json;

use crate::grounds::{Ground, Spoil, change_set, new, on_each_registry, reference};

const NAME: &str = "CHANGESET:changeset.v1:1.0.0";

async fn with_contract(ground: &Ground) {
    register(&*ground.registry, new(NAME, Status::Active, change_set())).await.unwrap();
    ground.registry.load(&reference(NAME)).await.unwrap();
}

/// R12
async fn what_is_not_there_is_not_found(ground: Ground) {
    with_contract(&ground).await;
    for name in ["CHANGESET:changeset.v1:1.0.1", "CHANGESET:changeset.v2:1.0.0", "RULESET:changeset.v1:1.0.0"]
    {
        let error = ground.registry.load(&reference(name)).await.unwrap_err();
        assert_eq!(error, ContractError::NotFound(reference(name)));
    }
}

/// R13
async fn what_cannot_be_decoded_is_corrupted(ground: Ground) {
    let other = "CHANGESET:changeset.v2:1.0.0";
    register(&*ground.registry, new(other, Status::Active, change_set())).await.unwrap();
    with_contract(&ground).await;
    for (name, spoil) in [(NAME, Spoil::Meaning), (other, Spoil::NoSpec)] {
        ground.spoil(&reference(name), spoil).await;
        let error = ground.registry.load(&reference(name)).await.unwrap_err();
        let ContractError::Corrupted { reference: of, reason } = &error else {
            panic!("{spoil:?}: {error:?}")
        };
        assert!(*of == reference(name) && !reason.is_empty(), "{error:?}");
    }
}

/// R14
async fn what_is_not_as_it_was_registered_has_lost_its_integrity(ground: Ground) {
    with_contract(&ground).await;
    ground.spoil(&reference(NAME), Spoil::Spec).await;
    let error = ground.registry.load(&reference(NAME)).await.unwrap_err();
    assert!(
        matches!(&error, ContractError::Integrity { reference: of, .. } if *of == reference(NAME)),
        "{error:?}"
    );
}

/// Rs10
async fn decoding_is_judged_before_the_checksum(ground: Ground) {
    with_contract(&ground).await;
    ground.spoil(&reference(NAME), Spoil::MeaningAndChecksum).await;
    let error = ground.registry.load(&reference(NAME)).await.unwrap_err();
    assert!(matches!(error, ContractError::Corrupted { .. }), "{error:?}");
}

async fn a_status_that_is_none_is_corrupted(ground: Ground) {
    with_contract(&ground).await;
    ground.spoil(&reference(NAME), Spoil::Status).await;
    let error = ground.registry.load(&reference(NAME)).await.unwrap_err();
    assert!(matches!(error, ContractError::Corrupted { .. }), "{error:?}");
}

/// R15: nothing else is given in the place of what is spoiled, and registering it again is no way around.
async fn what_is_spoiled_stays_refused(ground: Ground) {
    with_contract(&ground).await;
    let older = "CHANGESET:changeset.v1:0.9.0";
    register(&*ground.registry, new(older, Status::Active, change_set())).await.unwrap();
    ground.spoil(&reference(NAME), Spoil::Spec).await;
    let (kind, id) = (reference(NAME).kind, "changeset.v1");
    let latest = hansang_contracts::latest(&*ground.registry, &kind, id, None).await;
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
    what_is_not_there_is_not_found,
    what_cannot_be_decoded_is_corrupted,
    what_is_not_as_it_was_registered_has_lost_its_integrity,
    decoding_is_judged_before_the_checksum,
    a_status_that_is_none_is_corrupted,
    what_is_spoiled_stays_refused,
    an_audit_lists_every_failure,
);
