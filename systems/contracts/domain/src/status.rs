//! The status of a version moves; what it says stays.

use hansang_core::plan::Reason;

use crate::register::{check, check_name};
use crate::{Contract, ContractError, ContractRef, ContractRegistry, Header, Status};

/// A version after its status moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// What is known of it now.
    pub header: Header,
    /// What whoever moved it should know.
    pub warnings: Vec<String>,
}

/// Serves a draft from now on, if its spec and what it names are right.
///
/// # Errors
/// That it is no draft; everything that is wrong with it; an outage.
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

/// What a promotion would say, without doing it.
///
/// # Errors
/// As [`promote`].
pub async fn check_promotion(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
) -> Result<Vec<String>, ContractError> {
    checked(registry, reference, Status::Draft).await
}

/// Serves a version with a warning from now on.
///
/// # Errors
/// That it is not active; an outage.
pub async fn deprecate(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    by: &str,
) -> Result<Moved, ContractError> {
    check_name("by", by)?;
    // Before the move: what fails behind it would hide that it was made.
    let referrers = registry.referrers(&reference.kind, &reference.id).await?;
    let header = registry.set_status(reference, Status::Active, Status::Deprecated, by).await?;
    let wants =
        |wanted: &String| wanted.parse::<crate::Wanted>().is_ok_and(|one| one.allows(&reference.version));
    let named = referrers.iter().filter(|referrer| referrer.wanted.iter().any(wants));
    let warnings = named.map(|referrer| format!("{} names this version", referrer.from)).collect();
    Ok(Moved { header, warnings })
}

/// Serves a deprecated version without a warning again, if what it names is still served.
///
/// # Errors
/// That it is not deprecated; everything that is wrong with it; an outage.
pub async fn restore(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    by: &str,
) -> Result<Moved, ContractError> {
    check_name("by", by)?;
    let warnings = checked(registry, reference, Status::Deprecated).await?;
    let header = registry.set_status(reference, Status::Deprecated, Status::Active, by).await?;
    Ok(Moved { header, warnings })
}

/// What must hold before a version with this status becomes active.
async fn checked(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    from: Status,
) -> Result<Vec<String>, ContractError> {
    let contract = registry.fetch(reference).await?;
    let Contract { header, spec, .. } = &*contract;
    if header.status != from {
        return Err(ContractError::Refused(wrong_state(&[from], Status::Active).error()));
    }
    check(registry, &reference.kind, spec).await
}

/// What it means that a version has none of the statuses from which it can move: the same words in every
/// registry.
pub(crate) fn wrong_state(from: &[Status], to: Status) -> Reason {
    Reason::State {
        entity: "Contract".into(),
        attribute: "status".into(),
        from: from.iter().map(|status| status.name().into()).collect(),
        to: to.name().to_owned(),
    }
}
