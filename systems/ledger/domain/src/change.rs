//! Changes: one transaction for lines, entries, totals, balances, history and the head.

use std::collections::BTreeMap;

use futures_util::future::{BoxFuture, try_join_all};
use hansang_core::db::Operation;
use hansang_core::kind::time::Precision;
use hansang_core::{CoreCode, Error, Item, Name, Value, message, name};

use crate::entry::{self, Touched};
use crate::figures::{Balances, Delta, Totals, add};
use crate::head::{self, Carry, Head, month_key, moved, strong, write_balances, write_month};
use crate::kind::Subject;
use crate::line::{self, LINE, Line, Source};
use crate::{Ledger, LedgerCode, Month, fold, messages};

/// The number of attempts while other changes are faster.
const ATTEMPTS: usize = 64;
/// The number of pending carries at which a change folds them first.
const MAX_PENDING: usize = 50;
/// The size of the head at which a change folds first: an item has at most 400 KB, and one change may add half of it.
const MAX_HEAD: usize = 150_000;

/// An item before and after a change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Swap {
    pub(crate) entity: Name,
    /// The fields before; `None` for a new item.
    pub(crate) before: Option<Item>,
    /// The fields after; `None` for a deleted item.
    pub(crate) after: Option<Item>,
}

/// A change to be made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edit {
    /// The name of the action in the history.
    pub(crate) action: &'static str,
    /// Who makes it.
    pub(crate) by: String,
    /// The items that change, which an undo reverses.
    pub(crate) swaps: Vec<Swap>,
    /// Other writes of the same transaction, which an undo does not reverse.
    pub(crate) also: Vec<Operation>,
    /// Months that get totals and balances even without lines.
    pub(crate) months: Vec<Month>,
    /// Stored months without lines or entries that lose their totals and balances.
    pub(crate) dropped: Vec<Month>,
    /// The import that the change belongs to.
    pub(crate) import_id: Option<String>,
    /// The change that this one reverses.
    pub(crate) undoes: Option<i64>,
}

impl Edit {
    pub(crate) fn new(action: &'static str, by: &str) -> Self {
        Self { action, by: by.to_owned(), ..Self::default() }
    }

    /// Adds the swap of a line: new, changed or deleted. A line that moves to another key is two swaps.
    pub(crate) fn line(&mut self, before: Option<&Line>, after: Option<&Line>) -> Result<(), Error> {
        let place = |line: &Line| (line.month, line.subject.clone());
        if let (Some(old), Some(new)) = (before, after)
            && place(old) != place(new)
        {
            self.line(Some(old), None)?;
            return self.line(None, Some(new));
        }
        let fields = |line: Option<&Line>| line.map(Line::fields).transpose();
        self.swaps.push(Swap { entity: Name::from(LINE), before: fields(before)?, after: fields(after)? });
        Ok(())
    }

    /// Adds the swap of another item.
    pub(crate) fn item(&mut self, entity: &'static str, before: Option<Item>, after: Option<Item>) {
        if before != after {
            self.swaps.push(Swap { entity: Name::from(entity), before, after });
        }
    }

    fn is_empty(&self) -> bool {
        self.swaps.is_empty() && self.also.is_empty() && self.months.is_empty() && self.dropped.is_empty()
    }
}

/// A change that is being planned. Boxed, so that the futures of verbs are known to be `Send`.
pub(crate) type Planned<'p, T> = BoxFuture<'p, Result<(Edit, T), Error>>;

/// Makes a change: `plan` reads what it needs and returns the change and its result. It is called again if another
/// change was faster, so it must depend on nothing but what it reads. Returns the number of the change.
pub(crate) async fn commit<'p, T: Send>(
    ledger: &Ledger,
    plan: impl Fn() -> Planned<'p, T> + Sync,
) -> Result<(i64, T), Error> {
    // Changes of one process take turns instead of conflicting.
    let _turn = ledger.turn.lock().await;
    let change_id = ledger.new_id();
    let mut unknown: Vec<(i64, T)> = Vec::new();
    let mut last = moved();
    for _ in 0..ATTEMPTS {
        match attempt(ledger, &change_id, &mut unknown, &plan).await {
            Ok(Some(done)) => {
                ledger.wake.notify_one();
                return Ok(done);
            }
            Ok(None) => tokio::task::yield_now().await,
            Err(error) if is_retryable(&error) => last = error,
            Err(error) => {
                last = error;
                break;
            }
        }
    }
    if !unknown.is_empty() {
        return Err(Error::unavailable(CoreCode::OutcomeUnknown, message!(messages::OUTCOME_UNKNOWN)));
    }
    Err(if last.code == LedgerCode::Moved { busy() } else { last })
}

