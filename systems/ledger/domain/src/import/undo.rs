//! Undoing an import as a whole.

use std::collections::BTreeMap;

use futures_util::FutureExt as _;
use hansang_core::db::Operation;
use hansang_core::{Error, Item, Record, message, name};

use super::apply::seen_write;
use super::compare::seen;
use super::record::{ImportView, import_key, import_of};
use crate::change::{Edit, Swap, commit};
use crate::codes::stored;
use crate::figures::number_of;
use crate::head::{self, update};
use crate::history::{later_changes, reverse, swaps};
use crate::line::Line;
use crate::{Ledger, LedgerCode, messages};

/// Undoes an import: its lines go, and its rows can be imported again.
///
/// # Errors
/// An import that is not done, or whose lines were changed later.
pub async fn undo_import(ledger: &Ledger, by: &str, import_id: &str) -> Result<ImportView, Error> {
    let import = import_of(ledger, import_id).await?;
    if import.status != "done" {
        let message = message!(messages::IMPORT_WRONG_STATE, &import.status);
        return Err(Error::conflict(LedgerCode::ImportWrongState, message));
    }
    for change in changes_of(ledger, &import).await? {
        for swap in swaps(&change.fields) {
            reverse(ledger, number_of(&change.fields, "seq"), swap).await?;
        }
    }
    let status = [(name!("status"), "undoing".into()), (name!("undoneBy"), by.into())];
    ledger.db.update("Import", update(import_key(import_id), status)).await?;
    finish_undo(ledger, &ImportView { undone_by: Some(by.to_owned()), ..import }).await?;
    import_of(ledger, import_id).await
}

/// Reverses the changes of an import that are not reversed yet.
pub(super) async fn finish_undo(ledger: &Ledger, import: &ImportView) -> Result<(), Error> {
    for change in changes_of(ledger, import).await? {
        let seq = number_of(&change.fields, "seq");
        let plan = || {
            async {
                let next = head::load(&ledger.db).await?.seq + 1;
                let key = Item::from([(name!("seq"), seq.into())]);
                let is_undone = stored(ledger, "Change", key.clone())
                    .await?
                    .is_none_or(|fields| fields.contains_key("undoneBy"));
                if is_undone {
                    return Ok((Edit::default(), ()));
                }
                let mut edit = Edit {
                    import_id: Some(import.import_id.clone()),
                    undoes: Some(seq),
                    ..Edit::new("import.undo", import.undone_by.as_deref().unwrap_or(&import.by))
                };
                for swap in swaps(&change.fields) {
                    match reverse(ledger, seq, swap).await {
                        Ok(swap) => edit.swaps.push(swap),
                        // A line that a person changed in the meantime stays as it is.
                        Err(error) if error.code == LedgerCode::UndoBlocked => {}
                        Err(error) => return Err(error),
                    }
                }
                edit.also = free_rows(ledger, &edit.swaps).await?;
                let update = update(key, [(name!("undoneBy"), next.into())]);
                edit.also.push(Operation::Update { entity: name!("Change"), update, guards: Vec::new() });
                Ok((edit, ()))
            }
            .boxed()
        };
        commit(ledger, plan).await?;
    }
    let done = update(import_key(&import.import_id), [(name!("status"), "undone".into())]);
    ledger.db.update("Import", done).await.map(drop)
}

/// The changes of an import that can still be reversed, newest first.
async fn changes_of(ledger: &Ledger, import: &ImportView) -> Result<Vec<Record>, Error> {
    let mine = |record: &Record| {
        record.text("importId") == Some(&*import.import_id)
            && record.text("action") == Some("import")
            && !record.fields.contains_key("undoneBy")
    };
    later_changes(ledger, import.since, mine).await
}

/// The writes that free the rows of lines that go.
async fn free_rows(ledger: &Ledger, swaps: &[Swap]) -> Result<Vec<Operation>, Error> {
    let mut gone: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for swap in swaps {
        let Some(line) = swap.before.as_ref().and_then(|fields| Line::of(fields).ok()) else { continue };
        gone.entry(line.row.unwrap_or_default()).or_default().push(line.line_id);
    }
    let mut writes = Vec::new();
    for (hash, ids) in gone.iter().filter(|(hash, _)| !hash.is_empty()) {
        let known = seen(ledger, hash).await?;
        let mut left = known.clone();
        left.lines.retain(|id| !ids.contains(id));
        if left.lines.len() < known.lines.len() {
            writes.push(seen_write(hash, &left));
        }
    }
    Ok(writes)
}
