//! Reports: a period, a year of categories, a calendar, and a search of lines.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::try_join3;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansang_core::db::Ask;
use hansang_core::{Db, Error, Item, Record, Value, message, name};
use jiff::{SignedDuration, Timestamp};

use crate::figures::{Balances, Totals, add, number_of};
use crate::head::Head;
use crate::kind::{Subject, TAKEN_OUT};
use crate::line::{self, Line, every};
use crate::read::{amounts, by_date, steady, totals_of};
use crate::{Kind, Ledger, LedgerCode, Month, MonthView, entry, messages};

/// The maximum number of months of a period.
pub const MAX_PERIOD: usize = 240;
/// The number of months that are read at once.
pub(crate) const CONCURRENT: usize = 16;
/// The time within which an index has caught up with the table.
const LAG: SignedDuration = SignedDuration::from_secs(10);
/// The number of changes within that time for which months are told apart.
const MAX_FRESH: u32 = 50;

/// The amounts of an entry over the months of a year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YearRow {
    /// The entry.
    pub subject: Subject,
    /// The amount of each month, from January on.
    pub months: [i64; 12],
    /// The sum.
    pub total: i64,
    /// The sum divided by the number of months that have passed, or that have an amount.
    pub average: i64,
    /// The sum of the year before; of the same months, if the year is not over.
    pub last_total: i64,
}

/// The sums of a day or of a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Day {
    /// The amount earned.
    pub earned: i64,
    /// The fixed and living expenses, as in the totals of a month.
    pub spent: i64,
    /// The amount saved, invested or put aside, less what was taken out of short-term accounts.
    pub saved: i64,
}

impl Day {
    /// Adds the amount of a line.
    pub(crate) fn add(&mut self, subject: &Subject, amount: i64) -> Result<(), Error> {
        let (sum, amount) = match subject.kind {
            Kind::Income => (&mut self.earned, amount),
            Kind::FixedExpense | Kind::LivingExpense => (&mut self.spent, amount),
            Kind::ShortSavings if subject.detail == TAKEN_OUT => (&mut self.saved, -amount),
            _ => (&mut self.saved, amount),
        };
        *sum = add(*sum, amount)?;
        Ok(())
    }
}

/// A search of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// Words that the text, the name or the detail contains.
    pub text: String,
    /// The kind.
    pub kind: Option<Kind>,
    /// Who entered it.
    pub by: Option<String>,
}

impl Totals {
    /// The part of the income that was saved, invested or put aside, in tenths of a percent.
    #[must_use]
    pub fn savings_rate(&self) -> Option<i64> {
        let saved = self.total_savings + self.total_investment + self.total_short_savings;
        (self.total_income > 0).then(|| {
            i64::try_from(i128::from(saved) * 1000 / i128::from(self.total_income)).unwrap_or_default()
        })
    }
}

/// The months of a period, all of one state: one query for the entries of each month, many at once, and the totals and
/// balances of all months together.
///
/// # Errors
/// A period that is empty or too long, or `busy`.
pub async fn period(ledger: &Ledger, from: Month, to: Month) -> Result<Vec<MonthView>, Error> {
    check_period(from, to)?;
    let db = &ledger.db;
    let read = |head: Arc<Head>| {
        async move {
            let months: Vec<Month> = from.to(to).collect();
            let all = try_join3(fresh(ledger), totals_of(db, &months), head.balances_of(db, &months)).await?;
            let (fresh, totals, balances) = all;
            let (head, fresh) = (&head, &fresh);
            let one = |((month, totals), balances): ((Month, Totals), Balances)| async move {
                let mut entries = indexed(db, month).await?;
                // An index may lag behind: then its entries do not add up to the totals, or a change is so new that
                // the index may not have it.
                if fresh.has(month) || entry::sum(&entries)?.totals != totals {
                    entries = entry::of_month(db, month).await?;
                }
                Ok::<_, Error>(MonthView {
                    seq: head.seq,
                    month,
                    totals,
                    balances,
                    entries: amounts(entries),
                })
            };
            let months = months.into_iter().zip(totals).zip(balances);
            stream::iter(months.map(one)).buffered(CONCURRENT).try_collect::<Vec<_>>().await
        }
        .boxed()
    };
    Ok(steady(db, read).await?.1)
}

/// The months that changed so lately that an index may not show it yet.
enum Fresh {
    Some(BTreeSet<String>),
    All,
}

impl Fresh {
    fn has(&self, month: Month) -> bool {
        match self {
            Self::Some(months) => months.contains(&month.to_string()),
            Self::All => true,
        }
    }
}

