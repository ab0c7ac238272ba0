//! History: every change with the items before and after it, and undo of one change.

use futures_util::FutureExt as _;
use hansang_core::db::{Ask, Operation};
use hansang_core::{Error, Item, Record, Value, message, name, write};

use crate::change::{Edit, Swap, commit};
use crate::codes::{forget, stored};
use crate::figures::number_of;
use crate::head::{self, strong, update};
use crate::line::{LINE, Line};
use crate::{Ledger, LedgerCode, messages};

/// A change of the past.
#[derive(Clone, Debug, PartialEq)]
pub struct PastChange {
    /// The number.
    pub seq: i64,
    /// The action: `line.add`, `import`, `undo`, …
    pub action: String,
    /// Who made it.
    pub by: String,
    /// When.
    pub at: String,
    /// The months of its lines.
    pub months: Vec<String>,
    /// The lines before and after.
    pub lines: Vec<(Option<Line>, Option<Line>)>,
    /// The other items that changed.
    pub others: Vec<OtherItem>,
    /// The import it belongs to.
    pub import_id: Option<String>,
    /// The change that it reverses.
    pub undoes: Option<i64>,
    /// The change that reversed it.
    pub undone_by: Option<i64>,
}

/// An item that is no line, before and after a change.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherItem {
    /// The entity.
    pub entity: String,
    /// The fields before; `None` for a new item.
    pub before: Option<Item>,
    /// The fields after; `None` for a deleted item.
    pub after: Option<Item>,
}

/// A page of the history.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryPage {
    /// The changes, newest first.
    pub changes: Vec<PastChange>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// A page of changes, newest first.
///
/// # Errors
/// A wrong cursor or limit.
pub async fn history(
    ledger: &Ledger,
    cursor: Option<String>,
    limit: Option<u32>,
) -> Result<HistoryPage, Error> {
    let page = ledger.db.query("changes", Item::new(), Ask { cursor, limit, ..Ask::default() }).await?;
    Ok(HistoryPage { changes: page.records.iter().map(past).collect(), next: page.next })
}

/// One change.
///
/// # Errors
/// When it does not exist.
pub async fn past_change(ledger: &Ledger, seq: i64) -> Result<PastChange, Error> {
    load(ledger, seq).await.map(|record| past(&record))
}

/// Reverses a change, if its items are as it left them. Returns the number of the new change.
///
/// # Errors
/// The later change that must be undone first, or that there is nothing to undo.
pub async fn undo(ledger: &Ledger, by: &str, seq: i64) -> Result<i64, Error> {
    let plan = || {
        async {
            let edit = reversal(ledger, by, seq).await?;
            Ok((edit, ()))
        }
        .boxed()
    };
    let (seq, ()) = commit(ledger, plan).await?;
    forget(ledger);
    Ok(seq)
}

/// The change that reverses another, which it marks as undone.
async fn reversal(ledger: &Ledger, by: &str, seq: i64) -> Result<Edit, Error> {
    let next = head::load(&ledger.db).await?.seq + 1;
    let record = load(ledger, seq).await?;
    if record.text("importId").is_some() {
        return Err(Error::conflict(LedgerCode::UndoBlocked, message!(messages::UNDO_PART_OF_IMPORT, seq)));
    }
    if let Some(undone_by) = optional(&record, "undoneBy") {
        let message = message!(messages::UNDONE_ALREADY, seq, undone_by);
        return Err(Error::conflict(LedgerCode::UndoneAlready, message));
    }
    let swaps = swaps(&record.fields);
    if swaps.is_empty() {
        return Err(Error::conflict(LedgerCode::UndoBlocked, message!(messages::UNDO_NOTHING, seq)));
    }
    let mut edit = Edit { undoes: Some(seq), ..Edit::new("undo", by) };
    for swap in swaps {
        edit.swaps.push(reverse(ledger, seq, swap).await?);
    }
    let update = update(Item::from([(name!("seq"), seq.into())]), [(name!("undoneBy"), next.into())]);
    edit.also.push(Operation::Update { entity: name!("Change"), update, guards: Vec::new() });
    Ok(edit)
}

