//! Looks for damage in the files of the engine before it opens them. The engine would drop the rest of a
//! damaged journal, create missing files anew, and remove directories that it does not know.

use std::fs;
use std::io;
use std::path::Path;

use hansang_core::StoreError;
use xxhash_rust::xxh3::xxh3_128;

use crate::engine::{ENGINE_DIRECTORY, unavailable};
use crate::journal::{self, Journal, Tail};
use crate::state::{State, damaged};

/// Keyspace directory of the engine's own records.
const META: &str = "0";

/// Checks everything that must be there. Returns the journals, oldest first.
pub(crate) fn inspect(directory: &Path, state: &State) -> Result<Vec<Journal>, StoreError> {
    let engine = directory.join(ENGINE_DIRECTORY);
    if state.keyspaces.is_empty() && !engine.join("version").exists() {
        return Ok(Vec::new());
    }
    let failed = |problem: Problem| match problem {
        Problem::Damage(text) => damaged(directory, &text),
        Problem::Io(cause) => {
            unavailable(format!("{} cannot be opened: {cause}", directory.display()), cause)
        }
    };
    inspect_keyspaces(&engine, state).map_err(failed)?;
    let journals = inspect_journals(&engine).map_err(failed)?;
    if !state.keyspaces.is_empty() {
        state.check_journals(&journals).map_err(|problem| damaged(directory, &problem))?;
    }
    Ok(journals)
}

enum Problem {
    Damage(String),
    Io(io::Error),
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Checks that every keyspace is there and that its list of tables is as it was written.
fn inspect_keyspaces(engine: &Path, state: &State) -> Result<(), Problem> {
    let damage = |problem: String| Err(Problem::Damage(problem));
    if !engine.join("version").exists() {
        return damage("store/version is missing".to_owned());
    }
    let known = state.keyspaces.iter().map(|(name, directory)| (name.as_str(), directory.as_str()));
    for (name, directory) in known.chain([("meta", META)]) {
        let path = engine.join("keyspaces").join(directory);
        let current = match fs::read(path.join("current")) {
            Ok(bytes) => bytes,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                return damage(format!("the keyspace {name} (store/keyspaces/{directory}) is missing"));
            }
            Err(cause) => return Err(cause.into()),
        };
        // Number of the version, its checksum, and the kind of checksum.
        let Some((number, rest)) = current.split_first_chunk::<8>() else {
            return damage(format!("store/keyspaces/{directory}/current is too short"));
        };
        let version = format!("v{}", u64::from_le_bytes(*number));
        let holds = match fs::read(path.join(&version)) {
            Ok(bytes) => rest == [&xxh3_128(&bytes).to_le_bytes()[..], &[0]].concat(),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => false,
            Err(cause) => return Err(cause.into()),
        };
        if !holds {
            return damage(format!("store/keyspaces/{directory}/{version} does not match its checksum"));
        }
    }
    Ok(())
}

/// Checks that no journal is missing between others, and that only the last batch is torn.
fn inspect_journals(engine: &Path) -> Result<Vec<Journal>, Problem> {
    let mut journals: Vec<Journal> = Vec::new();
    let mut last = None;
    for (number, path) in journal::list(engine)? {
        let damage = |problem: &str| Err(Problem::Damage(format!("store/{number}.jnl {problem}")));
        let journal = journal::read(number, &path)?;
        let before = journals.last();
        if before.is_some_and(|before| before.number + 1 != number) {
            return damage("follows one that is missing");
        }
        let disordered = last.zip(journal.first).is_some_and(|(last, first)| !journal::follows(last, first));
        let torn = before.is_some_and(|before| before.tail == Tail::Torn) && journal.first.is_some();
        if journal.tail == Tail::Damaged || disordered || torn {
            return damage("holds a commit that was complete and cannot be read");
        }
        last = journal.last.or(last);
        journals.push(journal);
    }
    Ok(journals)
}
