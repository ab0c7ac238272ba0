//! The latest version in SemVer order.

use std::sync::Arc;

use hansang_core::Error;

use crate::{Contract, ContractError, ContractRegistry, Kind, Status, Wanted};

/// Returns the highest active version, optionally within a range.
///
/// # Errors
/// If there is none, or [`ContractRegistry::fetch`] fails.
pub async fn latest(
    registry: &dyn ContractRegistry,
    kind: &Kind,
    id: &str,
    wanted: Option<&Wanted>,
) -> Result<Arc<Contract>, ContractError> {
    let is_allowed = |version: &semver::Version| wanted.is_none_or(|wanted| wanted.allows(version));
    let versions = registry.versions(kind, id).await?;
    let mut active = versions.into_iter().filter(|header| header.status == Status::Active);
    let newest = active.rfind(|header| is_allowed(&header.reference.version));
    let Some(newest) = newest else {
        let within = wanted.map(|wanted| format!(" within {wanted}")).unwrap_or_default();
        let message = format!("{kind}:{id} has no active version{within}");
        return Err(ContractError::Refused(Error::not_found("no_active_version", message)));
    };
    registry.fetch(&newest.reference).await
}
