//! Typed loads of each known kind.

use hansang_contracts::{Body, ContractError, Status, register};
use semver::Version;
use serde_json::json;

use crate::grounds::{Ground, change_set, new, on_each_registry, reference};

/// R9
async fn every_known_kind_is_loaded_as_its_struct(ground: Ground) {
    let registry = &*ground.registry;
    let index = json!({
        "keySpec": { "pkPattern": "INV#{refType}", "skPattern": "{targetId}", "padWidth": 12, "separator": "#" },
        "guards": { "maxTargetsPerRef": 500 },
    });
    let join = json!({
        "constraints": { "maxJoinDepth": 2 },
        "fanout": { "invertedIndex": { "maxFanout": 10, "contractRef": { "id": "x", "version": "1.0.0" } } },
    });
    let rules = json!({ "entityType": "PRODUCT", "impactMap": { "CORE": ["/title"] }, "joins": [], "slices": ["CORE", "PRICE"], "indexes": [] });
    let view = json!({
        "requiredSlices": ["CORE"], "optionalSlices": ["PRICE"], "missingPolicy": "FAIL_CLOSED",
        "partialPolicy": "ALLOW", "fallbackPolicy": "NONE", "ruleSetRef": { "id": "x", "version": "^1" },
    });
    let schema = json!({ "fields": [{ "name": "orderId", "type": "string", "required": true }] });
    for (name, spec) in [
        ("CHANGESET:x:1.0.0", change_set()),
        ("INVERTED_INDEX:x:1.0.0", index),
        ("JOIN_SPEC:x:1.0.0", join),
        ("RULESET:x:1.0.0", rules),
        ("VIEW_DEFINITION:x:1.0.0", view),
        ("ENTITY_SCHEMA:x:1.0.0", schema),
        ("SINK_RULE:x:1.0.0", json!({})),
        ("ZEBRA:x:1.0.0", json!({ "stripes": 7 })),
    ] {
        register(registry, new(name, Status::Active, spec))
            .await
            .unwrap_or_else(|error| panic!("{name}: {error:?}"));
    }
    let version = Version::new(1, 0, 0);
    let change_set = registry.load_change_set("x", &version).await.unwrap();
    assert_eq!(change_set.entity_key_format, "{entityType}#{entityId}");
    assert_eq!(registry.load_join_spec("x", &version).await.unwrap().max_join_depth, 2);
    assert_eq!(registry.load_inverted_index("x", &version).await.unwrap().pk_pattern, "INV#{refType}");
    assert_eq!(registry.load_rule_set("x", &version).await.unwrap().entity_type, "PRODUCT");
    assert_eq!(registry.load_view_definition("x", &version).await.unwrap().required_slices, ["CORE"]);
    assert_eq!(registry.load_entity_schema("x", &version).await.unwrap().fields.len(), 1);
    registry.load_sink_rule("x", &version).await.unwrap();
    assert_eq!(registry.load(&reference("ZEBRA:x:1.0.0")).await.unwrap().body(), &Body::Other);
    let missing = registry.load_rule_set("x", &Version::new(2, 0, 0)).await.unwrap_err();
    assert_eq!(missing, ContractError::NotFound(reference("RULESET:x:2.0.0")));
}

on_each_registry!(every_known_kind_is_loaded_as_its_struct);
