//! `hansang ledger …`: the household's money, in a store or behind a server.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgMatches, Args, FromArgMatches as _, Subcommand, ValueEnum};
use hansang_command::{Context, Failure, Purpose};
use hansang_ledger::{CodeType, Kind, Month};
use jiff::civil::Date;
use jiff::tz::Offset;

mod change;
mod file;
mod place;
mod plan;
mod read;
mod show;

use place::{Place, PlaceArguments};

/// Commands for the ledger.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Print the totals, balances and entries of a month
    Month(OfMonth),
    /// Add a line to an entry
    Add(Add),
    /// Set the amount of an entry, by a line for the difference
    Set(Set),
    /// Print the lines of a month, or those of a period that contain words
    Lines(Lines),
    /// Print the totals and the net worth of every month of a period
    Period(Period),
    /// Print the entries of a year by month, with the average and the total of the year before
    Report(Report),
    /// Print the lists of codes and the accounts, or replace a list
    Codes(Codes),
    /// Import a file of a bank or card: CSV, xls, xlsx
    ///
    /// Rows that were imported before are skipped. Exit code 2 if a row cannot be read: nothing is imported then.
    Import(Import),
    /// Print the changes, newest first
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
    /// Print the recurring entries, after adding or deleting one
    Rules(Rules),
    /// Print the budgets of a month and what is left of them, after setting one from this month on
    Budgets(Budgets),
    /// Print the goals and the months in which they will be reached, after setting or deleting one
    Goals(Goals),
}

