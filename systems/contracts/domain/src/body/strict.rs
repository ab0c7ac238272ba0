//! Rules for new specs, beyond those of decoding. Versions that were registered before them are still served.

use hansang_core::messages::fields;
use hansang_core::validate::{Violation, violation};
use hansang_core::{Item, Message, Value, message};

use super::location::Location;
use super::view_definition::{FALLBACK_POLICIES, MISSING_POLICIES};
use crate::messages::specs;
use crate::{Kind, Known};

/// Checks a spec that decodes. Returns its problems, each with its path in the spec.
pub(crate) fn check(kind: &Kind, spec: &Item) -> Vec<Violation> {
    match kind.known() {
        Some(Known::ViewDefinition) => view(spec),
        Some(Known::RuleSet) => rule_set(spec),
        _ => Vec::new(),
    }
}

fn view(spec: &Item) -> Vec<Violation> {
    let mut problems = Vec::new();
    if given(spec, "ruleSetRef").is_none() {
        problems.push(violation("ruleSetRef", message!(fields::REQUIRED)));
    }
    for (name, known) in [("missingPolicy", MISSING_POLICIES), ("fallbackPolicy", FALLBACK_POLICIES)] {
        let is_known = |value: &Value| value.as_str().is_some_and(|text| known.contains(&text));
        if given(spec, name).is_some_and(|value| !is_known(value)) {
            problems.push(violation(name, message!(specs::NOT_A_POLICY, known[0], known[1])));
        }
    }
    problems
}

fn rule_set(spec: &Item) -> Vec<Violation> {
    let mut problems = Vec::new();
    if !matches!(given(spec, "slices"), Some(Value::L(slices)) if !slices.is_empty()) {
        problems.push(violation("slices", message!(specs::NO_SLICES)));
    }
    for list in ["indexes", "joins", "slices"] {
        if let Some(value) = given(spec, list) {
            selectors(value, &Location::Spec.member(list), &mut problems);
        }
    }
    problems
}

/// Checks every selector in a value.
fn selectors(value: &Value, location: &Location<'_>, problems: &mut Vec<Violation>) {
    match value {
        Value::L(values) => {
            for (position, value) in values.iter().enumerate() {
                selectors(value, &location.element(position), problems);
            }
        }
        Value::M(map) => {
            for (name, value) in map {
                let here = location.member(name);
                match value {
                    Value::S(text) if &**name == "selector" && !text.starts_with('$') => {
                        problems.push(wrong(&here, message!(specs::SELECTOR)));
                    }
                    _ => selectors(value, &here, problems),
                }
            }
        }
        _ => {}
    }
}

fn wrong(location: &Location<'_>, problem: Message) -> Violation {
    Violation { attribute: location.to_string(), problem }
}

/// A member. Null counts as missing, as in the decoder.
fn given<'s>(spec: &'s Item, name: &str) -> Option<&'s Value> {
    spec.get(name).filter(|value| **value != Value::Null)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::body::arbitrary::{kind, spec};

    fn problems(known: Known, json: Json) -> Vec<String> {
        check(&kind(known), &spec(json)).iter().map(ToString::to_string).collect()
    }

    /// Rs28
    #[test]
    fn a_view_names_its_rule_set_and_known_policies() {
        let rules = "rules@1.0.0";
        for (json, expected) in [
            (json!({ "requiredSlices": [] }), &["`ruleSetRef` is required"][..]),
            (json!({ "ruleSetRef": rules }), &[]),
            (json!({ "ruleSetRef": rules, "missingPolicy": null, "fallbackPolicy": "DEFAULT_VALUE" }), &[]),
            (
                json!({ "ruleSetRef": rules, "missingPolicy": "PARTIAL_ALLOWED", "fallbackPolicy": "NONE" }),
                &[],
            ),
            (
                json!({ "ruleSetRef": rules, "missingPolicy": "fail", "fallbackPolicy": { "value": 1 } }),
                &[
                    "`missingPolicy` must be FAIL_CLOSED or PARTIAL_ALLOWED",
                    "`fallbackPolicy` must be NONE or DEFAULT_VALUE",
                ],
            ),
        ] {
            assert_eq!(problems(Known::ViewDefinition, json.clone()), expected, "{json}");
        }
    }

    /// Rs27
    #[test]
    fn a_rule_set_has_slices_and_selectors_from_the_root() {
        for (json, expected) in [
            (json!({ "entityType": "A" }), &["`slices` must list at least one slice"][..]),
            (json!({ "slices": [] }), &["`slices` must list at least one slice"]),
            (
                json!({ "slices": ["CORE", { "type": "PRICE", "build": { "selector": "price" } }],
                        "indexes": [{ "type": "a", "selector": "$.a" }, { "type": "b", "selector": "/b" }],
                        "joins": [{ "name": "c", "sources": [{ "selector": "$" }] }] }),
                &[
                    "`indexes[1].selector` must start with `$`, such as $.brandId",
                    "`slices[1].build.selector` must start with `$`, such as $.brandId",
                ],
            ),
        ] {
            assert_eq!(problems(Known::RuleSet, json.clone()), expected, "{json}");
        }
    }
}
