//! The registry behind a running server: an adapter of the port over its HTTP API.

use std::sync::Arc;

use async_trait::async_trait;
use hansang_contracts::messages::errors;
use hansang_contracts::{
    Act, Allowed, CompatibilityRule, Contract, ContractCode, ContractError, ContractRef, ContractRegistry,
    Header, Headers, Kind, ListAsk, NewContract, Referrer, Registered, RuleScope, Saved, Status,
    StatusChange, Walked,
};
use hansang_core::messages::items;
use hansang_core::value::json::item_to_plain;
use hansang_core::{CoreCode, Error, Item, Message, message};
use reqwest::{Method, StatusCode};
use serde_json::{Value as Json, json};

use hansang_command::{Connection, Does, Response};

mod read;
mod refused;

use refused::{lost, refused};

/// The registry of a server.
#[derive(Debug)]
pub(super) struct Remote {
    connection: Connection,
}

/// The versions that a server drops from its cache.
pub(super) enum Forget<'a> {
    Everything,
    Kind(&'a Kind),
    One(&'a ContractRef),
}

impl Remote {
    pub(super) fn new(connection: Connection) -> Self {
        Self { connection }
    }

    /// The address of the server.
    pub(super) fn address(&self) -> String {
        self.connection.url().to_string()
    }

    /// Drops versions from the server's cache. Returns their number.
    pub(super) async fn invalidate(&self, forget: &Forget<'_>) -> Result<u64, ContractError> {
        let body = match forget {
            Forget::Everything => json!({}),
            Forget::Kind(kind) => json!({ "kind": kind.as_str() }),
            Forget::One(one) => {
                json!({ "kind": one.kind.as_str(), "id": &*one.id, "version": one.version.to_string() })
            }
        };
        let answer = self.post(&["cache", "invalidate"], Some(&body), None).await?;
        answer.body["dropped"].as_u64().ok_or_else(|| self.stranger(Does::Write))
    }

    /// Registers a version for an author, which defaults to the caller.
    pub(super) async fn register(
        &self,
        (reference, status): (&ContractRef, Status),
        spec: &Item,
        created_by: Option<&str>,
        allowed: &Allowed,
    ) -> Result<Registered, ContractError> {
        let mut body = json!({
            "version": reference.version.to_string(), "status": status.name(), "spec": item_to_plain(spec),
        });
        if let Some(created_by) = created_by {
            body["createdBy"] = created_by.into();
        }
        let names = ["kinds", reference.kind.as_str(), &reference.id];
        let answer = self.send(Method::POST, &names, allowed, Some(&body), Some(reference)).await?;
        let header = read::header(&answer.body).ok_or_else(|| self.stranger(Does::Write))?;
        let created = answer.status == StatusCode::CREATED;
        let warnings = read::texts(&answer.body["warnings"]).unwrap_or_default();
        Ok(Registered { header, created, warnings: warnings.into_iter().map(Message::raw).collect() })
    }

    /// The header of a version, from the list of versions.
    async fn header(&self, reference: &ContractRef) -> Result<Header, ContractError> {
        let headers = self.versions(&reference.kind, &reference.id).await?;
        let found = headers.into_iter().find(|header| header.reference == *reference);
        found.ok_or_else(|| ContractError::NotFound(reference.clone()))
    }

    async fn get(
        &self,
        names: &[&str],
        options: &[(&str, Option<&str>)],
        about: Option<&ContractRef>,
    ) -> Result<Json, ContractError> {
        let mut url = self.connection.path(&below(names)).map_err(no_address)?;
        for (name, value) in options {
            if let Some(value) = value {
                url.query_pairs_mut().append_pair(name, value);
            }
        }
        let request = self.connection.request(Method::GET, url);
        let answer = self.connection.send(request, Does::Read).await;
        answer.map(|answer| answer.body).map_err(|unanswered| refused(unanswered, about))
    }

    async fn post(
        &self,
        names: &[&str],
        body: Option<&Json>,
        about: Option<&ContractRef>,
    ) -> Result<Response, ContractError> {
        self.send(Method::POST, names, &Allowed::default(), body, about).await
    }

    async fn send(
        &self,
        method: Method,
        names: &[&str],
        allowed: &Allowed,
        body: Option<&Json>,
        about: Option<&ContractRef>,
    ) -> Result<Response, ContractError> {
        let mut url = self.connection.path(&below(names)).map_err(no_address)?;
        if allowed.missing {
            url.query_pairs_mut().append_pair("allowMissing", "true");
        }
        if let Some(reason) = &allowed.incompatible {
            url.query_pairs_mut().append_pair("override", reason);
        }
        let mut request = self.connection.request(method, url);
        if let Some(body) = body {
            request = request.json(body);
        }
        let answer = self.connection.send(request, Does::Write).await;
        answer.map_err(|unanswered| refused(unanswered, about))
    }

    /// Reads each element of a list.
    fn items<T>(&self, body: &Json, read: impl Fn(&Json) -> Option<T>) -> Result<Vec<T>, ContractError> {
        let items = body["items"].as_array().ok_or_else(|| self.stranger(Does::Read))?;
        items.iter().map(|item| read(item).ok_or_else(|| self.stranger(Does::Read))).collect()
    }

    fn stranger(&self, does: Does) -> ContractError {
        lost(self.connection.stranger(does))
    }
}

fn below<'n>(names: &[&'n str]) -> Vec<&'n str> {
    [&["api", "contracts"], names].concat()
}

