//! Reading figures that belong together.
//!
//! The head is a sequence lock: items that are read between two reads of the head with the same number are one state.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, try_join, try_join3};
use hansang_core::{Db, Error, Item};

use crate::change::busy;
use crate::entry;
use crate::figures::{Balances, Totals};
use crate::head::{self, Head, month_key, strong};
use crate::kind::Subject;
use crate::line::{self, Line};
use crate::{Ledger, Month};

/// The number of attempts while changes are made.
const ATTEMPTS: usize = 64;

/// The amount of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryAmount {
    /// The entry.
    pub subject: Subject,
    /// Its amount.
    pub amount: i64,
}

/// A month in one state of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonthView {
    /// The last change of that state.
    pub seq: i64,
    /// The month.
    pub month: Month,
    /// The totals.
    pub totals: Totals,
    /// The balances at the end of the month.
    pub balances: Balances,
    /// The entries, by kind and name.
    pub entries: Vec<EntryAmount>,
}

/// Runs reads until they are from one state. Returns the number of its last change.
pub(crate) async fn steady<'r, T>(
    db: &Db,
    read: impl Fn(Arc<Head>) -> BoxFuture<'r, Result<T, Error>> + Send,
) -> Result<(i64, T), Error> {
    let mut head = Arc::new(head::load(db).await?);
    for _ in 0..ATTEMPTS {
        let result = read(head.clone()).await?;
        let after = Arc::new(head::load(db).await?);
        if after.seq == head.seq {
            return Ok((head.seq, result));
        }
        head = after;
    }
    Err(busy())
}

/// The totals of a month; zeros if it is not stored.
pub(crate) async fn totals(db: &Db, month: Month) -> Result<Totals, Error> {
    let record = db.get("MonthlySummary", &month_key(month), &strong()).await?;
    Ok(record.as_ref().map(Totals::of).unwrap_or_default())
}

/// The totals of many months, read together.
pub(crate) async fn totals_of(db: &Db, months: &[Month]) -> Result<Vec<Totals>, Error> {
    let keys: Vec<Item> = months.iter().map(|month| month_key(*month)).collect();
    let records = db.batch_get("MonthlySummary", &keys, &strong()).await?;
    Ok(records.iter().map(|record| record.as_ref().map(Totals::of).unwrap_or_default()).collect())
}

/// A month: its totals, balances and entries, all of one state.
///
/// # Errors
/// `busy` when changes are made all the time.
pub async fn month(ledger: &Ledger, month: Month) -> Result<MonthView, Error> {
    let db = &ledger.db;
    let read = |head: Arc<Head>| {
        async move { try_join3(totals(db, month), head.balances(db, month), entry::of_month(db, month)).await }.boxed()
    };
    let (seq, (totals, balances, entries)) = steady(db, read).await?;
    let entries = amounts(entries);
    Ok(MonthView { seq, month, totals, balances, entries })
}

pub(crate) fn amounts(entries: BTreeMap<Subject, i64>) -> Vec<EntryAmount> {
    entries.into_iter().map(|(subject, amount)| EntryAmount { subject, amount }).collect()
}

/// The lines of a month, by date, all of one state.
///
/// # Errors
/// When the store fails, or `busy`.
pub async fn lines_of_month(ledger: &Ledger, month: Month) -> Result<Vec<Line>, Error> {
    let db = &ledger.db;
    let (_, lines) = steady(db, |_| line::of_month(db, month).boxed()).await?;
    Ok(by_date(lines))
}

/// The lines of an entry, by date, and its amount, of one state.
///
/// # Errors
/// When the store fails, or the entry is missing.
pub async fn lines_of_entry(
    ledger: &Ledger,
    month: Month,
    subject: &Subject,
) -> Result<(i64, Vec<Line>), Error> {
    let db = &ledger.db;
    let read =
        |_: Arc<Head>| try_join(entry::load(db, month, subject), line::of_entry(db, month, subject)).boxed();
    let (_, (amount, lines)) = steady(db, read).await?;
    let amount = amount.ok_or_else(|| crate::entries::unknown(month, subject))?;
    Ok((amount, by_date(lines)))
}

pub(crate) fn by_date(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by(|a, b| (&a.date, &a.line_id).cmp(&(&b.date, &b.line_id)));
    lines
}

/// The balances before the first month.
///
/// # Errors
/// When the store fails.
pub async fn opening(ledger: &Ledger) -> Result<Balances, Error> {
    head::opening(&ledger.db).await
}

/// The number of the last change.
///
/// # Errors
/// When the store fails.
pub async fn last_change(ledger: &Ledger) -> Result<i64, Error> {
    Ok(head::load(&ledger.db).await?.seq)
}

/// The months with totals and balances, in order.
///
/// # Errors
/// When the store fails.
pub async fn stored_months(ledger: &Ledger) -> Result<Vec<Month>, Error> {
    Ok(head::load(&ledger.db).await?.months)
}
