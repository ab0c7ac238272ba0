//! Checks that references are served.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use hansang_core::message::Join;
use hansang_core::validate::{Violation, violation};
use hansang_core::{Error, Message, message};

use super::Reference;
use crate::messages::specs;
use crate::{ContractCode, ContractError, ContractRef, ContractRegistry, Header, Kind, Status, Wanted};

/// The best status of the accepted versions, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Served,
    Deprecated,
    OnlyDrafts,
    Missing,
}

/// The references of a spec that are not served without a warning.
#[derive(Debug, Default)]
pub(crate) struct Lookup {
    /// A warning for each deprecated one.
    pub(crate) warnings: Vec<Message>,
    /// The missing ones, and those that are only drafts, by their path.
    pub(crate) missing: Vec<Violation>,
}

/// Checks that every reference is served. Returns a warning for each deprecated one.
///
/// # Errors
/// One error for all references that are missing or only drafts; the error of the first version that cannot be trusted; an
/// outage.
pub async fn check(
    registry: &dyn ContractRegistry,
    found: &[Reference],
) -> Result<Vec<Message>, ContractError> {
    let Lookup { warnings, missing } = look_up(registry, found).await?;
    if missing.is_empty() { Ok(warnings) } else { Err(ContractError::Refused(not_served(missing))) }
}

/// Looks up every reference.
///
/// # Errors
/// The error of the first version that cannot be trusted; an outage.
pub(crate) async fn look_up(
    registry: &dyn ContractRegistry,
    found: &[Reference],
) -> Result<Lookup, ContractError> {
    let mut lookups = Lookups::default();
    let mut result = Lookup::default();
    for reference in found {
        let Reference { path, .. } = reference;
        let problem = match lookups.standing(registry, reference).await? {
            Standing::Served => continue,
            Standing::Deprecated => {
                let deprecated = message!(specs::DEPRECATED, reference.to_string());
                result.warnings.push(violation(path, deprecated).message());
                continue;
            }
            Standing::OnlyDrafts => message!(specs::ONLY_DRAFTS, reference.to_string()),
            Standing::Missing => message!(specs::MISSING, reference.to_string()),
        };
        result.missing.push(violation(path, problem));
    }
    Ok(result)
}

/// A cache of lookups, so that each contract is read once.
#[derive(Default)]
struct Lookups<'f> {
    exact: HashMap<ContractRef, Standing>,
    versions: HashMap<(&'f Kind, &'f str), Vec<Header>>,
}

impl<'f> Lookups<'f> {
    async fn standing(
        &mut self,
        registry: &dyn ContractRegistry,
        reference: &'f Reference,
    ) -> Result<Standing, ContractError> {
        match &reference.wanted {
            Wanted::Exact(version) => {
                let (kind, id, version) = (reference.kind.clone(), reference.id.clone(), version.clone());
                let name = ContractRef { kind, id, version };
                if let Some(standing) = self.exact.get(&name) {
                    return Ok(*standing);
                }
                let standing = exact(registry, &name).await?;
                self.exact.insert(name, standing);
                Ok(standing)
            }
            Wanted::Range(_) => {
                let (kind, id) = (&reference.kind, &*reference.id);
                let headers = match self.versions.entry((kind, id)) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(vacant) => vacant.insert(registry.versions(kind, id).await?),
                };
                let fitting =
                    headers.iter().filter(|header| reference.wanted.allows(&header.reference.version));
                Ok(fitting.map(|header| of(header.status)).min().unwrap_or(Standing::Missing))
            }
        }
    }
}

/// Loads the version, so that nothing refers to a version that cannot be trusted.
async fn exact(registry: &dyn ContractRegistry, name: &ContractRef) -> Result<Standing, ContractError> {
    match registry.fetch(name).await {
        Ok(contract) => Ok(of(contract.header.status)),
        Err(ContractError::NotFound(_)) => Ok(Standing::Missing),
        Err(other) => Err(other),
    }
}

fn of(status: Status) -> Standing {
    match status {
        Status::Active => Standing::Served,
        Status::Deprecated => Standing::Deprecated,
        Status::Draft => Standing::OnlyDrafts,
    }
}

/// The error of references that are not served.
pub(crate) fn not_served(missing: Vec<Violation>) -> Error {
    let message = Message::join(Join::Semicolon, missing.iter().map(Violation::message));
    Error { violations: missing, ..Error::conflict(ContractCode::ReferenceMissing, message) }
}
