//! The latest version in SemVer order.

use std::sync::Arc;

use hansang_core::{Error, message};
use semver::Version;

use crate::messages::errors;
use crate::{Contract, ContractCode, ContractError, ContractRegistry, Kind, Status, Wanted};

/// Returns the highest active version, optionally within a range. Pre-releases count only if they are asked for, or if the
/// range names one.
///
/// # Errors
/// If there is none, or [`ContractRegistry::fetch`] fails.
pub async fn latest(
    registry: &dyn ContractRegistry,
    kind: &Kind,
    id: &str,
    wanted: Option<&Wanted>,
    pre_releases: bool,
) -> Result<Arc<Contract>, ContractError> {
    let is_allowed = |version: &Version| match wanted {
        None => pre_releases || version.pre.is_empty(),
        Some(wanted) => wanted.allows(version) || (pre_releases && wanted.allows_before(version)),
    };
    let versions = registry.versions(kind, id).await?;
    let mut active = versions.into_iter().filter(|header| header.status == Status::Active);
    let newest = active.rfind(|header| is_allowed(&header.reference.version));
    let Some(newest) = newest else {
        let kind = kind.as_str();
        let message = match wanted {
            None => message!(errors::NO_ACTIVE_VERSION, kind, id),
            Some(wanted) => message!(errors::NO_ACTIVE_VERSION_WITHIN, kind, id, wanted.to_string()),
        };
        return Err(ContractError::Refused(Error::not_found(ContractCode::NoActiveVersion, message)));
    };
    registry.fetch(&newest.reference).await
}