/// Whether reading again may help.
fn is_retryable(error: &Error) -> bool {
    [CoreCode::Contended, CoreCode::ChangedMeanwhile, CoreCode::Throttled, CoreCode::OutcomeUnknown]
        .iter()
        .any(|code| error.code == *code)
        || error.code == LedgerCode::Moved
}

/// Too many others are writing.
pub(crate) fn busy() -> Error {
    Error::unavailable(LedgerCode::Busy, message!(messages::BUSY))
}

async fn attempt<'p, T: Send>(
    ledger: &Ledger,
    change_id: &str,
    unknown: &mut Vec<(i64, T)>,
    plan: &(impl Fn() -> Planned<'p, T> + Sync),
) -> Result<Option<(i64, T)>, Error> {
    let db = &ledger.db;
    let head = head::load(db).await?;
    // A response was lost: the change is in the history if it was made.
    for index in 0..unknown.len() {
        if is_made(ledger, unknown[index].0, change_id).await? {
            return Ok(Some(unknown.swap_remove(index)));
        }
    }
    if head.pending.len() >= MAX_PENDING || !head.pending.is_empty() && head.size() > MAX_HEAD {
        fold::fold(ledger).await?;
        return Ok(None);
    }
    let (edit, result) = plan().await?;
    if edit.is_empty() {
        return Ok(Some((head.seq, result)));
    }
    let operations = operations(ledger, &head, edit, change_id).await?;
    match db.commit(operations).await {
        Ok(()) => Ok(Some((head.seq + 1, result))),
        // The head is the first operation: it was there, or had another number.
        Err(refusal) if refusal.operation == Some(0) => Err(moved()),
        Err(refusal) => {
            if refusal.error.code == CoreCode::OutcomeUnknown {
                unknown.push((head.seq + 1, result));
            }
            Err(refusal.error)
        }
    }
}

async fn is_made(ledger: &Ledger, seq: i64, change_id: &str) -> Result<bool, Error> {
    let key = Item::from([(name!("seq"), seq.into())]);
    let record = ledger.db.get("Change", &key, &strong()).await?;
    Ok(record.is_some_and(|record| record.text("changeId") == Some(change_id)))
}

/// The writes of a change, the head first.
async fn operations(
    ledger: &Ledger,
    head: &Head,
    mut edit: Edit,
    change_id: &str,
) -> Result<Vec<Operation>, Error> {
    let seq = head.seq + 1;
    let mut work = Work::of(&edit.swaps)?;
    for swap in edit.swaps.iter_mut().filter(|swap| &*swap.entity == LINE) {
        if let Some(after) = &mut swap.after {
            after.insert(name!("seq"), seq.into());
        }
    }
    let codes = ledger.codes().await?;
    let applied = entry::apply(&ledger.db, &codes, &work.entries).await?;
    let mut operations = Vec::new();
    for (((month, subject), _), applied) in work.entries.iter().zip(applied) {
        operations.extend(applied.write);
        if let Some(amount) = applied.adopted {
            operations.push(create(LINE, adopted(ledger, *month, subject, amount, seq).fields()?));
        }
    }
    for month in &edit.months {
        work.months.entry(*month).or_default();
    }
    let mut next = Head { seq, ..head.clone() };
    operations.extend(month_writes(ledger, head, &mut next, work).await?);
    operations.extend(drop_months(ledger, &mut next, &edit.dropped).await?);
    let history = history(ledger, &edit, change_id, seq)?;
    operations.extend(edit.swaps.into_iter().filter_map(write));
    operations.extend(edit.also);
    operations.push(history);
    operations.insert(0, head.write(&next));
    Ok(operations)
}

