//! Imports in the store: staged first, then applied in transactions that remember how far they are.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::FutureExt as _;
use hansang_core::db::Operation;
use hansang_core::value::json::{from_plain, item_to_plain, to_plain};
use hansang_core::{Error, Item, Record, Value, message, name};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::classify::merchant;
use super::preview::{self, Choice, Preview, RowStatus, seen};
use super::{Mapping, Table};
use crate::change::{Edit, Swap, commit};
use crate::codes::stored;
use crate::figures::number_of;
use crate::head::{self, strong, update};
use crate::history::{later_changes, reverse, swaps};
use crate::kind::Subject;
use crate::line::{LINE, Line, Source, every, key as line_key};
use crate::lines::{NewLine, check_subject, new_line};
use crate::{Ledger, LedgerCode, Month, messages};

/// The number of rows of one staged item.
const STAGED: usize = 200;
/// The writes of one transaction, besides the head, the history and the import.
const MAX_WRITES: usize = 90;

/// An import and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportView {
    /// The id.
    pub import_id: String,
    /// The name of the file.
    pub file: String,
    /// The source.
    pub profile: String,
    /// Who imported it.
    pub by: String,
    /// `staging`, `applying`, `done`, `undoing` or `undone`.
    pub status: String,
    /// The number of rows to import.
    pub rows: i64,
    /// The number of rows that are done.
    pub applied: i64,
    /// The number of lines that were added or changed.
    pub added: i64,
    /// The last change before the import.
    #[serde(default)]
    pub since: i64,
}

/// A row that waits to be applied.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StagedRow {
    hash: String,
    occurrence: usize,
    id: String,
    #[serde(flatten)]
    subject: Subject,
    date: String,
    text: String,
    amount: i64,
    /// The line whose amount changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    old: Option<Box<Line>>,
}

/// A file to be imported.
#[derive(Clone, Copy, Debug)]
pub struct NewImport<'i> {
    /// The name of the file.
    pub file: &'i str,
    /// The name of the source, whose mapping is remembered.
    pub profile: &'i str,
    /// The rows.
    pub table: &'i Table,
    /// How they are read.
    pub mapping: &'i Mapping,
    /// The decisions of a person about rows.
    pub choices: &'i BTreeMap<usize, Choice>,
}

/// Stages a file, applies it, and learns its mapping and the merchants that a person corrected.
///
/// # Errors
/// Every row that cannot be imported and is not excluded. Nothing is written then.
pub async fn start(ledger: &Ledger, by: &str, new: NewImport<'_>) -> Result<ImportView, Error> {
    let preview = preview::preview(ledger, new.table, new.mapping, new.choices).await?;
    let refused: Vec<_> =
        preview.refused().take(5).map(|(number, why)| message!(messages::ROW_REFUSED, number, why)).collect();
    if !refused.is_empty() {
        let problems = hansang_core::Message::join(hansang_core::message::Join::Semicolon, refused);
        return Err(Error::invalid(LedgerCode::ImportRefused, message!(messages::IMPORT_REFUSED, problems)));
    }
    let rows = staged(ledger, &preview)?;
    let subjects: BTreeSet<(Month, &Subject)> = rows
        .iter()
        .filter_map(|row| Some((Month::of(row.date.parse::<Date>().ok()?), &row.subject)))
        .collect();
    for (month, subject) in subjects {
        check_subject(ledger, month, subject).await?;
    }
    let import_id = ledger.new_id();
    let since = head::load(&ledger.db).await?.seq;
    for (number, rows) in rows.chunks(STAGED).enumerate() {
        ledger.db.create("StagedRows", staged_fields(&import_id, number, rows)?).await?;
    }
    let fields = Item::from([
        (name!("importId"), import_id.as_str().into()),
        (name!("file"), new.file.chars().take(200).collect::<String>().into()),
        (name!("profile"), new.profile.into()),
        (name!("by"), by.into()),
        (name!("rows"), i64::try_from(rows.len()).unwrap_or(i64::MAX).into()),
        (name!("since"), since.into()),
    ]);
    ledger.db.create("Import", fields).await?;
    learn(ledger, &new, &preview).await?;
    // From here on a crash is completed by the next sweep.
    ledger
        .db
        .update("Import", update(import_key(&import_id), [(name!("status"), "applying".into())]))
        .await?;
    apply(ledger, &import_id).await
}

