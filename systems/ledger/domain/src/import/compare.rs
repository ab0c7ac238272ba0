//! The rows of a file beside what the ledger has: imported before, changed since, or entered by hand.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use hansang_core::{Error, Item, Record, Value, name};
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::preview::{Choice, Row, RowStatus};
use super::record::imports;
use crate::head::strong;
use crate::kind::Kind;
use crate::line::{self, Line, Source};
use crate::{Ledger, Month};

/// The days between the line of a rule and the row of a bank: a payment that falls on a holiday is made later.
const RULE_DAYS: i64 = 4;

/// The record of an imported row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// The ids of the lines that rows with these cells have.
    pub(super) lines: Vec<String>,
    /// The time of day of the row, if it has one.
    pub(super) time: Option<String>,
}

impl Seen {
    fn of(record: &Record) -> Self {
        let lines = match record.fields.get("lines") {
            Some(Value::L(ids)) => ids.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        Self { lines, time: record.text("time").map(str::to_owned) }
    }
}

/// The record of a row.
pub(super) async fn seen(ledger: &Ledger, hash: &str) -> Result<Seen, Error> {
    let record = ledger.db.get("SeenRow", &key(hash), &strong()).await?;
    Ok(record.as_ref().map(Seen::of).unwrap_or_default())
}

/// The records of many rows.
async fn seen_all(ledger: &Ledger, hashes: &BTreeSet<&str>) -> Result<HashMap<String, Seen>, Error> {
    let keys: Vec<Item> = hashes.iter().map(|hash| key(hash)).collect();
    let records = ledger.db.batch_get("SeenRow", &keys, &strong()).await?;
    let found = hashes.iter().zip(records);
    Ok(found.filter_map(|(hash, record)| Some(((*hash).to_owned(), Seen::of(&record?)))).collect())
}

fn key(hash: &str) -> Item {
    Item::from([(name!("row"), hash.into())])
}

/// The lines of a month that rows may be about.
#[derive(Default)]
struct Known {
    lines: Vec<Line>,
    /// The lines that a row of this file is about already.
    taken: HashSet<usize>,
    /// Lines that were imported from the same source, by date and text.
    imported: HashMap<(String, String), Vec<usize>>,
    /// The same by date.
    days: HashMap<String, Vec<usize>>,
    /// Lines that a person or a rule entered, by amount.
    entered: HashMap<i64, Vec<usize>>,
}

/// The rows of a file and the lines of their months.
struct Comparison {
    /// The hashes of all rows of the file.
    hashes: HashSet<String>,
    /// The dates and texts of rows that were not imported before.
    fresh: HashSet<(String, String)>,
    months: BTreeMap<Month, Known>,
    /// The times of rows that were imported before.
    times: HashMap<String, String>,
}

/// Finds rows that were imported before, those whose amount has changed since, and those that were entered by hand.
pub(super) async fn compare(
    ledger: &Ledger,
    profile: &str,
    choices: &BTreeMap<usize, Choice>,
    rows: &mut [Row],
) -> Result<(), Error> {
    let new = || rows.iter().filter(|row| row.status == RowStatus::New);
    let seen = seen_all(ledger, &new().map(|row| &*row.hash).collect()).await?;
    let known = |row: &Row| seen.get(&row.hash).map_or(0, |seen| seen.lines.len());
    let place = |row: &Row| row.date.map(|date| (date.to_string(), row.text.clone()));
    let mut all = Comparison {
        hashes: rows.iter().map(|row| row.hash.clone()).collect(),
        fresh: new().filter(|row| row.occurrence > known(row)).filter_map(place).collect(),
        months: BTreeMap::new(),
        times: HashMap::new(),
    };
    let missing = new().filter(|row| row.occurrence > known(row)).filter_map(|row| row.date);
    let near = |date: Date| [-RULE_DAYS, 0, RULE_DAYS].map(|days| Month::of(later(date, days)));
    let months: BTreeSet<Month> = missing.flat_map(near).collect();
    all.load(ledger, profile, months).await?;
    for row in rows.iter_mut().filter(|row| row.status == RowStatus::New) {
        row.known = known(row);
        let choice = choices.get(&row.number);
        // A transfer that is wanted anyway is still not wanted twice.
        let is_wanted = row.usual.is_none() && choice.is_some_and(|choice| choice.anyway);
        let found = if row.occurrence <= row.known {
            Some(RowStatus::Duplicate)
        } else {
            all.changed(row, is_wanted).or_else(|| all.entered(row, is_wanted))
        };
        match found {
            Some(usual) if is_wanted => row.usual = Some(Box::new(usual)),
            Some(status) => {
                // The line stays where it is, unless a person chose another entry.
                if let (RowStatus::Changed(line), None) =
                    (&status, choice.and_then(|one| one.subject.as_ref()))
                {
                    row.subject = Some(line.subject.clone());
                }
                (row.status, row.usual) = (status, None);
            }
            None => {}
        }
    }
    Ok(())
}

impl Comparison {
    async fn load(&mut self, ledger: &Ledger, profile: &str, months: BTreeSet<Month>) -> Result<(), Error> {
        // The same shop on the same day is another purchase if another card paid it.
        let all = imports(ledger).await?;
        let mine: HashSet<&str> =
            all.iter().filter(|import| import.profile == profile).map(|import| &*import.import_id).collect();
        for month in months {
            let mut known = Known::default();
            for (index, line) in line::of_month(&ledger.db, month).await?.into_iter().enumerate() {
                let is_mine = line.import_id.as_deref().is_some_and(|id| mine.contains(id));
                if line.row.is_some() && is_mine {
                    known.days.entry(line.date.clone()).or_default().push(index);
                    let place = (line.date.clone(), line.text.clone());
                    known.imported.entry(place).or_default().push(index);
                } else if line.row.is_none() && can_be_a_row(&line) {
                    known.entered.entry(line.amount).or_default().push(index);
                }
                known.lines.push(line);
            }
            self.months.insert(month, known);
        }
        let candidates = self.months.values().flat_map(|known| {
            let places = known.imported.iter().filter(|(place, _)| self.fresh.contains(place));
            places.flat_map(|(_, lines)| lines).filter_map(|index| known.lines[*index].row.as_deref())
        });
        let seen = seen_all(ledger, &candidates.collect()).await?;
        self.times = seen.into_iter().filter_map(|(hash, seen)| Some((hash, seen.time?))).collect();
        Ok(())
    }

