//! Registers a version.

use hansang_core::messages::items;
use hansang_core::validate::{Violation, violation};
use hansang_core::value::item_size;
use hansang_core::write::MAX_ITEM;
use hansang_core::{CoreCode, Error, Item, Message, Value, message};

use crate::body::strict;
use crate::checksum::{checksum, same_checksum};
use crate::messages::{errors, specs};
use crate::references::Reference;
use crate::registry::{NewContract, Saved};
use crate::rule::check_rule;
use crate::{
    Allowed, ContractCode, ContractError, ContractRegistry, Header, Kind, Status, body, references, slices,
};

/// A registered version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// The header.
    pub header: Header,
    /// Whether it is new; otherwise it existed with the same content.
    pub created: bool,
    /// Warnings for the author.
    pub warnings: Vec<Message>,
}

/// The bytes that are reserved for the rest of an item.
const RESERVED: usize = 8 * 1024;

/// Registers a version. Registering the same content again succeeds and changes nothing, whatever the rules are by now;
/// another spec for an existing version is rejected.
///
/// A draft may be unfinished, and what its references lack is a warning. Every other spec must be valid, its references must
/// be served, and its compatibility rule must allow it. [`NewContract::allowed`] makes exceptions.
///
/// # Errors
/// If the spec is invalid, a reference is not served, the version exists with another spec, or the registry is unavailable;
/// in the last case the call can be repeated.
pub async fn register(
    registry: &dyn ContractRegistry,
    new: NewContract,
) -> Result<Registered, ContractError> {
    check_name("createdBy", &new.created_by)?;
    check_reason(&new.allowed)?;
    check_size(&new.spec)?;
    let checksum = checksum(&new.spec).map_err(invalid_spec)?;
    match registry.fetch_stored(&new.reference).await {
        Ok(found) => return existing(&new, &found.header, &checksum, Vec::new()),
        Err(ContractError::NotFound(_)) => {}
        Err(other) => return Err(other),
    }
    let (reason, warnings) = match new.status {
        Status::Draft => (None, draft_warnings(registry, &new.reference.kind, &new.spec).await?),
        Status::Active | Status::Deprecated => {
            let mut warnings = check(registry, &new.reference.kind, &new.spec, new.allowed.missing).await?;
            let reason = new.allowed.incompatible.clone();
            let overridden = check_rule(registry, &new.reference, &new.spec, reason.as_deref()).await?;
            let reason = reason.filter(|_| overridden.is_some());
            warnings.extend(overridden);
            (reason, warnings)
        }
    };
    // Only a reason that was needed is recorded.
    let new = NewContract { allowed: Allowed { incompatible: reason, ..new.allowed }, ..new };
    match registry.save(&new).await? {
        Saved::New(header) => Ok(Registered { header, created: true, warnings }),
        Saved::Existing(header) => existing(&new, &header, &checksum, warnings),
    }
}

/// The result for a version that exists.
fn existing(
    new: &NewContract,
    header: &Header,
    checksum: &str,
    warnings: Vec<Message>,
) -> Result<Registered, ContractError> {
    if same_checksum(&header.checksum, checksum) {
        return Ok(Registered { header: header.clone(), created: false, warnings });
    }
    let message = message!(errors::VERSION_EXISTS, new.reference.to_string());
    Err(ContractError::Refused(Error::conflict(ContractCode::VersionExists, message)))
}

/// The warnings for the author of a draft: references that are not served yet.
async fn draft_warnings(
    registry: &dyn ContractRegistry,
    kind: &Kind,
    spec: &Item,
) -> Result<Vec<Message>, ContractError> {
    // Invalid references are reported when it is promoted.
    let Ok(named) = references::references(kind, spec) else { return Ok(Vec::new()) };
    match served(registry, &named, true).await {
        Err(outage @ ContractError::Unavailable(_)) => Err(outage),
        Err(broken) => Ok(vec![Error::from(broken).message]),
        found => found,
    }
}

/// Checks that a spec of this kind could be served, without registering it. Returns warnings for the author.
///
/// # Errors
/// If the spec is invalid, a reference is not served, or the registry is unavailable.
pub async fn check_spec(
    registry: &dyn ContractRegistry,
    kind: &Kind,
    spec: &Item,
) -> Result<Vec<Message>, ContractError> {
    check_size(spec)?;
    checksum(spec).map_err(invalid_spec)?;
    check(registry, kind, spec, false).await
}

