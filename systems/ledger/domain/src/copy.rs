//! Copying the entries of a month to a later one, without what rules enter there.

use std::collections::BTreeMap;

use futures_util::FutureExt as _;
use hansang_core::{Error, ErrorKind, Message, message};

use crate::change::{Edit, commit};
use crate::kind::Subject;
use crate::line::{self, Line, Source};
use crate::lines::{NewLine, check_subject, new_line};
use crate::{Ledger, LedgerCode, Month, Rule, entry, head, messages, rules};

/// The number of entries that one transaction copies, each with two writes.
const MAX_COPIED: usize = 40;

/// Entries that were copied from another month.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// The number of entries.
    pub count: usize,
    /// The numbers of the changes.
    pub changes: Vec<i64>,
    /// Entries that were left out because recurring entries add them in this month.
    pub recurring: Vec<Subject>,
    /// Entries that were left out because their category or account is gone or holds another kind, and why.
    pub refused: Vec<(Subject, Message)>,
}

/// The entries of the month that is copied.
#[derive(Default)]
struct Wanted {
    from: String,
    amounts: Vec<(Subject, i64)>,
    recurring: Vec<Subject>,
    refused: Vec<(Subject, Message)>,
}

/// Copies the entries of the last month before a month that has any, as far as the month does not have them yet.
///
/// Leaves out amounts that recurring rules entered, or will enter in the month.
///
/// # Errors
/// When there is no earlier month with entries.
pub async fn copy_month(ledger: &Ledger, by: &str, to: Month) -> Result<Copied, Error> {
    let mut copied = Copied::default();
    loop {
        let plan = || {
            async {
                let wanted = wanted(ledger, to).await?;
                let mut edit = Edit::new("month.copy", by);
                for (subject, amount) in wanted.amounts.iter().take(MAX_COPIED) {
                    let new = NewLine {
                        id: None,
                        subject: subject.clone(),
                        date: to.day(1),
                        text: wanted.from.clone(),
                        amount: *amount,
                    };
                    edit.line(None, Some(&new_line(ledger.new_id(), by, Source::Copy, &new)?))?;
                }
                Ok((edit, wanted))
            }
            .boxed()
        };
        let (seq, wanted) = commit(ledger, plan).await?;
        let count = wanted.amounts.len();
        copied.count += count.min(MAX_COPIED);
        (copied.recurring, copied.refused) = (wanted.recurring, wanted.refused);
        if count > 0 {
            copied.changes.push(seq);
        }
        if count <= MAX_COPIED {
            return Ok(copied);
        }
    }
}

/// The entries that a month does not have yet.
async fn wanted(ledger: &Ledger, to: Month) -> Result<Wanted, Error> {
    let there = entry::of_month(&ledger.db, to).await?;
    let (from, entries) = last_entries(ledger, to).await?;
    let mut lines: BTreeMap<Subject, Vec<Line>> = BTreeMap::new();
    for line in line::of_month(&ledger.db, from).await? {
        lines.entry(line.subject.clone()).or_default().push(line);
    }
    let mut due = rules::rules(ledger).await?;
    due.retain(|rule| rule.runs_in(to));
    let mut wanted = Wanted { from: from.to_string(), ..Wanted::default() };
    for (subject, amount) in entries.into_iter().filter(|(subject, _)| !there.contains_key(subject)) {
        let lines = lines.remove(&subject).unwrap_or_default();
        let due = due.iter().filter(|rule| rule.subject == subject);
        let Some(amount) = without_rules(amount, &lines, due) else {
            wanted.recurring.push(subject);
            continue;
        };
        match check_subject(ledger, to, &subject).await {
            Ok(()) => wanted.amounts.push((subject, amount)),
            Err(error) if error.kind == ErrorKind::Invalid => wanted.refused.push((subject, error.message)),
            Err(error) => return Err(error),
        }
    }
    Ok(wanted)
}

/// The amount of an entry without what rules entered, and without a line of the amount that a rule will enter for the first
/// time. `None` if nothing is left.
fn without_rules<'r>(amount: i64, lines: &[Line], due: impl Iterator<Item = &'r Rule>) -> Option<i64> {
    let (entered, typed): (Vec<&Line>, Vec<&Line>) =
        lines.iter().partition(|line| line.source == Source::Recurring);
    let mut entered: Vec<i64> = entered.iter().map(|line| line.amount).collect();
    // An entry that another program wrote has no lines.
    let mut typed: Vec<i64> =
        if lines.is_empty() { vec![amount] } else { typed.iter().map(|line| line.amount).collect() };
    let mut left = entered.iter().fold(amount, |left, entered| left.saturating_sub(*entered));
    for rule in due {
        let equal = entered.iter().position(|amount| *amount == rule.amount);
        if let Some(index) = equal.or(entered.len().checked_sub(1)) {
            entered.swap_remove(index);
        } else if let Some(index) = typed.iter().position(|amount| *amount == rule.amount) {
            left = left.saturating_sub(typed.swap_remove(index));
        }
    }
    (!typed.is_empty()).then_some(left)
}

/// The last month before a month that has entries, and its entries. Months without any are stored after downtime.
async fn last_entries(ledger: &Ledger, to: Month) -> Result<(Month, BTreeMap<Subject, i64>), Error> {
    let mut head = head::load(&ledger.db).await?;
    head.months.retain(|month| *month < to);
    for from in head.months.into_iter().rev() {
        let entries = entry::of_month(&ledger.db, from).await?;
        if !entries.is_empty() {
            return Ok((from, entries));
        }
    }
    Err(Error::invalid(LedgerCode::NothingToCopy, message!(messages::NOTHING_TO_COPY)))
}
