//! The files of a directory, checked each time and read again only if they changed.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use hansang_core::message::{Argument, Join};
use hansang_core::validate::violation;
use hansang_core::{Error, Message, message};

use super::file::{ContractFile, FileContract, text_of};
use crate::checksum::checksum;
use crate::messages::{errors, specs};
use crate::{Contract, ContractCode, ContractError, ContractRef, Header};

/// Reads every contract of a directory and its subdirectories. File names do not matter.
///
/// # Errors
/// If the directory cannot be read. Problems with a file are in its [`ContractFile`].
pub fn read_directory(directory: &Path) -> Result<Vec<ContractFile>, Error> {
    let read = |path: PathBuf| match open(&path).and_then(text_of) {
        Err(error) if is_gone(&error, &path) => None,
        Err(error) => Some(ContractFile::unreadable(path, not_read(&error))),
        Ok(text) => Some(ContractFile::read(path, &text)),
    };
    Ok(files(directory)?.into_iter().filter_map(read).collect())
}

/// A directory of contracts with a cache of its files.
#[derive(Debug)]
pub(super) struct Directory {
    pub(super) root: PathBuf,
    known: Mutex<HashMap<PathBuf, Known>>,
}

/// A cached file.
#[derive(Debug)]
struct Known {
    stamp: Stamp,
    /// Whether any later change will show in the stamp.
    settled: bool,
    entry: Arc<Entry>,
}

#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

/// A file and its contract.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The path relative to the directory.
    pub(super) location: String,
    /// The text, as far as it could be read.
    pub(super) text: Arc<str>,
    pub(super) file: ContractFile,
    pub(super) header: Result<Header, ContractError>,
    pub(super) contract: Result<Arc<Contract>, ContractError>,
}

impl Directory {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root, known: Mutex::default() }
    }

    /// Reads the directory, sorted by path.
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
        entries.sort_by(|one, other| one.location.cmp(&other.location));
        reject_duplicates(&mut entries);
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
        let location =
            file.path.strip_prefix(&self.root).unwrap_or(&file.path).to_string_lossy().into_owned();
        let (header, contract) = match &file.contract {
            Ok(contract) => (listed(contract), checked(contract)),
            Err(problems) => {
                let problems = Message::join(Join::Semicolon, problems.iter().cloned());
                let error = broken(file.reference.as_ref(), &location, problems);
                (Err(error.clone()), Err(error))
            }
        };
        Entry { location, text: text.into(), file, header, contract }
    }
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self { length: metadata.len(), modified: metadata.modified().ok() }
    }

    /// Timestamps of file systems are coarse: a file that changed just now can change again with the same stamp.
    fn is_settled(&self, now: SystemTime) -> bool {
        const STEP: Duration = Duration::from_secs(2);
        let age = self.modified.and_then(|modified| now.duration_since(modified).ok());
        age.is_some_and(|age| age > STEP)
    }
}

/// The header of a version, its checksum not verified.
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

/// The header for lists; an invalid checksum is an error.
fn listed(contract: &FileContract) -> Result<Header, ContractError> {
    let header = header(contract)?;
    let bare = header.checksum.strip_prefix("sha256:").unwrap_or(&header.checksum);
    if bare.len() == 64 && bare.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return Ok(header);
    }
    let reason = violation("checksum", message!(specs::NOT_A_CHECKSUM)).message();
    Err(ContractError::Integrity { reference: header.reference, reason })
}

/// Verifies a version like one of a store. A file may have no checksum.
fn checked(contract: &FileContract) -> Result<Arc<Contract>, ContractError> {
    Contract::checked(header(contract)?, contract.spec.clone()).map(Arc::new)
}

/// The error of an unreadable file, which could be any contract if its name cannot be read.
fn broken(reference: Option<&ContractRef>, location: &str, problem: Message) -> ContractError {
    match reference {
        Some(reference) => ContractError::Corrupted {
            reference: reference.clone(),
            reason: message!(errors::FILE_PROBLEM, location, problem),
        },
        None => {
            let message = message!(errors::FILE_UNREADABLE, location, problem);
            ContractError::Refused(Error::invalid(ContractCode::ContractUnreadable, message))
        }
    }
}

/// Marks versions that are in several files as corrupted.
fn reject_duplicates(entries: &mut [Arc<Entry>]) {
    let mut locations: HashMap<ContractRef, Vec<String>> = HashMap::with_capacity(entries.len());
    for entry in &*entries {
        if let Some(reference) = &entry.file.reference {
            locations.entry(reference.clone()).or_default().push(entry.location.clone());
        }
    }
    for entry in entries {
        let Some(reference) = &entry.file.reference else { continue };
        if let Some(locations) = locations.get(reference).filter(|locations| locations.len() > 1) {
            let reason = message!(errors::IN_SEVERAL_FILES, Argument::list(locations));
            let error = ContractError::Corrupted { reference: reference.clone(), reason };
            let (header, contract) = (Err(error.clone()), Err(error));
            *entry = Arc::new(Entry { header, contract, ..Entry::clone(entry) });
        }
    }
}

/// The maximum depth of subdirectories, which ends a cycle of links.
const MAX_DEPTH: usize = 16;

/// Lists the YAML files, sorted by path. Skips hidden files: copies of editors and mounts, and unfinished writes.
fn files(root: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    add_files(root, 0, &mut found).map_err(|error| {
        let message = message!(errors::DIRECTORY_UNREADABLE, root.display().to_string());
        Error::unavailable(ContractCode::ContractsDirectory, message).caused_by(error)
    })?;
    found.sort();
    Ok(found)
}

fn add_files(directory: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if depth > MAX_DEPTH {
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

/// Opens regular files only, because reading a pipe might never end.
fn open(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    File::open(path)
}

/// Whether the file was just deleted; a dangling link is not.
fn is_gone(error: &io::Error, path: &Path) -> bool {
    error.kind() == io::ErrorKind::NotFound && path.symlink_metadata().is_err()
}

fn not_read(error: &io::Error) -> Message {
    message!(errors::READ_FAILED, error.to_string())
}
