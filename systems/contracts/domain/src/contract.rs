//! A contract: what it says, and what is known of it.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use hansang_core::validate::violation;
use hansang_core::{Error, Item};
use jiff::Timestamp;

use crate::checksum::Digest;
use crate::{Body, ContractError, ContractRef, body};

/// One version of a contract, which was checked.
#[derive(Clone, Debug)]
pub struct Contract {
    /// What is known of it.
    pub header: Header,
    /// What it says.
    pub spec: Item,
    /// Made of the spec for the first who asks: that it can be made was checked.
    body: OnceLock<Body>,
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
        understood(&header, &spec).map_err(corrupted)?;
        let digest = Digest::of(&spec).map_err(corrupted)?;
        if !digest.is(&header.checksum) {
            let reason = match &*header.checksum {
                "" => "it has no checksum".to_owned(),
                registered => format!("its checksum is {digest}, and {registered} was registered"),
            };
            return Err(ContractError::Integrity { reference: header.reference, reason });
        }
        let checksum = digest.written_as(header.checksum);
        Ok(Self { header: Header { checksum, ..header }, spec, body: OnceLock::new() })
    }

    /// What it says, as its kind is understood; a draft may be unfinished.
    #[must_use]
    pub fn body(&self) -> &Body {
        self.body.get_or_init(|| body::decode(&self.header.reference.kind, &self.spec).unwrap_or(Body::Other))
    }
}

/// The body follows from the rest.
impl PartialEq for Contract {
    fn eq(&self, other: &Self) -> bool {
        self.header == other.header && self.spec == other.spec
    }
}

fn understood(header: &Header, spec: &Item) -> Result<(), String> {
    match body::check(&header.reference.kind, spec) {
        Err(problems) if header.status != Status::Draft => {
            Err(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
        }
        _ => Ok(()),
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
