//! The effect of every row of a file, before anything is written.

use std::collections::{BTreeMap, HashSet};

use hansang_core::{Error, Message, message};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::classify::{self, Merchants};
use super::compare::compare;
use super::money::{Money, Paid, cell, money, payment};
use super::parse::time;
use super::{Mapping, Table, parse_date};
use crate::codes::Codes;
use crate::kind::Subject;
use crate::line::Line;
use crate::{Ledger, LedgerCode, messages};

/// The decision of a person about a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choice {
    /// The entry, if not the proposed one. It is remembered for the merchant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
    /// Whether the row is left out.
    pub exclude: bool,
    /// Whether the row becomes a line of its own although it seems to be one already, or would be left out. For a
    /// transfer this is remembered for the merchant.
    pub anyway: bool,
    /// Whether the row is left out, now and in later files, and with it every row of its merchant.
    pub never: bool,
}

/// Why a row is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ignored {
    /// A person excluded it.
    Excluded,
    /// A subtotal, or a row without a date.
    NoDate,
    /// A payment that was cancelled, without a row of its own for the refund.
    Cancelled,
    /// Money moved between own accounts.
    Transfer,
    /// The payment of a card's bill: the purchases are in the file of the card.
    CardBill,
    /// A person said that rows of this merchant are never imported.
    Never,
    /// The amount is zero.
    Zero,
}

/// The effect of importing a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowStatus {
    /// Adds a line.
    New,
    /// Was imported before.
    Duplicate,
    /// Changes the amount of this line, which was imported from the same source.
    Changed(Box<Line>),
    /// Is this line already, with the same amount, which a person or a rule entered: the line is remembered as its own.
    Entered(Box<Line>),
    /// Is left out.
    Ignored(Ignored),
    /// Cannot be imported: exclude it, or correct it.
    Refused(Message),
}

/// A row of a file, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of its line in the file.
    pub number: usize,
    /// The effect of importing it.
    pub status: RowStatus,
    /// The date.
    pub date: Option<Date>,
    /// The time of day, if the file has one.
    pub time: Option<String>,
    /// The text.
    pub text: String,
    /// The amount as the line would have it.
    pub amount: i64,
    /// The entry.
    pub subject: Option<Subject>,
    /// The hash of the row's cells.
    pub hash: String,
    /// The how manieth row with the same cells it is in this file, from 1.
    pub occurrence: usize,
    /// The number of lines that rows with the same cells have already.
    pub known: usize,
    /// What would become of it if a person had not decided to import it anyway.
    pub usual: Option<Box<RowStatus>>,
}

/// All rows of a file, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// The rows behind the header.
    pub rows: Vec<Row>,
}

impl Preview {
    /// The rows that cannot be imported.
    pub fn refused(&self) -> impl Iterator<Item = (usize, &Message)> {
        self.rows.iter().filter_map(|row| match &row.status {
            RowStatus::Refused(message) => Some((row.number, message)),
            _ => None,
        })
    }
}

/// Reads every row of a file of a source with a mapping.
///
/// # Errors
/// A mapping that does not fit the file.
pub async fn preview(
    ledger: &Ledger,
    profile: &str,
    table: &Table,
    mapping: &Mapping,
    choices: &BTreeMap<usize, Choice>,
) -> Result<Preview, Error> {
    check(table, mapping)?;
    let (codes, merchants) = (ledger.codes().await?, classify::merchants(ledger).await?);
    let mut rows = Vec::new();
    let mut occurrences: BTreeMap<String, usize> = BTreeMap::new();
    let behind = || table.rows.iter().filter(|(number, _)| *number > mapping.header);
    // Payments that are not marked as cancelled, to tell a refund from a payment that never happened.
    let paid: Paid = behind().filter_map(|(_, cells)| payment(cells, mapping)).collect();
    for (number, cells) in behind() {
        let hash = hash(cells);
        let occurrence = occurrences.entry(hash.clone()).or_default();
        *occurrence += 1;
        let choice = choices.get(number).cloned().unwrap_or_default();
        let mut row = read_row(&codes, &merchants, mapping, &paid, *number, cells, &choice);
        (row.hash, row.occurrence) = (hash, *occurrence);
        rows.push(row);
    }
    compare(ledger, profile, choices, &mut rows).await?;
    Ok(Preview { rows })
}