/// The swap back, if the item is still as the change left it.
pub(crate) async fn reverse(ledger: &Ledger, seq: i64, swap: Swap) -> Result<Swap, Error> {
    let Some(fields) = swap.after.as_ref().or(swap.before.as_ref()) else { return Ok(swap) };
    let entity = ledger.db.entity(&swap.entity)?;
    let key = write::key(entity, fields)?;
    let now = stored(ledger, &swap.entity, fields.clone()).await?;
    // A line that was changed and changed back is as it was, but for the number of its last change.
    let content = |fields: &Option<Item>| {
        let mut fields = fields.clone();
        if let Some(fields) = fields.as_mut().filter(|_| &*swap.entity == LINE) {
            fields.remove("seq");
        }
        fields
    };
    if content(&now) == content(&swap.after) {
        return Ok(Swap { entity: swap.entity, before: now, after: swap.before });
    }
    let touches = |other: &Swap| {
        let sides = [&other.before, &other.after].into_iter().flatten();
        other.entity == swap.entity
            && sides.into_iter().any(|side| write::key(entity, side).is_ok_and(|other| other == key))
    };
    let later = later_change(ledger, seq, touches).await?;
    let message = match later {
        Some(later) => message!(messages::UNDO_BLOCKED, seq, later),
        None if &*swap.entity == "Rule" && now.is_some() => message!(messages::UNDO_RULE_RAN, seq),
        None => message!(messages::UNDO_BLOCKED_ITEM, seq),
    };
    Err(Error::conflict(LedgerCode::UndoBlocked, message))
}

/// The newest change after this one with such a swap.
async fn later_change(
    ledger: &Ledger,
    seq: i64,
    touches: impl Fn(&Swap) -> bool,
) -> Result<Option<i64>, Error> {
    let later = later_changes(ledger, seq, |record| swaps(&record.fields).iter().any(&touches)).await?;
    Ok(later.first().map(|record| number_of(&record.fields, "seq")))
}

/// The wanted changes after one, newest first.
pub(crate) async fn later_changes(
    ledger: &Ledger,
    seq: i64,
    wanted: impl Fn(&Record) -> bool,
) -> Result<Vec<Record>, Error> {
    let (mut found, mut cursor) = (Vec::new(), None);
    loop {
        let page = ledger.db.query("changes", Item::new(), Ask { cursor, ..Ask::default() }).await?;
        for record in page.records {
            if number_of(&record.fields, "seq") <= seq {
                return Ok(found);
            }
            if wanted(&record) {
                found.push(record);
            }
        }
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(found),
        }
    }
}

async fn load(ledger: &Ledger, seq: i64) -> Result<Record, Error> {
    let unknown = || Error::not_found(LedgerCode::ChangeUnknown, message!(messages::CHANGE_UNKNOWN, seq));
    if !(0..1_000_000_000_000).contains(&seq) {
        return Err(unknown());
    }
    let key = Item::from([(name!("seq"), seq.into())]);
    ledger.db.get("Change", &key, &strong()).await?.ok_or_else(unknown)
}

/// The items of a stored change, before and after it.
pub(crate) fn swaps(change: &Item) -> Vec<Swap> {
    match change.get("swaps") {
        Some(Value::L(swaps)) => swaps.iter().filter_map(Swap::of).collect(),
        _ => Vec::new(),
    }
}

/// A stored change.
pub(crate) fn past(record: &Record) -> PastChange {
    let text = |name: &str| record.text(name).unwrap_or_default().to_owned();
    let swaps = swaps(&record.fields);
    let line = |fields: &Option<Item>| fields.as_ref().and_then(|fields| Line::of(fields).ok());
    let (lines, others): (Vec<&Swap>, Vec<&Swap>) = swaps.iter().partition(|swap| &*swap.entity == LINE);
    let months = match record.fields.get("months") {
        Some(Value::L(months)) => months.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    PastChange {
        seq: number_of(&record.fields, "seq"),
        action: text("action"),
        by: text("by"),
        at: text("at"),
        months,
        lines: lines.into_iter().map(|swap| (line(&swap.before), line(&swap.after))).collect(),
        others: others.into_iter().cloned().map(OtherItem::of).collect(),
        import_id: record.text("importId").map(str::to_owned),
        undoes: optional(record, "undoes"),
        undone_by: optional(record, "undoneBy"),
    }
}

impl OtherItem {
    fn of(Swap { entity, before, after }: Swap) -> Self {
        Self { entity: entity.to_string(), before, after }
    }
}

fn optional(record: &Record, name: &str) -> Option<i64> {
    record.fields.get(name).map(|_| number_of(&record.fields, name))
}
