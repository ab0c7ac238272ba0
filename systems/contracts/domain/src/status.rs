//! Changes the status of a version.

use hansang_core::plan::Reason;
use hansang_core::{Message, message};

use crate::messages::errors;
use crate::register::{check, check_name, check_reason, check_references};
use crate::rule::check_rule;
use crate::{Act, Allowed, ContractError, ContractRef, ContractRegistry, Header, Status};

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
    activate(registry, reference, Status::Draft, act.into()).await
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
    let ready = check_activation(registry, reference, Status::Draft, allowed).await?;
    Ok(ready.warnings())
}

/// Checks a restoration without doing it. Returns its warnings.
///
/// # Errors
/// Like [`restore`].
pub async fn check_restoration(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    allowed: &Allowed,
) -> Result<Vec<Message>, ContractError> {
    let ready = check_activation(registry, reference, Status::Deprecated, allowed).await?;
    Ok(ready.warnings())
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
    activate(registry, reference, Status::Deprecated, act.into()).await
}

/// A version that may become active.
struct Ready {
    warnings: Vec<Message>,
    /// The warning that its compatibility rule was overridden.
    overridden: Option<Message>,
}

impl Ready {
    fn warnings(self) -> Vec<Message> {
        self.warnings.into_iter().chain(self.overridden).collect()
    }
}

/// Checks that a version has a status, and may become active. The spec of a draft follows the rules for new ones.
async fn check_activation(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    from: Status,
    allowed: &Allowed,
) -> Result<Ready, ContractError> {
    check_reason(allowed)?;
    let contract = registry.fetch(reference).await?;
    if contract.header.status != from {
        return Err(ContractError::Refused(wrong_state(&[from], Status::Active).error()));
    }
    let warnings = match from {
        Status::Draft => check(registry, &reference.kind, &contract.spec, allowed.missing).await?,
        _ => check_references(registry, &reference.kind, &contract.spec, allowed.missing).await?,
    };
    let reason = allowed.incompatible.as_deref();
    let overridden = check_rule(registry, reference, &contract.spec, reason).await?;
    Ok(Ready { warnings, overridden })
}

/// Makes a version active. Only a reason that was needed is recorded.
async fn activate(
    registry: &dyn ContractRegistry,
    reference: &ContractRef,
    from: Status,
    act: Act,
) -> Result<Moved, ContractError> {
    check_name("by", &act.by)?;
    let ready = check_activation(registry, reference, from, &act.allowed).await?;
    let incompatible = act.allowed.incompatible.filter(|_| ready.overridden.is_some());
    let act = Act { allowed: Allowed { incompatible, ..act.allowed }, ..act };
    let header = registry.set_status(reference, from, Status::Active, &act).await?;
    Ok(Moved { header, warnings: ready.warnings() })
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
