//! Registers a version.

use hansang_core::messages::items;
use hansang_core::validate::{Violation, violation};
use hansang_core::value::item_size;
use hansang_core::write::MAX_ITEM;
use hansang_core::{CoreCode, Error, Item, Message, Value, message};

use crate::checksum::{checksum, same_checksum};
use crate::messages::{errors, specs};
use crate::registry::{NewContract, Saved};
use crate::rule::check_rule;
use crate::{ContractCode, ContractError, ContractRegistry, Header, Kind, Status, body, references};

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

/// Registers a version. Registering the same content again succeeds and changes nothing; another spec for an existing
/// version is rejected.
///
/// A draft may be unfinished; every other spec must be valid, its references must be served, and the compatibility rule of
/// its kind must allow it.
///
/// # Errors
/// If the spec is invalid, a reference is not served, the version exists with another spec, or the registry is unavailable;
/// in the last case the call can be repeated.
pub async fn register(
    registry: &dyn ContractRegistry,
    new: NewContract,
) -> Result<Registered, ContractError> {
    check_name("createdBy", &new.created_by)?;
    check_size(&new.spec)?;
    let checksum = checksum(&new.spec).map_err(invalid_spec)?;
    let warnings = match new.status {
        Status::Draft => Vec::new(),
        Status::Active | Status::Deprecated => {
            let warnings = check(registry, &new.reference.kind, &new.spec).await?;
            check_rule(registry, &new.reference, &new.spec).await?;
            warnings
        }
    };
    match registry.save(&new).await? {
        Saved::New(header) => Ok(Registered { header, created: true, warnings }),
        Saved::Existing(header) if same_checksum(&header.checksum, &checksum) => {
            Ok(Registered { header, created: false, warnings })
        }
        Saved::Existing(_) => {
            let message = message!(errors::VERSION_EXISTS, new.reference.to_string());
            Err(ContractError::Refused(Error::conflict(ContractCode::VersionExists, message)))
        }
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
    check(registry, kind, spec).await
}

/// Checks that a spec can be served. Returns warnings for the author.
pub(crate) async fn check(
    registry: &dyn ContractRegistry,
    kind: &Kind,
    spec: &Item,
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
    if !problems.is_empty() {
        return Err(ContractError::Refused(Error::fields(in_spec(problems))));
    }
    references::check(registry, &named).await.map_err(|error| match error {
        ContractError::Refused(error) => {
            ContractError::Refused(Error { violations: in_spec(error.violations), ..error })
        }
        other => other,
    })
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
