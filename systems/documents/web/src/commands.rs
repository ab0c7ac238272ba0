//! `hansang documents …`.

use std::io::Write;
use std::process::ExitCode;

use clap::ArgMatches;
use hansang_command::{Context, Failure};

/// The command with everything below it.
pub(crate) fn command() -> clap::Command {
    clap::Command::new("documents").about("Process documents")
}

/// Runs a command.
///
/// # Errors
/// If the command cannot do its work.
pub(crate) fn run(_: &ArgMatches, _: &Context, _: &mut dyn Write) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
