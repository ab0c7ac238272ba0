//! The file `hansang.json` of a data directory: its format, and everything that must be found in it.
//!
//! The engine takes a missing keyspace or journal for one that never existed, and starts empty. This file is
//! compared with the directory before the engine opens it, so that damage is reported and nothing is removed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use hansang_core::{CoreCode, Error, StoreError, message};
use serde_json::{Value as Json, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::journal::Journal;
use crate::messages;

/// Version of the on-disk format. Version 1 had no checksums of records and no state.
const FORMAT: u64 = 2;
const MARKER: &str = "hansang.json";
const DRAFT: &str = "hansang.json.new";

/// Everything that must be found in a data directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// Directory of each keyspace, by name.
    pub(crate) keyspaces: BTreeMap<String, String>,
    /// Number of the last checkpoint, which is also a record in the engine.
    pub(crate) checkpoint: u64,
    /// Number of the newest journal.
    pub(crate) journal: u64,
    /// Journals at the time of closing: number, end and last sequence number. `None` while it is open.
    pub(crate) closed: Option<Vec<(u64, u64, Option<u64>)>>,
    /// Latest trusted time in seconds, or zero.
    pub(crate) time: i64,
    /// Whether records may lack checksums, because the directory was in format 1.
    pub(crate) unsealed: bool,
    /// Facts that outlive the loss of the records that they are about.
    pub(crate) facts: BTreeSet<String>,
}

impl State {
    /// Reads the state of a directory. Creates an empty directory, and begins the state of one in format 1.
    pub(crate) fn load(directory: &Path) -> Result<Self, StoreError> {
        let shown = directory.display();
        let io = |cause: io::Error| {
            crate::engine::unavailable(format!("{shown} cannot be used as a data directory: {cause}"), cause)
        };
        fs::create_dir_all(directory).map_err(io)?;
        let text = match fs::read(directory.join(MARKER)) {
            Ok(text) => text,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                // A crash may have left the draft of the first state.
                let _ = fs::remove_file(directory.join(DRAFT));
                if fs::read_dir(directory).map_err(io)?.next().is_some() {
                    let message = message!(messages::NOT_A_DATA_DIRECTORY, shown.to_string());
                    return Err(Error::invalid(CoreCode::NotADataDirectory, message).into());
                }
                let state = Self::default();
                state.save(directory)?;
                return Ok(state);
            }
            Err(cause) => return Err(io(cause)),
        };
        let json: Json = serde_json::from_slice(&text).unwrap_or_default();
        let refused = |message| Err(Error::invalid(CoreCode::NewerFormat, message).into());
        let shown = shown.to_string();
        match json["format"].as_u64() {
            Some(1) => Ok(Self { unsealed: true, ..Self::default() }),
            Some(FORMAT) => Self::from_json(&json)
                .ok_or_else(|| damaged(directory, "hansang.json does not match its checksum")),
            Some(newer) if newer > FORMAT => refused(message!(messages::NEWER_FORMAT, shown, newer, FORMAT)),
            Some(unknown) => refused(message!(messages::UNKNOWN_FORMAT, shown, unknown, FORMAT)),
            None => Err(damaged(directory, "hansang.json is not JSON with a format")),
        }
    }

    /// Writes the state, replacing the file at once.
    pub(crate) fn save(&self, directory: &Path) -> Result<(), StoreError> {
        let (state, draft) = (self.to_json(), directory.join(DRAFT));
        let text = json!({ "format": FORMAT, "state": state, "checksum": checksum(&state) });
        let write = || {
            let mut file = File::create(&draft)?;
            writeln!(file, "{text:#}")?;
            file.sync_all()?;
            fs::rename(&draft, directory.join(MARKER))?;
            File::open(directory)?.sync_all()
        };
        write().map_err(|cause: io::Error| {
            let message = format!("{} cannot be used as a data directory: {cause}", directory.display());
            crate::engine::unavailable(message, cause)
        })
    }

    /// Compares the journals with those of the last closing. Returns the problem.
    pub(crate) fn check_journals(&self, journals: &[Journal]) -> Result<(), String> {
        let Some(newest) = journals.last() else { return Err("the journal is missing".to_owned()) };
        if newest.number < self.journal {
            return Err(format!("the journal {} is missing", self.journal));
        }
        let found: Vec<_> = journals.iter().map(|one| (one.number, one.end, one.last)).collect();
        match &self.closed {
            Some(closed) if *closed != found => Err(format!(
                "the journals changed since it was closed: {found:?} instead of {closed:?} (number, end, last commit)"
            )),
            _ => Ok(()),
        }
    }

    fn to_json(&self) -> Json {
        json!({
            "keyspaces": self.keyspaces, "checkpoint": self.checkpoint, "journal": self.journal,
            "closed": self.closed, "time": self.time, "unsealed": self.unsealed, "facts": self.facts,
        })
    }

    fn from_json(json: &Json) -> Option<Self> {
        let state = &json["state"];
        if json["checksum"].as_str()? != checksum(state) {
            return None;
        }
        let text = |json: &Json| json.as_str().map(str::to_owned);
        let closed = |one: &Json| Some((one[0].as_u64()?, one[1].as_u64()?, one[2].as_u64()));
        Some(Self {
            keyspaces: state["keyspaces"]
                .as_object()?
                .iter()
                .map(|(name, directory)| Some((name.clone(), text(directory)?)))
                .collect::<Option<_>>()?,
            checkpoint: state["checkpoint"].as_u64()?,
            journal: state["journal"].as_u64()?,
            closed: match &state["closed"] {
                Json::Array(journals) => Some(journals.iter().map(closed).collect::<Option<_>>()?),
                _ => None,
            },
            time: state["time"].as_i64()?,
            unsealed: state["unsealed"].as_bool()?,
            facts: state["facts"].as_array()?.iter().map(text).collect::<Option<_>>()?,
        })
    }
}

fn checksum(state: &Json) -> String {
    format!("{:016x}", xxh3_64(format!("{FORMAT}{state}").as_bytes()))
}

/// The error for a directory that lacks something or holds something else than it did.
pub(crate) fn damaged(directory: &Path, problem: &str) -> StoreError {
    let directory = directory.display();
    StoreError::unavailable(format!(
        "{directory} is damaged and was not changed: {problem}. Restore a backup"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_written_and_no_flip_goes_unnoticed() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(State::load(directory.path()).unwrap(), State::default());
        let state = State {
            keyspaces: BTreeMap::from([("tables".to_owned(), "3".to_owned())]),
            checkpoint: 7,
            journal: 2,
            closed: Some(vec![(1, 100, None), (2, 0, Some(9))]),
            time: -4,
            unsealed: true,
            facts: BTreeSet::from(["한상".to_owned()]),
        };
        state.save(directory.path()).unwrap();
        assert_eq!(State::load(directory.path()).unwrap(), state);
        let bytes = fs::read(directory.path().join(MARKER)).unwrap();
        for position in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[position / 8] ^= 1 << (position % 8);
            fs::write(directory.path().join(MARKER), flipped).unwrap();
            // A flip may turn white space into other white space, or the format into 1's neighbour.
            if let Ok(read) = State::load(directory.path()) {
                assert_eq!(read, state, "bit {position}");
            }
        }
    }
}
