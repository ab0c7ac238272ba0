//! `hansang get | put | query | delete`: the items of a model, in its store or behind a server.

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use hansang_core::db::Db;
use serde_json::{Value as Json, json};

use crate::model::{ModelArgument, Order, source};
use crate::target::Target;
use hansang_command::Failure;
use hansang_command::ServerArguments;
use hansang_command::{Purpose, StoreArguments};

mod arguments;
mod local;
mod remote;

use arguments::Argument;
use remote::Server;

/// Commands for items.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Print an item
    ///
    /// Exit code 3 if there is none.
    Get(Get),
    /// Store a whole item, new or in the place of the stored one, and print it
    Put(Put),
    /// Print the items of an access pattern, a page at a time or all of them
    Query(Query),
    /// Remove an item
    ///
    /// Exit code 3 if there is none.
    Delete(Delete),
}

/// Arguments of `get`.
#[derive(Args)]
pub(crate) struct Get {
    #[command(flatten)]
    model: ModelArgument,
    /// The entity
    entity: String,
    /// The fields of the key: NAME=TEXT, or NAME:=JSON
    #[arg(value_name = "NAME=VALUE", value_parser = arguments::parse)]
    key: Vec<Argument>,
    /// Only these fields, and those of the key
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    fields: Option<Vec<String>>,
    /// See every write that was acknowledged before
    #[arg(long)]
    consistent: bool,
    #[command(flatten)]
    source: SourceArguments,
}

/// Arguments of `put`.
#[derive(Args)]
pub(crate) struct Put {
    #[command(flatten)]
    model: ModelArgument,
    /// The entity
    entity: String,
    /// Fields: NAME=TEXT, or NAME:=JSON; they go before those of --json
    #[arg(value_name = "NAME=VALUE", value_parser = arguments::parse)]
    fields: Vec<Argument>,
    /// A file with the fields as a JSON object, or - for the standard input
    #[arg(long, value_name = "FILE")]
    json: Option<String>,
    /// Only if there is no such item
    #[arg(long)]
    create: bool,
    /// Only in the place of this version
    #[arg(long, value_name = "NUMBER", conflicts_with = "create")]
    version: Option<i64>,
    #[command(flatten)]
    source: SourceArguments,
}

/// Arguments of `query`.
#[derive(Args)]
pub(crate) struct Query {
    #[command(flatten)]
    model: ModelArgument,
    /// The access pattern
    pattern: String,
    /// The arguments: NAME=TEXT, or NAME:=JSON
    #[arg(value_name = "NAME=VALUE", value_parser = arguments::parse)]
    arguments: Vec<Argument>,
    /// The most items of a page
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u32>,
    /// The page, if not the first: `next` or `previous` of another one
    #[arg(long)]
    cursor: Option<String>,
    /// The order, if not the model's
    #[arg(long, value_enum)]
    order: Option<Order>,
    /// Only these fields, and those of the key
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    fields: Option<Vec<String>>,
    /// See every write that was acknowledged before
    #[arg(long)]
    consistent: bool,
    /// Print every page, an item a line
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    source: SourceArguments,
}

/// Arguments of `delete`.
#[derive(Args)]
pub(crate) struct Delete {
    #[command(flatten)]
    model: ModelArgument,
    /// The entity
    entity: String,
    /// The fields of the key: NAME=TEXT, or NAME:=JSON
    #[arg(value_name = "NAME=VALUE", value_parser = arguments::parse)]
    key: Vec<Argument>,
    /// Only this version
    #[arg(long, value_name = "NUMBER")]
    version: Option<i64>,
    #[command(flatten)]
    source: SourceArguments,
}

/// The source of the items: a store or a server.
#[derive(Args)]
struct SourceArguments {
    #[command(flatten)]
    store: StoreArguments,
    #[command(flatten)]
    server: ServerArguments,
}

/// The opened source.
enum Source {
    Local(Db),
    Server(Server),
}

/// A page of items, each as JSON.
struct Page {
    items: Vec<Json>,
    next: Option<String>,
    previous: Option<String>,
}

async fn open(model: &ModelArgument, from: &SourceArguments) -> Result<Source, Failure> {
    if let Some(connection) = from.server.connect()? {
        return Ok(Source::Server(Server::new(connection, &model.model)?));
    }
    let target = Target::open(source::load(&model.model)?, &from.store, Purpose::Items).await?;
    Ok(Source::Local(target.db))
}

/// Runs a command.
pub(crate) fn run(command: Command, out: &mut impl Write) -> Result<ExitCode, Failure> {
    tokio::runtime::Runtime::new()?.block_on(async {
        match command {
            Command::Get(ask) => get(&ask, out).await,
            Command::Put(ask) => put(&ask, out).await,
            Command::Query(ask) => query(&ask, out).await,
            Command::Delete(ask) => delete(&ask).await,
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn get(ask: &Get, out: &mut impl Write) -> Result<(), Failure> {
    let found = match open(&ask.model, &ask.source).await? {
        Source::Local(db) => local::get(&db, ask).await?,
        Source::Server(server) => server.get(ask).await?,
    };
    match found {
        Some(item) => Ok(writeln!(out, "{item:#}")?),
        None => Err(Failure::Message { text: format!("there is no such {}", ask.entity), code: 3 }),
    }
}

async fn put(ask: &Put, out: &mut impl Write) -> Result<(), Failure> {
    // The input is read to its end before the store is opened: it may come from a command with the same data directory.
    let fields = arguments::with_file(&ask.fields, ask.json.as_deref(), &ask.entity)?;
    let stored = match open(&ask.model, &ask.source).await? {
        Source::Local(db) => local::put(&db, ask, &fields).await?,
        Source::Server(server) => server.put(ask, &fields).await?,
    };
    Ok(writeln!(out, "{stored:#}")?)
}

async fn query(ask: &Query, out: &mut impl Write) -> Result<(), Failure> {
    let source = open(&ask.model, &ask.source).await?;
    let mut cursor = ask.cursor.clone();
    loop {
        let Page { items, next, previous } = match &source {
            Source::Local(db) => local::query(db, ask, cursor.take()).await?,
            Source::Server(server) => server.query(ask, cursor.take()).await?,
        };
        if !ask.all {
            let page = json!({ "items": items, "next": next, "previous": previous });
            return Ok(writeln!(out, "{page:#}")?);
        }
        for item in items {
            writeln!(out, "{item}")?;
        }
        match next {
            Some(_) => cursor = next,
            None => return Ok(()),
        }
    }
}

async fn delete(ask: &Delete) -> Result<(), Failure> {
    match open(&ask.model, &ask.source).await? {
        Source::Local(db) => local::delete(&db, ask).await,
        Source::Server(server) => server.delete(ask).await,
    }
}
