//! The registry on a directory of YAML files, for development, seeding and rollback.
//!
//! Files can be edited while a server runs, so every operation checks the directory for changes. File system calls block:
//! the files are small and few, and a cache is in front of them.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use async_trait::async_trait;
use hansang_core::db::Clock;
use hansang_core::message::Join;
use hansang_core::messages::fields;
use hansang_core::validate::violation;
use hansang_core::{Error, Message, message};

use crate::checksum::checksum;
use crate::messages::errors;
use crate::register::invalid_spec;
use crate::registry::{Headers, ListAsk, NewContract, Referrer, Saved, Walked};
use crate::status::wrong_state;
use crate::{
    Act, CompatibilityRule, Contract, ContractCode, ContractError, ContractRef, ContractRegistry, Header,
    Kind, RuleScope, Status, StatusChange, StatusChanged, contract_id, references,
};

mod directory;
mod disk;
mod file;
mod pages;
mod read;
mod write;

pub use directory::read_directory;
pub use file::{ContractFile, FileContract};
pub use read::read as read_yaml;

use directory::{Directory, Entry};

/// The registry on a directory.
#[derive(Debug)]
pub struct YamlRegistry {
    directory: Directory,
    clock: Clock,
    /// Held during a write.
    writing: Mutex<()>,
}

impl YamlRegistry {
    /// Opens the registry of a directory and its subdirectories.
    ///
    /// # Errors
    /// If the directory does not exist.
    pub fn open(directory: PathBuf, clock: Clock) -> Result<Self, Error> {
        if !directory.is_dir() {
            let message = message!(errors::NOT_A_DIRECTORY, directory.display().to_string());
            return Err(Error::invalid(ContractCode::ContractsDirectory, message));
        }
        Ok(Self { directory: Directory::new(directory), clock, writing: Mutex::default() })
    }

    fn look(&self) -> Result<Vec<Arc<Entry>>, ContractError> {
        self.directory.look(SystemTime::from(self.clock.moment().now))
    }

    /// Locks the directory for writing, in this process and in others that lock it, until both guards are dropped.
    fn write_alone(&self) -> Result<(MutexGuard<'_, ()>, File), ContractError> {
        let guard = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let root = File::open(&self.directory.root).map_err(unwritable)?;
        match root.lock() {
            // Without file locks only writers of this process exclude each other.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
            other => other.map_err(unwritable)?,
        }
        Ok((guard, root))
    }

    fn save_now(&self, new: &NewContract) -> Result<Saved, ContractError> {
        let _alone = self.write_alone()?;
        if let Some(found) = existing(&self.look()?, &new.reference)? {
            return Ok(Saved::Existing(found));
        }
        let checksum = checksum(&new.spec).map_err(invalid_spec)?;
        let now = self.clock.moment().now;
        let allowed = new.allowed.incompatible.clone().map(|reason| StatusChange {
            from: None,
            to: new.status,
            at: now,
            by: new.created_by.clone(),
            reason: Some(reason),
        });
        let contract = FileContract {
            reference: new.reference.clone(),
            status: new.status,
            spec: new.spec.clone(),
            checksum: Some(checksum),
            created_at: Some(now),
            created_by: Some(new.created_by.clone()),
            status_changed: None,
            history: allowed.into_iter().collect(),
        };
        let header = directory::header(&contract)?;
        let text = file::text(&contract).ok_or_else(not_written)?;
        let path = self.directory.root.join(disk::path_of(&new.reference));
        if disk::create(&path, &self.directory.root, &text).map_err(unwritable)? {
            return Ok(Saved::New(header));
        }
        match existing(&self.look()?, &new.reference)? {
            Some(found) => Ok(Saved::Existing(found)),
            None => {
                let message = message!(errors::FILE_IN_THE_WAY, path.display().to_string());
                Err(Error::conflict(ContractCode::FileInTheWay, message).into())
            }
        }
    }

    fn set_status_now(
        &self,
        reference: &ContractRef,
        from: Status,
        to: Status,
        act: &Act,
    ) -> Result<Header, ContractError> {
        let _alone = self.write_alone()?;
        let entry = named(&self.look()?, reference)?;
        let header = entry.header.clone()?;
        may_move(header.status, from, to)?;
        let (at, by) = (self.clock.moment().now, act.by.clone());
        let reason = act.allowed.incompatible.clone();
        let change = StatusChange { from: Some(from), to, at, by: by.clone(), reason };
        let contract = entry.file.contract.clone().map_err(|problems| ContractError::Corrupted {
            reference: reference.clone(),
            reason: Message::join(Join::Semicolon, problems),
        })?;
        let history = contract.history.iter().cloned().chain([change]).collect();
        let moved =
            FileContract { status: to, status_changed: Some(StatusChanged { at, by }), history, ..contract };
        let text = file::moved_text(&entry.text, &moved).ok_or_else(not_written)?;
        disk::replace(&entry.file.path, &text).map_err(unwritable)?;
        Ok(Header { status: to, status_changed: moved.status_changed, ..header })
    }
}

#[async_trait]
impl ContractRegistry for YamlRegistry {
    async fn fetch(&self, reference: &ContractRef) -> Result<Arc<Contract>, ContractError> {
        named(&self.look()?, reference)?.contract.clone()
    }

