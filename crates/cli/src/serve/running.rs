//! The status file of a running server, and the command to reload it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value as Json, json};

use super::models;
use crate::config::Flags;
use crate::systems;
use hansang_command::{Failure, say};

/// The timeout of a reload.
const PATIENCE: Duration = Duration::from_secs(30);

/// The status file beside the data directory, removed when the server ends.
pub(super) struct Note {
    path: PathBuf,
    loads: u64,
}

impl Note {
    pub(super) fn new(data: &Path) -> Result<Self, Failure> {
        let note = Self { path: path(data), loads: 0 };
        note.write(None)?;
        Ok(note)
    }

    /// Writes the result of loading the models.
    pub(super) fn loaded(&mut self, problem: Option<&str>) {
        self.loads += 1;
        if let Err(Failure::Message { text, .. }) = self.write(problem) {
            say(&format!("hansang: {text}"));
        }
    }

    fn write(&self, problem: Option<&str>) -> Result<(), Failure> {
        let text = json!({ "pid": std::process::id(), "loads": self.loads, "problem": problem }).to_string();
        let draft = self.path.with_extension("serve.new");
        std::fs::write(&draft, text)
            .and_then(|()| std::fs::rename(&draft, &self.path))
            .map_err(|error| Failure::unwritable(&self.path, &error))
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// `hansang reload`: makes the server of this data directory reload its models, and prints the result.
pub(crate) fn reload(flags: Flags) -> Result<ExitCode, Failure> {
    let config = flags.resolve()?;
    let data: PathBuf = config.need("data", "a directory")?;
    // Problems of a model are reported here with their location, before the server is told to reload.
    let directory = config.get::<PathBuf>("models", "a directory")?;
    models::load(directory.as_deref())?;
    for system in systems::all() {
        system.check_settings(&config)?;
    }
    let before = read(&data)?;
    let pid = before["pid"].as_i64().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw);
    let gone = || none(&data);
    kill_process(pid.ok_or_else(gone)?, Signal::HUP).map_err(|_| gone())?;
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        let now = read(&data)?;
        if now["loads"] != before["loads"] {
            return match now["problem"].as_str() {
                None => {
                    say("loaded");
                    Ok(ExitCode::SUCCESS)
                }
                Some(problem) => Err(Failure::Message { text: problem.to_owned(), code: 1 }),
            };
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let text = "the server does not say that it has loaded its models: look into its log".to_owned();
    Err(Failure::Message { text, code: 5 })
}

fn read(data: &Path) -> Result<Json, Failure> {
    let text = std::fs::read_to_string(path(data)).map_err(|_| none(data))?;
    serde_json::from_str(&text).map_err(|_| none(data))
}

fn none(data: &Path) -> Failure {
    let text =
        format!("no server runs with the data directory {}: start one with `hansang serve`", data.display());
    Failure::Message { text, code: 3 }
}

fn path(data: &Path) -> PathBuf {
    let mut name = data.file_name().unwrap_or_default().to_owned();
    name.push(".serve");
    data.with_file_name(name)
}
