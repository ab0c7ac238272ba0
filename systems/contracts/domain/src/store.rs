//! The registry on a table of Hansang: the embedded store, or DynamoDB.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use hansang_core::db::{Ask, Operation};
use hansang_core::plan::{Change, Condition, Guard, Guards, MAX_TRANSACTION, Path, Write};
use hansang_core::read::MAX_PAGE;
use hansang_core::{CoreCode, Db, Error, Item, Name, Record, Value, message, write};

use crate::messages::specs;
use crate::registry::{Headers, ListAsk, NewContract, Referrer, Saved, Walked};
use crate::status::wrong_state;
use crate::{
    Act, CompatibilityRule, Contract, ContractCode, ContractError, ContractRef, ContractRegistry, Header,
    Kind, RuleScope, Status, StatusChange, references,
};

mod changes;
mod items;
mod rules;
mod spellings;
mod walk;

use items::{CONTRACT, HEADER};

/// The registry on a table.
#[derive(Debug)]
pub struct StoreRegistry {
    db: Db,
    /// The kinds that are known to be listed, which saves a write for most versions.
    listed: Mutex<BTreeSet<Kind>>,
}

impl StoreRegistry {
    /// A registry on a table with the model [`crate::MODEL`].
    #[must_use]
    pub fn new(db: Db) -> Self {
        Self { db, listed: Mutex::default() }
    }

    /// Reads all pages of a pattern with strong reads.
    async fn all(&self, pattern: &str, arguments: Item, fields: &[&str]) -> Result<Vec<Record>, Error> {
        let mut records = Vec::new();
        let mut cursor = None;
        loop {
            let ask = Ask {
                limit: Some(MAX_PAGE),
                consistent: Some(true),
                fields: Some(fields.iter().map(|&name| name.to_owned()).collect()),
                cursor,
                ..Ask::default()
            };
            let page = self.db.query(pattern, arguments.clone(), ask).await?;
            records.extend(page.records);
            match page.next {
                Some(next) => cursor = Some(next),
                None => return Ok(records),
            }
        }
    }

    /// Adds a kind to the list of kinds, before its first contract is stored.
    async fn list_kind(&self, kind: &Kind) -> Result<(), Error> {
        let listed = || self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if listed().contains(kind) {
            return Ok(());
        }
        match self.db.create("Kind", text("name", kind.as_str())).await {
            Err(error) if error.code != CoreCode::AlreadyExists => Err(error),
            _ => {
                listed().insert(kind.clone());
                Ok(())
            }
        }
    }

    /// The writes of a new version and its references, for one transaction.
    fn creation(&self, new: &NewContract) -> Result<Vec<Operation>, Error> {
        let fields = items::of_new(new)?;
        let mut all = vec![Operation::Create { entity: CONTRACT.into(), fields, guards: Vec::new() }];
        // An unfinished draft may have invalid references; it cannot be promoted.
        let found = references::references(&new.reference.kind, &new.spec).unwrap_or_default();
        let entity = self.db.entity("Reference")?;
        let moment = self.db.clock().moment();
        for fields in items::of_references(&new.reference, &found) {
            let writes = write::create(self.db.model(), entity, fields, &moment)?;
            // No guards: references belong to the version, which is new.
            all.extend(
                writes
                    .into_iter()
                    .map(|write| Operation::Write(Write { guards: Guards::default(), ..write })),
            );
        }
        let references = all.len() - 1;
        if let Some(reason) = new.allowed.incompatible.clone() {
            let (at, by) = (moment.now, new.created_by.clone());
            let change = StatusChange { from: None, to: new.status, at, by, reason: Some(reason) };
            all.push(changes::create(new.reference.kind.as_str(), &new.reference, &change));
        }
        if all.len() > MAX_TRANSACTION {
            let message =
                message!(specs::TOO_MANY_REFERENCES, references, MAX_TRANSACTION + references - all.len());
            return Err(Error::invalid(ContractCode::TooManyReferences, message));
        }
        Ok(all)
    }
}

