//! Registering a version: once, for good.

use hansang_core::validate::{Violation, violation};
use hansang_core::value::item_size;
use hansang_core::write::MAX_ITEM;
use hansang_core::{Error, Item, Value};

use crate::checksum::{checksum, same_checksum};
use crate::registry::{NewContract, Saved};
use crate::{ContractError, ContractRegistry, Header, Kind, Status, body, references};

/// A version that is registered now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// What is known of it.
    pub header: Header,
    /// Whether this made it; it was there with the same content otherwise.
    pub created: bool,
    /// What its author should know.
    pub warnings: Vec<String>,
}

/// What an item needs besides the spec, and more.
const REST: usize = 8 * 1024;

/// Registers a version. The same content again changes nothing and succeeds; another spec for a version
/// that is there is refused.
///
/// A draft may be unfinished; whatever is to be served must make sense, and so must what it names.
///
/// # Errors
/// Everything that is wrong with the spec; a contract that it names and that is not served; another
/// content of this version; an outage, after which it can be done again.
pub async fn register(
    registry: &dyn ContractRegistry,
    new: NewContract,
) -> Result<Registered, ContractError> {
    check_name("createdBy", &new.created_by)?;
    check_size(&new.spec)?;
    let checksum = checksum(&new.spec).map_err(invalid_spec)?;
    let warnings = match new.status {
        Status::Draft => Vec::new(),
        Status::Active | Status::Deprecated => check(registry, &new.reference.kind, &new.spec).await?,
    };
    match registry.save(&new).await? {
        Saved::New(header) => Ok(Registered { header, created: true, warnings }),
        Saved::Existing(header) if same_checksum(&header.checksum, &checksum) => {
            Ok(Registered { header, created: false, warnings })
        }
        Saved::Existing(_) => {
            let message =
                format!("{} is registered with another spec: give this one a new version", new.reference);
            Err(ContractError::Refused(Error::conflict("version_exists", message)))
        }
    }
}

/// Whether a spec of this kind could be served, without registering it. Gives what its author should know.
///
/// # Errors
/// Everything that is wrong with the spec; a contract that it names and that is not served; an outage.
pub async fn check_spec(
    registry: &dyn ContractRegistry,
    kind: &Kind,
    spec: &Item,
) -> Result<Vec<String>, ContractError> {
    check_size(spec)?;
    checksum(spec).map_err(invalid_spec)?;
    check(registry, kind, spec).await
}

/// What a spec needs before it is served. Gives what its author should know.
pub(crate) async fn check(
    registry: &dyn ContractRegistry,
    kind: &Kind,
    spec: &Item,
) -> Result<Vec<String>, ContractError> {
    let mut problems = body::check(kind, spec).err().unwrap_or_default();
    let named = match references::references(kind, spec) {
        Ok(named) => named,
        Err(wrong) => {
            // What a body names is read twice, and what is wrong with it is told once.
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

/// Problems inside a spec, seen from the whole contract.
#[must_use]
pub fn in_spec(problems: Vec<Violation>) -> Vec<Violation> {
    let outer = |one: Violation| Violation { attribute: format!("spec.{}", one.attribute), ..one };
    problems.into_iter().map(outer).collect()
}

/// Who does something must be named.
pub(crate) fn check_name(field: &str, name: &str) -> Result<(), Error> {
    if name.is_empty() || name.chars().count() > 128 || name.contains(char::is_control) {
        return Err(Error::fields(vec![violation(field, "must name somebody, with 1 to 128 letters")]));
    }
    Ok(())
}

fn check_size(spec: &Item) -> Result<(), Error> {
    let (size, most) = (item_size(spec), MAX_ITEM - REST);
    if size > most {
        let message = format!("the spec has {size} bytes; {most} fit into an item: split it");
        return Err(Error::invalid("spec_too_large", message));
    }
    // The store says so too, in these words; here it is said of every registry, and of a dry run.
    if levels(spec) > DEEPEST {
        let message = format!("`spec` nests more than {DEEPEST} levels deep");
        return Err(Error::invalid("too_deep", message));
    }
    Ok(())
}

/// The levels that an item may have.
const DEEPEST: usize = 32;

/// The levels of a map, the innermost values included.
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

fn invalid_spec(problem: String) -> Error {
    Error::invalid("invalid_spec", problem)
}