    /// The line that was imported from an earlier version of a row.
    ///
    /// A row at another time is another purchase. Without times it is one too if the file does not have the other rows of that
    /// day: then it goes on where an earlier file ended.
    fn changed(&mut self, row: &Row, is_wanted: bool) -> Option<RowStatus> {
        let place = (row.date?.to_string(), row.text.clone());
        let known = self.months.get(&Month::of(row.date?))?;
        let candidates = known.imported.get(&place).filter(|_| !row.text.is_empty())?;
        let index = candidates.iter().copied().find(|index| {
            let line = &known.lines[*index];
            let Some(hash) = line.row.as_ref().filter(|hash| !self.hashes.contains(*hash)) else {
                return false;
            };
            !known.taken.contains(index)
                && match (self.times.get(hash), &row.time) {
                    (Some(then), Some(now)) => then == now,
                    _ => self.covers(known, *index, &place.0),
                }
        })?;
        self.take(Month::of(row.date?), index, is_wanted).map(RowStatus::Changed)
    }

    /// Whether the file has every row of a day that was imported before, but for one.
    fn covers(&self, known: &Known, but: usize, date: &str) -> bool {
        known.days.get(date).into_iter().flatten().filter(|index| **index != but).all(|index| {
            let line = &known.lines[*index];
            line.row.as_ref().is_some_and(|hash| self.hashes.contains(hash))
                || self.fresh.contains(&(line.date.clone(), line.text.clone()))
        })
    }

    /// The line that a person or a rule entered for a row.
    fn entered(&mut self, row: &Row, is_wanted: bool) -> Option<RowStatus> {
        let (date, subject) = (row.date?, row.subject.as_ref()?);
        let months: BTreeSet<Month> =
            [0, -RULE_DAYS, RULE_DAYS].map(|days| Month::of(later(date, days))).into();
        let fits = |line: &Line| {
            let days = crate::date(&line.date).map_or(i64::MAX, |other| days_between(date, other));
            let limit = if line.source == Source::Recurring { RULE_DAYS } else { 0 };
            let is_earned = |kind: Kind| kind == Kind::Income;
            (days <= limit && is_earned(line.subject.kind) == is_earned(subject.kind)).then_some(days)
        };
        let candidates = months.iter().filter_map(|month| Some((*month, self.months.get(month)?)));
        let candidates = candidates.flat_map(|(month, known)| {
            let lines = known.entered.get(&row.amount).into_iter().flatten().copied();
            lines.filter(|index| !known.taken.contains(index)).filter_map(move |index| {
                let line = &known.lines[index];
                // The nearest line of the same category counts first.
                Some((fits(line)?, line.subject != *subject, month, index))
            })
        });
        let (_, _, month, index) = candidates.min()?;
        self.take(month, index, is_wanted).map(RowStatus::Entered)
    }

    /// A line, which no other row is about then. A row that becomes a line of its own leaves it to the next one.
    fn take(&mut self, month: Month, index: usize, is_wanted: bool) -> Option<Box<Line>> {
        let known = self.months.get_mut(&month)?;
        if !is_wanted {
            known.taken.insert(index);
        }
        known.lines.get(index).cloned().map(Box::new)
    }
}

/// Whether a line that was not imported may be about a payment that a bank knows.
fn can_be_a_row(line: &Line) -> bool {
    matches!(line.source, Source::Typed | Source::Copy | Source::Recurring | Source::Restore)
}

fn later(date: Date, days: i64) -> Date {
    date.saturating_add(days.days())
}

fn days_between(a: Date, b: Date) -> i64 {
    a.since(b).map_or(i64::MAX, |span| i64::from(span.get_days()).abs())
}
