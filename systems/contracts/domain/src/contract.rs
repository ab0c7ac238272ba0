//! Contract versions: header and spec.

use std::str::FromStr;
use std::sync::OnceLock;

use hansang_core::message::Join;
use hansang_core::validate::{Violation, violation};
use hansang_core::{Error, Item, Message, message, names};
use jiff::Timestamp;

use crate::checksum::Digest;
use crate::messages::{errors, specs};
use crate::{Body, ContractError, ContractRef, body};

/// A verified version of a contract.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The header.
    pub header: Header,
    /// The spec.
    pub spec: Item,
    /// Decoded from the spec on first use; it is known to decode.
    body: OnceLock<Body>,
}

/// A version without its spec. A file may lack the author and the creation time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The name of the version.
    pub reference: ContractRef,
    /// The status.
    pub status: Status,
    /// The checksum of the spec, not verified unless the header is part of a [`Contract`].
    pub checksum: String,
    /// The time of registration.
    pub created_at: Option<Timestamp>,
    /// The author.
    pub created_by: Option<String>,
    /// The last change of the status, if there was one.
    pub status_changed: Option<StatusChanged>,
}

/// A change of the status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusChanged {
    /// The time.
    pub at: Timestamp,
    /// The author.
    pub by: String,
}

/// An entry of a version's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusChange {
    /// The status before; `None` for a registration that needed a reason.
    pub from: Option<Status>,
    /// The status after.
    pub to: Status,
    /// The time.
    pub at: Timestamp,
    /// The author.
    pub by: String,
    /// The reason for which the compatibility rule did not hold, if it forbade the change.
    pub reason: Option<String>,
}

/// The author of a change, and what an administrator allows for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Act {
    /// The author.
    pub by: String,
    /// The exceptions.
    pub allowed: Allowed,
}

/// Exceptions from the checks of a change, which administrators may make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Whether references may lead nowhere; each is a warning then.
    pub missing: bool,
    /// The reason for which the compatibility rule does not hold. It is recorded with the change.
    pub incompatible: Option<String>,
}

impl<T: AsRef<str> + ?Sized> From<&T> for Act {
    fn from(by: &T) -> Self {
        Self { by: by.as_ref().to_owned(), allowed: Allowed::default() }
    }
}

names! {
    /// The status of a version, in lifecycle order.
    pub enum Status {
        /// Not served, except to callers that ask for drafts.
        Draft = "DRAFT",
        /// Served.
        Active = "ACTIVE",
        /// Served with a warning.
        Deprecated = "DEPRECATED",
    }
}

impl Contract {
    /// Decodes a stored version, then verifies its checksum.
    ///
    /// # Errors
    /// `Corrupted` if the spec does not decode, `Integrity` if the checksum is missing or different.
    pub fn checked(header: Header, spec: Item) -> Result<Self, ContractError> {
        understood(&header, &spec)
            .map_err(|reason| ContractError::Corrupted { reference: header.reference.clone(), reason })?;
        Self::unchanged(header, spec)
    }

    /// Verifies the checksum alone, for a version that was registered before its kind was known.
    ///
    /// # Errors
    /// `Integrity` if the checksum is missing or different.
    pub(crate) fn unchanged(header: Header, spec: Item) -> Result<Self, ContractError> {
        let corrupted =
            |reason: Message| ContractError::Corrupted { reference: header.reference.clone(), reason };
        let digest = Digest::of(&spec).map_err(corrupted)?;
        if !digest.is(&header.checksum) {
            let reason = match &*header.checksum {
                "" => message!(errors::NO_CHECKSUM),
                registered => message!(errors::OTHER_CHECKSUM, digest.to_string(), registered),
            };
            return Err(ContractError::Integrity { reference: header.reference, reason });
        }
        let checksum = digest.written_as(header.checksum);
        Ok(Self { header: Header { checksum, ..header }, spec, body: OnceLock::new() })
    }

    /// The spec as a struct of its kind; [`Body::Other`] for an unfinished draft.
    #[must_use]
    pub fn body(&self) -> &Body {
        self.body.get_or_init(|| body::decode(&self.header.reference.kind, &self.spec).unwrap_or(Body::Other))
    }
}

/// Ignores the body, which follows from the spec.
impl PartialEq for Contract {
    fn eq(&self, other: &Self) -> bool {
        self.header == other.header && self.spec == other.spec
    }
}

fn understood(header: &Header, spec: &Item) -> Result<(), Message> {
    match body::check(&header.reference.kind, spec) {
        Err(problems) if header.status != Status::Draft => {
            Err(Message::join(Join::Semicolon, problems.iter().map(Violation::message)))
        }
        _ => Ok(()),
    }
}

impl FromStr for Status {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::fields(vec![violation("status", message!(specs::STATUS))]);
        Self::named(text).ok_or_else(wrong)
    }
}
