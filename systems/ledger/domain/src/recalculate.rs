//! Recalculation: entries from lines, totals and balances from entries, month by month.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

use futures_util::FutureExt as _;
use futures_util::future::{try_join, try_join4};
use hansang_core::db::Operation;
use hansang_core::{Error, Message, Name, message};

use crate::change::{Edit, adopted, commit};
use crate::codes::{CodeType, forget};
use crate::figures::{Balances, Totals, add};
use crate::head::{
    self, Head, StoredBalances, load_balances, month_key, strong, write_balances, write_month,
};
use crate::kind::Subject;
use crate::line::{self, LINE};
use crate::lists::{ListChange, ListName, change_list};
use crate::read::steady;
use crate::{Ledger, LedgerCode, MAX_PERIOD, Month, entry, messages};

/// The number of entries that one transaction corrects.
const MAX_CORRECTED: usize = 90;
/// The number of months that one transaction adds.
const MAX_ADDED: usize = 40;
/// The number of months that are offered ahead of the current one.
const MONTHS_AHEAD: i32 = 12;

/// The result of a recalculation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recalculated {
    /// The number of months.
    pub months: usize,
    /// Every difference that was found.
    pub problems: Vec<Message>,
}

/// The problems of a month.
#[derive(Default)]
struct Differences {
    /// The stored amount and the sum of the lines, where they differ.
    entries: Vec<(Subject, Option<i64>, Option<i64>)>,
    totals: Option<(bool, Totals)>,
    balances: Option<(Option<StoredBalances>, Balances)>,
}

/// Recalculates every month from one on, or checks only.
///
/// # Errors
/// When the store fails. What was corrected stays.
pub async fn recalculate(
    ledger: &Ledger,
    by: &str,
    from: Option<Month>,
    check: bool,
) -> Result<Recalculated, Error> {
    let head = head::load(&ledger.db).await?;
    let offered = ledger.codes().await?;
    let offered = offered.list(CodeType::YearMonth).iter().filter_map(|month| month.parse().ok());
    let months: BTreeSet<Month> = head.months.iter().copied().chain(offered).collect();
    let mut result = Recalculated::default();
    for month in months.into_iter().filter(|month| from.is_none_or(|from| *month >= from)) {
        if !head.has(month) {
            let entries = entry::of_month(&ledger.db, month).await?;
            if entries.is_empty() && line::of_month(&ledger.db, month).await?.is_empty() {
                continue;
            }
            result.problems.push(message!(messages::MONTH_MISSING, month.to_string()));
            if check {
                continue;
            }
            add_months(ledger, by, &[month]).await?;
        }
        result.months += 1;
        result.problems.extend(one_month(ledger, by, month, check).await?);
    }
    Ok(result)
}

async fn one_month(ledger: &Ledger, by: &str, month: Month, check: bool) -> Result<Vec<Message>, Error> {
    let db = &ledger.db;
    let mut problems = Vec::new();
    loop {
        let (_, found) =
            steady(db, |head| async move { differences(ledger, &head, month).await }.boxed()).await?;
        if problems.is_empty() {
            problems = found.messages(month);
        }
        if check || found.is_empty() {
            return Ok(problems);
        }
        correct(ledger, by, month).await?;
    }
}

