//! Staging: the rows of a file are stored before the first of them is applied.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansang_core::db::Operation;
use hansang_core::message::Join;
use hansang_core::value::json::{from_plain, to_plain};
use hansang_core::{Error, ErrorKind, Item, Message, Value, message, name};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::apply::apply;
use super::classify;
use super::preview::{self, Choice, Ignored, Preview, RowStatus};
use super::record::{ImportView, import_key, import_of};
use super::sweep::{adopt_staging, staging_key};
use super::{Mapping, Table};
use crate::codes::stored;
use crate::head::{self, update};
use crate::kind::Subject;
use crate::line::Line;
use crate::lines::check_subject;
use crate::{Ledger, LedgerCode, Month, messages};

/// The number of rows of one staged item.
pub(super) const STAGED: usize = 200;

/// The number of staged items that are written at once.
const CONCURRENT: usize = 16;

/// A row that waits to be applied.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StagedRow {
    pub(super) hash: String,
    /// The number of lines that equal rows have when it is this row's turn, if no other import adds some.
    pub(super) before: usize,
    pub(super) id: String,
    #[serde(flatten)]
    pub(super) subject: Subject,
    pub(super) date: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) text: String,
    pub(super) amount: i64,
    /// Whether a person wants it as a line of its own, whatever was imported before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) anyway: bool,
    /// The line that changes, or that is this row's already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) old: Option<Box<Line>>,
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

/// Stages a file and applies it.
///
/// # Errors
/// As [`stage`].
pub async fn start(ledger: &Ledger, by: &str, new: NewImport<'_>) -> Result<ImportView, Error> {
    let import = stage(ledger, by, &ledger.new_id(), new).await?;
    apply(ledger, &import.import_id, usize::MAX).await
}

/// Stages a file under an id, and learns its mapping and the merchants that a person corrected. The worker applies it.
/// Staging the same id again changes nothing.
///
/// # Errors
/// Every row that cannot be imported and is not excluded. Nothing is written then.
pub async fn stage(
    ledger: &Ledger,
    by: &str,
    import_id: &str,
    new: NewImport<'_>,
) -> Result<ImportView, Error> {
    match import_of(ledger, import_id).await {
        // A request before this one was interrupted.
        Ok(import) if import.status == "staging" => return begin(ledger, import_id).await,
        Err(error) if error.kind == ErrorKind::NotFound => {}
        known => return known,
    }
    let preview = preview::preview(ledger, new.profile, new.table, new.mapping, new.choices).await?;
    check_rows(&preview)?;
    let rows = staged(ledger, &preview)?;
    let subjects: BTreeSet<(Month, &Subject)> = rows
        .iter()
        .filter_map(|row| Some((Month::of(row.date.parse::<Date>().ok()?), &row.subject)))
        .collect();
    for (month, subject) in subjects {
        check_subject(ledger, month, subject).await?;
    }
    let since = head::load(&ledger.db).await?.seq;
    // Two requests may stage the same file at once: each has rows of its own, and the import names those that count.
    let attempt = ledger.new_id();
    ledger.db.create("Staging", staging_key(&attempt)).await?;
    let write = async |(number, rows): (usize, &[StagedRow])| {
        ledger.db.create("StagedRows", staged_fields(&attempt, number, rows)?).await.map(drop)
    };
    let writes = stream::iter(rows.chunks(STAGED).enumerate().map(write));
    writes.buffer_unordered(CONCURRENT).try_collect::<()>().await?;
    // Before the import is there: what follows is completed after a crash, and what was learned does no harm.
    learn(ledger, &new, &preview).await?;
    let fields = Item::from([
        (name!("importId"), import_id.into()),
        (name!("file"), new.file.chars().take(200).collect::<String>().into()),
        (name!("profile"), new.profile.into()),
        (name!("by"), by.into()),
        (name!("rows"), i64::try_from(rows.len()).unwrap_or(i64::MAX).into()),
        (name!("since"), since.into()),
        (name!("staged"), attempt.as_str().into()),
    ]);
    let create = Operation::Create { entity: name!("Import"), fields, guards: Vec::new() };
    match ledger.db.commit(vec![create, adopt_staging(&attempt)]).await {
        Ok(()) => begin(ledger, import_id).await,
        // The response was lost, or another request was faster: then these rows are swept.
        Err(refusal) => match import_of(ledger, import_id).await {
            Ok(_) => begin(ledger, import_id).await,
            Err(_) => Err(refusal.error),
        },
    }
}

