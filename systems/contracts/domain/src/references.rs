//! References of a spec to other contracts.

use std::fmt;
use std::sync::Arc;

use hansang_core::Item;
use hansang_core::validate::Violation;

use crate::{Kind, Wanted};

mod check;
mod find;
mod names;
mod read;

pub use check::check;
pub(crate) use check::{look_up, not_served};
pub(crate) use find::is_contract;
pub(crate) use names::names_contracts;
pub(crate) use read::read_reference;

/// A reference to a contract, formatted as `{kind}:{id}:{wanted}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The kind.
    pub kind: Kind,
    /// The id.
    pub id: Arc<str>,
    /// The accepted versions.
    pub wanted: Wanted,
    /// The path in the spec, such as `fanout.invertedIndex.contractRef`.
    pub path: String,
}

/// Returns all references of a spec in the order of its members.
///
/// A reference is a member that is called `contractRef`, or whose name ends in `Ref` or `Refs`. Its value is a map of `id`
/// and `version` (and `kind`, if it does not follow from the name), or a text: `KIND:id:version` or `id@version`. In a rule
/// set, each element of `joins` and `indexes` can be a reference too.
///
/// # Errors
/// All invalid references, each with its path in the spec.
pub fn references(kind: &Kind, spec: &Item) -> Result<Vec<Reference>, Vec<Violation>> {
    find::find(kind, spec)
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.kind, self.id, self.wanted)
    }
}

