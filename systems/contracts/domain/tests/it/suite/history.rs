//! The history of a version's status.

use hansang_contracts::{
    Act, Allowed, CompatibilityRule, ContractCode, ContractError, Mode, RuleScope, Status, StatusChange,
    check_promotion, check_restoration, deprecate, promote, register, restore,
};
use hansang_core::Error;
use serde_json::{Value as Json, json};

use crate::grounds::{Ground, On, change_set, new, on_each_registry, reference};

const NAME: &str = "CHANGESET:changeset.v1:1.0.0";

fn lines(changes: &[StatusChange]) -> Vec<String> {
    let line = |change: &StatusChange| {
        let from = change.from.map_or("-", Status::name);
        format!("{from} {} {} {}", change.to, change.by, change.reason.as_deref().unwrap_or("-"))
    };
    changes.iter().map(line).collect()
}

/// Rs4: every change is kept, not only the last one.
async fn every_change_is_kept(ground: Ground) {
    let registry = &*ground.registry;
    let name = reference(NAME);
    assert_eq!(registry.history(&name).await.unwrap_err(), ContractError::NotFound(name.clone()));
    register(registry, new(NAME, Status::Draft, change_set())).await.unwrap();
    register(registry, new("CHANGESET:changeset.v1:1.0.1", Status::Draft, change_set())).await.unwrap();
    assert_eq!(registry.history(&name).await.unwrap(), []);
    promote(registry, &name, "lee").await.unwrap();
    promote(registry, &reference("CHANGESET:changeset.v1:1.0.1"), "other").await.unwrap();
    deprecate(registry, &name, "park").await.unwrap();
    restore(registry, &name, "choi").await.unwrap();
    deprecate(registry, &name, "lee").await.unwrap();
    assert!(restore(registry, &reference("CHANGESET:changeset.v1:1.0.1"), "lee").await.is_err());
    let found = registry.history(&name).await.unwrap();
    assert_eq!(
        lines(&found),
        [
            "DRAFT ACTIVE lee -",
            "ACTIVE DEPRECATED park -",
            "DEPRECATED ACTIVE choi -",
            "ACTIVE DEPRECATED lee -"
        ]
    );
    assert!(found.is_sorted_by_key(|change| change.at));
    let header = registry.fetch(&name).await.unwrap().header.clone();
    assert_eq!(header.status_changed.unwrap().at, found.last().unwrap().at);
    // The history is not a version: walks and lists do not have it.
    assert_eq!(registry.walk(None).await.unwrap().found.len(), 2);
    let listed = registry.list(&name.kind, &hansang_contracts::ListAsk::default()).await.unwrap();
    assert_eq!(listed.headers.len(), 2);
}

on_each_registry!(every_change_is_kept);

fn entity(fields: &[&str]) -> Json {
    let field = |name: &&str| json!({ "name": name, "type": "string" });
    json!({ "entityType": "PRODUCT", "fields": fields.iter().map(field).collect::<Vec<_>>() })
}

fn overriding(reason: &str) -> Allowed {
    Allowed { missing: false, incompatible: Some(reason.to_owned()) }
}

/// An override is recorded with its reason, at each of the three ways to become active.
#[tokio::test]
async fn an_override_is_kept_with_its_reason() {
    for on in [On::Embedded, On::DynamoDb] {
        let ground = Ground::new(on).await;
        let registry = &*ground.registry;
        let name = |version: &str| format!("ENTITY_SCHEMA:e:{version}");
        register(registry, new(&name("1.0.0"), Status::Active, entity(&["a", "b"]))).await.unwrap();
        register(registry, new(&name("1.1.0"), Status::Draft, entity(&["a"]))).await.unwrap();
        let rule = CompatibilityRule { mode: Mode::Full, transitive: false };
        registry.set_rule(&RuleScope::All, Some(rule)).await.unwrap();
        let draft = reference(&name("1.1.0"));
        let act = |reason: &str| Act { by: "root".to_owned(), allowed: overriding(reason) };
        for wrong in ["", "  ", "a\nb", &"x".repeat(257)] {
            let refused = Error::from(promote(registry, &draft, act(wrong)).await.unwrap_err());
            assert_eq!(refused.violations[0].attribute, "override", "{wrong}");
        }
        let warned = check_promotion(registry, &draft, &overriding("x")).await.unwrap();
        assert!(warned[0].to_string().contains("was allowed with a reason"), "{warned:?}");
        assert!(check_promotion(registry, &draft, &Allowed::default()).await.is_err());
        let moved = promote(registry, &draft, act("nobody reads b")).await.unwrap();
        assert_eq!(moved.warnings, warned);
        assert_eq!(lines(&registry.history(&draft).await.unwrap()), ["DRAFT ACTIVE root nobody reads b"]);

        // A restoration is checked too, and a reason that was not needed is not recorded.
        deprecate(registry, &draft, "lee").await.unwrap();
        let refused = Error::from(restore(registry, &draft, "lee").await.unwrap_err());
        assert_eq!(refused.code, ContractCode::Incompatible);
        assert!(check_restoration(registry, &draft, &Allowed::default()).await.is_err());
        assert_eq!(check_restoration(registry, &draft, &overriding("x")).await.unwrap(), warned);
        restore(registry, &draft, act("still nobody")).await.unwrap();
        let first = reference(&name("1.0.0"));
        deprecate(registry, &first, "lee").await.unwrap();
        restore(registry, &first, act("not needed")).await.unwrap();
        assert_eq!(
            lines(&registry.history(&first).await.unwrap()),
            ["ACTIVE DEPRECATED lee -", "DEPRECATED ACTIVE root -"]
        );
        assert_eq!(
            lines(&registry.history(&draft).await.unwrap()).last().unwrap(),
            "DEPRECATED ACTIVE root still nobody"
        );

        let new = new(&name("1.2.0"), Status::Active, entity(&["c"]));
        let refused = Error::from(register(registry, new.clone()).await.unwrap_err());
        assert_eq!(refused.code, ContractCode::Incompatible);
        let allowed = overriding("rewritten");
        let made =
            register(registry, hansang_contracts::NewContract { allowed, ..new.clone() }).await.unwrap();
        assert!(made.created && made.header.status_changed.is_none());
        let last = reference(&name("1.2.0"));
        assert_eq!(lines(&registry.history(&last).await.unwrap()), ["- ACTIVE kim rewritten"]);
        // Registering it again succeeds, although the rule forbids it.
        assert!(!register(registry, new).await.unwrap().created);
    }
}
