//! Reports: a period, a year of categories, a calendar, and a search of lines.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::{try_join, try_join3};
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansang_core::{Db, Error, Item, Record, Value, message, name};

use crate::figures::{Totals, add, number_of};
use crate::head::Head;
use crate::kind::Subject;
use crate::line::{self, Line, every};
use crate::read::{amounts, by_date, steady, totals};
use crate::{Kind, Ledger, LedgerCode, Month, MonthView, entry, messages};

/// The maximum number of months of a period.
pub const MAX_PERIOD: usize = 240;
/// The number of months that are read at once.
const CONCURRENT: usize = 16;

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
    /// The sum of the year before.
    pub last_total: i64,
}

/// The sums of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Day {
    /// The amount earned.
    pub earned: i64,
    /// The spending, without savings.
    pub spent: i64,
    /// The amount saved, invested or put aside.
    pub saved: i64,
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

/// The months of a period, all of one state: one query for the entries of each month, many at once.
///
/// # Errors
/// A period that is empty or too long, or `busy`.
pub async fn period(ledger: &Ledger, from: Month, to: Month) -> Result<Vec<MonthView>, Error> {
    check_period(from, to)?;
    let db = &ledger.db;
    let read = |head: Arc<Head>| {
        async move {
            let months: Vec<Month> = from.to(to).collect();
            let head = &head;
            let one = |month: Month| async move {
                let read = try_join3(totals(db, month), head.balances(db, month), indexed(db, month)).await?;
                let (totals, balances, mut entries) = read;
                // An index may lag behind: then its entries do not add up to the totals.
                if entry::sum(&entries)?.totals != totals {
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
            stream::iter(months.into_iter().map(one)).buffered(CONCURRENT).try_collect::<Vec<_>>().await
        }
        .boxed()
    };
    Ok(steady(db, read).await?.1)
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
    let mut rows: BTreeMap<Subject, YearRow> = BTreeMap::new();
    for view in &months {
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
    for line in line::of_month(&ledger.db, month).await? {
        let day = days.entry(line.date).or_default();
        let sum = match line.subject.kind {
            Kind::Income => &mut day.earned,
            Kind::FixedExpense | Kind::LivingExpense => &mut day.spent,
            Kind::ShortSavings if line.subject.detail == crate::TAKEN_OUT => &mut day.spent,
            _ => &mut day.saved,
        };
        *sum = add(*sum, line.amount)?;
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
    let mut found = Vec::new();
    for number in 0..=to.since(from) {
        let month = to.plus(-i32::try_from(number).unwrap_or(i32::MAX));
        let lines = by_date(line::of_month(&ledger.db, month).await?);
        found.extend(lines.into_iter().rev().filter(&matches));
        if found.len() >= limit {
            break;
        }
    }
    found.truncate(limit);
    Ok(found)
}

/// The sum of the totals of months.
///
/// # Errors
/// A sum that is too large.
pub fn sum_of_totals(months: &[MonthView]) -> Result<Totals, Error> {
    months.iter().try_fold(Totals::default(), |sum, month| sum.plus(&month.totals))
}

/// The income and the entered spending of each person in a month.
///
/// # Errors
/// When the store fails.
pub async fn people(ledger: &Ledger, month: Month) -> Result<BTreeMap<String, Day>, Error> {
    people_of_period(ledger, month, month).await
}

/// The income and the entered spending of each person in a period.
///
/// # Errors
/// A period that is empty or too long.
pub async fn people_of_period(
    ledger: &Ledger,
    from: Month,
    to: Month,
) -> Result<BTreeMap<String, Day>, Error> {
    check_period(from, to)?;
    let months = from.to(to).map(|month| line::of_month(&ledger.db, month));
    let lines = stream::iter(months.collect::<Vec<_>>()).buffered(CONCURRENT);
    let (codes, lines) = try_join(ledger.codes(), lines.try_concat()).await?;
    let mut people: BTreeMap<String, Day> =
        codes.list(crate::CodeType::Name).iter().map(|name| (name.clone(), Day::default())).collect();
    for line in lines {
        match line.subject.kind {
            Kind::Income => {
                let person = people.entry(line.subject.name).or_default();
                person.earned = add(person.earned, line.amount)?;
            }
            Kind::FixedExpense | Kind::LivingExpense => {
                let person = people.entry(line.by).or_default();
                person.spent = add(person.spent, line.amount)?;
            }
            _ => {
                let person = people.entry(line.by).or_default();
                person.saved = add(person.saved, line.amount)?;
            }
        }
    }
    Ok(people)
}
