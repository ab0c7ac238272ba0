//! Changes the status of a version.

use std::sync::Arc;

use hansang_core::plan::Reason;
use hansang_core::{Message, message};

use crate::messages::errors;
use crate::register::{check, check_name, check_reason, check_references};
use crate::rule::check_rule;
use crate::{Act, Allowed, Contract, ContractError, ContractRef, ContractRegistry, Header, Status};

/// A version after a change of its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The new header.
    pub header: Header,
    /// Warnings for the author.
    pub warnings: Vec<Message>,
}

/// Makes a draft active, if its spec is valid, its references are served, and its compatibility rule allows its changes.
/// [`Act::allowed`] makes exceptions.
///
/// # Errors
/// If it is not a draft, is invalid or incompatible, or the registry is unavailable.
pub async fn promote(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    act: impl Into<Act>,
) -> Result<Moved, ContractError> {
    let act = act.into();
    let contract = in_status(registry, reference, Status::Draft).await?;
    let warnings = check(registry, &reference.kind, &contract.spec, act.allowed.missing).await?;
    activate(registry, &contract, act, warnings).await
}

/// Checks a promotion without doing it. Returns its warnings.
///
/// # Errors
/// Like [`promote`].
pub async fn check_promotion(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    allowed: &Allowed,
) -> Result<Vec<Message>, ContractError> {
    check_reason(allowed)?;
    let contract = in_status(registry, reference, Status::Draft).await?;
    let mut warnings = check(registry, &reference.kind, &contract.spec, allowed.missing).await?;
    let reason = allowed.incompatible.as_deref();
    warnings.extend(check_rule(registry, reference, &contract.spec, reason).await?);
    Ok(warnings)
}

/// Deprecates an active version.
///
/// # Errors
/// If it is not active, or the registry is unavailable.
pub async fn deprecate(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    act: impl Into<Act>,
) -> Result<Moved, ContractError> {
    let act = act.into();
    check_name("by", &act.by)?;
    // Before the change: a failure afterwards would hide that it was made.
    let referrers = registry.referrers(&reference.kind, &reference.id).await?;
    let header = registry.set_status(reference, Status::Active, Status::Deprecated, &act).await?;
    let wants =
        |wanted: &String| wanted.parse::<crate::Wanted>().is_ok_and(|one| one.allows(&reference.version));
    let named = referrers.iter().filter(|referrer| referrer.wanted.iter().any(wants));
    let warnings = named.map(|referrer| message!(errors::REFERRER, referrer.from.to_string())).collect();
    Ok(Moved { header, warnings })
}

/// Makes a deprecated version active again, if its references are still served and its compatibility rule allows it.
/// [`Act::allowed`] makes exceptions. Its spec need not follow the rules for new ones.
///
/// # Errors
/// If it is not deprecated, is incompatible, or the registry is unavailable.
pub async fn restore(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    act: impl Into<Act>,
) -> Result<Moved, ContractError> {
    let act = act.into();
    let contract = in_status(registry, reference, Status::Deprecated).await?;
    let warnings = check_references(registry, &reference.kind, &contract.spec, act.allowed.missing).await?;
    activate(registry, &contract, act, warnings).await
}

/// Reads a version that must have this status to become active.
async fn in_status(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    from: Status,
) -> Result<Arc<Contract>, ContractError> {
    let contract = registry.fetch(reference).await?;
    match contract.header.status == from {
        true => Ok(contract),
        false => Err(ContractError::Refused(wrong_state(&[from], Status::Active).error())),
    }
}

/// Makes a version active, if its compatibility rule allows it. Only a reason that was needed is recorded.
async fn activate(
    registry: &dyn ContractRegistry,
    contract: &Contract,
    act: Act,
    mut warnings: Vec<Message>,
) -> Result<Moved, ContractError> {
    check_name("by", &act.by)?;
    check_reason(&act.allowed)?;
    let Header { reference, status, .. } = &contract.header;
    let reason = act.allowed.incompatible.as_deref();
    let overridden = check_rule(registry, reference, &contract.spec, reason).await?;
    let incompatible = act.allowed.incompatible.filter(|_| overridden.is_some());
    warnings.extend(overridden);
    let act = Act { allowed: Allowed { incompatible, ..act.allowed }, ..act };
    let header = registry.set_status(reference, *status, Status::Active, &act).await?;
    Ok(Moved { header, warnings })
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