fn staged(ledger: &Ledger, preview: &Preview) -> Result<Vec<StagedRow>, Error> {
    let mut rows = Vec::new();
    for row in &preview.rows {
        let old = match &row.status {
            RowStatus::New => None,
            RowStatus::Changed(line) => Some(line.clone()),
            _ => continue,
        };
        let (Some(subject), Some(date)) = (&row.subject, row.date) else { continue };
        crate::figures::check_amount(row.amount)?;
        rows.push(StagedRow {
            hash: row.hash.clone(),
            occurrence: row.occurrence,
            id: ledger.new_id(),
            subject: subject.clone(),
            date: date.to_string(),
            text: row.text.clone(),
            amount: row.amount,
            old,
        });
    }
    // Rows of one month and entry share their writes.
    rows.sort_by(|a, b| {
        (&a.date[..7], &a.subject, a.occurrence).cmp(&(&b.date[..7], &b.subject, b.occurrence))
    });
    Ok(rows)
}

fn staged_fields(import_id: &str, number: usize, rows: &[StagedRow]) -> Result<Item, Error> {
    let damaged = || Error::internal(LedgerCode::LineDamaged, message!(messages::LINE_DAMAGED));
    let row = |row: &StagedRow| {
        from_plain(&serde_json::to_value(row).map_err(|_| damaged())?).map_err(|_| damaged())
    };
    let rows = rows.iter().map(row).collect::<Result<Vec<Value>, Error>>()?;
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    Ok(Item::from([
        (name!("importId"), import_id.into()),
        (name!("number"), number.into()),
        (name!("rows"), Value::L(rows)),
    ]))
}

/// Remembers the mapping of the source, and the entries that a person chose for merchants.
async fn learn(ledger: &Ledger, new: &NewImport<'_>, preview: &Preview) -> Result<(), Error> {
    super::profile::save(ledger, new.profile, new.table, new.mapping).await?;
    for row in &preview.rows {
        let Some(subject) = new.choices.get(&row.number).and_then(|choice| choice.subject.as_ref()) else {
            continue;
        };
        let fields = Item::from([
            (name!("merchant"), merchant(&row.text).into()),
            (name!("kind"), subject.kind.name().into()),
            (name!("name"), subject.name.as_str().into()),
            (name!("detail"), subject.detail.as_str().into()),
        ]);
        ledger.db.put("Merchant", fields, None).await?;
    }
    Ok(())
}

/// Applies the rest of an import.
async fn apply(ledger: &Ledger, import_id: &str) -> Result<ImportView, Error> {
    loop {
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
                let done = applied >= import.rows;
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
            return Ok(import);
        }
    }
}

