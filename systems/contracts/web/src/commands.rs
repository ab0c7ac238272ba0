//! `hansang contracts …`: the registry, in a store, behind a server, or in a directory of files.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use hansang_contracts::{
    ContractRef, ContractRegistry, Kind, MODEL, StoreRegistry, Wanted, YamlRegistry, contract_id,
    contract_version,
};
use hansang_core::Model;

use crate::connection::ServerArguments;
use crate::failure::Failure;
use crate::model::source;
use crate::target::{Purpose, Target, Where, clock};

mod change;
mod differ;
mod read;
mod remote;
mod show;
mod whole;

use remote::Remote;

/// What to do with contracts.
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
    Restore(change::Move),
    /// List what is different between two versions
    Diff(differ::Diff),
    /// Say whether a version may follow another: what changed, and which step that needs
    ///
    /// Exit code 4 if the step is too small.
    Check(differ::Check),
    /// List the versions that name a contract
    Referrers(Contract),
    /// List the kinds of which there are contracts
    Kinds {
        #[command(flatten)]
        place: Place,
    },
    /// Have a running server forget what it remembers, so that it reads the registry again
    Invalidate(change::Invalidate),
}

/// A contract, whichever version.
#[derive(Args)]
pub(crate) struct Contract {
    /// The kind, such as CHANGESET or ChangeSetContract
    kind: Kind,
    /// The id
    #[arg(value_parser = contract_id)]
    id: Arc<str>,
    #[command(flatten)]
    place: Place,
}

/// Who is asked.
#[derive(Args)]
pub(crate) struct Place {
    #[command(flatten)]
    store: Where,
    #[command(flatten)]
    server: ServerArguments,
    /// A directory of YAML files to ask in the place of a store
    #[arg(long, value_name = "DIR", conflicts_with_all =
        ["store", "data", "env", "endpoint_url", "region", "profile", "server"])]
    from: Option<PathBuf>,
}

/// Whoever answers.
struct Source {
    registry: Arc<dyn ContractRegistry>,
    /// The server, if it is one, for what only a server has.
    server: Option<Arc<Remote>>,
    /// What it is called.
    name: String,
}

/// The model by which the registry works, whatever more a model file of its name has for those who read.
pub(crate) fn own_model() -> Result<Model, Failure> {
    source::built_in(MODEL)
}

/// Whether a model is that of the registry: it has the name and the table of it.
pub(crate) fn is_registry(model: &Model) -> Result<bool, Failure> {
    let own = own_model()?;
    Ok(model.name == own.name && model.table.name == own.table.name)
}

impl Place {
    async fn open(&self) -> Result<Source, Failure> {
        if let Some(connection) = self.server.connect()? {
            let remote = Arc::new(Remote::new(connection));
            let name = remote.place();
            return Ok(Source { registry: remote.clone(), server: Some(remote), name });
        }
        if let Some(directory) = &self.from {
            let registry = Arc::new(YamlRegistry::open(directory.clone(), clock())?);
            return Ok(Source { registry, server: None, name: directory.display().to_string() });
        }
        let target = Target::open(own_model()?, &self.store, Purpose::Items).await?;
        let name = target.table().name.clone();
        Ok(Source { registry: Arc::new(StoreRegistry::new(target.db)), server: None, name })
    }
}

/// Runs a command.
pub(crate) fn run(command: Command, out: &mut impl Write) -> Result<ExitCode, Failure> {
    tokio::runtime::Runtime::new()?.block_on(async {
        let done = match command {
            Command::Seed(ask) => return whole::seed(&ask, out).await,
            Command::Verify(ask) => return whole::verify(&ask, out).await,
            Command::Compare(ask) => return whole::compare(&ask, out).await,
            Command::Check(ask) => return differ::check(&ask, out).await,
            Command::Get(ask) => read::get(&ask, out).await,
            Command::List(ask) => read::list(&ask, out).await,
            Command::Latest(ask) => read::latest(&ask, out).await,
            Command::Versions(ask) => read::versions(&ask, out).await,
            Command::Referrers(ask) => read::referrers(&ask, out).await,
            Command::Kinds { place } => read::kinds(&place, out).await,
            Command::Register(ask) => change::register(&ask, out).await,
            Command::Promote(ask) => change::promote(&ask, out).await,
            Command::Deprecate(ask) => change::deprecate(&ask, out).await,
            Command::Restore(ask) => change::restore(&ask, out).await,
            Command::Diff(ask) => differ::diff(&ask, out).await,
            Command::Invalidate(ask) => change::invalidate(&ask, out).await,
        };
        done.map(|()| ExitCode::SUCCESS)
    })
}
