//! The effect of every row of a file, before anything is written.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use futures_util::future::try_join_all;
use hansang_core::{Error, Message, message};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::classify::{self, Merchants};
use super::money::{Money, Paid, cell, money, payment};
use super::record::imports;
use super::{Mapping, Table, parse_date};
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
        // Whoever chose an entry for a merchant's transfers means that they are none.
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

/// Finds rows that were imported before, and those whose amount has changed since.
async fn compare(
    ledger: &Ledger,
    profile: &str,
    choices: &BTreeMap<usize, Choice>,
    rows: &mut [Row],
) -> Result<(), Error> {
    let hashes: BTreeSet<String> =
        rows.iter().filter(|row| row.status == RowStatus::New).map(|row| row.hash.clone()).collect();
    let list: Vec<&String> = hashes.iter().collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for chunk in list.chunks(64) {
        let found = try_join_all(chunk.iter().map(|hash| seen(ledger, hash))).await?;
        counts.extend(chunk.iter().map(|hash| (*hash).clone()).zip(found.iter().map(Vec::len)));
    }
    // The same shop on the same day is another purchase if another card paid it.
    let all = imports(ledger).await?;
    let mine: HashSet<&str> =
        all.iter().filter(|import| import.profile == profile).map(|import| &*import.import_id).collect();
    let is_mine = |line: &Line| line.import_id.as_deref().is_some_and(|id| mine.contains(id));
    let mut months: BTreeMap<Month, Vec<Line>> = BTreeMap::new();
    for row in rows.iter_mut().filter(|row| row.status == RowStatus::New) {
        row.known = counts.get(&row.hash).copied().unwrap_or_default();
        // A transfer that is wanted anyway is still not wanted twice.
        let is_wanted = row.usual.is_none() && choices.get(&row.number).is_some_and(|choice| choice.anyway);
        let mut found = (row.occurrence <= row.known).then_some(RowStatus::Duplicate);
        if let (None, Some(date), false) = (&found, row.date, mine.is_empty()) {
            let month = Month::of(date);
            if let Entry::Vacant(vacant) = months.entry(month) {
                let lines = line::of_month(&ledger.db, month).await?;
                vacant.insert(lines.into_iter().filter(|line| line.row.is_some() && is_mine(line)).collect());
            }
            let date = date.to_string();
            let lines = months.entry(month).or_default();
            let is_same = |line: &Line| {
                line.date == date
                    && line.text == row.text
                    && !row.text.is_empty()
                    && line.row.as_ref().is_some_and(|hash| !hashes.contains(hash))
            };
            if let Some(index) = lines.iter().position(is_same) {
                // A line that this row does not change may be what the next one changes.
                let line = if is_wanted { lines[index].clone() } else { lines.swap_remove(index) };
                found = Some(RowStatus::Changed(Box::new(line)));
            }
        }
        match found {
            Some(usual) if is_wanted => row.usual = Some(Box::new(usual)),
            Some(status) => (row.status, row.usual) = (status, None),
            None => {}
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
