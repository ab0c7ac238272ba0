//! `hansang ledger …`: the household's money, in a store or behind a server.

use std::io::Write;
use std::process::ExitCode;

use clap::{ArgMatches, FromArgMatches as _, Subcommand};
use hansang_command::{Context, Failure, Purpose};
use jiff::civil::Date;
use jiff::tz::Offset;

mod accounts;
mod arguments;
mod change;
mod entries;
mod file;
mod learned;
mod line;
mod look;
mod place;
mod plan;
mod read;
mod rules;
mod show;

use arguments::{
    Add, Budgets, Codes, Export, Goals, History, Import, Lines, OfMonth, Period, Recalculate, Report,
    Restore, Set, Undo,
};
use place::{Place, PlaceArguments};

/// Commands for the ledger.
#[derive(Subcommand)]
enum Command {
    /// Print the totals, balances and entries of a month
    Month(OfMonth),
    /// Print the months that have figures
    Months(look::Months),
    /// Print what was earned, spent and saved on each day of a month
    Calendar(OfMonth),
    /// Print what each person earned, spent and saved in a month or a period
    People(look::People),
    /// Print the totals and the net worth of every month of a period
    Period(Period),
    /// Print the entries of a year by month, with the average and the total of the year before
    Report(Report),
    /// Print the lines of a month, or those of a period that are searched for
    Lines(Lines),
    /// Print a line, after changing or deleting it
    Line(line::One),
    /// Add a line to an entry
    Add(Add),
    /// Print an entry with its lines
    Entry(entries::Entry),
    /// Create an entry
    ///
    /// Exit code 4 if the month has it already.
    Create(Set),
    /// Set the amount of an entry, by a line for the difference
    Set(Set),
    /// Delete an entry and its lines
    Delete(entries::Entry),
    /// Move an entry and its lines to another month
    Move(entries::Move),
    /// Copy the entries of the last month that this one does not have
    Copy(OfMonth),
    /// Print the balances before the first month, after setting some of them
    Opening(accounts::Opening),
    /// Print the lists of codes and the accounts, or replace a list
    Codes(Codes),
    /// Print the accounts by group with what they hold, after changing a group
    Accounts(accounts::Groups),
    /// Set whether an account or a group holds savings, investments or short-term savings
    Assign(accounts::Assign),
    /// Import a file of a bank or card: CSV, xls, xlsx
    ///
    /// Rows that were imported before are skipped. Exit code 2 if a row cannot be read: nothing is imported then.
    Import(Import),
    /// Print the imports, newest first, or one of them
    Imports(look::Imports),
    /// Print the sources and merchants that imports have learned, after forgetting some
    Learned(learned::Learned),
    /// Print the changes, newest first, or one of them with its lines
    History(History),
    /// Undo a change, or an import
    ///
    /// Exit code 4 if a later change depends on it.
    Undo(Undo),
    /// Export all lines
    Export(Export),
    /// Restore an export in JSON into an empty ledger
    Restore(Restore),
    /// Recalculate entries, totals and balances from the lines
    ///
    /// Prints every difference. With --check nothing is written, and the exit code is 4 if there is a difference.
    Recalculate(Recalculate),
    /// Print the recurring entries, after adding, changing or deleting one
    Rules(rules::Rules),
    /// Print the budgets of a month and what is left of them, after setting one from this month on
    Budgets(Budgets),
    /// Print the goals and the months in which they will be reached, after setting or deleting one
    Goals(Goals),
}

/// The command for the command line.
pub(crate) fn command() -> clap::Command {
    Command::augment_subcommands(clap::Command::new("ledger"))
        .about("The household's money: enter, import, report, export, undo and recalculate")
        .subcommand_required(true)
        .arg_required_else_help(true)
}

/// Runs a command.
pub(crate) fn run(matches: &ArgMatches, context: &Context, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let command = Command::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
    tokio::runtime::Runtime::new()?.block_on(async {
        let today = today(context);
        let done = match command {
            Command::Recalculate(ask) => return change::recalculate(&ask, context, out).await,
            Command::Month(ask) => read::month(&ask, today, context, out).await,
            Command::Months(ask) => look::months(&ask, context, out).await,
            Command::Calendar(ask) => look::calendar(&ask, today, context, out).await,
            Command::People(ask) => look::people(&ask, today, context, out).await,
            Command::Imports(ask) => look::imports(&ask, context, out).await,
            Command::Learned(ask) => learned::learned(&ask, context, out).await,
            Command::Line(ask) => line::line(ask, context, out).await,
            Command::Entry(ask) => entries::entry(&ask, today, context, out).await,
            Command::Create(ask) => entries::create(ask, today, context, out).await,
            Command::Delete(ask) => entries::delete(&ask, today, context, out).await,
            Command::Move(ask) => entries::relocate(&ask, today, context, out).await,
            Command::Copy(ask) => entries::copy(&ask, today, context, out).await,
            Command::Opening(ask) => accounts::opening(ask, context, out).await,
            Command::Accounts(ask) => accounts::accounts(ask, context, out).await,
            Command::Assign(ask) => accounts::assign(&ask, context, out).await,
            Command::Lines(ask) => read::lines(&ask, today, context, out).await,
            Command::Period(ask) => read::period(&ask, context, out).await,
            Command::Report(ask) => read::report(&ask, today, context, out).await,
            Command::Codes(ask) => read::codes(ask, context, out).await,
            Command::History(ask) => read::history(&ask, context, out).await,
            Command::Rules(ask) => rules::rules(ask, today, context, out).await,
            Command::Budgets(ask) => plan::budgets(&ask, today, context, out).await,
            Command::Goals(ask) => plan::goals(&ask, today, context, out).await,
            Command::Add(ask) => change::add(ask, today, context, out).await,
            Command::Set(ask) => change::set(ask, today, context, out).await,
            Command::Undo(ask) => change::undo(&ask, context, out).await,
            Command::Import(ask) => file::import(&ask, context, out).await,
            Command::Export(ask) => file::export(&ask, context, out).await,
            Command::Restore(ask) => file::restore(&ask, context, out).await,
        };
        done.map(|()| ExitCode::SUCCESS)
    })
}

/// The current date in Korea.
fn today(context: &Context) -> Date {
    Offset::constant(9).to_datetime(context.clock.moment().now).date()
}

/// Opens the place of a command that reads and writes single items.
async fn open(place: &PlaceArguments, context: &Context) -> Result<Place, Failure> {
    place.open(context, Purpose::Items).await
}
