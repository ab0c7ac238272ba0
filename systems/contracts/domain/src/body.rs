//! Decodes specs of the known kinds.
//!
//! Unknown members are allowed everywhere: only the members that a runtime reads are decoded.

use std::sync::Arc;

use hansang_core::Item;
use hansang_core::validate::Violation;

use crate::{Kind, Known};

mod change_set;
mod entity_schema;
mod inverted_index;
mod join_spec;
pub(crate) mod location;
mod reader;
pub(crate) mod rule_set;
mod sink_rule;
pub(crate) mod strict;
mod view_definition;

pub use change_set::{ChangeSet, ENTITY_KEY_FORMAT};
pub use entity_schema::{EntitySchema, Field};
pub use inverted_index::{InvertedIndex, SEPARATOR};
pub use join_spec::{JoinIndex, JoinSpec, MAX_JOIN_DEPTH};
pub use rule_set::{Impact, Part, RuleSet};
pub use sink_rule::{SinkInput, SinkRule, SinkTarget};
pub use view_definition::{FallbackPolicy, MissingPolicy, Policy, ViewDefinition};

use reader::{Problems, Reader, Takes};

/// A decoded spec. Shared, so that loading it again copies nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// The format of an entity's changes.
    ChangeSet(Arc<ChangeSet>),
    /// The joins of entities.
    JoinSpec(Arc<JoinSpec>),
    /// The keys of an inverted index.
    InvertedIndex(Arc<InvertedIndex>),
    /// The slices, joins and indexes of an entity.
    RuleSet(Arc<RuleSet>),
    /// The slices of a view.
    ViewDefinition(Arc<ViewDefinition>),
    /// The fields of an entity.
    EntitySchema(Arc<EntitySchema>),
    /// The destination of results.
    SinkRule(Arc<SinkRule>),
    /// A kind without a struct of its own, or an unfinished draft.
    Other,
}

/// Decodes a spec of this kind.
///
/// # Errors
/// All problems, each with its path in the spec.
pub fn decode(kind: &Kind, spec: &Item) -> Result<Body, Vec<Violation>> {
    read(kind, spec, Takes::Copies)
}

/// Checks that a spec of this kind can be decoded, at a fraction of the cost.
///
/// # Errors
/// Like [`decode`].
pub fn check(kind: &Kind, spec: &Item) -> Result<(), Vec<Violation>> {
    read(kind, spec, Takes::Nothing).map(drop)
}

fn read(kind: &Kind, spec: &Item, takes: Takes) -> Result<Body, Vec<Violation>> {
    let problems = Problems::default();
    let reader = Reader::new(spec, &problems, takes);
    let body = match kind.known() {
        Some(Known::ChangeSet) => Body::ChangeSet(change_set::read(&reader).into()),
        Some(Known::JoinSpec) => Body::JoinSpec(join_spec::read(&reader).into()),
        Some(Known::InvertedIndex) => Body::InvertedIndex(inverted_index::read(&reader).into()),
        Some(Known::RuleSet) => Body::RuleSet(rule_set::read(&reader).into()),
        Some(Known::ViewDefinition) => Body::ViewDefinition(view_definition::read(&reader).into()),
        Some(Known::EntitySchema) => Body::EntitySchema(entity_schema::read(&reader).into()),
        Some(Known::SinkRule) => Body::SinkRule(sink_rule::read(&reader).into()),
        Some(Known::IndexValueCanonicalizer) | None => Body::Other,
    };
    let problems = problems.into_inner();
    if problems.is_empty() { Ok(body) } else { Err(problems) }
}

