//! Tests of the rules that all kinds share.

use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use serde_json::{Value as Json, json};

use super::*;
use crate::Known;
use crate::body::arbitrary::{kind, kinds, spec, specs};

mod by_kind;

/// A patch of the example (null removes a member), the step it needs, and the changes in words, with `!` for breaking
/// ones.
type Case<'c> = (Json, Bump, &'c [&'c str]);

fn check(kind: &Kind, example: &Json, cases: &[Case<'_>]) {
    for (patch, needs, expected) in cases {
        let mut changed = example.clone();
        merge(&mut changed, patch);
        let found = compatibility(kind, &spec(example.clone()), &spec(changed));
        let line = |one: &SpecChange| format!("{}{}", if one.breaking { "! " } else { "" }, one.message);
        let lines: Vec<String> = found.changes.iter().map(line).collect();
        assert_eq!(lines, *expected, "{patch}");
        assert_eq!(found.needs, *needs, "{patch}");
    }
}

fn merge(value: &mut Json, patch: &Json) {
    let (Json::Object(map), Json::Object(patch)) = (&mut *value, patch) else {
        *value = patch.clone();
        return;
    };
    for (name, patch) in patch {
        if patch.is_null() {
            map.remove(name);
        } else {
            merge(map.entry(name.clone()).or_insert(json!({})), patch);
        }
    }
}

#[test]
fn changes_without_a_rule_may_be_breaking() {
    let example = json!({
        "target": { "type": "S3", "list": ["a", "b"] }, "description": "x",
        "viewRef": { "id": "a", "version": "1.0.0" }, "deep": { "xRefs": ["RULESET:b:1.0.0", "a@1.0.0"] },
    });
    for kind in [kind(Known::SinkRule), "OTHER".parse().unwrap()] {
        check(
            &kind,
            &example,
            &[
                (json!({ "target": { "type": null } }), Bump::Major, &["! `target.type` was removed"]),
                (json!({ "target": { "type": "SQS" } }), Bump::Major, &["! `target.type` was changed"]),
                (
                    json!({ "target": { "list": ["a", "c", "b"] } }),
                    Bump::Minor,
                    &["`target.list[1]` was added"],
                ),
                (
                    json!({ "viewRef": { "version": "~2" }, "deep": { "xRefs": ["RULESET:b:1.0.0", "a@2.0.0"] } }),
                    Bump::Minor,
                    &[
                        "`deep.xRefs[1]` refers to version 2.0.0 instead of 1.0.0",
                        "`viewRef` refers to version ~2 instead of 1.0.0",
                    ],
                ),
                (
                    json!({ "viewRef": { "id": "b" }, "deep": { "xRefs": ["RULESET:b:1.0.0", "b@1.0.0"] } }),
                    Bump::Major,
                    &["! `deep.xRefs[1]` was changed", "! `viewRef.id` was changed"],
                ),
                (
                    json!({ "viewRef": { "version": "newest" } }),
                    Bump::Major,
                    &["! `viewRef.version` was changed"],
                ),
                (json!({ "input": { "a/b": 1 } }), Bump::Minor, &["`input` was added"]),
                (json!({ "description": null }), Bump::Patch, &["`description` was changed"]),
            ],
        );
    }
}

#[test]
fn version_steps_are_those_of_cargo() {
    use Bump::{Major, Minor, None, Patch};
    for (old, new, expected) in [
        ("1.2.3", "1.2.3", None),
        ("1.2.3", "1.2.3+build", None),
        ("1.2.3", "1.2.2", None),
        ("2.0.0", "1.9.0", None),
        ("1.2.3", "1.2.4", Patch),
        ("1.2.3", "1.10.0", Minor),
        ("1.2.3", "1.3.0-rc.1", Minor),
        ("1.2.3", "2.0.0", Major),
        ("0.2.3", "0.3.0", Major),
        ("0.2.3", "0.2.4", Minor),
        ("0.0.3", "0.0.4", Major),
        ("0.9.0", "1.0.0", Major),
        ("1.0.0-rc.1", "1.0.0-rc.2", Major),
        ("1.0.0-rc.1", "1.0.0", Major),
        ("1.0.0", "1.0.0-rc.1", None),
    ] {
        let version = |text: &str| Version::parse(text).unwrap();
        assert_eq!(Bump::between(&version(old), &version(new)), expected, "{old} {new}");
        for needs in [None, Patch, Minor, Major] {
            let compatibility = Compatibility { changes: Vec::new(), needs };
            assert_eq!(
                compatibility.fits(&version(old), &version(new)),
                needs <= expected,
                "{needs:?} {old} {new}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Option::None, ..ProptestConfig::default() })]

    #[test]
    fn equal_specs_need_no_step(kind in kinds(), spec in specs()) {
        let found = compatibility(&kind, &spec, &spec);
        prop_assert_eq!(found, Compatibility { changes: Vec::new(), needs: Bump::None });
    }

    /// Different specs need a step, and the largest one of all changes counts.
    #[test]
    fn different_specs_need_a_step(kind in kinds(), old in specs(), new in specs()) {
        let found = compatibility(&kind, &old, &new);
        prop_assert_eq!(found.needs == Bump::None, old == new);
        prop_assert_eq!(found.needs == Bump::Major, found.changes.iter().any(|change| change.breaking));
        prop_assert_eq!(found.changes.is_empty(), old == new);
        prop_assert!(found.changes.iter().all(|change| !change.message.to_string().is_empty()));
    }
}
