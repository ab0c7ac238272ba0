//! Changes the status of a version.

use std::sync::Arc;

use hansang_core::plan::Reason;
use hansang_core::{Message, message};

use crate::messages::errors;
use crate::register::{check, check_name};
use crate::rule::check_rule;
use crate::{Contract, ContractError, ContractRef, ContractRegistry, Header, Status};

/// A version after a change of its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The new header.
    pub header: Header,
    /// Warnings for the author.
    pub warnings: Vec<Message>,
}

/// Makes a draft active, if its spec is valid, its references are served, and the compatibility rule of its kind allows
/// its changes.
///
/// # Errors
/// If it is not a draft, is invalid or incompatible, or the registry is unavailable.
pub async fn promote(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    by: &str,
) -> Result<Moved, ContractError> {
    check_name("by", by)?;
    let warnings = check_promotion(registry, reference).await?;
    let header = registry.set_status(reference, Status::Draft, Status::Active, by).await?;
    Ok(Moved { header, warnings })
}

/// Checks a promotion without doing it. Returns its warnings.
///
/// # Errors
/// Like [`promote`].
pub async fn check_promotion(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
) -> Result<Vec<Message>, ContractError> {
    let (contract, warnings) = checked(registry, reference, Status::Draft).await?;
    check_rule(registry, reference, &contract.spec).await?;
    Ok(warnings)
}

/// Deprecates an active version.
///
/// # Errors
/// If it is not active, or the registry is unavailable.
pub async fn deprecate(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    by: &str,
) -> Result<Moved, ContractError> {
    check_name("by", by)?;
    // Before the change: a failure afterwards would hide that it was made.
    let referrers = registry.referrers(&reference.kind, &reference.id).await?;
    let header = registry.set_status(reference, Status::Active, Status::Deprecated, by).await?;
    let wants =
        |wanted: &String| wanted.parse::<crate::Wanted>().is_ok_and(|one| one.allows(&reference.version));
    let named = referrers.iter().filter(|referrer| referrer.wanted.iter().any(wants));
    let warnings = named.map(|referrer| message!(errors::REFERRER, referrer.from.to_string())).collect();
    Ok(Moved { header, warnings })
}

/// Makes a deprecated version active again, if its references are still served.
///
/// # Errors
/// If it is not deprecated, is invalid, or the registry is unavailable.
pub async fn restore(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    by: &str,
) -> Result<Moved, ContractError> {
    check_name("by", by)?;
    let (_, warnings) = checked(registry, reference, Status::Deprecated).await?;
    let header = registry.set_status(reference, Status::Deprecated, Status::Active, by).await?;
    Ok(Moved { header, warnings })
}

/// Checks that a version with this status can become active.
async fn checked(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    from: Status,
) -> Result<(Arc<Contract>, Vec<Message>), ContractError> {
    let contract = registry.fetch(reference).await?;
    let Contract { header, spec, .. } = &*contract;
    if header.status != from {
        return Err(ContractError::Refused(wrong_state(&[from], Status::Active).error()));
    }
    let warnings = check(registry, &reference.kind, spec).await?;
    Ok((contract, warnings))
}

/// The reason of a failed status change, the same in every registry.
pub(crate) fn wrong_state(from: &[Status], to: Status) -> Reason {
    Reason::State {
        entity: "Contract".into(),
        attribute: "status".into(),
        from: from.iter().map(|status| status.name().into()).collect(),
        to: to.name().to_owned(),
    }
}
