//! Compatibility of two specs, by rules for each kind.
//!
//! A contract has producers and consumers. A change is breaking if it can break either.

use hansang_core::{Item, Message, message, names};
use semver::Version;

use crate::Kind;
use crate::messages::changes;

mod contracts;
mod fields;
mod parts;
mod rules;
mod specs;
mod views;

/// The changes between two specs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compatibility {
    /// Every change, in the order of the rules of the kind.
    pub changes: Vec<SpecChange>,
    /// The minimum version step.
    pub needs: Bump,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecChange {
    /// The path, such as `keySpec.padWidth` or `fields[price].type`.
    pub path: String,
    /// Whether the change can break users of the old version.
    pub breaking: bool,
    /// The side that a breaking change can break.
    pub breaks: Option<Breaks>,
    /// The change as a sentence.
    pub message: Message,
}

/// The side of a contract that a breaking change can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaks {
    /// Writers of the old version: what they write is not valid in the new one.
    Writers,
    /// Readers of the old version: they cannot read what the new one allows.
    Readers,
    /// Writers and readers.
    Both,
}

names! {
    /// A step of a version.
    pub enum Bump {
        /// No step.
        None = "none",
        /// `1.2.3` to `1.2.4`: no visible effect.
        Patch = "patch",
        /// `1.2.3` to `1.3.0`: an addition.
        Minor = "minor",
        /// `1.2.3` to `2.0.0`: a breaking change.
        Major = "major",
    }
}

/// Compares two specs of a kind and returns the changes and the version step that they need.
#[must_use]
pub fn compatibility(kind: &Kind, old: &Item, new: &Item) -> Compatibility {
    let mut changes = Changes::default();
    if old != new {
        rules::judge(kind.known(), old, new, &mut changes);
        if changes.found.is_empty() {
            let message = message!(changes::REWRITTEN);
            changes.found.push(SpecChange { path: String::new(), breaking: false, breaks: None, message });
            changes.needs = Some(Bump::Patch);
        }
    }
    Compatibility { needs: changes.needs.unwrap_or(Bump::None), changes: changes.found }
}

impl Compatibility {
    /// Whether the step between two versions is large enough.
    #[must_use]
    pub fn fits(&self, old: &Version, new: &Version) -> bool {
        self.needs <= Bump::between(old, new)
    }
}

impl Bump {
    /// The step from one version to another. Below `1.0.0` the first number that is not zero counts as the major one, and
    /// a pre-release promises no compatibility.
    #[must_use]
    pub fn between(old: &Version, new: &Version) -> Self {
        let leading = |version: &Version| match (version.major, version.minor) {
            (0, 0) => (0, 0, version.patch),
            (0, minor) => (0, minor, 0),
            (major, _) => (major, 0, 0),
        };
        if new.cmp_precedence(old).is_le() {
            Self::None
        } else if !old.pre.is_empty() || leading(old) != leading(new) {
            Self::Major
        } else if old.minor != new.minor || old.major == 0 {
            Self::Minor
        } else {
            Self::Patch
        }
    }
}

/// The changes found so far.
#[derive(Default)]
struct Changes {
    found: Vec<SpecChange>,
    needs: Option<Bump>,
}

impl Changes {
    /// Records a change; a breaking one breaks both sides. `what` ends a sentence that begins with the path.
    fn tell(&mut self, bump: Bump, path: &str, what: Message) {
        self.record(bump, (bump == Bump::Major).then_some(Breaks::Both), path, what);
    }

    /// Records a change that breaks one side.
    fn breaks(&mut self, side: Breaks, path: &str, what: Message) {
        self.record(Bump::Major, Some(side), path, what);
    }

    fn record(&mut self, bump: Bump, breaks: Option<Breaks>, path: &str, what: Message) {
        let message = message!(hansang_core::messages::fields::FIELD, path, what);
        self.found.push(SpecChange { path: path.to_owned(), breaking: breaks.is_some(), breaks, message });
        self.needs = self.needs.max(Some(bump));
    }
}

#[cfg(test)]
mod tests;