#[cfg(test)]
mod tests {
    use hansang_core::message;
    use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};
    use serde_json::json;

    use super::*;
    use crate::Known;
    use crate::body::arbitrary::{kind, kinds, spec, specs};

    /// The references of a spec, or its problems, one per line.
    fn lines(known: Option<Known>, json: serde_json::Value) -> Vec<String> {
        let kind = known.map_or_else(|| "OTHER".parse().unwrap(), kind);
        match references(&kind, &spec(json)) {
            Ok(found) => found.iter().map(|one| format!("{} {one}", one.path)).collect(),
            Err(problems) => problems.iter().map(|one| format!("! {one}")).collect(),
        }
    }

    #[test]
    fn references_are_found_anywhere() {
        let any = None;
        let rules = Some(Known::RuleSet);
        let name = json!({ "id": "a", "version": "1.0.0" });
        for (known, json, expected) in [
            (any, json!({}), &[][..]),
            (any, json!({ "ruleSetRef": name }), &["ruleSetRef RULESET:a:1.0.0"]),
            (any, json!({ "ruleSetRef": "a@^1.2" }), &["ruleSetRef RULESET:a:^1.2"]),
            (any, json!({ "ruleSetRef": "x@y:z@~2" }), &["ruleSetRef RULESET:x@y:z:~2"]),
            (any, json!({ "anyRef": "RuleSetContract:a:b:1.0.0" }), &["anyRef RULESET:a:b:1.0.0"]),
            (any, json!({ "anyRef": "rule_set:a:1.0.0" }), &["anyRef RULESET:a:1.0.0"]),
            (any, json!({ "anyRef": "NewKindContract:a:1.0.0" }), &["anyRef NEW_KIND:a:1.0.0"]),
            (any, json!({ "ruleSetRef": "NEW_KIND:a:>=1.2, <3" }), &["ruleSetRef NEW_KIND:a:>=1.2, <3"]),
            (
                any,
                json!({ "deep": [[{ "viewRef": { "kind": "EntitySchema", "id": "a", "version": "1" } }]] }),
                &["deep[0][0].viewRef ENTITY_SCHEMA:a:^1"],
            ),
            (
                any,
                json!({ "joinSpecRefs": ["a@1.0.0", name, null] }),
                &["joinSpecRefs[0] JOIN_SPEC:a:1.0.0", "joinSpecRefs[1] JOIN_SPEC:a:1.0.0"],
            ),
            (
                any,
                json!({ "invertedIndex": { "contractRef": name } }),
                &["invertedIndex.contractRef INVERTED_INDEX:a:1.0.0"],
            ),
            (
                rules,
                json!({ "joins": ["plain", "a@1.0.0", name, { "contractRef": "b@2.0.0" },
                                  { "id": "inline", "version": "1.0.0", "path": "/x" }],
                        "indexes": ["i@^1", { "sinkRef": "s@1.0.0" }] }),
                &[
                    "indexes[0] INVERTED_INDEX:i:^1",
                    "indexes[1].sinkRef SINK_RULE:s:1.0.0",
                    "joins[1] JOIN_SPEC:a:1.0.0",
                    "joins[2] JOIN_SPEC:a:1.0.0",
                    "joins[3].contractRef JOIN_SPEC:b:2.0.0",
                ],
            ),
            (
                any,
                json!({ "viewRef": { "id": "v", "version": "1.0.0", "with": { "schemaRef": "s@1.0.0" } } }),
                &["viewRef VIEW_DEFINITION:v:1.0.0", "viewRef.with.schemaRef ENTITY_SCHEMA:s:1.0.0"],
            ),
        ] {
            assert_eq!(lines(known, json.clone()), expected, "{json}");
        }
    }

    /// Contracts also describe fields and limits whose names end in `Ref`.
    #[test]
    fn other_members_that_end_in_ref_are_not_references() {
        for json in [
            json!({ "guards": { "maxTargetsPerRef": 500_000 } }),
            json!({ "joinSpecRef": { "fields": { "id": "string", "version": "semver" } } }),
            json!({ "ruleSetRef": { "type": "object" }, "schemaRef": { "id": { "type": "string" } } }),
            json!({ "ownerRef": "kim@example.com", "ticketRef": { "id": "T-1" }, "hrefRef": "urn:a:b" }),
            json!({ "endpointRef": "http://localhost:9200", "arnRef": "arn:aws:1" }),
            json!({ "ruleSetRef": null, "href": "a@1.0.0", "ref": { "id": "a", "version": "1.0.0" } }),
            json!({ "joins": ["a@1.0.0"] }),
        ] {
            assert_eq!(lines(None, json.clone()), [""; 0], "{json}");
        }
    }

    #[test]
    fn invalid_references_are_reported() {
        let forms =
            "must refer to a contract: as KIND:id:version, as id@version, or by its `id` and `version`";
        let no_kind = "must have the kind of the contract too, as KIND:id:version or as `kind`";
        let version = "must be a version such as 1.4.0, or a range such as ^1.2";
        let name = json!({ "id": "a", "version": "1.0.0" });
        for (json, expected) in [
            (json!({ "contractRef": name }), vec![format!("`contractRef` {no_kind}")]),
            (json!({ "sourceRef": name }), vec![format!("`sourceRef` {no_kind}")]),
            (json!({ "sourceRef": "a@1.0.0" }), vec![format!("`sourceRef` {no_kind}")]),
            (json!({ "ruleSetRef": "a" }), vec![format!("`ruleSetRef` {forms}")]),
            (json!({ "ruleSetRef": "@1.0.0" }), vec![format!("`ruleSetRef` {forms}")]),
            (json!({ "ruleSetRef": "a@newest" }), vec![format!("`ruleSetRef` {forms}")]),
            (json!({ "ruleSetRef": true }), vec![format!("`ruleSetRef` {forms}")]),
            (
                json!({ "ruleSetRef": {} }),
                vec!["`ruleSetRef.id` is required".to_owned(), "`ruleSetRef.version` is required".to_owned()],
            ),
            (
                json!({ "x": { "viewRefs": [{ "id": "", "version": 1, "kind": "a view" }] }, "ruleSetRef": "a" }),
                vec![
                    format!("`ruleSetRef` {forms}"),
                    format!("`x.viewRefs[0].kind` {}", message!(crate::messages::specs::KIND)),
                    "`x.viewRefs[0].id` must have 1 to 128 characters".to_owned(),
                    "`x.viewRefs[0].version` must be text".to_owned(),
                ],
            ),
            (
                json!({ "ruleSetRef": { "id": "a", "version": "newest" } }),
                vec![format!("`ruleSetRef.version` {version}")],
            ),
            (
                json!({ "ruleSetRef": "a#b@1.0.0" }),
                vec!["`ruleSetRef` must not contain `#`, which separates the parts of a key".to_owned()],
            ),
        ] {
            let expected: Vec<String> = expected.iter().map(|one| format!("! {one}")).collect();
            assert_eq!(lines(None, json.clone()), expected, "{json}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Every reference can be formatted as text and parsed back.
        #[test]
        fn a_reference_parses_back(kind in kinds(), spec in specs()) {
            for reference in references(&kind, &spec).unwrap_or_default() {
                let text = Item::from([("anyRef".into(), reference.to_string().into())]);
                let again = references(&kind, &text).unwrap();
                prop_assert_eq!(again, vec![Reference { path: "anyRef".to_owned(), ..reference }]);
            }
        }
    }
}
