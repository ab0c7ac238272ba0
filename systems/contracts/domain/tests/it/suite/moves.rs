//! Status changes.

use std::sync::Arc;

use hansang_contracts::{
    Allowed, ContractCode, ContractError, Status, check_promotion, deprecate, promote, register, restore,
};
use hansang_core::code::Code;
use hansang_core::{CoreCode, Error};
use serde_json::json;

use crate::grounds::{Ground, Spoil, change_set, item, new, on_each_registry, reference};

const NAME: &str = "CHANGESET:changeset.v1:1.0.0";

fn code<T: std::fmt::Debug>(outcome: Result<T, ContractError>) -> Code {
    Error::from(outcome.unwrap_err()).code
}

/// Rs4
async fn a_version_passes_through_its_statuses_with_their_authors(ground: Ground) {
    let registry = &*ground.registry;
    let name = reference(NAME);
    let made = register(registry, new(NAME, Status::Draft, change_set())).await.unwrap();
    assert_eq!(code(deprecate(registry, &name, "lee").await), CoreCode::WrongState);
    assert_eq!(code(restore(registry, &name, "lee").await), CoreCode::WrongState);
    let promoted = promote(registry, &name, "lee").await.unwrap().header;
    assert_eq!(promoted.status, Status::Active);
    let changed = promoted.status_changed.clone().unwrap();
    assert_eq!(changed.by, "lee");
    assert!(changed.at > made.header.created_at.unwrap());
    assert_eq!(code(promote(registry, &name, "lee").await), CoreCode::WrongState);
    let deprecated = deprecate(registry, &name, "park").await.unwrap().header;
    assert_eq!(
        (deprecated.status, deprecated.status_changed.unwrap().by),
        (Status::Deprecated, "park".to_owned())
    );
    let restored = restore(registry, &name, "choi").await.unwrap().header;
    assert_eq!(
        (restored.status, restored.status_changed.clone().unwrap().by),
        (Status::Active, "choi".to_owned())
    );
    let found = registry.load(&name).await.unwrap();
    assert_eq!(found.header, restored);
    assert_eq!((&found.spec, &found.header.checksum), (&item(change_set()), &made.header.checksum));
    assert_eq!(
        (found.header.created_at, &found.header.created_by),
        (made.header.created_at, &made.header.created_by)
    );
}

async fn a_missing_version_cannot_change_its_status(ground: Ground) {
    let registry = &*ground.registry;
    let name = reference(NAME);
    let missing = ContractError::NotFound(name.clone());
    assert_eq!(promote(registry, &name, "lee").await.unwrap_err(), missing);
    assert_eq!(deprecate(registry, &name, "lee").await.unwrap_err(), missing);
    assert_eq!(restore(registry, &name, "lee").await.unwrap_err(), missing);
    assert_eq!(registry.fetch(&name).await.unwrap_err(), missing);
    register(registry, new(NAME, Status::Draft, change_set())).await.unwrap();
    let unnamed = Error::from(promote(registry, &name, "").await.unwrap_err());
    assert_eq!(unnamed.violations[0].attribute, "by");
}

/// Rs5
async fn a_draft_is_served_only_on_request(ground: Ground) {
    let registry = &*ground.registry;
    register(registry, new(NAME, Status::Draft, change_set())).await.unwrap();
    assert_eq!(code(registry.load(&reference(NAME)).await), ContractCode::ContractIsDraft);
    let version = &reference(NAME).version;
    assert_eq!(code(registry.load_change_set("changeset.v1", version).await), ContractCode::ContractIsDraft);
    assert_eq!(registry.fetch(&reference(NAME)).await.unwrap().header.status, Status::Draft);
}

async fn one_of_many_concurrent_promotions_succeeds(ground: Ground) {
    register(&*ground.registry, new(NAME, Status::Draft, change_set())).await.unwrap();
    let attempts = (0..8).map(|number| {
        let registry = Arc::clone(&ground.registry);
        tokio::spawn(async move { promote(&*registry, &reference(NAME), &format!("p{number}")).await })
    });
    let mut who = Vec::new();
    for attempt in attempts.collect::<Vec<_>>() {
        match attempt.await.unwrap() {
            Ok(moved) => who.push(moved.header.status_changed.unwrap().by),
            Err(error) => assert_eq!(Error::from(error).code, CoreCode::WrongState),
        }
    }
    let found = ground.registry.load(&reference(NAME)).await.unwrap();
    assert_eq!(who, [found.header.status_changed.clone().unwrap().by]);
}

/// Rs20
async fn a_promotion_checks_the_spec_and_its_references(ground: Ground) {
    let registry = &*ground.registry;
    register(registry, new(NAME, Status::Draft, json!({ "identity": 7 }))).await.unwrap();
    assert_eq!(code(promote(registry, &reference(NAME), "lee").await), CoreCode::InvalidFields);
    let rules = json!({
        "entityType": "PRODUCT",
        "impactMap": { "CORE": ["/title"] },
        "slices": ["CORE"],
        "joins": [{ "contractRef": { "id": "join.v1", "version": "1.0.0" } }],
    });
    let name = reference("RULESET:rules.v1:1.0.0");
    register(registry, new("RULESET:rules.v1:1.0.0", Status::Draft, rules)).await.unwrap();
    assert_eq!(code(promote(registry, &name, "lee").await), ContractCode::ReferenceMissing);
    let join = json!({ "constraints": { "maxJoinDepth": 1 } });
    register(registry, new("JOIN_SPEC:join.v1:1.0.0", Status::Draft, join)).await.unwrap();
    assert_eq!(
        code(check_promotion(registry, &name, &Allowed::default()).await),
        ContractCode::ReferenceMissing
    );
    promote(registry, &reference("JOIN_SPEC:join.v1:1.0.0"), "lee").await.unwrap();
    assert!(check_promotion(registry, &name, &Allowed::default()).await.unwrap().is_empty());
    assert_eq!(registry.fetch(&name).await.unwrap().header.status, Status::Draft);
    assert_eq!(promote(registry, &name, "lee").await.unwrap().header.status, Status::Active);
    let warned = deprecate(registry, &reference("JOIN_SPEC:join.v1:1.0.0"), "lee").await.unwrap();
    assert_eq!(warned.warnings, ["RULESET:rules.v1:1.0.0 refers to this version"]);
}

async fn a_corrupted_draft_is_not_promoted(ground: Ground) {
    let registry = &*ground.registry;
    register(registry, new(NAME, Status::Draft, change_set())).await.unwrap();
    ground.spoil(&reference(NAME), Spoil::Spec).await;
    assert_eq!(code(promote(registry, &reference(NAME), "lee").await), ContractCode::ContractIntegrity);
}

on_each_registry!(
    a_version_passes_through_its_statuses_with_their_authors,
    a_missing_version_cannot_change_its_status,
    a_draft_is_served_only_on_request,
    one_of_many_concurrent_promotions_succeeds,
    a_promotion_checks_the_spec_and_its_references,
    a_corrupted_draft_is_not_promoted,
);