/// Compares a month with a calculation from its lines and the month before.
async fn differences(ledger: &Ledger, head: &Head, month: Month) -> Result<Differences, Error> {
    let db = &ledger.db;
    // The month-end batch dropped the empty month in the meantime.
    if !head.has(month) {
        return Ok(Differences::default());
    }
    let (lines, entries, totals, stored) = try_join4(
        line::of_month(db, month),
        entry::of_month(db, month),
        async { db.get("MonthlySummary", &month_key(month), &strong()).await },
        load_balances(db, month),
    )
    .await?;
    let mut sums: BTreeMap<Subject, i64> = BTreeMap::new();
    for line in lines {
        let sum = sums.entry(line.subject).or_default();
        *sum = add(*sum, line.amount)?;
    }
    let mut found = Differences::default();
    let subjects: BTreeSet<&Subject> = sums.keys().chain(entries.keys()).collect();
    for subject in subjects {
        let (amount, sum) = (entries.get(subject).copied(), sums.get(subject).copied());
        if amount != sum {
            found.entries.push((subject.clone(), amount, sum));
        }
    }
    // An entry without lines gets one of its amount.
    let right = entries.into_iter().filter(|(subject, _)| !sums.contains_key(subject)).collect::<Vec<_>>();
    sums.extend(right);
    let delta = entry::sum(&sums)?;
    let shown = totals
        .as_ref()
        .map(|record| (Totals::of(record), crate::figures::number_of(&record.fields, "netAsset")));
    if shown != Some((delta.totals, delta.totals.net_asset())) {
        found.totals = Some((totals.is_some(), delta.totals));
    }
    let before = head.balances(db, month.plus(-1)).await?;
    let right = before.plus(&delta.balances)?;
    let is_right = match &stored {
        Some(stored) => stored.carry_seq.is_some() && head.complete(month, stored)?.minus(&right)?.is_zero(),
        None => false,
    };
    if !is_right {
        found.balances = Some((stored, right));
    }
    Ok(found)
}

/// Corrects a part of a month, on the condition that no other change is made.
async fn correct(ledger: &Ledger, by: &str, month: Month) -> Result<(), Error> {
    let codes = ledger.codes().await?;
    let plan = || {
        async {
            let head = head::load(&ledger.db).await?;
            let found = differences(ledger, &head, month).await?;
            let seq = head.seq + 1;
            let mut edit = Edit::new("recalculate", by);
            for (subject, amount, sum) in found.entries.iter().take(MAX_CORRECTED) {
                edit.also.extend(match (amount, sum) {
                    (Some(amount), None) => {
                        let fields = adopted(ledger, month, subject, *amount, seq).fields()?;
                        Some(Operation::Create { entity: Name::from(LINE), fields, guards: Vec::new() })
                    }
                    (amount, Some(sum)) => entry::set(&codes, month, subject, *amount, *sum),
                    (None, None) => None,
                });
            }
            if found.entries.is_empty() {
                edit.also.extend(found.totals.map(|(stored, totals)| {
                    write_month("MonthlySummary", month, totals.fields(), stored.then(Vec::new))
                }));
                edit.also.extend(
                    found.balances.map(|(stored, right)| write_balances(month, stored.as_ref(), &right, seq)),
                );
            }
            Ok((edit, ()))
        }
        .boxed()
    };
    commit(ledger, plan).await.map(drop)
}

impl Differences {
    fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.totals.is_none() && self.balances.is_none()
    }

    fn messages(&self, month: Month) -> Vec<Message> {
        let month = month.to_string();
        let entry = |(subject, amount, sum): &(Subject, Option<i64>, Option<i64>)| match sum {
            Some(sum) => {
                let (subject, amount) = (subject.to_string(), amount.unwrap_or_default());
                message!(messages::ENTRY_DIFFERS, &month, subject, amount, *sum)
            }
            None => {
                let amount = amount.unwrap_or_default();
                message!(messages::ENTRY_WITHOUT_LINES, &month, subject.to_string(), amount)
            }
        };
        let mut messages: Vec<Message> = self.entries.iter().map(entry).collect();
        messages.extend(self.totals.as_ref().map(|_| message!(messages::TOTALS_DIFFER, &month)));
        messages.extend(self.balances.as_ref().map(|_| message!(messages::BALANCES_DIFFER, &month)));
        messages
    }
}