/// The next rows of an import, as many as one transaction takes.
async fn next_rows(ledger: &Ledger, import: &ImportView) -> Result<Vec<StagedRow>, Error> {
    let applied = usize::try_from(import.applied).unwrap_or_default();
    let mut rows = Vec::new();
    let (mut writes, mut entries, mut months) = (0, BTreeSet::new(), BTreeSet::new());
    for number in applied / STAGED.. {
        let key = Item::from([
            (name!("importId"), import.import_id.as_str().into()),
            (name!("number"), i64::try_from(number).unwrap_or(i64::MAX).into()),
        ]);
        let Some(fields) = stored(ledger, "StagedRows", key).await? else { return Ok(rows) };
        let Some(Value::L(staged)) = fields.get("rows") else { return Ok(rows) };
        let skipped = if number == applied / STAGED { applied % STAGED } else { 0 };
        for value in &staged[skipped.min(staged.len())..] {
            let row: StagedRow = serde_json::from_value(to_plain(value))
                .map_err(|_| Error::corrupt(LedgerCode::LineDamaged, message!(messages::LINE_DAMAGED)))?;
            writes += 2;
            writes += usize::from(entries.insert((row.date[..7].to_owned(), row.subject.clone())));
            writes += 2 * usize::from(months.insert(row.date[..7].to_owned()));
            if writes > MAX_WRITES {
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
    let mut known: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut touched = BTreeSet::new();
    let mut added = 0;
    for row in rows {
        if !known.contains_key(&*row.hash) {
            known.insert(&row.hash, seen(ledger, &row.hash).await?);
        }
        let Some(ids) = known.get_mut(&*row.hash) else { continue };
        if row.occurrence <= ids.len() {
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
                let changed = Line { amount: row.amount, row: Some(row.hash.clone()), ..old.clone() };
                edit.line(Some(old), Some(&changed))?;
                ids.push(old.line_id.clone());
            }
            None => {
                edit.line(None, Some(&line))?;
                ids.push(line.line_id);
            }
        }
        touched.insert(&*row.hash);
        added += 1;
    }
    edit.also.extend(touched.into_iter().map(|hash| seen_write(hash, &known[hash])));
    Ok(added)
}

/// The write of a row's lines; a deletion if it has none left.
fn seen_write(hash: &str, ids: &[String]) -> Operation {
    let entity = name!("SeenRow");
    let mut fields = Item::from([(name!("row"), hash.into())]);
    if ids.is_empty() {
        return Operation::Delete { entity, key: fields, expected_version: None, guards: Vec::new() };
    }
    fields.insert(name!("lines"), Value::L(ids.iter().map(|id| Value::from(&**id)).collect()));
    Operation::Put { entity, fields, expected_version: None, guards: Vec::new() }
}

/// Completes imports and undoings that a crash interrupted.
///
/// # Errors
/// When the store fails. The next run does the rest.
pub async fn resume_imports(ledger: &Ledger) -> Result<(), Error> {
    for import in imports(ledger).await? {
        match &*import.status {
            "applying" => drop(apply(ledger, &import.import_id).await?),
            "undoing" => finish_undo(ledger, &import).await?,
            _ => {}
        }
    }
    Ok(())
}

/// All imports, newest first.
///
/// # Errors
/// When the store fails.
pub async fn imports(ledger: &Ledger) -> Result<Vec<ImportView>, Error> {
    let records = every(&ledger.db, "imports", Item::new()).await?;
    Ok(records
        .iter()
        .filter_map(|record| serde_json::from_value(item_to_plain(&record.fields)).ok())
        .collect())
}

/// One import.
///
/// # Errors
/// When it does not exist.
pub async fn import_of(ledger: &Ledger, import_id: &str) -> Result<ImportView, Error> {
    let unknown = || Error::not_found(LedgerCode::ImportUnknown, message!(messages::IMPORT_UNKNOWN));
    if import_id.is_empty() {
        return Err(unknown());
    }
    let record = ledger.db.get("Import", &import_key(import_id), &strong()).await?.ok_or_else(unknown)?;
    record.typed()
}

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
        for swap in swaps(&change) {
            reverse(ledger, number_of(&change.fields, "seq"), swap).await?;
        }
    }
    let status = [(name!("status"), "undoing".into()), (name!("by"), by.into())];
    ledger.db.update("Import", update(import_key(import_id), status)).await?;
    finish_undo(ledger, &ImportView { by: by.to_owned(), ..import }).await?;
    import_of(ledger, import_id).await
}

/// Reverses the changes of an import that are not reversed yet.
async fn finish_undo(ledger: &Ledger, import: &ImportView) -> Result<(), Error> {
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
                    ..Edit::new("import.undo", &import.by)
                };
                for swap in swaps(&change) {
                    // A line that a person changed in the meantime stays as it is.
                    edit.swaps.extend(reverse(ledger, seq, swap).await.ok());
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
        let left: Vec<String> = known.iter().filter(|id| !ids.contains(id)).cloned().collect();
        if left.len() < known.len() {
            writes.push(seen_write(hash, &left));
        }
    }
    Ok(writes)
}

fn import_key(import_id: &str) -> Item {
    Item::from([(name!("importId"), import_id.into())])
}