/// The months of the changes of the last seconds; all if there were many.
async fn fresh(ledger: &Ledger) -> Result<Fresh, Error> {
    let fields = ["seq", "at", "months"].map(str::to_owned).to_vec();
    let ask = Ask { limit: Some(MAX_FRESH), fields: Some(fields), ..Ask::default() };
    let page = ledger.db.query("changes", Item::new(), ask).await?;
    let is_fresh = |record: &&Record| {
        let at: Option<Timestamp> = record.text("at").and_then(|at| at.parse().ok());
        at.is_none_or(|at| ledger.now().duration_since(at) < LAG)
    };
    let (count, fresh) = (page.records.len(), page.records.iter().filter(is_fresh).collect::<Vec<_>>());
    if fresh.len() == count && page.next.is_some() {
        return Ok(Fresh::All);
    }
    let months = |record: &&Record| match record.fields.get("months") {
        Some(Value::L(months)) => months.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    Ok(Fresh::Some(fresh.iter().flat_map(months).collect()))
}

/// Checks the length of a period.
pub(crate) fn check_period(from: Month, to: Month) -> Result<(), Error> {
    if (0..MAX_PERIOD as i64).contains(&to.since(from)) {
        return Ok(());
    }
    Err(Error::invalid(LedgerCode::PeriodInvalid, message!(messages::PERIOD_INVALID, MAX_PERIOD)))
}

/// The entries of a month by the index: one query.
async fn indexed(db: &Db, month: Month) -> Result<BTreeMap<Subject, i64>, Error> {
    let month = Value::from(month.to_string());
    let arguments = Item::from([(name!("from"), month.clone()), (name!("to"), month)]);
    let records = every(db, "period", arguments).await?;
    let amount = |record: &Record| Some((Subject::of_entry(record)?, number_of(&record.fields, "amount")));
    Ok(records.iter().filter_map(amount).collect())
}

/// The entries of a year by month, with the average, the total and that of the year before.
///
/// # Errors
/// As [`period`].
pub async fn year(ledger: &Ledger, year: u32) -> Result<Vec<YearRow>, Error> {
    let first: Month = format!("{year}.01").parse()?;
    let months = period(ledger, first.plus(-12), first.plus(11)).await?;
    let now = Month::of(ledger.today());
    let last = if now.year() == year { now } else { first.plus(11) };
    let mut rows: BTreeMap<Subject, YearRow> = BTreeMap::new();
    // A year that is not over is compared with the same months of the year before.
    let compared = |view: &&MonthView| view.month >= first || view.month.plus(12) <= last;
    for view in months.iter().filter(compared) {
        for entry in &view.entries {
            let subject = entry.subject.clone();
            let row = rows.entry(subject.clone()).or_insert_with(|| YearRow {
                subject,
                months: [0; 12],
                total: 0,
                average: 0,
                last_total: 0,
            });
            if view.month < first {
                row.last_total = add(row.last_total, entry.amount)?;
            } else {
                row.months[view.month.number() as usize - 1] = entry.amount;
                row.total = add(row.total, entry.amount)?;
            }
        }
    }
    for row in rows.values_mut() {
        let passed = (now.since(first) + 1).clamp(0, 12);
        let used = row.months.iter().rposition(|amount| *amount != 0).map_or(0, |last| last as i64 + 1);
        row.average = row.total / passed.max(used).max(1);
    }
    Ok(rows.into_values().collect())
}

/// The sums of each day of a month that has lines.
///
/// # Errors
/// When the store fails.
pub async fn calendar(ledger: &Ledger, month: Month) -> Result<BTreeMap<String, Day>, Error> {
    let mut days: BTreeMap<String, Day> = BTreeMap::new();
    let db = &ledger.db;
    let (_, lines) = steady(db, |_| line::of_month(db, month).boxed()).await?;
    for line in lines {
        days.entry(line.date).or_default().add(&line.subject, line.amount)?;
    }
    Ok(days)
}

/// The lines of a period that match a search, newest first, at most `limit`.
///
/// # Errors
/// A period that is empty or too long.
pub async fn search(
    ledger: &Ledger,
    from: Month,
    to: Month,
    search: &Search,
    limit: usize,
) -> Result<Vec<Line>, Error> {
    check_period(from, to)?;
    let wanted = search.text.to_lowercase();
    let matches = |line: &Line| {
        let texts = [&line.text, &line.subject.name, &line.subject.detail];
        search.kind.is_none_or(|kind| kind == line.subject.kind)
            && search.by.as_ref().is_none_or(|by| *by == line.by)
            && wanted
                .split_whitespace()
                .all(|word| texts.iter().any(|text| text.to_lowercase().contains(word)))
    };
    let (db, matches) = (&ledger.db, &matches);
    let read = |_| {
        async move {
            let mut found = Vec::new();
            let newest_first: Vec<Month> = from.to(to).collect();
            let read = newest_first.into_iter().rev().map(|month| line::of_month(db, month));
            // Months are read ahead of the one that is searched.
            let mut months = stream::iter(read).buffered(CONCURRENT);
            while let Some(lines) = months.try_next().await? {
                found.extend(by_date(lines).into_iter().rev().filter(matches));
                if found.len() >= limit {
                    break;
                }
            }
            found.truncate(limit);
            Ok(found)
        }
        .boxed()
    };
    Ok(steady(db, read).await?.1)
}

/// The sum of the totals of months.
///
/// # Errors
/// A sum that is too large.
pub fn sum_of_totals(months: &[MonthView]) -> Result<Totals, Error> {
    months.iter().try_fold(Totals::default(), |sum, month| sum.plus(&month.totals))
}
