//! The latest version, by the order of SemVer.

use std::sync::Arc;

use hansang_core::Error;

use crate::{Contract, ContractError, ContractRegistry, Kind, Status, Wanted};

/// The highest version that is active, of those that will do.
///
/// # Errors
/// That there is none, and what [`ContractRegistry::fetch`] says of the one there is.
pub async fn latest(
    registry: &dyn ContractRegistry,
    kind: &Kind,
    id: &str,
    wanted: Option<&Wanted>,
) -> Result<Arc<Contract>, ContractError> {
    let will_do = |version: &semver::Version| wanted.is_none_or(|wanted| wanted.allows(version));
    let versions = registry.versions(kind, id).await?;
    let mut active = versions.into_iter().filter(|header| header.status == Status::Active);
    let newest = active.rfind(|header| will_do(&header.reference.version));
    let Some(newest) = newest else {
        let within = wanted.map(|wanted| format!(" within {wanted}")).unwrap_or_default();
        let message = format!("{kind}:{id} has no active version{within}");
        return Err(ContractError::Refused(Error::not_found("no_active_version", message)));
    };
    registry.fetch(&newest.reference).await
}
