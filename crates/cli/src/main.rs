//! `hansang`: the command line. The only crate that reads the environment and picks adapters.

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use hansang_command::{Context, Failure};

mod config;
mod data;
mod languages;
mod model;
mod ports;
mod serve;
mod systems;
mod table;
mod target;
mod worker;

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
    /// Serve models over HTTP: an API for each, access control, health and numbers
    Serve(config::Flags),
    /// Run the background work of the systems, beside a server: any number of these may run
    Worker(worker::Arguments),
    /// Make a running server load its models, its files and its certificates again
    Reload(config::Flags),
    /// Print every English text of the program as the file of a language, for translators
    Texts,
    /// Print the settings that are in force, and where each came from
    Config(config::Flags),
}

fn main() -> ExitCode {
    let mut out = std::io::stdout().lock();
    let result = run(&mut out);
    let result = result.and_then(|code| out.flush().map(|()| code).map_err(Failure::from));
    match result {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

fn run(out: &mut impl Write) -> Result<ExitCode, Failure> {
    let systems = systems::all();
    let own = systems.iter().filter_map(|system| system.command());
    let matches = Cli::command().subcommands(own).get_matches();
    if let Some((name, matches)) = matches.subcommand() {
        let named = |command: &clap::Command| command.get_name() == name;
        if let Some(system) = systems.iter().find(|system| system.command().as_ref().is_some_and(named)) {
            let context = Context {
                clock: target::clock(),
                open_table: target::open_table,
                open_files: ports::open_files,
                open_cache: ports::open_cache,
            };
            return system.run(matches, &context, out);
        }
    }
    let Cli { command } = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match command {
        Command::Model(command) => model::run(command, out),
        Command::Table(command) => table::run(command, out),
        Command::Data(command) => data::run(command, out),
        Command::Serve(flags) => serve::run(flags),
        Command::Worker(arguments) => worker::run(arguments),
        Command::Reload(flags) => serve::reload(flags),
        Command::Texts => languages::print(out),
        Command::Config(flags) => serve::print(flags, out),
    }
}
