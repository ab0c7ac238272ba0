//! The name of a contract version: kind, id and version.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use hansang_core::validate::{Violation, violation};
use hansang_core::{Error, Message, message};
use semver::{Prerelease, Version, VersionReq};

use crate::messages::{errors, specs};
use crate::{ContractCode, Kind};

/// The name of a contract version, formatted as `{kind}:{id}:{version}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContractRef {
    /// The kind.
    pub kind: Kind,
    /// The id.
    pub id: Arc<str>,
    /// The version.
    pub version: Version,
}

/// The versions that a reference accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Exactly this version.
    Exact(Version),
    /// A range such as `^1.2`.
    Range(VersionReq),
}

/// The maximum number of characters of an id.
const MAX_LENGTH: usize = 128;

impl ContractRef {
    /// Parses the parts of a name.
    ///
    /// # Errors
    /// All invalid parts.
    pub fn new(kind: &str, id: &str, version: &str) -> Result<Self, Error> {
        let mut violations = Vec::new();
        let mut keep = |error: Error| violations.extend(error.violations);
        let kind = kind.parse::<Kind>().map_err(&mut keep);
        let id = contract_id(id).map_err(&mut keep);
        let version = contract_version(version).map_err(&mut keep);
        match (kind, id, version) {
            (Ok(kind), Ok(id), Ok(version)) => Ok(Self { kind, id, version }),
            _ => Err(Error::fields(violations)),
        }
    }
}

/// Parses an id.
///
/// # Errors
/// If it is invalid.
pub fn contract_id(text: &str) -> Result<Arc<str>, Error> {
    id_problem(text).map_or(Ok(text.into()), |problem| Err(Error::fields(vec![violation("id", problem)])))
}

fn id_problem(text: &str) -> Option<Message> {
    if text.is_empty() || text.chars().count() > MAX_LENGTH {
        return Some(message!(specs::ID_LENGTH));
    }
    if text.contains('#') {
        return Some(message!(specs::ID_DELIMITER));
    }
    text.contains(char::is_control).then(|| message!(specs::ID_CONTROL))
}

/// Parses a version.
///
/// # Errors
/// If it is invalid.
pub fn contract_version(text: &str) -> Result<Version, Error> {
    let wrong = |_| Error::fields(vec![not_a_version()]);
    Version::parse(text).map_err(wrong)
}

fn not_a_version() -> Violation {
    violation("version", message!(specs::VERSION))
}

impl Wanted {
    /// Whether a version is accepted.
    #[must_use]
    pub fn allows(&self, version: &Version) -> bool {
        match self {
            Self::Exact(wanted) => wanted == version,
            Self::Range(range) => range.matches(version),
        }
    }
}

impl Wanted {
    /// Whether a pre-release is one of an accepted version.
    pub(crate) fn allows_before(&self, version: &Version) -> bool {
        let release = Version { pre: Prerelease::EMPTY, ..version.clone() };
        matches!(self, Self::Range(range) if !version.pre.is_empty() && range.matches(&release))
    }
}

impl FromStr for Wanted {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if let Ok(version) = Version::parse(text) {
            return Ok(Self::Exact(version));
        }
        let wrong = |_| Error::fields(vec![violation("version", message!(specs::VERSION_OR_RANGE))]);
        VersionReq::parse(text).map(Self::Range).map_err(wrong)
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(version) => version.fmt(f),
            Self::Range(range) => range.fmt(f),
        }
    }
}

impl FromStr for ContractRef {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        // Only the id may contain colons.
        let parts = text.split_once(':').and_then(|(kind, rest)| Some((kind, rest.rsplit_once(':')?)));
        let Some((kind, (id, version))) = parts else {
            return Err(Error::invalid(ContractCode::NotAContractName, message!(errors::NAME_FORM)));
        };
        Self::new(kind, id, version)
    }
}

impl fmt::Display for ContractRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.kind, self.id, self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R18
    #[test]
    fn a_formatted_reference_parses_back() {
        for text in ["CHANGESET:changeset.v1:1.0.0", "RULESET:a:b:c:2.0.0-rc.1+x", "X:한상:0.0.1"] {
            let reference: ContractRef = text.parse().unwrap();
            assert_eq!(reference.to_string(), text);
        }
        assert_eq!("RULESET:a:b:c:2.0.0".parse::<ContractRef>().unwrap().id.as_ref(), "a:b:c");
    }

    /// Rs15
    #[test]
    fn every_invalid_part_is_reported() {
        let error = ContractRef::new("9changes", "a#b", "1.0").unwrap_err();
        let names: Vec<&str> = error.violations.iter().map(|one| &*one.attribute).collect();
        assert_eq!(names, ["kind", "id", "version"]);
        assert!(error.message.to_string().contains("must not contain `#`"), "{error}");
        for text in ["", "A:b", "A", "A:b:1"] {
            assert!(text.parse::<ContractRef>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_version_accepts_itself_and_a_range_its_matches() {
        let version = |text: &str| Version::parse(text).unwrap();
        let exact: Wanted = "1.2.0".parse().unwrap();
        assert!(exact.allows(&version("1.2.0")) && !exact.allows(&version("1.3.0")));
        let range: Wanted = "^1.2".parse().unwrap();
        assert!(range.allows(&version("1.10.0")) && !range.allows(&version("2.0.0")));
        assert!("newest".parse::<Wanted>().is_err());
    }
}
