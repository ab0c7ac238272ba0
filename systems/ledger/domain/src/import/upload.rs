//! Uploaded files: kept in the table while a person reviews them, so that every process can go on with them.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansang_core::value::json::{item_from_plain, item_to_plain};
use hansang_core::{Error, Item, Value, message, name};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::preview::{Choice, Preview, RowStatus, preview};
use super::profile::mapping_of;
use super::{Mapping, Table, read};
use crate::codes::without_times;
use crate::head::strong;
use crate::line::every;
use crate::{Ledger, LedgerCode, messages};

/// The number of bytes of one part: an item has at most 400 KB.
const PART: usize = 350 * 1024;
/// The number of parts that are written or read at once.
const CONCURRENT: usize = 8;
/// The number of decisions about single rows.
const MAX_CHOICES: usize = 2000;
/// The time after which a file that was not imported is deleted.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(24);

/// A file that is being reviewed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Upload {
    /// The id, which the import gets too.
    pub upload_id: String,
    /// The name of the file.
    pub file: String,
    /// Who uploaded it.
    pub by: String,
    /// The number of its parts.
    parts: usize,
    /// The name of the source.
    pub profile: String,
    /// How it is read; absent until a person chose the columns of an unknown file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mapping: Option<Mapping>,
    /// The decisions of a person, by the numbers of rows.
    pub choices: BTreeMap<usize, Choice>,
    /// Whether rows that cannot be imported are left out.
    #[serde(default)]
    pub exclude_refused: bool,
}

impl Upload {
    /// The decisions that an import needs: those about rows, and the refused rows if they are to be left out.
    ///
    /// # Errors
    /// As [`Upload::preview`].
    pub async fn decisions(&self, ledger: &Ledger, table: &Table) -> Result<BTreeMap<usize, Choice>, Error> {
        if self.exclude_refused {
            return self.preview(ledger, table).await.map(|(_, choices)| choices);
        }
        Ok(self.choices.clone())
    }

    /// The effect of every row, with the decisions so far, and the decisions that an import needs for it.
    ///
    /// # Errors
    /// A mapping that is missing or does not fit the file.
    pub async fn preview(
        &self,
        ledger: &Ledger,
        table: &Table,
    ) -> Result<(Preview, BTreeMap<usize, Choice>), Error> {
        let missing = || Error::invalid(LedgerCode::MappingInvalid, message!(messages::NO_HEADER));
        let mapping = self.mapping.as_ref().ok_or_else(missing)?;
        let mut choices = self.choices.clone();
        let mut rows = preview(ledger, &self.profile, table, mapping, &choices).await?;
        if self.exclude_refused {
            for row in &mut rows.rows {
                if matches!(row.status, RowStatus::Refused(_)) {
                    row.status = RowStatus::Ignored(super::Ignored::Excluded);
                    choices.insert(row.number, Choice { exclude: true, ..Choice::default() });
                }
            }
        }
        Ok((rows, choices))
    }
}

/// Keeps a file for review. It is read first: a file that cannot be read is not kept.
///
/// # Errors
/// A file that is too large, damaged or of another format.
pub async fn keep_upload(ledger: &Ledger, by: &str, file: &str, bytes: Vec<u8>) -> Result<Upload, Error> {
    let (bytes, table) = read_aside(bytes).await?;
    let (profile, mapping) = match mapping_of(ledger, &table, None, Some(by)).await {
        Ok((profile, mapping)) => (profile, Some(mapping)),
        Err(error) if error.code == LedgerCode::MappingInvalid => (None, None),
        Err(error) => return Err(error),
    };
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).trim();
    let stem = if stem.is_empty() { "-" } else { stem };
    let upload = Upload {
        upload_id: ledger.new_id(),
        file: first_letters(if file.is_empty() { "-" } else { file }, 200),
        by: by.to_owned(),
        parts: bytes.len().div_ceil(PART),
        profile: profile.unwrap_or_else(|| first_letters(stem, 80)),
        mapping,
        choices: BTreeMap::new(),
        exclude_refused: false,
    };
    let write = |(number, part): (usize, &[u8])| {
        let mut fields = part_key(&upload.upload_id, number);
        fields.insert(name!("bytes"), Value::B(part.to_vec()));
        ledger.db.put("UploadPart", fields, None)
    };
    let writes = stream::iter(bytes.chunks(PART).enumerate().map(write).collect::<Vec<_>>());
    writes.buffer_unordered(CONCURRENT).try_for_each(|_| async { Ok(()) }).await?;
    change_upload(ledger, &upload).await?;
    Ok(upload)
}

