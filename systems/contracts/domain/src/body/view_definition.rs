//! What a view is made of.

use hansang_core::{Item, Value};

use super::reader::Reader;
use crate::Known;
use crate::references::Reference;

/// A view definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewDefinition {
    /// The slices without which there is no view (`requiredSlices`).
    pub required_slices: Vec<String>,
    /// The slices that a view shows where they are there (`optionalSlices`).
    pub optional_slices: Vec<String>,
    /// What happens when a required slice is missing (`missingPolicy`); without it, the view fails.
    pub missing_policy: Option<Policy>,
    /// Whether a part of the view may be answered (`partialPolicy`); without it, it may not.
    pub partial_policy: Option<Policy>,
    /// What is answered instead of a view that failed (`fallbackPolicy`); without it, nothing is.
    pub fallback_policy: Option<Policy>,
    /// The rules by which the slices are made (`ruleSetRef`), if it names them.
    pub rule_set: Option<Reference>,
}

/// A policy: its name, or everything about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Such as `FAIL_CLOSED`.
    Named(String),
    /// Such as `{ allowed: false }`.
    Detailed(Item),
}

pub(super) fn read(spec: &Reader<'_, '_>) -> ViewDefinition {
    ViewDefinition {
        required_slices: spec.needed_texts("requiredSlices"),
        optional_slices: spec.texts("optionalSlices"),
        missing_policy: policy(spec, "missingPolicy"),
        partial_policy: policy(spec, "partialPolicy"),
        fallback_policy: policy(spec, "fallbackPolicy"),
        rule_set: spec.contract("ruleSetRef", Known::RuleSet),
    }
}

fn policy(spec: &Reader<'_, '_>, name: &str) -> Option<Policy> {
    match spec.get(name)? {
        Value::S(text) if !text.is_empty() => Some(Policy::Named(spec.copy(text.as_str()))),
        Value::M(map) => Some(Policy::Detailed(spec.copy(map))),
        _ => spec.wrong(name, "must be the name of a policy, or a map that says what it is"),
    }
}
