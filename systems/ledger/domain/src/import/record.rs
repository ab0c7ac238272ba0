//! The records of imports: how far each one is.

use hansang_core::value::json::item_to_plain;
use hansang_core::{Error, Item, message, name};
use serde::{Deserialize, Serialize};

use crate::head::strong;
use crate::line::every;
use crate::{Ledger, LedgerCode, messages};

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
    /// Who undid it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone_by: Option<String>,
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
    /// The id under which its rows are staged, if not its own.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub(super) staged: String,
    /// When it was started.
    #[serde(default)]
    pub created_at: String,
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

/// The key of an import.
pub(super) fn import_key(import_id: &str) -> Item {
    Item::from([(name!("importId"), import_id.into())])
}
