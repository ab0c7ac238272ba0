//! `hansang table …`: the tables of models, in a data directory or in DynamoDB.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Subcommand;

use crate::model::{ModelArgument, source};
use crate::target::{Target, clock};
use hansang_command::{Connection, Failure};
use hansang_command::{Purpose, ServerArguments, StoreArguments};
use hansang_core::Db;
use hansang_core::cursor::CursorKey;

mod backfill;
mod backup;
mod checkpoint;
mod describe;
mod export;
mod import;
mod remote;
mod verify;

/// Commands for tables.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Make the table of a model, or bring an existing one up to it
    Create {
        #[command(flatten)]
        model: ModelArgument,
        #[command(flatten)]
        place: StoreArguments,
    },
    /// Say what the table is and what it holds
    Describe {
        #[command(flatten)]
        model: ModelArgument,
        #[command(flatten)]
        place: StoreArguments,
    },
    /// Write all items to a file, one a line, as DynamoDB's own export does
    ///
    /// A file name that ends in .gz is compressed. An export that was cut off goes on where it was
    /// when the same command is given again.
    Export {
        #[command(flatten)]
        model: ModelArgument,
        #[command(flatten)]
        place: StoreArguments,
        #[command(flatten)]
        server: ServerArguments,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Store the items of files, or of directories with them, in the place of those with the same keys
    ///
    /// Only items that the model could have written are stored; the others are listed. An import that
    /// was cut off goes on where it was when the same command is given again.
    Import {
        #[command(flatten)]
        model: ModelArgument,
        #[command(flatten)]
        place: StoreArguments,
        /// Files with an item a line, compressed or not
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Write all items and their check sum to a new directory
    ///
    /// A data directory is backed up as it is at one moment. While a server has it open, name the server
    /// with --server, and a token of an administrator; it goes on writing. The model `access` is accounts, tokens
    /// and the audit log.
    Backup {
        #[command(flatten)]
        model: ModelArgument,
        #[command(flatten)]
        place: StoreArguments,
        #[command(flatten)]
        server: ServerArguments,
        /// The directory to make
        #[arg(long, value_name = "DIR")]
        to: PathBuf,
    },
    /// Fill an empty table from a backup, of either store
    Restore {
        #[command(flatten)]
        model: ModelArgument,
        #[command(flatten)]
        place: StoreArguments,
        /// The directory of the backup
        #[arg(long, value_name = "DIR")]
        from: PathBuf,
    },
    /// Give stored items what a changed model derives: index keys, templates, types, pointers of unique values
    ///
    /// While others write: an edit is never overwritten. A backfill that was cut off goes on where it was when the same
    /// command is given again in the same directory. Exit code 1 if a problem is left.
    Backfill {
        #[command(flatten)]
        model: ModelArgument,
        #[command(flatten)]
        place: StoreArguments,
        /// The only index to fill
        #[arg(long, value_name = "NAME")]
        index: Option<String>,
        /// The maximum number of items to write in a second
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        rate: Option<u32>,
        /// A running `hansang serve --lend-ports` whose store to use
        #[arg(long, value_name = "URL", conflicts_with_all = ["store", "data", "endpoint_url", "region", "profile"])]
        server: Option<String>,
        /// Who you are to the server: an administrator of every system
        #[arg(long, env = "HANSANG_TOKEN", hide_env_values = true)]
        token: Option<String>,
    },
    /// Check every item against the model, and every index against the items
    ///
    /// Lists what is wrong; exit code 1 if anything is.
    Verify {
        #[command(flatten)]
        model: ModelArgument,
        #[command(flatten)]
        place: StoreArguments,
    },
}

impl Command {
    fn place(&self) -> (&ModelArgument, &StoreArguments) {
        match self {
            Self::Create { model, place }
            | Self::Describe { model, place }
            | Self::Export { model, place, .. }
            | Self::Import { model, place, .. }
            | Self::Backup { model, place, .. }
            | Self::Restore { model, place, .. }
            | Self::Backfill { model, place, .. }
            | Self::Verify { model, place } => (model, place),
        }
    }
}

/// Runs a command.
pub(crate) fn run(command: Command, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Runtime::new()?;
    let (model, place) = command.place();
    if let Command::Export { server, .. } | Command::Backup { server, .. } = &command
        && let Some(connection) = server.connect()?
    {
        let server = remote::Server::new(connection, &model.model)?;
        return runtime.block_on(async {
            match &command {
                Command::Backup { to, .. } => backup::of_server(&server, to, out).await,
                Command::Export { to, .. } => remote::export(&server, to, out).await,
                _ => Ok(ExitCode::SUCCESS),
            }
        });
    }
    let model = source::load(&model.model)?;
    if let Command::Backfill { server: Some(url), token, index, rate, .. } = &command {
        let store = Arc::new(Connection::new(url, token.as_deref())?.lender().store());
        let key = CursorKey::new(b"backfill");
        let db = Db::new(Arc::new(model), place.env.as_deref(), store, clock(), key);
        let options = backfill::Options { index: index.as_deref(), rate: *rate };
        return runtime.block_on(backfill::run(&db, &options, out));
    }
    let purpose = match command {
        Command::Create { .. } | Command::Import { .. } | Command::Restore { .. } => Purpose::Fill,
        // These work through a server too.
        Command::Export { .. } | Command::Backup { .. } => Purpose::Items,
        _ => Purpose::Look,
    };
    runtime.block_on(async {
        let target = Target::open(model, place, purpose).await?;
        match &command {
            Command::Create { .. } => describe::create(&target, out).await,
            Command::Describe { .. } => describe::run(&target, out).await,
            Command::Export { to, .. } => export::run(&target, to, out).await,
            Command::Import { files, .. } => import::run(&target, files, out).await,
            Command::Backup { to, .. } => backup::backup(&target, to, out).await,
            Command::Restore { from, .. } => backup::restore(&target, from, out).await,
            Command::Backfill { index, rate, .. } => {
                let options = backfill::Options { index: index.as_deref(), rate: *rate };
                backfill::run(&target.db, &options, out).await
            }
            Command::Verify { .. } => verify::run(&target, out).await,
        }
    })
}
