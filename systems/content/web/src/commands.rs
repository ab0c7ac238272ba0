//! `hansang content …`: the content of a site, in a store.

use std::io::Write;
use std::process::ExitCode;

use clap::{ArgMatches, Args, FromArgMatches as _, Subcommand};
use hansang_command::{Context, Failure, Purpose, StoreArguments};
use hansang_content::{Content, MODEL, Relisted, published, relist_all};
use hansang_core::compile;
use hansang_core::db::Ask;

mod migrate;

/// Commands for the content of a site.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Print the published posts, newest first
    Posts(Posts),
    /// Move the tables of the old system over: posts, categories, company rows and inquiries
    ///
    /// The old tables are only read. Run it again at any time: it takes what has changed since, goes on where it was cut
    /// off, and overwrites nothing that was edited here. Exit code 1 if a row could not be moved.
    Migrate(migrate::Arguments),
    /// Complete posts that another program has put into the table
    ///
    /// Each is found by its ID, and a published one has an address and its place in the lists of the site. Run it after a
    /// program has written posts; it can be repeated. Exit code 1 if a post cannot be read.
    Relist(Relist),
}

/// Arguments of `relist`.
#[derive(Args)]
pub(crate) struct Relist {
    #[command(flatten)]
    store: StoreArguments,
}

/// Arguments of `posts`.
#[derive(Args)]
pub(crate) struct Posts {
    #[command(flatten)]
    store: StoreArguments,
}

/// The command with everything below it.
pub(crate) fn command() -> clap::Command {
    let command =
        clap::Command::new("content").about("Keep the content of a web site, and move old tables over");
    Command::augment_subcommands(command).subcommand_required(true).arg_required_else_help(true)
}

/// Runs a command.
///
/// # Errors
/// If the table cannot be opened, or the command cannot do its work.
pub(crate) fn run(matches: &ArgMatches, context: &Context, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let command = Command::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
    tokio::runtime::Runtime::new()?.block_on(async {
        match command {
            Command::Posts(posts) => {
                let content = open(context, posts.store, Purpose::Items).await?;
                print_posts(&content, out).await
            }
            Command::Relist(relist) => {
                let content = open(context, relist.store, Purpose::Items).await?;
                print_relisted(relist_all(&content).await?, out)
            }
            Command::Migrate(ask) => migrate::run(ask, context, out).await,
        }
    })
}

/// Opens the content in a store.
async fn open(context: &Context, store: StoreArguments, purpose: Purpose) -> Result<Content, Failure> {
    let model = compile(MODEL.as_bytes()).map_err(|_| Failure::internal("the model of content"))?;
    Ok(Content::new((context.open_table)(model, store, purpose).await?))
}

fn print_relisted(sum: Relisted, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let Relisted { posts, identified, listed, unreadable } = sum;
    writeln!(
        out,
        "{posts} posts: {identified} were not found by their ID, {listed} not listed, {unreadable} cannot be read"
    )?;
    Ok(if unreadable == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

async fn print_posts(content: &Content, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let mut cursor = None;
    loop {
        let page = published(content, None, Ask { cursor, limit: Some(100), ..Ask::default() }).await?;
        for post in page.posts {
            writeln!(out, "{}  {}  {}", post.published_at(), post.id, post.text.title)?;
        }
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(ExitCode::SUCCESS),
        }
    }
}
