//! `hansang entry …`: commands for events that need no server.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgMatches, Args, FromArgMatches as _, Subcommand};
use hansang_core::message;
use hansang_entry::lottery::{Proof, verify};
use hansang_entry::messages;

use hansang_command::Failure;

/// Commands for events.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Draw a lottery again from its published proof, and compare
    ///
    /// Needs nothing but the file, which the page of the event gives. Exit code 4 if the draw was not what
    /// was promised, or if the given request did not take part.
    VerifyDraw(VerifyDraw),
}

/// Arguments of `verify-draw`.
#[derive(Args)]
pub(crate) struct VerifyDraw {
    /// The proof as JSON; `-` reads the standard input
    file: PathBuf,
    /// Say also whether this request won; it is a failure if it did not take part
    #[arg(long, value_name = "ID")]
    request: Option<String>,
    /// The hash of the seed as you wrote it down before the event opened
    #[arg(long, value_name = "HEX")]
    seed_hash: Option<String>,
    /// The hash of the entries as you wrote it down before the results were announced
    #[arg(long, value_name = "HEX")]
    entries_hash: Option<String>,
}

/// The command for the command line.
pub(crate) fn command() -> clap::Command {
    Command::augment_subcommands(clap::Command::new("entry"))
        .about("Events that people enter: draw a lottery again")
        .subcommand_required(true)
        .arg_required_else_help(true)
}

/// Runs a command.
pub(crate) fn run(matches: &ArgMatches, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let Command::VerifyDraw(ask) = Command::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
    let text = if ask.file.as_os_str() == "-" {
        std::io::read_to_string(std::io::stdin())?
    } else {
        std::fs::read_to_string(&ask.file)
            .map_err(|error| Failure::usage(format!("cannot read {}: {error}", ask.file.display())))?
    };
    let proof: Proof = serde_json::from_str(&text).map_err(|error| {
        Failure::usage(format!("{} is not the proof of a draw: {error}", ask.file.display()))
    })?;
    let mut problems = verify(&proof);
    if ask.seed_hash.as_ref().is_some_and(|hash| !hash.eq_ignore_ascii_case(&proof.seed_hash)) {
        problems.push(message!(messages::SEED_HASH_MISMATCH));
    }
    if ask.entries_hash.as_ref().is_some_and(|hash| !hash.eq_ignore_ascii_case(&proof.entries_hash)) {
        problems.push(message!(messages::ENTRIES_HASH_MISMATCH));
    }
    writeln!(
        out,
        "{}: {} entries, {} of {} places drawn",
        proof.event_id,
        proof.entries.len(),
        proof.winning.len(),
        proof.winners
    )?;
    if let Some(id) = &ask.request {
        let took_part = proof.entries.contains(id);
        let place = proof.winning.iter().position(|winner| winner == id);
        match place {
            Some(place) => writeln!(out, "{id} won, as number {}", place + 1)?,
            None if took_part => writeln!(out, "{id} took part and did not win")?,
            None => problems.push(message!(messages::DID_NOT_TAKE_PART, id)),
        }
    }
    for problem in &problems {
        writeln!(out, "wrong: {problem}")?;
    }
    if problems.is_empty() {
        writeln!(out, "the draw is what was promised: the same seed and entries give the same winners")?;
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::from(4))
}
