//! The files of a directory, looked at again each time, and read again only if they changed.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use hansang_core::Error;

use super::file::{ContractFile, FileContract, text_of};
use crate::checksum::checksum;
use crate::{Contract, ContractError, ContractRef, Header};

/// Reads every contract of a directory and of those inside it, whatever the names of its files.
///
/// # Errors
/// When the directory cannot be read. What is wrong with a file is said of that file.
pub fn read_directory(directory: &Path) -> Result<Vec<ContractFile>, Error> {
    let read = |path: PathBuf| match open(&path).and_then(text_of) {
        Err(error) if is_gone(&error, &path) => None,
        Err(error) => Some(ContractFile::unreadable(path, not_read(&error))),
        Ok(text) => Some(ContractFile::read(path, &text)),
    };
    Ok(files(directory)?.into_iter().filter_map(read).collect())
}

/// A directory of contracts, and what is known of its files.
#[derive(Debug)]
pub(super) struct Directory {
    pub(super) root: PathBuf,
    known: Mutex<HashMap<PathBuf, Known>>,
}

/// A file as it was read.
#[derive(Debug)]
struct Known {
    stamp: Stamp,
    /// Whether another change would show in the stamp for sure.
    settled: bool,
    entry: Arc<Entry>,
}

#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

/// What is known of a file and what is in it.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The file, seen from the directory.
    pub(super) place: String,
    /// What is written in it, as far as it could be read.
    pub(super) text: Arc<str>,
    pub(super) file: ContractFile,
    pub(super) header: Result<Header, ContractError>,
    pub(super) contract: Result<Arc<Contract>, ContractError>,
}

impl Directory {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root, known: Mutex::default() }
    }

    /// What is in the directory now, in the order of places.
    pub(super) fn look(&self, now: SystemTime) -> Result<Vec<Arc<Entry>>, ContractError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let paths = files(&self.root)?;
        let mut before = std::mem::take(&mut *known);
        let mut entries = Vec::with_capacity(paths.len());
        for path in paths {
            match self.read(&path, before.remove(&path), now) {
                Ok(read) => {
                    entries.push(read.entry.clone());
                    known.insert(path, read);
                }
                Err(error) if is_gone(&error, &path) => {}
                Err(error) => {
                    let file = ContractFile::unreadable(path, not_read(&error));
                    entries.push(Arc::new(self.entry(file, "")));
                }
            }
        }
        entries.sort_by(|one, other| one.place.cmp(&other.place));
        refuse_doubles(&mut entries);
        Ok(entries)
    }

    fn read(&self, path: &Path, before: Option<Known>, now: SystemTime) -> io::Result<Known> {
        let stamp = Stamp::of(&fs::metadata(path)?);
        let before = match before {
            Some(known) if known.settled && known.stamp == stamp => return Ok(known),
            other => other,
        };
        let file = open(path)?;
        let stamp = Stamp::of(&file.metadata()?);
        let settled = stamp.is_settled(now);
        let text = text_of(file)?;
        let entry = match before {
            Some(known) if *known.entry.text == text => known.entry,
            _ => Arc::new(self.entry(ContractFile::read(path.to_owned(), &text), &text)),
        };
        Ok(Known { stamp, settled, entry })
    }

    fn entry(&self, file: ContractFile, text: &str) -> Entry {
        let place = file.path.strip_prefix(&self.root).unwrap_or(&file.path).to_string_lossy().into_owned();
        let (header, contract) = match &file.contract {
            Ok(contract) => (listed(contract), checked(contract)),
            Err(problems) => {
                let error = broken(file.reference.as_ref(), &place, &problems.join("; "));
                (Err(error.clone()), Err(error))
            }
        };
        Entry { place, text: text.into(), file, header, contract }
    }
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self { length: metadata.len(), modified: metadata.modified().ok() }
    }

    /// File systems count time in steps: what changed just now can change again and look the same.
    fn is_settled(&self, now: SystemTime) -> bool {
        const STEP: Duration = Duration::from_secs(2);
        let age = self.modified.and_then(|modified| now.duration_since(modified).ok());
        age.is_some_and(|age| age > STEP)
    }
}

