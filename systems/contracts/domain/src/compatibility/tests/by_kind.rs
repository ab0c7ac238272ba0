//! Tests of the rules of each kind.

use serde_json::{Value as Json, json};

use super::check;
use crate::body::arbitrary::kind;
use crate::{Bump, Known};

#[test]
fn change_sets() {
    let example = json!({
        "identity": { "entityKeyFormat": "{type}#{id}" },
        "payload": { "externalizationPolicy": { "thresholdBytes": 1000 } },
        "fanout": { "enabled": true },
    });
    let threshold = "`payload.externalizationPolicy.thresholdBytes` was changed";
    check(
        &kind(Known::ChangeSet),
        &example,
        &[
            (json!({}), Bump::None, &[]),
            (
                json!({ "identity": { "entityKeyFormat": "{id}" } }),
                Bump::Major,
                &["! `identity.entityKeyFormat` was changed"],
            ),
            (
                json!({ "payload": { "externalizationPolicy": { "thresholdBytes": 10 } } }),
                Bump::Patch,
                &[threshold],
            ),
            (json!({ "payload": null }), Bump::Patch, &[threshold]),
            (
                json!({ "fanout": { "enabled": false } }),
                Bump::Major,
                &["! `fanout.enabled` was switched off"],
            ),
            (json!({ "fanout": null }), Bump::Major, &["! `fanout.enabled` was switched off"]),
            (json!({ "fanout": { "enabled": 1 } }), Bump::Major, &["! `fanout.enabled` was changed"]),
            (json!({ "description": "what it is for" }), Bump::Patch, &["`description` was changed"]),
            (json!({ "fanout": { "via": [1] } }), Bump::Minor, &["`fanout.via` was added"]),
            (
                json!({ "fanout": { "enabled": false, "via": 1 }, "payload": null }),
                Bump::Major,
                &[threshold, "! `fanout.enabled` was switched off", "`fanout.via` was added"],
            ),
        ],
    );
    let off = json!({ "identity": { "entityKeyFormat": "{type}#{id}" } });
    check(
        &kind(Known::ChangeSet),
        &off,
        &[
            (json!({ "fanout": { "enabled": true } }), Bump::Minor, &["`fanout.enabled` was switched on"]),
            (
                json!({ "fanout": { "enabled": false } }),
                Bump::Patch,
                &["the spec is written differently and means the same"],
            ),
        ],
    );
}

#[test]
fn join_specs() {
    let index =
        json!({ "maxFanout": 100, "contractRef": { "id": "i", "version": "1.0.0" }, "required": true });
    let example = json!({ "constraints": { "maxJoinDepth": 2 }, "fanout": { "invertedIndex": index } });
    let inside = |patch: Json| json!({ "fanout": { "invertedIndex": patch } });
    check(
        &kind(Known::JoinSpec),
        &example,
        &[
            (
                json!({ "constraints": { "maxJoinDepth": 1 } }),
                Bump::Major,
                &["! `constraints.maxJoinDepth` was lowered from 2 to 1"],
            ),
            (
                json!({ "constraints": { "maxJoinDepth": 3 } }),
                Bump::Minor,
                &["`constraints.maxJoinDepth` was raised from 2 to 3"],
            ),
            (
                inside(json!({ "maxFanout": 99 })),
                Bump::Major,
                &["! `fanout.invertedIndex.maxFanout` was lowered from 100 to 99"],
            ),
            (
                inside(json!({ "maxFanout": null })),
                Bump::Minor,
                &["`fanout.invertedIndex.maxFanout` is no longer limited"],
            ),
            (
                inside(json!({ "contractRef": { "version": "^1.2" } })),
                Bump::Minor,
                &["`fanout.invertedIndex.contractRef` refers to version ^1.2 instead of 1.0.0"],
            ),
            (
                inside(json!({ "contractRef": "j@1.0.0" })),
                Bump::Major,
                &[
                    "! `fanout.invertedIndex.contractRef` refers to INVERTED_INDEX:j:1.0.0 instead of INVERTED_INDEX:i:1.0.0",
                ],
            ),
            (
                inside(json!({ "contractRef": "i@1.0.0" })),
                Bump::Patch,
                &["the spec is written differently and means the same"],
            ),
            (
                inside(json!({ "contractRef": "i" })),
                Bump::Major,
                &["! `fanout.invertedIndex.contractRef` was changed"],
            ),
            (
                inside(json!({ "contractRef": null, "required": false })),
                Bump::Major,
                &[
                    "! `fanout.invertedIndex.contractRef` was removed",
                    "! `fanout.invertedIndex.required` was changed",
                ],
            ),
            (json!({ "fanout": null }), Bump::Major, &["! `fanout.invertedIndex` was removed"]),
            (inside(json!(1)), Bump::Major, &["! `fanout.invertedIndex` was changed"]),
        ],
    );
    let alone = json!({ "constraints": { "maxJoinDepth": 2 } });
    check(
        &kind(Known::JoinSpec),
        &alone,
        &[
            (
                json!({ "fanout": { "invertedIndex": index } }),
                Bump::Minor,
                &["`fanout.invertedIndex` was added"],
            ),
            (
                json!({ "constraints": null }),
                Bump::Minor,
                &["`constraints.maxJoinDepth` is no longer limited"],
            ),
        ],
    );
}

