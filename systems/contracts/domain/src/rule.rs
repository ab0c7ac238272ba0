//! The compatibility rule of a kind, which promotions must follow.
//!
//! A new major version may break anything: that is its meaning. Within a major version the rule decides what a new version
//! may change.

use std::str::FromStr;

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

/// The compatibility rule of a kind.
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
    /// Whether the rule of the kind forbids the changes.
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

/// Compares a spec with the versions before it that the rule of its kind names; the last active one comes first.
///
/// # Errors
/// If a version before it cannot be read, or the registry is unavailable.
pub async fn verdicts(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    spec: &Item,
) -> Result<Vec<Verdict>, ContractError> {
    let rule = registry.rule(&reference.kind).await?;
    let headers = registry.versions(&reference.kind, &reference.id).await?;
    let mut all = Vec::new();
    for before in compared(rule, &headers, &reference.version) {
        let old = registry.fetch(before).await?;
        all.push(rule.judge(&before.version, &old.spec, &reference.kind, &reference.version, spec));
    }
    Ok(all)
}

/// The versions that a new one is compared with, the highest first.
fn compared<'h>(rule: CompatibilityRule, headers: &'h [Header], new: &Version) -> Vec<&'h ContractRef> {
    let before = headers.iter().rev().filter(|header| header.reference.version < *new);
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

/// Refuses a version that the rule of its kind forbids.
pub(crate) async fn check_rule(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    spec: &Item,
) -> Result<(), ContractError> {
    let rule = registry.rule(&reference.kind).await?;
    if rule.mode == Mode::None {
        return Ok(());
    }
    let all = verdicts(registry, reference, spec).await?;
    let Some(verdict) = all.iter().find(|verdict| verdict.blocked) else { return Ok(()) };
    let breaking = verdict
        .found
        .changes
        .iter()
        .filter(|change| change.breaks.is_some_and(|breaks| rule.mode.forbids(breaks)))
        .map(|change| change.message.clone());
    let changes = Message::join(Join::Semicolon, breaking);
    let against = verdict.against.to_string();
    let message = message!(errors::INCOMPATIBLE, reference.to_string(), against, rule.mode.name(), changes);
    Err(ContractError::Refused(Error::conflict(ContractCode::Incompatible, message)))
}
