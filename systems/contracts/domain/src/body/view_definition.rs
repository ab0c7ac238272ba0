//! View definitions: the slices of a view.

use hansang_core::{Item, Value, message};

use super::reader::Reader;
use crate::Known;
use crate::messages::specs;
use crate::references::Reference;

/// A view definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewDefinition {
    /// The required slices (`requiredSlices`).
    pub required_slices: Vec<String>,
    /// The optional slices (`optionalSlices`).
    pub optional_slices: Vec<String>,
    /// The policy for a missing required slice (`missingPolicy`); `None` means that the view fails.
    pub missing_policy: Option<Policy>,
    /// The policy for partial views (`partialPolicy`); `None` means that they are not returned.
    pub partial_policy: Option<Policy>,
    /// The policy for failed views (`fallbackPolicy`); `None` means that nothing is returned instead.
    pub fallback_policy: Option<Policy>,
    /// The rule set of the slices (`ruleSetRef`), if it is given.
    pub rule_set: Option<Reference>,
}

/// A policy: a name or a definition.
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
        _ => spec.wrong(name, message!(specs::POLICY)),
    }
}