/// An uploaded file.
///
/// # Errors
/// When it does not exist.
pub async fn upload_of(ledger: &Ledger, upload_id: &str) -> Result<Upload, Error> {
    let unknown = || Error::not_found(LedgerCode::ImportUnknown, message!(messages::IMPORT_UNKNOWN));
    if !hansang_core::kind::text::is_ulid(upload_id) {
        return Err(unknown());
    }
    let record = ledger.db.get("Upload", &upload_key(upload_id), &strong()).await?.ok_or_else(unknown)?;
    serde_json::from_value(item_to_plain(&without_times(record.fields))).map_err(|_| damaged())
}

/// The rows of an uploaded file.
///
/// # Errors
/// When a part is missing.
pub async fn uploaded(ledger: &Ledger, upload: &Upload) -> Result<Table, Error> {
    let part = async |number: usize| {
        let key = part_key(&upload.upload_id, number);
        let record = ledger.db.get("UploadPart", &key, &strong()).await?.ok_or_else(damaged)?;
        match record.fields.get("bytes") {
            Some(Value::B(bytes)) => Ok::<_, Error>(bytes.clone()),
            _ => Err(damaged()),
        }
    };
    let parts = stream::iter((0..upload.parts).map(part).collect::<Vec<_>>());
    let parts: Vec<Vec<u8>> = parts.buffered(CONCURRENT).try_collect().await?;
    read_aside(parts.concat()).await.map(|(_, table)| table)
}

/// Stores the source, the mapping and the decisions of an uploaded file.
///
/// # Errors
/// Too many decisions about single rows.
pub async fn change_upload(ledger: &Ledger, upload: &Upload) -> Result<(), Error> {
    if upload.choices.len() > MAX_CHOICES {
        let message = message!(messages::TOO_MANY_CHOICES, MAX_CHOICES);
        return Err(Error::invalid(LedgerCode::ImportRefused, message));
    }
    let json = serde_json::to_value(upload).map_err(|_| damaged())?;
    let fields = item_from_plain(&json).map_err(|_| damaged())?;
    ledger.db.put("Upload", fields, None).await.map(drop)
}

/// Deletes an uploaded file.
///
/// # Errors
/// When the store fails.
pub async fn discard_upload(ledger: &Ledger, upload: &Upload) -> Result<(), Error> {
    for number in 0..upload.parts {
        delete(ledger, "UploadPart", part_key(&upload.upload_id, number)).await?;
    }
    delete(ledger, "Upload", upload_key(&upload.upload_id)).await
}

/// Deletes the uploaded files that were not imported within a day.
///
/// # Errors
/// When the store fails. The next run does the rest.
pub async fn forget_uploads(ledger: &Ledger) -> Result<(), Error> {
    for record in every(&ledger.db, "uploads", Item::new()).await? {
        let at: Option<Timestamp> = record.text("updatedAt").and_then(|at| at.parse().ok());
        if at.is_some_and(|at| ledger.now().duration_since(at) < MAX_AGE) {
            continue;
        }
        if let Ok(upload) = serde_json::from_value(item_to_plain(&without_times(record.fields))) {
            discard_upload(ledger, &upload).await?;
        }
    }
    Ok(())
}

async fn delete(ledger: &Ledger, entity: &str, key: Item) -> Result<(), Error> {
    match ledger.db.delete(entity, key, None).await {
        Err(error) if error.kind == hansang_core::ErrorKind::NotFound => Ok(()),
        deleted => deleted,
    }
}

/// Reads a file on a thread of its own, because a large one takes seconds.
async fn read_aside(bytes: Vec<u8>) -> Result<(Vec<u8>, Table), Error> {
    let reading = tokio::task::spawn_blocking(move || read(&bytes).map(|table| (bytes, table)));
    reading.await.map_err(|_| damaged())?
}

fn damaged() -> Error {
    Error::invalid(LedgerCode::FileInvalid, message!(messages::FILE_DAMAGED))
}

fn first_letters(text: &str, max: usize) -> String {
    text.chars().take(max).collect()
}

fn upload_key(upload_id: &str) -> Item {
    Item::from([(name!("uploadId"), upload_id.into())])
}

fn part_key(upload_id: &str, number: usize) -> Item {
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    Item::from([(name!("uploadId"), upload_id.into()), (name!("number"), number.into())])
}
