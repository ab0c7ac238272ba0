//! The rules for new specs, which stored versions need not follow.

use hansang_contracts::{
    Allowed, Body, ContractError, ContractRegistry as _, NewContract, Status, StoreRegistry, check_promotion,
    deprecate, register, restore,
};
use hansang_core::{Error, Value};
use serde_json::{Value as Json, json};

use crate::grounds::{Ground, On, item, new, on_each_registry, reference};

fn fields(outcome: Result<impl std::fmt::Debug, ContractError>) -> Vec<String> {
    Error::from(outcome.unwrap_err()).violations.into_iter().map(|one| one.attribute).collect()
}

fn rules(slices: Json) -> Json {
    json!({ "entityType": "PRODUCT", "slices": slices })
}

/// Rs27, Rs28: wrong specs are refused where they would become active, each with the path of what is wrong.
async fn specs_are_checked_before_they_are_active(ground: Ground) {
    let registry = &*ground.registry;
    register(registry, new("RULESET:r:1.0.0", Status::Active, rules(json!(["CORE", "PRICE"]))))
        .await
        .unwrap();
    let view = |required: Json, more: Json| {
        let mut view = json!({ "requiredSlices": required, "ruleSetRef": "r@^1.0" });
        view.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        view
    };
    for (name, spec, expected) in [
        ("VIEW_DEFINITION:a:1.0.0", json!({}), &["spec.requiredSlices"][..]),
        ("VIEW_DEFINITION:b:1.0.0", json!({ "requiredSlices": ["CORE"] }), &["spec.ruleSetRef"]),
        (
            "VIEW_DEFINITION:c:1.0.0",
            view(json!(["CORE"]), json!({ "missingPolicy": "RETRY", "fallbackPolicy": "GUESS" })),
            &["spec.missingPolicy", "spec.fallbackPolicy"],
        ),
        (
            "VIEW_DEFINITION:d:1.0.0",
            view(json!(["CORE", "BRAND"]), json!({ "optionalSlices": ["PRICE", "NEWS"] })),
            &["spec.requiredSlices[1]", "spec.optionalSlices[1]"],
        ),
        ("RULESET:a:1.0.0", rules(json!([])), &["spec.slices"]),
        (
            "RULESET:b:1.0.0",
            rules(json!(["CORE", "NEWS", { "type": "core" }])),
            &["spec.slices[1]", "spec.slices[2]"],
        ),
        (
            "RULESET:c:1.0.0",
            json!({ "entityType": "A", "slices": ["CORE"], "impactMap": { "NEWS": ["/a"] },
                    "indexes": [{ "name": "a", "selector": "/a" }] }),
            &["spec.indexes[0].selector"],
        ),
        (
            "RULESET:d:1.0.0",
            json!({ "entityType": "A", "slices": ["CORE"], "impactMap": { "NEWS": ["/a"] } }),
            &["spec.impactMap.NEWS"],
        ),
        (
            "SINK_RULE:a:1.0.0",
            json!({ "input": { "sliceTypes": ["CORE", "NEWS"] } }),
            &["spec.input.sliceTypes[1]"],
        ),
    ] {
        let active = register(registry, new(name, Status::Active, spec.clone())).await;
        assert_eq!(fields(active), expected, "{name}");
        // A draft may be unfinished, but is not promoted.
        register(registry, new(name, Status::Draft, spec)).await.unwrap();
        let promoted = check_promotion(registry, &reference(name), &Allowed::default()).await;
        assert_eq!(fields(promoted), expected, "{name}");
    }
    let lenient = Allowed { missing: true, incompatible: None };
    let warned = check_promotion(registry, &reference("VIEW_DEFINITION:d:1.0.0"), &lenient).await.unwrap();
    assert_eq!(
        warned,
        [
            "`requiredSlices[1]` lists BRAND, which RULESET:r:1.0.0 does not have",
            "`optionalSlices[1]` lists NEWS, which RULESET:r:1.0.0 does not have",
        ]
    );
    let unknown =
        NewContract { allowed: lenient, ..new("RULESET:x:1.0.0", Status::Active, rules(json!(["NEWS"]))) };
    assert_eq!(fields(register(registry, unknown).await), ["spec.slices[0]"]);
}

/// An entity schema declares further slice types for the specs that refer to it; views and sinks follow.
async fn an_entity_schema_declares_slice_types(ground: Ground) {
    let registry = &*ground.registry;
    let schema = json!({ "entityType": "PRODUCT", "fields": [], "sliceTypes": ["NEWS"] });
    register(registry, new("ENTITY_SCHEMA:e:1.0.0", Status::Active, schema)).await.unwrap();
    let mut spec = rules(json!(["CORE", { "type": "NEWS", "fields": ["news"] }]));
    assert_eq!(
        fields(register(registry, new("RULESET:r:1.0.0", Status::Active, spec.clone())).await),
        ["spec.slices[1]"]
    );
    spec["entitySchemaRef"] = "e@^1".into();
    register(registry, new("RULESET:r:1.0.0", Status::Active, spec)).await.unwrap();
    let view = json!({ "requiredSlices": ["NEWS"], "ruleSetRef": "r@1.0.0" });
    register(registry, new("VIEW_DEFINITION:v:1.0.0", Status::Active, view)).await.unwrap();
    let sink = json!({ "input": { "sliceTypes": ["NEWS"] }, "viewRef": "v@1.0.0" });
    register(registry, new("SINK_RULE:s:1.0.0", Status::Active, sink)).await.unwrap();
}