/// Checks that a mapping has what it needs, and that the columns exist.
fn check(table: &Table, mapping: &Mapping) -> Result<(), Error> {
    let columns = &mapping.columns;
    let wrong = || Error::invalid(LedgerCode::MappingInvalid, message!(messages::MAPPING_INVALID));
    if columns.amount.is_none() && columns.paid.is_none() && columns.received.is_none() {
        return Err(wrong());
    }
    let header = table.rows.iter().find(|(number, _)| *number == mapping.header).ok_or_else(wrong)?;
    let all = [
        columns.amount,
        columns.paid,
        columns.received,
        columns.text,
        columns.category,
        columns.kind,
        columns.cancelled,
        columns.currency,
    ];
    let is_there = all.into_iter().flatten().chain([columns.date]).all(|column| column < header.1.len());
    if is_there { Ok(()) } else { Err(wrong()) }
}

fn read_row(
    codes: &Codes,
    merchants: &Merchants,
    mapping: &Mapping,
    paid: &HashSet<(String, i64)>,
    number: usize,
    cells: &[String],
    choice: &Choice,
) -> Row {
    let columns = &mapping.columns;
    let text: String = cell(cells, columns.text).chars().take(200).collect();
    let mut row = Row {
        number,
        status: RowStatus::New,
        date: None,
        time: cells.iter().find_map(|cell| time(cell)),
        text,
        amount: 0,
        subject: None,
        hash: String::new(),
        occurrence: 0,
        known: 0,
        usual: None,
    };
    let date = cell(cells, Some(columns.date));
    row.date = parse_date(date);
    let is_sum = ["합계", "소계", "총계", "누계"]
        .iter()
        .any(|word| cells.iter().any(|cell| cell.trim().starts_with(word)));
    if choice.exclude {
        row.status = RowStatus::Ignored(Ignored::Excluded);
    } else if date.is_empty() || (row.date.is_none() && is_sum) {
        row.status = RowStatus::Ignored(Ignored::NoDate);
    } else if row.date.is_none() {
        row.status = RowStatus::Refused(message!(messages::ROW_DATE, date));
    } else {
        match money(cells, mapping, paid) {
            Ok(money) => place(&mut row, codes, merchants, mapping, cells, choice, &money),
            Err(message) => row.status = RowStatus::Refused(message),
        }
    }
    row
}

/// Puts the money of a row into an entry, or says why it is left out.
fn place(
    row: &mut Row,
    codes: &Codes,
    merchants: &Merchants,
    mapping: &Mapping,
    cells: &[String],
    choice: &Choice,
    money: &Money,
) {
    row.amount = money.amount;
    let category = cell(cells, mapping.columns.category);
    let learned = merchants.usable(codes, &row.text, money.is_earned);
    let guessed = || match money.is_earned {
        true => classify::income(codes, mapping.person.as_deref(), &row.text, category),
        false => classify::spending(codes, &row.text, category),
    };
    row.subject = choice.subject.clone().or_else(|| learned.clone()).or_else(guessed);
    let ignored = match money.ignored {
        // A merchant with a chosen entry is not a transfer.
        Some(Ignored::Transfer | Ignored::CardBill) if learned.is_some() => None,
        None if merchants.is_never(&row.text) => Some(Ignored::Never),
        ignored => ignored,
    };
    let is_wanted = choice.anyway || choice.subject.is_some();
    match ignored {
        _ if choice.never => row.status = RowStatus::Ignored(Ignored::Never),
        Some(why) if is_wanted => row.usual = Some(Box::new(RowStatus::Ignored(why))),
        Some(why) => row.status = RowStatus::Ignored(why),
        None => {}
    }
    if row.status == RowStatus::New && row.subject.is_none() {
        row.status = RowStatus::Refused(message!(messages::ROW_CATEGORY));
    }
}

/// The hash of a row: of its cells without spaces at their ends, whatever the mapping.
fn hash(cells: &[String]) -> String {
    let mut cells: Vec<String> =
        cells.iter().map(|cell| cell.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    while cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    let digest = Sha256::digest(cells.join("\u{1f}").as_bytes());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