/// Arguments of a command about a month.
#[derive(Args)]
pub(crate) struct OfMonth {
    /// The month, such as 2025.01; the current one if it is left out
    month: Option<Month>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `rules`.
#[derive(Args)]
pub(crate) struct Rules {
    /// Add a recurring entry
    #[arg(long, num_args = 3, value_names = ["KIND", "NAME", "AMOUNT"], requires = "day", allow_negative_numbers = true)]
    add: Option<Vec<String>>,
    /// Its day of the month; the last one where a month is shorter
    #[arg(long, requires = "add")]
    day: Option<i64>,
    /// Its month, if it recurs once a year
    #[arg(long, requires = "add", value_name = "1-12")]
    yearly: Option<i64>,
    /// Its first month; the current one if it is left out
    #[arg(long, requires = "add", value_name = "MONTH")]
    from: Option<Month>,
    /// Its last month
    #[arg(long, requires = "add", value_name = "MONTH")]
    until: Option<Month>,
    /// Its income type or transaction type
    #[arg(long, requires = "add")]
    detail: Option<String>,
    /// The text of its lines
    #[arg(long, requires = "add", default_value = "")]
    text: String,
    /// Delete the recurring entry with this id; its lines stay
    #[arg(long, value_name = "ID", conflicts_with = "add")]
    delete: Option<String>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `budgets`.
#[derive(Args)]
pub(crate) struct Budgets {
    /// The month; the current one if it is left out
    month: Option<Month>,
    /// Set a budget from the month on; 0 ends it
    #[arg(long, num_args = 2, value_names = ["CATEGORY", "AMOUNT"])]
    set: Option<Vec<String>>,
    /// The kind of the category
    #[arg(long, default_value = "LIVING_EXPENSE")]
    kind: Kind,
    /// Add the rest of a month to the next one
    #[arg(long, requires = "set")]
    rollover: bool,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `goals`.
#[derive(Args)]
pub(crate) struct Goals {
    /// The month; the current one if it is left out
    month: Option<Month>,
    /// Set the goal of a short-term account
    #[arg(long, num_args = 2, value_names = ["ACCOUNT", "AMOUNT"])]
    set: Option<Vec<String>>,
    /// The month in which it is wanted
    #[arg(long, requires = "set", value_name = "MONTH")]
    until: Option<Month>,
    /// Delete the goal of an account
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "set")]
    delete: Option<String>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// The entry of a change.
#[derive(Args)]
pub(crate) struct Entry {
    /// INCOME, FIXED_EXPENSE, LIVING_EXPENSE, SAVINGS, INVESTMENT or SHORT_SAVINGS
    kind: Kind,
    /// The person, expense type, category or account
    name: String,
    /// The amount in won, negative for a refund
    #[arg(allow_negative_numbers = true)]
    amount: i64,
    /// The income type, or 적립 or 지출 of a short-term account
    #[arg(long)]
    detail: Option<String>,
    /// The purpose
    #[arg(long, default_value = "")]
    text: String,
}

/// Arguments of `add`.
#[derive(Args)]
pub(crate) struct Add {
    #[command(flatten)]
    entry: Entry,
    /// The date, such as 2025-01-31; today if it is left out
    #[arg(long, value_parser = hansang_ledger::date)]
    date: Option<Date>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `set`.
#[derive(Args)]
pub(crate) struct Set {
    #[command(flatten)]
    entry: Entry,
    /// The month; the current one if it is left out
    #[arg(long)]
    month: Option<Month>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `lines`.
#[derive(Args)]
pub(crate) struct Lines {
    /// The month; the current one if it is left out
    month: Option<Month>,
    /// Only lines with these words
    #[arg(long, value_name = "WORDS")]
    search: Option<String>,
    /// The last month of a search
    #[arg(long, value_name = "MONTH", requires = "search")]
    to: Option<Month>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `period`.
#[derive(Args)]
pub(crate) struct Period {
    /// The first month
    from: Month,
    /// The last month
    to: Month,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `report`.
#[derive(Args)]
pub(crate) struct Report {
    /// The year; the current one if it is left out
    #[arg(value_parser = clap::value_parser!(u32).range(1901..=2999))]
    year: Option<u32>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `codes`.
#[derive(Args)]
pub(crate) struct Codes {
    /// YEAR_MONTH, NAME, INCOME_TYPE, FIXED_EXPENSE_TYPE or LIVING_EXPENSE_CATEGORY
    list: Option<CodeType>,
    /// The whole new list, in its order
    #[arg(long, value_name = "CODES", value_delimiter = ',', requires = "list")]
    set: Option<Vec<String>>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `import`.
#[derive(Args)]
pub(crate) struct Import {
    /// The file
    file: PathBuf,
    /// Only say what would become of each row
    #[arg(long)]
    dry_run: bool,
    /// The name of the source, whose columns are remembered
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// The numbers of lines to leave out
    #[arg(long, value_name = "LINES", value_delimiter = ',')]
    exclude: Vec<usize>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `history`.
#[derive(Args)]
pub(crate) struct History {
    /// The number of changes
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: u32,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `undo`.
#[derive(Args)]
pub(crate) struct Undo {
    /// The number of the change
    #[arg(required_unless_present = "import")]
    change: Option<u32>,
    /// The id of an import, in the place of a change
    #[arg(long, value_name = "ID", conflicts_with = "change")]
    import: Option<String>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `export`.
#[derive(Args)]
pub(crate) struct Export {
    /// The format
    #[arg(long = "to", value_enum)]
    format: ExportFormat,
    /// The file to write, in the place of the standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// A format of exports.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ExportFormat {
    /// A table with a line for each line
    Csv,
    /// Everything, to be restored
    Json,
    /// A journal for hledger
    Hledger,
    /// A workbook with sheets for lines, entries and months
    Xlsx,
}

/// Arguments of `restore`.
#[derive(Args)]
pub(crate) struct Restore {
    /// The export in JSON; `-` reads the standard input
    file: PathBuf,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `recalculate`.
#[derive(Args)]
pub(crate) struct Recalculate {
    /// The first month; all if it is left out
    #[arg(long, value_name = "MONTH")]
    from: Option<Month>,
    /// Only compare, without a write
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    place: PlaceArguments,
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
            Command::Lines(ask) => read::lines(&ask, today, context, out).await,
            Command::Period(ask) => read::period(&ask, context, out).await,
            Command::Report(ask) => read::report(&ask, today, context, out).await,
            Command::Codes(ask) => read::codes(ask, context, out).await,
            Command::History(ask) => read::history(&ask, context, out).await,
            Command::Rules(ask) => plan::rules(ask, today, context, out).await,
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
