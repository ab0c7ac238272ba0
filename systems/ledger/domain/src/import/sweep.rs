//! Rows that were staged: removed after their import, and after a crash that left them without one.
//!
//! A `Staging` item is there while rows are staged. The transaction that creates the import removes it, unless a sweep
//! has marked it as abandoned: so rows of an import are never swept, and rows without one always are.

use hansang_core::db::{Ask, Operation};
use hansang_core::plan::{Change, Comparison, Condition, Guard, Operand, Path, Reason};
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, ErrorKind, Item, Record, Value, name};
use jiff::{SignedDuration, Timestamp};

use super::record::{ImportView, import_key};
use crate::Ledger;
use crate::head::{moved, update};
use crate::line::every;

/// The time after which staging counts as interrupted.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(24);

/// The key of the note that rows are being staged.
pub(super) fn staging_key(staged: &str) -> Item {
    Item::from([(name!("staged"), staged.into())])
}

/// The write by which an import takes over staged rows, which must not be abandoned.
pub(super) fn adopt_staging(staged: &str) -> Operation {
    let is_kept = Condition::Compare(
        Operand::Path((&name!("abandoned")).into()),
        Comparison::Equal,
        Operand::Value(Value::Bool(false)),
    );
    Operation::Delete {
        entity: name!("Staging"),
        key: staging_key(staged),
        expected_version: None,
        guards: vec![Guard { condition: is_kept, otherwise: Reason::Other(moved()) }],
    }
}

/// Deletes rows that were staged a day ago and belong to no import.
pub(super) async fn sweep_staged(ledger: &Ledger) -> Result<(), Error> {
    for record in every(&ledger.db, "stagings", Item::new()).await? {
        let at: Option<Timestamp> = record.text("createdAt").and_then(|at| at.parse().ok());
        let Some(staged) = record.text("staged") else { continue };
        if at.is_some_and(|at| ledger.now().duration_since(at) < MAX_AGE) {
            continue;
        }
        let abandon = update(staging_key(staged), [(name!("abandoned"), Value::Bool(true))]);
        match ledger.db.update("Staging", abandon).await {
            // Its import was created in the meantime.
            Err(error) if error.kind == ErrorKind::NotFound => continue,
            done => drop(done?),
        }
        delete_rows(ledger, staged).await?;
        match ledger.db.delete("Staging", staging_key(staged), None).await {
            Err(error) if error.kind == ErrorKind::NotFound => {}
            done => done?,
        }
    }
    Ok(())
}

/// Deletes the staged rows of an import that needs them no more. A crash is completed by the next sweep.
pub(super) async fn clear_staged(ledger: &Ledger, import: &ImportView) -> Result<(), Error> {
    if import.staged.is_empty() {
        return Ok(());
    }
    delete_rows(ledger, &import.staged).await?;
    let staged = Path { root: name!("staged"), inside: Vec::new() };
    let update = Update {
        key: import_key(&import.import_id),
        changes: vec![(staged, Change::Remove)],
        expected_version: None,
    };
    ledger.db.update("Import", update).await.map(drop)
}

async fn delete_rows(ledger: &Ledger, staged: &str) -> Result<(), Error> {
    let fields = Some(vec!["number".to_owned()]);
    loop {
        let ask = Ask { limit: Some(90), fields: fields.clone(), ..Ask::default() };
        let page = ledger.db.query("stagedRows", import_key(staged), ask).await?;
        let delete = |record: &Record| Operation::Delete {
            entity: name!("StagedRows"),
            key: record.fields.clone(),
            expected_version: None,
            guards: Vec::new(),
        };
        let deletes: Vec<Operation> = page.records.iter().map(delete).collect();
        if deletes.is_empty() {
            return Ok(());
        }
        match ledger.db.commit(deletes).await {
            Ok(()) => {}
            // Another process deletes them too.
            Err(refusal) if refusal.error.code == CoreCode::NotFound => {}
            Err(refusal) => return Err(refusal.error),
        }
    }
}
