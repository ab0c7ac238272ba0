//! Verbs for entries: create, replace, add, delete, move; and the opening balances.

use std::collections::BTreeSet;

use futures_util::FutureExt as _;
use hansang_core::db::Operation;
use hansang_core::{Error, Item, Name, Value, message, name};

use crate::change::{Edit, adopted, commit};
use crate::codes::stored;
use crate::figures::{Balances, check_amount};
use crate::history::swaps;
use crate::kind::Subject;
use crate::line::{self, LINE, Line, Source};
use crate::lines::{NewLine, check_subject, new_line};
use crate::{Ledger, LedgerCode, Month, entry, messages};

/// The number of lines that one transaction deletes.
const MAX_DELETED: usize = 80;
/// The number of lines that one transaction moves, each with two writes.
const MAX_MOVED: usize = 40;
/// The action of a part of a move that is not its last.
const MOVING: &str = "entry.moving";
/// The action of a move, or of its last part.
const MOVED: &str = "entry.move";

/// An entry of a month and an amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// The month.
    pub month: Month,
    /// The entry.
    pub subject: Subject,
    /// The amount.
    pub amount: i64,
    /// The text of the line.
    pub text: String,
}

/// Creates an entry with one line.
///
/// # Errors
/// An existing entry, invalid input or unknown codes.
pub async fn create(ledger: &Ledger, by: &str, new: &NewEntry) -> Result<i64, Error> {
    let plan = || {
        async {
            if entry::load(&ledger.db, new.month, &new.subject).await?.is_some() {
                return Err(exists(new.month, &new.subject));
            }
            one_line(ledger, "entry.create", by, new, Source::Typed, new.amount).await
        }
        .boxed()
    };
    commit(ledger, plan).await.map(|(_, amount)| amount)
}

/// Gives an entry an amount: an adjustment line makes up the difference.
///
/// # Errors
/// Invalid input or unknown codes.
pub async fn replace(ledger: &Ledger, by: &str, new: &NewEntry) -> Result<i64, Error> {
    replace_with(ledger, by, new, |_| true).await
}

/// Gives an entry an amount, if it has the one that the caller read; `None` if there was no entry.
///
/// # Errors
/// As [`replace`], or an entry that was changed.
pub async fn replace_if(ledger: &Ledger, by: &str, new: &NewEntry, was: Option<i64>) -> Result<i64, Error> {
    replace_with(ledger, by, new, |stored| stored == was).await
}

async fn replace_with(
    ledger: &Ledger,
    by: &str,
    new: &NewEntry,
    is_expected: impl Fn(Option<i64>) -> bool + Send + Sync,
) -> Result<i64, Error> {
    check_amount(new.amount)?;
    let plan = || {
        async {
            match entry::load(&ledger.db, new.month, &new.subject).await? {
                Some(amount) if amount == new.amount => Ok((Edit::default(), amount)),
                stored if !is_expected(stored) => {
                    let now = stored.unwrap_or_default();
                    let message = message!(messages::ENTRY_CHANGED, new.subject.to_string(), now);
                    Err(Error::precondition(LedgerCode::EntryChanged, message))
                }
                stored => {
                    let difference = new.amount - stored.unwrap_or_default();
                    let source = if stored.is_some() { Source::Adjustment } else { Source::Typed };
                    let (edit, _) = one_line(ledger, "entry.replace", by, new, source, difference).await?;
                    Ok((edit, new.amount))
                }
            }
        }
        .boxed()
    };
    commit(ledger, plan).await.map(|(_, amount)| amount)
}

/// Adds an amount to an entry, which need not exist. Returns the entry's amount.
///
/// # Errors
/// Invalid input or unknown codes.
pub async fn add(ledger: &Ledger, by: &str, new: &NewEntry) -> Result<i64, Error> {
    let plan = || {
        async {
            let stored = entry::load(&ledger.db, new.month, &new.subject).await?.unwrap_or_default();
            let (edit, _) = one_line(ledger, "entry.add", by, new, Source::Typed, new.amount).await?;
            Ok((edit, stored.saturating_add(new.amount)))
        }
        .boxed()
    };
    commit(ledger, plan).await.map(|(_, amount)| amount)
}

/// The change that adds one line.
async fn one_line(
    ledger: &Ledger,
    action: &'static str,
    by: &str,
    new: &NewEntry,
    source: Source,
    amount: i64,
) -> Result<(Edit, i64), Error> {
    check_subject(ledger, new.month, &new.subject).await?;
    let today = ledger.today();
    let date = if Month::of(today) == new.month { today } else { new.month.day(1) };
    let line = NewLine { id: None, subject: new.subject.clone(), date, text: new.text.clone(), amount };
    let mut edit = Edit::new(action, by);
    edit.line(None, Some(&new_line(ledger.new_id(), by, source, &line)?))?;
    Ok((edit, amount))
}

