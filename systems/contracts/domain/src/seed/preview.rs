//! A registry for dry runs, which keeps saved versions in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use hansang_core::{Error, message};

use crate::checksum::checksum;
use crate::messages::errors;
use crate::register::invalid_spec;
use crate::registry::{Headers, ListAsk, NewContract, Referrer, Saved, Walked};
use crate::{
    Act, CompatibilityRule, Contract, ContractCode, ContractError, ContractRef, ContractRegistry, Header,
    Kind, RuleScope, Status, StatusChange,
};

/// A registry that keeps new versions in memory, so that a dry run takes the steps of a real one.
#[derive(Debug)]
pub(super) struct Preview<'r> {
    real: &'r dyn ContractRegistry,
    added: Mutex<BTreeMap<ContractRef, Arc<Contract>>>,
}

impl<'r> Preview<'r> {
    pub(super) fn new(real: &'r dyn ContractRegistry) -> Self {
        Self { real, added: Mutex::default() }
    }

    fn added(&self) -> MutexGuard<'_, BTreeMap<ContractRef, Arc<Contract>>> {
        self.added.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl ContractRegistry for Preview<'_> {
    async fn fetch(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        let added = self.added().get(reference).cloned();
        match added {
            Some(contract) => Ok(contract),
            None => self.real.fetch(reference).await,
        }
    }

    async fn versions(&self, kind: &Kind, id: &str) -> Result<Vec<Header>, ContractError> {
        let mut headers = self.real.versions(kind, id).await?;
        let added = self.added();
        let ours = added.values().map(|contract| &contract.header);
        headers.extend(ours.filter(|one| one.reference.kind == *kind && &*one.reference.id == id).cloned());
        headers.sort_by(|one, other| one.reference.version.cmp(&other.reference.version));
        Ok(headers)
    }

    async fn list(&self, kind: &Kind, ask: &ListAsk) -> Result<Headers, ContractError> {
        self.real.list(kind, ask).await
    }

    async fn kinds(&self) -> Result<Vec<Kind>, ContractError> {
        self.real.kinds().await
    }

    async fn referrers(&self, kind: &Kind, id: &str) -> Result<Vec<Referrer>, ContractError> {
        self.real.referrers(kind, id).await
    }

    async fn walk(&self, from: Option<&str>) -> Result<Walked, ContractError> {
        self.real.walk(from).await
    }

    async fn history(&self, reference: &ContractRef) -> Result<Vec<StatusChange>, ContractError> {
        self.real.history(reference).await
    }

    async fn rule(&self, scope: &RuleScope) -> Result<Option<CompatibilityRule>, ContractError> {
        self.real.rule(scope).await
    }

    async fn set_rule(&self, _: &RuleScope, _: Option<CompatibilityRule>) -> Result<(), ContractError> {
        Err(Error::internal(ContractCode::OnlyAPreview, message!(errors::DRY_RUN)).into())
    }

    async fn save(&self, new: &NewContract) -> Result<Saved, ContractError> {
        match self.fetch(&new.reference).await {
            Ok(found) => return Ok(Saved::Existing(found.header.clone())),
            Err(ContractError::NotFound(_)) => {}
            Err(other) => return Err(other),
        }
        let header = Header {
            reference: new.reference.clone(),
            status: new.status,
            checksum: checksum(&new.spec).map_err(invalid_spec)?,
            created_at: None,
            created_by: Some(new.created_by.clone()),
            status_changed: None,
        };
        let contract = Arc::new(Contract::checked(header.clone(), new.spec.clone())?);
        self.added().insert(new.reference.clone(), contract);
        Ok(Saved::New(header))
    }

    async fn set_status(
        &self,
        _: &ContractRef,
        _: Status,
        _: Status,
        _: &Act,
    ) -> Result<Header, ContractError> {
        Err(Error::internal(ContractCode::OnlyAPreview, message!(errors::DRY_RUN)).into())
    }
}