/// What is known of a version, its checksum not checked.
pub(super) fn header(contract: &FileContract) -> Result<Header, ContractError> {
    let corrupted = |reason| ContractError::Corrupted { reference: contract.reference.clone(), reason };
    let checksum = match &contract.checksum {
        Some(written) => written.clone(),
        None => checksum(&contract.spec).map_err(corrupted)?,
    };
    Ok(Header {
        reference: contract.reference.clone(),
        status: contract.status,
        checksum,
        created_at: contract.created_at,
        created_by: contract.created_by.clone(),
        status_changed: contract.status_changed.clone(),
    })
}

/// What lists show of a version: a checksum that is none would only mislead.
fn listed(contract: &FileContract) -> Result<Header, ContractError> {
    let header = header(contract)?;
    let bare = header.checksum.strip_prefix("sha256:").unwrap_or(&header.checksum);
    if bare.len() == 64 && bare.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return Ok(header);
    }
    let reason = "`checksum` is none".to_owned();
    Err(ContractError::Integrity { reference: header.reference, reason })
}

/// A version that was checked as the ones of a store are. Without a checksum there is none to compare with.
fn checked(contract: &FileContract) -> Result<Arc<Contract>, ContractError> {
    Contract::checked(header(contract)?, contract.spec.clone()).map(Arc::new)
}

/// A file without a name could be any contract.
fn broken(reference: Option<&ContractRef>, place: &str, problem: &str) -> ContractError {
    match reference {
        Some(reference) => {
            ContractError::Corrupted { reference: reference.clone(), reason: format!("{place}: {problem}") }
        }
        None => {
            let message = format!("{place} holds no contract that can be read: {problem}");
            ContractError::Refused(Error::invalid("contract_unreadable", message))
        }
    }
}

/// Of two files for one version nobody can tell which is meant.
fn refuse_doubles(entries: &mut [Arc<Entry>]) {
    let mut places: HashMap<ContractRef, Vec<String>> = HashMap::with_capacity(entries.len());
    for entry in &*entries {
        if let Some(reference) = &entry.file.reference {
            places.entry(reference.clone()).or_default().push(entry.place.clone());
        }
    }
    for entry in entries {
        let Some(reference) = &entry.file.reference else { continue };
        if let Some(places) = places.get(reference).filter(|places| places.len() > 1) {
            let reason = format!("it is in several files, of which one must go: {}", places.join(", "));
            let error = ContractError::Corrupted { reference: reference.clone(), reason };
            let (header, contract) = (Err(error.clone()), Err(error));
            *entry = Arc::new(Entry { header, contract, ..Entry::clone(entry) });
        }
    }
}

/// Directories inside directories, at most: more must be a link that leads back.
const DEEPEST: usize = 16;

/// Every file with a contract, in the order of paths. Hidden ones are not: editors and mounts keep copies
/// in them, and what was not written to its end has such a name too.
fn files(root: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    add_files(root, 0, &mut found).map_err(|error| {
        let message =
            format!("{} cannot be read: see that it is a directory that may be read", root.display());
        Error::unavailable("contracts_directory", message).caused_by(error)
    })?;
    found.sort();
    Ok(found)
}

fn add_files(directory: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if depth > DEEPEST {
        return Err(io::Error::other("directories lie too deep inside one another"));
    }
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
            continue;
        }
        if path.is_dir() {
            match add_files(&path, depth + 1, found) {
                Err(error) if is_gone(&error, &path) => {}
                other => other?,
            }
        } else if path.extension().is_some_and(|name| name == "yaml" || name == "yml") {
            found.push(path);
        }
    }
    Ok(())
}

/// Whatever else has such a name, such as a pipe, might never come to an end.
fn open(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    File::open(path)
}

/// Whether it was there a moment ago and is not now; a link that leads nowhere is still there.
fn is_gone(error: &io::Error, path: &Path) -> bool {
    error.kind() == io::ErrorKind::NotFound && path.symlink_metadata().is_err()
}

fn not_read(error: &io::Error) -> String {
    format!("it cannot be read: {error}")
}
