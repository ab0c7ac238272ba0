//! Seeding: contracts of files are registered, each after the ones it names.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::checksum::{checksum, same_checksum};
use crate::register::check_name;
use crate::yaml::{ContractFile, FileContract};
use crate::{
    ContractError, ContractRef, ContractRegistry, Header, NewContract, Status, references, register,
};

mod order;
mod preview;

use order::Waiting;
use preview::Preview;

/// What became of all files, each list in the order in which it was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeedReport {
    /// What was registered.
    pub uploaded: Vec<Seeded>,
    /// What was there already, with the same content.
    pub skipped: Vec<Seeded>,
    /// What was there already, with another content, and stayed so.
    pub conflicts: Vec<Seeded>,
    /// What could not be registered.
    pub errors: Vec<Seeded>,
    /// Whether somebody could not be asked about one of them: seeding again later may finish it.
    pub outage: bool,
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeded {
    /// The file.
    pub path: PathBuf,
    /// The contract in it, if at least its name can be read.
    pub reference: Option<ContractRef>,
    /// What became of it.
    pub outcome: SeedOutcome,
    /// What there is to say about it.
    pub message: Option<String>,
}

/// What can become of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedOutcome {
    /// It was registered.
    Uploaded,
    /// It was there already.
    Skipped,
    /// Another content was there already.
    Conflict,
    /// It could not be registered.
    Error,
}

impl SeedReport {
    /// Whether everything is registered now.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.conflicts.is_empty() && self.errors.is_empty()
    }
}

/// Registers the contracts of files in the name of somebody. What is there already stays as it is, so doing
/// it again does no harm, and finishes what an outage left. A dry run writes nothing and says what would
/// become of each file.
pub async fn seed(
    registry: &dyn ContractRegistry,
    files: &[ContractFile],
    created_by: &str,
    dry_run: bool,
    progress: &mut (dyn FnMut(&Seeded) + Send),
) -> SeedReport {
    let preview = Preview::new(registry);
    let target: &dyn ContractRegistry = if dry_run { &preview } else { registry };
    let mut run = Run { target, created_by, progress, report: SeedReport::default() };
    let new = run.settle_known(files).await;
    run.upload(&new).await;
    run.report
}

struct Run<'r> {
    target: &'r dyn ContractRegistry,
    created_by: &'r str,
    progress: &'r mut (dyn FnMut(&Seeded) + Send),
    report: SeedReport,
}

/// A file with a contract that is not registered yet.
struct New<'f> {
    file: &'f ContractFile,
    contract: &'f FileContract,
}

impl Run<'_> {
    /// Deals with the files for which nothing is to be registered; gives the others.
    async fn settle_known<'f>(&mut self, files: &'f [ContractFile]) -> Vec<New<'f>> {
        let nobody = check_name("createdBy", self.created_by).err();
        let mut times: HashMap<&ContractRef, usize> = HashMap::new();
        for reference in files.iter().filter_map(|file| file.reference.as_ref()) {
            *times.entry(reference).or_default() += 1;
        }
        let mut new = Vec::new();
        for file in files {
            let is_double = file.reference.as_ref().is_some_and(|one| times.get(one) != Some(&1));
            let settled = match (&nobody, &file.contract) {
                (Some(error), _) => Err(error.message.to_string()),
                (_, Err(problems)) => Err(problems.join("; ")),
                _ if is_double => Err("this version is in several files: one must go".to_owned()),
                (_, Ok(contract)) => match self.there(contract).await {
                    Ok(None) => {
                        new.push(New { file, contract });
                        continue;
                    }
                    Ok(Some(there)) => Ok(there),
                    Err(problem) => Err(problem),
                },
            };
            let (outcome, message) = settled.unwrap_or_else(|problem| (SeedOutcome::Error, Some(problem)));
            self.settle(file, outcome, message);
        }
        new
    }

    /// What the registry has of a contract, if anything.
    async fn there(&mut self, contract: &FileContract) -> Result<Option<Told>, String> {
        let counted = checksum(&contract.spec)?;
        if let Some(written) = contract.checksum.as_ref().filter(|written| !same_checksum(written, &counted))
        {
            return Err(format!(
                "its checksum is {counted}, and the file says {written}: one of them was changed"
            ));
        }
        match self.target.fetch(&contract.reference).await {
            Ok(found) => Ok(Some(compared(&found.header, contract, &counted))),
            Err(ContractError::NotFound(_)) => Ok(None),
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// Registers contracts, each after the ones it names.
    async fn upload(&mut self, new: &[New<'_>]) {
        let contracts: Vec<&FileContract> = new.iter().map(|new| new.contract).collect();
        let mut waiting = Waiting::new(&contracts);
        while !waiting.is_done() {
            let next = match waiting.ready() {
                Some(next) => Some(next),
                None => possible(self.target, &waiting, &contracts).await,
            };
            if let Some(next) = next {
                let (outcome, message) = self.register(new[next].contract).await;
                self.settle(new[next].file, outcome, message);
                waiting.settle(next);
                continue;
            }
            let circle = waiting.circle();
            let names: Vec<String> = circle.iter().map(|&one| contracts[one].reference.to_string()).collect();
            let message = format!("it is in a circle of names, so none can be first: {}", names.join(", "));
            for one in circle {
                self.settle(new[one].file, SeedOutcome::Error, Some(message.clone()));
                waiting.settle(one);
            }
        }
    }

    async fn register(&mut self, contract: &FileContract) -> Told {
        let new = NewContract {
            reference: contract.reference.clone(),
            status: contract.status,
            spec: contract.spec.clone(),
            created_by: self.created_by.to_owned(),
        };
        match register(self.target, new).await {
            Ok(done) if done.created => {
                let warnings = done.warnings.join("; ");
                (SeedOutcome::Uploaded, Some(warnings).filter(|text| !text.is_empty()))
            }
            // Somebody else did it in the meantime.
            Ok(done) => compared(&done.header, contract, &done.header.checksum),
            Err(ContractError::Refused(error)) if error.code == "version_exists" => {
                (SeedOutcome::Conflict, Some(error.message.to_string()))
            }
            Err(error) => (SeedOutcome::Error, Some(self.failed(&error))),
        }
    }

    /// What is told of a failure.
    fn failed(&mut self, error: &ContractError) -> String {
        self.report.outage |= matches!(error, ContractError::Unavailable(_));
        error.to_string()
    }

    fn settle(&mut self, file: &ContractFile, outcome: SeedOutcome, message: Option<String>) {
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

/// One that need not wait for all that it could mean: a draft, for which nothing is checked, or one whose
/// range has a version already. One that cannot be judged now is told so when it is registered.
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

/// What became of a file, and what there is to say about it.
type Told = (SeedOutcome, Option<String>);

/// What a file means for a version that is there already.
fn compared(there: &Header, contract: &FileContract, counted: &str) -> Told {
    if !same_checksum(&there.checksum, counted) {
        let message = format!(
            "it is registered with another spec ({}, the file has {counted}): give the file a new version",
            there.checksum
        );
        return (SeedOutcome::Conflict, Some(message));
    }
    let (status, wanted) = (there.status, contract.status);
    let differs = format!("its status is {status}, and {wanted} in the file: move it if that is not meant");
    (SeedOutcome::Skipped, Some(differs).filter(|_| status != wanted))
}