#[async_trait]
impl ContractRegistry for StoreRegistry {
    async fn fetch(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        // Not as a record: the load validates the item itself, without copies.
        if let Some(item) = self.db.stored(CONTRACT, &items::key(reference)).await? {
            return items::contract(reference, reference.kind.as_str(), item).map(Arc::new);
        }
        match self.stored_otherwise(reference).await? {
            Some((spelling, item)) => items::contract(reference, &spelling, item).map(Arc::new),
            None => Err(ContractError::NotFound(reference.clone())),
        }
    }

    async fn versions(&self, kind: &Kind, id: &str) -> Result<Vec<Header>, ContractError> {
        let mut headers: Vec<Header> = Vec::new();
        for spelling in self.spellings(kind).await? {
            let arguments = Item::from([("kind".into(), spelling.into()), ("id".into(), id.into())]);
            let records = self.all("versions", arguments, &HEADER).await.map_err(items::unlistable)?;
            for record in &records {
                headers.push(items::header(record)?);
            }
        }
        headers.sort_by(|one, other| one.reference.version.cmp(&other.reference.version));
        Ok(headers)
    }

    async fn list(&self, kind: &Kind, ask: &ListAsk) -> Result<Headers, ContractError> {
        let (spelling, cursor) = spellings::position(kind, ask.cursor.as_deref())?;
        let mut arguments = text("kind", &spelling);
        let pattern = match ask.status {
            None => "allOfKind",
            Some(status) => {
                arguments.insert("status".into(), status.name().into());
                "contractsOfKind"
            }
        };
        let ask = Ask {
            limit: ask.limit,
            fields: Some(HEADER.map(str::to_owned).to_vec()),
            cursor,
            ..Ask::default()
        };
        let page = self.db.query(pattern, arguments, ask).await.map_err(items::unlistable)?;
        let (mut headers, mut unreadable) = (Vec::with_capacity(page.records.len()), Vec::new());
        for record in &page.records {
            match items::header(record) {
                Ok(header) => headers.push(header),
                Err(error) => {
                    tracing::error!(%error, "contract left out of a list");
                    unreadable.push(error);
                }
            }
        }
        let next = match page.next {
            Some(next) => Some(spellings::cursor(kind, &spelling, &next)),
            None => self.after(kind, &spelling).await?.map(|next| spellings::cursor(kind, &next, "")),
        };
        Ok(Headers { headers, unreadable, next })
    }

    async fn kinds(&self) -> Result<Vec<Kind>, ContractError> {
        let names = self.stored_kinds().await?;
        let mut kinds: Vec<Kind> = names.iter().map(|name| name.parse()).collect::<Result<_, Error>>()?;
        kinds.sort();
        kinds.dedup();
        Ok(kinds)
    }

    async fn referrers(&self, kind: &Kind, id: &str) -> Result<Vec<Referrer>, ContractError> {
        let mut all: Vec<Referrer> = Vec::new();
        for spelling in self.spellings(kind).await? {
            let arguments = Item::from([("toKind".into(), spelling.into()), ("toId".into(), id.into())]);
            let records = self.all("referrers", arguments, &["wanted"]).await.map_err(items::unlistable)?;
            for record in &records {
                all.push(items::referrer(record)?);
            }
        }
        all.sort();
        Ok(all)
    }

    async fn walk(&self, from: Option<&str>) -> Result<Walked, ContractError> {
        walk::page(&self.db, from).await
    }

    async fn history(&self, reference: &ContractRef) -> Result<Vec<StatusChange>, ContractError> {
        let mut all = Vec::new();
        for spelling in self.spellings(&reference.kind).await? {
            let of = changes::of(&spelling, reference);
            let records = self.all("changes", of, &changes::FIELDS).await.map_err(items::unlistable)?;
            for record in &records {
                all.push(changes::read(record)?);
            }
        }
        if all.is_empty() {
            self.fetch(reference).await?;
        }
        Ok(all)
    }

    async fn rule(&self, scope: &RuleScope) -> Result<Option<CompatibilityRule>, ContractError> {
        self.rule_at(scope).await
    }

    async fn set_rule(
        &self,
        scope: &RuleScope,
        rule: Option<CompatibilityRule>,
    ) -> Result<(), ContractError> {
        self.set_rule_at(scope, rule).await
    }

