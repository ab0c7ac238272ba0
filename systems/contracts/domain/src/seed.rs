//! Registers the contracts of files, references first.

use std::collections::HashMap;
use std::path::PathBuf;

use hansang_core::message::{Argument, Join};
use hansang_core::{Error, Message, message};

use crate::checksum::{checksum, same_checksum};
use crate::messages::{errors, specs};
use crate::register::{check_name, check_reason};
use crate::yaml::{ContractFile, FileContract};
use crate::{
    Act, ContractCode, ContractError, ContractRef, ContractRegistry, Header, NewContract, Status, references,
    register,
};

mod order;
mod preview;

use order::Waiting;
use preview::Preview;

/// The outcomes of all files, in the order of processing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeedReport {
    /// The new versions.
    pub uploaded: Vec<Seeded>,
    /// The versions that existed with the same content.
    pub skipped: Vec<Seeded>,
    /// The versions that existed with another content, which stays.
    pub conflicts: Vec<Seeded>,
    /// The files that could not be registered.
    pub errors: Vec<Seeded>,
    /// Whether the registry was unavailable for one of them; seeding again may succeed.
    pub outage: bool,
}

/// The outcome of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeded {
    /// The file.
    pub path: PathBuf,
    /// The contract in it, if its name can be read.
    pub reference: Option<ContractRef>,
    /// The outcome.
    pub outcome: SeedOutcome,
    /// A warning or an error.
    pub message: Option<Message>,
}

/// The kinds of outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedOutcome {
    /// Registered.
    Uploaded,
    /// Existed with the same content.
    Skipped,
    /// Existed with another content.
    Conflict,
    /// Could not be registered.
    Error,
}

impl SeedReport {
    /// Whether all files are registered now.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.conflicts.is_empty() && self.errors.is_empty()
    }
}

/// Registers the contracts of files in the name of an author, with their exceptions. Existing versions stay unchanged, so it
/// can be repeated after an outage. A dry run writes nothing and returns the outcome for each file.
pub async fn seed(
    registry: &dyn ContractRegistry,
    files: &[ContractFile],
    act: impl Into<Act>,
    dry_run: bool,
    progress: &mut (dyn FnMut(&Seeded) + Send),
) -> SeedReport {
    let preview = Preview::new(registry);
    let target: &dyn ContractRegistry = if dry_run { &preview } else { registry };
    let act = act.into();
    let mut run = Run { target, act: &act, progress, report: SeedReport::default() };
    let new = run.report_known(files).await;
    run.upload(&new).await;
    run.report
}

struct Run<'r> {
    target: &'r dyn ContractRegistry,
    act: &'r Act,
    progress: &'r mut (dyn FnMut(&Seeded) + Send),
    report: SeedReport,
}

/// A file with a contract that is not registered yet.
struct New<'f> {
    file: &'f ContractFile,
    contract: &'f FileContract,
}

