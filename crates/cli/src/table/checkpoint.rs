//! Checkpoints, which let long work resume after an interruption.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use hansang_command::Failure;

/// A small file beside the output, replaced atomically.
pub(super) struct Checkpoint {
    path: PathBuf,
}

impl Checkpoint {
    /// The checkpoint of a kind of work on a file.
    pub(super) fn beside(file: &Path, what: &str) -> Self {
        let mut name = file.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{what}-progress"));
        Self { path: file.with_file_name(name) }
    }

    /// The position of the interrupted work, if there is one.
    pub(super) fn load(&self) -> Result<Option<Json>, Failure> {
        match fs::read(&self.path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|_| {
                let path = self.path.display();
                Failure::usage(format!("{path} is damaged: remove it to start from the beginning"))
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::unreadable(&self.path, &error)),
        }
    }

    pub(super) fn save(&self, progress: &Json) -> Result<(), Failure> {
        let draft = self.path.with_extension("new");
        let write = || {
            let mut file = File::create(&draft)?;
            file.write_all(progress.to_string().as_bytes())?;
            file.sync_all()?;
            fs::rename(&draft, &self.path)
        };
        write().map_err(|error| Failure::unwritable(&self.path, &error))
    }

    pub(super) fn remove(&self) -> Result<(), Failure> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Failure::unwritable(&self.path, &error))
            }
            _ => Ok(()),
        }
    }
}
