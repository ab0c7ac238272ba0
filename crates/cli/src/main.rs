//! `hansang`: the command line. The only crate that reads the environment and picks adapters.

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod config;
mod connection;
mod contracts;
mod data;
mod entry;
mod failure;
mod model;
mod ports;
mod progress;
mod serve;
mod table;
mod target;
mod worker;

use failure::Failure;

/// Blocks and items come and go by the million: with ten million items a query took about half, and
/// a get two thirds, of the time that they took with the allocator of the system.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Declare a single-table design once, and have it served complete.
#[derive(Parser)]
#[command(name = "hansang", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check, explain, document, export and compare model files
    #[command(subcommand, arg_required_else_help = true)]
    Model(model::Command),
    /// Make tables, move their items in and out, and check them
    #[command(subcommand, arg_required_else_help = true)]
    Table(table::Command),
    #[command(flatten)]
    Data(data::Command),
    /// The registry of contracts: seed, read, promote, compare and check its versions
    #[command(subcommand, arg_required_else_help = true)]
    Contracts(contracts::Command),
    /// Events that people enter: draw a lottery again
    #[command(subcommand, arg_required_else_help = true)]
    Entry(entry::Command),
    /// Serve models over HTTP: an API for each, access control, health and numbers
    Serve(config::Flags),
    /// Decide what is queued, beside a server: any number of these may run
    Worker(worker::Arguments),
    /// Have a running server load its models, contracts and certificates again
    Reload(config::Flags),
    /// Print the settings that are in force, and where each came from
    Config(config::Flags),
}

fn main() -> ExitCode {
    let Cli { command } = Cli::parse();
    let mut out = std::io::stdout().lock();
    let result = match command {
        Command::Model(command) => model::run(command, &mut out),
        Command::Table(command) => table::run(command, &mut out),
        Command::Data(command) => data::run(command, &mut out),
        Command::Contracts(command) => contracts::run(command, &mut out),
        Command::Entry(command) => entry::run(command, &mut out),
        Command::Serve(flags) => serve::run(flags),
        Command::Worker(arguments) => worker::run(arguments),
        Command::Reload(flags) => serve::reload(flags),
        Command::Config(flags) => serve::print(flags, &mut out),
    };
    let result = result.and_then(|code| out.flush().map(|()| code).map_err(Failure::from));
    match result {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