/// The effect of a change on entries, months and the opening balances.
#[derive(Default)]
struct Work {
    entries: BTreeMap<(Month, Subject), Touched>,
    months: BTreeMap<Month, Delta>,
    opening: Balances,
}

impl Work {
    fn of(swaps: &[Swap]) -> Result<Self, Error> {
        let mut work = Self::default();
        for swap in swaps {
            match &*swap.entity {
                LINE => {
                    if let Some(before) = &swap.before {
                        work.line(&Line::of(before)?, true)?;
                    }
                    if let Some(after) = &swap.after {
                        work.line(&Line::of(after)?, false)?;
                    }
                }
                "Opening" => {
                    let balances =
                        |fields: &Option<Item>| fields.as_ref().map(Balances::of).unwrap_or_default();
                    let changed = balances(&swap.after).minus(&balances(&swap.before))?;
                    work.opening = work.opening.plus(&changed)?;
                }
                _ => {}
            }
        }
        Ok(work)
    }

    fn line(&mut self, line: &Line, leaves: bool) -> Result<(), Error> {
        let amount = if leaves { -line.amount } else { line.amount };
        let touched = self.entries.entry((line.month, line.subject.clone())).or_default();
        touched.amount = add(touched.amount, amount)?;
        let ids = if leaves { &mut touched.before } else { &mut touched.after };
        ids.push(line.line_id.clone());
        self.months.entry(line.month).or_default().add(&line.subject, amount)
    }
}

/// The writes of totals and balances. Adds new months and carries to the next head.
async fn month_writes(
    ledger: &Ledger,
    head: &Head,
    next: &mut Head,
    mut work: Work,
) -> Result<Vec<Operation>, Error> {
    let db = &ledger.db;
    // Another program may have written entries of a month that is new here.
    let new: Vec<Month> = work.months.keys().copied().filter(|month| !head.has(*month)).collect();
    let found = try_join_all(new.iter().map(|month| entry::of_month(db, *month))).await?;
    for (month, entries) in new.iter().zip(found) {
        let delta = work.months.entry(*month).or_default();
        let there = entry::sum(&entries)?;
        *delta = Delta {
            totals: delta.totals.plus(&there.totals)?,
            balances: delta.balances.plus(&there.balances)?,
        };
        next.months.push(*month);
    }
    next.months.sort();
    let (mut operations, mut written) = (Vec::new(), Vec::new());
    let mut sum = work.opening.clone();
    for (month, delta) in &work.months {
        sum = sum.plus(&delta.balances)?;
        let is_new = !head.has(*month);
        if is_new || delta.totals != Totals::default() {
            operations.push(totals_write(ledger, *month, is_new, &delta.totals).await?);
        }
        // A month whose own change is undone by earlier ones still needs it: only the earlier ones are carried here.
        if is_new || !delta.balances.is_zero() || !sum.is_zero() {
            let stored = head::load_balances(db, *month).await?;
            let base = match (&stored, is_new) {
                (Some(stored), false) => head.complete(*month, stored)?,
                _ => head.balances(db, *month).await?,
            };
            operations.push(write_balances(*month, stored.as_ref(), &base.plus(&sum)?, next.seq));
            written.push(*month);
        }
    }
    let opening = (None, work.opening);
    let deltas = work.months.into_iter().map(|(month, delta)| (Some(month), delta.balances));
    for (from, balances) in std::iter::once(opening).chain(deltas) {
        let carry = Carry { seq: next.seq, from, balances };
        let misses = |month: &Month| carry.applies(*month, head.seq) && !written.contains(month);
        if !carry.balances.is_zero() && next.months.iter().any(misses) {
            next.pending.push(carry);
        }
    }
    Ok(operations)
}