impl Run<'_> {
    /// Reports the files that need no registration, and returns the others.
    async fn report_known<'f>(&mut self, files: &'f [ContractFile]) -> Vec<New<'f>> {
        let invalid_author =
            check_name("createdBy", &self.act.by).and_then(|()| check_reason(&self.act.allowed)).err();
        let mut times: HashMap<&ContractRef, usize> = HashMap::new();
        for reference in files.iter().filter_map(|file| file.reference.as_ref()) {
            *times.entry(reference).or_default() += 1;
        }
        let mut new = Vec::new();
        for file in files {
            let is_double = file.reference.as_ref().is_some_and(|one| times.get(one) != Some(&1));
            let settled = match (&invalid_author, &file.contract) {
                (Some(error), _) => Err(error.message.clone()),
                (_, Err(problems)) => Err(Message::join(Join::Semicolon, problems.iter().cloned())),
                _ if is_double => Err(message!(errors::SEVERAL_FILES)),
                (_, Ok(contract)) => match self.existing(contract).await {
                    Ok(None) => {
                        new.push(New { file, contract });
                        continue;
                    }
                    Ok(Some(existing)) => Ok(existing),
                    Err(problem) => Err(problem),
                },
            };
            let (outcome, message) = settled.unwrap_or_else(|problem| (SeedOutcome::Error, Some(problem)));
            self.report(file, outcome, message);
        }
        new
    }

    /// The outcome for a version that exists.
    async fn existing(&mut self, contract: &FileContract) -> Result<Option<Outcome>, Message> {
        let computed = checksum(&contract.spec)?;
        if let Some(written) = contract.checksum.as_ref().filter(|written| !same_checksum(written, &computed))
        {
            return Err(message!(specs::FILE_CHECKSUM, computed, written));
        }
        match self.target.fetch(&contract.reference).await {
            Ok(found) => Ok(Some(compared(&found.header, contract, &computed))),
            Err(ContractError::NotFound(_)) => Ok(None),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Registers contracts, references first.
    async fn upload(&mut self, new: &[New<'_>]) {
        let contracts: Vec<&FileContract> = new.iter().map(|new| new.contract).collect();
        let mut waiting = Waiting::new(&contracts);
        while !waiting.is_done() {
            let next = match waiting.ready() {
                Some(next) => Some(next),
                None if self.act.allowed.missing => waiting.open().next(),
                None => possible(self.target, &waiting, &contracts).await,
            };
            if let Some(next) = next {
                let (outcome, message) = self.register(new[next].contract).await;
                self.report(new[next].file, outcome, message);
                waiting.complete(next);
                continue;
            }
            let cycle = waiting.cycle();
            let names: Vec<String> = cycle.iter().map(|&one| contracts[one].reference.to_string()).collect();
            let message = message!(errors::CYCLE, Argument::list(names));
            for one in cycle {
                self.report(new[one].file, SeedOutcome::Error, Some(message.clone()));
                waiting.complete(one);
            }
        }
    }

    async fn register(&mut self, contract: &FileContract) -> Outcome {
        let new = NewContract {
            reference: contract.reference.clone(),
            status: contract.status,
            spec: contract.spec.clone(),
            created_by: self.act.by.clone(),
            allowed: self.act.allowed.clone(),
        };
        match register(self.target, new).await {
            Ok(done) if done.created => {
                let warnings = Message::join(Join::Semicolon, done.warnings.iter().cloned());
                (SeedOutcome::Uploaded, Some(warnings).filter(|_| !done.warnings.is_empty()))
            }
            // Another process registered it in the meantime.
            Ok(done) => compared(&done.header, contract, &done.header.checksum),
            Err(ContractError::Refused(error)) if error.code == ContractCode::VersionExists => {
                (SeedOutcome::Conflict, Some(error.message))
            }
            Err(error) => (SeedOutcome::Error, Some(self.failed(error))),
        }
    }

    /// The message of an error, whose outages are recorded.
    fn failed(&mut self, error: ContractError) -> Message {
        self.report.outage |= matches!(error, ContractError::Unavailable(_));
        Error::from(error).message
    }

    fn report(&mut self, file: &ContractFile, outcome: SeedOutcome, message: Option<Message>) {
        let seeded = Seeded { path: file.path.clone(), reference: file.reference.clone(), outcome, message };
        (self.progress)(&seeded);
        let list = match outcome {
            SeedOutcome::Uploaded => &mut self.report.uploaded,
            SeedOutcome::Skipped => &mut self.report.skipped,
            SeedOutcome::Conflict => &mut self.report.conflicts,
            SeedOutcome::Error => &mut self.report.errors,
        };
        list.push(seeded);
    }
}

/// A contract that can be registered before all versions that its references accept: a draft, which is not checked, or one
/// whose references are already served. After an outage any contract is returned; registering it reports the outage.
async fn possible(
    registry: &dyn ContractRegistry,
    waiting: &Waiting,
    contracts: &[&FileContract],
) -> Option<usize> {
    for one in waiting.open() {
        let FileContract { reference, status, spec, .. } = contracts[one];
        if *status == Status::Draft {
            return Some(one);
        }
        let named = references::references(&reference.kind, spec).unwrap_or_default();
        match references::check(registry, &named).await {
            Ok(_) | Err(ContractError::Unavailable(_)) => return Some(one),
            Err(_) => {}
        }
    }
    None
}

/// The outcome of a file, and its message.
type Outcome = (SeedOutcome, Option<Message>);

/// Compares a file with the existing version.
fn compared(existing: &Header, contract: &FileContract, computed: &str) -> Outcome {
    if !same_checksum(&existing.checksum, computed) {
        let message = message!(errors::FILE_CONFLICT, &existing.checksum, computed);
        return (SeedOutcome::Conflict, Some(message));
    }
    let (status, wanted) = (existing.status, contract.status);
    let differs = message!(errors::FILE_STATUS, status.name(), wanted.name());
    (SeedOutcome::Skipped, Some(differs).filter(|_| status != wanted))
}
