//! `hansang contracts …`: the registry, in a store, behind a server, or in a directory of files.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, Args, FromArgMatches as _, Subcommand};
use hansang_command::{Context, Failure, Purpose, ServerArguments, StoreArguments};
use hansang_contracts::ContractError;
use hansang_contracts::{
    ContractRef, ContractRegistry, Kind, MODEL, StoreRegistry, Wanted, YamlRegistry, contract_id,
    contract_version,
};
use hansang_core::{Error, compile};

mod change;
mod differ;
mod read;
mod remote;
mod show;
mod whole;

use remote::Remote;

/// Commands for contracts.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Register every contract of a directory of YAML files
    ///
    /// What is there already is skipped. Exit code 4 if a version is there with another content, which stays
    /// as it is; 5 if the registry could not be asked; 1 if anything else could not be registered.
    Seed(whole::Seed),
    /// Check every version against its checksum
    ///
    /// Lists what is wrong; exit code 4 if anything is.
    Verify(whole::Verify),
    /// List where the registry and a directory of YAML files differ
    ///
    /// Exit code 4 if they do.
    Compare(whole::Compare),
    /// Print a version
    ///
    /// Exit code 3 if there is none, 4 if it is not what was registered.
    Get(read::Get),
    /// Print the versions of a kind, a page at a time or all of them
    List(read::List),
    /// Print the highest active version of a contract
    Latest(read::Latest),
    /// List all versions of a contract, in their order
    Versions(Contract),
    /// Register the contract of a YAML file, and print what is known of it
    Register(change::Register),
    /// Serve a draft from now on, if it and what it names are right
    Promote(change::Promote),
    /// Serve a version with a warning from now on
    Deprecate(change::Move),
    /// Serve a deprecated version without a warning again
    Restore(change::Restore),
    /// List what is different between two versions
    Diff(differ::Diff),
    /// Say whether a version may follow another: what changed, and which step that needs
    ///
    /// Exit code 4 if the step is too small.
    Check(differ::Check),
    /// List the status changes of a version, the first one first
    History(read::History),
    /// List the versions that name a contract
    Referrers(Contract),
    /// Print the compatibility rule of everything, of a kind or of a contract, or set it
    ///
    /// Within a major version, versions must follow the rule to become active. That of a contract counts before that of its
    /// kind, and that before the one of everything.
    Rule(change::Rule),
    /// List the kinds of which there are contracts
    Kinds {
        #[command(flatten)]
        registry: RegistryArguments,
    },
    /// Clear the cache of a running server, so that it reads the registry again
    Invalidate(change::Invalidate),
}

/// A contract without a version.
#[derive(Args)]
pub(crate) struct Contract {
    /// The kind, such as CHANGESET or ChangeSetContract
    kind: Kind,
    /// The id
    #[arg(value_parser = contract_id)]
    id: Arc<str>,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// The registry of a command: a store, a server, or a directory.
#[derive(Args)]
pub(crate) struct RegistryArguments {
    #[command(flatten)]
    store: StoreArguments,
    #[command(flatten)]
    server: ServerArguments,
    /// A directory of YAML files to ask in the place of a store
    #[arg(long, value_name = "DIR", conflicts_with_all =
        ["store", "data", "env", "endpoint_url", "region", "profile", "server"])]
    from: Option<PathBuf>,
}

/// The opened registry.
struct Source {
    registry: Arc<dyn ContractRegistry>,
    /// The server, if there is one, for operations that only a server has.
    server: Option<Arc<Remote>>,
    /// The name of the registry in messages.
    name: String,
}

/// Converts an error of the registry to that of a command.
pub(crate) fn failure(error: ContractError) -> Failure {
    Error::from(error).into()
}

impl RegistryArguments {
    async fn open(&self, context: &Context) -> Result<Source, Failure> {
        if let Some(connection) = self.server.connect()? {
            let remote = Arc::new(Remote::new(connection));
            let name = remote.address();
            return Ok(Source { registry: remote.clone(), server: Some(remote), name });
        }
        if let Some(directory) = &self.from {
            let registry = Arc::new(YamlRegistry::open(directory.clone(), context.clock.clone())?);
            return Ok(Source { registry, server: None, name: directory.display().to_string() });
        }
        let model = compile(MODEL.as_bytes()).map_err(|_| Failure::internal("the model of contracts"))?;
        let db = (context.open_table)(model, self.store.clone(), Purpose::Items).await?;
        let name = db.table().name.clone();
        Ok(Source { registry: Arc::new(StoreRegistry::new(db)), server: None, name })
    }
}

/// The command for the command line.
pub(crate) fn command() -> clap::Command {
    Command::augment_subcommands(clap::Command::new("contracts"))
        .about("The registry of contracts: seed, read, promote, compare and check its versions")
        .subcommand_required(true)
        .arg_required_else_help(true)
}

/// Runs a command.
pub(crate) fn run(matches: &ArgMatches, context: &Context, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let command = Command::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
    tokio::runtime::Runtime::new()?.block_on(async {
        let done = match command {
            Command::Seed(ask) => return whole::seed(&ask, context, out).await,
            Command::Verify(ask) => return whole::verify(&ask, context, out).await,
            Command::Compare(ask) => return whole::compare(&ask, context, out).await,
            Command::Check(ask) => return differ::check(&ask, context, out).await,
            Command::Get(ask) => read::get(&ask, context, out).await,
            Command::List(ask) => read::list(&ask, context, out).await,
            Command::Latest(ask) => read::latest(&ask, context, out).await,
            Command::Versions(ask) => read::versions(&ask, context, out).await,
            Command::History(ask) => read::history(&ask, context, out).await,
            Command::Referrers(ask) => read::referrers(&ask, context, out).await,
            Command::Kinds { registry } => read::kinds(&registry, context, out).await,
            Command::Register(ask) => change::register(&ask, context, out).await,
            Command::Promote(ask) => change::promote(&ask, context, out).await,
            Command::Deprecate(ask) => change::deprecate(&ask, context, out).await,
            Command::Restore(ask) => change::restore(&ask, context, out).await,
            Command::Rule(ask) => change::rule(&ask, context, out).await,
            Command::Diff(ask) => differ::diff(&ask, context, out).await,
            Command::Invalidate(ask) => change::invalidate(&ask, context, out).await,
        };
        done.map(|()| ExitCode::SUCCESS)
    })
}
