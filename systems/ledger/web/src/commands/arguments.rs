//! The arguments of commands.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hansang_ledger::{CodeType, Kind, Month, Subject};
use jiff::civil::Date;

use super::place::PlaceArguments;

/// Arguments of a command about a month.
#[derive(Args)]
pub(super) struct OfMonth {
    /// The month, such as 2025.01; the current one if it is left out
    pub(super) month: Option<Month>,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `budgets`.
#[derive(Args)]
pub(super) struct Budgets {
    /// The month; the current one if it is left out
    pub(super) month: Option<Month>,
    /// Print every budget that was set, by category and month
    #[arg(long, conflicts_with_all = ["month", "set"])]
    pub(super) all: bool,
    /// Set a budget from the month on; 0 ends it
    #[arg(long, num_args = 2, value_names = ["CATEGORY", "AMOUNT"])]
    pub(super) set: Option<Vec<String>>,
    /// The kind of the category
    #[arg(long, default_value = "LIVING_EXPENSE")]
    pub(super) kind: Kind,
    /// Add the rest of a month to the next one
    #[arg(long, requires = "set")]
    pub(super) rollover: bool,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `goals`.
#[derive(Args)]
pub(super) struct Goals {
    /// The month; the current one if it is left out
    pub(super) month: Option<Month>,
    /// Set the goal of a short-term account
    #[arg(long, num_args = 2, value_names = ["ACCOUNT", "AMOUNT"])]
    pub(super) set: Option<Vec<String>>,
    /// The month in which it is wanted
    #[arg(long, requires = "set", value_name = "MONTH")]
    pub(super) until: Option<Month>,
    /// Delete the goal of an account
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "set")]
    pub(super) delete: Option<String>,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// The entry of a change and the amount.
#[derive(Args)]
pub(super) struct EntryAmount {
    /// INCOME, FIXED_EXPENSE, LIVING_EXPENSE, SAVINGS, INVESTMENT or SHORT_SAVINGS
    pub(super) kind: Kind,
    /// The person, expense type, category or account
    pub(super) name: String,
    /// The amount in won, negative for a refund
    #[arg(allow_negative_numbers = true)]
    pub(super) amount: i64,
    /// The income type, or 적립 or 지출 of a short-term account
    #[arg(long)]
    pub(super) detail: Option<String>,
    /// The purpose
    #[arg(long, default_value = "")]
    pub(super) text: String,
}

/// Arguments of `add`.
#[derive(Args)]
pub(super) struct Add {
    #[command(flatten)]
    pub(super) entry: EntryAmount,
    /// The date, such as 2025-01-31; today if it is left out
    #[arg(long, value_parser = hansang_ledger::date)]
    pub(super) date: Option<Date>,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `set` and `create`.
#[derive(Args)]
pub(super) struct Set {
    #[command(flatten)]
    pub(super) entry: EntryAmount,
    /// The month; the current one if it is left out
    #[arg(long)]
    pub(super) month: Option<Month>,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `lines`.
#[derive(Args)]
pub(super) struct Lines {
    /// The month; the current one if it is left out
    pub(super) month: Option<Month>,
    /// Only lines with these words
    #[arg(long, value_name = "WORDS")]
    pub(super) search: Option<String>,
    /// Only lines of this kind
    #[arg(long)]
    pub(super) kind: Option<Kind>,
    /// Only lines that this person entered
    #[arg(long, value_name = "WHO")]
    pub(super) entered_by: Option<String>,
    /// The last month of a period
    #[arg(long, value_name = "MONTH")]
    pub(super) to: Option<Month>,
    /// Print the id of each line, for `line`
    #[arg(long)]
    pub(super) ids: bool,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `period`.
#[derive(Args)]
pub(super) struct Period {
    /// The first month
    pub(super) from: Month,
    /// The last month
    pub(super) to: Month,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `report`.
#[derive(Args)]
pub(super) struct Report {
    /// The year; the current one if it is left out
    #[arg(value_parser = clap::value_parser!(u32).range(1901..=2999))]
    pub(super) year: Option<u32>,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `codes`.
#[derive(Args)]
pub(super) struct Codes {
    /// YEAR_MONTH, NAME, INCOME_TYPE, FIXED_EXPENSE_TYPE or LIVING_EXPENSE_CATEGORY
    pub(super) list: Option<CodeType>,
    /// The whole new list, in its order
    #[arg(long, value_name = "CODES", value_delimiter = ',', requires = "list")]
    pub(super) set: Option<Vec<String>>,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `import`.
#[derive(Args)]
pub(super) struct Import {
    /// The file
    pub(super) file: PathBuf,
    /// Only say what would become of each row
    #[arg(long)]
    pub(super) dry_run: bool,
    /// The name of the source, whose columns are remembered
    #[arg(long, value_name = "NAME")]
    pub(super) source: Option<String>,
    /// The numbers of lines to leave out
    #[arg(long, value_name = "LINES", value_delimiter = ',')]
    pub(super) exclude: Vec<usize>,
    /// The numbers of lines to import although they are duplicates, changed amounts, transfers or cancelled
    #[arg(long, value_name = "LINES", value_delimiter = ',')]
    pub(super) anyway: Vec<usize>,
    /// The numbers of lines whose merchants are never imported, now and later
    #[arg(long, value_name = "LINES", value_delimiter = ',')]
    pub(super) never: Vec<usize>,
    /// Put a row into an entry: the number of its line, then KIND/NAME or KIND/NAME/DETAIL
    #[arg(long, value_name = "LINE=ENTRY", value_parser = chosen)]
    pub(super) choose: Vec<(usize, Subject)>,
    /// A file with the columns as JSON: the `mapping` that --dry-run --json prints, or its whole output
    #[arg(long, value_name = "FILE")]
    pub(super) mapping: Option<PathBuf>,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `history`.
#[derive(Args)]
pub(super) struct History {
    /// The number of one change
    #[arg(conflicts_with = "limit")]
    pub(super) change: Option<u32>,
    /// The number of changes
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(super) limit: u32,
    /// Only changes of this line
    #[arg(long, value_name = "ID")]
    pub(super) line: Option<String>,
    /// Only changes of this entry
    #[arg(long, value_name = "KIND/NAME", value_parser = named_entry)]
    pub(super) entry: Option<Subject>,
    /// Only changes of this month
    #[arg(long)]
    pub(super) month: Option<Month>,
    /// Only changes of this import
    #[arg(long, value_name = "ID")]
    pub(super) import: Option<String>,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `undo`.
#[derive(Args)]
pub(super) struct Undo {
    /// The number of the change
    #[arg(required_unless_present = "import")]
    pub(super) change: Option<u32>,
    /// The id of an import, in the place of a change
    #[arg(long, value_name = "ID", conflicts_with = "change")]
    pub(super) import: Option<String>,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `export`.
#[derive(Args)]
pub(super) struct Export {
    /// The format
    #[arg(long = "to", value_enum)]
    pub(super) format: ExportFormat,
    /// The file to write, in the place of the standard output
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// A format of exports.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum ExportFormat {
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
pub(super) struct Restore {
    /// The export in JSON; `-` reads the standard input
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `recalculate`.
#[derive(Args)]
pub(super) struct Recalculate {
    /// The first month; all if it is left out
    #[arg(long, value_name = "MONTH")]
    pub(super) from: Option<Month>,
    /// Only compare, without a write
    #[arg(long)]
    pub(super) check: bool,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// The decision to put a row into an entry, written `4=LIVING_EXPENSE/문화생활`.
fn chosen(text: &str) -> Result<(usize, Subject), String> {
    let wrong = || format!("`{text}` is not LINE=KIND/NAME or LINE=KIND/NAME/DETAIL");
    let (line, entry) = text.split_once('=').ok_or_else(wrong)?;
    Ok((line.parse().map_err(|_| wrong())?, named_entry(entry)?))
}

/// An entry, written `LIVING_EXPENSE/문화생활` or `INCOME/배우자1/월급`.
fn named_entry(text: &str) -> Result<Subject, String> {
    let wrong = || format!("`{text}` is not KIND/NAME or KIND/NAME/DETAIL");
    let mut parts = text.splitn(3, '/');
    let (kind, name) = parts.next().zip(parts.next()).ok_or_else(wrong)?;
    let kind: Kind = kind.parse().map_err(|error: hansang_core::Error| error.to_string())?;
    Subject::new(kind, name, parts.next()).map_err(|error| error.to_string())
}