    async fn save(&self, new: &NewContract) -> Result<Saved, ContractError> {
        if self.stored_otherwise(&new.reference).await?.is_some() {
            return self.fetch(&new.reference).await.map(|found| Saved::Existing(found.header.clone()));
        }
        self.list_kind(&new.reference.kind).await?;
        let error = match self.db.transact(self.creation(new)?).await {
            Ok(records) => {
                let record = records.into_iter().next().flatten();
                let header = record.as_ref().map(items::header).transpose()?;
                return match header {
                    Some(header) => Ok(Saved::New(header)),
                    None => self.fetch(&new.reference).await.map(|found| Saved::New(found.header.clone())),
                };
            }
            Err(refusal) => refusal.error,
        };
        // After an unknown outcome the stored version is the result, because versions never change.
        if error.code != CoreCode::AlreadyExists && error.code != CoreCode::OutcomeUnknown {
            return Err(error.into());
        }
        match self.fetch(&new.reference).await {
            Ok(found) => Ok(Saved::Existing(found.header.clone())),
            Err(ContractError::NotFound(_)) => Err(error.into()),
            Err(other) => Err(other),
        }
    }

    async fn set_status(
        &self,
        reference: &ContractRef,
        from: Status,
        to: Status,
        act: &Act,
    ) -> Result<Header, ContractError> {
        let moved = self.move_status(reference.kind.as_str(), reference, (from, to), act).await;
        match moved {
            Err(ContractError::NotFound(_)) => match self.stored_otherwise(reference).await? {
                Some((spelling, _)) => self.move_status(&spelling, reference, (from, to), act).await,
                None => moved,
            },
            moved => moved,
        }
    }
}

impl StoreRegistry {
    /// Changes the status of a version that is stored under this spelling of its kind.
    async fn move_status(
        &self,
        spelling: &str,
        reference: &ContractRef,
        (from, to): (Status, Status),
        act: &Act,
    ) -> Result<Header, ContractError> {
        let status = Name::from("status");
        let now = self.db.clock().moment().now;
        let set =
            |name: &str, value: Value| (Path { root: name.into(), inside: Vec::new() }, Change::Set(value));
        let update = write::Update {
            key: items::key_under(spelling, reference),
            changes: vec![
                set("status", to.name().into()),
                set("statusChangedAt", now.to_string().into()),
                set("statusChangedBy", act.by.as_str().into()),
            ],
            expected_version: None,
        };
        let guard = Guard {
            condition: Condition::unchanged(&status, Some(&from.name().into())),
            otherwise: wrong_state(&[from], to),
        };
        let reason = act.allowed.incompatible.clone();
        let change = StatusChange { from: Some(from), to, at: now, by: act.by.clone(), reason };
        let operations = vec![
            Operation::Update { entity: CONTRACT.into(), update, guards: vec![guard] },
            changes::create(spelling, reference, &change),
        ];
        match self.db.transact(operations).await.map_err(|refusal| refusal.error) {
            Ok(records) => match records.into_iter().next().flatten() {
                Some(record) => items::header(&record),
                None => self.fetch(reference).await.map(|found| found.header.clone()),
            },
            Err(error) if error.code == CoreCode::NotFound => Err(ContractError::NotFound(reference.clone())),
            Err(error) if error.code == CoreCode::OutcomeUnknown => {
                self.was_moved(reference, to, &act.by, error).await
            }
            Err(error) => Err(items::unreadable(reference, error)),
        }
    }

    /// Reads the version after an unknown outcome, to find out whether the status was changed.
    async fn was_moved(
        &self,
        reference: &ContractRef,
        to: Status,
        by: &str,
        lost: Error,
    ) -> Result<Header, ContractError> {
        let header = self.fetch(reference).await?.header.clone();
        let ours = header.status_changed.as_ref().is_some_and(|changed| changed.by == by);
        if header.status == to && ours { Ok(header) } else { Err(lost.into()) }
    }
}

fn text(name: &str, value: &str) -> Item {
    Item::from([(name.into(), value.into())])
}