/// Deletes an entry and its lines: one change for each 80 lines. Returns the numbers of the changes.
///
/// # Errors
/// A missing entry.
pub async fn delete(ledger: &Ledger, by: &str, month: Month, subject: &Subject) -> Result<Vec<i64>, Error> {
    adopt(ledger, by, month, subject).await?;
    let (mut found, mut changes) = (false, Vec::new());
    loop {
        let plan = || {
            async {
                let lines = line::of_entry(&ledger.db, month, subject).await?;
                if lines.is_empty() && !found {
                    return Err(unknown(month, subject));
                }
                let mut edit = Edit::new("entry.delete", by);
                for line in lines.iter().take(MAX_DELETED) {
                    edit.line(Some(line), None)?;
                }
                Ok((edit, lines.len()))
            }
            .boxed()
        };
        let (seq, count) = commit(ledger, plan).await?;
        found = true;
        changes.push(seq);
        if count <= MAX_DELETED {
            return Ok(changes);
        }
    }
}

/// Moves an entry with its lines to another month: one change for each 40 lines.
///
/// # Errors
/// A missing entry, or one that the other month has already.
pub async fn relocate(
    ledger: &Ledger,
    by: &str,
    month: Month,
    subject: &Subject,
    to: Month,
) -> Result<(), Error> {
    if month == to {
        let message = message!(messages::SAME_MONTH, to.to_string());
        return Err(Error::invalid(LedgerCode::SameMonth, message));
    }
    adopt(ledger, by, month, subject).await?;
    // A crash left some of the lines behind: the move goes on.
    let mut started = is_interrupted(ledger, month, subject, to).await?;
    loop {
        let plan = || {
            async {
                let lines = line::of_entry(&ledger.db, month, subject).await?;
                if lines.is_empty() && !started {
                    return Err(unknown(month, subject));
                }
                if !started && entry::load(&ledger.db, to, subject).await?.is_some() {
                    return Err(exists(to, subject));
                }
                let action = if lines.len() > MAX_MOVED { MOVING } else { MOVED };
                let mut edit = Edit::new(action, by);
                for line in lines.iter().take(MAX_MOVED) {
                    let date = to.day(crate::date(&line.date).map_or(1, |date| i64::from(date.day())));
                    let moved = Line { month: to, date: date.to_string(), ..line.clone() };
                    edit.line(Some(line), Some(&moved))?;
                }
                Ok((edit, lines.len()))
            }
            .boxed()
        };
        let (_, count) = commit(ledger, plan).await?;
        started = true;
        if count <= MAX_MOVED {
            return Ok(());
        }
    }
}

/// Whether a move from one month to another began and did not end: some lines came by a part of it, none by its last.
async fn is_interrupted(ledger: &Ledger, month: Month, subject: &Subject, to: Month) -> Result<bool, Error> {
    let lines = line::of_entry(&ledger.db, to, subject).await?;
    let changes: BTreeSet<i64> = lines.iter().map(|line| line.seq).collect();
    let mut is_begun = false;
    for seq in changes {
        let Some(change) = stored(ledger, "Change", Item::from([(name!("seq"), seq.into())])).await? else {
            continue;
        };
        let from_here = swaps(&change)
            .iter()
            .filter_map(|swap| Line::of(swap.before.as_ref()?).ok())
            .any(|line| line.month == month && line.subject == *subject);
        match change.get("action").and_then(Value::as_str) {
            Some(MOVING) if from_here => is_begun = true,
            Some(MOVED) if from_here => return Ok(false),
            _ => {}
        }
    }
    Ok(is_begun)
}

/// Gives an entry that another program wrote a line of its amount.
async fn adopt(ledger: &Ledger, by: &str, month: Month, subject: &Subject) -> Result<(), Error> {
    let plan = || {
        async {
            let mut edit = Edit::new("entry.adopt", by);
            if let Some(amount) = entry::load(&ledger.db, month, subject).await?
                && !line::has_others(&ledger.db, month, subject, &[]).await?
            {
                let fields = adopted(ledger, month, subject, amount, 0).fields()?;
                edit.also.push(Operation::Create { entity: Name::from(LINE), fields, guards: Vec::new() });
            }
            Ok((edit, ()))
        }
        .boxed()
    };
    commit(ledger, plan).await.map(drop)
}

/// Sets the balances before the first month.
///
/// # Errors
/// An amount that is too large.
pub async fn set_opening(ledger: &Ledger, by: &str, balances: &Balances) -> Result<(), Error> {
    check_opening(balances)?;
    let plan = || {
        async {
            let mut edit = Edit::new("opening", by);
            let before = stored(ledger, "Opening", Item::new()).await?;
            edit.item("Opening", before, Some(balances.fields().into()));
            Ok((edit, ()))
        }
        .boxed()
    };
    commit(ledger, plan).await.map(drop)
}

/// Checks opening balances.
pub(crate) fn check_opening(balances: &Balances) -> Result<(), Error> {
    check_amount(balances.cash_accumulated)?;
    check_amount(balances.investment_accumulated)?;
    for (account, amount) in &balances.short_savings_balances {
        crate::kind::check_name("accountName", account)?;
        check_amount(*amount)?;
    }
    Ok(())
}

fn exists(month: Month, subject: &Subject) -> Error {
    let message = message!(messages::ENTRY_EXISTS, month.to_string(), subject.to_string());
    Error::conflict(LedgerCode::EntryExists, message)
}

pub(crate) fn unknown(month: Month, subject: &Subject) -> Error {
    let message = message!(messages::ENTRY_UNKNOWN, month.to_string(), subject.to_string());
    Error::not_found(LedgerCode::EntryUnknown, message)
}
