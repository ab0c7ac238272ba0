//! Compatibility rules, which versions must follow to become active: one for everything, for a kind, or for a contract. The
//! narrowest one counts.
//!
//! A new major version may break anything: that is its meaning. Within a major version the rule decides what a new version
//! may change.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use hansang_core::message::Join;
use hansang_core::{Error, Item, Message, message, names};
use semver::Version;
use serde::Deserialize;

use crate::messages::errors;
use crate::{
    Breaks, Bump, Compatibility, ContractCode, ContractError, ContractRef, ContractRegistry, Header, Kind,
    Status, compatibility,
};

names! {
    /// The sides that new versions of a kind must not break.
    #[derive(Default)]
    pub enum Mode {
        /// New versions may break anything.
        #[default]
        None = "NONE",
        /// Data of old writers stays valid.
        Backward = "BACKWARD",
        /// Old readers can read what new writers write.
        Forward = "FORWARD",
        /// Backward and forward.
        Full = "FULL",
    }
}

/// The contracts for which a rule is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleScope {
    /// All of them.
    All,
    /// Those of a kind.
    Kind(Kind),
    /// One contract.
    Contract(Kind, Arc<str>),
}

/// A compatibility rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct CompatibilityRule {
    /// The sides that must not break.
    #[serde(rename = "compatibility")]
    pub mode: Mode,
    /// Whether a version is compared with all served versions before it, instead of the last active one.
    pub transitive: bool,
}

/// The comparison of a version with one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The version before.
    pub against: Version,
    /// The changes since.
    pub found: Compatibility,
    /// Whether the version step is large enough.
    pub fits: bool,
    /// Whether the rule forbids the changes.
    pub blocked: bool,
}

impl Mode {
    /// Whether a breaking change is forbidden.
    fn forbids(self, breaks: Breaks) -> bool {
        match self {
            Self::None => false,
            Self::Backward => breaks != Breaks::Readers,
            Self::Forward => breaks != Breaks::Writers,
            Self::Full => true,
        }
    }
}

impl RuleScope {
    /// This scope and those whose rules it inherits, the narrowest one first.
    #[must_use]
    pub fn inherits(self) -> Vec<Self> {
        match self {
            Self::All => vec![Self::All],
            Self::Kind(kind) => vec![Self::Kind(kind), Self::All],
            Self::Contract(kind, id) => vec![Self::Contract(kind.clone(), id), Self::Kind(kind), Self::All],
        }
    }
}

/// Formats a scope as `*`, `{kind}` or `{kind}:{id}`.
impl fmt::Display for RuleScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("*"),
            Self::Kind(kind) => kind.fmt(f),
            Self::Contract(kind, id) => write!(f, "{kind}:{id}"),
        }
    }
}

/// Returns the rule that counts for a scope, and where it is set; no rule is `NONE`.
///
/// # Errors
/// If the registry is unavailable.
pub async fn rule_of(
    registry: &dyn ContractRegistry,
    scope: RuleScope,
) -> Result<(CompatibilityRule, Option<RuleScope>), ContractError> {
    for scope in scope.inherits() {
        if let Some(rule) = registry.rule(&scope).await? {
            return Ok((rule, Some(scope)));
        }
    }
    Ok((CompatibilityRule::default(), None))
}

/// The rule that counts for a contract.
async fn rule_for(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
) -> Result<CompatibilityRule, ContractError> {
    let scope = RuleScope::Contract(reference.kind.clone(), reference.id.clone());
    Ok(rule_of(registry, scope).await?.0)
}

impl FromStr for Mode {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|mode| mode.name().eq_ignore_ascii_case(text)).ok_or_else(|| {
            Error::invalid(ContractCode::CompatibilityModeUnknown, message!(errors::MODE_UNKNOWN, text))
        })
    }
}

impl CompatibilityRule {
    /// Compares a spec with an earlier version.
    fn judge(self, old: &Version, old_spec: &Item, kind: &Kind, new: &Version, spec: &Item) -> Verdict {
        let found = compatibility(kind, old_spec, spec);
        let same_line = Bump::between(old, new) < Bump::Major;
        let forbidden = |breaks: Option<Breaks>| breaks.is_some_and(|breaks| self.mode.forbids(breaks));
        let blocked = same_line && found.changes.iter().any(|change| forbidden(change.breaks));
        Verdict { against: old.clone(), fits: found.fits(old, new), blocked, found }
    }
}

/// Compares a spec with the versions before it that its rule names; the last active one comes first.
///
/// # Errors
/// If a version before it cannot be read, or the registry is unavailable.
pub async fn verdicts(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    spec: &Item,
) -> Result<Vec<Verdict>, ContractError> {
    let rule = rule_for(registry, reference).await?;
    verdicts_of(registry, rule, reference, spec).await
}

async fn verdicts_of(
    registry: &dyn ContractRegistry,
    rule: CompatibilityRule,
    reference: &ContractRef,
    spec: &Item,
) -> Result<Vec<Verdict>, ContractError> {
    let headers = registry.versions(&reference.kind, &reference.id).await?;
    let mut all = Vec::new();
    for before in compared(rule, &headers, &reference.version) {
        let old = registry.fetch(before).await?;
        all.push(rule.judge(&before.version, &old.spec, &reference.kind, &reference.version, spec));
    }
    Ok(all)
}

/// The versions that a new one is compared with, the highest first. Pre-releases promise nothing.
fn compared<'h>(rule: CompatibilityRule, headers: &'h [Header], new: &Version) -> Vec<&'h ContractRef> {
    let is_before = |version: &Version| version < new && version.pre.is_empty();
    let before = headers.iter().rev().filter(|header| is_before(&header.reference.version));
    match rule.transitive {
        true => {
            before.filter(|header| header.status != Status::Draft).map(|header| &header.reference).collect()
        }
        false => before
            .filter(|header| header.status == Status::Active)
            .map(|header| &header.reference)
            .take(1)
            .collect(),
    }
}

/// Checks a version against its rule. With a reason the rule does not hold: returns a warning that names what it forbids.
pub(crate) async fn check_rule(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    spec: &Item,
    reason: Option<&str>,
) -> Result<Option<Message>, ContractError> {
    let rule = rule_for(registry, reference).await?;
    if rule.mode == Mode::None {
        return Ok(None);
    }
    let all = verdicts_of(registry, rule, reference, spec).await?;
    let Some(verdict) = all.iter().find(|verdict| verdict.blocked) else { return Ok(None) };
    let breaking = verdict
        .found
        .changes
        .iter()
        .filter(|change| change.breaks.is_some_and(|breaks| rule.mode.forbids(breaks)))
        .map(|change| change.message.clone());
    let changes = Message::join(Join::Semicolon, breaking);
    let (name, against) = (reference.to_string(), verdict.against.to_string());
    if reason.is_some() {
        return Ok(Some(message!(errors::OVERRIDDEN, name, against, rule.mode.name(), changes)));
    }
    let message = message!(errors::INCOMPATIBLE, name, against, rule.mode.name(), changes);
    Err(ContractError::Refused(Error::conflict(ContractCode::Incompatible, message)))
}