/// The path of a rule.
fn rule_path(scope: &RuleScope) -> Vec<&str> {
    match scope {
        RuleScope::All => vec!["rules"],
        RuleScope::Kind(kind) => vec!["rules", kind.as_str()],
        RuleScope::Contract(kind, id) => vec!["rules", kind.as_str(), id],
    }
}

fn no_address(name: &str) -> ContractError {
    let message = message!(errors::NOT_AN_ADDRESS, name);
    ContractError::Refused(Error::invalid(ContractCode::NotAnAddress, message))
}

#[async_trait]
impl ContractRegistry for Remote {
    /// The spec never changes, so it may come from a cache; the header comes from the list of versions.
    async fn fetch(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        let ContractRef { kind, id, version } = reference;
        let version = version.to_string();
        let names = ["kinds", kind.as_str(), id, &version];
        let body = self.get(&names, &[("draft", Some("true"))], Some(reference)).await?;
        let spec = read::spec(&body, reference).ok_or_else(|| self.stranger(Does::Read))?;
        Contract::checked(self.header(reference).await?, spec).map(Arc::new)
    }

    async fn versions(&self, kind: &Kind, id: &str) -> Result<Vec<Header>, ContractError> {
        let body = self.get(&["kinds", kind.as_str(), id], &[], None).await?;
        self.items(&body, read::header)
    }

    async fn list(&self, kind: &Kind, ask: &ListAsk) -> Result<Headers, ContractError> {
        let limit = ask.limit.map(|limit| limit.to_string());
        let options = [
            ("status", ask.status.map(Status::name)),
            ("limit", limit.as_deref()),
            ("cursor", ask.cursor.as_deref()),
        ];
        let body = self.get(&["kinds", kind.as_str()], &options, None).await?;
        let (headers, next) = (self.items(&body, read::header)?, read::text(&body, "next"));
        Ok(Headers { headers, unreadable: Vec::new(), next })
    }

    async fn kinds(&self) -> Result<Vec<Kind>, ContractError> {
        let body = self.get(&["kinds"], &[], None).await?;
        let kinds = body["kinds"].as_array().ok_or_else(|| self.stranger(Does::Read))?;
        let kind = |json: &Json| json.as_str().and_then(|text| text.parse().ok());
        kinds.iter().map(|json| kind(json).ok_or_else(|| self.stranger(Does::Read))).collect()
    }

    async fn referrers(&self, kind: &Kind, id: &str) -> Result<Vec<Referrer>, ContractError> {
        let body = self.get(&["kinds", kind.as_str(), id, "referrers"], &[], None).await?;
        self.items(&body, read::referrer)
    }

    async fn walk(&self, from: Option<&str>) -> Result<Walked, ContractError> {
        let body = self.get(&["walk"], &[("cursor", from)], None).await?;
        Ok(Walked { found: self.items(&body, read::found)?, next: read::text(&body, "next") })
    }

    async fn history(&self, reference: &ContractRef) -> Result<Vec<StatusChange>, ContractError> {
        let version = reference.version.to_string();
        let names = ["kinds", reference.kind.as_str(), &reference.id, &version, "history"];
        let body = self.get(&names, &[], Some(reference)).await?;
        self.items(&body, read::change)
    }

    async fn rule(&self, scope: &RuleScope) -> Result<Option<CompatibilityRule>, ContractError> {
        let body = self.get(&rule_path(scope), &[], None).await?;
        read::rule(&body, scope).ok_or_else(|| self.stranger(Does::Read))
    }

    async fn set_rule(
        &self,
        scope: &RuleScope,
        rule: Option<CompatibilityRule>,
    ) -> Result<(), ContractError> {
        let body =
            rule.map(|rule| json!({ "compatibility": rule.mode.name(), "transitive": rule.transitive }));
        let method = if body.is_some() { Method::PUT } else { Method::DELETE };
        self.send(method, &rule_path(scope), &Allowed::default(), body.as_ref(), None).await.map(drop)
    }

    async fn save(&self, new: &NewContract) -> Result<Saved, ContractError> {
        let by = Some(new.created_by.as_str());
        match self.register((&new.reference, new.status), &new.spec, by, &new.allowed).await {
            Ok(Registered { header, created: true, .. }) => Ok(Saved::New(header)),
            Ok(Registered { header, .. }) => Ok(Saved::Existing(header)),
            Err(ContractError::Refused(error)) if error.code == ContractCode::VersionExists => {
                self.header(&new.reference).await.map(Saved::Existing)
            }
            Err(error) => Err(error),
        }
    }

    /// The server takes the author from the token, so that of the act is ignored.
    async fn set_status(
        &self,
        reference: &ContractRef,
        from: Status,
        to: Status,
        act: &Act,
    ) -> Result<Header, ContractError> {
        let verb = match (from, to) {
            (Status::Draft, Status::Active) => "promote",
            (Status::Active, Status::Deprecated) => "deprecate",
            (Status::Deprecated, Status::Active) => "restore",
            _ => {
                let message = message!(items::NO_STATE, "status", "Contract", to.name());
                return Err(ContractError::Refused(Error::conflict(CoreCode::WrongState, message)));
            }
        };
        let version = reference.version.to_string();
        let names = ["kinds", reference.kind.as_str(), &reference.id, &version, verb];
        let answer = self.send(Method::POST, &names, &act.allowed, None, Some(reference)).await?;
        read::header(&answer.body).ok_or_else(|| self.stranger(Does::Write))
    }
}