/// Versions from before a rule are served, deprecated and restored as before.
async fn versions_from_before_the_rules_are_served(ground: Ground) {
    let registry = &*ground.registry;
    let name = reference("VIEW_DEFINITION:old:1.0.0");
    let old = new(
        "VIEW_DEFINITION:old:1.0.0",
        Status::Active,
        json!({ "requiredSlices": ["ANYTHING"], "missingPolicy": "RETRY" }),
    );
    registry.save(&old).await.unwrap();
    assert_eq!(registry.load(&name).await.unwrap().spec, old.spec);
    assert!(!register(registry, old).await.unwrap().created);
    deprecate(registry, &name, "lee").await.unwrap();
    restore(registry, &name, "lee").await.unwrap();
}

on_each_registry!(
    specs_are_checked_before_they_are_active,
    an_entity_schema_declares_slice_types,
    versions_from_before_the_rules_are_served,
);

/// Versions that were stored under another spelling of their kind stay readable, and can be changed. Rs17
#[tokio::test]
async fn former_spellings_of_a_kind_are_found() {
    for on in [On::Embedded, On::DynamoDb] {
        let ground = Ground::new(on).await;
        let db = ground.db();
        // A registry remembers which kinds are listed.
        let fresh = || StoreRegistry::new(db.clone());
        let spec = |marker: i64| json!({ "input": { "type": "SLICE" }, "marker": marker });
        for (id, version) in [("a", "1.0.0"), ("a", "1.2.0"), ("b", "1.0.0")] {
            let name = format!("SINK_RULE:{id}:{version}");
            register(&fresh(), new(&name, Status::Active, spec(1))).await.unwrap();
            ground.respell(&format!("SINK_RULE#{id}"), version, "SINKRULE").await;
        }
        // A spec that the kind would not allow was stored when the kind was not known.
        register(&fresh(), new("SINK_RULE:odd:1.0.0", Status::Active, spec(1))).await.unwrap();
        ground.respell("SINK_RULE#odd", "1.0.0", "SINKRULE").await;
        ground
            .change("SINKRULE#odd", "1.0.0", |item_of| {
                let odd = item(json!({ "input": 7 }));
                let checksum = hansang_contracts::checksum::checksum(&odd).unwrap();
                item_of.insert("spec".into(), Value::M(odd));
                item_of.insert("checksum".into(), checksum.into());
            })
            .await;
        register(&fresh(), new("SINK_RULE:a:1.1.0", Status::Active, spec(2))).await.unwrap();

        let registry = fresh();
        let name = reference("SINKRULE:a:1.0.0");
        assert_eq!(name.to_string(), "SINK_RULE:a:1.0.0");
        assert_eq!(registry.load(&name).await.unwrap().spec, item(spec(1)));
        let odd = registry.load(&reference("SINK_RULE:odd:1.0.0")).await.unwrap();
        assert_eq!(odd.body(), &Body::Other);
        let version = semver::Version::new(1, 0, 0);
        let typed = registry.load_sink_rule("odd", &version).await.unwrap_err();
        assert!(matches!(typed, ContractError::Corrupted { .. }), "{typed:?}");
        let versions = registry.versions(&name.kind, "a").await.unwrap();
        let versions: Vec<String> = versions.iter().map(|one| one.reference.version.to_string()).collect();
        assert_eq!(versions, ["1.0.0", "1.1.0", "1.2.0"]);
        assert_eq!(registry.kinds().await.unwrap(), std::slice::from_ref(&name.kind));
        let (mut listed, mut cursor) = (Vec::new(), None);
        loop {
            let ask = hansang_contracts::ListAsk { status: None, limit: Some(1), cursor };
            let page = registry.list(&name.kind, &ask).await.unwrap();
            listed.extend(page.headers.iter().map(|header| header.reference.to_string()));
            match page.next {
                Some(_) => cursor = page.next,
                None => break,
            }
        }
        listed.sort();
        assert_eq!(
            listed,
            [
                "SINK_RULE:a:1.0.0",
                "SINK_RULE:a:1.1.0",
                "SINK_RULE:a:1.2.0",
                "SINK_RULE:b:1.0.0",
                "SINK_RULE:odd:1.0.0"
            ]
        );
        assert!(hansang_contracts::audit(&registry, &mut |_| ()).await.unwrap().failures.is_empty());
        assert!(
            !register(&registry, new("SINK_RULE:a:1.2.0", Status::Active, spec(1))).await.unwrap().created
        );
        assert!(register(&registry, new("SINK_RULE:a:1.2.0", Status::Active, spec(9))).await.is_err());
        deprecate(&registry, &name, "lee").await.unwrap();
        restore(&registry, &name, "lee").await.unwrap();
        assert_eq!(registry.history(&name).await.unwrap().len(), 2);
    }
}
