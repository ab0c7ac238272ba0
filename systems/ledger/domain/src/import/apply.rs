//! Applying staged rows, in transactions that remember how far they are.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::FutureExt as _;
use hansang_core::db::Operation;
use hansang_core::{Error, Item, Value, name};

use super::compare::{Seen, seen};
use super::record::{ImportView, import_key, import_of, imports};
use super::stage::{STAGED, StagedRow, begin, staged_rows};
use super::sweep::{clear_staged, sweep_staged};
use super::undo::finish_undo;
use crate::Ledger;
use crate::change::{Edit, commit};
use crate::codes::stored;
use crate::head::update;
use crate::line::{LINE, Line, Source, key as line_key};
use crate::lines::{NewLine, new_line};

/// The writes of one transaction, besides the head, the history and the import.
const MAX_WRITES: usize = 90;

/// Completes imports and undoings that a crash interrupted.
///
/// # Errors
/// When the store fails. The next run does the rest.
pub async fn resume_imports(ledger: &Ledger) -> Result<(), Error> {
    sweep_staged(ledger).await?;
    for import in imports(ledger).await? {
        match &*import.status {
            // Its rows are all there.
            "staging" => {
                begin(ledger, &import.import_id).await?;
                apply(ledger, &import.import_id, usize::MAX).await?;
            }
            "applying" => drop(apply(ledger, &import.import_id, usize::MAX).await?),
            "undoing" => finish_undo(ledger, &import).await?,
            "done" | "undone" => clear_staged(ledger, &import).await?,
            _ => {}
        }
    }
    Ok(())
}

/// Applies the rest of an import, in at most this many transactions.
///
/// # Errors
/// When the store fails. The worker does the rest.
pub async fn apply(ledger: &Ledger, import_id: &str, max: usize) -> Result<ImportView, Error> {
    for _ in 0..max {
        let plan = || {
            async {
                let import = import_of(ledger, import_id).await?;
                if import.status != "applying" {
                    return Ok((Edit::default(), import));
                }
                let rows = next_rows(ledger, &import).await?;
                let mut edit =
                    Edit { import_id: Some(import_id.to_owned()), ..Edit::new("import", &import.by) };
                let added = add_rows(ledger, &import, &rows, &mut edit).await?;
                let applied = import.applied + i64::try_from(rows.len()).unwrap_or_default();
                let mut fields =
                    vec![(name!("applied"), applied.into()), (name!("added"), (import.added + added).into())];
                let done = applied >= import.rows || rows.is_empty();
                if done {
                    fields.push((name!("status"), "done".into()));
                }
                let update = update(import_key(import_id), fields);
                edit.also.push(Operation::Update { entity: name!("Import"), update, guards: Vec::new() });
                Ok((edit, import))
            }
            .boxed()
        };
        let (_, import) = commit(ledger, plan).await?;
        if import.status != "applying" {
            clear_staged(ledger, &import).await?;
            return Ok(import);
        }
    }
    import_of(ledger, import_id).await
}

