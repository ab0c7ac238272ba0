//! The port: what every registry of contracts can do, wherever its contracts are.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use hansang_core::{Error, Item};
use semver::Version;

use crate::body::{
    Body, ChangeSet, EntitySchema, InvertedIndex, JoinSpec, RuleSet, SinkRule, ViewDefinition,
};
use crate::{Contract, ContractError, ContractRef, Header, Kind, Known, Status, contract_id};

/// A registry of contracts.
///
/// It is fail-closed: what it cannot read, or cannot trust, is an error of its own, and never "not found"
/// and never something else in its place. Versions are immutable; only their status moves.
#[async_trait]
pub trait ContractRegistry: fmt::Debug + Send + Sync {
    /// One version, whatever its status: found, decoded, and its checksum checked, in this order.
    async fn fetch(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError>;

    /// All versions of a contract, in the order of SemVer; none if there is no such contract. Sees every
    /// write that was acknowledged before.
    async fn versions(&self, kind: &Kind, id: &str) -> Result<Vec<Header>, ContractError>;

    /// The versions of a kind, with one status or any, a page at a time, in no particular order.
    async fn list(&self, kind: &Kind, ask: &ListAsk) -> Result<Headers, ContractError>;

    /// The kinds of which there are contracts, in the order of their names.
    async fn kinds(&self) -> Result<Vec<Kind>, ContractError>;

    /// The versions whose specs name this contract.
    async fn referrers(&self, kind: &Kind, id: &str) -> Result<Vec<Referrer>, ContractError>;

    /// Everything there is, what cannot be read included, a page at a time: for audits and comparisons.
    async fn walk(&self, from: Option<&str>) -> Result<Walked, ContractError>;

    /// Stores a new version, which was checked by [`crate::register()`]. What is there already stays.
    async fn save(&self, new: &NewContract) -> Result<Saved, ContractError>;

    /// Moves a version from one status to another, if it still has the first.
    async fn set_status(
        &self,
        reference: &ContractRef,
        from: Status,
        to: Status,
        by: &str,
    ) -> Result<Header, ContractError>;

    /// One version for a runtime: no drafts, and a warning in the log for what is deprecated.
    async fn load(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        served(self.fetch(reference).await?)
    }

    /// A change set.
    async fn load_change_set(&self, id: &str, version: &Version) -> Result<Arc<ChangeSet>, ContractError> {
        match &self.load(&named(Known::ChangeSet, id, version)?).await?.body() {
            Body::ChangeSet(body) => Ok(body.clone()),
            _ => Err(not_decoded()),
        }
    }

    /// A join spec.
    async fn load_join_spec(&self, id: &str, version: &Version) -> Result<Arc<JoinSpec>, ContractError> {
        match &self.load(&named(Known::JoinSpec, id, version)?).await?.body() {
            Body::JoinSpec(body) => Ok(body.clone()),
            _ => Err(not_decoded()),
        }
    }

    /// An inverted index.
    async fn load_inverted_index(
        &self,
        id: &str,
        version: &Version,
    ) -> Result<Arc<InvertedIndex>, ContractError> {
        match &self.load(&named(Known::InvertedIndex, id, version)?).await?.body() {
            Body::InvertedIndex(body) => Ok(body.clone()),
            _ => Err(not_decoded()),
        }
    }

    /// A rule set.
    async fn load_rule_set(&self, id: &str, version: &Version) -> Result<Arc<RuleSet>, ContractError> {
        match &self.load(&named(Known::RuleSet, id, version)?).await?.body() {
            Body::RuleSet(body) => Ok(body.clone()),
            _ => Err(not_decoded()),
        }
    }

    /// A view definition.
    async fn load_view_definition(
        &self,
        id: &str,
        version: &Version,
    ) -> Result<Arc<ViewDefinition>, ContractError> {
        match &self.load(&named(Known::ViewDefinition, id, version)?).await?.body() {
            Body::ViewDefinition(body) => Ok(body.clone()),
            _ => Err(not_decoded()),
        }
    }

    /// The schema of an entity.
    async fn load_entity_schema(
        &self,
        id: &str,
        version: &Version,
    ) -> Result<Arc<EntitySchema>, ContractError> {
        match &self.load(&named(Known::EntitySchema, id, version)?).await?.body() {
            Body::EntitySchema(body) => Ok(body.clone()),
            _ => Err(not_decoded()),
        }
    }

    /// A rule for a sink.
    async fn load_sink_rule(&self, id: &str, version: &Version) -> Result<Arc<SinkRule>, ContractError> {
        match &self.load(&named(Known::SinkRule, id, version)?).await?.body() {
            Body::SinkRule(body) => Ok(body.clone()),
            _ => Err(not_decoded()),
        }
    }
}

/// Which page of a list.
#[derive(Clone, Debug, Default)]
pub struct ListAsk {
    /// The status, if not any.
    pub status: Option<Status>,
    /// The most versions of the page.
    pub limit: Option<u32>,
    /// The page, if not the first: [`Headers::next`] of the one before.
    pub cursor: Option<String>,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headers {
    /// The versions.
    pub headers: Vec<Header>,
    /// Where the next page starts, if there is one.
    pub next: Option<String>,
}

/// A version that names a contract.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Referrer {
    /// Who names it.
    pub from: ContractRef,
    /// The versions that will do, as they are written there.
    pub wanted: Vec<String>,
}

/// A page of everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Walked {
    /// What was found.
    pub found: Vec<Found>,
    /// Where the next page starts, if there is one.
    pub next: Option<String>,
}

/// Something that is stored, whether it can be trusted or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Where it is: a key, or a file.
    pub place: String,
    /// What it is, or why it is not given out.
    pub contract: Result<Arc<Contract>, ContractError>,
}

/// A version that is to be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct NewContract {
    /// Which version of which contract.
    pub reference: ContractRef,
    /// Its first status.
    pub status: Status,
    /// What it says.
    pub spec: Item,
    /// Who registers it.
    pub created_by: String,
}

/// What became of a version that was to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    /// It was stored.
    New(Header),
    /// There is such a version already, with this content or another: its checksum tells.
    Existing(Header),
}

/// What a runtime may be given.
pub(crate) fn served(contract: Arc<Contract>) -> Result<Arc<Contract>, ContractError> {
    let reference = &contract.header.reference;
    match contract.header.status {
        Status::Active => Ok(contract),
        Status::Deprecated => {
            tracing::warn!(%reference, "a deprecated contract was loaded");
            Ok(contract)
        }
        Status::Draft => {
            let message =
                format!("the contract {reference} is a draft: promote it, or ask for drafts by name");
            Err(ContractError::Refused(Error::not_found("contract_is_draft", message)))
        }
    }
}

fn named(kind: Known, id: &str, version: &Version) -> Result<ContractRef, ContractError> {
    Ok(ContractRef { kind: kind.into(), id: contract_id(id)?, version: version.clone() })
}

/// Only drafts go undecoded, and they are not served.
fn not_decoded() -> ContractError {
    ContractError::Refused(Error::internal("not_decoded", "a contract was served that was not decoded"))
}
