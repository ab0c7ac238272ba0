//! The compatibility rules: those of kinds are part of their items, the others have items of their own.

use hansang_core::db::{GetOptions, Operation};
use hansang_core::plan::{Change, Path};
use hansang_core::{CoreCode, Error, Item, Value, message, write};

use super::{StoreRegistry, text};
use crate::messages::errors;
use crate::{CompatibilityRule, ContractCode, ContractError, ContractRegistry as _, Kind, RuleScope};

impl StoreRegistry {
    pub(super) async fn rule_at(
        &self,
        scope: &RuleScope,
    ) -> Result<Option<CompatibilityRule>, ContractError> {
        match scope {
            RuleScope::All => self.stored_rule("GlobalRule", &Item::new()).await,
            RuleScope::Contract(kind, id) => self.stored_rule("Rule", &of_contract(kind, id)).await,
            RuleScope::Kind(kind) => {
                let own = self.stored_rule("Kind", &text("name", kind.as_str())).await?;
                if own.is_some() {
                    return Ok(own);
                }
                for spelling in self.spellings(kind).await?.iter().skip(1) {
                    if let Some(rule) = self.stored_rule("Kind", &text("name", spelling)).await? {
                        return Ok(Some(rule));
                    }
                }
                Ok(None)
            }
        }
    }

    /// The rule in an item, if it has one.
    async fn stored_rule(
        &self,
        entity: &str,
        key: &Item,
    ) -> Result<Option<CompatibilityRule>, ContractError> {
        let options = GetOptions { consistent: true, fields: None };
        match self.db.get(entity, key, &options).await? {
            Some(record) if record.text("compatibility").is_some() => Ok(Some(record.typed()?)),
            _ => Ok(None),
        }
    }

    pub(super) async fn set_rule_at(
        &self,
        scope: &RuleScope,
        rule: Option<CompatibilityRule>,
    ) -> Result<(), ContractError> {
        match scope {
            RuleScope::All => self.store_rule("GlobalRule", Item::new(), rule).await,
            RuleScope::Kind(kind) => self.set_rule_of_kind(kind, rule).await,
            RuleScope::Contract(kind, id) => {
                if self.versions(kind, id).await?.is_empty() {
                    let message = message!(errors::NO_VERSIONS, kind.as_str(), &**id);
                    return Err(Error::not_found(ContractCode::ContractNotFound, message).into());
                }
                self.store_rule("Rule", of_contract(kind, id), rule).await
            }
        }
    }

    async fn store_rule(
        &self,
        entity: &str,
        mut fields: Item,
        rule: Option<CompatibilityRule>,
    ) -> Result<(), ContractError> {
        let Some(rule) = rule else {
            return match self.db.delete(entity, fields, None).await {
                Err(error) if error.code == CoreCode::NotFound => Ok(()),
                other => Ok(other?),
            };
        };
        fields.insert("compatibility".into(), rule.mode.name().into());
        fields.insert("transitive".into(), Value::Bool(rule.transitive));
        self.db.put(entity, fields, None).await?;
        Ok(())
    }

    async fn set_rule_of_kind(
        &self,
        kind: &Kind,
        rule: Option<CompatibilityRule>,
    ) -> Result<(), ContractError> {
        let change = |name: &str, value: Option<Value>| {
            let path = Path { root: name.into(), inside: Vec::new() };
            (path, value.map_or(Change::Remove, Change::Set))
        };
        // A rule under a former spelling would count again.
        let spellings = if rule.is_none() { self.spellings(kind).await? } else { vec![kind.to_string()] };
        for spelling in spellings {
            let update = write::Update {
                key: text("name", &spelling),
                changes: vec![
                    change("compatibility", rule.map(|rule| rule.mode.name().into())),
                    change("transitive", rule.map(|rule| Value::Bool(rule.transitive))),
                ],
                expected_version: None,
            };
            let operation = Operation::Update { entity: "Kind".into(), update, guards: Vec::new() };
            match self.db.commit(vec![operation]).await.map_err(Error::from) {
                Err(error) if error.code == CoreCode::NotFound => {
                    let message = message!(errors::KIND_UNKNOWN, kind.as_str());
                    return Err(Error::not_found(ContractCode::ContractNotFound, message).into());
                }
                other => other?,
            }
        }
        Ok(())
    }
}

/// The key of a contract's rule.
fn of_contract(kind: &Kind, id: &str) -> Item {
    Item::from([("ofKind".into(), kind.as_str().into()), ("ofId".into(), id.into())])
}