/// The next rows of an import, as many as one transaction takes.
async fn next_rows(ledger: &Ledger, import: &ImportView) -> Result<Vec<StagedRow>, Error> {
    let applied = usize::try_from(import.applied).unwrap_or_default();
    let mut rows = Vec::new();
    let (mut writes, mut entries, mut months) = (0, BTreeSet::new(), BTreeSet::new());
    for number in applied / STAGED.. {
        let Some(staged) = staged_rows(ledger, import, number).await? else { return Ok(rows) };
        let skipped = if number == applied / STAGED { applied % STAGED } else { 0 };
        for row in staged.into_iter().skip(skipped) {
            // The line, or two for one that moves, and the lines that are known of its row.
            writes += 2 + usize::from(row.old.is_some());
            let own = (row.date[..7].replace('-', "."), row.subject.clone());
            let old = row.old.as_ref().map(|old| (old.month.to_string(), old.subject.clone()));
            for (month, subject) in std::iter::once(own).chain(old) {
                // An entry may need a line for an amount that another program wrote.
                writes += 2 * usize::from(entries.insert((month.clone(), subject)));
                writes += 2 * usize::from(months.insert(month));
            }
            if writes > MAX_WRITES && !rows.is_empty() {
                return Ok(rows);
            }
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Adds the lines of rows that were not imported in the meantime. Returns their number.
async fn add_rows(
    ledger: &Ledger,
    import: &ImportView,
    rows: &[StagedRow],
    edit: &mut Edit,
) -> Result<i64, Error> {
    let mut known: BTreeMap<&str, Seen> = BTreeMap::new();
    let mut touched = BTreeSet::new();
    let mut added = 0;
    for row in rows {
        if !known.contains_key(&*row.hash) {
            known.insert(&row.hash, seen(ledger, &row.hash).await?);
        }
        let Some(seen) = known.get_mut(&*row.hash) else { continue };
        // Another import has added a line for this row since it was staged.
        if seen.lines.len() > row.before && !row.anyway {
            continue;
        }
        let new = NewLine {
            id: None,
            subject: row.subject.clone(),
            date: crate::date(&row.date)?,
            text: row.text.clone(),
            amount: row.amount,
        };
        let line = new_line(row.id.clone(), &import.by, Source::Import, &new)?;
        let line = Line { import_id: Some(import.import_id.clone()), row: Some(row.hash.clone()), ..line };
        let old = match &row.old {
            Some(old) => stored(ledger, LINE, line_key(&old.fields()?))
                .await?
                .map(|fields| Line::of(&fields))
                .transpose()?,
            None => None,
        };
        match &old {
            Some(old) => {
                // A line that was entered by hand has its month, which may be another one for a rule.
                let changed = Line {
                    amount: row.amount,
                    subject: row.subject.clone(),
                    row: Some(row.hash.clone()),
                    ..old.clone()
                };
                edit.line(Some(old), Some(&changed))?;
                seen.lines.push(old.line_id.clone());
                // Nothing that a person sees of it has changed.
                added -= i64::from(old.amount == row.amount && old.subject == row.subject);
            }
            None => {
                edit.line(None, Some(&line))?;
                seen.lines.push(line.line_id);
            }
        }
        seen.time.clone_from(&row.time);
        touched.insert(&*row.hash);
        added += 1;
    }
    edit.also.extend(touched.into_iter().map(|hash| seen_write(hash, &known[hash])));
    Ok(added)
}

/// The writes that remember the rows of lines that come from another ledger.
pub(crate) async fn seen_writes(ledger: &Ledger, lines: &[Line]) -> Result<Vec<Operation>, Error> {
    let mut rows: BTreeMap<&str, Seen> = BTreeMap::new();
    for line in lines {
        let Some(hash) = &line.row else { continue };
        if !rows.contains_key(&**hash) {
            rows.insert(hash, seen(ledger, hash).await?);
        }
        if let Some(seen) = rows.get_mut(&**hash).filter(|seen| !seen.lines.contains(&line.line_id)) {
            seen.lines.push(line.line_id.clone());
        }
    }
    Ok(rows.iter().map(|(hash, seen)| seen_write(hash, seen)).collect())
}

/// The write of a row's lines; a deletion if it has none left.
pub(super) fn seen_write(hash: &str, seen: &Seen) -> Operation {
    let entity = name!("SeenRow");
    let mut fields = Item::from([(name!("row"), hash.into())]);
    if seen.lines.is_empty() {
        return Operation::Delete { entity, key: fields, expected_version: None, guards: Vec::new() };
    }
    fields.insert(name!("lines"), Value::L(seen.lines.iter().map(|id| Value::from(&**id)).collect()));
    fields.extend(seen.time.as_ref().map(|time| (name!("time"), time.as_str().into())));
    Operation::Put { entity, fields, expected_version: None, guards: Vec::new() }
}