#[test]
fn inverted_indexes() {
    let example = json!({
        "keySpec": { "pkPattern": "a", "skPattern": "b", "padWidth": 12 }, "guards": { "noScan": true },
    });
    check(
        &kind(Known::InvertedIndex),
        &example,
        &[
            (
                json!({ "keySpec": { "pkPattern": "x", "separator": "#", "padWidth": null } }),
                Bump::Major,
                &[
                    "! `keySpec.padWidth` was removed",
                    "! `keySpec.pkPattern` was changed",
                    "! `keySpec.separator` was added",
                ],
            ),
            (json!({ "keySpec": null }), Bump::Major, &["! `keySpec` was removed"]),
            (
                json!({ "guards": { "maxTargetsPerRef": 5 } }),
                Bump::Major,
                &["! `guards.maxTargetsPerRef` was not limited and is limited to 5 now"],
            ),
            (json!({ "guards": { "noScan": false } }), Bump::Major, &["! `guards.noScan` was changed"]),
        ],
    );
}

#[test]
fn rule_sets() {
    let example = json!({
        "entityType": "PRODUCT",
        "impactMap": { "CORE": ["/title", "/brand"], "PRICE": ["/price"] },
        "slices": ["CORE", { "type": "PRICE", "fields": ["price"], "description": "what it costs" }],
        "joins": ["brand@1.0.0", { "name": "category", "contractRef": "c@1.0.0" }, { "name": "tag" }],
        "indexes": [{ "type": "brand", "maxFanout": 10 }],
    });
    let price = |fields: Json, text: &str| json!({ "type": "PRICE", "fields": fields, "description": text });
    let category = |version: &str| json!({ "name": "category", "contractRef": format!("c@{version}") });
    check(
        &kind(Known::RuleSet),
        &example,
        &[
            (json!({ "entityType": "BRAND" }), Bump::Major, &["! `entityType` was changed"]),
            (
                json!({ "impactMap": { "CORE": ["/brand", "/name"], "PRICE": null, "STOCK": ["/stock"] } }),
                Bump::Major,
                &[
                    "! `impactMap.CORE` no longer lists `/title`",
                    "`impactMap.CORE` also lists `/name`",
                    "! `impactMap.PRICE` was removed",
                    "`impactMap.STOCK` was added",
                ],
            ),
            (json!({ "impactMap": { "CORE": "/title" } }), Bump::Major, &["! `impactMap.CORE` was changed"]),
            (
                json!({ "slices": [price(json!(["price"]), "other words"), "CORE", "STOCK"] }),
                Bump::Minor,
                &["`slices[PRICE].description` was changed", "`slices[STOCK]` was added"],
            ),
            (
                json!({ "slices": [price(json!(["price", "currency"]), "what it costs")] }),
                Bump::Major,
                &["! `slices[CORE]` was removed", "`slices[PRICE].fields[1]` was added"],
            ),
            (
                json!({ "joins": ["brand@1.1.0", category("^1"), { "name": "tag" }] }),
                Bump::Minor,
                &[
                    "`joins[brand]` refers to version 1.1.0 instead of 1.0.0",
                    "`joins[category].contractRef` refers to version ^1 instead of 1.0.0",
                ],
            ),
            (
                json!({ "joins": [{ "name": "tag" }, { "id": "brand", "version": "1.0.0" }, category("1.0.0")] }),
                Bump::Major,
                &["! `joins` is in a different order"],
            ),
            (
                json!({ "joins": ["more", "brand@1.0.0", category("1.0.0"), { "name": "tag", "x": 1 }] }),
                Bump::Major,
                &["! `joins[tag].x` was added", "`joins[more]` was added"],
            ),
            (
                json!({ "joins": [{ "on": 1 }, { "on": 2 }] }),
                Bump::Major,
                &[
                    "! `joins[0]` was changed",
                    "! `joins[1].contractRef` was removed",
                    "! `joins[1].name` was removed",
                    "`joins[1].on` was added",
                    "! `joins[2]` was removed",
                ],
            ),
            (json!({ "indexes": null }), Bump::Major, &["! `indexes[brand]` was removed"]),
            (
                json!({ "indexes": [{ "type": "brand", "maxFanout": 20 }] }),
                Bump::Major,
                &["! `indexes[brand].maxFanout` was changed"],
            ),
        ],
    );
}

