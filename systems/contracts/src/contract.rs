//! A contract: what it says, and what is known of it.

use std::fmt;
use std::str::FromStr;

use hansang_core::validate::violation;
use hansang_core::{Error, Item};
use jiff::Timestamp;

use crate::checksum::{checksum, same_checksum};
use crate::{Body, ContractError, ContractRef, body};

/// One version of a contract, which was checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Contract {
    /// What is known of it.
    pub header: Header,
    /// What it says.
    pub spec: Item,
    /// What it says, as its kind is understood.
    pub body: Body,
}

/// What is known of a version without what it says. Of files that say no more than their spec, who made
/// them and when is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Which version of which contract.
    pub reference: ContractRef,
    /// Whether it is served.
    pub status: Status,
    /// The checksum of its spec. Of a header by itself nobody has checked it.
    pub checksum: String,
    /// When it was registered.
    pub created_at: Option<Timestamp>,
    /// Who registered it.
    pub created_by: Option<String>,
    /// The last change of its status, if there was one.
    pub status_changed: Option<StatusChanged>,
}

/// A change of status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusChanged {
    /// When.
    pub at: Timestamp,
    /// Who did it.
    pub by: String,
}

/// Whether a version is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Not to runtimes, unless they ask for drafts by name.
    Draft,
    /// Yes.
    Active,
    /// Yes, with a warning.
    Deprecated,
}

impl Contract {
    /// A version that was read: decoded, then its checksum checked, for every registry in the same words.
    ///
    /// # Errors
    /// That it cannot be understood, or is not what was registered.
    pub fn checked(header: Header, spec: Item) -> Result<Self, ContractError> {
        let corrupted =
            |reason: String| ContractError::Corrupted { reference: header.reference.clone(), reason };
        let body = decoded(&header, &spec).map_err(corrupted)?;
        let counted = checksum(&spec).map_err(corrupted)?;
        if !same_checksum(&counted, &header.checksum) {
            let reason = match &*header.checksum {
                "" => "it has no checksum".to_owned(),
                registered => format!("its checksum is {counted}, and {registered} was registered"),
            };
            return Err(ContractError::Integrity { reference: header.reference, reason });
        }
        Ok(Self { header: Header { checksum: counted, ..header }, spec, body })
    }
}

/// What a spec says; a draft may be unfinished.
fn decoded(header: &Header, spec: &Item) -> Result<Body, String> {
    match body::decode(&header.reference.kind, spec) {
        Ok(body) => Ok(body),
        Err(_) if header.status == Status::Draft => Ok(Body::Other),
        Err(problems) => Err(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")),
    }
}

impl Status {
    /// All of them, in the order of their lifecycle.
    pub const ALL: [Self; 3] = [Self::Draft, Self::Active, Self::Deprecated];

    /// The status as it is stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "DRAFT",
            Self::Active => "ACTIVE",
            Self::Deprecated => "DEPRECATED",
        }
    }
}

impl FromStr for Status {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::fields(vec![violation("status", "must be DRAFT, ACTIVE or DEPRECATED")]);
        Self::ALL.into_iter().find(|status| status.name() == text).ok_or_else(wrong)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
