//! The audit: reads and verifies every stored version.

use crate::{ContractError, ContractRegistry};

/// The result of an audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// The number of checked versions, including failures.
    pub checked: u64,
    /// The versions that cannot be trusted.
    pub failures: Vec<Failure>,
}

/// A stored version that cannot be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its key or file.
    pub location: String,
    /// The error.
    pub error: ContractError,
}

/// Checks every stored version. Reports its progress after every page.
///
/// # Errors
/// If the registry is unavailable.
pub async fn audit(
    registry: &dyn ContractRegistry,
    progress: &mut (dyn FnMut(&Audit) + Send),
) -> Result<Audit, ContractError> {
    let mut audit = Audit::default();
    let mut from = None;
    loop {
        let page = registry.walk(from.as_deref()).await?;
        for found in page.found {
            audit.checked += 1;
            match found.contract {
                Ok(_) => {}
                Err(outage @ ContractError::Unavailable(_)) => return Err(outage),
                Err(error) => audit.failures.push(Failure { location: found.location, error }),
            }
        }
        progress(&audit);
        match page.next {
            Some(next) => from = Some(next),
            None => return Ok(audit),
        }
    }
}