/// Checks that a spec can be served. Returns warnings for the author, with `missing` also for references that lead nowhere.
pub(crate) async fn check(
    registry: &dyn ContractRegistry,
    kind: &Kind,
    spec: &Item,
    missing: bool,
) -> Result<Vec<Message>, ContractError> {
    let mut problems = body::check(kind, spec).err().unwrap_or_default();
    let named = match references::references(kind, spec) {
        Ok(named) => named,
        Err(wrong) => {
            // References in the body are read twice, but reported once.
            let known = problems.clone();
            problems.extend(wrong.into_iter().filter(|one| !known.contains(one)));
            Vec::new()
        }
    };
    if problems.is_empty() {
        problems = strict::check(kind, spec);
    }
    if !problems.is_empty() {
        return Err(refused(problems));
    }
    let mut warnings = served(registry, &named, missing).await?;
    let slices::Found { unknown, lacking } = slices::check(registry, kind, spec, &named).await?;
    match (unknown.is_empty(), missing) {
        (true, true) => warnings.extend(lacking.iter().map(Violation::message)),
        _ => {
            let problems: Vec<Violation> = unknown.into_iter().chain(lacking).collect();
            if !problems.is_empty() {
                return Err(refused(problems));
            }
        }
    }
    Ok(warnings)
}

/// Checks the references of a spec alone.
pub(crate) async fn check_references(
    registry: &dyn ContractRegistry,
    kind: &Kind,
    spec: &Item,
    missing: bool,
) -> Result<Vec<Message>, ContractError> {
    let named = references::references(kind, spec).map_err(refused)?;
    served(registry, &named, missing).await
}

/// Checks that references are served. Returns warnings.
async fn served(
    registry: &dyn ContractRegistry,
    named: &[Reference],
    missing: bool,
) -> Result<Vec<Message>, ContractError> {
    let found = references::look_up(registry, named).await?;
    if !missing && !found.missing.is_empty() {
        let error = references::not_served(found.missing);
        return Err(ContractError::Refused(Error { violations: in_spec(error.violations), ..error }));
    }
    Ok(found.warnings.into_iter().chain(found.missing.iter().map(Violation::message)).collect())
}

fn refused(problems: Vec<Violation>) -> ContractError {
    ContractError::Refused(Error::fields(in_spec(problems)))
}

/// Prefixes the paths of problems with `spec.`.
#[must_use]
pub fn in_spec(problems: Vec<Violation>) -> Vec<Violation> {
    let outer = |one: Violation| Violation { attribute: format!("spec.{}", one.attribute), ..one };
    problems.into_iter().map(outer).collect()
}

/// Checks the name of an author.
pub(crate) fn check_name(field: &str, name: &str) -> Result<(), Error> {
    if name.is_empty() || name.chars().count() > 128 || name.contains(char::is_control) {
        return Err(Error::fields(vec![violation(field, message!(specs::AUTHOR))]));
    }
    Ok(())
}

/// Checks the reason of an exception.
pub(crate) fn check_reason(allowed: &Allowed) -> Result<(), Error> {
    let is_reason = |text: &String| {
        !text.trim().is_empty() && text.chars().count() <= 256 && !text.contains(char::is_control)
    };
    match &allowed.incompatible {
        Some(reason) if !is_reason(reason) => {
            Err(Error::fields(vec![violation("override", message!(specs::REASON))]))
        }
        _ => Ok(()),
    }
}

fn check_size(spec: &Item) -> Result<(), Error> {
    let (size, max) = (item_size(spec), MAX_ITEM - RESERVED);
    if size > max {
        return Err(Error::invalid(ContractCode::SpecTooLarge, message!(specs::TOO_LARGE, size, max)));
    }
    // The same check and message as in the store, for all registries and dry runs.
    if levels(spec) > MAX_DEPTH {
        return Err(Error::invalid(CoreCode::TooDeep, message!(items::TOO_DEEP, "spec", MAX_DEPTH)));
    }
    Ok(())
}

/// The maximum nesting depth of an item.
const MAX_DEPTH: usize = 32;

/// The nesting depth of a map, including the innermost values.
fn levels(map: &Item) -> usize {
    fn of(value: &Value) -> usize {
        match value {
            Value::M(map) => levels(map),
            Value::L(values) => 1 + values.iter().map(of).max().unwrap_or_default(),
            _ => 1,
        }
    }
    1 + map.values().map(of).max().unwrap_or_default()
}

pub(crate) fn invalid_spec(problem: Message) -> Error {
    Error::invalid(ContractCode::InvalidSpec, problem)
}
