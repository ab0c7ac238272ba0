//! `hansang documents …`: projects and documents, in a store or behind a server.

use std::io::Write;
use std::process::ExitCode;

use clap::{ArgMatches, FromArgMatches as _, Subcommand};
use hansang_command::{Context, Failure};
use hansang_documents_adapters::read_as_child;

mod arguments;
mod change;
mod index;
mod place;
mod read;
mod send;

use arguments::{
    CacheArguments, Create, OfProject, OneDocument, Projects, ReadFile, Reprocess, Search, Upload,
};

/// Commands for documents.
#[derive(Subcommand)]
enum Command {
    /// Print the projects, newest first
    Projects(Projects),
    /// Create a project
    Create(Create),
    /// Upload files to a project
    ///
    /// Over a server an upload that was cut off goes on where it stopped. Exit code 1 if a file could not be uploaded.
    Upload(Upload),
    /// Print the documents of a project, newest first
    List(OfProject),
    /// Print a document with the steps of its last run
    Show(OneDocument),
    /// Print the text of a document
    Text(OneDocument),
    /// Process a document again that is completed or failed
    ///
    /// Exit code 4 while it is being processed.
    Reprocess(Reprocess),
    /// Search the documents of a project
    Search(Search),
    /// Build the search index of a store again; no server may run on it
    RebuildIndex(index::Rebuild),
    /// Print the statistics of a server's cache, after dropping a list
    Cache(CacheArguments),
    /// Reads a file in a process of its own, for the built-in processor
    #[command(hide = true)]
    ReadFile(ReadFile),
}

/// The command with everything below it.
pub(crate) fn command() -> clap::Command {
    Command::augment_subcommands(clap::Command::new("documents"))
        .about("Documents: projects, uploads, texts, processing and search")
        .subcommand_required(true)
        .arg_required_else_help(true)
}

/// Runs a command.
///
/// # Errors
/// If the place cannot be opened, or the command cannot do its work.
pub(crate) fn run(matches: &ArgMatches, context: &Context, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let command = Command::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
    if let Command::ReadFile(ask) = &command {
        return Ok(read_as_child(&ask.request));
    }
    tokio::runtime::Runtime::new()?.block_on(async {
        let done = match command {
            Command::Projects(ask) => read::projects(&ask, context, out).await,
            Command::Create(ask) => change::create(&ask, context, out).await,
            Command::Upload(ask) => return send::upload(&ask, context, out).await,
            Command::List(ask) => read::list(&ask, context, out).await,
            Command::Show(ask) => read::show(&ask, context, out).await,
            Command::Text(ask) => read::text(&ask, context, out).await,
            Command::Reprocess(ask) => change::reprocess(&ask, context, out).await,
            Command::Search(ask) => index::search(&ask, context, out).await,
            Command::RebuildIndex(ask) => index::rebuild(&ask, context, out).await,
            Command::Cache(ask) => change::cache(&ask, out).await,
            Command::ReadFile(_) => Ok(()),
        };
        done.map(|()| ExitCode::SUCCESS)
    })
}