/// Makes a staged import ready to be applied, unless it is already. From here on a crash is completed by the next sweep.
pub(super) async fn begin(ledger: &Ledger, import_id: &str) -> Result<ImportView, Error> {
    let started = update(import_key(import_id), [(name!("status"), "applying".into())]);
    let result = ledger.db.update("Import", started).await;
    let import = import_of(ledger, import_id).await?;
    match result {
        Err(error) if import.status == "staging" => Err(error),
        _ => {
            ledger.staged.notify_one();
            Ok(import)
        }
    }
}

/// Refuses an import with rows that cannot be imported. The message names the first five.
fn check_rows(preview: &Preview) -> Result<(), Error> {
    let refused: Vec<_> =
        preview.refused().take(5).map(|(number, why)| message!(messages::ROW_REFUSED, number, why)).collect();
    if refused.is_empty() {
        return Ok(());
    }
    let problems = Message::join(Join::Semicolon, refused);
    Err(Error::invalid(LedgerCode::ImportRefused, message!(messages::IMPORT_REFUSED, problems)))
}

/// One item of staged rows, if there is one with this number.
pub(super) async fn staged_rows(
    ledger: &Ledger,
    import: &ImportView,
    number: usize,
) -> Result<Option<Vec<StagedRow>>, Error> {
    let mut key = import_key(if import.staged.is_empty() { &import.import_id } else { &import.staged });
    key.insert(name!("number"), i64::try_from(number).unwrap_or(i64::MAX).into());
    let Some(fields) = stored(ledger, "StagedRows", key).await? else { return Ok(None) };
    let Some(Value::L(rows)) = fields.get("rows") else { return Ok(None) };
    let row = |value: &Value| {
        serde_json::from_value(to_plain(value))
            .map_err(|_| Error::corrupt(LedgerCode::LineDamaged, message!(messages::LINE_DAMAGED)))
    };
    rows.iter().map(row).collect::<Result<_, Error>>().map(Some)
}

fn staged(ledger: &Ledger, preview: &Preview) -> Result<Vec<StagedRow>, Error> {
    let mut rows = Vec::new();
    for row in &preview.rows {
        let old = match &row.status {
            RowStatus::New => None,
            RowStatus::Changed(line) | RowStatus::Entered(line) => Some(line.clone()),
            _ => continue,
        };
        let (Some(subject), Some(date)) = (&row.subject, row.date) else { continue };
        crate::figures::check_amount(row.amount)?;
        let is_entered = matches!(row.status, RowStatus::Entered(_));
        let subject = old.as_ref().filter(|_| is_entered).map_or(subject, |line| &line.subject);
        rows.push(StagedRow {
            hash: row.hash.clone(),
            before: row.known,
            id: ledger.new_id(),
            subject: subject.clone(),
            date: date.to_string(),
            time: row.time.clone(),
            text: row.text.clone(),
            amount: row.amount,
            anyway: matches!(row.usual.as_deref(), Some(RowStatus::Duplicate | RowStatus::Changed(_))),
            old,
        });
    }
    // Rows of one month and entry share their writes.
    rows.sort_by(|a, b| (&a.date[..7], &a.subject).cmp(&(&b.date[..7], &b.subject)));
    let mut earlier: BTreeMap<String, usize> = BTreeMap::new();
    for row in &mut rows {
        let count = earlier.entry(row.hash.clone()).or_default();
        row.before += *count;
        *count += 1;
    }
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
        let Some(choice) = new.choices.get(&row.number) else { continue };
        // A transfer that is imported anyway is none, also in the next file.
        let is_none = matches!(
            row.usual.as_deref(),
            Some(RowStatus::Ignored(Ignored::Transfer | Ignored::CardBill | Ignored::Never))
        );
        match (&choice.subject, &row.subject) {
            _ if choice.never => classify::learn(ledger, &row.text, None).await?,
            (Some(subject), _) => classify::learn(ledger, &row.text, Some(subject)).await?,
            (None, Some(subject)) if is_none => classify::learn(ledger, &row.text, Some(subject)).await?,
            _ => {}
        }
    }
    Ok(())
}