/// The month-end batch: every month from the first one with entries to the current one gets totals and balances, and the
/// current month and those ahead are offered. Returns the number of new months.
///
/// A mistyped year makes one month far away: no more months than a period has are added before the current one, and when
/// the mistake is corrected, the empty months before the first one with entries are dropped.
///
/// # Errors
/// When the store fails.
pub async fn close_months(ledger: &Ledger, by: &str) -> Result<usize, Error> {
    let now = Month::of(ledger.today());
    let (head, codes) = try_join(head::load(&ledger.db), ledger.codes()).await?;
    let mut empty = Vec::new();
    for month in head.months.iter().copied().filter(|month| *month < now) {
        if !is_empty(ledger, month).await? {
            break;
        }
        empty.push(month);
    }
    for months in empty.chunks(MAX_ADDED) {
        drop_empty(ledger, by, months).await?;
    }
    let first = head.months.get(empty.len()).copied().unwrap_or(now);
    let first = first.max(now.plus(1 - MAX_PERIOD as i32));
    let missing: Vec<Month> = first.to(now).filter(|month| !head.has(*month)).collect();
    for months in missing.chunks(MAX_ADDED) {
        add_months(ledger, by, months).await?;
    }
    let offered = codes.list(CodeType::YearMonth);
    let is_offered = |month: &Month| offered.contains(&month.to_string());
    if !is_offered(&now) || !is_offered(&now.plus(1)) {
        let new =
            now.to(now.plus(MONTHS_AHEAD)).filter(|month| !is_offered(month)).map(|month| month.to_string());
        let mut list: Vec<String> = offered.iter().cloned().chain(new).collect();
        list.sort();
        let change = ListChange::Replace { was: offered.to_vec(), now: list };
        match change_list(ledger, by, &ListName::Codes(CodeType::YearMonth), &change).await {
            // A person changed the list: the next run looks at it again.
            Err(error) if error.code == LedgerCode::CodesChanged => forget(ledger),
            done => drop(done?),
        }
    }
    Ok(missing.len())
}

/// Whether a month has neither entries nor lines.
async fn is_empty(ledger: &Ledger, month: Month) -> Result<bool, Error> {
    Ok(entry::of_month(&ledger.db, month).await?.is_empty()
        && line::of_month(&ledger.db, month).await?.is_empty())
}

/// Removes the totals and balances of months before the first one with entries.
async fn drop_empty(ledger: &Ledger, by: &str, months: &[Month]) -> Result<(), Error> {
    let plan = || {
        async {
            let head = head::load(&ledger.db).await?;
            let mut dropped = Vec::new();
            for month in months.iter().copied().filter(|month| head.has(*month)) {
                if is_empty(ledger, month).await? {
                    dropped.push(month);
                }
            }
            Ok((Edit { dropped, ..Edit::new("month.close", by) }, ()))
        }
        .boxed()
    };
    commit(ledger, plan).await.map(drop)
}

/// Checks the month before the current one, once in each process: what the month-end batch closed adds up. Returns the
/// problems; nothing is corrected.
///
/// # Errors
/// When the store fails. The next call tries again.
pub async fn check_closed_month(ledger: &Ledger) -> Result<Vec<Message>, Error> {
    let closed = Month::of(ledger.today()).plus(-1);
    let is_checked = *ledger.checked.lock().unwrap_or_else(PoisonError::into_inner) == Some(closed);
    if is_checked || !head::load(&ledger.db).await?.has(closed) {
        return Ok(Vec::new());
    }
    let problems = one_month(ledger, "", closed, true).await?;
    *ledger.checked.lock().unwrap_or_else(PoisonError::into_inner) = Some(closed);
    Ok(problems)
}

/// Gives months totals and balances.
async fn add_months(ledger: &Ledger, by: &str, months: &[Month]) -> Result<(), Error> {
    let plan = || {
        async {
            let head = head::load(&ledger.db).await?;
            let months = months.iter().copied().filter(|month| !head.has(*month)).collect();
            Ok((Edit { months, ..Edit::new("month.close", by) }, ()))
        }
        .boxed()
    };
    commit(ledger, plan).await.map(drop)
}
