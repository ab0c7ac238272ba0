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
    /// The policy for a missing required slice (`missingPolicy`). Defaults to `FAIL_CLOSED`.
    pub missing_policy: MissingPolicy,
    /// The policy for partial views (`partialPolicy`); `None` means that they are not returned.
    pub partial_policy: Option<Policy>,
    /// The policy for failed views (`fallbackPolicy`). Defaults to `NONE`.
    pub fallback_policy: FallbackPolicy,
    /// The rule set of the slices (`ruleSetRef`), if it is given.
    pub rule_set: Option<Reference>,
}

/// The policy for a missing required slice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MissingPolicy {
    /// The view fails.
    #[default]
    FailClosed,
    /// The view is returned without the slice.
    PartialAllowed,
    /// A policy of a version that was registered before policies were checked. Treat it as [`Self::FailClosed`].
    Unknown(Policy),
}

/// The policy for failed views.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FallbackPolicy {
    /// Nothing is returned instead.
    #[default]
    None,
    /// Default values are returned instead.
    DefaultValue,
    /// A policy of a version that was registered before policies were checked. Treat it as [`Self::None`].
    Unknown(Policy),
}

/// The names of [`MissingPolicy`], the default first.
pub(super) const MISSING_POLICIES: [&str; 2] = ["FAIL_CLOSED", "PARTIAL_ALLOWED"];
/// The names of [`FallbackPolicy`], the default first.
pub(super) const FALLBACK_POLICIES: [&str; 2] = ["NONE", "DEFAULT_VALUE"];

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
        missing_policy: policy(spec, "missingPolicy").map(MissingPolicy::from).unwrap_or_default(),
        partial_policy: policy(spec, "partialPolicy"),
        fallback_policy: policy(spec, "fallbackPolicy").map(FallbackPolicy::from).unwrap_or_default(),
        rule_set: spec.contract("ruleSetRef", Known::RuleSet),
    }
}

impl From<Policy> for MissingPolicy {
    fn from(policy: Policy) -> Self {
        match policy.name() {
            Some("FAIL_CLOSED") => Self::FailClosed,
            Some("PARTIAL_ALLOWED") => Self::PartialAllowed,
            _ => Self::Unknown(policy),
        }
    }
}

impl From<Policy> for FallbackPolicy {
    fn from(policy: Policy) -> Self {
        match policy.name() {
            Some("NONE") => Self::None,
            Some("DEFAULT_VALUE") => Self::DefaultValue,
            _ => Self::Unknown(policy),
        }
    }
}

impl Policy {
    fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            Self::Detailed(_) => None,
        }
    }
}

fn policy(spec: &Reader<'_, '_>, name: &str) -> Option<Policy> {
    match spec.get(name)? {
        Value::S(text) if !text.is_empty() => Some(Policy::Named(spec.copy(text.as_str()))),
        Value::M(map) => Some(Policy::Detailed(spec.copy(map))),
        _ => spec.wrong(name, message!(specs::POLICY)),
    }
}