    async fn versions(&self, kind: &Kind, id: &str) -> Result<Vec<Header>, ContractError> {
        let id = contract_id(id)?;
        let mut headers =
            pages::headers(&self.look()?, |reference| reference.kind == *kind && reference.id == id)?;
        headers.sort_by(|one, other| one.reference.version.cmp(&other.reference.version));
        Ok(headers)
    }

    async fn list(&self, kind: &Kind, ask: &ListAsk) -> Result<Headers, ContractError> {
        pages::list(&self.look()?, kind, ask)
    }

    async fn kinds(&self) -> Result<Vec<Kind>, ContractError> {
        let entries = self.look()?;
        pages::all_named(&entries)?;
        let mut kinds: Vec<Kind> = entries
            .iter()
            .filter_map(|entry| entry.file.reference.as_ref())
            .map(|one| one.kind.clone())
            .collect();
        kinds.sort();
        kinds.dedup();
        Ok(kinds)
    }

    async fn referrers(&self, kind: &Kind, id: &str) -> Result<Vec<Referrer>, ContractError> {
        let id = contract_id(id)?;
        let entries = self.look()?;
        let mut all = Vec::new();
        for entry in &entries {
            let contract = entry.file.contract.as_ref().map_err(|_| pages::unlistable(entry))?;
            // An unfinished draft may have invalid references; it cannot be promoted.
            let found = references::references(&contract.reference.kind, &contract.spec).unwrap_or_default();
            let mut wanted: Vec<String> = Vec::new();
            for one in found.iter().filter(|one| one.kind == *kind && one.id == id) {
                let text = one.wanted.to_string();
                if !wanted.contains(&text) {
                    wanted.push(text);
                }
            }
            if !wanted.is_empty() {
                all.push(Referrer { from: contract.reference.clone(), wanted });
            }
        }
        all.sort();
        Ok(all)
    }

    async fn walk(&self, from: Option<&str>) -> Result<Walked, ContractError> {
        pages::walk(&self.look()?, from)
    }

    async fn history(&self, reference: &ContractRef) -> Result<Vec<StatusChange>, ContractError> {
        let entry = named(&self.look()?, reference)?;
        entry.contract.clone()?;
        Ok(entry.file.contract.as_ref().map(|contract| contract.history.clone()).unwrap_or_default())
    }

    async fn rule(&self, _: &RuleScope) -> Result<Option<CompatibilityRule>, ContractError> {
        Ok(None)
    }

    async fn set_rule(&self, _: &RuleScope, _: Option<CompatibilityRule>) -> Result<(), ContractError> {
        Err(Error::conflict(ContractCode::NoRules, message!(errors::NO_RULES)).into())
    }

    async fn save(&self, new: &NewContract) -> Result<Saved, ContractError> {
        self.save_now(new)
    }

    async fn set_status(
        &self,
        reference: &ContractRef,
        from: Status,
        to: Status,
        act: &Act,
    ) -> Result<Header, ContractError> {
        self.set_status_now(reference, from, to, act)
    }
}

/// Finds the file of a version. An unreadable file may be the one, so it is an error instead of "not found".
fn named(entries: &[Arc<Entry>], reference: &ContractRef) -> Result<Arc<Entry>, ContractError> {
    let is = |entry: &&Arc<Entry>| entry.file.reference.as_ref() == Some(reference);
    if let Some(entry) = entries.iter().find(is) {
        return Ok(entry.clone());
    }
    match entries.iter().find(|entry| entry.file.reference.is_none()) {
        None => Err(ContractError::NotFound(reference.clone())),
        Some(unreadable) => {
            let problems = unreadable.file.contract.as_ref().err().into_iter().flatten().cloned();
            let problems = Message::join(Join::Semicolon, problems);
            let reason = message!(errors::MAY_BE_IN, &unreadable.location, problems);
            Err(ContractError::Corrupted { reference: reference.clone(), reason })
        }
    }
}

/// The header of an existing version.
fn existing(entries: &[Arc<Entry>], reference: &ContractRef) -> Result<Option<Header>, ContractError> {
    match named(entries, reference) {
        Ok(entry) => Ok(Some(entry.contract.clone()?.header.clone())),
        Err(ContractError::NotFound(_)) => Ok(None),
        Err(other) => Err(other),
    }
}

/// Checks a status change with the rules and messages of the table's model.
fn may_move(is: Status, from: Status, to: Status) -> Result<(), Error> {
    let possible: &[Status] = match to {
        Status::Draft => &[],
        Status::Active => &[Status::Draft, Status::Deprecated],
        Status::Deprecated => &[Status::Active],
    };
    if possible.is_empty() {
        let problem = message!(fields::NO_WAY_BACK, to.to_string());
        return Err(Error::fields(vec![violation("status", problem)]));
    }
    let only = if possible.contains(&is) { &[from][..] } else { possible };
    if only.contains(&is) { Ok(()) } else { Err(wrong_state(only, to).error()) }
}

fn not_written() -> Error {
    Error::internal(ContractCode::ContractNotWritten, message!(errors::NOT_WRITTEN))
}

fn unwritable(error: io::Error) -> ContractError {
    let message = message!(errors::DIRECTORY_UNWRITABLE);
    let error = Error::unavailable(ContractCode::ContractsDirectory, message).caused_by(error);
    ContractError::Unavailable(error)
}
