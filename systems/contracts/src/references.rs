//! What a spec names: other contracts, in the versions that will do.

use std::fmt;
use std::sync::Arc;

use hansang_core::Item;
use hansang_core::validate::Violation;

use crate::{Kind, Wanted};

mod check;
mod find;
mod names;
mod read;

pub use check::check;
pub(crate) use find::is_contract;
pub(crate) use read::read_reference;

/// A contract that a spec names. Written `{kind}:{id}:{wanted}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The kind.
    pub kind: Kind,
    /// The id.
    pub id: Arc<str>,
    /// The versions that will do.
    pub wanted: Wanted,
    /// Where it is named, such as `fanout.invertedIndex.contractRef`.
    pub path: String,
}

/// Every contract that a spec names, in the order of its members.
///
/// A contract is named by a member that is called `contractRef`, or whose name ends in `Ref` or `Refs`. It is
/// written as a map of `id` and `version` (and `kind`, where the member's name does not tell), or as a text:
/// `KIND:id:version` or `id@version`. In a rule set, so can be each of the `joins` and `indexes`.
///
/// # Errors
/// Everything that is meant to name a contract and does not, each with its place in the spec.
pub fn references(kind: &Kind, spec: &Item) -> Result<Vec<Reference>, Vec<Violation>> {
    find::find(kind, spec)
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.kind, self.id, self.wanted)
    }
}
