//! The effect of every row of a file, before anything is written.

use std::collections::{BTreeMap, HashSet};

use futures_util::future::try_join_all;
use hansang_core::{Error, Message, message};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::classify::{self, Merchants};
use super::{Mapping, Table, parse_amount, parse_date};
use crate::codes::{Codes, stored};
use crate::kind::Subject;
use crate::line::{self, Line};
use crate::{Ledger, LedgerCode, Month, messages};

/// The decision of a person about a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choice {
    /// The entry, if not the proposed one. It is remembered for the merchant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
    /// Whether the row is left out.
    pub exclude: bool,
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
    /// Changes the amount of this imported line.
    Changed(Box<Line>),
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

/// Reads every row of a file with a mapping.
///
/// # Errors
/// A mapping that does not fit the file.
pub async fn preview(
    ledger: &Ledger,
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
    let paid: HashSet<(String, i64)> = behind().filter_map(|(_, cells)| payment(cells, mapping)).collect();
    for (number, cells) in behind() {
        let hash = hash(cells);
        let occurrence = occurrences.entry(hash.clone()).or_default();
        *occurrence += 1;
        let choice = choices.get(number).cloned().unwrap_or_default();
        let mut row = read_row(&codes, &merchants, mapping, &paid, *number, cells, &choice);
        (row.hash, row.occurrence) = (hash, *occurrence);
        rows.push(row);
    }
    compare(ledger, &mut rows).await?;
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
    ];
    let is_there = all.into_iter().flatten().chain([columns.date]).all(|column| column < header.1.len());
    if is_there { Ok(()) } else { Err(wrong()) }
}

/// The text and the amount of a payment without a mark of cancellation.
fn payment(cells: &[String], mapping: &Mapping) -> Option<(String, i64)> {
    let columns = &mapping.columns;
    let amount = parse_amount(cells.get(columns.amount?)?)?;
    (!is_cancelled(cells, mapping)).then(|| (cell(cells, columns.text).to_owned(), amount.abs()))
}

fn is_cancelled(cells: &[String], mapping: &Mapping) -> bool {
    let marks = [mapping.columns.cancelled, mapping.columns.kind];
    marks.into_iter().any(|column| {
        let text = cell(cells, column);
        text.contains("취소") && !text.contains("미취소")
            || text.eq_ignore_ascii_case("y") && column == mapping.columns.cancelled
    })
}

fn cell(cells: &[String], column: Option<usize>) -> &str {
    column.and_then(|column| cells.get(column)).map_or("", |cell| cell.trim())
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
        text,
        amount: 0,
        subject: None,
        hash: String::new(),
        occurrence: 0,
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
            Ok(Money::Spent(amount)) => {
                row.amount = amount;
                row.subject = classify::spending(codes, merchants, &row.text, cell(cells, columns.category));
            }
            Ok(Money::Earned(amount)) => {
                row.amount = amount;
                let person = mapping.person.as_deref();
                row.subject =
                    classify::income(codes, merchants, person, &row.text, cell(cells, columns.category));
            }
            Ok(Money::None(why)) => row.status = RowStatus::Ignored(why),
            Err(message) => row.status = RowStatus::Refused(message),
        }
        row.subject = choice.subject.clone().or(row.subject);
        if row.status == RowStatus::New && row.subject.is_none() {
            row.status = RowStatus::Refused(message!(messages::ROW_CATEGORY));
        }
    }
    row
}

/// The direction of a row's money.
enum Money {
    Spent(i64),
    Earned(i64),
    None(Ignored),
}

fn money(cells: &[String], mapping: &Mapping, paid: &HashSet<(String, i64)>) -> Result<Money, Message> {
    let columns = &mapping.columns;
    let number = |column: Option<usize>| match cell(cells, column) {
        "" | "-" => Ok(0),
        text => parse_amount(text).ok_or_else(|| message!(messages::AMOUNT_INVALID, text)),
    };
    let kind = cell(cells, columns.kind);
    if kind.contains("이체") && !kind.contains("자동이체") {
        return Ok(Money::None(Ignored::Transfer));
    }
    if columns.paid.is_some() || columns.received.is_some() {
        return Ok(match (number(columns.paid)?, number(columns.received)?) {
            (0, 0) => Money::None(Ignored::Zero),
            (0, received) => Money::Earned(received),
            (paid, received) => Money::Spent(paid - received),
        });
    }
    if columns.amount.and_then(|column| cells.get(column)).is_none() {
        return Err(message!(messages::ROW_SHORT));
    }
    let amount = number(columns.amount)?;
    if amount == 0 {
        return Ok(Money::None(Ignored::Zero));
    }
    if kind.contains("수입") || kind.contains("입금") {
        return Ok(Money::Earned(amount));
    }
    if is_cancelled(cells, mapping) && amount > 0 && !mapping.spending_is_negative {
        let was_paid = paid.contains(&(cell(cells, columns.text).to_owned(), amount));
        return Ok(if was_paid { Money::Spent(-amount) } else { Money::None(Ignored::Cancelled) });
    }
    Ok(Money::Spent(if mapping.spending_is_negative { -amount } else { amount }))
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

/// Finds rows that were imported before, and those whose amount has changed since.
async fn compare(ledger: &Ledger, rows: &mut [Row]) -> Result<(), Error> {
    let hashes: BTreeMap<String, ()> =
        rows.iter().filter(|row| row.status == RowStatus::New).map(|row| (row.hash.clone(), ())).collect();
    let list: Vec<&String> = hashes.keys().collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for chunk in list.chunks(64) {
        let found = try_join_all(chunk.iter().map(|hash| seen(ledger, hash))).await?;
        counts.extend(chunk.iter().map(|hash| (*hash).clone()).zip(found.iter().map(Vec::len)));
    }
    let mut months: BTreeMap<Month, Vec<Line>> = BTreeMap::new();
    for row in rows.iter_mut().filter(|row| row.status == RowStatus::New) {
        if row.occurrence <= counts.get(&row.hash).copied().unwrap_or_default() {
            row.status = RowStatus::Duplicate;
            continue;
        }
        let Some(date) = row.date else { continue };
        let month = Month::of(date);
        if let std::collections::btree_map::Entry::Vacant(vacant) = months.entry(month) {
            let lines = line::of_month(&ledger.db, month).await?;
            vacant.insert(lines.into_iter().filter(|line| line.row.is_some()).collect());
        }
        let date = date.to_string();
        let lines = months.entry(month).or_default();
        let is_same = |line: &Line| {
            line.date == date
                && line.text == row.text
                && !row.text.is_empty()
                && line.row.as_ref().is_some_and(|hash| !hashes.contains_key(hash))
        };
        if let Some(index) = lines.iter().position(is_same) {
            row.status = RowStatus::Changed(Box::new(lines.swap_remove(index)));
        }
    }
    Ok(())
}

/// The ids of the lines that a row has.
pub(super) async fn seen(ledger: &Ledger, hash: &str) -> Result<Vec<String>, Error> {
    let key = hansang_core::Item::from([(hansang_core::name!("row"), hash.into())]);
    let fields = stored(ledger, "SeenRow", key).await?;
    Ok(match fields.as_ref().and_then(|fields| fields.get("lines")) {
        Some(hansang_core::Value::L(ids)) => {
            ids.iter().filter_map(hansang_core::Value::as_str).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    })
}
