//! Verbs for lines: add, change, delete.

use std::collections::BTreeSet;

use futures_util::FutureExt as _;
use hansang_core::db::Operation;
use hansang_core::kind::text::is_ulid;
use hansang_core::{Error, Item, message, name};
use jiff::civil::Date;

use crate::change::{Edit, commit};
use crate::figures::check_amount;
use crate::kind::Subject;
use crate::line::{self, Line, Source};
use crate::{Ledger, LedgerCode, Month, codes, entry, messages};

/// The maximum number of characters of a line's text.
const MAX_TEXT: usize = 200;
/// The writes of one transaction, besides the head and the history.
const MAX_WRITES: usize = 90;

/// A line to be added. Its month is that of its date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLine {
    /// The id, if the caller chose one: sending the same line again then adds nothing.
    pub id: Option<String>,
    /// The entry.
    pub subject: Subject,
    /// The date.
    pub date: Date,
    /// The purpose.
    pub text: String,
    /// The amount, negative for a refund.
    pub amount: i64,
}

/// The changes of a line; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineChange {
    /// The entry.
    pub subject: Option<Subject>,
    /// The date, which may be in another month.
    pub date: Option<Date>,
    /// The purpose.
    pub text: Option<String>,
    /// The amount.
    pub amount: Option<i64>,
    /// The last change of the line as the caller knows it: the change is refused if the line has another one.
    pub seq: Option<i64>,
}

/// Adds a line.
///
/// # Errors
/// Invalid input, unknown codes, or another line with the same id.
pub async fn add_line(ledger: &Ledger, by: &str, new: NewLine) -> Result<Line, Error> {
    let id = match &new.id {
        Some(id) if is_ulid(id) => id.clone(),
        Some(_) => return Err(Error::invalid(LedgerCode::LineExists, message!(messages::LINE_EXISTS))),
        None => ledger.new_id(),
    };
    let line = new_line(id, by, Source::Typed, &new)?;
    let plan = || {
        async {
            let mut edit = Edit::new("line.add", by);
            match same_id(ledger, &line).await? {
                Some(stored) => return Ok((Edit::default(), stored)),
                None => check_subject(ledger, line.month, &line.subject).await?,
            }
            edit.line(None, Some(&line))?;
            if new.id.is_some() {
                let (entity, fields) = (name!("SentLine"), sent(&line.line_id));
                edit.also.push(Operation::Create { entity, fields, guards: Vec::new() });
            }
            Ok((edit, line.clone()))
        }
        .boxed()
    };
    let (seq, line) = commit(ledger, plan).await?;
    Ok(Line { seq: line.seq.max(seq), ..line })
}

/// Adds many lines: one change for as many as one transaction takes. Ids that callers chose are not used.
///
/// # Errors
/// Invalid input or unknown codes: nothing is written then.
pub async fn add_lines(ledger: &Ledger, by: &str, new: &[NewLine]) -> Result<Vec<Line>, Error> {
    let mut lines = Vec::with_capacity(new.len());
    for one in new {
        lines.push(new_line(ledger.new_id(), by, Source::Typed, one)?);
    }
    let entries: BTreeSet<(Month, &Subject)> = lines.iter().map(|line| (line.month, &line.subject)).collect();
    for (month, subject) in entries {
        check_subject(ledger, month, subject).await?;
    }
    let mut rest = &lines[..];
    while !rest.is_empty() {
        let (now, later) = rest.split_at(fitting(rest));
        let plan = || {
            async {
                let mut edit = Edit::new("line.add", by);
                now.iter().try_for_each(|line| edit.line(None, Some(line)))?;
                Ok((edit, ()))
            }
            .boxed()
        };
        commit(ledger, plan).await?;
        rest = later;
    }
    Ok(lines)
}

/// The number of lines, at least one, that one transaction takes with their entries and months.
pub(crate) fn fitting(lines: &[Line]) -> usize {
    let (mut writes, mut entries, mut months) = (0, BTreeSet::new(), BTreeSet::new());
    let over = lines.iter().position(|line| {
        // A line of a bank file is remembered by its row.
        writes += 1 + usize::from(line.row.is_some());
        // An entry may need a line for an amount that another program wrote.
        writes += 2 * usize::from(entries.insert((line.month, &line.subject)));
        writes += 2 * usize::from(months.insert(line.month));
        writes > MAX_WRITES
    });
    over.unwrap_or(lines.len()).max(1)
}

/// A line of input.
pub(crate) fn new_line(id: String, by: &str, source: Source, new: &NewLine) -> Result<Line, Error> {
    check_amount(new.amount)?;
    check_text(&new.text)?;
    let month = Month::of(new.date).to_string().parse()?;
    Ok(Line {
        month,
        subject: new.subject.clone(),
        line_id: id,
        date: new.date.to_string(),
        text: new.text.clone(),
        amount: new.amount,
        by: by.to_owned(),
        source,
        import_id: None,
        row: None,
        seq: 0,
    })
}

