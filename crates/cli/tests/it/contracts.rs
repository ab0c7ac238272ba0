//! `hansang contracts …` on every kind of registry.

mod commands;
mod dynamodb;
mod refusals;
mod remote;
mod seeding;
mod switch;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

use crate::data::{command, finish, refused, succeeded};
use crate::serve::{self, Server};
use crate::table;

/// The contracts that come with Hansang.
const EXAMPLES: &str = "examples/contracts";

/// A registry, and ways to run commands on it.
pub(crate) struct Setup {
    folder: tempfile::TempDir,
    /// The arguments that select the registry.
    location: Vec<String>,
    /// The name of the registry in messages.
    name: String,
    /// The arguments for the author of a status change; none for a server, which knows it.
    by: &'static [&'static str],
    _server: Option<Server>,
}

impl Setup {
    /// A table of its own in a data directory.
    fn embedded() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data").to_str().unwrap().to_owned();
        Self::table(folder, vec!["--data".to_owned(), data], "dev")
    }

    /// A table of its own at an endpoint, by its environment.
    fn dynamodb(endpoint: &str, env: &str) -> Self {
        let location =
            ["--store", "dynamodb", "--region", "eu-central-1", "--endpoint-url", endpoint, "--env", env];
        Self::table(tempfile::tempdir().unwrap(), location.map(str::to_owned).to_vec(), env)
    }

    fn table(folder: tempfile::TempDir, location: Vec<String>, env: &str) -> Self {
        let name = format!("ivm-lite-schema-registry-{env}");
        let made = Self { folder, location, name, by: &["--by", "kim"], _server: None };
        let mut command = command();
        command.args(["table", "create", "contracts"]).args(&made.location);
        let (code, _, err) = finish(command, "");
        assert_eq!((code, err.as_str()), (0, ""));
        made
    }

    /// A directory of files.
    fn files() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("contracts");
        fs::create_dir(&directory).unwrap();
        let name = directory.to_str().unwrap().to_owned();
        let location = vec!["--from".to_owned(), name.clone()];
        Self { folder, location, name, by: &["--by", "kim"], _server: None }
    }

    /// A running server.
    fn server() -> Self {
        let (folder, data) = serve::temporary_data();
        let server = Server::start(&data, &[]);
        let token = server.token();
        let location = ["--server", &server.address, "--token", &token].map(str::to_owned).to_vec();
        let name = format!("{}/", server.address);
        Self { folder, location, name, by: &[], _server: Some(server) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A file with this text.
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command();
        command.arg("contracts").args(arguments).args(&self.location);
        command
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        finish(self.command(arguments), "")
    }

    /// The output of a command, which must succeed without messages.
    fn ok(&self, arguments: &[&str]) -> String {
        succeeded(arguments, self.run(arguments))
    }

    fn json(&self, arguments: &[&str]) -> Json {
        serde_json::from_str(&self.ok(arguments)).unwrap()
    }

    /// The exit code and message of a command that must fail before it prints anything.
    fn refused(&self, arguments: &[&str]) -> (i32, String) {
        refused(arguments, self.run(arguments))
    }

    /// Seeds the examples.
    fn seeded(self) -> Self {
        let said = self.ok(&["seed", EXAMPLES, "--created-by", "seed"]);
        assert_eq!(said, "uploaded 12, skipped 0, conflicts 0, errors 0\n");
        self
    }

    /// Everything that is registered, one version per line.
    fn everything(&self) -> String {
        let kinds = self.ok(&["kinds"]);
        let mut lines: Vec<String> = kinds
            .lines()
            .flat_map(|kind| self.ok(&["list", kind, "--all"]).lines().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        lines.sort();
        lines.join("\n")
    }
}

/// One change set, as a file.
fn change_set(version: &str, status: &str, format: &str) -> String {
    format!(
        "kind: CHANGESET\nid: c\nversion: {version}\nstatus: {status}\n\
         identity: {{ entityKeyFormat: \"{format}\" }}\n\
         payload: {{ externalizationPolicy: {{ thresholdBytes: 10 }} }}\nfanout: {{ enabled: false }}\n"
    )
}

/// The names of the files in a directory.
fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A dynoxide that all tests share.
fn endpoint() -> &'static str {
    table::endpoint()
}