#[test]
fn view_definitions() {
    let example = json!({
        "requiredSlices": ["CORE", "PRICE"], "optionalSlices": ["MEDIA", "STOCK"],
        "partialPolicy": { "allowed": false }, "ruleSetRef": { "id": "r", "version": "1.0.0" },
    });
    check(
        &kind(Known::ViewDefinition),
        &example,
        &[
            (
                json!({ "requiredSlices": ["CORE", "PRICE", "TAGS"] }),
                Bump::Major,
                &["! `requiredSlices` lists `TAGS`, which was not required before"],
            ),
            (
                json!({ "requiredSlices": ["CORE", "PRICE", "MEDIA"], "optionalSlices": ["STOCK"] }),
                Bump::Major,
                &["! `requiredSlices` lists `MEDIA`, which was not required before"],
            ),
            (
                json!({ "requiredSlices": ["CORE"], "optionalSlices": ["PRICE", "MEDIA", "STOCK"] }),
                Bump::Major,
                &["! `requiredSlices` no longer lists `PRICE`, which is optional now"],
            ),
            (
                json!({ "requiredSlices": ["CORE"], "optionalSlices": null }),
                Bump::Major,
                &[
                    "! `requiredSlices` no longer lists `PRICE`, which is no longer in the view",
                    "! `optionalSlices` no longer lists `MEDIA`, which is no longer in the view",
                    "! `optionalSlices` no longer lists `STOCK`, which is no longer in the view",
                ],
            ),
            (
                json!({ "optionalSlices": ["STOCK", "MEDIA", "TAGS"] }),
                Bump::Minor,
                &["`optionalSlices` also lists `TAGS`"],
            ),
            (
                json!({ "optionalSlices": ["STOCK", "MEDIA"] }),
                Bump::Patch,
                &["the spec is written differently and means the same"],
            ),
            (
                json!({ "partialPolicy": { "allowed": true } }),
                Bump::Major,
                &["! `partialPolicy.allowed` was changed"],
            ),
            (json!({ "fallbackPolicy": "NONE" }), Bump::Major, &["! `fallbackPolicy` was added"]),
            (
                json!({ "ruleSetRef": { "version": "2.0.0" } }),
                Bump::Minor,
                &["`ruleSetRef` refers to version 2.0.0 instead of 1.0.0"],
            ),
            (
                json!({ "ruleSetRef": { "id": "s" } }),
                Bump::Major,
                &["! `ruleSetRef` refers to RULESET:s:1.0.0 instead of RULESET:r:1.0.0"],
            ),
        ],
    );
}

#[test]
fn entity_schemas() {
    let sku = json!({ "name": "sku", "type": "string", "required": true });
    let stock = json!({ "name": "stock", "type": "int", "default": 0, "description": "how many" });
    let example = json!({ "entityType": "PRODUCT", "fields": [sku, stock] });
    let with = |field: Json| json!({ "fields": [sku, field] });
    check(
        &kind(Known::EntitySchema),
        &example,
        &[
            (json!({ "fields": [sku] }), Bump::Major, &["! `fields[stock]` was removed"]),
            (
                json!({ "fields": [stock, { "name": "sku", "type": "long" }] }),
                Bump::Major,
                &[
                    "! `fields[sku].type` is long instead of string",
                    "! `fields[sku]` was required and is optional now",
                ],
            ),
            (
                with(
                    json!({ "name": "stock", "type": "int", "default": 0, "required": true, "description": "x" }),
                ),
                Bump::Major,
                &[
                    "! `fields[stock]` was optional and is required now",
                    "`fields[stock].description` was changed",
                ],
            ),
            (
                with(
                    json!({ "name": "stock", "type": "int", "required": false, "min": 0, "description": "how many" }),
                ),
                Bump::Major,
                &["! `fields[stock].default` was removed", "`fields[stock].min` was added"],
            ),
            (
                json!({ "fields": [sku, stock, { "name": "a", "type": "x" }] }),
                Bump::Minor,
                &["`fields[a]` was added"],
            ),
            (
                json!({ "fields": [sku, stock, { "name": "a", "type": "x", "required": true }] }),
                Bump::Major,
                &["! `fields[a]` was added and is required"],
            ),
            (
                json!({ "fields": [stock, sku] }),
                Bump::Patch,
                &["the spec is written differently and means the same"],
            ),
            (json!({ "fields": [sku, stock, sku] }), Bump::Minor, &["`fields[2]` was added"]),
            (json!({ "entityType": null }), Bump::Major, &["! `entityType` was removed"]),
        ],
    );
}