/// The writes that remove the totals and balances of months. Another program may have removed some of them.
async fn drop_months(ledger: &Ledger, next: &mut Head, months: &[Month]) -> Result<Vec<Operation>, Error> {
    next.months.retain(|month| !months.contains(month));
    let keys: Vec<Item> = months.iter().map(|month| month_key(*month)).collect();
    let mut operations = Vec::new();
    for entity in ["MonthlySummary", "AccumulatedAssets"] {
        let stored = ledger.db.batch_get(entity, &keys, &strong()).await?;
        let there = keys.iter().zip(stored).filter(|(_, stored)| stored.is_some());
        operations.extend(there.map(|(key, _)| Operation::Delete {
            entity: Name::from(entity),
            key: key.clone(),
            expected_version: None,
            guards: Vec::new(),
        }));
    }
    Ok(operations)
}

async fn totals_write(
    ledger: &Ledger,
    month: Month,
    is_new: bool,
    delta: &Totals,
) -> Result<Operation, Error> {
    let stored = ledger.db.get("MonthlySummary", &month_key(month), &strong()).await?;
    let base = stored.as_ref().filter(|_| !is_new).map(Totals::of).unwrap_or_default();
    let totals = base.plus(delta)?;
    Ok(write_month("MonthlySummary", month, totals.fields(), stored.map(|_| Vec::new())))
}

/// The line of an entry that another program wrote.
pub(crate) fn adopted(ledger: &Ledger, month: Month, subject: &Subject, amount: i64, seq: i64) -> Line {
    Line {
        month,
        subject: subject.clone(),
        line_id: ledger.new_id(),
        date: month.day(1).to_string(),
        text: String::new(),
        amount,
        by: "-".to_owned(),
        source: Source::Adopted,
        import_id: None,
        row: None,
        seq,
    }
}

fn write(swap: Swap) -> Option<Operation> {
    let entity = swap.entity;
    Some(match (swap.before, swap.after) {
        (None, Some(fields)) => Operation::Create { entity, fields, guards: Vec::new() },
        (Some(_), Some(fields)) => {
            Operation::Put { entity, fields, expected_version: None, guards: Vec::new() }
        }
        (Some(before), None) => {
            let key = if &*entity == LINE { line::key(&before) } else { before };
            Operation::Delete { entity, key, expected_version: None, guards: Vec::new() }
        }
        (None, None) => return None,
    })
}

fn create(entity: &'static str, fields: Item) -> Operation {
    Operation::Create { entity: Name::from(entity), fields, guards: Vec::new() }
}

fn history(ledger: &Ledger, edit: &Edit, change_id: &str, seq: i64) -> Result<Operation, Error> {
    let mut months: Vec<&str> = edit
        .swaps
        .iter()
        .filter(|swap| &*swap.entity == LINE)
        .flat_map(|swap| [&swap.before, &swap.after])
        .filter_map(|fields| fields.as_ref()?.get("month")?.as_str())
        .collect();
    months.sort_unstable();
    months.dedup();
    let mut fields = Item::from([
        (name!("seq"), seq.into()),
        (name!("changeId"), change_id.into()),
        (name!("action"), edit.action.into()),
        (name!("by"), edit.by.as_str().into()),
        (name!("at"), Precision::Millis.format(ledger.now()).into()),
        (name!("months"), Value::L(months.into_iter().map(Value::from).collect())),
        (name!("swaps"), Value::L(edit.swaps.iter().map(Swap::value).collect())),
    ]);
    fields.extend(edit.import_id.as_ref().map(|id| (name!("importId"), id.as_str().into())));
    fields.extend(edit.undoes.map(|undone| (name!("undoes"), undone.into())));
    Ok(create("Change", fields))
}

impl Swap {
    fn value(&self) -> Value {
        let mut map = Item::from([(name!("entity"), Value::from(&*self.entity))]);
        map.extend(self.before.clone().map(|before| (name!("before"), Value::M(before))));
        map.extend(self.after.clone().map(|after| (name!("after"), Value::M(after))));
        Value::M(map)
    }

    /// A swap of the history.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        let Value::M(map) = value else { return None };
        let side = |name: &str| match map.get(name) {
            Some(Value::M(fields)) => Some(fields.clone()),
            _ => None,
        };
        Some(Self {
            entity: Name::from(map.get("entity")?.as_str()?),
            before: side("before"),
            after: side("after"),
        })
    }
}
