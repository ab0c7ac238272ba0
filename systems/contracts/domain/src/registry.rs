//! The port of contract registries.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use hansang_core::{Error, Item, message};
use semver::Version;

use crate::body::{
    Body, ChangeSet, EntitySchema, InvertedIndex, JoinSpec, RuleSet, SinkRule, ViewDefinition,
};
use crate::messages::errors;
use crate::{
    Act, Allowed, CompatibilityRule, Contract, ContractCode, ContractError, ContractRef, Header, Kind, Known,
    RuleScope, Status, StatusChange, contract_id,
};

/// A registry of contracts.
///
/// It is fail-closed: a version that cannot be read or trusted is an error of its own, never "not found". Versions are
/// immutable; only their status changes.
#[async_trait]
pub trait ContractRegistry: fmt::Debug + Send + Sync {
    /// Returns a version of any status, decoded and with its checksum verified, in this order.
    async fn fetch(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError>;

    /// Like [`ContractRegistry::fetch`], as the version is stored now: a cache passes this on.
    async fn fetch_stored(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        self.fetch(reference).await
    }

    /// Returns all versions of a contract in SemVer order; none if it does not exist. A strong read.
    async fn versions(&self, kind: &Kind, id: &str) -> Result<Vec<Header>, ContractError>;

    /// Returns a page of the versions of a kind, in no particular order, optionally with one status.
    async fn list(&self, kind: &Kind, ask: &ListAsk) -> Result<Headers, ContractError>;

    /// Returns the kinds that have contracts, sorted.
    async fn kinds(&self) -> Result<Vec<Kind>, ContractError>;

    /// Returns the versions whose specs refer to this contract.
    async fn referrers(&self, kind: &Kind, id: &str) -> Result<Vec<Referrer>, ContractError>;

    /// Returns a page of all stored versions, including unreadable ones, for audits and comparisons.
    async fn walk(&self, from: Option<&str>) -> Result<Walked, ContractError>;

    /// Returns the status changes of a version, oldest first.
    async fn history(&self, reference: &ContractRef) -> Result<Vec<StatusChange>, ContractError>;

    /// Returns the compatibility rule that is set here, if there is one.
    async fn rule(&self, scope: &RuleScope) -> Result<Option<CompatibilityRule>, ContractError>;

    /// Sets the compatibility rule of everything, of a kind or of a contract that exists; `None` removes it.
    async fn set_rule(&self, scope: &RuleScope, rule: Option<CompatibilityRule>)
    -> Result<(), ContractError>;

    /// Stores a new version that [`crate::register()`] has checked. An existing version stays unchanged.
    async fn save(&self, new: &NewContract) -> Result<Saved, ContractError>;

    /// Changes the status of a version, if it still has the status `from`, and adds the change to its history.
    async fn set_status(
        &self,
        reference: &ContractRef,
        from: Status,
        to: Status,
        act: &Act,
    ) -> Result<Header, ContractError>;

    /// Returns a version for a runtime: rejects drafts and logs a warning for deprecated versions.
    async fn load(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        served(self.fetch(reference).await?)
    }

    /// Loads a change set.
    async fn load_change_set(&self, id: &str, version: &Version) -> Result<Arc<ChangeSet>, ContractError> {
        let contract = self.load(&named(Known::ChangeSet, id, version)?).await?;
        match contract.body() {
            Body::ChangeSet(body) => Ok(body.clone()),
            _ => Err(not_decoded(&contract)),
        }
    }

    /// Loads a join spec.
    async fn load_join_spec(&self, id: &str, version: &Version) -> Result<Arc<JoinSpec>, ContractError> {
        let contract = self.load(&named(Known::JoinSpec, id, version)?).await?;
        match contract.body() {
            Body::JoinSpec(body) => Ok(body.clone()),
            _ => Err(not_decoded(&contract)),
        }
    }

    /// Loads an inverted index.
    async fn load_inverted_index(
        &self,
        id: &str,
        version: &Version,
    ) -> Result<Arc<InvertedIndex>, ContractError> {
        let contract = self.load(&named(Known::InvertedIndex, id, version)?).await?;
        match contract.body() {
            Body::InvertedIndex(body) => Ok(body.clone()),
            _ => Err(not_decoded(&contract)),
        }
    }

    /// Loads a rule set.
    async fn load_rule_set(&self, id: &str, version: &Version) -> Result<Arc<RuleSet>, ContractError> {
        let contract = self.load(&named(Known::RuleSet, id, version)?).await?;
        match contract.body() {
            Body::RuleSet(body) => Ok(body.clone()),
            _ => Err(not_decoded(&contract)),
        }
    }

    /// Loads a view definition.
    async fn load_view_definition(
        &self,
        id: &str,
        version: &Version,
    ) -> Result<Arc<ViewDefinition>, ContractError> {
        let contract = self.load(&named(Known::ViewDefinition, id, version)?).await?;
        match contract.body() {
            Body::ViewDefinition(body) => Ok(body.clone()),
            _ => Err(not_decoded(&contract)),
        }
    }

    /// Loads an entity schema.
    async fn load_entity_schema(
        &self,
        id: &str,
        version: &Version,
    ) -> Result<Arc<EntitySchema>, ContractError> {
        let contract = self.load(&named(Known::EntitySchema, id, version)?).await?;
        match contract.body() {
            Body::EntitySchema(body) => Ok(body.clone()),
            _ => Err(not_decoded(&contract)),
        }
    }

    /// Loads a sink rule.
    async fn load_sink_rule(&self, id: &str, version: &Version) -> Result<Arc<SinkRule>, ContractError> {
        let contract = self.load(&named(Known::SinkRule, id, version)?).await?;
        match contract.body() {
            Body::SinkRule(body) => Ok(body.clone()),
            _ => Err(not_decoded(&contract)),
        }
    }
}

/// The options of a list.
#[derive(Clone, Debug, Default)]
pub struct ListAsk {
    /// The status to filter by.
    pub status: Option<Status>,
    /// The page size.
    pub limit: Option<u32>,
    /// The cursor: [`Headers::next`] of the previous page.
    pub cursor: Option<String>,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headers {
    /// The versions.
    pub headers: Vec<Header>,
    /// The versions of the page that cannot be read, each with its error.
    pub unreadable: Vec<ContractError>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// A version that refers to a contract.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Referrer {
    /// The version.
    pub from: ContractRef,
    /// The versions and ranges that it accepts, as text.
    pub wanted: Vec<String>,
}

/// A page of stored versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Walked {
    /// The stored versions.
    pub found: Vec<Found>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// A stored version, readable or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Its key or file.
    pub location: String,
    /// The version, or the reason that it cannot be returned.
    pub contract: Result<Arc<Contract>, ContractError>,
}

/// A version to be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct NewContract {
    /// The name of the version.
    pub reference: ContractRef,
    /// The initial status.
    pub status: Status,
    /// The spec.
    pub spec: Item,
    /// The author.
    pub created_by: String,
    /// The exceptions from its checks.
    pub allowed: Allowed,
}

/// The result of [`ContractRegistry::save`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    /// The version was stored.
    New(Header),
    /// The version exists, with the same or another checksum.
    Existing(Header),
}

/// Rejects drafts, and logs a warning for deprecated versions.
pub(crate) fn served(contract: Arc<Contract>) -> Result<Arc<Contract>, ContractError> {
    let reference = &contract.header.reference;
    match contract.header.status {
        Status::Active => Ok(contract),
        Status::Deprecated => {
            tracing::warn!(%reference, "deprecated contract loaded");
            Ok(contract)
        }
        Status::Draft => {
            let message = message!(errors::DRAFT, reference.to_string());
            Err(ContractError::Refused(Error::not_found(ContractCode::ContractIsDraft, message)))
        }
    }
}

fn named(kind: Known, id: &str, version: &Version) -> Result<ContractRef, ContractError> {
    Ok(ContractRef { kind: kind.into(), id: contract_id(id)?, version: version.clone() })
}

/// Only drafts are not decoded, which are not served, and versions from before their kind was known.
fn not_decoded(contract: &Contract) -> ContractError {
    let reference = contract.header.reference.clone();
    ContractError::Corrupted { reference, reason: message!(errors::NOT_DECODED) }
}
