//! Tests of the command line, and of rules for the whole repository.

#![allow(clippy::unwrap_used, reason = "a test that panics says where")]
#![allow(clippy::disallowed_methods, reason = "tests are told by the environment to rewrite generated pages")]

mod arrows;
mod attack;
mod backup;
mod boto3;
mod browser;
mod contracts;
mod data;
mod documents;
mod entry;
mod faults;
mod languages;
mod ledger;
mod migration;
mod model;
mod pages;
mod port;
mod requirements;
mod serve;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Runs `hansang` at the root of the repository: exit code, standard output, standard error.
fn hansang(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hansang"));
    // Credentials for local endpoints, which accept any.
    command.env("AWS_ACCESS_KEY_ID", "test").env("AWS_SECRET_ACCESS_KEY", "test");
    let output = command.args(arguments).current_dir(root()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}
