//! The history as people look at it: of one transaction, entry, month or import, and an import as one row.

use hansang_core::{Error, Item, Record, name};

use crate::figures::number_of;
use crate::head::{self, strong};
use crate::history::past;
use crate::kind::Subject;
use crate::{Ledger, Month, PastChange};

/// The number of changes that are read at once.
const PAGE: i64 = 50;
/// The number of changes that one call looks at.
const MAX_READ: i64 = 5000;

/// Which changes are wanted; all of these must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The id of a transaction.
    pub line: Option<String>,
    /// An entry, in any month.
    pub subject: Option<Subject>,
    /// A month.
    pub month: Option<Month>,
    /// The id of an import.
    pub import: Option<String>,
    /// Not by this person.
    pub not_by: Option<String>,
    /// After this change.
    pub after: i64,
}

/// A change, or all changes of an import that follow each other.
#[derive(Clone, Debug, PartialEq)]
pub struct TrailRow {
    /// The newest of the changes.
    pub change: PastChange,
    /// The number of transactions that were changed.
    pub lines: usize,
}

/// A part of the history, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trail {
    /// The rows.
    pub rows: Vec<TrailRow>,
    /// The change before which the next part starts. A part may be empty although there is a next one.
    pub next: Option<i64>,
}

impl Wanted {
    fn matches(&self, change: &PastChange) -> bool {
        let lines = || change.lines.iter().flat_map(|(before, after)| [before, after]).flatten();
        self.line.as_ref().is_none_or(|id| lines().any(|line| line.line_id == *id))
            && self.subject.as_ref().is_none_or(|subject| {
                lines().any(|line| {
                    line.subject == *subject && self.month.is_none_or(|month| line.month == month)
                })
            })
            && self.month.is_none_or(|month| change.months.contains(&month.to_string()))
            && self.import.as_ref().is_none_or(|id| change.import_id.as_ref() == Some(id))
            && self.not_by.as_ref().is_none_or(|by| change.by != *by)
    }
}

/// The wanted changes before one, at most `limit` rows. With `together` the changes of an import are one row.
///
/// # Errors
/// When the store fails.
pub async fn trail(
    ledger: &Ledger,
    wanted: &Wanted,
    before: Option<i64>,
    limit: usize,
    together: bool,
) -> Result<Trail, Error> {
    let newest = head::load(&ledger.db).await?.seq;
    let mut next = before.map_or(newest, |before| before.saturating_sub(1).min(newest));
    let last = wanted.after.max(next.saturating_sub(MAX_READ)).max(0);
    let mut rows: Vec<TrailRow> = Vec::new();
    while next > last {
        let first = (next - PAGE).max(last) + 1;
        for record in changes(ledger, first, next).await?.iter().rev() {
            let change = past(record);
            if !wanted.matches(&change) {
                continue;
            }
            let lines = change.lines.len();
            let same = |row: &&mut TrailRow| {
                let (old, new) = (&row.change, &change);
                together
                    && new.import_id.is_some()
                    && old.import_id == new.import_id
                    && old.action == new.action
            };
            if let Some(row) = rows.iter_mut().find(same) {
                row.lines += lines;
                continue;
            }
            if rows.len() == limit {
                return Ok(Trail { rows, next: Some(change.seq + 1) });
            }
            rows.push(TrailRow { change, lines });
        }
        next = first - 1;
    }
    let more = next > wanted.after.max(0);
    Ok(Trail { rows, next: more.then_some(next + 1) })
}

/// The changes with these numbers, oldest first.
async fn changes(ledger: &Ledger, first: i64, last: i64) -> Result<Vec<Record>, Error> {
    let key = |seq: i64| Item::from([(name!("seq"), seq.into())]);
    let keys: Vec<Item> = (first..=last).map(key).collect();
    let mut found: Vec<Record> =
        ledger.db.batch_get("Change", &keys, &strong()).await?.into_iter().flatten().collect();
    found.sort_by_key(|record| number_of(&record.fields, "seq"));
    Ok(found)
}