/// The key fields of the note that a line with an id was sent.
fn sent(line_id: &str) -> Item {
    Item::from([(name!("lineId"), line_id.into())])
}

/// The stored line with the id of a new one, if they are equal: the line was sent before. One that was changed, moved or
/// deleted since is refused.
async fn same_id(ledger: &Ledger, line: &Line) -> Result<Option<Line>, Error> {
    let fields = codes::stored(ledger, line::LINE, line::key(&line.fields()?)).await?;
    match fields.map(|fields| Line::of(&fields)).transpose()? {
        Some(stored) if (Line { seq: 0, ..stored.clone() }) == *line => return Ok(Some(stored)),
        None if codes::stored(ledger, "SentLine", sent(&line.line_id)).await?.is_none() => return Ok(None),
        _ => {}
    }
    Err(Error::conflict(LedgerCode::LineExists, message!(messages::LINE_EXISTS)))
}

/// Checks that an entry may get lines: it is there already, or its codes are.
pub(crate) async fn check_subject(ledger: &Ledger, month: Month, subject: &Subject) -> Result<(), Error> {
    let known = codes::check(ledger, subject).await;
    if known.is_err() && entry::load(&ledger.db, month, subject).await?.is_some() {
        return Ok(());
    }
    known
}

/// Finds a line of a month by its id.
///
/// # Errors
/// When it does not exist.
pub async fn find_line(ledger: &Ledger, month: Month, id: &str) -> Result<Line, Error> {
    let lines = line::of_month(&ledger.db, month).await?;
    lines.into_iter().find(|line| line.line_id == id).ok_or_else(|| {
        Error::not_found(LedgerCode::LineUnknown, message!(messages::LINE_UNKNOWN, month.to_string()))
    })
}

/// Changes a line. With another date or entry it moves there.
///
/// # Errors
/// A missing line, invalid input or unknown codes.
pub async fn change_line(
    ledger: &Ledger,
    by: &str,
    month: Month,
    id: &str,
    change: LineChange,
) -> Result<Line, Error> {
    check_amount(change.amount.unwrap_or_default())?;
    check_text(change.text.as_deref().unwrap_or_default())?;
    let plan = || {
        async {
            let old = find_line(ledger, month, id).await?;
            check_seq(&old, change.seq)?;
            let mut new = old.clone();
            if let Some(date) = change.date {
                (new.month, new.date) = (Month::of(date).to_string().parse()?, date.to_string());
            }
            new.subject = change.subject.clone().unwrap_or(new.subject);
            new.text = change.text.clone().unwrap_or(new.text);
            new.amount = change.amount.unwrap_or(new.amount);
            let mut edit = Edit::new("line.change", by);
            if new != old {
                if new.subject != old.subject || new.month != old.month {
                    check_subject(ledger, new.month, &new.subject).await?;
                }
                edit.line(Some(&old), Some(&new))?;
            }
            Ok((edit, new))
        }
        .boxed()
    };
    let (seq, line) = commit(ledger, plan).await?;
    Ok(Line { seq, ..line })
}

/// Deletes a line. The last line of an entry takes the entry with it.
///
/// # Errors
/// A missing line.
pub async fn delete_line(ledger: &Ledger, by: &str, month: Month, id: &str) -> Result<(), Error> {
    delete_line_if(ledger, by, month, id, None).await.map(drop)
}

/// Deletes a line, if its last change is this one. Returns the number of the change that deletes it.
///
/// # Errors
/// A missing line, or one that was changed.
pub async fn delete_line_if(
    ledger: &Ledger,
    by: &str,
    month: Month,
    id: &str,
    seq: Option<i64>,
) -> Result<i64, Error> {
    let plan = || {
        async {
            let mut edit = Edit::new("line.delete", by);
            let line = find_line(ledger, month, id).await?;
            check_seq(&line, seq)?;
            edit.line(Some(&line), None)?;
            Ok((edit, ()))
        }
        .boxed()
    };
    commit(ledger, plan).await.map(|(seq, ())| seq)
}

fn check_seq(line: &Line, seq: Option<i64>) -> Result<(), Error> {
    if seq.is_none_or(|seq| seq == line.seq) {
        return Ok(());
    }
    Err(Error::precondition(LedgerCode::LineChanged, message!(messages::LINE_CHANGED)))
}

pub(crate) fn check_text(text: &str) -> Result<(), Error> {
    if text.chars().count() <= MAX_TEXT {
        return Ok(());
    }
    Err(Error::invalid(LedgerCode::TextTooLong, message!(messages::TEXT_TOO_LONG, MAX_TEXT)))
}
