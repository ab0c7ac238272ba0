//! The audit: everything is read and checked, and every failure is told.

use crate::{ContractError, ContractRegistry};

/// What an audit found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// How many versions were checked, the failures included.
    pub checked: u64,
    /// What cannot be trusted.
    pub failures: Vec<Failure>,
}

/// Something that is stored and cannot be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where it is: a key, or a file.
    pub place: String,
    /// What is wrong with it.
    pub error: ContractError,
}

/// Checks everything that is stored. Tells how far it is after every page.
///
/// # Errors
/// An outage, after which nobody knows about the rest.
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
                Err(error) => audit.failures.push(Failure { place: found.place, error }),
            }
        }
        progress(&audit);
        match page.next {
            Some(next) => from = Some(next),
            None => return Ok(audit),
        }
    }
}