#[cfg(test)]
pub(crate) mod arbitrary;

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, proptest};
    use serde_json::{Value as Json, json};

    use super::arbitrary::{kind, kinds, spec, specs};
    use super::*;
    use crate::references::Reference;

    fn decoded(known: Known, json: Json) -> Body {
        assert_eq!(check(&kind(known), &spec(json.clone())), Ok(()));
        decode(&kind(known), &spec(json)).unwrap()
    }

    fn problems(known: Known, json: Json) -> Vec<String> {
        let found = decode(&kind(known), &spec(json.clone())).unwrap_err();
        assert_eq!(check(&kind(known), &spec(json)), Err(found.clone()), "a check finds what decoding finds");
        found.iter().map(ToString::to_string).collect()
    }

    fn named(known: Known, id: &str, version: &str, path: &str) -> Option<Reference> {
        let (kind, wanted) = (kind(known), version.parse().unwrap());
        Some(Reference { kind, id: id.into(), wanted, path: path.to_owned() })
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    /// Rs24
    #[test]
    fn a_change_set_has_a_key_format_a_threshold_and_a_fanout() {
        let json = json!({
            "identity": { "entityKeyFormat": "{ENTITY_TYPE}#{tenantId}#{entityId}" },
            "payload": { "externalizationPolicy": { "thresholdBytes": 100_000, "prefer": "S3" } },
            "fanout": { "enabled": true, "via": [] },
            "semantics": { "whatever": ["else"] },
        });
        let expected = ChangeSet {
            entity_key_format: "{ENTITY_TYPE}#{tenantId}#{entityId}".to_owned(),
            threshold_bytes: Some(100_000),
            fanout: true,
        };
        assert_eq!(decoded(Known::ChangeSet, json), Body::ChangeSet(expected.into()));
        let least = ChangeSet { entity_key_format: "{id}".to_owned(), threshold_bytes: None, fanout: false };
        let json = json!({ "identity": { "entityKeyFormat": "{id}" }, "payload": null, "fanout": {} });
        assert_eq!(decoded(Known::ChangeSet, json), Body::ChangeSet(least.clone().into()));
        let usual = ChangeSet { entity_key_format: ENTITY_KEY_FORMAT.to_owned(), ..least };
        assert_eq!(decoded(Known::ChangeSet, json!({ "identity": {} })), Body::ChangeSet(usual.into()));
    }

    /// Rs25
    #[test]
    fn a_join_spec_has_a_depth_and_an_inverted_index() {
        let index =
            json!({ "maxFanout": 10_000, "contractRef": { "id": "inverted-index.v1", "version": "^1.2" } });
        let json = json!({ "constraints": { "maxJoinDepth": 1 }, "fanout": { "invertedIndex": index } });
        let path = "fanout.invertedIndex.contractRef";
        let expected = JoinSpec {
            max_join_depth: 1,
            inverted_index: Some(JoinIndex {
                max_fanout: Some(10_000),
                contract: named(Known::InvertedIndex, "inverted-index.v1", "^1.2", path),
            }),
        };
        assert_eq!(decoded(Known::JoinSpec, json), Body::JoinSpec(expected.into()));
        let least = JoinSpec { max_join_depth: 2, inverted_index: None };
        let json = json!({ "constraints": { "maxJoinDepth": 2.0 } });
        assert_eq!(decoded(Known::JoinSpec, json), Body::JoinSpec(least.into()));
        let usual = JoinSpec { max_join_depth: 1, inverted_index: None };
        assert_eq!(decoded(Known::JoinSpec, json!({})), Body::JoinSpec(usual.into()));
    }

    /// Rs26
    #[test]
    fn an_inverted_index_has_keys_and_guards() {
        let json = json!({
            "keySpec": { "pkPattern": "REF#{id}", "skPattern": "{target}", "padWidth": 12, "separator": "#" },
            "guards": { "maxTargetsPerRef": 500_000 },
        });
        let expected = InvertedIndex {
            pk_pattern: "REF#{id}".to_owned(),
            sk_pattern: "{target}".to_owned(),
            pad_width: Some(12),
            separator: "#".to_owned(),
            max_targets_per_ref: Some(500_000),
        };
        assert_eq!(decoded(Known::InvertedIndex, json), Body::InvertedIndex(expected.into()));
    }

    /// Rs27
    #[test]
    fn a_rule_set_has_an_entity_impacts_and_parts() {
        let json = json!({
            "entityType": "PRODUCT",
            "impactMap": { "PRICE": ["/price", "/salePrice"], "CORE": ["/title"] },
            "joins": ["brand-join@1.0.0", { "name": "category", "type": "LOOKUP" }, { "contractRef": "a@1.0.0" }],
            "slices": ["CORE", { "type": "PRICE", "fields": ["price"] }],
            "indexes": [{ "type": "brand", "selector": "$.brand" }],
        });
        let Body::RuleSet(rules) = decoded(Known::RuleSet, json) else { panic!("no rule set") };
        assert_eq!(rules.entity_type, "PRODUCT");
        let impact = |slice: &str, paths| Impact { slice: slice.into(), paths: texts(paths) };
        assert_eq!(rules.impact, [impact("CORE", &["/title"]), impact("PRICE", &["/price", "/salePrice"])]);
        let names = |parts: &[Part]| parts.iter().map(|part| part.name.clone()).collect::<Vec<_>>();
        assert_eq!(
            names(&rules.joins),
            [Some("brand-join@1.0.0".to_owned()), Some("category".to_owned()), None]
        );
        assert_eq!(names(&rules.slices), [Some("CORE".to_owned()), Some("PRICE".to_owned())]);
        assert_eq!(rules.slices[1].definition, spec(json!({ "type": "PRICE", "fields": ["price"] })));
        assert_eq!(names(&rules.indexes), [Some("brand".to_owned())]);
    }

    /// Rs28
    #[test]
    fn a_view_definition_has_slices_policies_and_rules() {
        let json = json!({
            "requiredSlices": ["CORE"], "optionalSlices": ["PRICE"], "missingPolicy": "FAIL_CLOSED",
            "partialPolicy": { "allowed": false }, "fallbackPolicy": "NONE",
            "ruleSetRef": { "id": "ruleset.core.v1", "version": "1.0.0" },
        });
        let expected = ViewDefinition {
            required_slices: texts(&["CORE"]),
            optional_slices: texts(&["PRICE"]),
            missing_policy: MissingPolicy::FailClosed,
            partial_policy: Some(Policy::Detailed(spec(json!({ "allowed": false })))),
            fallback_policy: FallbackPolicy::None,
            rule_set: named(Known::RuleSet, "ruleset.core.v1", "1.0.0", "ruleSetRef"),
        };
        assert_eq!(decoded(Known::ViewDefinition, json), Body::ViewDefinition(expected.into()));
    }

    /// A policy that is not known is read, and refused only in new specs.
    #[test]
    fn stored_policies_are_read_as_they_are() {
        let json =
            json!({ "requiredSlices": [], "missingPolicy": "RETRY", "fallbackPolicy": { "value": 1 } });
        let Body::ViewDefinition(view) = decoded(Known::ViewDefinition, json) else { panic!("no view") };
        assert_eq!(view.missing_policy, MissingPolicy::Unknown(Policy::Named("RETRY".to_owned())));
        let value = Policy::Detailed(spec(json!({ "value": 1 })));
        assert_eq!(view.fallback_policy, FallbackPolicy::Unknown(value));
        let json = json!({ "requiredSlices": ["CORE"], "missingPolicy": "PARTIAL_ALLOWED", "fallbackPolicy": "DEFAULT_VALUE" });
        let Body::ViewDefinition(view) = decoded(Known::ViewDefinition, json) else { panic!("no view") };
        assert_eq!(
            (&view.missing_policy, &view.fallback_policy),
            (&MissingPolicy::PartialAllowed, &FallbackPolicy::DefaultValue)
        );
    }

    /// Rs29
    #[test]
    fn entity_schemas_and_sink_rules_are_decoded() {
        let json = json!({ "entityType": "PRODUCT", "fields": [
            { "name": "sku", "type": "string", "required": true },
            { "name": "stock", "type": "int", "default": 0 },
        ] });
        let field = |name: &str, r#type: &str, required, default| Field {
            name: name.to_owned(),
            r#type: r#type.to_owned(),
            required,
            default,
        };
        let expected = EntitySchema {
            entity_type: Some("PRODUCT".to_owned()),
            fields: vec![field("sku", "string", true, None), field("stock", "int", false, Some(0.into()))],
        };
        assert_eq!(decoded(Known::EntitySchema, json), Body::EntitySchema(expected.into()));

        let target = json!({ "type": "OPENSEARCH", "endpoint": "http://localhost:9200" });
        let json = json!({ "input": { "type": "SLICE", "sliceTypes": ["CORE"] }, "target": target });
        let expected = SinkRule {
            input: Some(SinkInput {
                r#type: Some("SLICE".to_owned()),
                slices: texts(&["CORE"]),
                entities: Vec::new(),
            }),
            target: Some(SinkTarget { r#type: Some("OPENSEARCH".to_owned()), definition: spec(target) }),
        };
        assert_eq!(decoded(Known::SinkRule, json), Body::SinkRule(expected.into()));
        let least = SinkRule { input: None, target: None };
        assert_eq!(decoded(Known::SinkRule, json!({})), Body::SinkRule(least.into()));
        assert_eq!(decode(&"OTHER".parse().unwrap(), &Item::new()), Ok(Body::Other));
    }

    #[test]
    fn every_problem_has_its_path() {
        for (known, json, expected) in [
            (
                Known::ChangeSet,
                json!({ "identity": { "entityKeyFormat": "" } }),
                &["`identity.entityKeyFormat` must not be empty"][..],
            ),
            (
                Known::ChangeSet,
                json!({ "identity": "x", "payload": { "externalizationPolicy": { "thresholdBytes": -1 } },
                        "fanout": { "enabled": "yes" } }),
                &[
                    "`identity` must be a map",
                    "`payload.externalizationPolicy.thresholdBytes` must be at least 0",
                    "`fanout.enabled` must be true or false",
                ],
            ),
            (
                Known::JoinSpec,
                json!({ "fanout": { "invertedIndex": { "maxFanout": 1.5, "contractRef": { "id": "a#b", "kind": 1 } } } }),
                &[
                    "`fanout.invertedIndex.maxFanout` must be a whole number",
                    "`fanout.invertedIndex.contractRef.kind` must be text",
                    "`fanout.invertedIndex.contractRef.id` must not contain `#`, which separates the parts of a key",
                    "`fanout.invertedIndex.contractRef.version` is required",
                ],
            ),
            (
                Known::JoinSpec,
                json!({ "constraints": { "maxJoinDepth": 1 },
                        "fanout": { "invertedIndex": { "contractRef": "RULESET:a:1.0.0" } } }),
                &["`fanout.invertedIndex.contractRef` must refer to a contract of the kind INVERTED_INDEX"],
            ),
            (
                Known::InvertedIndex,
                json!({ "keySpec": { "pkPattern": "", "padWidth": "12" } }),
                &[
                    "`keySpec.pkPattern` must not be empty",
                    "`keySpec.skPattern` is required",
                    "`keySpec.padWidth` must be a whole number",
                ],
            ),
            (
                Known::RuleSet,
                json!({ "entityType": 1, "impactMap": { "CORE": "/title", "PRICE": [""] },
                        "slices": [{ "fields": [] }, 3], "joins": {}, "indexes": ["", null] }),
                &[
                    "`entityType` must be text",
                    "`impactMap.CORE` must be a list",
                    "`impactMap.PRICE[0]` must not be empty",
                    "`slices[0]` must have a `name` or a `type`",
                    "`slices[1]` must be a map",
                    "`joins` must be a list",
                    "`indexes[0]` must be a map",
                    "`indexes[1]` must be a map",
                ],
            ),
            (
                Known::ViewDefinition,
                json!({ "optionalSlices": [1], "missingPolicy": true, "ruleSetRef": "ruleset.core.v1" }),
                &[
                    "`requiredSlices` is required",
                    "`optionalSlices[0]` must be text",
                    "`missingPolicy` must be the name of a policy, or a map that defines it",
                    "`ruleSetRef` must refer to a contract: as KIND:id:version, as id@version, or by its `id` and `version`",
                ],
            ),
            (Known::EntitySchema, json!({ "fields": null }), &["`fields` is required"]),
            (
                Known::EntitySchema,
                json!({ "fields": [{ "name": "a", "type": "x" }, { "name": "a" }, "b", { "type": "x" }] }),
                &[
                    "`fields[1].type` is required",
                    "`fields[2]` must be a map",
                    "`fields[3].name` is required",
                    "`fields` lists `a` twice",
                ],
            ),
            (
                Known::SinkRule,
                json!({ "input": [], "target": { "type": 1 } }),
                &["`input` must be a map", "`target.type` must be text"],
            ),
        ] {
            assert_eq!(problems(known, json.clone()), expected, "{known:?} {json}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Every spec decodes, or has at least one problem.
        #[test]
        fn decoding_never_fails_without_a_reason(kind in kinds(), spec in specs()) {
            assert_eq!(check(&kind, &spec), decode(&kind, &spec).map(drop), "a check finds what decoding finds");
            if let Err(problems) = decode(&kind, &spec) {
                assert!(problems.iter().all(|one| !one.attribute.is_empty() && !one.problem.to_string().is_empty()));
                assert!(!problems.is_empty());
            }
        }
    }
}
